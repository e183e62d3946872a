/* See rows.h. */
#include "rows.h"

#include "headlight/base/file.h"
#include "model_helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text; /* of the file that was read last, its lines and members ended by NUL */
static const char *members[ROW_MEMBERS + 1];

static bool is_case(const char *line)
{
    return *line && *line != '%';
}

/* The case's line, and in `count` how many cases there are; the file ends with a line's end. */
static char *read(const char *name, int index, int *count)
{
    struct error error;
    char path[128], *found = NULL;
    size_t length;
    snprintf(path, sizeof path, "tests/rows/%s.txt", name);
    free(text);
    assert_ok(file_read(path, 1 << 20, &text, &length, &error), error);
    *count = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (is_case(line) && (*count)++ == index)
            found = line;
    }
    return found;
}

int rows_count(const char *name)
{
    int count;
    read(name, -1, &count);
    if (count == 0) { /* before any test runs, so that none is passed over */
        fprintf(stderr, "tests/rows/%s.txt: expected cases, found none\n", name);
        abort();
    }
    return count;
}

/* In place, as nothing gets longer. */
static char *unescape(char *member)
{
    static const char *const signs[] = {"⏎", "⇥"};
    char *to = member;
    unsigned byte;
    if (strcmp(member, "∅") == 0)
        *member = '\0';
    for (const char *at = member; *at;) {
        int end = 0;
        for (int i = 0; i < COUNT(signs); i++)
            if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
                byte = (unsigned char)"\n\t"[i];
                end = (int)strlen(signs[i]);
            }
        if (end == 0 && (sscanf(at, "<%2X>%n", &byte, &end) != 1 || end != 4)) {
            byte = (unsigned char)*at;
            end = 1;
        }
        *to++ = (char)byte;
        at += end;
    }
    *to = '\0';
    return member;
}

const char *const *row_at(const char *name, int index)
{
    size_t i = 0;
    int count;
    char *member = read(name, index, &count);
    ck_assert_msg(member, "%s: no case %d", name, index);
    memset(members, 0, sizeof members);
    for (char *end; member; member = end) {
        ck_assert_uint_lt(i, ROW_MEMBERS);
        end = strstr(member, " => ");
        if (end) {
            *end = '\0';
            end += strlen(" => ");
        }
        members[i++] = unescape(member);
    }
    return members;
}

enum status status_named(const char *name)
{
    static const char *const names[] = {"OK",    "IO",     "FORMAT", "MISMATCH",  "UNSUPPORTED",
                                        "LIMIT", "MEMORY", "USAGE",  "CANCELLED", "UNREAD"};
    for (int i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0)
            return (enum status)i;
    ck_abort_msg("no status %s", name);
    return STATUS_OK;
}

void assert_has_parts(const char *text_found, const char *const *parts)
{
    for (; *parts; parts++)
        ck_assert_msg(strstr(text_found, *parts), "expected \"%s\" in \"%s\"", *parts, text_found);
}

void assert_refused(enum status status, const struct error *error, const char *const *expected)
{
    ck_assert_int_eq(status, status_named(expected[0]));
    ck_assert_int_eq(error->status, status);
    assert_has_parts(error->message, expected + 1);
}
