/* strip.c: a text in lines, with rows of numbers below its tokens, each on a ground as full as the
 * number is large. */
#include "headlight/view/grid.h"
#include "headlight/view/words.h"

/* ---- Effects of words ---- */

size_t words_paired(const struct look *look, const struct data *data, enum model_output output)
{
    if (look->to != NO_TOKEN)
        return data->attention->tokens[SIDE_RIGHT].of[look->to].first;
    const bool elsewhere = data->encoded->site == SITE_ENCODER;
    if (look->from != NO_TOKEN && !look->query_found && (elsewhere || !target_has_token(output)))
        return data->attention->tokens[SIDE_LEFT].of[look->from].first;
    return NO_TOKEN;
}

/* Its index among the words, or NO_TOKEN. */
static size_t paired_word(const struct scene *scene)
{
    const struct word_effects *effects = scene->data.word_effects;
    const size_t token = words_paired(&scene->look, &scene->data, effects->on.output);
    return token != NO_TOKEN ? word_effects_at(effects, token) : NO_TOKEN;
}

/* Pairs of a word that was chosen before stay in the data, and aren't shown. */
double words_effect(const struct scene *scene, size_t row, size_t token)
{
    const struct word_effects *effects = scene->data.word_effects;
    const size_t word = word_effects_at(effects, token), paired = paired_word(scene);
    return word == NO_TOKEN                                  ? NAN
           : row == 0                                        ? effects->words[word].change
           : paired != NO_TOKEN && paired == effects->paired ? effects->words[word].pair
                                                             : NAN;
}

const char *const words_effect_names[2] = {"without", "pair"};

size_t words_effect_rows(const struct scene *scene)
{
    return !scene->data.word_effects ? 0 : paired_word(scene) != NO_TOKEN ? 2 : 1;
}

/* Where all words do next to nothing, none is as bright as one that decides. */
#define EFFECT_LEAST 0.1

double words_largest_effect(const struct scene *scene)
{
    const struct word_effects *effects = scene->data.word_effects;
    double most = EFFECT_LEAST;
    for (size_t i = 0; i < 2 * effects->count; i++) /* NaN is passed over */
        most = fmax(most, fabs(words_effect(scene, i % 2, effects->words[i / 2].pieces.first)));
    return most;
}

void words_write_effects(const struct scene *scene, struct pen *pen)
{
    const struct word_effects *effects = scene->data.word_effects;
    const bool score = target_is_score(scene->data.checkpoint->model, &effects->on);
    const bool pairs = paired_word(scene) != NO_TOKEN; /* a short line leaves room for both */
    static const char more[] = "   pair: beyond the sum   Esc: back";
    struct pen answer = *pen; /* a long one is cut before the way out is */
    answer.end -= pairs ? (int)sizeof more - 1 : 0;
    pen_print(&answer, style_of(ROLE_FAINT),
              pairs ? "   %s: %s%s%s" : "   each word %s: change of %s%s%s",
              word_way_names[effects->way], score ? "" : "log p(",
              sentence_target(scene, &effects->on, canvas_ascii(pen->canvas)).text,
              score   ? ""
              : pairs ? ")"
                      : ") in nats");
    pen->x = answer.x;
    static const char nats[] = ", 0.69: twice as likely";
    if (!pairs && !score && pen->end - pen->x >= (int)sizeof nats - 1)
        pen_print(pen, style_of(ROLE_FAINT), "%s", nats);
    if (pairs)
        pen_print(pen, style_of(ROLE_FAINT), "%s", more);
}

/* ---- Lines ---- */

/* Columns before a line, for the names of its rows. */
static int names_columns(const struct words_sheet *sheet)
{
    int widest = 0;
    for (size_t row = 0; row < sheet->strip->rows; row++)
        if (sheet->strip->names[row])
            widest = int_max(widest, 1 + canvas_width(sheet->canvas, sheet->strip->names[row]));
    return widest;
}

/* A token, its numbers, a blank row. */
static int line_rows(const struct words_sheet *sheet)
{
    return 2 + (int)sheet->strip->rows;
}

/* Places tokens side by side, from the first on; what fits is what is shown. At least one does,
 * however narrow the screen is. */
static void place_line(struct words_sheet *sheet, size_t first)
{
    struct token_range *shown = &sheet->shown.tokens;
    int *begin = sheet->begins, end = sheet->grid.x + sheet->grid.columns;
    size_t count = scene_count(sheet->scene, sheet->strip->side);
    *begin = sheet->grid.x + names_columns(sheet);
    for (*shown = (struct token_range){first, first}; shown->end < count; shown->end++, begin++) {
        begin[1] = begin[0] + words_columns(sheet, shown->end);
        if (shown->end > first && begin[1] > end)
            break;
    }
}

/* How many there are, and the one that holds a token. */
static size_t count_lines(struct words_sheet *sheet, size_t token, size_t *line)
{
    const struct token_range *tokens = &sheet->shown.tokens;
    size_t lines = 0;
    *line = 0;
    for (place_line(sheet, 0); tokens->first < tokens->end; place_line(sheet, tokens->end), lines++)
        if (token >= tokens->first && token < tokens->end)
            *line = lines;
    return lines;
}

/* ---- Tokens ---- */

/* A ground as full as a share is large; without colours it is bold where it is large. */
static struct style style_on(const struct canvas *canvas, struct style style, double share)
{
    const double size = isnan(share) ? 0 : fmin(fabs(share), 1);
    if (!grid_by_glyph(canvas))
        style.back = (struct ink){share < 0 ? ROLE_NEGATIVE : ROLE_POSITIVE,
                                  (uint8_t)lround(STYLE_FULL * size)};
    style.bold = size > 0.5;
    return style;
}

/* A number with its sign on a ground of its colour. */
static void draw_signed(struct canvas *canvas, struct area cell, struct style style, double number,
                        double most)
{
    style = style_on(canvas, style, number / most);
    canvas_fill(canvas, cell, style);
    const double size = fabs(number);
    if (!isnan(number))
        canvas_print(canvas, cell.y, cell.x + 1, cell.columns - 2, style, "%+.*f",
                     size < 9.995   ? 2
                     : size < 99.95 ? 1
                                    : 0,
                     size < 0.005 ? 0 : number); /* no -0.00 */
}

void words_draw_effect(const struct scene *scene, struct canvas *canvas, struct area cell,
                       size_t row, size_t token, double most)
{
    const struct word_effects *effects = scene->data.word_effects;
    const size_t word = word_effects_at(effects, token);
    const bool with = row == 1 && word != NO_TOKEN && word == paired_word(scene);
    if (with && effects->words[word].pieces.first == token)
        canvas_text(canvas, cell.y, cell.x + 1, cell.columns - 1, style_bold(ROLE_STRONG), "with");
    else if (!with)
        draw_signed(canvas, cell, style_of(ROLE_READABLE), words_effect(scene, row, token), most);
}

static double number_at(const struct words_sheet *sheet, size_t row, size_t token)
{
    const struct strip *strip = sheet->strip;
    return row + strip->effects == strip->rows
               ? words_effect(sheet->scene, 0, token)
               : strip->number(sheet->scene, strip->context, row, token);
}

/* A single number's ground is the label's, too, unless labels are marked. Brackets around the one
 * under the cursor. */
static void draw_token(const struct words_sheet *sheet, int y, size_t token)
{
    const struct scene *scene = sheet->scene;
    const struct strip *strip = sheet->strip;
    const int *begin = &sheet->begins[token - sheet->shown.tokens.first];
    const bool marks = strip->marked.end > 0;
    const bool marked = token >= strip->marked.first && token < strip->marked.end;
    struct area cell = {y, begin[0], 1, begin[1] - begin[0] - 1};
    const struct style plain = scene_label_style(scene, strip->side, token, ROLE_READABLE);
    struct style style = plain;
    if (strip->rows == 1 && !marks)
        style = style_on(sheet->canvas, plain,
                         number_at(sheet, 0, token) / (strip->shares > 0 ? 1 : strip->most));
    if (marked && !grid_by_glyph(sheet->canvas))
        style.back = (struct ink){ROLE_POSITIVE, STYLE_FULL / 2};
    style.bold |= marked;
    canvas_fill(sheet->canvas, cell, style);
    canvas_text(sheet->canvas, y, cell.x + 1, cell.columns - 2, style,
                scene_drawn(scene, strip->side, token).text);
    if (token == scene_token(scene, strip->side))
        words_bracket(sheet->canvas, cell, style);
    const bool alike = strip->rows == 1 && !marks; /* label and number */
    const struct style number = alike ? plain : style_of(ROLE_READABLE);
    for (size_t row = 0; row < strip->rows; row++) {
        cell.y++;
        if (!alike && row + strip->effects >= strip->rows)
            words_draw_effect(scene, sheet->canvas, cell, row + strip->effects - strip->rows, token,
                              strip->most);
        else if (row < strip->shares) {
            const double share = number_at(sheet, row, token);
            const struct style on = style_on(sheet->canvas, number, share);
            canvas_fill(sheet->canvas, cell, on);
            if (!isnan(share) && !(strip->sparse && share < 0.005))
                canvas_print(sheet->canvas, cell.y, cell.x + 1, cell.columns - 2, on, "%.2f",
                             share);
        } else
            draw_signed(sheet->canvas, cell, number, number_at(sheet, row, token), strip->most);
    }
    cell.y = y;
    cell.rows += (int)strip->rows;
    canvas_mark(sheet->canvas, cell, hit_token(strip->side, token));
}

/* Lines are placed again as they are drawn, since only one line's columns are kept at a time. */
static void strip_draw(struct words_sheet *sheet)
{
    const size_t count = scene_count(sheet->scene, sheet->strip->side);
    const struct area *area = &sheet->grid;
    const struct token_range *tokens = &sheet->shown.tokens;
    const struct strip *strip = sheet->strip;
    const int rows = line_rows(sheet);
    /* the chosen token's line is among those shown, in the middle as far as the ends allow */
    const size_t room = (size_t)int_max((area->rows - 1) / rows, 1);
    size_t line;
    const size_t lines = count_lines(sheet, scene_token(sheet->scene, strip->side), &line);
    place_line(sheet, 0);
    for (size_t above = grid_window(lines, room, line).first; above > 0; above--)
        place_line(sheet, tokens->end);
    const size_t first = tokens->first;
    struct pen pen = {sheet->canvas, area->y, area->x + 1, area->x + area->columns};
    size_t end = first;
    for (int y = area->y + 1; y + rows - 2 < area->y + area->rows && end < count; y += rows) {
        place_line(sheet, end);
        for (end = tokens->first; end < tokens->end; end++)
            draw_token(sheet, y, end);
        for (size_t row = 0; row < strip->rows; row++)
            if (strip->names[row])
                canvas_text(sheet->canvas, y + 1 + (int)row, area->x, names_columns(sheet),
                            style_of(ROLE_FAINT), strip->names[row]);
    }
    pen_print(&pen, style_bold(ROLE_STRONG), "%s", strip->title);
    if (strip->effects > 0)
        words_write_effects(sheet->scene, &pen);
    if (first > 0)
        pen_print(&pen, style_of(ROLE_FAINT), "   ↑ %zu", first);
    if (end < count)
        pen_print(&pen, style_of(ROLE_FAINT), "   ↓ %zu more", count - end);
}

struct area strip_above(struct strip *strip, const struct scene *scene, struct canvas *canvas,
                        struct area area, int rows)
{
    const struct area inside = {area.y, area.x + 2, area.rows - 1, area.columns - 4};
    struct words_sheet sheet = {scene, canvas, .grid = inside, .strip = strip};
    size_t line;
    strip->effects = words_effect_rows(scene);
    if (strip->effects > 0)
        strip->most = fmax(strip->most, words_largest_effect(scene));
    for (size_t row = 0; row < strip->effects; row++)
        strip->names[strip->rows++] = words_effect_names[row];
    const int wanted = 1 + (int)count_lines(&sheet, 0, &line) * line_rows(&sheet);
    sheet.grid.rows = int_min(wanted, int_max(rows, 2));
    strip_draw(&sheet);
    return area_below(inside, sheet.grid.rows);
}
