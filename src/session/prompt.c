/* prompt.c: the lines at the bottom for editing text or entering a search or a filter, in which
 * unknown tokens and tokens past the model's positions are marked. A text is too long for the
 * screen long before it is too long for the model, so a line scrolls with its cursor. */
#include "headlight/session/panel.h"
#include "headlight/session/screen.h"

enum mark { MARK_NONE, MARK_UNKNOWN, MARK_OVER };

/* The mark of a byte's token. Special tokens have no bytes. Tokens past the model's last position
 * are too many, and the final [SEP] needs a position too. */
static enum mark mark_at(const struct session *session, size_t line, size_t byte)
{
    const struct encoding *encoding = session->check.encoding;
    const size_t count = encoding ? encoding->count : 0, after = session->state.source.special;
    for (size_t i = 0; i < count; i++) {
        const struct token *token = &encoding->tokens[i];
        const size_t positions = session->checkpoint->model->config.longest;
        if (token->added || token->sentence != line || byte < token->span.start ||
            byte >= token->span.end)
            continue;
        return count > positions && i + after >= positions                      ? MARK_OVER
               : token->id == tokenizer_unknown(session->checkpoint->tokenizer) ? MARK_UNKNOWN
                                                                                : MARK_NONE;
    }
    return MARK_NONE;
}

/* Draws a line of text with its cursor, scrolled to keep it visible; … marks a cut end. A line
 * without the cursor shows its start. */
static void prompt_draw_line(const struct session *session, struct canvas *canvas, struct area room,
                             size_t line)
{
    const struct editor *editor = session->overlay.lines[line];
    const bool here = line == session->overlay.line;
    size_t cursor = here ? editor_cursor(editor) : 0;
    size_t first = cursor;
    const char *text = editor_text(editor);
    for (int columns = 0; first > 0 && columns < room.columns;) /* ASCII alone: one each */
        columns += (unsigned char)text[--first] < 0x80;
    int column = text_columns(text + first, cursor - first, canvas_ascii(canvas));
    int shift = here && column >= room.columns ? column - room.columns + 1 : 0, at = -shift;
    struct text_reader reader =
        text_reader(text + first, editor_length(editor) - first, canvas_ascii(canvas));
    struct glyph glyph;
    for (const char *byte = reader.next; at <= room.columns && text_next(&reader, &glyph);
         byte = reader.next, at += glyph.width) {
        const enum mark mark = mark_at(session, line, (size_t)(byte - text));
        struct style style = style_of(mark == MARK_NONE ? ROLE_STRONG : ROLE_WARNING);
        if (mark == MARK_OVER) /* with a ground, as it may be a blank */
            style.back = (struct ink){ROLE_WARNING, 4};
        style.bold = mark != MARK_NONE;
        if (at >= 0 && at + glyph.width <= room.columns)
            canvas_put(canvas, room.y, room.x + at, style, &glyph);
    }
    if (shift > 0)
        canvas_text(canvas, room.y, room.x, 1, style_of(ROLE_TITLE), "…");
    if (at > room.columns)
        canvas_text(canvas, room.y, room.x + room.columns - 1, 1, style_of(ROLE_TITLE), "…");
    struct cell *cell = here ? canvas_at(canvas, room.y, room.x + column - shift) : NULL;
    if (cell)
        cell->style.back = ink_full(ROLE_CURSOR);
}

/* One per sentence, or one for a search. */
int prompt_rows(const struct session *session)
{
    return (session->overlay.lines[0] != NULL) + (session->overlay.lines[1] != NULL);
}

/* A click anywhere on it does it. */
void prompt_draw_offer(const struct session *session, struct canvas *canvas, int y)
{
    const struct hint hint = footer_own(session, (struct hint){"L", "opens the list of lessons;"});
    struct pen pen = {canvas, y, 2, canvas->columns - 1};
    pen_print(&pen, style_bold(ROLE_WARNING), "New here? ");
    footer_hint(&pen, &hint);
    pen.x--;
    pen_print(&pen, style_of(ROLE_FAINT), "the first takes %zu minutes",
              session->teacher->lessons[0].minutes);
    canvas_mark(canvas, (struct area){y, 2, 1, pen.x - 2}, canvas_hit(canvas, y, 12));
}

/* The first line of the texts ends where the number of tokens begins, and of unknown ones; a
 * warning if there are any, or too many tokens. */
void prompt_draw(const struct session *session, struct canvas *canvas, int y)
{
    static const char *const names[][2] = {{"A", "B"}, {"source", "target"}, {"find"}, {":"}};
    const struct overlay *overlay = &session->overlay;
    const struct encoding *encoding = session->check.encoding; /* NULL: not known */
    const bool edits = overlay->kind == OVERLAY_EDIT,
               translates = edits && session->checkpoint->decoder;
    const char *const *labels = names[edits ? translates : 2 + (overlay->kind == OVERLAY_ALL)];
    const int rows = prompt_rows(session), end = canvas->columns - 2;
    for (size_t line = 0; line < (size_t)rows; line++) {
        const int x = 3 + canvas_width(canvas, labels[line]);
        struct area room = {y - rows + 1 + (int)line, x, 1, end - x};
        if (line == 0 && encoding) {
            const size_t positions = session->checkpoint->model->config.longest;
            const bool over = encoding->count > positions, warns = session->check.unknown > 0;
            char text[96] = "";
            if (over)
                snprintf(text, sizeof text, "%zu tokens, the model has %zu positions",
                         encoding->count, positions);
            else if (warns)
                snprintf(text, sizeof text, "%zu unknown, ", session->check.unknown);
            if (!over)
                format_add(text, sizeof text, "%zu of %zu %s", encoding->count, positions,
                           translates ? "source tokens" : "tokens");
            room.columns =
                canvas_text_right(canvas, room.y, end, 48,
                                  style_of(over || warns ? ROLE_WARNING : ROLE_FAINT), text) -
                2 - room.x;
        }
        canvas_text(canvas, room.y, 2, 6,
                    line == overlay->line ? style_bold(ROLE_TITLE) : style_of(ROLE_FAINT),
                    labels[line]);
        prompt_draw_line(session, canvas, room, line);
    }
}
