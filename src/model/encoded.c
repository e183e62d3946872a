/* encoded.c: a text as a stack of layers reads it: its tokens, with masks and with what was
 * generated, and what a reader of attention asks of them. The text is copied and repaired first,
 * because spans point into it. Both sides of attention are always filled in, so that no reader asks
 * whether there are two texts. */
#include "headlight/model/encoded.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

/* So that spans, screens and exports refer to the same bytes. The tokenizer drops NULs, so a text
 * is not cut at one. */
enum status encoded_take_texts(struct encoded *encoded, const struct text *texts, size_t count,
                               struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t length;
        char *copy = unicode_repair(texts[i].bytes, texts[i].length, &length);
        if (!copy)
            return error_memory(error, "the text", texts[i].length);
        encoded->texts[i] = (struct text){copy, length};
        encoded->text_count++;
    }
    return STATUS_OK;
}

bool encoded_cuts(const struct config *config)
{
    return config->sentence && config->sentence->given;
}

size_t encoded_longest(const struct config *config, size_t text_count)
{
    const struct sentence_model *sentence = config->sentence;
    return encoded_cuts(config) && text_count == 1 && sentence->longest > 0
               ? size_min(config->longest, sentence->longest)
               : config->longest;
}

/* The editor encodes a text while it is typed, to check it; that is not done a second time. Texts
 * are cut as sentence-transformers cuts them: a pair only where it is longer than the model's
 * positions, as only each text by itself is a sentence. */
static enum status encode_texts(struct encoded *encoded, const struct checkpoint *checkpoint,
                                const struct reading *how, struct error *error)
{
    const struct config *config = &checkpoint->model->config;
    const struct encoding *known = how->encoding;
    enum status status = STATUS_OK;
    struct encoding *encoding;
    if (known) { /* one block, as tokenizer_encode makes it */
        const size_t bytes = sizeof *known + known->count * sizeof *known->tokens;
        if (!(encoding = malloc(bytes)))
            return error_memory(error, "the tokens", bytes);
        memcpy(encoding, known, bytes);
    } else {
        status = tokenizer_encode(checkpoint->tokenizer, encoded->texts, encoded->text_count,
                                  how->special, &encoding, error);
    }
    if (status != STATUS_OK)
        return status;
    encoded->encoding = encoding;
    const size_t longest = encoded_longest(config, encoded->text_count), before = encoding->count;
    if (encoded_cuts(config) && encoding_cut(encoding, longest) && encoding->count < before)
        encoded->cut = encoding->count;
    return STATUS_OK;
}

bool generated_equal(const struct generated *a, const struct generated *b)
{
    return a->count == b->count && memcmp(a->ids, b->ids, a->count * sizeof *a->ids) == 0;
}

/* Each stands at the end of the last text, whatever it spells, as a word of its own. An end is one
 * too, but where what comes next is only said (`stop`; else NULL). */
static enum status take_generated(struct encoded *encoded, const struct generated *generated,
                                  const struct config *stop, struct error *error)
{
    if (!generated || generated->count == 0)
        return STATUS_OK;
    encoded->generated = *generated;
    encoded->ended = stop && config_ends_at(stop, generated->ids[generated->count - 1]);
    const size_t made = generated->count - encoded->ended;
    const size_t count = encoded->encoding->count,
                 end = encoded->texts[encoded->text_count - 1].length;
    const size_t bytes = (count + made) * sizeof(struct token);
    struct encoding *encoding = realloc(encoded->encoding, sizeof *encoding + bytes);
    if (!encoding)
        return error_memory(error, "the tokens", bytes);
    encoded->encoding = encoding;
    struct token token = count > 0 ? encoding->tokens[count - 1] : (struct token){0};
    token.added = false;
    token.span = (struct span){end, end};
    for (size_t i = 0; i < made; i++) {
        token.id = generated->ids[i];
        token.word++;
        encoding->tokens[encoding->count++] = token;
    }
    return STATUS_OK;
}

bool masked_has(const struct masked *masked, size_t token)
{
    bool found = false;
    for (size_t i = 0; i < masked->count; i++)
        found |= masked->tokens[i] == token;
    return found;
}

bool masked_equal(const struct masked *a, const struct masked *b)
{
    return a->count == b->count && memcmp(a->tokens, b->tokens, a->count * sizeof *a->tokens) == 0;
}

/* Ids and segments side by side in one array, since forward_prepare copies both. An empty set of
 * masks is the same as none, whatever the vocabulary has. */
static enum status prepare_trace(struct encoded *encoded, const struct checkpoint *checkpoint,
                                 const struct trace *source, const struct reading *how,
                                 struct error *error)
{
    const size_t count = encoded->encoding->count;
    const int32_t mask = tokenizer_mask(checkpoint->tokenizer);
    if (how->masked && how->masked->count > 0)
        encoded->masked = *how->masked;
    if (encoded->masked.count > 0 && mask < 0)
        return error_set(error, STATUS_MISMATCH,
                         "this model's vocabulary has no [MASK]: no token can be masked");
    int32_t *ids = malloc((2 * count + 1) * sizeof *ids);
    if (!ids)
        return error_memory(error, "the tokens", 2 * count * sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        const struct token *token = &encoded->encoding->tokens[i];
        ids[i] = !token->added && masked_has(&encoded->masked, i) ? mask : token->id;
        ids[count + i] = token->type;
    }
    const enum status status =
        forward_prepare(checkpoint->model, source, ids, source ? NULL : ids + count, count,
                        how->logits, &encoded->trace, error);
    free(ids);
    return status;
}

/* The labels of an encoding's tokens, shared by both sides. */
static enum status make_side(struct encoded *encoded, const struct tokenizer *tokenizer,
                             struct error *error)
{
    const struct encoding *encoding = encoded->encoding;
    const char **labels;
    if (labels_new(tokenizer, encoding, encoded->trace->ids, &labels, error) != STATUS_OK)
        return error->status;
    struct token_side side = {.count = encoding->count, .labels = labels};
    for (size_t i = 0; i < encoding->count; i++)
        side.boundary += encoding->tokens[i].sentence == 0;
    encoded->labels = labels;
    encoded->pieces = labels + encoding->count;
    encoded->sides[SIDE_LEFT] = encoded->sides[SIDE_RIGHT] = side;
    return STATUS_OK;
}

/* Special tokens and pieces such as [UNK] stand for no word that could occur twice. */
static bool names_word(const struct token_side *side, size_t token)
{
    return !side->special[token] && words_is_known(side->labels[token]);
}

/* Finds tokens that have the same label. Only the first of them is kept for each: whoever wants
 * the others compares the numbers. */
static void find_repeated(const struct token_side *side, size_t *words)
{
    for (size_t i = 0; i < side->count; i++) {
        size_t first = 0;
        words[i] = NO_TOKEN;
        if (!names_word(side, i))
            continue;
        while (strcmp(side->labels[first], side->labels[i]) != 0 || !names_word(side, first))
            first++;
        if (first < i)
            words[first] = words[i] = first;
    }
}

/* As the labels mark them; or, where a file gave them, what blanks separate. */
static void find_words(const struct encoded *encoded, struct token_side *side, bool *continues)
{
    side->marks = words_find(side->labels, side->special, side->count, side->boundary, continues);
    side->continues = continues;
    for (size_t i = 1; encoded->spaced && encoded->encoding && i < side->count; i++)
        if (i != side->boundary && !side->special[i] && !side->special[i - 1]) {
            const struct token *here = &encoded->encoding->tokens[i], *before = here - 1;
            const char *after = encoded->texts[here->sentence].bytes + before->span.start + 1;
            continues[i] = !memchr(after, ' ', here->span.start - before->span.start);
        }
}

/* Marks special tokens, separators and words. A token added by the tokenizer is special whatever
 * its label, and so is one in the text that the tokenizer, if there is one, marks as such; what is
 * known of a side is kept. The first token is a sink of a model that was trained to see the past
 * alone (Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks", section
 * 3.1); and that of a text on which another one's tokens rest that have nothing to align with there
 * is the full stop at its end, while its own rows are looked at by nobody. */
static enum status make_flags(struct encoded *encoded, const struct tokenizer *tokenizer,
                              struct error *error)
{
    struct token_side *sides = encoded->sides;
    size_t left = sides[SIDE_LEFT].count, right = sides[SIDE_RIGHT].count;
    /* words [S], flags [T] and [S], the same of what continues words and of sinks, separators [S],
     * in one block, the largest type first */
    size_t bytes = right * sizeof(size_t) + 3 * (left + right) + right;
    size_t *words = malloc(bytes + 1);
    if (!words)
        return error_memory(error, "the tokens", bytes);
    const bool crossed = encoded_is_crossed(encoded);
    bool *flags = (bool *)(words + right), *continues = flags + left + right,
         *sinks = continues + left + right, *separators = sinks + left + right;
    for (size_t i = 0; i < left + right; i++) {
        size_t token = i < left ? i : i - left;
        const struct token_side *side = &sides[i < left ? SIDE_LEFT : SIDE_RIGHT];
        const char *label = side->labels[token];
        const bool added =
            (encoded->encoding && encoded->encoding->tokens[token].added) ||
            (tokenizer && tokenizer_is_special(tokenizer, encoded->trace->ids[token]));
        flags[i] = side->special ? side->special[token] : added || words_is_special(label);
        sinks[i] = (i >= left || !crossed) &&
                   (flags[i] || (token == 0 && encoded->trace->axes == AXES_PAST));
        if (i >= left)
            separators[token] = words_is_separator(label);
    }
    sides[SIDE_LEFT].special = flags;
    sides[SIDE_RIGHT].special = flags + left;
    sides[SIDE_LEFT].sinks = sinks;
    sides[SIDE_RIGHT].sinks = sinks + left;
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        if (!sides[side].continues)
            find_words(encoded, &sides[side], continues + (side == SIDE_RIGHT ? left : 0));
    size_t last = crossed ? right : 0;
    while (last > 0 && flags[left + last - 1])
        last--;
    if (last > 0 && words_is_punctuation(sides[SIDE_RIGHT].labels[last - 1]))
        sinks[left + last - 1] = true;
    if (!crossed)
        find_repeated(&sides[SIDE_RIGHT], words);
    encoded->kinds = (struct token_kinds){separators, crossed ? NULL : words};
    encoded->flags = words;
    return STATUS_OK;
}

/* What stood in the text where the model reads [UNK], with a question mark, as the labels of such
 * tokens: "東?". Their pieces stay [UNK], and so does one that was typed. */
static enum status name_unknown(struct encoded *encoded, const struct tokenizer *tokenizer,
                                struct error *error)
{
    const int32_t unknown = encoded->unknown_id = tokenizer_unknown(tokenizer);
    const struct token *tokens = encoded->encoding->tokens;
    size_t bytes = 0;
    for (size_t i = 0; i < encoded->encoding->count; i++)
        bytes += tokens[i].span.end - tokens[i].span.start + sizeof "?";
    char *name = encoded->unknown = malloc(bytes + 1);
    if (!name)
        return error_memory(error, "the tokens", bytes);
    for (size_t i = 0; i < encoded->encoding->count; i++) {
        const struct span span = tokens[i].span;
        const char *text = encoded->texts[tokens[i].sentence].bytes + span.start;
        const size_t length = span.end - span.start;
        if (encoded->trace->ids[i] != unknown || length == 0 ||
            (length == strlen(encoded->pieces[i]) && memcmp(text, encoded->pieces[i], length) == 0))
            continue;
        encoded->labels[i] = name;
        encoded->unknown_count++;
        memcpy(name, text, length);
        name = stpcpy(name + length, "?") + 1;
        if (length > 4 && memcmp(text, ">>", 2) == 0 && memcmp(text + length - 2, "<<", 2) == 0)
            encoded->note = "the vocabulary has no such language code: the model reads <unk> there";
    }
    return STATUS_OK;
}

enum status encoded_say_next(struct encoded *encoded, const char *last, struct error *error)
{
    const struct token_side *read = &encoded->sides[SIDE_LEFT];
    const size_t T = read->count;
    const char **labels = encoded->said_flags =
        memory_new(T, sizeof *labels + 2, 0, "the tokens", error);
    if (!labels)
        return error->status;
    bool *special = (bool *)(labels + T), *continues = special + T;
    for (size_t i = 0; i < T; i++) {
        const bool ends = i + 1 == T;
        labels[i] = ends ? last : read->labels[i + 1];
        special[i] = ends || read->special[i + 1];
        continues[i] = !ends && read->continues[i + 1];
    }
    encoded->said = *read;
    encoded->said.labels = labels;
    encoded->said.special = special;
    encoded->said.continues = continues;
    return STATUS_OK;
}

/* ---- Making one ---------------------------------------------------------------------------- */

enum status encoded_begin_target(struct encoding **target, const struct config *config, bool given,
                                 struct error *error)
{
    const size_t count = (*target)->count;
    const struct token *tokens = (*target)->tokens;
    const bool ended =
        count > 0 && tokens[count - 1].added && config_ends_at(config, tokens[count - 1].id);
    const size_t kept = given ? count - ended : 0, bytes = (kept + 1) * sizeof *tokens;
    struct encoding *encoding = realloc(*target, sizeof *encoding + bytes);
    if (!encoding)
        return error_memory(error, "the tokens", bytes);
    *target = encoding;
    memmove(encoding->tokens + 1, encoding->tokens, kept * sizeof *tokens);
    encoding->tokens[0] = (struct token){.id = config->rules.start, .added = true};
    encoding->count = kept + 1;
    return STATUS_OK;
}

enum status encoded_of_stack(const struct checkpoint *checkpoint, const struct text *texts,
                             size_t count, struct reading how, const struct trace *source,
                             struct encoded **out, struct error *error)
{
    static const struct text nothing = {"", 0};
    const struct config *config = &checkpoint->model->config;
    struct encoded *encoded = calloc(1, sizeof *encoded);
    *out = NULL;
    if (!encoded)
        return error_memory(error, "the text", sizeof *encoded);
    encoded->site = SITE_ONLY;
    encoded->next = encoded;
    encoded->trace_owned = true;
    encoded->special = how.special;
    encoded->spaced = how.spaced;
    if (encoded_take_texts(encoded, count > 0 ? texts : &nothing, count > 0 ? count : 1, error) !=
            STATUS_OK ||
        encode_texts(encoded, checkpoint, &how, error) != STATUS_OK ||
        (source &&
         encoded_begin_target(&encoded->encoding, config, count > 0, error) != STATUS_OK) ||
        take_generated(encoded, how.generated, source ? config : NULL, error) != STATUS_OK ||
        prepare_trace(encoded, checkpoint, source, &how, error) != STATUS_OK ||
        make_side(encoded, checkpoint->tokenizer, error) != STATUS_OK ||
        make_flags(encoded, checkpoint->tokenizer, error) != STATUS_OK ||
        name_unknown(encoded, checkpoint->tokenizer, error) != STATUS_OK) {
        encoded_free(encoded);
        return error->status;
    }
    encoded->text_count = count;
    *out = encoded;
    return STATUS_OK;
}

enum status encoded_of_trace(struct trace *trace, const struct token_side sides[2],
                             struct encoded **out, struct error *error)
{
    struct encoded *encoded = calloc(1, sizeof *encoded);
    *out = NULL;
    if (!encoded)
        return error_memory(error, "the tokens", sizeof *encoded);
    encoded->site = SITE_ONLY;
    encoded->next = encoded;
    encoded->trace = trace;
    memcpy(encoded->sides, sides, sizeof encoded->sides);
    if (sides[SIDE_LEFT].labels != sides[SIDE_RIGHT].labels)
        trace->axes = AXES_TWO_TEXTS;
    enum status status = make_flags(encoded, NULL, error);
    if (status == STATUS_OK)
        *out = encoded;
    else
        encoded_free(encoded);
    return status;
}

/* ---- Asking one ---------------------------------------------------------------------------- */

/* A recording says itself how the network was changed. A pass left its changes in the trace, and
 * they are put into words when somebody asks. */
const char *encoded_changes(struct encoded *encoded)
{
    const struct interventions *changes = &encoded->trace->computed.changes;
    if (encoded->changes || !interventions_any(changes))
        return encoded->changes;
    interventions_describe(changes, encoded->changes_text);
    return encoded->changes_text;
}

void encoded_free(void *thing)
{
    struct encoded *encoded = thing;
    struct encoded *one = encoded && !encoded->recorded ? encoded->next : NULL;
    for (struct encoded *next; one; one = next) {
        next = one == encoded ? NULL : one->next; /* itself comes last */
        for (size_t i = 0; i < 2; i++)
            free((char *)one->texts[i].bytes);
        free(one->encoding);
        free(one->labels);
        free(one->unknown);
        free(one->flags);
        free(one->said_flags);
        if (one->trace_owned)
            free(one->trace);
        free(one);
    }
}

const char *const *encoded_pieces(const struct encoded *encoded, enum side side)
{
    return encoded->pieces ? encoded->pieces : encoded->sides[side].labels;
}
