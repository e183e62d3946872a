/* corpus_examples.c: the examples on the card of a head: two words of a text, and the text. */
#include "headlight/view/corpus.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"

#include <stdio.h>
#include <string.h>

/* A blank within a word is a newline there. */
static void print_word(struct pen *pen, struct style style, struct text word)
{
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)word.length, word.bytes);
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ' ';
    pen_print(pen, style, "%s", text);
}

/* The text from a few words before the pair on, whose two words are bold: the one that looks on the
 * ground of a cursor, the one looked at on that of a pin. */
static void draw_text(struct pen *pen, const char *words, const struct survey_example *example)
{
    const size_t from = (size_t)example->from, to = (size_t)example->to;
    const size_t near = size_min(from, to), begin = near > 3 ? near - 3 : 0;
    struct text word = evidence_word(words, begin);
    if (begin > 0)
        pen_print(pen, style_of(ROLE_FAINT), "… ");
    for (size_t i = begin; word.length > 0 && pen->x < pen->end; i++) {
        print_word(pen,
                   i == from ? style_bold(ROLE_TITLE)
                   : i == to ? style_bold(ROLE_STRONG)
                             : style_of(ROLE_FAINT),
                   word);
        pen_print(pen, style_of(ROLE_FAINT), " ");
        words = word.bytes + word.length + (word.bytes[word.length] != '\0');
        word = evidence_word(words, 0);
    }
}

/* "0.97 sold → horse   she sold the horse" */
static void draw_example(const struct corpus_part *part, int y,
                         const struct survey_example *example, size_t number, int noted)
{
    const struct corpus_sheet *sheet = part->sheet;
    const struct area *area = &part->area;
    const char *words = sheet->survey->kept[example->text].words;
    const bool here = sheet->scene->look.corpus.example == number;
    struct pen pen = {sheet->canvas, y, area->x, area->x + area->columns - noted};
    const int begin = int_min(pen.end, area->x + 7 + int_clamp(area->columns / 3, 12, 24));
    struct pen pair = {sheet->canvas, y, area->x + 6, begin - 1};
    pen_print(&pen, here ? style_marked(ROLE_CURSOR) : style_of(ROLE_TEXT), "%.3f",
              (double)example->weight / SURVEY_UNIT);
    print_word(&pair, style_bold(ROLE_TITLE), evidence_word(words, (size_t)example->from));
    pen_print(&pair, style_of(ROLE_FAINT), " → ");
    print_word(&pair, style_bold(ROLE_STRONG), evidence_word(words, (size_t)example->to));
    pen.x = begin;
    draw_text(&pen, words, example);
    canvas_mark(sheet->canvas, (struct area){y, area->x, 1, area->columns}, HIT_EXAMPLE, number);
}

/* How many texts there are in the tenth of an example, if it is the first of them. */
static int note_tenth(const struct corpus_part *part, int y, const struct survey_example *example,
                      const struct survey_example *before)
{
    const struct survey *survey = part->sheet->survey;
    const struct area *area = &part->area;
    const size_t at = part->layer * survey->heads + part->head;
    const size_t tenth = evidence_tenth(example);
    const int columns = 12;
    if (before && evidence_tenth(before) == tenth)
        return columns;
    char text[48];
    const int64_t texts = survey->examples[at].deciles[tenth];
    snprintf(text, sizeof text, texts == 1 ? "%s text" : "%s texts", format_count(texts).text);
    canvas_text_right(part->sheet->canvas, y, area->x + area->columns, columns - 1,
                      style_of(ROLE_FAINT), text);
    return columns;
}

/* The strongest, then of each tenth some that no weight chose: the usual beside the extreme. Where
 * they don't all fit, those around the cursor. */
int corpus_draw_examples(const struct corpus_part *part)
{
    const struct survey *survey = part->sheet->survey;
    const struct survey_example *examples[EVIDENCE_EXAMPLES];
    const size_t count = evidence_examples(survey, part->layer, part->head, examples);
    const size_t strongest = evidence_strongest(survey, part->layer, part->head);
    const size_t at = part->sheet->scene->look.corpus.example;
    const struct area *area = &part->area;
    const struct token_range shown = grid_window(count, (size_t)int_max(area->rows - 1, 0),
                                                 at != NO_TOKEN ? size_min(at, count) : 0);
    if (count == 0 || area->rows < 2)
        return 0;
    corpus_draw_heading(part, CARD_EXAMPLES, "examples",
                        shown.first < strongest ? "the strongest pair of a text"
                                                : "any texts, by tenths of their strongest pair");
    for (size_t i = shown.first; i < shown.end; i++) {
        const int y = area->y + 1 + (int)(i - shown.first);
        const int noted = i < strongest ? 0
                                        : note_tenth(part, y, examples[i],
                                                     i > strongest ? examples[i - 1] : NULL);
        draw_example(part, y, examples[i], i, noted);
    }
    return 1 + (int)(shown.end - shown.first);
}
