/* stage.c: a sentence in large letters. A line of them is LETTERS_ROWS high at scale 1; scale 0
 * stands for rows of bold text. */
#include "headlight/view/stage.h"

#include <stdio.h>
#include <string.h>

#define WORD_BYTES 128
#define APART      3 /* columns between two words, at scale 1: a space with its gaps */

static int line_rows(int scale)
{
    return scale > 0 ? scale * LETTERS_ROWS : 1;
}

/* Word by word, in lines. Without a canvas rows are counted; 0: a word is too wide for its line. */
static int set_text(struct canvas *canvas, bool ascii, struct area area, int scale,
                    const char *text)
{
    int y = area.y, x = area.x;
    char word[WORD_BYTES];
    for (size_t length; *(text += strspn(text, " ")); text += length) {
        length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const int letters = scale * letters_columns(word), end = area.x + area.columns;
        const int width = letters > 0 ? letters : (int)text_width(word, ascii);
        if (scale > 0 && width > area.columns)
            return 0;
        if (x > area.x && x + width > end) {
            y += line_rows(scale);
            x = area.x;
        }
        if (canvas && y + line_rows(scale) <= area.y + area.rows) {
            if (letters > 0)
                letters_draw(canvas, y, x, scale, style_of(ROLE_STRONG), word);
            else /* a word without a shape: bold text in the middle of its line */
                canvas_text(canvas, y + (line_rows(scale) - 1) / 2, x, end - x,
                            style_bold(ROLE_STRONG), word);
        }
        x += width + (scale > 0 ? scale * APART : 1);
    }
    return y + line_rows(scale) - area.y;
}

static int scale_of(struct area area, bool ascii, const char *text)
{
    int scale = ascii ? 0 : area.rows / LETTERS_ROWS;
    for (; scale > 0; scale--) {
        const int rows = set_text(NULL, ascii, area, scale, text);
        if (rows > 0 && rows <= area.rows)
            break;
    }
    return scale;
}

/* Whether a text says 0.479, or "is -1.03", "a score of 8.28": 1.12 may be the name of a head. */
static bool has_number(const char *text)
{
    for (const char *point = text; (point = strchr(point, '.')); point++) {
        const size_t decimals = strspn(point + 1, "0123456789");
        const char *word = point;
        while (word > text && word[-1] != ' ')
            word--;
        const bool said = word - text > 4 &&
                          (strncmp(word - 4, " is ", 4) == 0 || strncmp(word - 4, " of ", 4) == 0);
        if (decimals >= 3 || (decimals == 2 && said))
            return true;
    }
    return false;
}

void stage_shorten(struct area area, bool ascii, char text[STAGE_BYTES])
{
    char shorter[STAGE_BYTES];
    strcpy(shorter, text);
    while (scale_of(area, ascii, shorter) == 0) {
        /* at its last comma, colon or semicolon, with the bracket closed that is open there */
        size_t at = strlen(shorter) - 1;
        while (at > 0 && (!strchr(",;:", shorter[at]) || shorter[at + 1] != ' '))
            at--;
        shorter[at] = '\0';
        const char *bracket = strrchr(shorter, '(');
        if (bracket && !strchr(bracket, ')'))
            strcat(shorter, ")");
        if (!has_number(shorter)) /* then what is left says nothing */
            return;
    }
    strcpy(text, shorter);
}

int stage_write(struct canvas *canvas, bool ascii, struct area area, const char *text)
{
    return int_min(set_text(canvas, ascii, area, scale_of(area, ascii, text), text), area.rows);
}
