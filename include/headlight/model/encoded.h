/* encoded.h: a text and what the model makes of it: its tokens and their trace. */
#pragma once

#include "headlight/model/checkpoint.h"
#include "headlight/model/forward.h"

/* Tokens that the model reads as [MASK], whatever the text says there. */
#define MASKED_MAX 64

struct masked {
    size_t count;
    size_t tokens[MASKED_MAX]; /* of the trace */
};

bool masked_has(const struct masked *masked, size_t token);
bool masked_equal(const struct masked *a, const struct masked *b);

/* Tokens behind the text that a model has said come next (lens/generate.h). */
#define GENERATED_MAX 1024

struct generated {
    size_t count;
    int32_t ids[GENERATED_MAX];
};

bool generated_equal(const struct generated *a, const struct generated *b);

struct encoded {
    enum site site;
    struct encoded *next; /* the next site of the texts, in a ring: itself if it is the only one */
    struct text texts[2]; /* its own, valid UTF-8 */
    size_t text_count;
    struct encoding *encoding;          /* NULL for a trace without texts */
    size_t cut;                         /* to how many tokens it was cut; 0: it was not */
    bool special;                       /* with the tokenizer's special tokens */
    bool spaced;                        /* as it was read */
    struct masked masked;               /* tokens replaced by [MASK] */
    struct generated generated;         /* the last tokens, of which the texts have nothing; */
    bool ended;                         /* but for an end that a decoder says and doesn't read */
    struct token_side sides[2];         /* the same for an encoding */
    struct token_side said;             /* a decoder's rows by what each says next; or no tokens */
    struct token_kinds kinds;           /* words: only in self-attention */
    struct trace *trace;                /* computed by whoever asked for the encoded input */
    bool trace_owned;                   /* freed with the encoded input, */
    bool recorded;                      /* which its recording alone frees */
    double milliseconds;                /* duration of the pass; 0: not known */
    const char *note;                   /* of a recording or a text, or NULL */
    const char *changes;                /* as a recording describes them, see encoded_changes */
    char changes_text[INTERVENE_WORDS]; /* described after a pass */
    const char **labels;                /* [T] of the sides */
    char *unknown;                      /* those of tokens that the vocabulary lacks, */
    size_t unknown_count;               /* their number, */
    int32_t unknown_id;                 /* and what the model reads */
    void *flags;                        /* memory of the sides, */
    void *said_flags;                   /* and of what is said */
    const char *const *pieces; /* [T] in the same block or a recording's; NULL: use the labels */
};

/* How a text is read: with or without [CLS] and [SEP], with or without logits, and with [MASK]
 * in place of some tokens (NULL: none; [CLS] and [SEP] are never masked). If its encoding is
 * already known it is copied; the texts must then be valid UTF-8 without NULs. */
struct reading {
    bool special, logits;
    const struct masked *masked;
    const struct encoding *encoding;   /* NULL: not known */
    bool spaced;                       /* words are what blanks separate, as a file gave them */
    const struct generated *generated; /* NULL: nothing; the encoding is without */
};

/* Copies and encodes one or two texts and makes room for the trace. STATUS_LIMIT when the text is
 * longer than the model's positions, or empty without special tokens; STATUS_MISMATCH for a token
 * to be masked where the vocabulary has no [MASK], or for one generated that it hasn't. Free with
 * encoded_free.
 *
 * Of an encoder–decoder the first text is the source and the second, if there is one, the target,
 * behind which is what was generated. The result is a ring of three: the encoder's, of the source,
 * comes first; then the decoder's, whose tokens are what it reads, its start and the target without
 * its end; then the cross-attention, whose trace is part of the decoder's. Each has the text of its
 * tokens, and the cross-attention what was given; masks and a known encoding are of the source. */
enum status encoded_new(const struct checkpoint *checkpoint, const struct text *texts, size_t count,
                        struct reading how, struct encoded **encoded, struct error *error);

/* The same texts, read in the same way, by the same model or another one; the one of the same site,
 * where there is one. Errors as encoded_new. */
enum status encoded_again(const struct checkpoint *checkpoint, const struct encoded *encoded,
                          bool logits, struct encoded **again, struct error *error);

/* What a decoder reads of a target: its start, and all but the end; of none (not `given`) the start
 * alone. STATUS_MEMORY. */
enum status encoded_begin_target(struct encoding **encoding, const struct config *config,
                                 bool given, struct error *error);

/* Computes the traces of all sites, as forward_run each; what another one has of them is taken over
 * before. */
enum status encoded_run(const struct checkpoint *checkpoint, const struct interventions *changes,
                        const struct watch *watch, struct encoded *encoded, struct error *error);
void encoded_adopt(struct encoded *from, const struct interventions *changes, struct encoded *to);

/* Which one of a ring has the texts as they were given; whether they were these, read like that, or
 * those of another one. */
const struct encoded *encoded_given_texts(const struct encoded *encoded);
bool encoded_is_of(const struct encoded *encoded, const struct text *texts, size_t count,
                   const struct reading *how);
bool encoded_is_same(const struct encoded *a, const struct encoded *b);

/* An encoded input without texts, for a trace from elsewhere. The trace and the labels must
 * outlive it; special tokens and words are recognised by their labels, unless a side has them. */
enum status encoded_of_trace(struct trace *trace, const struct token_side sides[2],
                             struct encoded **encoded, struct error *error);

/* How many tokens a text may have, or two; whether the model cuts longer ones itself. */
size_t encoded_longest(const struct config *config, size_t text_count);
bool encoded_cuts(const struct config *config);

/* The one of that site in its ring, or NULL. */
struct encoded *encoded_of_site(const struct encoded *encoded, enum site site);

/* The one whose rows say the words: a decoder's; and the one of what it reads. */
static inline const struct encoded *encoded_speaker(const struct encoded *encoded)
{
    const struct encoded *decoder = encoded_of_site(encoded, SITE_DECODER);
    return decoder ? decoder : encoded;
}

static inline const struct encoded *encoded_source(const struct encoded *encoded)
{
    const struct encoded *encoder = encoded_of_site(encoded, SITE_ENCODER);
    return encoder ? encoder : encoded;
}

/* Where what was generated begins: T where nothing was. What it spells before the token `end`, ""
 * where nothing was; the caller's, NULL and STATUS_MEMORY. */
static inline size_t encoded_given(const struct encoded *encoded)
{
    return encoded->trace->tokens + encoded->ended - encoded->generated.count;
}

char *encoded_spell_generated(const struct encoded *encoded, size_t end,
                              const struct tokenizer *tokenizer, struct error *error);

/* How the network was changed for the trace, in words; NULL if it was not. */
const char *encoded_changes(struct encoded *encoded);

/* Whether its tokens attend to those of another text; otherwise both sides share labels. */
static inline bool encoded_is_crossed(const struct encoded *encoded)
{
    return encoded->trace->axes == AXES_TWO_TEXTS;
}

/* The one whose tokens are attended to. */
static inline const struct encoded *encoded_attended(const struct encoded *encoded)
{
    return encoded_is_crossed(encoded) ? encoded_source(encoded) : encoded;
}

/* Whether the vocabulary lacks what stands there: the model reads [UNK], and the label is the
 * text's own, with a question mark. */
static inline bool encoded_is_unknown(const struct encoded *encoded, size_t token)
{
    return encoded->unknown_count > 0 && encoded->trace->ids[token] == encoded->unknown_id &&
           encoded->labels[token] != encoded->pieces[token];
}

/* The whole ring, but a recording's. Accepts NULL. */
void encoded_free(void *encoded);

/* ---- Parts of a ring (src/model/encoded_ring.c) ---- */

/* The tokens of one stack and room for its trace; a decoder's goes on from its `source`, and may
 * have no text: then it has an empty one that isn't counted. Errors as encoded_new. */
enum status encoded_of_stack(const struct checkpoint *checkpoint, const struct text *texts,
                             size_t count, struct reading how, const struct trace *source,
                             struct encoded **encoded, struct error *error);

/* Copies the texts with U+FFFD for invalid UTF-8 and without NULs. STATUS_MEMORY. */
enum status encoded_take_texts(struct encoded *encoded, const struct text *texts, size_t count,
                               struct error *error);

/* Rows of a decoder read a token and say the next one: what each says, of the last one `last`,
 * which must outlive it. STATUS_MEMORY. */
enum status encoded_say_next(struct encoded *encoded, const char *last, struct error *error);

/* The pieces of a side's tokens as they are in the vocabulary; labels are their readable form. */
const char *const *encoded_pieces(const struct encoded *encoded, enum side side);
