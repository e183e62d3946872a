#include "headlight/app/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of the text as it stands. */
struct check {
    struct encoding *encoding; /* NULL: it can't be encoded */
    int32_t unknown;
    size_t positions;
};

static struct check check_of(const struct session *session)
{
    struct check check = {.positions = model_config(session->checkpoint->model)->positions,
                          .unknown = tokenizer_unknown(session->checkpoint->tokenizer)};
    struct text texts[2];
    size_t count = 0;
    struct error error;
    for (; count < 2 && session->edit.lines[count]; count++)
        texts[count] = (struct text){editor_text(session->edit.lines[count]),
                                     editor_length(session->edit.lines[count])};
    if (count == 2 && texts[1].length == 0)
        count = 1;
    if (tokenizer_encode(session->checkpoint->tokenizer, texts, count, session->special,
                         &check.encoding, &error) != STATUS_OK)
        check.encoding = NULL;
    return check;
}

enum mark { MARK_NONE, MARK_UNKNOWN, MARK_OVER };

/* What the token that a byte of a line belongs to is. Behind the last position stands what follows
 * it; the [SEP] at the end needs one too. */
static enum mark mark_at(const struct check *check, size_t line, size_t byte)
{
    const struct encoding *encoding = check->encoding;
    bool over = encoding && encoding->count > check->positions;
    for (size_t i = 0; encoding && i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        if (token->added || token->segment != line || byte < token->span.start ||
            byte >= token->span.end)
            continue;
        if (over && i + 1 >= check->positions)
            return MARK_OVER;
        return token->id == check->unknown ? MARK_UNKNOWN : MARK_NONE;
    }
    return MARK_NONE;
}

static struct style mark_style(enum mark mark)
{
    struct style style = style_of(mark == MARK_NONE ? ROLE_STRONG : ROLE_WARNING);
    if (mark == MARK_OVER)
        style.back = (struct ink){ROLE_WARNING, 4};
    style.bold = mark != MARK_NONE;
    return style;
}

/* Columns of the first `length` bytes. */
static int columns_of(const char *text, size_t length, bool ascii)
{
    struct text_reader reader = text_reader(text, length, ascii);
    struct glyph glyph;
    int columns = 0;
    while (text_next(&reader, &glyph))
        columns += glyph.width;
    return columns;
}

/* A line of text with its cursor, which stays in sight; what lies beyond an end is told by …. */
static void draw_line(struct canvas *canvas, int y, int x, int room, const struct editor *editor,
                      const struct check *check, size_t line, bool here)
{
    bool ascii = canvas_ascii(canvas);
    const char *text = editor_text(editor);
    struct text_reader reader = text_reader(text, editor_length(editor), ascii);
    struct glyph glyph;
    int cursor = columns_of(text, editor_cursor(editor), ascii);
    int shift = here && cursor >= room ? cursor - room + 1 : 0, at = -shift;
    for (const char *byte = text; text_next(&reader, &glyph); byte = reader.next) {
        enum mark mark = check ? mark_at(check, line, (size_t)(byte - text)) : MARK_NONE;
        if (at >= 0 && at + glyph.width <= room)
            canvas_put(canvas, y, x + at, mark_style(mark), &glyph);
        at += glyph.width;
    }
    if (shift > 0)
        canvas_text(canvas, y, x, 1, style_of(ROLE_TITLE), "…");
    if (at > room)
        canvas_text(canvas, y, x + room - 1, 1, style_of(ROLE_TITLE), "…");
    struct cell *cell = here ? canvas_at(canvas, y, x + cursor - shift) : NULL;
    if (cell)
        cell->style.back = ink_full(ROLE_CURSOR);
}

/* How many tokens it is, in warning when they are too many, and whether some are unknown. */
static int draw_count(struct canvas *canvas, int y, int end, const struct check *check)
{
    char text[96];
    size_t count = check->encoding ? check->encoding->count : 0, unknown = 0;
    for (size_t i = 0; i < count; i++)
        unknown += check->encoding->tokens[i].id == check->unknown;
    bool over = count > check->positions;
    if (over)
        snprintf(text, sizeof text, "%zu tokens, the model has %zu positions", count,
                 check->positions);
    else if (unknown > 0)
        snprintf(text, sizeof text, "%zu unknown, %zu of %zu tokens", unknown, count,
                 check->positions);
    else
        snprintf(text, sizeof text, "%zu of %zu tokens", count, check->positions);
    return canvas_text_right(canvas, y, end, 48,
                             style_of(over || unknown > 0 ? ROLE_WARNING : ROLE_FAINT), text);
}

static int draw_edit(const struct session *session, struct canvas *canvas, int y)
{
    const struct edit *edit = &session->edit;
    struct check check = check_of(session);
    int rows = edit->lines[1] ? 2 : 1, end = canvas->columns - 2;
    for (size_t line = 0; line < (size_t)rows; line++) {
        int row = y - rows + 1 + (int)line;
        bool here = line == edit->line;
        int stop = line == 0 ? draw_count(canvas, row, end, &check) - 2 : end;
        canvas_text(canvas, row, 2, 1, here ? style_bold(ROLE_TITLE) : style_of(ROLE_FAINT),
                    line == 0 ? "A" : "B");
        draw_line(canvas, row, 4, stop - 4, edit->lines[line], &check, line, here);
    }
    free(check.encoding);
    return rows;
}

int prompt_draw(const struct session *session, struct canvas *canvas, int y)
{
    if (session->edit.active)
        return draw_edit(session, canvas, y);
    if (!session->prompt)
        return 0;
    canvas_text(canvas, y, 2, 5, style_bold(ROLE_TITLE), "find");
    draw_line(canvas, y, 7, canvas->columns - 9, session->prompt, NULL, 0, true);
    return 1;
}
