#include "headlight/lens/attention.h"

#include "headlight/base/size.h"
#include "headlight/lens/words.h"

#include <stdlib.h>
#include <string.h>

#define MEAN_PIECE 1024 /* weights of a map that are summed at a time */

/* ---- Tokens ---- */

/* Room for the lists of both sides: labels, ranges, and the letters of merged words. */
static size_t lists_size(const struct token_side sides[2])
{
    size_t bytes = 0;
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        for (size_t i = 0; i < sides[side].count; i++)
            bytes +=
                sizeof(char *) + sizeof(struct token_range) + strlen(sides[side].labels[i]) + 1;
    return bytes;
}

static bool any_plain(const struct token_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        if (!side->special[i])
            return true;
    return false;
}

/* Where the letters of the next merged word go. */
struct letters {
    char *next;
};

/* One piece stands for itself, under its own label; several are written one after the other. */
static const char *word_label(const struct token_side *side, struct token_range of,
                              enum word_marks marks, struct letters *letters)
{
    const char *label = letters->next;
    if (of.end == of.first + 1)
        return words_part(side->labels[of.first], false, marks);
    for (size_t i = of.first; i < of.end; i++) {
        const char *part = words_part(side->labels[i], i > of.first, marks);
        strcpy(letters->next, part);
        letters->next += strlen(part);
    }
    letters->next++;
    return label;
}

/* A piece by itself: the mark that says "a word begins" is left away; a mark alone is a blank. */
static const char *piece_label(const char *label, enum word_marks marks)
{
    const char *plain = words_part(label, false, marks);
    return *plain || !*label ? plain : "␣";
}

static void fill_list(const struct token_side *side, const struct shape *shape,
                      struct token_list *list, const char **labels, struct token_range *of,
                      struct letters *letters)
{
    bool hide = shape->special != SPECIAL_SHOWN && any_plain(side);
    enum word_marks marks = words_marks(side->labels, side->count);
    *list = (struct token_list){.labels = labels, .of = of};
    for (size_t i = 0, end; i < side->count; i = end) {
        end = i + 1;
        while (shape->words && end < side->count && end != side->boundary &&
               words_continue(side->labels, side->special, end, marks))
            end++;
        if (hide && side->special[i])
            continue;
        of[list->count] = (struct token_range){i, end};
        labels[list->count] = shape->words ? word_label(side, of[list->count], marks, letters)
                                           : piece_label(side->labels[i], marks);
        list->count++;
        list->boundary += i < side->boundary;
    }
}

static enum status make_lists(struct attention *attention, const struct token_side sides[2],
                              const struct shape *shape, struct error *error)
{
    size_t bytes = lists_size(sides) + 1, tokens = sides[0].count + sides[1].count;
    struct token_range *of = malloc(bytes);
    if (!of)
        return error_memory(error, "the tokens", bytes);
    attention->lists = of;
    const char **labels = (const char **)(of + tokens);
    struct letters letters = {(char *)(labels + tokens)};
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        fill_list(&sides[side], shape, &attention->tokens[side], labels, of, &letters);
        labels += sides[side].count;
        of += sides[side].count;
    }
    return STATUS_OK;
}

size_t attention_shown(const struct attention *attention, enum side side, size_t token)
{
    const struct token_list *tokens = &attention->tokens[side];
    for (size_t i = 0; i < tokens->count; i++)
        if (token >= tokens->of[i].first && token < tokens->of[i].end)
            return i;
    return SIZE_MAX;
}

/* ---- Weights ---- */

/* What the columns that are shown have of a row, as a factor: 1, or one over their sum. */
static double row_factor(const struct token_list *columns, const float *row, enum special special)
{
    double sum = 0;
    if (special != SPECIAL_RENORMALISED)
        return 1;
    for (size_t c = 0; c < columns->count; c++)
        for (size_t to = columns->of[c].first; to < columns->of[c].end; to++)
            sum += (double)row[to];
    return sum > 0 ? 1 / sum : 1;
}

/* out[c] += factor · the sum of the pieces of word c: [C] from [S] */
static void add_row(const struct token_list *columns, const float *row, double factor, float *out)
{
    for (size_t c = 0; c < columns->count; c++) {
        struct token_range of = columns->of[c];
        double sum = (double)row[of.first];
        for (size_t to = of.first + 1; to < of.end; to++)
            sum += (double)row[to];
        out[c] += (float)(factor * sum);
    }
}

/* One head: [R,C] from [T,S]. */
static void shape_head(const struct attention *attention, const float *weights, float *out)
{
    size_t attended = attention->trace->attended;
    const struct token_list *rows = &attention->tokens[SIDE_LEFT];
    const struct token_list *columns = &attention->tokens[SIDE_RIGHT];
    for (size_t r = 0; r < rows->count; r++) {
        struct token_range of = rows->of[r];
        for (size_t from = of.first; from < of.end; from++) {
            const float *row = weights + from * attended;
            double factor =
                row_factor(columns, row, attention->special) / (double)(of.end - of.first);
            add_row(columns, row, factor, out + r * columns->count);
        }
    }
}

/* Room for the weights of so many layers, which costs nothing until it is written to. */
static enum status allocate(struct attention *attention, size_t layers, size_t heads,
                            struct error *error)
{
    size_t count = layers;
    if (!size_multiply(count, heads, &count) ||
        !size_multiply(count, attention->tokens[SIDE_LEFT].count, &count) ||
        !size_multiply(count, attention->tokens[SIDE_RIGHT].count, &count))
        return error_set(error, STATUS_LIMIT, "the weights shown are more than can be addressed");
    attention->owned = calloc(count > 0 ? count : 1, sizeof *attention->owned);
    if (!attention->owned)
        return error_memory(error, "the weights shown", count * sizeof *attention->owned);
    return STATUS_OK;
}

static const float *shape_layer(const struct attention *attention, size_t l)
{
    const struct trace *trace = attention->trace;
    size_t rows = attention->tokens[SIDE_LEFT].count, columns = attention->tokens[SIDE_RIGHT].count;
    float *shaped = attention->owned + l * attention->heads * rows * columns; /* [A,R,C] */
    for (size_t head = 0; head < attention->heads; head++)
        shape_head(attention, trace->layer[l].weights + head * trace->tokens * trace->attended,
                   shaped + head * rows * columns);
    return shaped;
}

enum status attention_add(struct attention *attention, struct token_range layers,
                          struct error *error)
{
    const struct trace *trace = attention->trace;
    size_t rows = attention->tokens[SIDE_LEFT].count, columns = attention->tokens[SIDE_RIGHT].count;
    bool whole = rows == trace->tokens && columns == trace->attended; /* none hidden or merged */
    if (!whole && !attention->owned && layers.first < layers.end &&
        allocate(attention, attention->layers, attention->heads, error) != STATUS_OK)
        return error->status;
    if (whole && layers.first < layers.end) /* costs nothing */
        layers = (struct token_range){0, attention->layers};
    for (size_t l = layers.first; l < layers.end; l++)
        if (!attention->weights[l])
            attention->weights[l] = whole ? trace->layer[l].weights : shape_layer(attention, l);
    return STATUS_OK;
}

static struct attention *new_empty(size_t layers, size_t heads, struct error *error)
{
    struct attention *attention = calloc(1, sizeof *attention);
    const float **weights = calloc(layers, sizeof *weights);
    if (!attention || !weights) {
        free(attention);
        free(weights);
        error_memory(error, "the weights shown", layers * sizeof *weights);
        return NULL;
    }
    *attention = (struct attention){.layers = layers, .heads = heads, .weights = weights};
    return attention;
}

enum status attention_new(const struct trace *trace, const struct token_side sides[2],
                          const struct shape *shape, struct token_range layers,
                          struct attention **out, struct error *error)
{
    *out = NULL;
    struct attention *attention = new_empty(trace->layers, trace->heads, error);
    if (!attention)
        return error->status;
    attention->trace = trace;
    attention->special = shape->special;
    if (make_lists(attention, sides, shape, error) != STATUS_OK ||
        attention_add(attention, layers, error) != STATUS_OK) {
        attention_free(attention);
        return error->status;
    }
    *out = attention;
    return STATUS_OK;
}

/* sums[i] += weights[first + i] */
static void add_piece(const float *weights, struct token_range piece, double sums[MEAN_PIECE])
{
    for (size_t i = piece.first; i < piece.end; i++)
        sums[i - piece.first] += (double)weights[i];
}

/* Piece by piece, and in each map by map: what lies side by side in memory is read side by side,
 * and the sums stay at hand. */
enum status attention_mean(const struct attention *from, struct token_range layers, uint64_t heads,
                           struct attention **out, struct error *error)
{
    size_t cells = from->tokens[SIDE_LEFT].count * from->tokens[SIDE_RIGHT].count;
    double factor = 1.0 / ((double)(layers.end - layers.first) * __builtin_popcountll(heads));
    *out = NULL;
    struct attention *mean = new_empty(1, 1, error);
    if (!mean)
        return error->status;
    memcpy(mean->tokens, from->tokens, sizeof mean->tokens);
    if (allocate(mean, 1, 1, error) != STATUS_OK) {
        attention_free(mean);
        return error->status;
    }
    mean->weights[0] = mean->owned;
    for (size_t first = 0; first < cells; first += MEAN_PIECE) {
        struct token_range piece = {first, size_min(first + MEAN_PIECE, cells)};
        double sums[MEAN_PIECE] = {0};
        for (size_t l = layers.first; l < layers.end; l++)
            for (size_t head = 0; head < from->heads; head++)
                if (heads >> head & 1)
                    add_piece(from->weights[l] + head * cells, piece, sums);
        for (size_t i = piece.first; i < piece.end; i++)
            mean->owned[i] = heads ? (float)(sums[i - first] * factor) : 0;
    }
    *out = mean;
    return STATUS_OK;
}

void attention_free(struct attention *attention)
{
    if (!attention)
        return;
    free(attention->weights);
    free(attention->owned);
    free(attention->lists);
    free(attention);
}
