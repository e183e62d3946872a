/* encoded.c: a text as the model reads it, or a recording, so that code which shows tokens
 * treats both alike. The text is copied and repaired first, because spans point into it. Both sides
 * of attention are always filled in, so that no reader asks whether there are two texts. */
#include "headlight/model/encoded.h"

#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/model/sentence.h"
#include "headlight/text/tokenizer.h"
#include "headlight/text/unicode.h"
#include "headlight/text/words.h"

#include <stdlib.h>
#include <string.h>

/* Copies the texts with U+FFFD for invalid UTF-8, so that spans, screens and exports refer to
 * the same bytes. The tokenizer drops NULs, so a text is not cut at one. */
static enum status take_texts(struct encoded *encoded, const struct text *texts, size_t count,
                              struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t length, kept = 0;
        char *copy = unicode_repair(texts[i].bytes, texts[i].length, &length);
        if (!copy)
            return error_memory(error, "the text", texts[i].length);
        for (size_t at = 0; at < length; at++)
            if (copy[at] != '\0')
                copy[kept++] = copy[at];
        copy[kept] = '\0';
        encoded->texts[i] = (struct text){copy, kept};
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
    const struct config *config = model_config(checkpoint->model);
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

/* An empty set is the same as none, whatever the vocabulary has. */
static enum status take_masked(struct encoded *encoded, const struct tokenizer *tokenizer,
                               const struct masked *masked, struct error *error)
{
    if (!masked || masked->count == 0)
        return STATUS_OK;
    if (tokenizer_mask(tokenizer) < 0)
        return error_set(error, STATUS_MISMATCH,
                         "this model's vocabulary has no [MASK]: no token can be masked");
    encoded->masked = *masked;
    return STATUS_OK;
}

/* Ids and segments side by side in one array, since forward_prepare copies both. */
static enum status prepare_trace(struct encoded *encoded, const struct checkpoint *checkpoint,
                                 const struct trace *source, bool logits, struct error *error)
{
    size_t count = encoded->encoding->count;
    int32_t *ids = malloc((2 * count + 1) * sizeof *ids);
    if (!ids)
        return error_memory(error, "the tokens", 2 * count * sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        const struct token *token = &encoded->encoding->tokens[i];
        const bool masked = !token->added && masked_has(&encoded->masked, i);
        ids[i] = masked ? tokenizer_mask(checkpoint->tokenizer) : token->id;
        ids[count + i] = token->type;
    }
    enum status status = source ? forward_prepare_decoder(checkpoint->model, source, ids, count,
                                                          logits, &encoded->trace, error)
                                : forward_prepare(checkpoint->model, ids, ids + count, count,
                                                  logits, &encoded->trace, error);
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
 * is the full stop at its end. */
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
        sinks[i] = flags[i] || (token == 0 && encoded->trace->axes == AXES_PAST);
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
    const bool crossed = encoded_is_crossed(encoded);
    size_t last = right;
    while (crossed && last > 0 && flags[left + last - 1])
        last--;
    if (crossed && last > 0 && words_is_punctuation(sides[SIDE_RIGHT].labels[last - 1]))
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

/* Rows of a decoder read a token and say the next one: what each says, of the last one `last`. */
static enum status say_next(struct encoded *encoded, const char *last, struct error *error)
{
    const struct token_side *read = &encoded->sides[SIDE_LEFT];
    const size_t T = read->count;
    const char **labels = encoded->said_flags =
        memory_new(T, sizeof *labels + 3, 0, "the tokens", error);
    if (!labels)
        return error->status;
    bool *special = (bool *)(labels + T), *continues = special + T, *sinks = continues + T;
    for (size_t i = 0; i < T; i++) {
        const bool ends = i + 1 == T;
        labels[i] = ends ? last : read->labels[i + 1];
        special[i] = sinks[i] = ends || read->special[i + 1];
    }
    encoded->said = *read;
    encoded->said.labels = labels;
    encoded->said.special = special;
    encoded->said.sinks = sinks;
    find_words(encoded, &encoded->said, continues);
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

/* The tokens of a stack and room for its trace; a decoder's goes on from its `source`, and may have
 * no text: then it has an empty one that isn't counted. */
static enum status encode_stack(const struct checkpoint *checkpoint, const struct text *texts,
                                size_t count, struct reading how, const struct trace *source,
                                struct encoded **out, struct error *error)
{
    static const struct text nothing = {"", 0};
    const struct config *config = model_config(checkpoint->model);
    struct encoded *encoded = calloc(1, sizeof *encoded);
    *out = NULL;
    if (!encoded)
        return error_memory(error, "the text", sizeof *encoded);
    encoded->site = SITE_ONLY;
    encoded->next = encoded;
    encoded->trace_owned = true;
    encoded->special = how.special;
    encoded->spaced = how.spaced;
    if (take_texts(encoded, count > 0 ? texts : &nothing, count > 0 ? count : 1, error) !=
            STATUS_OK ||
        encode_texts(encoded, checkpoint, &how, error) != STATUS_OK ||
        (source &&
         encoded_begin_target(&encoded->encoding, config, count > 0, error) != STATUS_OK) ||
        take_generated(encoded, how.generated, source ? config : NULL, error) != STATUS_OK ||
        take_masked(encoded, checkpoint->tokenizer, how.masked, error) != STATUS_OK ||
        prepare_trace(encoded, checkpoint, source, how.logits, error) != STATUS_OK ||
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

/* The decoder's other attention: of the target's tokens to the source's. */
static enum status encode_cross(const struct encoded *source, const struct encoded *target,
                                size_t count, struct encoded **out, struct error *error)
{
    const struct token_side sides[] = {target->sides[SIDE_LEFT], source->sides[SIDE_LEFT]};
    const struct text texts[] = {source->texts[0], target->texts[0]};
    if (encoded_of_trace(target->trace->cross, sides, out, error) != STATUS_OK)
        return error->status;
    struct encoded *cross = *out;
    cross->special = source->special;
    cross->spaced = source->spaced;
    cross->masked = source->masked;
    cross->generated = target->generated;
    cross->ended = target->ended;
    return take_texts(cross, texts, count, error);
}

/* What a decoder's rows say: each the next token, and the last one the end of a target that has
 * it. What it would be of others isn't known before the pass. */
static enum status say_target(const struct checkpoint *decoder, struct encoded *target,
                              struct encoded *cross, bool given, struct error *error)
{
    const struct config *config = model_config(decoder->model);
    const int32_t end = target->ended ? target->generated.ids[target->generated.count - 1]
                        : given && target->generated.count == 0 && config->end_count > 0
                            ? config->ends[0]
                            : -1;
    const char *last = end < 0 ? "…" : tokenizer_label(decoder->tokenizer, end);
    return say_next(target, last, error) == STATUS_OK ? say_next(cross, last, error)
                                                      : error->status;
}

static enum status encode_stacks(const struct checkpoint *checkpoint, const struct text *texts,
                                 size_t count, struct reading how, struct encoded **out,
                                 struct error *error)
{
    struct encoded *source, *target = NULL, *cross = NULL;
    struct reading of_target = {.special = how.special,
                                .logits = how.logits,
                                .spaced = how.spaced,
                                .generated = how.generated};
    *out = NULL;
    how.generated = NULL;
    encode_stack(checkpoint, texts, 1, how, NULL, &source, error);
    if (source)
        encode_stack(checkpoint->decoder, texts + 1, count - 1, of_target, source->trace, &target,
                     error);
    if (!target || encode_cross(source, target, count, &cross, error) != STATUS_OK || !cross ||
        say_target(checkpoint->decoder, target, cross, count > 1, error) != STATUS_OK) {
        encoded_free(cross);
        encoded_free(target);
        encoded_free(source);
        return error->status;
    }
    source->site = SITE_ENCODER;
    target->site = SITE_DECODER;
    cross->site = SITE_CROSS;
    source->next = target;
    target->next = cross;
    cross->next = source;
    target->note = cross->note = source->note;
    *out = source;
    return STATUS_OK;
}

enum status encoded_new(const struct checkpoint *checkpoint, const struct text *texts, size_t count,
                        struct reading how, struct encoded **encoded, struct error *error)
{
    return checkpoint->decoder ? encode_stacks(checkpoint, texts, count, how, encoded, error)
                               : encode_stack(checkpoint, texts, count, how, NULL, encoded, error);
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

/* What comes after a recording's last token isn't known. */
static enum status encode_site(const struct recording *recording, struct encoded **out,
                               struct error *error)
{
    struct token_side sides[2];
    struct text texts[2];
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        sides[side] = (struct token_side){.count = side == SIDE_LEFT ? recording->trace->tokens
                                                                     : recording->trace->attended,
                                          .boundary = recording->boundary[side],
                                          .labels = recording->labels[side]};
    for (size_t i = 0; i < recording->text_count; i++)
        texts[i] = (struct text){recording->texts[i], strlen(recording->texts[i])};
    enum status status = encoded_of_trace(recording->trace, sides, out, error);
    if (status != STATUS_OK)
        return status;
    /* borrowed: the recording outlives it */
    (*out)->site = recording->site;
    (*out)->note = recording->note;
    (*out)->changes = recording->changes;
    (*out)->pieces = recording->pieces;
    status = take_texts(*out, texts, recording->text_count, error);
    if (status == STATUS_OK && (recording->site == SITE_DECODER || recording->site == SITE_CROSS))
        status = say_next(*out, "…", error);
    if (status != STATUS_OK) {
        encoded_free(*out);
        *out = NULL;
    }
    return status;
}

enum status encoded_of_recording(const struct recording *recording, struct encoded **out,
                                 struct error *error)
{
    const struct recording *one = recording;
    struct encoded *last = *out = NULL;
    do {
        struct encoded *made;
        if (encode_site(one, &made, error) != STATUS_OK) {
            encoded_free(*out);
            *out = NULL;
            return error->status;
        }
        *out = *out ? *out : made;
        made->next = *out;
        if (last)
            last->next = made;
        last = made;
    } while ((one = one->next) != recording);
    return STATUS_OK;
}

struct encoded *encoded_of_site(const struct encoded *encoded, enum site site)
{
    struct encoded *one = encoded->next; /* itself comes last */
    while (one->site != site && one != encoded)
        one = one->next;
    return one->site == site ? one : NULL;
}

/* ---- Computing one -------------------------------------------------------------------------- */

void encoded_adopt(struct encoded *from, const struct interventions *changes, struct encoded *to)
{
    for (enum site site = SITE_ENCODER; site <= SITE_ONLY; site++) {
        const struct encoded *one = encoded_of_site(from, site), *other = encoded_of_site(to, site);
        if (one && other && site != SITE_CROSS) /* which comes with the decoder's */
            forward_adopt(one->trace, changes, other->trace);
    }
}

enum status encoded_run(const struct checkpoint *checkpoint, const struct interventions *changes,
                        const struct watch *watch, struct encoded *encoded, struct error *error)
{
    const struct checkpoint *decoder = checkpoint->decoder;
    const enum status status =
        forward_run(checkpoint->model, changes, watch, encoded_source(encoded)->trace, error);
    return status == STATUS_OK && decoder
               ? forward_run(decoder->model, changes, watch, encoded_speaker(encoded)->trace, error)
               : status;
}

/* ---- Asking one ---------------------------------------------------------------------------- */

const struct encoded *encoded_given_texts(const struct encoded *encoded)
{
    const struct encoded *cross = encoded_of_site(encoded, SITE_CROSS);
    return cross ? cross : encoded;
}

bool encoded_is_of(const struct encoded *encoded, const struct text *texts, size_t count,
                   const struct reading *how)
{
    const struct encoded *given = encoded_given_texts(encoded);
    bool same = given->text_count == count && given->special == how->special &&
                masked_equal(&given->masked, how->masked) &&
                generated_equal(&given->generated, how->generated);
    for (size_t i = 0; same && i < count; i++)
        same = given->texts[i].length == texts[i].length &&
               memcmp(given->texts[i].bytes, texts[i].bytes, texts[i].length) == 0;
    return same;
}

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

static struct reading reading_of(const struct encoded *given, bool logits)
{
    return (struct reading){.special = given->special,
                            .logits = logits,
                            .masked = &given->masked,
                            .spaced = given->spaced,
                            .generated = &given->generated};
}

enum status encoded_again(const struct checkpoint *checkpoint, const struct encoded *encoded,
                          bool logits, struct encoded **again, struct error *error)
{
    const struct encoded *given = encoded_given_texts(encoded);
    const enum status status = encoded_new(checkpoint, given->texts, given->text_count,
                                           reading_of(given, logits), again, error);
    struct encoded *site = status == STATUS_OK ? encoded_of_site(*again, encoded->site) : NULL;
    *again = site ? site : *again;
    return status;
}

bool encoded_is_same(const struct encoded *a, const struct encoded *b)
{
    const struct encoded *given = encoded_given_texts(a);
    const struct reading how = reading_of(given, false);
    return encoded_is_of(b, given->texts, given->text_count, &how);
}

/* Behind all tokens before them, as a character may begin in one of those. */
char *encoded_spell_generated(const struct encoded *encoded, const struct tokenizer *tokenizer,
                              struct error *error)
{
    const struct trace *trace = encoded_speaker(encoded)->trace;
    char *given = tokenizer_decode(tokenizer, trace->ids, encoded_given(encoded), true, error);
    char *all = given ? tokenizer_decode(tokenizer, trace->ids, trace->tokens, false, error) : NULL;
    if (all)
        memmove(all, all + strlen(given), strlen(all + strlen(given)) + 1);
    free(given);
    return all;
}

static void free_one(struct encoded *encoded)
{
    for (size_t i = 0; i < 2; i++)
        free((char *)encoded->texts[i].bytes);
    free(encoded->encoding);
    free(encoded->labels);
    free(encoded->unknown);
    free(encoded->flags);
    free(encoded->said_flags);
    if (encoded->trace_owned)
        free(encoded->trace);
    free(encoded);
}

void encoded_free(struct encoded *encoded)
{
    if (!encoded)
        return;
    struct encoded *one = encoded->next, *next;
    for (; one != encoded; one = next) {
        next = one->next;
        free_one(one);
    }
    free_one(encoded);
}

void encoded_write_texts(FILE *stream, const struct encoded *encoded, const char *separator)
{
    for (size_t i = 0; i < encoded->text_count; i++) {
        fputs(i > 0 ? separator : "", stream);
        json_write_string(stream, encoded->texts[i].bytes, encoded->texts[i].length);
    }
}

const char *const *encoded_pieces(const struct encoded *encoded, enum side side)
{
    return encoded->pieces ? encoded->pieces : encoded->sides[side].labels;
}

void encoded_write_pieces(FILE *stream, const struct encoded *encoded, enum side side)
{
    const char *const *pieces = encoded_pieces(encoded, side);
    for (size_t i = 0; i < encoded->sides[side].count; i++) {
        fputs(i > 0 ? "," : "", stream);
        json_write_string(stream, pieces[i], strlen(pieces[i]));
    }
}
