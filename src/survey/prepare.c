/* prepare.c: what a text is like before its weights are known: which pieces make up its words,
 * which word pieces occur twice, what depends on what. Names that are new get their place in the
 * survey. */
#include "headlight/base/memory.h"
#include "headlight/survey/prepared.h"
#include "headlight/text/words.h"

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
        prepared->piece[t] = NO_PLACE;
        if (token->added)
            continue;
        prepared->piece[t] =
            survey_piece_index(survey, token->id, tokenizer_piece(tokenizer, token->id), error);
        if (prepared->piece[t] == SIZE_MAX)
            return error->status;
        survey->pieces[prepared->piece[t]].count++;
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
    const size_t r = survey_relation_index(survey, word->relation, error);
    if (r == SIZE_MAX)
        return error->status;
    const ptrdiff_t offset = (ptrdiff_t)head - (ptrdiff_t)k;
    const bool near = offset >= -SURVEY_OFFSETS && offset <= SURVEY_OFFSETS;
    survey->relations[r].count++;
    survey->relations[r].offsets[near ? offset + SURVEY_OFFSETS : SURVEY_OFFSET_FAR]++;
    prepared->pairs[prepared->pair_count++] = (struct pair){k, head, r};
    return STATUS_OK;
}

static enum status name_words(struct survey *survey, struct survey_prepared *prepared,
                              const struct corpus_text *text, struct error *error)
{
    for (size_t k = 0; text->words && k < text->word_count; k++) {
        const struct corpus_word *word = &text->words[k];
        if (prepared->words[k].pieces == 0)
            continue;
        if (word->upos.length > 0) {
            const size_t pos = survey_pos_index(survey, word->upos, error);
            if (pos == SIZE_MAX)
                return error->status;
            prepared->words[k].pos = pos;
            survey->pos_words[pos]++;
        }
        if (name_relation(survey, prepared, word, k, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* ---- Preparing ------------------------------------------------------------------------------ */

void survey_prepared_free(struct survey_prepared *prepared)
{
    if (!prepared)
        return;
    free(prepared->separators);
    free(prepared->first);
    free(prepared->piece);
    free(prepared->word);
    free(prepared->words);
    free(prepared->pairs);
    free(prepared);
}

/* Words are at most as many as bytes and one more. */
static enum status make_room(struct survey_prepared *prepared, const struct corpus_text *text,
                             struct error *error)
{
    const size_t T = prepared->tokens;
    size_t words = text->words ? text->word_count : 0;
    for (size_t i = 0; !text->words && i < text->text_count; i++)
        words += text->texts[i].length / 2 + 1;
    prepared->separators = memory_new(T, sizeof(bool), 0, "a text", error);
    prepared->first = memory_new(T, sizeof(size_t), 0, "a text", error);
    prepared->piece = memory_new(T, sizeof(size_t), 0, "a text", error);
    prepared->word = memory_new(T, sizeof(size_t), 0, "a text", error);
    prepared->words = memory_new(words, sizeof *prepared->words, 0, "a text", error);
    prepared->pairs = memory_new(words, sizeof *prepared->pairs, 0, "a text", error);
    return prepared->separators && prepared->first && prepared->piece && prepared->word &&
                   prepared->words && prepared->pairs
               ? STATUS_OK
               : error->status;
}

enum status survey_describe(const struct corpus_text *text, const struct tokenizer *tokenizer,
                            const struct encoding *encoding, struct survey_prepared **result,
                            struct error *error)
{
    struct survey_prepared *prepared = *result =
        memory_new(1, sizeof *prepared, 0, "a text", error);
    if (!prepared)
        return error->status;
    prepared->encoding = encoding;
    prepared->tokens = encoding->count;
    if (make_room(prepared, text, error) != STATUS_OK) {
        survey_prepared_free(prepared);
        *result = NULL;
        return error->status;
    }
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

/* Its words, for an example. */
static enum status keep(struct survey *survey, size_t corpus, const struct corpus_text *text,
                        size_t *index, struct error *error)
{
    const struct text *second = &text->texts[1];
    const bool pair = text->text_count > 1;
    char *words =
        memory_print(error, "%.*s%s%.*s", (int)text->texts[0].length, text->texts[0].bytes,
                     pair ? "\t" : "", pair ? (int)second->length : 0, pair ? second->bytes : "");
    if (!words)
        return error->status;
    mark_blanks(words, text);
    const struct survey_text kept = {.corpus = corpus,
                                     .number = text->number,
                                     .hash = text->hash,
                                     .id = (char *)text->id,
                                     .words = words};
    *index = survey_keep(survey, &kept, error);
    free(words);
    return *index == SIZE_MAX ? error->status : STATUS_OK;
}

/* How many tokens a figure is of. */
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
        survey->figures[f].rows += (int64_t)rows;
        survey->figures[f].rows_squared += (int64_t)(rows * rows);
    }
}

/* No sum of a text is larger than its tokens times their distances. */
static enum status check_bound(struct survey *survey, size_t tokens, struct error *error)
{
    survey->bound += (double)SURVEY_UNIT * (double)tokens * (double)tokens;
    if (survey->bound < (double)INT64_MAX / 4)
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT,
                     "%lld texts are as many as the sums have room for: survey the rest as shards "
                     "of another corpus",
                     (long long)survey->texts);
}

enum status survey_prepare(struct survey *survey, size_t corpus, const struct corpus_text *text,
                           const struct tokenizer *tokenizer, const struct encoding *encoding,
                           struct survey_prepared **result, struct error *error)
{
    struct survey_prepared *prepared = NULL;
    *result = NULL;
    if (check_bound(survey, encoding->count, error) != STATUS_OK ||
        survey_describe(text, tokenizer, encoding, &prepared, error) != STATUS_OK || !prepared)
        return error->status;
    if (keep(survey, corpus, text, &prepared->text, error) != STATUS_OK ||
        name_pieces(survey, prepared, tokenizer, error) != STATUS_OK ||
        name_words(survey, prepared, text, error) != STATUS_OK) {
        survey_prepared_free(prepared);
        return error->status;
    }
    count_rows(survey, prepared);
    survey->texts++;
    survey->corpora[corpus].texts++;
    survey->corpora[corpus].ids += text->hash;
    survey->tokens += (int64_t)encoding->count;
    survey->words += (int64_t)prepared->word_count;
    survey->prepared++;
    *result = prepared;
    return STATUS_OK;
}

enum status survey_finish(struct survey *survey, struct survey_prepared *prepared,
                          struct error *error)
{
    survey_prepared_free(prepared);
    survey->prepared--;
    if (atomic_load_explicit(&survey->starved, memory_order_relaxed))
        return error_memory(error, "a head's words", survey->heads * sizeof(double));
    if (atomic_load_explicit(&survey->overflowed, memory_order_relaxed))
        return error_set(error, STATUS_LIMIT,
                         "the sums no longer fit 64 bits: survey fewer texts at a time");
    if (survey->prepared > 0 || survey->kept_count < survey->kept_at_most)
        return STATUS_OK;
    if (survey_sort(survey, error) != STATUS_OK)
        return error->status;
    survey->kept_at_most = 2 * survey->kept_count + 1024;
    return STATUS_OK;
}
