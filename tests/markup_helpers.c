#include "markup_helpers.h"

#include <check.h>
#include <stdbool.h>
#include <string.h>

size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        ck_abort_msg("expected %s in:\n%.1500s", part, text);
}

void assert_lacks(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    if (found)
        ck_abort_msg("found %s in: %.200s", part, found);
}

/* ---- What is well-formed ---- */

/* Fails unless a tag is a name and attributes in double quotes. Returns its end. */
static const char *check_tag(const char *at)
{
    at += strcspn(at, " />\"<");
    while (*at == ' ') {
        at += 1 + strcspn(at + 1, " =\"<>");
        ck_assert_msg(at[0] == '=' && at[1] == '"', "an attribute without quotes: %.80s", at);
        at += 2 + strcspn(at + 2, "\"<");
        ck_assert_msg(*at == '"', "an attribute that does not end: %.80s", at);
        at++;
    }
    if (*at == '/')
        at++;
    ck_assert_msg(*at == '>', "a tag that does not end: %.80s", at);
    return at;
}

static void check_entity(const char *at)
{
    bool known = strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
                 strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&quot;", 6) == 0;
    ck_assert_msg(known, "a bare &: %.80s", at);
}

void markup_check(const char *text)
{
    const char *open[16];
    size_t depth = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '&')
            check_entity(at);
        if (*at != '<' || strncmp(at, "<!DOCTYPE", 9) == 0)
            continue;
        const char *name = at + 1, *stop = check_tag(name + (*name == '/'));
        if (*name == '/') {
            size_t length = (size_t)(stop - name - 1);
            ck_assert_msg(depth > 0 && strncmp(open[--depth], name + 1, length) == 0 &&
                              strchr(" >", open[depth][length]),
                          "closes nothing: %.40s", at);
        } else if (stop[-1] != '/' && strncmp(name, "meta ", 5) != 0) {
            ck_assert_uint_lt(depth, 16);
            open[depth++] = name;
        }
        at = stop;
    }
    ck_assert_uint_eq(depth, 0);
}

void markup_check_characters(const char *text)
{
    static const char *const forbidden[] = {"\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xE2\x80\xAE",
                                            "\xE2\x81\xA6"};
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        ck_assert_msg((*at >= 0x20 && *at != 0x7F) || *at == '\n', "control %#x: %.40s", *at, at);
        ck_assert_msg(at[0] != 0xC2 || at[1] >= 0xA0, "control U+%04X", at[1]);
    }
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        assert_lacks(text, forbidden[i]);
}
