/* look.h: how the user chose to see a trace. Plain values: copied and restored by assignment. */
#pragma once

#include "headlight/lens/attention.h"
#include "headlight/lens/edges.h"
#include "headlight/lens/effects.h"
#include "headlight/lens/metrics.h"
#include "headlight/lens/steps.h"
#include "headlight/model/head_mask.h"
#include "headlight/survey/survey.h"

/* The views, in the order of the bar. NAME_view, a struct view (views.h), has a file of its own: a
 * new view is that file and a row here. */
#define VIEWS(VIEW)                                                                                \
    VIEW(HEAD, head)                                                                               \
    VIEW(NEURON, neuron)                                                                           \
    VIEW(MODEL, model)                                                                             \
    VIEW(MATRIX, matrix)                                                                           \
    VIEW(ANSWERS, answers)                                                                         \
    VIEW(STEPS, steps)                                                                             \
    VIEW(COMPARE, compare)                                                                         \
    VIEW(CORPUS, corpus)

enum view_kind {
#define VIEW(kind, name) VIEW_##kind,
    VIEWS(VIEW)
#undef VIEW
        VIEW_COUNT
};

/* What a model can say, in the order in which it is shown; one that says several things is asked
 * for one of them. */
enum answers {
    ANSWERS_FIRST,    /* of those that this model can say */
    ANSWERS_CLASSES,  /* of the text, or the pair */
    ANSWERS_TAGS,     /* of each token */
    ANSWERS_SPAN,     /* of the second text: the answer to the first */
    ANSWERS_WORDS,    /* there, or next: then it is LM */
    ANSWERS_REPLACED, /* of each token: whether it was put in another's place */
    ANSWERS_SENTENCE, /* the vector of a text, and how alike two are */
    ANSWERS_COUNT
};

/* What the corpus view shows of all heads, and the parts of the card of one of them, in their
 * order.
 */
enum corpus_shown { CORPUS_HEADS, CORPUS_SORTED, CORPUS_SCATTER, CORPUS_RELATIONS };
enum card_part {
    CARD_DOES,
    CARD_RELATIONS,
    CARD_REACH,
    CARD_PIECES,
    CARD_EXAMPLES,
    CARD_SPEECH,
    CARD_PART_COUNT
};

struct corpus_look {
    enum corpus_shown shown;
    unsigned figure;     /* counted from METRIC_LABEL: what each head does */
    unsigned axis;       /* the scatter's second figure, from METRIC_BEGIN */
    enum card_part card; /* the first part of the card */
    size_t relation;     /* under the cursor, an index into the survey's */
    size_t example;      /* the head's, under the cursor; NO_TOKEN: the cursor is on a head */
};

/* The list of what in a corpus is most like a token (survey/index.h), instead of the view. */
struct found_look {
    bool shown;
    unsigned asked;            /* the number of the question; 0: there was none */
    size_t layer, head, token; /* NO_HEAD: the layer's vector; NO_TOKEN: of a text that was left */
    size_t at;                 /* the cursor */
};

/* Which sentence attends to which. */
enum filter { FILTER_ALL, FILTER_AA, FILTER_AB, FILTER_BA, FILTER_BB, FILTER_COUNT };

/* Steps of half a power of two: the edge budget is multiplied by 2^(detail/2). */
#define DETAIL_MIN (-6)
#define DETAIL_MAX 12

/* One map instead of one a head. */
enum mean {
    MEAN_NONE,
    MEAN_HEADS,  /* the mean of the heads that are on */
    MEAN_LAYERS, /* the same over all layers */
    MEAN_COUNT,
};

/* Where Esc leads from a view or a list that was opened from another, and what was chosen there. */
struct back {
    enum { BACK_NOWHERE, BACK_VIEW, BACK_FOUND } of;
    bool ranked;
    enum view_kind view;
    enum site site;
    enum side side;
    size_t layer, layer_kept, head, from, to;
    head_mask heads, others;
};

#define BACKS 4 /* from answers to all heads, to one, to the ranking, to another */

/* A value that a view has no use for is kept while that view is shown, and holds again in the next
 * view that has. What is 0 is the default, but for heads and tokens (look_first). */
struct look {
    enum view_kind view;
    enum site site; /* which attention is shown, of an encoder–decoder */
    size_t layer;
    size_t layer_kept; /* the other views', while the words view stands on the model's answer;
                          NO_TOKEN: the same */
    size_t head;       /* under the cursor: the one shown by views of one head, */
    bool head_found;   /* and that the first picture chose, not the user */
    head_mask heads;   /* those that are on: drawn by the head view, averaged by a mean */
    head_mask others;  /* those that were on before one was shown alone */
    enum filter filter;
    struct shape shape; /* tokens hidden, merged or said, where the view allows it */
    enum mean averaged; /* one map instead of many, where the view allows it */
    int detail;
    unsigned threshold; /* thousandths, the lightest line drawn; 0: automatic */
    enum tone tone;
    enum map_kind map; /* what is shown, where the view shows maps and it can be made */
    bool numbers;      /* beside the tokens of the head view: each one's heaviest weight */
    bool listed;       /* a panel beside the view: the strongest connections or dimensions */

    /* A token may be chosen on either side, or on both. `side` is the cursor's; when both are
     * chosen, the other side's token is pinned. They count the tokens shown. */
    enum side side;
    size_t from, to;  /* NO_TOKEN when not chosen */
    bool query_found; /* `from` is the neuron view's own choice, not the user's */
    char find[64];    /* tokens that contain this text are marked; empty: none */

    enum metric metric; /* the model view's, */
    bool ranked;        /* or in its place the number of the two chosen tokens, by which it sorts */
    unsigned effect_sought; /* once these, or effects, are there, the cursor goes to the largest, 1,
                               or the next largest, 2, …; 0: it stays */
    enum word_way without;  /* how each word is taken away where answers are shown */
    bool difference_sought; /* and in the compare view, to where the word's rows differ most */
    bool sorted;            /* by the metric, not by layer and head */
    bool lined;             /* thumbnails are lines, not heat maps */

    size_t dimension;   /* the neuron view's cursor inside the bands; NO_TOKEN: none */
    bool scale_largest; /* bands scaled to their largest value, not tanh */
    bool valued;        /* values and weighted values, where there is no room for keys as well */

    enum stage stage; /* the steps view's cursor, */
    size_t number;    /* and the number in it; NO_TOKEN: none */

    enum answers answers; /* which of the things that the model says is shown */
    size_t answer;        /* the piece or the label chosen among its answers, or NO_TOKEN: none */
    size_t asked; /* where an encoder is shown, the target's token that says what effects are on;
                     NO_TOKEN: the last that says a word */

    struct corpus_look corpus;
    struct found_look found;
    struct back back[BACKS]; /* and from there */

    unsigned theme; /* see theme_at */
    bool presented; /* for a projector: the view below its sentence, without bars */
};

/* The first look at a model with so many heads a layer. */
struct look look_first(size_t heads);

/* Puts the cursor on a head; if the one it was on is alone, the new one takes its place. */
void look_move_head(struct look *look, size_t head);

/* Puts the cursor on a head and switches all others off, which are kept. */
void look_show_alone(struct look *look, size_t head);

/* Keeps what is shown now as the place to go back to. */
void look_remember(struct look *look);

/* "all", "aa" … as on the command line, and "all", "A→A" … as shown. */
extern const struct filter_names {
    const char *name, *title;
} filters[FILTER_COUNT];
