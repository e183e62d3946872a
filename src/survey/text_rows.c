/* text_rows.c: what a text is like before its weights are known: which pieces make up its words,
 * which word pieces occur twice, what depends on what. Names that are new get their place in the
 * survey. */
#include "headlight/survey/text_rows.h"

#include "headlight/base/memory.h"

#include <inttypes.h>

/* ---- What a text is like -------------------------------------------------------------------- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* What blanks separate, from *at on; false at the end. */
static bool next_word(struct text text, size_t *at, struct span *word)
{
    while (*at < text.length && is_blank(text.bytes[*at]))
        ++*at;
    const size_t begin = *at;
    while (*at < text.length && !is_blank(text.bytes[*at]))
        ++*at;
    *word = (struct span){begin, *at};
    return begin < *at;
}

/* To each token the word in which its first byte lies; the blank before it may belong to the token.
 * Tokens come in the order of the text, and so the search goes on where the last one ended. */
static void assign_pieces(struct text_rows *rows, const struct corpus_text *text)
{
    const struct word *words = rows->words;
    for (size_t t = 0, from = 0; t < rows->tokens; t++) {
        const struct token *token = &rows->encoding->tokens[t];
        const uint8_t sentence = token->sentence;
        size_t start = token->span.start, k = token->added ? rows->word_count : from;
        while (start < token->span.end && is_blank(text->texts[sentence].bytes[start]))
            start++;
        while (k < rows->word_count && (words[k].sentence < sentence ||
                                        (words[k].sentence == sentence && words[k].end <= start)))
            k++;
        rows->word[t] = NO_WORD;
        if (k == rows->word_count || words[k].sentence > sentence || words[k].begin > start)
            continue;
        rows->word[t] = from = k;
        rows->words[k].pieces++;
    }
}

/* As in model/encoded.c: special tokens and pieces such as [UNK] are no words that could occur
 * twice. */
static void find_repeated(struct text_rows *rows, const struct tokenizer *tokenizer)
{
    const struct token *tokens = rows->encoding->tokens;
    for (size_t t = 0; t < rows->tokens; t++) {
        const char *label = tokenizer_label(tokenizer, tokens[t].id);
        const bool is_word = label && !tokens[t].added && words_is_known(label);
        rows->separators[t] = label && words_is_separator(label);
        rows->first[t] = NO_INDEX;
        for (size_t s = 0; is_word && s < t; s++) {
            if (tokens[s].id != tokens[t].id || tokens[s].added)
                continue;
            rows->repeated += rows->first[s] == NO_INDEX ? 2 : 1;
            rows->first[s] = rows->first[t] = s;
            break;
        }
    }
    for (size_t t = 0; t < rows->tokens; t++)
        rows->induced += rows->first[t] != NO_INDEX && rows->first[t] + 2 < t;
}

/* ---- Links between words --------------------------------------------------------------------- */

/* A word's number, of `count` words; it goes on behind it. SIZE_MAX: it is none of these. */
static size_t read_place(const char **at, const char *end, size_t count)
{
    size_t number = 0;
    const char *begin = *at;
    for (; *at < end && **at >= '0' && **at <= '9' && number < count; ++*at)
        number = 10 * number + (size_t)(**at - '0');
    return *at > begin && number < count ? number : SIZE_MAX;
}

/* Pharaoh's format, "0-0 2-1", with the source's word first, counted from 0; possible links as in
 * "3p1", as the gold alignments have them that are in use (lilt/alignment-scripts, SimAlign,
 * awesome-align). [N,M], or NULL: it is only checked. */
static enum status read_links(const struct corpus_text *text, size_t M, size_t N, uint8_t *links,
                              struct error *error)
{
    const struct text all = text->alignment;
    size_t offset = 0;
    for (struct span span; next_word(all, &offset, &span);) {
        const char *at = all.bytes + span.start, *end = all.bytes + span.end;
        const size_t m = read_place(&at, end, M);
        const bool sure = at < end && *at == '-', known = sure || (at < end && *at == 'p');
        at += known;
        const size_t n = m == SIZE_MAX || !known ? SIZE_MAX : read_place(&at, end, N);
        if (n == SIZE_MAX || at < end)
            return error_set(error, STATUS_FORMAT,
                             "expected links such as 0-0, or possible ones such as 0p0, of %zu "
                             "words of \"a\" to %zu of \"b\", counted from 0, as \"alignment\", "
                             "found \"%.*s\"",
                             M, N, (int)(span.end - span.start), all.bytes + span.start);
        if (links && links[n * M + m] != LINK_SURE)
            links[n * M + m] = sure ? LINK_SURE : LINK_POSSIBLE;
    }
    return STATUS_OK;
}

static size_t count_words(struct text text)
{
    size_t count = 0, at = 0;
    for (struct span span; next_word(text, &at, &span);)
        count++;
    return count;
}

enum status survey_check_links(const struct corpus_text *text, struct error *error)
{
    if (!text->alignment.bytes || text->text_count < 2)
        return error_set(error, STATUS_FORMAT,
                         "expected a source, target and links (\"a\", \"b\", \"alignment\": "
                         "\"0-0 2-1\" in .jsonl), found no %s",
                         text->text_count < 2 ? "target" : "links");
    return read_links(text, text->words ? text->word_count : count_words(text->texts[0]),
                      count_words(text->texts[1]), NULL, error);
}

static struct corpus_text target_alone(const struct corpus_text *text)
{
    struct corpus_text target = *text;
    target.texts[0] = text->texts[1];
    target.text_count = 1;
    target.words = NULL;
    return target;
}

/* The rows of a target, which attend to those of the source: they have it from here on. */
static enum status add_target(const struct corpus_text *text, const struct survey_target *target,
                              struct text_rows **rows, struct error *error)
{
    const struct corpus_text second = target_alone(text);
    struct text_rows *source = *rows, *of;
    if (survey_describe(&second, target->tokenizer, target->encoding, &of, error) != STATUS_OK)
        return error->status;
    *rows = of;
    of->attended = source;
    const size_t N = of->word_count, M = of->before = source->word_count;
    of->links = memory_new(N * M + 1, 1, 0, "the links", error);
    if (!of->links || read_links(text, M, N, of->links, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < N * M; i++) {
        struct word *word = &of->words[i / M];
        of->linked += of->links[i] != LINK_NONE && word->pieces > 0 && !word->linked;
        word->linked |= of->links[i] != LINK_NONE && word->pieces > 0;
        of->sure += of->links[i] == LINK_SURE;
    }
    return STATUS_OK;
}

/* ---- Names of the survey -------------------------------------------------------------------- */

enum status survey_count_name(struct survey *survey, enum survey_kind kind, struct text name,
                              struct survey_row **row, struct error *error)
{
    const struct survey_key key = {.kind = kind, .names[0] = name};
    *row = name.length > 0 ? survey_insert(survey, &key, error) : NULL;
    if (*row)
        (*row)->numbers[0]++;
    return *row || name.length == 0 ? STATUS_OK : error->status;
}

/* Counted where both words have left a piece. */
static enum status name_relation(struct survey *survey, struct text_rows *rows,
                                 const struct corpus_word *word, size_t k, struct error *error)
{
    const size_t head = word->head;
    if (head == NO_WORD || word->relation.length == 0 || rows->words[head].pieces == 0 ||
        (word->relation.length == 5 && memcmp(word->relation.bytes, "punct", 5) == 0))
        return STATUS_OK;
    struct survey_row *relation;
    if (survey_count_name(survey, ROW_RELATION, word->relation, &relation, error) != STATUS_OK ||
        !relation)
        return error->status;
    const ptrdiff_t offset = (ptrdiff_t)head - (ptrdiff_t)k;
    const bool within = offset >= -SURVEY_OFFSETS && offset <= SURVEY_OFFSETS;
    relation->numbers[1 + (within ? offset + SURVEY_OFFSETS : SURVEY_OFFSET_FAR)]++;
    rows->pairs[rows->pair_count++] = (struct pair){k, head, relation};
    return STATUS_OK;
}

/* Pieces and words of the text, and what is between all of its parts of speech. */
static enum status name_all(struct survey *survey, struct text_rows *rows,
                            const struct tokenizer *tokenizer, const struct corpus_text *text,
                            struct error *error)
{
    for (size_t t = 0; t < rows->tokens; t++) {
        const struct token *token = &rows->encoding->tokens[t];
        if (token->added)
            continue;
        const struct text piece = text_of_string(tokenizer_piece(tokenizer, token->id));
        const struct survey_key key = {
            .kind = ROW_PIECE, .names[1] = piece, .numbers[0] = token->id};
        if (!(rows->piece[t] = survey_insert(survey, &key, error)))
            return error->status;
        rows->piece[t]->numbers[0]++;
    }
    for (size_t k = 0; text->words && k < text->word_count; k++) {
        struct word *word = &rows->words[k];
        struct survey_row *pos;
        if (word->pieces == 0)
            continue;
        if (survey_count_name(survey, ROW_POS, text->words[k].upos, &pos, error) != STATUS_OK)
            return error->status;
        for (word->pos = pos ? 0 : NO_INDEX; word->pos < rows->pos_count; word->pos++)
            if (rows->pos[word->pos] == pos)
                break;
        if (pos && word->pos == rows->pos_count)
            rows->pos[rows->pos_count++] = pos;
        if (name_relation(survey, rows, &text->words[k], k, error) != STATUS_OK)
            return error->status;
    }
    const size_t P = rows->pos_count;
    rows->mass = memory_new(P * P, sizeof(void *), 0, "a text", error);
    for (size_t i = 0; rows->mass && i < P * P; i++) {
        const struct survey_key key = {
            .kind = ROW_MASS,
            .names = {rows->pos[i / P]->key.names[0], rows->pos[i % P]->key.names[0]}};
        if (!(rows->mass[i] = survey_insert(survey, &key, error)))
            return error->status;
    }
    return rows->mass ? STATUS_OK : error->status;
}

/* ---- Preparing ------------------------------------------------------------------------------ */

void text_rows_free(struct text_rows *rows)
{
    if (!rows)
        return;
    if (rows->attended != rows)
        text_rows_free(rows->attended);
    free(rows->links);
    free(rows->mass);
    free(rows);
}

/* Words are at most as many as bytes and one more. A FORM may have a blank inside, so that words
 * that are given are counted by their lengths. */
enum status survey_describe(const struct corpus_text *text, const struct tokenizer *tokenizer,
                            const struct encoding *encoding, struct text_rows **result,
                            struct error *error)
{
    const size_t T = encoding->count;
    size_t N = text->words ? text->word_count : 0;
    for (size_t i = 0; !text->words && i < text->text_count; i++)
        N += text->texts[i].length / 2 + 1;
    struct text_rows *rows = *result = memory_new(
        N, sizeof(struct word) + sizeof(struct pair) + sizeof(void *),
        sizeof *rows + T * (sizeof(void *) + 2 * sizeof(size_t) + sizeof(bool)) + sizeof(size_t),
        "a text", error);
    if (!rows)
        return error->status;
    rows->attended = rows;
    rows->encoding = encoding;
    rows->tokens = T;
    rows->words = (struct word *)(rows + 1);
    rows->pairs = (struct pair *)(rows->words + N);
    rows->piece = (struct survey_row **)(rows->pairs + N);
    rows->pos = rows->piece + T;
    rows->first = (size_t *)(rows->pos + N);
    rows->word = rows->first + T;
    rows->word[T] = NO_WORD;
    rows->separators = (bool *)(rows->word + T + 1);
    for (size_t at = 0; text->words && rows->word_count < text->word_count;) {
        const size_t k = rows->word_count++, end = at + text->words[k].form.length;
        rows->words[k] = (struct word){.begin = at, .end = end, .pos = NO_INDEX};
        at = end + 1;
    }
    for (size_t i = 0; !text->words && i < text->text_count; i++) {
        size_t at = 0;
        for (struct span span; next_word(text->texts[i], &at, &span);)
            rows->words[rows->word_count++] = (struct word){
                .begin = span.start, .end = span.end, .sentence = (uint8_t)i, .pos = NO_INDEX};
    }
    assign_pieces(rows, text);
    find_repeated(rows, tokenizer);
    return STATUS_OK;
}

/* A blank in a word that the file gives is no blank between two. Of a text that is cut there are
 * more words than the string holds. */
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
    char *at = words;
    for (size_t k = 0; marked && text->words && k < text->word_count; k++)
        for (char *end = at + text->words[k].form.length; at <= end && *at; at++)
            if (at < end && is_blank(*at))
                *at = '\n';
    const struct survey_key key = {.kind = ROW_TEXT,
                                   .names = {survey_at(survey, ROW_SHARD, 0)->key.names[0],
                                             text_of_string(words), text_of_string(text->id)},
                                   .numbers = {(int64_t)text->number, (int64_t)text->hash}};
    *row = survey_insert(survey, &key, error);
    free(words);
    return *row ? STATUS_OK : error->status;
}

void survey_count_text(struct survey *survey, const struct corpus_text *text,
                       const struct text_rows *rows)
{
    int64_t *totals = survey_at(survey, ROW_SHARD, 0)->numbers;
    totals[SURVEY_TEXTS]++;
    const struct text_rows *other = rows->attended != rows ? rows->attended : NULL;
    totals[SURVEY_TOKENS] += (int64_t)(rows->tokens + (other ? other->tokens : 0));
    totals[SURVEY_WORDS] += (int64_t)(rows->word_count + (other ? other->word_count : 0));
    uint64_t hash = text->hash;
    for (size_t i = 0; i < text->text_count; i++)
        hash = corpus_hash(text->texts[i].bytes, text->texts[i].length, hash);
    totals[SURVEY_DIGEST] = (int64_t)((uint64_t)totals[SURVEY_DIGEST] + hash);
}

size_t survey_rows_of(const struct text_rows *rows, enum metric figure)
{
    switch (figure) {
    case METRIC_PREVIOUS:
        return rows->tokens - 1;
    case METRIC_NEXT:
        return rows->past ? 0 : rows->tokens - 1;
    case METRIC_SAME:
        return rows->repeated;
    case METRIC_INDUCTION:
        return rows->induced;
    default:
        return figure < METRIC_LINKS ? rows->tokens
                                     : (size_t[]){rows->linked + rows->sure, rows->linked,
                                                  rows->sure}[(figure - METRIC_AER) % 3];
    }
}

/* No sum of a text is larger than its tokens times their distances. */
static bool has_room(const struct survey *survey, enum metric figure, size_t rows)
{
    const struct survey_row *row = survey_figure(survey, figure);
    return !row || row->numbers[1] <= INT64_MAX / 4 / SURVEY_UNIT - (int64_t)(rows * rows);
}

enum status survey_prepare(struct survey *survey, const struct corpus_text *text,
                           const struct tokenizer *tokenizer, const struct encoding *encoding,
                           const struct survey_target *target, struct text_rows **result,
                           struct error *error)
{
    /* which attends to itself, or is attended to */
    struct corpus_text own = survey->site == SITE_DECODER ? target_alone(text) : *text;
    struct text_rows *rows = NULL;
    *result = NULL;
    own.text_count = survey->site == SITE_ONLY ? text->text_count : 1;
    if (survey_describe(&own, tokenizer, encoding, &rows, error) != STATUS_OK || !rows)
        return error->status;
    if (survey->site == SITE_DECODER)
        rows->before = text->words ? text->word_count : count_words(text->texts[0]);
    enum status status = target ? add_target(text, target, &rows, error) : STATUS_OK;
    if (status == STATUS_OK && (!has_room(survey, METRIC_FIRST, rows->tokens) ||
                                !has_room(survey, METRIC_AER, rows->linked + rows->sure)))
        status = error_set(error, STATUS_LIMIT,
                           "%" PRId64 " texts are as many as the sums have space for: survey the "
                           "rest as shards of another corpus",
                           survey_total(survey, SURVEY_TEXTS));
    if (status != STATUS_OK || survey_keep(survey, text, true, &rows->text, error) != STATUS_OK ||
        (!target && name_all(survey, rows, tokenizer, &own, error) != STATUS_OK)) {
        text_rows_free(rows);
        return error->status;
    }
    rows->past = survey->past;
    for (size_t t = 0, again = 0; rows->past && t < rows->tokens; t++) {
        rows->repeated -= rows->first[t] == t;
        rows->beside += rows->first[t] < t && (rows->first[t] > 0 || again++ > 0);
    }
    for (size_t i = 0; i < survey_count(survey, ROW_BESIDE); i++) {
        struct survey_row *row = survey_at(survey, ROW_BESIDE, i);
        const size_t count = row->key.numbers[0] == METRIC_SAME - METRIC_BEGIN ? rows->beside
                             : rows->tokens > 2                                ? rows->tokens - 2
                                                                               : 0;
        row->numbers[0] += (int64_t)count;
        row->numbers[1] += count > 0;
    }
    for (size_t i = 0; i < survey_count(survey, ROW_FIGURE); i++) {
        const enum metric figure = survey_figure_at(survey, i);
        const size_t count = survey_rows_of(rows, figure);
        int64_t *numbers = survey_at(survey, ROW_FIGURE, i)->numbers;
        if (figure >= METRIC_EFFECT && figure < METRIC_LINKS) /* not asked of every text */
            continue;
        numbers[0] += (int64_t)count;
        numbers[1] += (int64_t)(count * count);
    }
    survey_count_text(survey, text, rows);
    survey->unfinished++;
    *result = rows;
    return STATUS_OK;
}

enum status survey_finish(struct survey *survey, struct text_rows *rows, struct error *error)
{
    text_rows_free(rows);
    survey->unfinished--;
    if (atomic_load_explicit(&survey->out_of_memory, memory_order_relaxed))
        return error_memory(error, "a head's words", survey->heads * sizeof(double));
    if (survey->unfinished == 0)
        survey_prune(survey);
    return STATUS_OK;
}
