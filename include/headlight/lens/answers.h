/* answers.h: what a checkpoint was trained to say, from the logits of its head: the classes of a
 * text, the tags of its tokens, the span that answers a question.
 *
 *     answer_of(checkpoint, encoded, trace, &answer, &error);
 *     for (size_t i = 0; i < answer->group_count; i++)
 *         puts(answer->groups[i].word);
 *
 * Labels, words, offsets and scores are those of Hugging Face's pipelines.
 *
 * Source: transformers' pipelines/{text_classification,token_classification,question_answering}.py
 * (4.48). */
#pragma once

#include "headlight/lens/predict.h"
#include "headlight/model/encoded.h"

/* A part of texts[sentence]. Tokens of some tokenizers begin with the space before their word, and
 * so do the offsets; on a screen that space is only in the way. */
struct passage {
    size_t sentence;
    size_t start, end; /* code points */
    struct text text;  /* texts[sentence][start:end] */
    struct text shown; /* the same without white space at its ends */
};

struct class_score {
    size_t label;
    double score;
};

/* A token's likeliest label. */
struct tag {
    size_t token, label;
    double score;
    struct text word; /* its piece; of an unknown token, what stands there */
    struct passage passage;
};

/* Tokens whose labels belong together: B-PER, I-PER. */
struct tag_group {
    struct token_range tokens;
    const char *name; /* "PER" */
    double score;     /* the mean of its tokens' */
    char *word;       /* what its tokens spell: tokenizer_spell */
    struct passage passage;
};

struct answer_span {
    struct token_range tokens;
    double score;
    struct passage passage; /* whole words */
};

/* The pipeline's longest span, in tokens. */
#define SPAN_TOKENS 15
#define SPANS_MAX   3

enum answer_kind { ANSWER_CLASSES, ANSWER_TAGS, ANSWER_SPAN };

/* What its kind does not have is 0. */
struct answer {
    enum answer_kind kind;
    const struct labels *labels; /* NULL: a span has none */

    struct class_score *scores; /* of classes, [labels->count], the highest first */

    size_t tag_count;
    struct tag *tags; /* of every token but those of the frame */
    size_t group_count;
    struct tag_group *groups;

    size_t span_count;                   /* 0: there is no second text */
    struct answer_span spans[SPANS_MAX]; /* the highest score first */
    double none;                         /* the score of "there is no answer" */
};

/* Fill in an answer, whose parts answer_free frees, also after an error: STATUS_MEMORY. Of logits
 * [L]; of logits [T,L], where groups end where a text does; and of logits [T] of where the answer
 * to the first text, a question, starts and ends in the second: the best spans of at most `longest`
 * tokens, where one whose score is 0 is none. Of what is encoded the encoding and the texts are
 * read, and borrowed. */
enum status answer_classes(const struct labels *labels, const float *logits, struct answer *answer,
                           struct error *error);
enum status answer_tags(const struct tokenizer *tokenizer, const struct encoded *encoded,
                        const struct labels *labels, const float *logits, struct answer *answer,
                        struct error *error);
enum status answer_span(const struct encoded *encoded, const float *start, const float *end,
                        size_t longest, struct answer *answer, struct error *error);

/* Over the tokens that may be part of an answer, and [CLS]: log Σ exp of such logits, and their
 * softmax, p [T]. */
double answer_span_total(const struct encoding *encoding, const float *logits);
void answer_span_shares(const struct encoding *encoding, const float *logits, double *p);

/* What the checkpoint's head for a task says of a trace of what was encoded; *answer is NULL where
 * it has no such head, or a recording no texts. STATUS_MEMORY. */
enum status answer_of(const struct checkpoint *checkpoint, const struct encoded *encoded,
                      const struct trace *trace, struct answer **answer, struct error *error);

/* Whether a token competes for being the first or the last of a span: those of the second text, and
 * [CLS]. */
bool answer_span_asks(const struct encoding *encoding, size_t index);

/* Steps through all spans of at most `longest` tokens of the second text; begin with {0}. */
bool answer_span_next(const struct encoding *encoding, size_t longest, struct token_range *span);

/* Where a span of tokens of the second text is, widened to whole words. */
struct passage answer_span_passage(const struct encoded *encoded, struct token_range tokens);

/* The tokens where these words of a text stand first, in whole words if they do so anywhere; white
 * space at the ends doesn't count. As many as it takes; none: an empty range. */
struct token_range answer_span_find(const struct encoded *encoded, size_t sentence,
                                    struct text words);

/* The place of a span among all of at most SPAN_TOKENS, by its score; 1 is the best. */
size_t answer_span_rank(const struct encoding *encoding, const float *start, const float *end,
                        struct token_range span);

/* The score of a label among those of classes. */
double answer_score(const struct answer *answer, size_t label);

/* Accepts NULL. */
void answer_free(struct answer *answer);

/* Whether a label says that a token has no tag: "O". */
bool answer_is_outside(const struct labels *labels, size_t label);

/* Whether "there is no answer" is likelier than the best span. */
static inline bool answer_is_none(const struct answer *answer)
{
    return answer->span_count == 0 || answer->none > answer->spans[0].score;
}

/* The answer in a word or two: "POSITIVE 0.98", "2 PER, 1 LOC", "“the old man” 0.63". */
void answer_say(const struct answer *answer, char *said, size_t size);

/* Where bytes of a text are. */
struct passage answer_passage(const struct encoded *encoded, size_t sentence, struct span span);

/* ---- After each layer ---- */

/* What a model says of a text, where it is more than a row of words: what the head for its task
 * says, after each layer too, as the logit lens does with words; and the word behind the first
 * mask. */
struct layer_answers {
    struct answer *answer; /* the model's; NULL: it has no head for a task, or there are no texts */
    struct answer *before; /* of the network before it was changed; NULL: not known */
    struct answer **after; /* [L] of classes, were each layer the last; NULL: of others */
    size_t layers;

    size_t masked; /* the first masked token, or NO_TOKEN */
    struct prediction word;
};

/* `masked` is such a token, or NO_TOKEN; `before` may be NULL. Free with layer_answers_free.
 * STATUS_MEMORY, and as forward_head. */
enum status layer_answers_new(const struct checkpoint *checkpoint, const struct encoded *encoded,
                              const struct trace *trace, const struct trace *before, size_t masked,
                              struct layer_answers **answers, struct error *error);

/* Accepts NULL. */
void layer_answers_free(void *answers);
