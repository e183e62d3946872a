/* data.h: what follows from the user's choices: the encoded text, its trace, and what views show of
 * it. Views read it. session/derive.c alone makes and replaces it, all of it or nothing; besides,
 * session/request.c notes what was stopped or can't be compared. */
#pragma once

#include "headlight/base/format.h"
#include "headlight/lens/attention.h"
#include "headlight/lens/divergence.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/logit_lens.h"
#include "headlight/lens/metrics.h"
#include "headlight/lens/sentence.h"
#include "headlight/model/recording.h"

struct bands;
struct steps;
struct compared;
struct survey;
struct layer_answers;
struct indexes;
struct found;

/* What a mean is taken over: the heads in the mask, in the layers first … end-1. */
struct mean_of {
    struct token_range layers;
    head_mask heads;
};

struct data {
    const char *model;                   /* its name; from outside, so made safe when drawn */
    const char *family;                  /* of which it is one, likewise; NULL: not known */
    const char *bits;                    /* of its numbers (kernels.h), likewise; NULL: not known */
    const struct checkpoint *checkpoint; /* of the stack shown; borrowed; NULL for a recording */
    const char *note;  /* what has to be known of its numbers, in words; NULL or empty: nothing */
    char no_lens[160]; /* why there is no lens; empty: there can be one */
    char no_answers[160];           /* why it answers nothing at all; empty: it does */
    enum model_output says;         /* the answer that effects are on; OUTPUT_COUNT: none */
    bool next;                      /* words are those that come next (family.h) */
    size_t layers, head_count;      /* L A */
    struct intervene_stacks stacks; /* of the model, as changes name their heads; or all 0 */

    struct encoded *encoded;   /* what is shown, or will be once computed */
    const struct trace *trace; /* its trace; NULL until it is computed */
    size_t tokens;             /* T */
    const char *changes;       /* how the network was changed, in words; NULL: it was not */
    const struct interventions *network; /* what is changed, or about to be; NULL: a recording */
    double divisor;                      /* scores are q·k divided by this, see dimensions.h */

    struct encoded *unchanged; /* the same texts in the network as it was trained, where it is
                                  changed; NULL until that is computed */

    struct before_after *before_after;   /* of the change; NULL until that is measured */
    struct layer_answers *layer_answers; /* what the model says; NULL: a recording */

    struct map *map; /* what lines, heat maps and thumbnails are of: what the look asks for,
                        or the weights where that can't be made or isn't there yet */
    struct attention *attention; /* what is shown of it */
    struct attention *mean;      /* of one layer and one head; NULL: the map itself */
    struct mean_of mean_of;      /* what `mean` was taken over */

    const struct checkpoint *against;          /* another one, to compare with; borrowed, or NULL */
    const struct recording *against_recording; /* likewise, with a recording */
    struct compared *compared; /* passes for a comparison alone (comparison.h); NULL until they are
                                  computed */
    char uncompared[256];      /* why they can't be; empty: they can */

    struct sentence_pair *sentences; /* the two sentences by themselves, of a model that makes
                            vectors of sentences; NULL until they are computed */

    struct head_metrics *metrics;      /* [L,A]; NULL until a view needs them */
    struct effects *effects;           /* on the answer chosen; NULL until a view needs them */
    struct word_effects *word_effects; /* likewise, as look->without says */
    struct divergence *divergence;     /* from the other model; NULL until a view needs it */
    struct lens_cell *lens; /* [L,T] words or tags of each layer; NULL until a view needs it */
    struct lens_questions *questions; /* of formulas of a lesson; NULL until there are any */
    bool stopped;                     /* somebody stopped what is computed besides */
    struct bands *bands;              /* the model view's; NULL until it is shown */
    const struct survey *survey;      /* of a corpus; borrowed, or NULL */
    struct survey
        *surveyed;         /* where none is open: of these texts, or as many of them as are done */
    struct corpus *corpus; /* a file of texts; borrowed; NULL: the corpus in the program, */
    size_t corpus_texts;   /* and how many can be read there */
    char lacking[256];     /* why no example of the survey can be opened; empty: any can */
    const struct indexes *indexes; /* of the vectors of a corpus; borrowed, or NULL */
    struct found *found;           /* what in them is most like a token; NULL until that is asked */
    struct steps *steps;           /* of the place that the steps view shows; NULL in others */
};

/* The trace shown in the network as it was trained, where it is changed; NULL until that is
 * computed.
 */
static inline const struct trace *data_before(const struct data *data)
{
    return data->unchanged ? encoded_of_site(data->unchanged, data->encoded->site)->trace : NULL;
}

/* A layer shown, as changes of the network number it. */
static inline size_t data_numbered(const struct data *data, size_t layer)
{
    return layer + (data->encoded ? data->encoded->trace->numbered : 0);
}

/* What a head that is shown is called: "1.2", "x1.2". */
static inline struct intervene_name data_head(const struct data *data, size_t layer, size_t head)
{
    struct intervene_name name;
    snprintf(name.text, sizeof name.text, "%s%zu.%zu", site_words[data->encoded->site].mark, layer,
             head);
    return name;
}

/* The name of the other model that this one is compared with; NULL: there is none. */
static inline const char *data_against(const struct data *data)
{
    return data->against             ? data->against->name
           : data->against_recording ? data->against_recording->model
                                     : NULL;
}

/* Why the model answers nothing of this text that effects could be on; "": it does. */
static inline const char *data_silence(const struct data *data)
{
    const bool pair = data->says == OUTPUT_NSP || data->says == OUTPUT_SOP;
    const struct token_side *side = data->encoded ? data->encoded->sides : NULL;
    const bool one = side && (side->boundary == 0 || side->boundary == side->count);
    return data->no_answers[0]                 ? data->no_answers
           : pair && one                       ? data->no_lens
           : data->says == OUTPUT_START && one ? "a span is of a second text, and there is one text"
           : data->says == OUTPUT_SENTENCE && one
               ? "the model compares two texts, and there is one: a second sentence is needed"
               : "";
}

/* What heads do over many texts; NULL: there is nothing to tell it. */
static inline const struct survey *data_survey(const struct data *data)
{
    return data->survey ? data->survey : data->surveyed;
}
