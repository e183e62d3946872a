/* corpus_card.c: the card of one head: what can be said of it over all texts, in parts one below
 * the other. The part that was asked for comes first and takes what room it can use; the others
 * follow in their order as long as there is room. */
#include "headlight/view/corpus.h"

#include <stdlib.h>

#define MEAN_COLUMNS 14 /* "0.931 ±0.004" */
#define COLUMN_LEAST 50 /* so wide is a column of parts, where there are two */
#define REACH_ROWS   3
#define PIECES_MOST  64
#define POS_MOST     20

static void draw_heading(const struct corpus_sheet *sheet, struct area area, enum card_part kind,
                         const char *title, const char *about)
{
    const struct area row = {area.y, area.x, 1, area.columns};
    struct pen pen = {sheet->canvas, row.y, row.x, row.x + row.columns};
    pen_print(&pen, style_bold(ROLE_TITLE), "%s", title);
    pen_print(&pen, style_of(ROLE_FAINT), "  %s", about);
    canvas_mark(sheet->canvas, row, hit_at(HIT(corpus.card), kind));
}

/* ---- What it does ---- */

/* The labels, "previous token  0.931 ±0.004 of 35,580 tokens"; then all figures in columns, of
 * which the chosen one is pointed at. */
static int draw_does(const struct corpus_sheet *sheet, struct area area)
{
    const struct look *look = &sheet->scene->look;
    struct evidence_label labels[METRIC_COUNT];
    const size_t count = evidence_labels(sheet->survey, look->layer, look->head, labels);
    const int figures = (int)survey_count(sheet->survey, ROW_FIGURE);
    int names = 0;
    for (int i = 0; i < figures; i++)
        names = int_max(
            names, 1 + (int)strlen(metric_infos[survey_figure_at(sheet->survey, (size_t)i)].name));
    const int columns = int_max(area.columns / (names + MEAN_COLUMNS), 1);
    const int each = (figures + columns - 1) / columns;
    int rows = 0;
    for (size_t i = 0; i < count && rows < area.rows; i++) {
        struct pen pen = {sheet->canvas, area.y + rows++, area.x, area.x + area.columns};
        pen_print(&pen, style_bold(ROLE_TEXT), "%s", labels[i].words);
        pen_print(&pen, style_bold(ROLE_STRONG), "  %s", corpus_mean(&labels[i].mean).text);
        pen_print(&pen, style_of(ROLE_FAINT), " of %s %s%s", format_count(labels[i].mean.of).text,
                  metric_infos[labels[i].metric].over, labels[i].beside ? " beside the first" : "");
    }
    for (int i = 0; i < figures && rows + each <= area.rows; i++) {
        const enum metric figure = survey_figure_at(sheet->survey, (size_t)i);
        const struct evidence_number mean =
            evidence_mean(sheet->survey, figure, look->layer, look->head);
        const bool chosen = figure == corpus_figure(look);
        const int y = area.y + rows + i % each, x = area.x + i / each * (names + MEAN_COLUMNS);
        canvas_text(sheet->canvas, y, x, names,
                    chosen ? style_bold(ROLE_TITLE) : style_of(ROLE_FAINT),
                    metric_infos[figure].name);
        canvas_text(sheet->canvas, y, x + names, MEAN_COLUMNS,
                    chosen ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT),
                    corpus_mean(&mean).text);
    }
    return rows + each <= area.rows ? rows + each : rows;
}

/* ---- Relations ---- */

/* The best first, and below them those of enough pairs that it misses most, which tells as much. */
static int draw_relations(const struct corpus_sheet *sheet, struct area area)
{
    const struct look *look = &sheet->scene->look;
    const struct survey *survey = sheet->survey;
    const size_t room = (size_t)int_max(area.rows - 1, 0);
    const size_t shown = size_min(survey_count(survey, ROW_RELATION), room);
    struct area row = {area.y, area.x, 1, area.columns};
    size_t enough = 0;
    char about[96];
    struct evidence_relation *all =
        evidence_relations(survey, look->layer, look->head, &sheet->canvas->error);
    if (!all)
        return 0;
    while (enough < survey_count(survey, ROW_RELATION) && all[enough].share.of >= EVIDENCE_FEW)
        enough++;
    snprintf(about, sizeof about, "surely knows %zu of %zu   │ best fixed offset",
             evidence_known(survey, look->layer, look->head, NULL),
             survey_count(survey, ROW_RELATION));
    if (shown > 0)
        draw_heading(sheet, area, CARD_RELATIONS, "relations", about);
    for (size_t i = 0; i < shown; i++) {
        const bool miss = shown > 3 && i + 2 >= shown && enough > shown;
        row.y++;
        const struct evidence_relation *relation = &all[miss ? enough - (shown - i) : i];
        const struct corpus_head head = corpus_relation(relation);
        corpus_draw_row(sheet, row, &head, 1, false, false);
    }
    free(all);
    return shown > 0 ? 1 + (int)shown : 0;
}

/* ---- Reach ---- */

/* The largest column is as high as there are rows. */
static int draw_reach(const struct corpus_sheet *sheet, struct area area)
{
    const struct look *look = &sheet->scene->look;
    static const char *const blocks[][9] = {
        [GLYPHS_BRAILLE] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
        [GLYPHS_BLOCKS] = {" ", "▄", "▄", "▄", "▄", "▄", "█", "█", "█"},
        [GLYPHS_ASCII] = {" ", ".", ".", ":", ":", "=", "=", "#", "#"},
    };
    const int pitch = int_clamp(area.columns / SURVEY_REACH, 2, 6), rows = REACH_ROWS;
    double shares[SURVEY_REACH];
    char about[96];
    const size_t itself = SURVEY_REACH / 2;
    size_t most = 0;
    if (area.rows < rows + 2 || survey_count(sheet->survey, ROW_REACH) == 0)
        return 0;
    evidence_reach(sheet->survey, look->layer, look->head, shares);
    for (size_t i = 1; i < SURVEY_REACH; i++)
        most = shares[i] > shares[most] ? i : most;
    snprintf(about, sizeof about, "%.2f of its weight %s%s%s", shares[most],
             most == itself ? "on the token itself" : evidence_distances[most] + (most < itself),
             most == 0 || most == SURVEY_REACH - 1 ? " and more" : "",
             most == itself  ? ""
             : most < itself ? " before"
                             : " after");
    draw_heading(sheet, area, CARD_REACH, "reach", about);
    for (size_t i = 0; i < SURVEY_REACH; i++) {
        const int x = area.x + (int)i * pitch;
        if (shares[most] > 0) {
            int eighths = (int)ceil(8 * rows * shares[i] / shares[most] - 1e-9);
            for (int y = area.y + rows; eighths > 0; y--, eighths -= 8)
                for (int at = x; at < x + int_max(pitch - 1, 1); at++)
                    canvas_text(sheet->canvas, y, at, 1, style_of(ROLE_POSITIVE),
                                blocks[sheet->canvas->traits.glyphs][int_min(eighths, 8)]);
        }
        const char *distance = evidence_distances[i] + (i < itself); /* without its sign */
        if (pitch > 2 || strlen(distance) < 2)
            canvas_text(sheet->canvas, area.y + rows + 1, x, pitch,
                        style_of(i == itself ? ROLE_TEXT : ROLE_FAINT), distance);
    }
    return rows + 2;
}

/* ---- Word pieces ---- */

/* "the  .12 ×3.1": the share, and how many times that of all pieces it is. */
static int draw_pieces_of(const struct corpus_sheet *sheet, struct area area, bool at)
{
    const struct look *look = &sheet->scene->look;
    struct evidence_word words[PIECES_MOST];
    const size_t count = evidence_words(sheet->survey, look->layer, look->head, at, words,
                                        (size_t)int_clamp(area.rows, 0, PIECES_MOST));
    const int end = area.x + area.columns - 2;
    for (size_t i = 0; i < count; i++) {
        const int y = area.y + (int)i;
        const double times = words[i].usual > 0 ? words[i].share / words[i].usual : 0;
        canvas_text(sheet->canvas, y, area.x, int_max(end - 14 - area.x, 4),
                    times >= 2 ? style_bold(ROLE_STRONG) : style_of(ROLE_TEXT), words[i].piece);
        canvas_print(sheet->canvas, y, end - 12, 5, style_of(ROLE_TEXT), "%.3f", words[i].share);
        canvas_print(sheet->canvas, y, end - 6, 6, style_of(ROLE_FAINT), "×%.1f", times);
    }
    return (int)count;
}

static int draw_pieces(const struct corpus_sheet *sheet, struct area area)
{
    const int half = area.columns / 2;
    struct area list = {area.y + 1, area.x, area.rows - 1, half};
    if (survey_count(sheet->survey, ROW_PIECE) == 0)
        return 0;
    draw_heading(sheet, area, CARD_PIECES, "looks from", "");
    struct pen pen = {sheet->canvas, area.y, area.x + half, area.x + area.columns};
    pen_print(&pen, style_bold(ROLE_TITLE), "looks at");
    pen_print(&pen, style_of(ROLE_FAINT), "  × its frequency");
    const int from = draw_pieces_of(sheet, list, false);
    list.x += half;
    return 1 + int_max(from, draw_pieces_of(sheet, list, true));
}

/* ---- Parts of speech ---- */

/* From a word of a row to all words of a column, in the mean. */
static int draw_speech(const struct corpus_sheet *sheet, struct area area)
{
    const struct look *look = &sheet->scene->look;
    size_t chosen[POS_MOST + 1], count = 0; /* the most frequent ones, as many as fit */
    const int room = int_min((area.columns - 6) / 5, area.rows - 2);
    for (size_t p = 0; p < survey_count(sheet->survey, ROW_POS); p++) {
        const int64_t words = *survey_at(sheet->survey, ROW_POS, p)->numbers;
        size_t place = count;
        for (; place > 0 && *survey_at(sheet->survey, ROW_POS, chosen[place - 1])->numbers < words;
             place--)
            chosen[place] = chosen[place - 1];
        chosen[place] = p;
        count += (int)count < int_clamp(room, 0, POS_MOST);
    }
    if (count < 3)
        return 0;
    draw_heading(sheet, area, CARD_SPEECH, "parts of speech",
                 "rows look at columns: weight of a word");
    for (size_t i = 0; i < count * count; i++) {
        const size_t from = chosen[i / count], to = chosen[i % count];
        const double weight = evidence_pos(sheet->survey, from, to, look->layer, look->head);
        const unsigned shade = (unsigned)lround(1000 * fmin(weight, 1));
        const struct area cell = {area.y + 2 + (int)(i / count), area.x + 6 + 5 * (int)(i % count),
                                  1, 4};
        const struct style style =
            grid_fill(sheet->canvas, cell, ink_full(ROLE_POSITIVE), shade, false);
        if (shade >= GRID_NOTABLE)
            grid_write(sheet->canvas, cell, style, number_short(weight, false).text);
        if (i < count)
            canvas_print(sheet->canvas, area.y + 1, cell.x, 4, style_of(ROLE_TEXT), "%.4s",
                         survey_name(sheet->survey, ROW_POS, to));
        if (i % count == 0)
            canvas_text(sheet->canvas, cell.y, area.x, 5, style_of(ROLE_TEXT),
                        survey_name(sheet->survey, ROW_POS, from));
    }
    return 2 + (int)count;
}

/* ---- Examples ---- */

/* The strongest, then of each tenth some that no weight chose: the usual beside the extreme, with
 * the number of texts there. Where they don't all fit, those around the cursor. */
static int draw_examples(const struct corpus_sheet *sheet, struct area area)
{
    const struct look *look = &sheet->scene->look;
    const struct survey *survey = sheet->survey;
    const struct survey_example *examples[SURVEY_EXAMPLES];
    const struct style faint = style_of(ROLE_FAINT);
    size_t strongest, at = look->corpus.example;
    const size_t count = evidence_examples(survey, look->layer, look->head, examples, &strongest);
    const int64_t *deciles =
        survey_of_head(survey_at(survey, ROW_DECILES, 0), look->layer * survey->heads + look->head);
    const struct token_range shown =
        grid_window(count, (size_t)area.rows - 1, at != NO_TOKEN ? size_min(at, count) : 0);
    if (count == 0)
        return 0;
    draw_heading(sheet, area, CARD_EXAMPLES, "examples",
                 shown.first < strongest ? "the strongest pair of a text"
                                         : "random texts, by tenths of their strongest pair");
    for (size_t i = shown.first; i < shown.end; i++) {
        struct area row = {area.y + 1 + (int)(i - shown.first), area.x, 1, area.columns};
        const size_t tenth = evidence_tenth(examples[i]);
        char texts[48];
        canvas_mark(sheet->canvas, row, hit_at(HIT(corpus.example), i));
        if (i >= strongest) {
            snprintf(texts, sizeof texts, "%s text%s", format_count(deciles[tenth]).text,
                     deciles[tenth] == 1 ? "" : "s");
            if (i == strongest || evidence_tenth(examples[i - 1]) != tenth)
                canvas_text_right(sheet->canvas, row.y, row.x + row.columns, 11, faint, texts);
            row.columns -= 12;
        }
        /* "0.97 sold → horse   she sold the horse": the pair, and the text from a few words before
         * it on */
        const char *words = examples[i]->text->key.names[1].bytes;
        const size_t from = (size_t)examples[i]->from, to = (size_t)examples[i]->to,
                     near = size_min(from, to);
        const struct style looks = style_bold(ROLE_TITLE), seen = style_bold(ROLE_STRONG);
        const int end = row.x + row.columns,
                  begin = int_min(end, row.x + 7 + int_clamp(row.columns / 3, 12, 24));
        canvas_print(sheet->canvas, row.y, row.x, row.columns,
                     i == at ? style_marked(ROLE_CURSOR) : style_of(ROLE_TEXT), "%.3f",
                     (double)examples[i]->weight / SURVEY_UNIT);
        struct pen pen = {sheet->canvas, row.y, row.x + 6, begin - 1};
        pen_print(&pen, looks, "%s", evidence_spell(evidence_word(words, from)).text);
        pen_print(&pen, faint, " → ");
        pen_print(&pen, seen, "%s", evidence_spell(evidence_word(words, to)).text);
        pen = (struct pen){sheet->canvas, row.y, begin, end};
        pen_print(&pen, faint, "%s", near > 3 ? "… " : "");
        for (size_t j = near > 3 ? near - 3 : 0; pen.x < pen.end; j++) {
            const struct text word = evidence_word(words, j);
            if (word.length == 0)
                break;
            pen_print(&pen,
                      j == from ? looks
                      : j == to ? seen
                                : faint,
                      "%s", evidence_spell(word).text);
            pen_print(&pen, faint, word.bytes[word.length] == '\t' ? " | " : " ");
        }
    }
    return 1 + (int)(shown.end - shown.first);
}

/* ---- The whole ---- */

/* How a part is drawn, which returns the rows used, 0 where it has nothing to show or too little
 * room; and the rows that it takes where another one was asked for. */
static const struct {
    int (*draw)(const struct corpus_sheet *sheet, struct area area);
    int rows;
} parts[CARD_PART_COUNT] = {
    [CARD_DOES] = {draw_does, 12},
    [CARD_RELATIONS] = {draw_relations, 9},
    [CARD_REACH] = {draw_reach, REACH_ROWS + 2},
    [CARD_PIECES] = {draw_pieces, 8},
    [CARD_SPEECH] = {draw_speech, 2 + POS_MOST},
    [CARD_EXAMPLES] = {draw_examples, 8},
};

/* Down the first column, then the second where there is one. */
void corpus_draw_card(const struct corpus_sheet *sheet)
{
    const struct look *look = &sheet->scene->look;
    const struct area *card = &sheet->card;
    const enum card_part first =
        look->corpus.example != NO_TOKEN ? CARD_EXAMPLES : look->corpus.card;
    const bool twice = card->columns >= 2 * COLUMN_LEAST + 3;
    const int columns = twice ? (card->columns - 3) / 2 : card->columns;
    struct area left = {card->y + 1, card->x, card->rows - 1, columns};
    if (card->rows < 2)
        return;
    /* "head 3.7  case: a preposition and its noun". */
    const struct corpus_head head = corpus_head(sheet->survey, look, look->layer, look->head);
    const char *name = corpus_does(&head, false),
               *said = head.relation.name ? evidence_between(name) : "";
    struct pen pen = {sheet->canvas, card->y, card->x, card->x + card->columns};
    struct style style = style_legible(head.does);
    style.bold = true;
    pen_print(&pen, style_bold(ROLE_STRONG), "head %s%zu.%zu", site_words[sheet->survey->site].mark,
              look->layer, look->head);
    pen_print(&pen, style, "  %s", name);
    pen_print(&pen, style_of(ROLE_TEXT), "%s%s", *said ? ": " : "", said);
    if (!*name)
        pen_print(&pen, style_of(ROLE_TEXT), "no label: its weight goes nowhere in particular");
    for (size_t i = 0; i < CARD_PART_COUNT; i++) {
        const enum card_part kind = (enum card_part)((first + i) % CARD_PART_COUNT);
        if (twice && i > 0 && left.x == card->x && left.rows < parts[kind].rows)
            left = (struct area){card->y + 1, card->x + columns + 3, card->rows - 1, columns};
        struct area area = left;
        if (i > 0)
            area.rows = int_min(left.rows, parts[kind].rows);
        const int rows = area.rows >= 2 ? parts[kind].draw(sheet, area) : 0;
        left = area_below(left, rows + (rows > 0));
    }
}
