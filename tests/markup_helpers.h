/* markup_helpers.h: what tests of SVG and HTML ask of a text. */
#pragma once

#include <stddef.h>

size_t count_of(const char *text, const char *part);

void assert_has(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);

/* Every element is closed by the one that opened it, `meta` and the doctype need no end. */
void markup_check(const char *text);

/* No control but the line feed, no noncharacter, no mark that turns the text's direction. */
void markup_check_characters(const char *text);
