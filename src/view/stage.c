/* stage.c: large text and large bars. A line of letters is LETTERS_ROWS high at scale 1; scale 0
 * stands for a row of bold text. */
#include "headlight/view/stage.h"

#include "headlight/base/size.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN     2
#define WORD_BYTES 128
#define APART      3 /* columns between two words, at scale 1: a space with its gaps */
#define BARS_LEAST 3
#define NAME_GAP   5 /* more than between words, or head 3's 2.84 would be read as 32.84, */
#define BAR_GAP    2 /* both at scale 1 */

/* ---- Text ---- */

static int line_rows(int scale)
{
    return scale > 0 ? scale * LETTERS_ROWS : 1;
}

/* Takes letters off the end until the rest fits with "…" behind it. */
static void cut_word(char word[WORD_BYTES], int columns, int scale)
{
    size_t length = strlen(word);
    while (length > 0 && scale * letters_columns(word) > columns) {
        do
            length--;
        while (length > 0 && (word[length] & 0xC0) == 0x80); /* the rest of a character */
        snprintf(word + length, WORD_BYTES - length, "…");
    }
}

int stage_word(struct canvas *canvas, int y, int x, int columns, int scale, struct style style,
               const char *text)
{
    char word[WORD_BYTES];
    if (scale == 0 || letters_columns(text) == 0) {
        style.bold = true;
        return canvas_text(canvas, y + (line_rows(scale) - 1) / 2, x, columns, style, text);
    }
    snprintf(word, sizeof word - strlen("…"), "%s", text);
    cut_word(word, columns, scale);
    letters_draw(canvas, y, x, scale, style, word);
    return scale * letters_columns(word);
}

/* What stage_word takes, at most. */
static int word_columns(bool ascii, int columns, int scale, const char *text)
{
    const int letters = scale * letters_columns(text);
    return int_min(letters > 0 ? letters : (int)text_width(text, ascii), columns);
}

/* Copies the next word. Returns the first byte of it, or NULL. */
static const char *next_word(const char **at, char word[WORD_BYTES])
{
    const char *begin = *at + strspn(*at, " ");
    const size_t length = *begin == '\n' ? 1 : strcspn(begin, " \n");
    snprintf(word, WORD_BYTES, "%.*s", (int)length, begin);
    *at = begin + length;
    return length > 0 ? begin : NULL;
}

/* Without a canvas rows are counted. */
static int set_text(struct canvas *canvas, bool ascii, struct area area, int scale,
                    const struct stage_text *text)
{
    const int apart = scale > 0 ? scale * APART : 1;
    int y = area.y, x = area.x;
    char word[WORD_BYTES];
    const char *at = text->text, *begin;
    while ((begin = next_word(&at, word))) {
        const int width = word_columns(ascii, area.columns, scale, word);
        const bool marked = begin < text->text + text->mark_end && at > text->text + text->mark;
        struct style style = style_of(ROLE_STRONG);
        if (*word == '\n' || (x > area.x && x + width > area.x + area.columns)) {
            y += line_rows(scale);
            x = area.x;
        }
        if (*word == '\n')
            continue;
        if (marked)
            style = style_legible(text->hue);
        if (canvas && y + line_rows(scale) <= area.y + area.rows)
            stage_word(canvas, y, x, area.x + area.columns - x, scale, style, word);
        x += width + apart;
    }
    return y + line_rows(scale) - area.y;
}

/* At a scale above 1 no word may be too wide for letters. */
static bool is_whole(int columns, int scale, const char *text)
{
    char word[WORD_BYTES];
    while (next_word(&text, word))
        if (scale * letters_columns(word) > columns)
            return false;
    return true;
}

int stage_rows(bool ascii, int columns, int scale, const struct stage_text *text)
{
    return set_text(NULL, ascii, (struct area){0, 0, CANVAS_MAX, columns}, scale, text);
}

int stage_scale(const struct canvas *canvas, struct area area, const struct stage_text *text)
{
    const bool ascii = canvas_ascii(canvas);
    int scale = ascii ? 0 : area.rows / LETTERS_ROWS;
    while (scale >= 0 && ((scale > 1 && !is_whole(area.columns, scale, text->text)) ||
                          stage_rows(ascii, area.columns, scale, text) > area.rows))
        scale--;
    return scale;
}

int stage_write(struct canvas *canvas, struct area area, int scale, const struct stage_text *text)
{
    return set_text(canvas, canvas_ascii(canvas), area, scale, text);
}

/* At most half of the rows, but a line of letters before anything else; the last row is the
 * caption's. */
struct area stage_upper(struct area area, int kept)
{
    const int rows = area.rows - 1;
    kept = kept > 0 ? int_min(int_max(kept, rows / 2), int_max(rows - LETTERS_ROWS, 0)) : 0;
    return (struct area){area.y, area.x + MARGIN, int_max(rows - kept, 1),
                         area.columns - 2 * MARGIN};
}

/* A blank row follows the statement, whose gap must not look like a part of the first bar, where
 * two bars are left. */
struct area stage_state(struct canvas *canvas, struct area area, const struct stage_text *text,
                        int kept, const char *caption)
{
    const struct area upper = stage_upper(area, kept);
    struct area rest = {area.y, upper.x, area.rows - 1, upper.columns};
    int rows = 0;
    if (*text->text)
        rows = stage_write(canvas, upper, int_max(stage_scale(canvas, upper, text), 0), text);
    rows += rest.rows - rows > int_min(kept, 2 * LETTERS_ROWS);
    canvas_text(canvas, area.y + area.rows - 1, rest.x, rest.columns, style_bold(ROLE_TEXT),
                caption);
    rest.y += rows;
    rest.rows -= rows;
    return rest;
}

/* ---- Bars ---- */

/* Columns of the parts of bars that stand below each other. */
struct bar_columns {
    int name, before, number;
};

#define NUMBER_BYTES 24

/* "40%"; what would be rounded to nothing, or to all, is not said to be that. */
static void write_share(char text[NUMBER_BYTES], double share)
{
    snprintf(text, 8,
             share < 0.005                ? "<1%%"
             : share > 0.995 && share < 1 ? ">99%%"
                                          : "%.0f%%",
             100 * share);
}

static void write_number(char text[NUMBER_BYTES], const struct stage_bar *bar)
{
    if (bar->value)
        snprintf(text, NUMBER_BYTES, "%s", bar->value);
    else
        write_share(text, bar->share);
}

/* The columns that the parts want, the name at most half of them. */
static struct bar_columns measure_bars(const struct canvas *canvas, struct area area, int scale,
                                       const struct stage_bar *bars, size_t count)
{
    struct bar_columns columns = {0, 0, 0};
    char text[NUMBER_BYTES];
    for (size_t i = 0; i < count; i++) {
        columns.name = int_max(columns.name, word_columns(canvas_ascii(canvas), area.columns / 2,
                                                          scale, bars[i].name));
        write_number(text, &bars[i]);
        columns.number =
            int_max(columns.number, word_columns(canvas_ascii(canvas), area.columns, scale, text));
        if (isnan(bars[i].before))
            continue;
        write_share(text, bars[i].before);
        strcat(text, "→");
        columns.before =
            int_max(columns.before, word_columns(canvas_ascii(canvas), area.columns, scale, text));
    }
    return columns;
}

/* Ends at a column. */
static void write_right(struct canvas *canvas, int y, int end, int columns, int scale,
                        struct style style, const char *text)
{
    const int width = word_columns(canvas_ascii(canvas), columns, scale, text);
    stage_word(canvas, y, end - width, width, scale, style, text);
}

/* What it was before is a thin bar below it. */
static void draw_bar(struct canvas *canvas, struct area area, int scale, struct bar_columns columns,
                     const struct stage_bar *bar)
{
    const int thick = int_max(3 * scale, 1);
    struct style name = bar->chosen ? style_marked(ROLE_CURSOR) : style_of(ROLE_STRONG);
    char text[NUMBER_BYTES];
    int x = area.x;
    canvas_mark(canvas, area, bar->hit.kind, bar->hit.value);
    if (bar->chosen)
        canvas_fill(canvas, (struct area){area.y, x, area.rows, columns.name}, name);
    stage_word(canvas, area.y, x, columns.name, scale, name, bar->name);
    x += columns.name + int_max(NAME_GAP * scale, 2) + columns.before;
    if (!isnan(bar->before)) {
        write_share(text, bar->before);
        strcat(text, "→");
        write_right(canvas, area.y, x, columns.before, scale, style_of(ROLE_FAINT), text);
        x += scale;
    }
    write_number(text, bar);
    x += columns.number;
    write_right(canvas, area.y, x, columns.number, scale, style_of(ROLE_STRONG), text);
    x += int_max(BAR_GAP * scale, 1);
    const int room = area.x + area.columns - x;
    for (int row = 0; row < thick; row++)
        canvas_bar(canvas, area.y + row, x, room, (int)lround(fabs(bar->share) * room * 8),
                   style_of(bar->share < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE));
    for (int row = thick; row < area.rows && !isnan(bar->before); row++)
        canvas_bar(canvas, area.y + row, x, room, (int)lround(bar->before * room * 8),
                   style_of(ROLE_FAINT));
}

void stage_bars(struct canvas *canvas, struct area area, const struct stage_bar *bars, size_t count)
{
    const int least = int_min((int)count, BARS_LEAST);
    int scale = canvas_ascii(canvas) ? 0 : area.rows / LETTERS_ROWS;
    struct bar_columns columns;
    for (;; scale--) {
        columns = measure_bars(canvas, area, scale, bars, count);
        const int taken =
            columns.name + columns.before + columns.number + (NAME_GAP + BAR_GAP) * scale;
        if (scale == 0 || (line_rows(scale) * least <= area.rows && taken < area.columns * 3 / 4) ||
            (scale == 1 && taken < area.columns))
            break;
    }
    const int rows = line_rows(scale);
    const int fitting = int_min((int)count, area.rows / rows);
    const int pitch = rows + (fitting * (rows + 1) <= area.rows);
    for (int i = 0; i < fitting; i++)
        draw_bar(canvas, (struct area){area.y + i * pitch, area.x, rows, area.columns}, scale,
                 columns, &bars[i]);
}
