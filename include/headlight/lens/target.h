/* target.h: one thing that a model says, chosen among all that it could say: the piece behind a
 * mask, a class, the tag of a token, a span, how alike two sentences are. What a head or a word
 * does to it is how its log-probability changes without that head or word.
 *
 *     struct target target = {target_output(model), token, .id = TARGET_LIKELIEST};
 *     struct target_source source = target_source_of(model, encoded, NULL);
 *     target_ask(&source, &target, &logprob, &error); */
#pragma once

#include "headlight/model/encoded.h"

struct sentence_pair;

/* In place of an id: what is likeliest. */
#define TARGET_LIKELIEST (-1)

/* {.id = id} is a word. */
struct target {
    enum model_output output; /* OUTPUT_START: a span */
    size_t token, end;        /* where it is said, if it is said of tokens; a span's tokens */
    int32_t id;               /* a piece, a class or a tag; 1: replaced, or not in order; else 0 */
};

/* A pass that is asked; of a similarity two, of each sentence by itself. */
struct target_source {
    const struct model *model, *encoder; /* NULL: nothing is left out of what an encoder makes */
    const struct trace *trace, *other;
    const struct trace *heads; /* whose are left out: trace, its attention to the source, or those
                                  of the source itself, trace->memory, by the encoder */
    const struct encoding *encoding; /* of its tokens, or of the pair's; NULL: no spans */
    const struct encoding *alone[2]; /* of a similarity */
};

/* The pass of a text, or those of its sentences. Of an encoder–decoder its decoder is asked,
 * whichever site is shown. */
struct target_source
target_source_of(const struct checkpoint *checkpoint, const struct encoded *encoded,
                 const struct sentence_pair *pair /* NULL: not of a similarity */);

/* The pass whose words and heads are left out; of a similarity the first or the second one. NULL:
 * there is no second one. */
static inline const struct trace *target_text(const struct target_source *source, size_t text)
{
    return text > 0 ? source->other : source->encoder ? source->trace->memory : source->trace;
}

/* What a model says in the first place: what it was last trained for. OUTPUT_COUNT: nothing. */
enum model_output target_output(const struct model *model);

static inline bool target_is_word(enum model_output output)
{
    return output == OUTPUT_MLM || output == OUTPUT_LM;
}

/* Whether it is said of one token. */
static inline bool target_has_token(enum model_output output)
{
    return target_is_word(output) || output == OUTPUT_TAGS || output == OUTPUT_RTD;
}

/* Its log-probability in the pass; of a class whose scores are logits, the logit; of two
 * sentences how alike they are. TARGET_LIKELIEST becomes what is likeliest there, of spans the
 * best. STATUS_UNSUPPORTED if that needs a second text, and there is none. Other errors as
 * forward_words_prepare and forward_head. */
enum status target_ask(const struct target_source *source, struct target *target, double *logprob,
                       struct error *error);

/* Whether its numbers are scores, not probabilities. */
bool target_is_score(const struct model *model, const struct target *target);

/* A log-probability as it is shown: as a probability, unless it is a score. */
double target_shown(const struct model *model, const struct target *target, double logprob);

/* The one piece of a word as it would stand in a text, else the piece that is spelt so; -1 if there
 * is neither. */
int32_t target_piece(const struct tokenizer *tokenizer, const char *word);

/* What it is called: "cat", "POSITIVE", "B-PER", "B follows A", "the old man", "cosine"; what a
 * decoder says in its words, where there is one. `encoded` may be NULL unless it is a span. */
void target_name(const struct checkpoint *checkpoint, const struct encoded *encoded,
                 const struct target *target, char *name, size_t size);

/* Finds what is called so among all that the model could say: a label, a piece as the vocabulary
 * has it, one of two answers, or words of the second text. What target->output says is looked
 * through first, unless it is OUTPUT_COUNT. The token is left as it is, but for a span.
 * STATUS_USAGE names what there is; STATUS_UNSUPPORTED: nothing that has a name. */
enum status target_find(const struct checkpoint *checkpoint, const struct encoded *encoded,
                        const char *name, struct target *target, struct error *error);
