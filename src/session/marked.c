#include "headlight/session/marked.h"

#include "headlight/text/marks.h"
#include "headlight/view/actions.h"
#include "headlight/view/scene.h"

#include <stdio.h>
#include <string.h>

/* What is between blanks. */
static bool next_run(struct marks *marks, struct marked_run *run)
{
    return marks_next(marks, " \n", run);
}

static int run_columns(const struct marked_run *run, bool ascii)
{
    struct text_reader reader = text_reader(run->text, run->length, ascii);
    struct glyph glyph;
    int columns = 0;
    while (text_next(&reader, &glyph))
        columns += glyph.width;
    return columns;
}

static int word_columns(struct marks marks, bool ascii)
{
    struct marked_run run;
    int columns = 0;
    while (next_run(&marks, &run))
        columns += run_columns(&run, ascii);
    return columns;
}

/* ---- Setting ---- */

static void cut(struct marked *marked)
{
    int last = marked->area.columns - 1, x = marked->column < last ? marked->column : last;
    marked->full = true;
    if (marked->canvas)
        canvas_text(marked->canvas, marked->area.y + marked->row, marked->area.x + x, 1,
                    marked->plain, "…");
}

/* False where there is no further row. */
static bool next_row(struct marked *marked)
{
    if (marked->row + 1 >= marked->area.rows) {
        cut(marked);
        return false;
    }
    marked->row++;
    marked->column = marked->indent;
    return true;
}

static void set_letters(struct marked *marked, const char *text, size_t length, struct style style)
{
    struct text_reader reader = text_reader(text, length, marked->ascii);
    struct glyph glyph;
    while (!marked->full && text_next(&reader, &glyph)) {
        if (marked->column + glyph.width > marked->area.columns && !next_row(marked))
            return;
        if (marked->canvas)
            canvas_put(marked->canvas, marked->area.y + marked->row,
                       marked->area.x + marked->column, style, &glyph);
        marked->column += glyph.width;
    }
}

/* Each of several keys, "↑↓", answers to a click. */
static void set_keys(struct marked *marked, const struct marked_run *run)
{
    char keys[256];
    uint32_t key;
    snprintf(keys, sizeof keys, "%.*s", (int)run->length, run->text);
    for (const char *at = keys; *at && !marked->full;) {
        size_t length = key_hinted(at, &key);
        set_letters(marked, at, length, marked->key);
        int columns = run_columns(&(struct marked_run){at, length, false, true}, marked->ascii);
        if (marked->canvas && key != KEY_CODE_NONE && columns <= marked->column)
            canvas_mark(marked->canvas,
                        (struct area){marked->area.y + marked->row,
                                      marked->area.x + marked->column - columns, 1, columns},
                        HIT_KEY, key);
        at += length;
    }
}

static void set_word(struct marked *marked, struct marks *marks)
{
    struct marked_run run;
    int columns = word_columns(*marks, marked->ascii), blank = marked->column > marked->indent;
    bool fits = marked->column + blank + columns <= marked->area.columns;
    if (blank && !fits && !next_row(marked))
        return;
    marked->column += blank && fits;
    while (!marked->full && next_run(marks, &run)) {
        if (run.key)
            set_keys(marked, &run);
        else
            set_letters(marked, run.text, run.length, run.strong ? marked->strong : marked->plain);
    }
}

void marked_end_row(struct marked *marked)
{
    marked->row += marked->column > 0;
    marked->column = 0;
}

void marked_write(struct marked *marked, const char *text, bool apart)
{
    struct marks marks = {.next = text};
    while (*(marks.next += strspn(marks.next, " \n"))) {
        marked->full |= marked->row >= marked->area.rows;
        if (marked->full)
            return;
        set_word(marked, &marks);
        if (apart && *marks.next == '\n')
            marked_end_row(marked);
    }
}
