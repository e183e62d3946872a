/* answers_shown.c: which of the things that a model can say is shown, and what stands at a token:
 * what the views of answers and their lists share. */
#include "headlight/view/words.h"

#define PIECE_LEAST 3
#define PIECE_MOST  14
#define AROUND      3 /* brackets and a gap */

/* ---- What there is ---- */

static const struct {
    const char *name;
    enum model_output output;
} rows[ANSWERS_COUNT] = {[ANSWERS_FIRST] = {"first", OUTPUT_COUNT},
                         [ANSWERS_CLASSES] = {"classes", OUTPUT_CLASSES},
                         [ANSWERS_TAGS] = {"tags", OUTPUT_TAGS},
                         [ANSWERS_SPAN] = {"span", OUTPUT_START},
                         [ANSWERS_WORDS] = {"words", OUTPUT_MLM},
                         [ANSWERS_REPLACED] = {"replaced", OUTPUT_RTD},
                         [ANSWERS_SENTENCE] = {"sentence", OUTPUT_SENTENCE}};

/* A recording has logits, but no names for what they are of. */
static bool can_say(const struct data *data, enum answers kind)
{
    if (kind == ANSWERS_WORDS)
        return !data->no_lens[0];
    if (kind == ANSWERS_SENTENCE)
        return data->checkpoint && data->checkpoint->model->config.sentence;
    if (data->checkpoint)
        return data->checkpoint->model->weights.has[rows[kind].output];
    return kind == ANSWERS_REPLACED && data->trace && data->trace->outputs[OUTPUT_RTD];
}

enum answers answers_next(const struct data *data, enum answers kind)
{
    do
        kind++;
    while (kind < ANSWERS_COUNT && !can_say(data, kind));
    return kind;
}

bool answers_several(const struct data *data)
{
    return answers_next(data, answers_next(data, ANSWERS_FIRST)) < ANSWERS_COUNT;
}

enum answers answers_shown(const struct look *look, const struct data *data)
{
    if (look->answers != ANSWERS_FIRST && can_say(data, look->answers))
        return look->answers;
    const enum answers first = answers_next(data, ANSWERS_FIRST);
    return first < ANSWERS_COUNT ? first : ANSWERS_FIRST;
}

enum model_output answers_output(const struct look *look, const struct data *data)
{
    const enum answers kind = answers_shown(look, data);
    return kind == ANSWERS_WORDS ? (data->next ? OUTPUT_LM : OUTPUT_MLM) : rows[kind].output;
}

const char *answers_name(enum answers kind)
{
    return rows[kind].name;
}

const struct labels *answers_labels(const struct scene *scene)
{
    return &scene->data.checkpoint->model->labels;
}

const char *similarity_name(const struct scene *scene)
{
    return similarity_names[scene->data.checkpoint->model->config.sentence->similarity];
}

/* ---- Pieces, columns, brackets ---- */

/* A cell without predictions hasn't been read: every vocabulary has at least one piece. */
const struct lens_cell *words_cell(const struct scene *scene, size_t layer, size_t token)
{
    const struct data *data = &scene->data;
    const struct lens_cell *cell = data->lens ? &data->lens[layer * data->tokens + token] : NULL;
    return cell && cell->count > 0 ? cell : NULL;
}

bool words_untrained(const struct scene *scene, size_t token)
{
    const struct encoding *encoding = scene->data.encoded->encoding;
    return token != NO_TOKEN && !scene->data.next && encoding && encoding->tokens[token].added;
}

bool words_is_masked(const struct data *data, size_t token)
{
    return data->checkpoint && !data->next && data->trace->ids &&
           data->trace->ids[token] == tokenizer_mask(data->checkpoint->tokenizer);
}

size_t words_masked(const struct data *data)
{
    size_t token = 0;
    while (token < data->tokens && !words_is_masked(data, token))
        token++;
    return token < data->tokens ? token : NO_TOKEN;
}

/* Of a target that has ended the first, which says a word by the source alone: with others before
 * it hardly any head or word of the source matters by itself. Where it attends to itself, the last
 * that says a word. Of one that goes on, the last. */
size_t words_asked(const struct look *look, const struct data *data)
{
    const struct encoded *target = encoded_speaker(data->encoded);
    const size_t last = target->sides[SIDE_LEFT].count - 1;
    const bool given =
        target->generated.count == 0 && encoded_given_texts(data->encoded)->text_count > 1;
    if (target->said.count == 0 || look->asked <= last)
        return target->said.count > 0 ? look->asked : last;
    return !given && !target->ended ? last : data->encoded == target && last > 0 ? last - 1 : 0;
}

struct token_name words_asked_name(const struct scene *scene, size_t asked, bool ascii)
{
    const struct token_side *target = encoded_speaker(scene->data.encoded)->sides;
    return scene->data.encoded->site == SITE_ENCODER
               ? scene_name_among(target->labels, target->count, asked, false, ascii)
               : sentence_token(scene, asked, ascii);
}

bool words_are_tags(const struct scene *scene)
{
    return answers_shown(&scene->look, &scene->data) == ANSWERS_TAGS;
}

/* Borrowed from the tokenizer; as it is shown, with marks such as ##. */
const char *words_piece(const struct scene *scene, int32_t id)
{
    if (words_are_tags(scene))
        return (size_t)id < answers_labels(scene)->count ? answers_labels(scene)->names[id] : "?";
    return tokenizer_label(scene->data.checkpoint->tokenizer, id);
}

/* Of all layers, not of those on screen: columns mustn't jump while the layers scroll. Cells that
 * aren't read yet don't count, so columns may grow while a lens is computed. */
int words_columns(const struct words_sheet *sheet, size_t token)
{
    const struct strip *strip = sheet->strip;
    const struct token_name name =
        scene_drawn(sheet->scene, strip ? strip->side : SIDE_LEFT, token);
    const bool numbers =
        strip ? strip->rows > strip->shares : sheet->scene->look.without != WORDS_KEPT;
    const int least = numbers ? 5 : !strip ? PIECE_LEAST : strip->rows == 0 ? 1 : 4;
    int widest = int_max(least, canvas_width(sheet->canvas, name.text));
    for (size_t layer = 0; layer < sheet->scene->data.layers && !strip; layer++) {
        const struct lens_cell *cell = words_cell(sheet->scene, layer, token);
        const char *piece = cell ? words_piece(sheet->scene, cell->best[0].id) : "";
        widest = int_max(widest, canvas_width(sheet->canvas, piece));
    }
    return int_min(widest, PIECE_MOST) + AROUND;
}

/* In the blanks that each cell has on both sides of its text. */
void words_bracket(struct canvas *canvas, struct area cell, struct style style)
{
    canvas_text(canvas, cell.y, cell.x, 1, style, "[");
    canvas_text(canvas, cell.y, cell.x + cell.columns - 1, 1, style, "]");
}
