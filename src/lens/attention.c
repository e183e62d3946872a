/* attention.c: attention as shown: a map whose special tokens may be hidden, whose pieces may be
 * merged into words, and whose heads may be averaged. Layers are computed on demand, as a long
 * text has too many rows to keep. Where nothing is hidden or merged, the map's own numbers are
 * shown and nothing is copied. */
#include "headlight/lens/attention.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"

/* ---- Tokens ---- */

/* Where the lists of both sides are written, one behind the other. */
struct lists {
    struct token_range *of;
    const char **labels;
    char *letters; /* of merged words */
};

const char *attention_label(const struct token_side *side, size_t token)
{
    const char *label = side->labels[token], *plain = words_part(label, false, side->marks);
    return *plain || !*label ? plain : "␣";
}

/* A text of special tokens only is shown nevertheless. Of a first word of several pieces only the
 * first is a sink. Of a word one piece keeps its label; several are joined. */
static struct token_list make_list(const struct token_side *side, const struct shape *shape,
                                   struct lists *lists)
{
    bool hide = false;
    for (size_t i = 0; shape->special != SPECIAL_SHOWN && i < side->count; i++)
        hide |= !side->sinks[i];
    struct token_list list = {.labels = lists->labels, .of = lists->of};
    for (size_t i = 0, end; i < side->count; i = end) {
        end = i + 1;
        if (hide && side->sinks[i])
            continue;
        while (shape->words && end < side->count && side->continues[end])
            end++;
        *lists->of = (struct token_range){i, end};
        *lists->labels = !shape->words  ? attention_label(side, i)
                         : end == i + 1 ? words_part(side->labels[i], false, side->marks)
                                        : lists->letters;
        for (size_t piece = i; end > i + 1 && piece < end; piece++)
            lists->letters =
                stpcpy(lists->letters, words_part(side->labels[piece], piece > i, side->marks));
        lists->letters += end > i + 1;
        lists->labels++;
        lists->of++;
        list.count++;
        list.boundary += i < side->boundary;
    }
    return list;
}

size_t attention_shown(const struct attention *attention, enum side side, size_t token)
{
    const struct token_list *tokens = &attention->tokens[side];
    for (size_t i = 0; i < tokens->count; i++)
        if (token >= tokens->of[i].first && token < tokens->of[i].end)
            return i;
    return SIZE_MAX;
}

/* What pieces of a word see has no gap. */
struct token_range attention_visible(const struct attention *attention, size_t layer, size_t from)
{
    const struct token_list *columns = &attention->tokens[SIDE_RIGHT];
    const struct map *map = attention->map;
    struct token_range shown = {0, columns->count};
    if (!map || !map_infos[map->kind].by_head)
        return shown;
    const struct token_range of = attention->tokens[SIDE_LEFT].of[from];
    const size_t first = trace_visible(map->trace, layer, of.first).first,
                 end = trace_visible(map->trace, layer, of.end - 1).end;
    while (shown.end > 0 && columns->of[shown.end - 1].first >= end)
        shown.end--;
    while (shown.first < shown.end && columns->of[shown.first].end <= first)
        shown.first++;
    return shown;
}

/* ---- Weights ---- */

/* A row's number for a word: the sum over its pieces, or their mean. */
static double of_pieces(const struct attention *attention, const float *row, struct token_range of)
{
    double sum = (double)row[of.first];
    for (size_t to = of.first + 1; to < of.end; to++)
        sum += (double)row[to];
    return map_infos[attention->map->kind].shares ? sum : sum / (double)(of.end - of.first);
}

/* The factor that rescales a row: 1 over the sum of its visible columns, or 1. */
static double row_factor(const struct attention *attention, const float *row)
{
    const struct token_list *columns = &attention->tokens[SIDE_RIGHT];
    double sum = 0;
    if (attention->shape.special != SPECIAL_RENORMALISED ||
        !map_infos[attention->map->kind].shares || attention->map->kind == MAP_DIFFERENCE)
        return 1;
    for (size_t c = 0; c < columns->count; c++)
        sum += of_pieces(attention, row, columns->of[c]);
    return sum > 0 ? 1 / sum : 1;
}

/* Whether the map's numbers are drawn unchanged. */
static bool is_direct(const struct map *map)
{
    return map_infos[map->kind].absolute && !map_infos[map->kind].is_signed;
}

/* [T,S] of a head. */
static const float *map_rows(const struct map *map, size_t layer, size_t head)
{
    return map->values[layer] + head * map->rows * map->columns;
}

/* Signs are those of the merged numbers: magnitudes, relative to the layer's largest, are taken
 * last. That of a masked score is 0. */
void attention_signed_rows(const struct attention *attention, size_t layer, size_t head,
                           struct token_range rows, float *out)
{
    const struct map *map = attention->map;
    const struct token_range *to = attention->tokens[SIDE_RIGHT].of;
    size_t columns = attention_count(attention, SIDE_RIGHT);
    for (size_t r = rows.first; r < rows.end; r++, out += columns) {
        const struct token_range of = attention->tokens[SIDE_LEFT].of[r];
        memset(out, 0, columns * sizeof *out);
        for (size_t from = of.first; from < of.end; from++) {
            const float *row = map_rows(map, layer, head) + from * map->columns;
            const double factor = row_factor(attention, row) / (double)(of.end - of.first);
            for (size_t c = 0; c < columns; c++)
                out[c] += (float)(factor * of_pieces(attention, row, to[c]));
        }
        for (size_t c = 0; c < columns && !is_direct(map); c++) {
            const float share = fabsf(out[c]) / map->largest[layer];
            out[c] = copysignf(isinf(out[c]) ? 0 : share < 1 ? share : 1, out[c]);
        }
    }
}

float attention_value(const struct attention *attention, size_t layer, size_t head, size_t from,
                      size_t to)
{
    struct token_range of = attention->tokens[SIDE_LEFT].of[from];
    double sum = 0;
    for (size_t i = of.first; i < of.end; i++) {
        const float *row = map_rows(attention->map, layer, head) + i * attention->map->columns;
        sum += row_factor(attention, row) *
               of_pieces(attention, row, attention->tokens[SIDE_RIGHT].of[to]);
    }
    return (float)(sum / (double)(of.end - of.first));
}

/* Shaping is not cached here: whoever averages all layers would fill the memory. */
const float *attention_rows(const struct attention *attention, size_t layer, size_t head,
                            struct token_range rows, float *buffer)
{
    const size_t count = (rows.end - rows.first) * attention_count(attention, SIDE_RIGHT);
    if (attention->weights[layer])
        return attention_row(attention, layer, head, rows.first);
    attention_signed_rows(attention, layer, head, rows, buffer);
    for (size_t i = 0; i < count && map_infos[attention->map->kind].is_signed; i++)
        buffer[i] = fabsf(buffer[i]);
    return buffer;
}

/* Memory for the weights of all layers; pages cost nothing until written. */
static enum status attention_allocate(struct attention *attention, struct error *error)
{
    attention->owned =
        memory_new(attention->layers * attention->heads,
                   attention_count(attention, SIDE_LEFT) * attention_count(attention, SIDE_RIGHT) *
                       sizeof *attention->owned,
                   0, "the weights shown", error);
    return attention->owned ? STATUS_OK : error->status;
}

/* A layer being shaped, head by head. */
struct shaping {
    const struct attention *attention;
    size_t layer;
    float *out; /* [A,R,C] */
};

static void shape_heads(const struct pool_thread *thread, void *context)
{
    const struct shaping *shaping = context;
    const struct attention *attention = shaping->attention;
    const struct token_range rows = {0, attention_count(attention, SIDE_LEFT)};
    for (size_t head; (head = pool_claim(thread)) < attention->heads;)
        attention_rows(attention, shaping->layer, head, rows,
                       shaping->out + head * rows.end * attention_count(attention, SIDE_RIGHT));
}

/* Heads are independent, so each thread takes its own. */
enum status attention_add(struct attention *attention, struct token_range layers,
                          struct error *error)
{
    const struct map *map = attention->map;
    const size_t R = attention_count(attention, SIDE_LEFT),
                 C = attention_count(attention, SIDE_RIGHT), weights = attention->heads * R * C;
    const bool whole = R == map->rows && C == map->columns && is_direct(map); /* single tokens */
    if (layers.first >= layers.end)
        return STATUS_OK;
    if (whole) /* without computing anything */
        layers = (struct token_range){0, attention->layers};
    else if (!attention->owned && attention_allocate(attention, error) != STATUS_OK)
        return error->status;
    for (size_t l = layers.first; l < layers.end; l++) {
        struct shaping shaping = {attention, l, whole ? NULL : attention->owned + l * weights};
        if (attention->weights[l] || !map->values[l])
            continue;
        if (!whole)
            pool_run(pool_size_for(weights), shape_heads, &shaping);
        attention->weights[l] = whole ? map->values[l] : shaping.out;
    }
    return STATUS_OK;
}

/* In one block with the list of its layers. */
static struct attention *new_empty(size_t layers, size_t heads, struct error *error)
{
    struct attention *attention = memory_new(layers, sizeof *attention->weights, sizeof *attention,
                                             "the weights shown", error);
    if (attention)
        *attention = (struct attention){
            .layers = layers, .heads = heads, .weights = (const float **)(attention + 1)};
    return attention;
}

enum status attention_new(const struct map *map, const struct token_side sides[2],
                          const struct shape *shape, struct token_range layers,
                          struct attention **out, struct error *error)
{
    struct attention *attention = new_empty(map->layers, map->heads, error);
    *out = attention;
    if (!attention)
        return error->status;
    attention->map = map;
    attention->shape = *shape;
    const size_t tokens = sides[0].count + sides[1].count;
    size_t letters = 0;
    for (size_t i = 0; i < tokens; i++)
        letters += 1 + strlen(i < sides[0].count ? sides[0].labels[i]
                                                 : sides[1].labels[i - sides[0].count]);
    struct lists lists = {.of = memory_new(tokens, sizeof *lists.of + sizeof *lists.labels, letters,
                                           "the tokens", error)};
    if (lists.of) {
        attention->lists = lists.of;
        lists.labels = (const char **)(lists.of + tokens);
        lists.letters = (char *)(lists.labels + tokens);
        for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
            attention->tokens[side] = make_list(&sides[side], shape, &lists);
        if (attention_add(attention, layers, error) == STATUS_OK)
            return STATUS_OK;
    }
    attention_free(attention);
    *out = NULL;
    return error->status;
}

/* A mean of heads, row by row. */
struct averaging {
    const struct attention *from;
    struct token_range layers;
    head_mask heads;
    double *sums;  /* for each thread, [C] */
    float *shaped; /* the same */
    float *mean;   /* [R,C] */
};

static void average_rows(const struct pool_thread *thread, void *context)
{
    const struct averaging *averaging = context;
    const struct attention *from = averaging->from;
    const struct token_range layers = averaging->layers;
    const size_t columns = attention_count(from, SIDE_RIGHT);
    const double maps = (double)((layers.end - layers.first) * head_mask_count(averaging->heads));
    double *sums = averaging->sums + thread->index * columns;
    float *shaped = averaging->shaped + thread->index * columns;
    for (size_t r; (r = pool_claim(thread)) < attention_count(from, SIDE_LEFT);) {
        const struct token_range row = {r, r + 1};
        memset(sums, 0, columns * sizeof *sums);
        for (size_t l = layers.first; l < layers.end; l++)
            for (size_t head = 0; head < from->heads; head++) {
                if (!head_mask_has(averaging->heads, head))
                    continue;
                const float *weights = attention_rows(from, l, head, row, shaped);
                for (size_t c = 0; c < columns; c++)
                    sums[c] += (double)weights[c];
            }
        for (size_t c = 0; c < columns && averaging->heads; c++)
            averaging->mean[r * columns + c] = (float)(sums[c] * (1 / maps));
    }
}

/* The mean borrows the lists, which attention_free leaves alone, and has no map of its own. */
enum status attention_mean(const struct attention *from, struct token_range layers, head_mask heads,
                           struct attention **out, struct error *error)
{
    const size_t columns = attention_count(from, SIDE_RIGHT);
    const size_t maps = (layers.end - layers.first) * head_mask_count(heads);
    const size_t threads = pool_size_for(maps * attention_count(from, SIDE_LEFT) * columns);
    struct attention *mean = *out = new_empty(1, 1, error);
    if (!mean)
        return error->status;
    memcpy(mean->tokens, from->tokens, sizeof mean->tokens);
    double *sums = memory_new(threads * columns, sizeof(double) + sizeof(float), 0,
                              "the mean of the heads", error);
    if (!sums || attention_allocate(mean, error) != STATUS_OK) {
        free(sums);
        attention_free(mean);
        *out = NULL;
        return error->status;
    }
    mean->weights[0] = mean->owned;
    struct averaging averaging = {
        from, layers, heads, sums, (float *)(void *)(sums + threads * columns), mean->owned};
    pool_run(threads, average_rows, &averaging);
    free(sums);
    return STATUS_OK;
}

void attention_free(void *thing)
{
    struct attention *attention = thing;
    if (!attention)
        return;
    free(attention->owned);
    free(attention->lists);
    free(attention);
}
