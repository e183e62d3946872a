#include "hostile.h"

#include "headlight/text/unicode.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

#define LONG_BYTES 102400

/* ---- The texts ---- */

#define TEXT(name, literal)                                                                        \
    {                                                                                              \
        name, literal, sizeof literal - 1                                                          \
    }
#define ESC "\033"

static struct hostile texts[] = {
    TEXT("plain", "flies"),
    TEXT("C0", "\001\002\003\004\005\006\a\b\t\n\v\f\r\016\017\020\037\177"),
    TEXT("NUL", "a\0b"),
    TEXT("C1", "\xC2\x80\xC2\x84\xC2\x85\xC2\x8D\xC2\x90\xC2\x9B"
               "31m\xC2\x9D"
               "0;owned\xC2\x9C\xC2\x9F"),
    TEXT("C1 as bytes", "\x80\x84\x85\x8D\x90\x9B"
                        "31;5m\x9D"
                        "0;owned\x9C\x9F"),
    TEXT("colours", ESC "[31;5mred" ESC "[0m"),
    TEXT("clearing", ESC "[2J" ESC "[H" ESC "c"),
    TEXT("modes", ESC "[?1049l" ESC "[?25h" ESC "[?2026l" ESC "[?2004h"),
    TEXT("a title", ESC "]0;owned\a"),
    TEXT("a clipboard", ESC "]52;c;b3duZWQ=" ESC "\\"),
    TEXT("a device string", ESC "P1$qm" ESC "\\"),
    TEXT("sixel", ESC "Pq#0;2;0;0;0#0~~@@vv" ESC "\\"),
    TEXT("a program command", ESC "_Gf=24;AAAA" ESC "\\" ESC "^x" ESC "\\"),
    TEXT("a report", ESC "[6n" ESC "[c" ESC "[21t" ESC "Z"),
    TEXT("a window", ESC "[8;10;20t"),
    TEXT("a charset", ESC "(0" ESC ")0\016qqq\017" ESC "#8"),
    TEXT("an end of line", "one\r\ntwo\rthree\nfour"),
    TEXT("backspaces", "safe\b\b\b\bevil"),
    TEXT("an override", "\xE2\x80\xAE"
                        "evil\xE2\x80\xAC"),
    TEXT("bidirectional marks", "\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C\xE2\x80\xAA\xE2\x80\xAB\xE2\x80"
                                "\xAD"
                                "a"),
    TEXT("isolates", "\xE2\x81\xA6"
                     "a\xE2\x81\xA7"
                     "b\xE2\x81\xA8"
                     "c\xE2\x81\xA9"),
    TEXT("no width", "a\xE2\x80\x8B"
                     "b\xE2\x80\x8C"
                     "c\xE2\x80\x8D"
                     "d\xE2\x81\xA0"
                     "e\xEF\xBB\xBF"
                     "f\xC2\xADg"),
    TEXT("separators", "a\xE2\x80\xA8"
                       "b\xE2\x80\xA9"
                       "c"),
    TEXT("blanks", "a\xC2\xA0"
                   "b\xE3\x80\x80"
                   "c\xE2\x80\x83"
                   "d"),
    TEXT("fillers", "\xE1\x85\x9F\xE1\x85\xA0\xE3\x85\xA4\xEF\xBE\xA0\xCD\x8F"),
    TEXT("a mark alone", "\xCC\x81"),
    TEXT("a few marks", "e\xCC\x81\xCC\x82\xCC\x83\xCC\x84\xCC\x85"),
    TEXT("Hebrew", "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"),
    TEXT("Arabic", "\xD8\xB3\xD9\x8E\xD9\x84\xD8\xA7\xD9\x85"),
    TEXT("Devanagari", "\xE0\xA4\x95\xE0\xA5\x8D\xE0\xA4\xB7\xE0\xA4\xBF"),
    TEXT("Thai", "\xE0\xB8\x99\xE0\xB9\x89\xE0\xB8\xB3"),
    TEXT("jamo", "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"),
    TEXT("Hangul", "\xED\x95\x9C\xEA\xB8\x80"),
    TEXT("CJK", "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"),
    TEXT("CJK and one", "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9Ex"),
    TEXT("ambiguous", "\xC2\xA1\xCE\xB1\xE2\x91\xA0\xE2\x98\x86\xE2\x94\x80"),
    TEXT("halfwidth", "\xEF\xBD\xB1\xEF\xBD\xB2\xEF\xBC\xA1"),
    TEXT("a family", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"),
    TEXT("flags", "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xAB"),
    TEXT("a skin tone", "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD"),
    TEXT("a skin tone alone", "##\xF0\x9F\x8F\xBF"),
    TEXT("selectors", "\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x9D\xA4\xEF\xB8\x8E"
                      "1\xEF\xB8\x8F\xE2\x83\xA3"
                      "\xE4\xB8\x80\xF3\xA0\x84\x80"),
    TEXT("a selector alone", "\xEF\xB8\x8F"),
    TEXT("tags", "\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xBF"
                 "\xF3\xA0\x80\x81"),
    TEXT("noncharacters", "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xB7\x90\xF4\x8F\xBF\xBF"),
    TEXT("private use", "\xEE\x80\x80\xF3\xB0\x80\x80"),
    TEXT("unassigned", "\xCD\xB8\xF0\x9F\xAF\xBF"),
    TEXT("object and annotation", "\xEF\xBF\xBC\xEF\xBF\xB9\xEF\xBF\xBA\xEF\xBF\xBB"),
    TEXT("surrogates", "\xED\xA0\xBD\xED\xB8\x80\xED\xA0\x80"),
    TEXT("overlong", "\xC0\x80\xC0\xAF\xC1\x9B\xE0\x80\x9B\xF0\x80\x80\x9B\xC0\x9B[31m"),
    TEXT("truncated", "a\xC3"
                      "b\xE6\x97"
                      "c\xF0\x9F\x91"),
    TEXT("no lead bytes", "\xF5\xF8\xFC\xFE\xFF\xF4\x90\x80\x80"),
    TEXT("markup", "]]></text><script>alert(1)</script>"),
    TEXT("an attribute", "\" onload=\"alert(1)\" x='"),
    TEXT("a reference", "&#x1b;&lt;&amp;amp;&bogus;"),
    TEXT("a comment", "<!-- --!> --> <?x ?> <![CDATA["),
    TEXT("JSON", "\"],\"x\":[\"\\\"\\u0000\\ud800\\"),
    TEXT("CSV", "a,\"b\",\"\"c;d\te\r\n1,2"),
    TEXT("a formula", "=1+1"),
    TEXT("another formula", "@SUM(A1:A9)"),
    TEXT("a command", "=cmd|' /C calc'!A0"),
    TEXT("a command after a semicolon", "a;=cmd|' /C calc'!A0"),
    TEXT("a full-width formula", "\xEF\xBC\x9D=1"),
    TEXT("plus", "+1+1"),
    TEXT("minus", "-x"),
    TEXT("a number", "-1.5"),
    TEXT("an arrow", "->"),
    TEXT("format", "%s%n%5$s"),
    {"a storm of marks", NULL, 1 + 2 * 1000},
    {"marks of 100 KB", NULL, LONG_BYTES},
    {"a word of 100 KB", NULL, LONG_BYTES},
    {"a wide word of 100 KB", NULL, LONG_BYTES / 3 * 3},
};

/* `first`, and `unit` over and over. */
static const char *repeated(size_t length, const char *first, const char *unit)
{
    char *bytes = malloc(length + 1);
    size_t used = strlen(first), size = strlen(unit);
    if (!bytes)
        abort(); /* it may be called outside of tests */
    memcpy(bytes, first, used);
    for (; used < length; used++)
        bytes[used] = unit[(used - strlen(first)) % size];
    bytes[length] = '\0';
    return bytes;
}

size_t hostile_count(void)
{
    return sizeof texts / sizeof *texts;
}

const struct hostile *hostile_texts(void)
{
    size_t last = hostile_count();
    if (!texts[last - 1].bytes) {
        texts[last - 4].bytes = repeated(texts[last - 4].length, "a", "\xCC\x81");
        texts[last - 3].bytes = repeated(texts[last - 3].length, "", "\xCC\x88");
        texts[last - 2].bytes = repeated(texts[last - 2].length, "", "x");
        texts[last - 1].bytes = repeated(texts[last - 1].length, "", "\xE6\x97\xA5");
    }
    return texts;
}

/* ---- Text ---- */

/* Default_Ignorable_Code_Point (DerivedCoreProperties.txt) outside of the categories below. */
bool hostile_is_ignorable(int32_t code)
{
    return code == 0x34F || code == 0x115F || code == 0x1160 || code == 0x17B4 || code == 0x17B5 ||
           (code >= 0x180B && code <= 0x180F) || code == 0x3164 ||
           (code >= 0xFE00 && code <= 0xFE0F) || code == 0xFFA0 ||
           (code >= 0xE0000 && code <= 0xE0FFF);
}

bool hostile_is_seen(int32_t code)
{
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return false;
    default:
        return true;
    }
}

/* Steps over a code point of UTF-8, which must be one. */
static size_t take(const char *bytes, size_t length, size_t at, int32_t *code, const char *what)
{
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)bytes + at,
                                             (utf8proc_ssize_t)(length - at), code);
    if (used <= 0)
        ck_abort_msg("%s: byte %02x at %zu is not UTF-8", what, (unsigned char)bytes[at], at);
    return (size_t)used;
}

static bool is_mark(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME;
}

/* A letter, a mark on one, an emoji. */
static bool is_joined(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return category == UTF8PROC_CATEGORY_SO ||
           (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME);
}

/* How a whole text may be written. */
struct manner {
    size_t marks; /* in a row */
    bool joiners; /* U+200D between what it joins */
};

static void check_seen(const char *bytes, size_t length, struct manner manner, const char *what)
{
    size_t row = 0;
    int32_t code, before = 0, after = 0;
    for (size_t at = 0; at < length; before = code) {
        size_t used = take(bytes, length, at, &code, what), next = at + used;
        bool joiner = manner.joiners && code == 0x200D && next < length &&
                      take(bytes, length, next, &after, what) && is_joined(before) &&
                      is_joined(after);
        if (code != '\n' && !joiner && !hostile_is_seen(code))
            ck_abort_msg("%s: U+%04X at byte %zu", what, (unsigned)code, at);
        row = is_mark(code) ? row + 1 : 0;
        if (row > manner.marks)
            ck_abort_msg("%s: %zu marks in a row at byte %zu", what, row, at);
        at = next;
    }
}

void hostile_check_text(const char *bytes, size_t length, const char *what)
{
    check_seen(bytes, length, (struct manner){4, false}, what);
}

void hostile_check_data(const char *bytes, size_t length, const char *what)
{
    check_seen(bytes, length, (struct manner){length, false}, what);
}

/* ---- Cells ---- */

static void check_cell(const struct cell *cell, bool ascii, const char *what, int y, int x)
{
    int columns = 0;
    int32_t code;
    size_t length = strlen(cell->text);
    if (ascii && (length != 1 || cell->text[0] < ' ' || cell->text[0] > '~'))
        ck_abort_msg("%s: \"%s\" at %d,%d is no ASCII", what, cell->text, y, x);
    for (size_t at = 0; at < length;) {
        at += take(cell->text, length, at, &code, what);
        if (!hostile_is_seen(code) || hostile_is_ignorable(code))
            ck_abort_msg("%s: U+%04X at %d,%d", what, (unsigned)code, y, x);
        if (code >= 0x1F3FB && code <= 0x1F3FF) /* joins what stands before it, in some terminals */
            ck_abort_msg("%s: a skin tone at %d,%d", what, y, x);
        columns += wcwidth((wchar_t)code);
    }
    if (length == 0 || columns != cell->width)
        ck_abort_msg("%s: \"%s\" at %d,%d is %d columns wide, said to be %d", what, cell->text, y,
                     x, columns, cell->width);
}

void hostile_check_canvas(const struct canvas *canvas, const char *what)
{
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns;) {
            const struct cell *cell = canvas_at(canvas, y, x);
            check_cell(cell, canvas->traits.glyphs == GLYPHS_ASCII, what, y, x);
            const struct cell *right = cell->width == 2 ? canvas_at(canvas, y, x + 1) : NULL;
            if (cell->width == 2 && (!right || right->width != 0 || right->text[0]))
                ck_abort_msg("%s: half a glyph at %d,%d", what, y, x);
            x += cell->width;
        }
}

/* ---- Markup ---- */

struct markup {
    const char *at, *end, *what;
    char open[16][20]; /* the elements that are open */
    size_t depth;
};

static void wrong(const struct markup *markup, const char *why)
{
    ck_abort_msg("%s: %s before \"%.40s\"", markup->what, why, markup->at);
}

static bool skip(struct markup *markup, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(markup->end - markup->at) < length || memcmp(markup->at, text, length) != 0)
        return false;
    markup->at += length;
    return true;
}

static void take_name(struct markup *markup, char name[20])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-:";
    size_t length = 0;
    while (markup->at < markup->end && strchr(letters, *markup->at) && length < 19)
        name[length++] = *markup->at++;
    name[length] = '\0';
    if (length == 0)
        wrong(markup, "no name");
}

static void take_reference(struct markup *markup)
{
    if (!skip(markup, "&lt;") && !skip(markup, "&gt;") && !skip(markup, "&amp;") &&
        !skip(markup, "&quot;"))
        wrong(markup, "no reference");
}

static void take_characters(struct markup *markup, const char *stops)
{
    while (markup->at < markup->end && !strchr(stops, *markup->at)) {
        if (*markup->at == '&')
            take_reference(markup);
        else if (*markup->at == '<')
            wrong(markup, "a < that is no tag");
        else
            markup->at++;
    }
}

static void take_attributes(struct markup *markup)
{
    static const char *const known[] = {
        "xmlns",
        "xmlns:h",
        "viewBox",
        "width",
        "height",
        "role",
        "aria-label",
        "name",
        "fill",
        "d",
        "stroke",
        "stroke-opacity",
        "transform",
        "stroke-width",
        "x",
        "y",
        "text-anchor",
        "textLength",
        "lengthAdjust",
        "font-weight",
        "font-family",
        "font-size",
        "shape-rendering",
        "stroke-linecap",
        "lang",
        "charset",
        "http-equiv",
        "content",
    };
    char name[20];
    while (skip(markup, " ")) {
        size_t i = 0;
        take_name(markup, name);
        while (i < sizeof known / sizeof *known && strcmp(known[i], name) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            wrong(markup, "an attribute that headlight does not write");
        if (!skip(markup, "=\""))
            wrong(markup, "no quoted value");
        take_characters(markup, "\"");
        if (!skip(markup, "\""))
            wrong(markup, "no end of a value");
    }
}

static void open_element(struct markup *markup)
{
    static const char *const known[] = {
        "svg",  "title", "desc", "metadata", "h:snapshot", "h:fact",  "rect",    "g",
        "path", "text",  "html", "head",     "meta",       "style",   "body",    "figure",
        "dl",   "dt",    "dd",   "bdi",      "figcaption", "details", "summary", "pre",
    };
    char name[20];
    size_t i = 0;
    take_name(markup, name);
    while (i < sizeof known / sizeof *known && strcmp(known[i], name) != 0)
        i++;
    if (i == sizeof known / sizeof *known)
        wrong(markup, "an element that headlight does not write");
    take_attributes(markup);
    if (skip(markup, "/>"))
        return;
    if (!skip(markup, ">"))
        wrong(markup, "no end of a tag");
    if (strcmp(name, "meta") == 0)
        return;
    ck_assert_uint_lt(markup->depth, 16);
    strcpy(markup->open[markup->depth++], name);
}

static void close_element(struct markup *markup)
{
    char name[20];
    take_name(markup, name);
    if (markup->depth == 0 || strcmp(markup->open[--markup->depth], name) != 0)
        wrong(markup, "an end of what is not open");
    if (!skip(markup, ">"))
        wrong(markup, "no end of a tag");
}

void hostile_check_markup(const char *text, size_t length, const char *what)
{
    struct markup markup = {.at = text, .end = text + length, .what = what};
    check_seen(text, length, (struct manner){4, true}, what);
    skip(&markup, "<!DOCTYPE html>\n");
    while (markup.at < markup.end) {
        if (markup.depth == 0 && *markup.at != '<' && *markup.at != '\n')
            wrong(&markup, "text outside of the elements");
        if (skip(&markup, "</"))
            close_element(&markup);
        else if (skip(&markup, "<"))
            open_element(&markup);
        else
            take_characters(&markup, "<");
    }
    if (markup.depth > 0)
        wrong(&markup, "an element that has no end");
}

/* ---- JSON ---- */

static void wrong_json(const char *at, const char *what)
{
    ck_abort_msg("%s: no JSON: \"%.40s\"", what, at);
}

/* The four digits of \uXXXX. */
static const char *take_escape(const char *at, unsigned *code, const char *what)
{
    char digits[5] = "", *end;
    if (at[0] != '\\' || at[1] != 'u')
        wrong_json(at, what);
    memcpy(digits, at + 2, strnlen(at + 2, 4));
    *code = (unsigned)strtoul(digits, &end, 16);
    if (strlen(digits) != 4 || *end || strspn(digits, "0123456789abcdefABCDEF") != 4)
        wrong_json(at, what);
    return at + 6;
}

static const char *take_string(const char *at, const char *what)
{
    unsigned code, low;
    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            wrong_json(at, what);
        if (*at != '\\')
            continue;
        if (at[1] != 'u') {
            if (!at[1] || !strchr("\"\\/bfnrt", at[1]))
                wrong_json(at, what);
            at++;
            continue;
        }
        at = take_escape(at, &code, what);
        if (code >= 0xDC00 && code < 0xE000)
            wrong_json(at, what);
        if (code >= 0xD800 && code < 0xDC00) {
            at = take_escape(at, &low, what);
            if (low < 0xDC00 || low >= 0xE000)
                wrong_json(at, what);
        }
        at--;
    }
    return at + 1;
}

static const char *take_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *take_value(const char *at, const char *what);

static const char *take_members(const char *at, char end, const char *what)
{
    at = take_blanks(at + 1);
    if (*at == end)
        return at + 1;
    for (;;) {
        if (end == '}') {
            if (*at != '"')
                wrong_json(at, what);
            at = take_blanks(take_string(at, what));
            if (*at++ != ':')
                wrong_json(at - 1, what);
        }
        at = take_blanks(take_value(take_blanks(at), what));
        if (*at == end)
            return at + 1;
        if (*at++ != ',')
            wrong_json(at - 1, what);
        at = take_blanks(at);
    }
}

static const char *take_value(const char *at, const char *what)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*at == '{' || *at == '[')
        return take_members(at, *at == '{' ? '}' : ']', what);
    if (*at == '"')
        return take_string(at, what);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    size_t digits = strspn(at, "-+.eE0123456789");
    if (digits == 0 || *at == '+' || *at == '.')
        wrong_json(at, what);
    return at + digits;
}

void hostile_check_json(const char *text, size_t length, const char *what)
{
    hostile_check_data(text, length, what);
    if (*take_blanks(take_value(take_blanks(text), what)) != '\0')
        ck_abort_msg("%s: more than one value", what);
}
