/* passage.h: a text and what the model makes of it: its tokens and their trace. */
#ifndef HEADLIGHT_APP_PASSAGE_H
#define HEADLIGHT_APP_PASSAGE_H

#include "headlight/app/checkpoint.h"
#include "headlight/app/recording.h"
#include "headlight/lens/attention.h"
#include "headlight/model/encoder.h"

struct passage {
    struct text texts[2]; /* its own, valid UTF-8 */
    size_t text_count;
    struct encoding *encoding;  /* NULL for a trace from elsewhere */
    struct token_side sides[2]; /* for an encoding both are the same */
    const bool *separators;     /* [S] whether the token is [SEP] or its like */
    struct trace *trace;        /* computed by whoever asked for the passage */
    bool trace_owned;           /* freed with the passage */
    double milliseconds;        /* that this took; 0: not known */
    void *labels, *flags;       /* what the sides point to */
};

/* How a text is read: with [CLS] and [SEP] around it, and with what the model's heads say. */
struct reading {
    bool special, logits;
};

/* Copies and encodes one or two texts and makes room for the trace. STATUS_LIMIT when the text is
 * longer than the model's positions, or empty without special tokens. Free with passage_free. */
enum status passage_new(const struct checkpoint *checkpoint, const struct text *texts, size_t count,
                        struct reading how, struct passage **passage, struct error *error);

/* A passage of a trace that comes from elsewhere, without texts. The trace and the labels must
 * outlive it; which tokens are special is told by the labels. */
enum status passage_of_trace(struct trace *trace, const struct token_side sides[2],
                             struct passage **passage, struct error *error);

/* A passage of a recording, which must outlive it, with its texts. */
enum status passage_of_recording(const struct recording *recording, struct passage **passage,
                                 struct error *error);

/* Accepts NULL. */
void passage_free(struct passage *passage);

#endif
