/* json_scan.h: JSON read in one pass, without a tree: what it costs is what the caller keeps.
 *
 *     struct json_scan scan = {.text = text, .length = length};
 *     size_t count = 0, sum = 0, size;
 *     json_scan_take(&scan, '[');
 *     while (json_scan_more(&scan, ']', count++) && json_scan_size(&scan, &size))
 *         sum += size;
 *     if (!json_scan_end(&scan))
 *         printf("expected %s at byte %zu\n", scan.expected, scan.at);
 *
 * Source: RFC 8259. Every function passes over white space first, and returns false once one of
 * them has found something else than it expected; the first such place is kept. */
#ifndef HEADLIGHT_BASE_JSON_SCAN_H
#define HEADLIGHT_BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* The lists and objects in one another that json_scan_skip passes over. */
#define JSON_SCAN_NESTING 64

/* The text needs no NUL at its end. It may change meanwhile, as a file that is mapped can: what is
 * read is then any text, and never more of it. */
struct json_scan {
    const char *text;
    size_t length, at;
    const char *expected; /* what is not at `at`; NULL: all went well */
};

/* Whether this byte comes next; it is not taken. */
bool json_scan_sees(struct json_scan *scan, char sign);

/* Takes one of { } [ ] , : */
bool json_scan_take(struct json_scan *scan, char sign);

/* Whether another member or item follows the `count` that were read; takes the comma before it, or
 * the bracket `close` that ends them. */
bool json_scan_more(struct json_scan *scan, char close, size_t count);

/* Writes a string, NUL-terminated, into `string`, which needs no more room than the string has
 * bytes between and with its quotes. NULL: it is passed over. U+FFFD takes the place of \u0000;
 * bytes that are not UTF-8 stay as they are. */
bool json_scan_string(struct json_scan *scan, char *string);

/* The same for the name of a member, and takes its colon. */
bool json_scan_name(struct json_scan *scan, char *name);

/* A whole number without sign, fraction or exponent that fits. */
bool json_scan_size(struct json_scan *scan, size_t *size);

/* Passes over a value of any kind. */
bool json_scan_skip(struct json_scan *scan);

/* Whether all went well and nothing follows. */
bool json_scan_end(struct json_scan *scan);

#endif
