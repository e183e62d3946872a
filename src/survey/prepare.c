/* prepare.c: what a text is like before its weights are known: which pieces make up its words,
 * which word pieces occur twice, what depends on what. Names that are new get their place in the
 * survey. */
#include "headlight/base/memory.h"
#include "headlight/survey/prepared.h"
#include "headlight/text/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a text is like -------------------------------------------------------------------- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Words of one text: as the file gives them, joined by single blanks, or what blanks separate. */
static void find_words(struct survey_prepared *prepared, struct text text, uint8_t sentence)
{
    for (size_t at = 0; at < text.length;) {
        while (at < text.length && is_blank(text.bytes[at]))
            at++;
        const size_t begin = at;
        while (at < text.length && !is_blank(text.bytes[at]))
            at++;
        if (at > begin)
            prepared->words[prepared->word_count++] =
                (struct word){.begin = begin, .end = at, .sentence = sentence, .pos = NO_PLACE};
    }
}

/* A FORM may have a blank inside, so that words are counted by their lengths. */
static void take_words(struct survey_prepared *prepared, const struct corpus_text *text)
{
    size_t at = 0;
    for (size_t k = 0; k < text->word_count; k++) {
        const size_t end = at + text->words[k].form.length;
        prepared->words[k] = (struct word){.begin = at, .end = end, .pos = NO_PLACE};
        at = end + 1;
    }
    prepared->word_count = text->word_count;
}

/* The word in which a token's first byte lies; the blank before it may belong to the token. Tokens
 * come in the order of the text, and so the search goes on where the last one ended. */
static size_t word_of(const struct survey_prepared *prepared, const struct corpus_text *text,
                      const struct token *token, size_t from)
{
    const char *bytes = text->texts[token->sentence].bytes;
    size_t start = token->span.start;
    if (token->added)
        return NO_WORD;
    while (start < token->span.end && is_blank(bytes[start]))
        start++;
    for (size_t k = from; k < prepared->word_count; k++) {
        const struct word *word = &prepared->words[k];
        if (word->sentence > token->sentence ||
            (word->sentence == token->sentence && word->begin > start))
            break;
        if (word->sentence == token->sentence && start < word->end)
            return k;
    }
    return NO_WORD;
}

static void assign_pieces(struct survey_prepared *prepared, const struct corpus_text *text)
{
    size_t from = 0;
    for (size_t t = 0; t < prepared->tokens; t++) {
        const struct token *token = &prepared->encoding->tokens[t];
        const size_t k = word_of(prepared, text, token, from);
        prepared->word[t] = k;
        if (k == NO_WORD)
            continue;
        prepared->words[k].pieces++;
        from = k;
    }
}

/* As in model/encoded.c: special tokens and pieces such as [UNK] are no words that could occur
 * twice. */
static void find_repeated(struct survey_prepared *prepared, const struct tokenizer *tokenizer)
{
    const struct token *tokens = prepared->encoding->tokens;
    for (size_t t = 0; t < prepared->tokens; t++) {
        const char *label = tokenizer_label(tokenizer, tokens[t].id);
        const bool is_word = label && !tokens[t].added && words_is_known(label);
        prepared->separators[t] = label && words_is_separator(label);
        prepared->first[t] = NO_PLACE;
        for (size_t s = 0; is_word && s < t; s++) {
            if (tokens[s].id != tokens[t].id || tokens[s].added)
                continue;
            prepared->repeated += prepared->first[s] == NO_PLACE ? 2 : 1;
            prepared->first[s] = prepared->first[t] = s;
            break;
        }
    }
    for (size_t t = 0; t < prepared->tokens; t++)
        prepared->induced += prepared->first[t] != NO_PLACE && prepared->first[t] + 2 < t;
}

/* ---- Names of the survey -------------------------------------------------------------------- */

static enum status name_pieces(struct survey *survey, struct survey_prepared *prepared,
                               const struct tokenizer *tokenizer, struct error *error)
{
    for (size_t t = 0; t < prepared->tokens; t++) {
        const struct token *token = &prepared->encoding->tokens[t];
        if (token->added)
            continue;
        const char *piece = tokenizer_piece(tokenizer, token->id);
        const struct survey_key key = {.kind = ROW_PIECE,
                                       .names[1] = text_of_string(piece ? piece : ""),
                                       .numbers[0] = token->id};
        prepared->piece[t] = survey_insert(survey, &key, error);
        if (!prepared->piece[t])
            return error->status;
        prepared->piece[t]->numbers[0]++;
    }
    return STATUS_OK;
}

/* Counted where both words have left a piece. */
static enum status name_relation(struct survey *survey, struct survey_prepared *prepared,
                                 const struct corpus_word *word, size_t k, struct error *error)
{
    const size_t head = word->head;
    if (head == NO_WORD || word->relation.length == 0 || prepared->words[head].pieces == 0 ||
        (word->relation.length == 5 && memcmp(word->relation.bytes, "punct", 5) == 0))
        return STATUS_OK;
    const struct survey_key key = {.kind = ROW_RELATION, .names[0] = word->relation};
    struct survey_row *relation = survey_insert(survey, &key, error);
    if (!relation)
        return error->status;
    const ptrdiff_t offset = (ptrdiff_t)head - (ptrdiff_t)k;
    const bool near = offset >= -SURVEY_OFFSETS && offset <= SURVEY_OFFSETS;
    relation->numbers[0]++;
    relation->numbers[1 + (near ? offset + SURVEY_OFFSETS : SURVEY_OFFSET_FAR)]++;
    prepared->pairs[prepared->pair_count++] = (struct pair){k, head, relation};
    return STATUS_OK;
}

/* Counts a word of a part of speech. */
static enum status name_pos(struct survey *survey, struct survey_prepared *prepared,
                            struct text name, struct word *word, struct error *error)
{
    struct survey_row *row =
        survey_insert(survey, &(struct survey_key){.kind = ROW_POS, .names[0] = name}, error);
    if (!row)
        return error->status;
    row->numbers[0]++;
    for (word->pos = 0; word->pos < prepared->pos_count; word->pos++)
        if (prepared->pos[word->pos] == row)
            return STATUS_OK;
    prepared->pos[prepared->pos_count++] = row;
    return STATUS_OK;
}

/* What is between all parts of speech of the text. */
static enum status pair_pos(struct survey *survey, struct survey_prepared *prepared,
                            struct error *error)
{
    const size_t P = prepared->pos_count;
    prepared->mass = memory_new(P * P, sizeof(void *), 0, "a text", error);
    for (size_t i = 0; prepared->mass && i < P * P; i++) {
        const struct survey_key key = {
            .kind = ROW_MASS,
            .names = {prepared->pos[i / P]->key.names[0], prepared->pos[i % P]->key.names[0]}};
        if (!(prepared->mass[i] = survey_insert(survey, &key, error)))
            return error->status;
    }
    return prepared->mass ? STATUS_OK : error->status;
}

static enum status name_words(struct survey *survey, struct survey_prepared *prepared,
                              const struct corpus_text *text, struct error *error)
{
    for (size_t k = 0; text->words && k < text->word_count; k++) {
        const struct corpus_word *word = &text->words[k];
        if (prepared->words[k].pieces == 0)
            continue;
        if ((word->upos.length > 0 &&
             name_pos(survey, prepared, word->upos, &prepared->words[k], error) != STATUS_OK) ||
            name_relation(survey, prepared, word, k, error) != STATUS_OK)
            return error->status;
    }
    return pair_pos(survey, prepared, error);
}

/* ---- Preparing ------------------------------------------------------------------------------ */

void survey_prepared_free(struct survey_prepared *prepared)
{
    if (prepared)
        free(prepared->mass);
    free(prepared);
}

/* Words are at most as many as bytes and one more. */
enum status survey_describe(const struct corpus_text *text, const struct tokenizer *tokenizer,
                            const struct encoding *encoding, struct survey_prepared **result,
                            struct error *error)
{
    const size_t T = encoding->count;
    size_t N = text->words ? text->word_count : 0;
    for (size_t i = 0; !text->words && i < text->text_count; i++)
        N += text->texts[i].length / 2 + 1;
    struct survey_prepared *prepared = *result =
        memory_new(N, sizeof(struct word) + sizeof(struct pair) + sizeof(void *),
                   sizeof *prepared + T * (sizeof(void *) + 2 * sizeof(size_t) + sizeof(bool)),
                   "a text", error);
    if (!prepared)
        return error->status;
    prepared->encoding = encoding;
    prepared->tokens = T;
    prepared->words = (struct word *)(prepared + 1);
    prepared->pairs = (struct pair *)(prepared->words + N);
    prepared->piece = (struct survey_row **)(prepared->pairs + N);
    prepared->pos = prepared->piece + T;
    prepared->first = (size_t *)(prepared->pos + N);
    prepared->word = prepared->first + T;
    prepared->separators = (bool *)(prepared->word + T);
    if (text->words)
        take_words(prepared, text);
    for (size_t i = 0; !text->words && i < text->text_count; i++)
        find_words(prepared, text->texts[i], (uint8_t)i);
    assign_pieces(prepared, text);
    find_repeated(prepared, tokenizer);
    return STATUS_OK;
}

/* A blank in a word that the file gives is no blank between two. Of a text that is cut there are
 * more words than the string holds. */
static void mark_blanks(char *words, const struct corpus_text *text)
{
    for (size_t k = 0; text->words && k < text->word_count; k++)
        for (char *end = words + text->words[k].form.length; words <= end && *words; words++)
            if (words < end && is_blank(*words))
                *words = '\n';
}

enum status survey_keep(struct survey *survey, const struct corpus_text *text, bool marked,
                        struct survey_row **row, struct error *error)
{
    const struct text *second = &text->texts[1];
    const bool pair = text->text_count > 1;
    char *words =
        memory_print(error, "%.*s%s%.*s", (int)text->texts[0].length, text->texts[0].bytes,
                     pair ? "\t" : "", pair ? (int)second->length : 0, pair ? second->bytes : "");
    if (!words)
        return error->status;
    if (marked)
        mark_blanks(words, text);
    const struct survey_key key = {.kind = ROW_TEXT,
                                   .names = {survey_at(survey, ROW_SHARD, 0)->key.names[0],
                                             text_of_string(words), text_of_string(text->id)},
                                   .numbers = {(int64_t)text->number, (int64_t)text->hash}};
    *row = survey_insert(survey, &key, error);
    free(words);
    return *row ? STATUS_OK : error->status;
}

void survey_count_text(struct survey *survey, const struct corpus_text *text,
                       const struct survey_prepared *prepared)
{
    int64_t *totals = survey_at(survey, ROW_SHARD, 0)->numbers;
    totals[SURVEY_TEXTS]++;
    totals[SURVEY_TOKENS] += (int64_t)prepared->tokens;
    totals[SURVEY_WORDS] += (int64_t)prepared->word_count;
    totals[SURVEY_IDS] = (int64_t)((uint64_t)totals[SURVEY_IDS] + text->hash);
}

size_t survey_rows_of(const struct survey_prepared *prepared, enum survey_figure figure)
{
    switch (figure) {
    case SURVEY_PREVIOUS:
    case SURVEY_NEXT:
        return prepared->tokens - 1;
    case SURVEY_SAME:
        return prepared->repeated;
    case SURVEY_INDUCTION:
        return prepared->induced;
    default:
        return prepared->tokens;
    }
}

static void count_rows(struct survey *survey, const struct survey_prepared *prepared)
{
    for (size_t f = 0; f < SURVEY_ALWAYS; f++) {
        const size_t rows = survey_rows_of(prepared, (enum survey_figure)f);
        int64_t *numbers = survey_at(survey, ROW_FIGURE, f)->numbers;
        numbers[0] += (int64_t)rows;
        numbers[1] += (int64_t)(rows * rows);
    }
}

/* No sum of a text is larger than its tokens times their distances. */
static enum status check_bound(const struct survey *survey, size_t tokens, struct error *error)
{
    const int64_t squares = survey_figure(survey, SURVEY_SELF)->numbers[1];
    if (squares <= INT64_MAX / 4 / SURVEY_UNIT - (int64_t)(tokens * tokens))
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "%" PRId64 " texts are as many as the sums have space for: survey the rest as "
                     "shards of another corpus",
                     survey_total(survey, SURVEY_TEXTS));
}

enum status survey_prepare(struct survey *survey, const struct corpus_text *text,
                           const struct tokenizer *tokenizer, const struct encoding *encoding,
                           struct survey_prepared **result, struct error *error)
{
    struct survey_prepared *prepared = NULL;
    *result = NULL;
    if (check_bound(survey, encoding->count, error) != STATUS_OK ||
        survey_describe(text, tokenizer, encoding, &prepared, error) != STATUS_OK || !prepared)
        return error->status;
    if (survey_keep(survey, text, true, &prepared->text, error) != STATUS_OK ||
        name_pieces(survey, prepared, tokenizer, error) != STATUS_OK ||
        name_words(survey, prepared, text, error) != STATUS_OK) {
        survey_prepared_free(prepared);
        return error->status;
    }
    count_rows(survey, prepared);
    survey_count_text(survey, text, prepared);
    survey->prepared++;
    *result = prepared;
    return STATUS_OK;
}

enum status survey_finish(struct survey *survey, struct survey_prepared *prepared,
                          struct error *error)
{
    survey_prepared_free(prepared);
    survey->prepared--;
    if (atomic_load_explicit(&survey->out_of_memory, memory_order_relaxed))
        return error_memory(error, "a head's words", survey->heads * sizeof(double));
    if (survey->prepared == 0 && survey_count(survey, ROW_TEXT) >= survey->prune_at) {
        survey_prune(survey);
        survey->prune_at = 2 * survey_count(survey, ROW_TEXT) + 1024;
    }
    return STATUS_OK;
}
