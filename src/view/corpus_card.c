/* corpus_card.c: the card of one head: what can be said of it over all texts, in parts one below
 * the other. The part that was asked for comes first and takes what room it can use; the others
 * follow in their order as long as there is room. */
#include "headlight/view/corpus.h"

#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/survey/arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIGURE_COLUMNS 25 /* "separators 0.931 ±0.004" */
#define COLUMN_LEAST   50 /* so wide is a column of parts, where there are two */
#define RELATION_ROWS  8
#define PIECE_ROWS     7
#define EXAMPLE_ROWS   7
#define REACH_ROWS     3

/* ---- What it does ---- */

/* "previous token  0.931 ±0.004 of 35,580 tokens" */
static void draw_label(const struct corpus_part *part, int y, const struct evidence_label *label)
{
    const struct area *area = &part->area;
    struct pen pen = {part->sheet->canvas, y, area->x, area->x + area->columns};
    char number[40];
    const struct corpus_does does = {.label = *label};
    struct style style = style_legible(corpus_does_ink(&does));
    style.bold = true;
    corpus_write_mean(number, sizeof number, &label->mean, true);
    pen_print(&pen, style, "%s", label->words);
    pen_print(&pen, style_bold(ROLE_STRONG), "  %s", number);
    pen_print(&pen, style_of(ROLE_FAINT), " of %s tokens", format_count(label->mean.rows).text);
}

/* The chosen figure is pointed at. */
static void draw_figure(const struct corpus_part *part, int y, int x, enum survey_figure figure)
{
    const struct corpus_sheet *sheet = part->sheet;
    const struct evidence_mean mean = evidence_mean(sheet->survey, figure, part->layer, part->head);
    const bool chosen = figure == corpus_figure(&sheet->scene->look);
    char number[40];
    corpus_write_mean(number, sizeof number, &mean, true);
    canvas_print(sheet->canvas, y, x, 11, chosen ? style_bold(ROLE_TITLE) : style_of(ROLE_FAINT),
                 "%s", evidence_figure_name(figure));
    canvas_text(sheet->canvas, y, x + 11, 14,
                chosen ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT), number);
}

/* The labels, or what comes nearest to one; then all figures in columns. */
static int draw_does(const struct corpus_part *part)
{
    const struct corpus_sheet *sheet = part->sheet;
    const struct area *area = &part->area;
    struct evidence_label labels[EVIDENCE_LABELS];
    const size_t count = evidence_labels(sheet->survey, part->layer, part->head, labels);
    const int columns = int_max(area->columns / FIGURE_COLUMNS, 1);
    const int figures = (int)survey_axis(sheet->survey, 'F');
    const int each = (figures + columns - 1) / columns;
    int rows = 0;
    for (size_t i = 0; i < count && rows < area->rows; i++)
        draw_label(part, area->y + rows++, &labels[i]);
    const struct corpus_does does = corpus_does(sheet->survey, part->layer, part->head);
    const char *relation = corpus_relates(&does) ? does.relation.relation->name : NULL;
    if (relation && *corpus_between(relation) && rows + each < area->rows)
        canvas_print(sheet->canvas, area->y + rows++, area->x, area->columns, style_of(ROLE_TEXT),
                     "%s: %s", relation, corpus_between(relation));
    else if (count == 0 && !relation)
        canvas_text(sheet->canvas, area->y + rows++, area->x, area->columns, style_of(ROLE_TEXT),
                    "no label: its weight goes nowhere in particular");
    if (rows + each > area->rows)
        return rows;
    for (int i = 0; i < figures; i++)
        draw_figure(part, area->y + rows + i % each, area->x + i / each * FIGURE_COLUMNS,
                    survey_figure_at(sheet->survey, (size_t)i));
    return rows + each;
}

/* ---- Relations ---- */

/* Puts the relation that a head surely misses most behind all of so many. */
static void miss_last(struct evidence_relation *all, size_t count)
{
    size_t worst = 0;
    for (size_t i = 1; i < count; i++)
        if (all[i].share.high - all[i].offset_share.value <
            all[worst].share.high - all[worst].offset_share.value)
            worst = i;
    const struct evidence_relation miss = all[worst];
    memmove(all + worst, all + worst + 1, (count - 1 - worst) * sizeof *all);
    all[count - 1] = miss;
}

/* The best first, and the worst below: misses tell as much. */
static enum status draw_found(const struct corpus_part *part, int *rows, struct error *error)
{
    const struct survey *survey = part->sheet->survey;
    const struct area *area = &part->area;
    struct evidence_relation *all =
        memory_new(survey->relation_count + 1, sizeof *all, 0, "the relations", error);
    struct area row = {area->y, area->x, 1, area->columns};
    if (!all)
        return error->status;
    evidence_relations(survey, part->layer, part->head, all);
    const size_t room = (size_t)int_max(area->rows - 1, 0), misses = room > 3 ? 2 : 0;
    const size_t shown = size_min(survey->relation_count, room);
    for (size_t i = 0; i < misses && shown < survey->relation_count; i++)
        miss_last(all, survey->relation_count - i);
    for (size_t i = 0; i < shown; i++) {
        const bool miss = i + misses >= shown;
        row.y++;
        corpus_draw_relation(part->sheet, row,
                             &all[miss ? survey->relation_count - (shown - i) : i], false, false);
    }
    free(all);
    *rows = 1 + (int)shown;
    return STATUS_OK;
}

static enum status draw_relations(const struct corpus_part *part, int *rows, struct error *error)
{
    const struct survey *survey = part->sheet->survey;
    char about[96];
    snprintf(about, sizeof about, "surely knows %zu of %zu   │ best fixed offset",
             evidence_known(survey, part->layer, part->head), survey->relation_count);
    *rows = 0;
    if (survey->relation_count == 0)
        return STATUS_OK;
    corpus_draw_heading(part, CARD_RELATIONS, "relations", about);
    return draw_found(part, rows, error);
}

/* ---- Reach, and other distributions ---- */

/* A column of so many eighths of a row, upwards from the row `bottom`. */
static void draw_column(struct canvas *canvas, int bottom, int x, int columns, int eighths,
                        struct style style)
{
    static const char *const blocks[][9] = {
        [GLYPHS_BRAILLE] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
        [GLYPHS_BLOCKS] = {" ", "▄", "▄", "▄", "▄", "▄", "█", "█", "█"},
        [GLYPHS_ASCII] = {" ", ".", ".", ":", ":", "=", "=", "#", "#"},
    };
    for (int y = bottom; eighths > 0; y--, eighths -= 8)
        for (int i = 0; i < columns; i++)
            canvas_text(canvas, y, x + i, 1, style,
                        blocks[canvas->traits.glyphs][eighths < 8 ? eighths : 8]);
}

/* Columns of shares; the largest is as high as there are rows. */
static void draw_columns(struct canvas *canvas, struct area area, const int64_t *numbers,
                         size_t count, int pitch, struct style style)
{
    double shares[EVIDENCE_BINS], most = 0;
    evidence_shares(numbers, count, shares);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, shares[i]);
    for (size_t i = 0; i < count && most > 0; i++)
        draw_column(canvas, area.y + area.rows - 1, area.x + (int)i * pitch, int_max(pitch - 1, 1),
                    (int)ceil(8 * area.rows * shares[i] / most - 1e-9), style);
}

/* One row: "largest weight  0 ▁▂█ 1". */
static void draw_histogram(const struct corpus_part *part, int y, const char *name,
                           const char *most, const int64_t *bins)
{
    const int x = part->area.x + 17;
    struct canvas *canvas = part->sheet->canvas;
    canvas_print(canvas, y, part->area.x, 17, style_of(ROLE_FAINT), "%-15s0", name);
    draw_columns(canvas, (struct area){y, x, 1, SURVEY_BINS}, bins, SURVEY_BINS, 1,
                 style_of(ROLE_POSITIVE));
    canvas_text(canvas, y, x + SURVEY_BINS + 1, part->area.columns - 17 - SURVEY_BINS - 1,
                style_of(ROLE_FAINT), most);
}

static int draw_reach(const struct corpus_part *part)
{
    static const char *const distances[] = {"33", "17", "9", "5", "3", "2",  "1", "0",
                                            "1",  "2",  "3", "5", "9", "17", "33"};
    const struct corpus_sheet *sheet = part->sheet;
    const struct area *area = &part->area;
    const int64_t *reach = evidence_reach(sheet->survey, part->layer, part->head);
    const int pitch = int_clamp(area->columns / SURVEY_REACH, 2, 6);
    double shares[SURVEY_REACH];
    char about[96];
    size_t most = 0;
    if (area->rows < REACH_ROWS + 2)
        return 0;
    evidence_shares(reach, SURVEY_REACH, shares);
    for (size_t i = 1; i < SURVEY_REACH; i++)
        most = shares[i] > shares[most] ? i : most;
    snprintf(about, sizeof about, "%.2f of its weight %s%s%s", shares[most],
             most == 7 ? "on the token itself" : distances[most],
             most == 0 || most == SURVEY_REACH - 1 ? " and more" : "",
             most == 7  ? ""
             : most < 7 ? " before"
                        : " after");
    corpus_draw_heading(part, CARD_REACH, "reach", about);
    draw_columns(sheet->canvas, (struct area){area->y + 1, area->x, REACH_ROWS, area->columns},
                 reach, SURVEY_REACH, pitch, style_of(ROLE_POSITIVE));
    for (size_t i = 0; i < SURVEY_REACH; i++)
        if (pitch > 2 || strlen(distances[i]) < 2)
            canvas_text(sheet->canvas, area->y + 1 + REACH_ROWS, area->x + (int)i * pitch, pitch,
                        style_of(i == 7 ? ROLE_TEXT : ROLE_FAINT), distances[i]);
    if (area->rows < REACH_ROWS + 4)
        return REACH_ROWS + 2;
    draw_histogram(part, area->y + REACH_ROWS + 2, "largest weight", "1",
                   evidence_maxima(sheet->survey, part->layer, part->head));
    draw_histogram(part, area->y + REACH_ROWS + 3, "entropy", "10 bits and more",
                   evidence_entropies(sheet->survey, part->layer, part->head));
    return REACH_ROWS + 4;
}

/* ---- Word pieces ---- */

/* "the  .12 ×3.1": the share, and how many times that of all pieces it is. */
static int draw_pieces_of(const struct corpus_part *part, struct area area, bool at)
{
    struct evidence_word words[64];
    const size_t room = (size_t)int_clamp(area.rows, 0, 64);
    const size_t count =
        evidence_words(part->sheet->survey, part->layer, part->head, at, words, room);
    for (size_t i = 0; i < count; i++) {
        const int y = area.y + (int)i, end = area.x + area.columns - 2;
        const double times = words[i].usual > 0 ? words[i].share / words[i].usual : 0;
        const bool more = times >= 2;
        canvas_text(part->sheet->canvas, y, area.x, int_max(end - 14 - area.x, 4),
                    more ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT), words[i].piece->name);
        canvas_print(part->sheet->canvas, y, end - 12, 5, style_of(ROLE_TEXT), "%.3f",
                     words[i].share);
        canvas_print(part->sheet->canvas, y, end - 6, 6, style_of(ROLE_FAINT), "×%.1f", times);
    }
    return (int)count;
}

static int draw_pieces(const struct corpus_part *part)
{
    const struct area *area = &part->area;
    const int half = area->columns / 2;
    struct area list = {area->y + 1, area->x, area->rows - 1, half};
    if (area->rows < 2 || part->sheet->survey->piece_count == 0)
        return 0;
    corpus_draw_heading(part, CARD_PIECES, "looks from", "");
    canvas_text(part->sheet->canvas, area->y, area->x + half, half, style_bold(ROLE_TITLE),
                "looks at");
    canvas_text(part->sheet->canvas, area->y, area->x + half + 10, half - 10, style_of(ROLE_FAINT),
                "× its frequency");
    const int from = draw_pieces_of(part, list, false);
    list.x += half;
    return 1 + int_max(from, draw_pieces_of(part, list, true));
}

/* ---- Parts of speech ---- */

/* The most frequent ones, as many as fit; returns how many. */
static size_t frequent_pos(const struct survey *survey, size_t room, size_t *chosen)
{
    size_t count = 0;
    for (size_t p = 0; p < survey->pos_count; p++) {
        size_t place = count;
        for (; place > 0 && survey->pos_words[chosen[place - 1]] < survey->pos_words[p]; place--)
            if (place < room)
                chosen[place] = chosen[place - 1];
        if (place < room)
            chosen[place] = p;
        count += count < room;
    }
    return count;
}

#define POS_MOST 20

/* From a word of a row to all words of a column, in the mean. */
static int draw_speech(const struct corpus_part *part)
{
    const struct survey *survey = part->sheet->survey;
    const struct area *area = &part->area;
    size_t chosen[POS_MOST];
    const int room = int_min((area->columns - 6) / 5, area->rows - 2);
    struct grid grid = {.cell = {5, 1}};
    const size_t count = frequent_pos(survey, (size_t)int_clamp(room, 0, POS_MOST), chosen);
    if (count < 3)
        return 0;
    corpus_draw_heading(part, CARD_SPEECH, "parts of speech",
                        "rows look at columns: weight of a word");
    grid.row = (struct grid_axis){{0, count}, {0, count}, 0, area->y + 2, 1};
    grid.column = (struct grid_axis){{0, count}, {0, count}, 0, area->x + 6, 5};
    for (size_t from = 0; from < count; from++) {
        canvas_text(part->sheet->canvas, area->y + 2 + (int)from, area->x, 5, style_of(ROLE_TEXT),
                    survey->pos[chosen[from]]);
        canvas_print(part->sheet->canvas, area->y + 1, area->x + 6 + 5 * (int)from, 4,
                     style_of(ROLE_TEXT), "%.4s", survey->pos[chosen[from]]);
        for (size_t to = 0; to < count; to++) {
            const double weight =
                evidence_pos(survey, chosen[from], chosen[to], part->layer, part->head);
            const unsigned shade = (unsigned)lround(1000 * fmin(weight, 1));
            struct area cell = grid_cell(&grid, from, to);
            char text[16];
            cell.columns--;
            struct style style =
                grid_fill(part->sheet->canvas, cell, ink_full(ROLE_POSITIVE), shade, false);
            snprintf(text, sizeof text, "%.2f", weight);
            if (shade >= GRID_NOTABLE)
                grid_write(part->sheet->canvas, cell, style, text[0] == '0' ? text + 1 : text);
        }
    }
    return 2 + (int)count;
}

/* ---- The whole ---- */

/* The rows that a part takes where another one was asked for. */
static int usual_rows(enum card_part kind)
{
    static const int rows[CARD_PART_COUNT] = {
        [CARD_DOES] = 12,
        [CARD_RELATIONS] = 1 + RELATION_ROWS,
        [CARD_REACH] = REACH_ROWS + 4,
        [CARD_PIECES] = 1 + PIECE_ROWS,
        [CARD_SPEECH] = 2 + POS_MOST,
        [CARD_EXAMPLES] = 1 + EXAMPLE_ROWS,
    };
    return rows[kind];
}

/* Draws a part in as many rows as it takes, 0 where it has nothing to show or too little room. */
static enum status draw_part(struct corpus_part *part, enum card_part kind, int *rows,
                             struct error *error)
{
    if (!part->first)
        part->area.rows = int_min(part->area.rows, usual_rows(kind));
    *rows = 0;
    if (part->area.rows < 2)
        return STATUS_OK;
    switch (kind) {
    case CARD_RELATIONS:
        return draw_relations(part, rows, error);
    case CARD_DOES:
        *rows = draw_does(part);
        break;
    case CARD_REACH:
        *rows = draw_reach(part);
        break;
    case CARD_PIECES:
        *rows = draw_pieces(part);
        break;
    case CARD_EXAMPLES:
        *rows = corpus_draw_examples(part);
        break;
    default:
        *rows = draw_speech(part);
    }
    return STATUS_OK;
}

/* "layer 3 head 7  finds case in 0.676 of 2,015", or its label where that isn't the first part. */
static void draw_title(const struct corpus_sheet *sheet, bool labelled)
{
    const struct look *look = &sheet->scene->look;
    const struct corpus_does does = corpus_does(sheet->survey, look->layer, look->head);
    const struct area *card = &sheet->card;
    struct pen pen = {sheet->canvas, card->y, card->x, card->x + card->columns};
    struct style style = style_legible(corpus_does_ink(&does));
    style.bold = true;
    pen_print(&pen, style_bold(ROLE_STRONG), "layer %zu head %zu", look->layer, look->head);
    if (corpus_relates(&does)) {
        pen_print(&pen, style_of(ROLE_FAINT), "  finds ");
        pen_print(&pen, style, "%s", does.relation.relation->name);
        pen_write(&pen, " in <%.3f> of %s", does.relation.share.value,
                  format_count(does.relation.share.of).text);
    } else if (corpus_is_labelled(&does) && labelled) {
        pen_print(&pen, style, "  %s", does.label.words);
        pen_write(&pen, " <%.3f>", does.label.mean.value);
    }
}

/* Down the first column, then the second where there is one. */
enum status corpus_draw_card(const struct corpus_sheet *sheet, struct error *error)
{
    const struct look *look = &sheet->scene->look;
    const bool example = look->corpus.example != NO_TOKEN;
    const struct area *card = &sheet->card;
    const bool twice = card->columns >= 2 * COLUMN_LEAST + 3;
    const int columns = twice ? (card->columns - 3) / 2 : card->columns;
    struct area left = {card->y + 1, card->x, card->rows - 1, columns};
    int column = 0, rows;
    if (card->rows < 2)
        return STATUS_OK;
    draw_title(sheet, example || look->corpus.card != CARD_DOES);
    for (size_t i = 0; i < CARD_PART_COUNT; i++) {
        const enum card_part begin = example ? CARD_EXAMPLES : look->corpus.card;
        const enum card_part kind = (enum card_part)((begin + i) % CARD_PART_COUNT);
        struct corpus_part part = {sheet, look->layer, look->head, left, i == 0};
        if (draw_part(&part, kind, &rows, error) != STATUS_OK)
            return error->status;
        if (rows > 0) {
            left.y += rows + 1;
            left.rows -= rows + 1;
        }
        if (twice && column == 0 && left.rows < 10) {
            column = 1;
            left = (struct area){card->y + 1, card->x + columns + 3, card->rows - 1, columns};
        }
    }
    return STATUS_OK;
}
