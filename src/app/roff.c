#include "headlight/app/roff.h"

#include "headlight/text/marks.h"
#include "headlight/text/unicode.h"

#include <string.h>

/* ---- Characters ---- */

static bool is_alphanumeric(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

/* What stands for a character of ASCII; NULL: it stands for itself. roff has typographer's signs in
 * place of some. */
static const char *escape_of(char byte, bool literal)
{
    switch (byte) {
    case '\\':
        return "\\e";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    case '-':
        return literal ? "\\-" : NULL;
    case '\'':
        return literal ? "\\(aq" : NULL;
    default:
        return NULL;
    }
}

/* A hyphen inside a word, as roff has it: any other is a minus sign, as one types. */
static bool joins(const char *hyphen, const char *begin)
{
    return hyphen > begin && is_alphanumeric(hyphen[-1]) && is_alphanumeric(hyphen[1]);
}

/* Room for what one character becomes: \[u10FFFF]. */
#define ESCAPED 16

/* Writes the character at `at` of a text to `escaped`, and returns how many bytes it took. */
static size_t escape(const char *text, const char *at, size_t left, bool literal, char *escaped)
{
    int32_t code;
    bool minus = *at == '-' && !joins(at, text);
    const char *known = escape_of(*at, literal || minus);
    size_t taken = unicode_next(at, left, &code);
    if (known)
        snprintf(escaped, ESCAPED, "%s", known);
    else if (code < 0x80)
        snprintf(escaped, ESCAPED, "%c", (char)code);
    else
        snprintf(escaped, ESCAPED, "\\[u%04X]", (unsigned)code);
    return taken;
}

/* ---- Words ---- */

static void end_word(struct roff *roff)
{
    size_t length = roff->length;
    if (length == 0)
        return;
    if (roff->column > 0 && roff->column + 1 + length > ROFF_COLUMNS) {
        fputc('\n', roff->stream);
        roff->column = 0;
    }
    if (roff->column > 0)
        fputc(' ', roff->stream);
    fwrite(roff->word, 1, length, roff->stream);
    roff->column += (roff->column > 0) + length;
    roff->length = 0;
}

/* At the beginning of a line some signs would make it a request. */
static void add(struct roff *roff, const char *escaped)
{
    const char *guard = roff->length == 0 && strchr(".'", *escaped) ? "\\&" : "";
    if (roff->length + strlen(guard) + strlen(escaped) >= sizeof roff->word)
        end_word(roff);
    roff->length += (size_t)snprintf(roff->word + roff->length, sizeof roff->word - roff->length,
                                     "%s%s", guard, escaped);
}

static void write_run(struct roff *roff, enum roff_font font, const char *text, size_t length)
{
    static const char *const fonts[] = {"", "\\fB", "\\fI"};
    char escaped[ESCAPED];
    size_t taken;
    if (font != ROFF_ROMAN)
        add(roff, fonts[font]);
    for (const char *at = text, *end = text + length; at < end; at += taken) {
        taken = 1;
        if (*at == ' ' || *at == '\n') {
            end_word(roff);
            continue;
        }
        taken = escape(text, at, (size_t)(end - at), font != ROFF_ROMAN, escaped);
        add(roff, escaped);
    }
    if (font != ROFF_ROMAN)
        add(roff, "\\fR");
}

/* ---- Texts ---- */

void roff_end(struct roff *roff)
{
    end_word(roff);
    if (roff->column > 0)
        fputc('\n', roff->stream);
    roff->column = 0;
}

void roff_request(struct roff *roff, const char *request)
{
    roff_end(roff);
    fprintf(roff->stream, "%s\n", request);
}

void roff_section(struct roff *roff, const char *macro, const char *title)
{
    roff_end(roff);
    fprintf(roff->stream, ".%s ", macro);
    roff_write(roff, ROFF_ROMAN, title);
    roff_end(roff);
}

void roff_write(struct roff *roff, enum roff_font font, const char *text)
{
    write_run(roff, font, text, strlen(text));
}

void roff_marked(struct roff *roff, const char *text)
{
    struct marks marks = {.next = text};
    struct marked_run run;
    while (marks_next(&marks, "", &run))
        write_run(roff,
                  run.key      ? ROFF_BOLD
                  : run.strong ? ROFF_ITALIC
                               : ROFF_ROMAN,
                  run.text, run.length);
}

void roff_verbatim(struct roff *roff, const char *line)
{
    char escaped[ESCAPED];
    size_t length = strlen(line), taken;
    roff_end(roff);
    if (length > 0 && strchr(".'", *line))
        fputs("\\&", roff->stream);
    for (size_t i = 0; i < length; i += taken) {
        taken = escape(line, line + i, length - i, true, escaped);
        fputs(escaped, roff->stream);
    }
    fputc('\n', roff->stream);
}
