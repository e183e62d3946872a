/* settings.h: a session's look as names and values, in one table. From it come the options of the
 * command line that choose what is shown, and the settings of a saved state.
 *
 *     const char *values[SETTING_COUNT] = {[SETTING_LAYER] = "3", [SETTING_WORDS] = "on"};
 *     settings_apply(&session, values, &error); */
#ifndef HEADLIGHT_SESSION_SETTINGS_H
#define HEADLIGHT_SESSION_SETTINGS_H

#include "headlight/session/session.h"

/* setting, name, its value in words (NULL: it is "on" or "off"), one line of help, what it counts,
 * and how and where the look keeps it (settings.c). In the order in which they are applied. */
#define SETTINGS(SETTING)                                                                          \
    SETTING(VIEW, "view", "NAME", "the view:", NOTHING,                                            \
            CHOICE(enum view_kind, view, VIEWS(VIEW_NAME)))                                        \
    SETTING(LAYER, "layer", "N", "layer, from 0", MODEL, NUMBER(layer, count_layers))              \
    SETTING(SPECIAL, "special", "HOW", "[CLS] and [SEP]: shown, hidden, rescaled without them",    \
            NOTHING, CHOICE(enum special_policy, shape.special, "shown", "hidden", "rescaled"))    \
    SETTING(WORDS, "words", NULL, "word pieces merged into words", NOTHING, FLAG(shape.words))     \
    SETTING(FILTER, "filter", "WHICH", "all, aa, ab, ba, bb: which sentence attends to which",     \
            TEXT, CHOICE(enum filter, filter, FILTERS(FILTER_NAME)))                               \
    SETTING(HEADS, "heads", "LIST", "heads drawn in the head view: 0,2,5-7, all or none", MODEL,   \
            OWN(heads))                                                                            \
    SETTING(HEAD, "head", "N", "head, from 0; alone unless --heads says more", MODEL,              \
            NUMBER(head, count_heads))                                                             \
    SETTING(OTHERS, "others", "LIST", "heads that come back beside the one shown alone", MODEL,    \
            OWN(others))                                                                           \
    SETTING(MEAN, "mean", "OVER", "one map: the mean over heads or layers, or none", NOTHING,      \
            CHOICE(enum mean, averaged, "none", "heads", "layers"))                                \
    SETTING(THRESHOLD, "threshold", "WEIGHT", "draw lines from this weight up: 0.05, or auto",     \
            NOTHING, OWN(threshold))                                                               \
    SETTING(DETAIL, "detail", "N", "more lines than usual (to 12), or fewer (from -6)", NOTHING,   \
            OWN(detail))                                                                           \
    SETTING(SHADE, "shade", "HOW", "brightness by weight, its root, or its share of the row",      \
            NOTHING, CHOICE(enum tone, tone, "weight", "root", "row"))                             \
    SETTING(NUMBERS, "numbers", NULL, "numbers beside the tokens of the head view", NOTHING,       \
            FLAG(numbers))                                                                         \
    SETTING(MAP, "map", "NAME", "weights, scores, norms, rollout, flow, similarity, ...", NOTHING, \
            CHOICE(enum map_kind, map, MAPS(MAP_NAME)))                                            \
    SETTING(LIST, "list", NULL, "a list of the strongest connections beside the view", NOTHING,    \
            FLAG(listed))                                                                          \
    SETTING(METRIC, "figure", "NAME", "mark heads by figure: label, entropy, previous, next, ...", \
            NOTHING, CHOICE(enum metric, metric, "none", "label", METRICS(METRIC_NAME) "effect"))  \
    SETTING(SORT, "sort", NULL, "sort the model view's heads by that figure", NOTHING,             \
            FLAG(sorted))                                                                          \
    SETTING(THUMBNAILS, "thumbnails", "HOW", "thumbnails of the model view: heat or lines",        \
            NOTHING, PAIR(lined, "heat", "lines"))                                                 \
    SETTING(DIMENSION, "dimension", "N", "the neuron view's cursor inside the bands", MODEL,       \
            OWN(dimension))                                                                        \
    SETTING(SCALE, "scale", "HOW", "bands scaled by tanh or by their largest value", NOTHING,      \
            PAIR(scale_largest, "tanh", "largest"))                                                \
    SETTING(BANDS, "bands", "WHICH", "bands of the neuron view: keys or values", NOTHING,          \
            PAIR(valued, "keys", "values"))                                                        \
    SETTING(STAGE, "stage", "NAME", "the steps view's stage, by its name there", NOTHING,          \
            CHOICE(enum stage, stage, STAGES(STAGE_NAME)))                                         \
    SETTING(NUMBER, "number", "N", "the steps view's number in that stage, from 0", MODEL,         \
            OWN(number))                                                                           \
    SETTING(SELECT, "select", "TOKEN",                                                             \
            "the attending token: flies, flies#2 (the second) or a number", TOKENS, OWN(select))   \
    SETTING(ATTENDED, "attended", "TOKEN", "the attended token", TOKENS, OWN(attended))            \
    SETTING(SIDE, "side", "WHICH", "the cursor's column where both are chosen: left, right",       \
            TOKENS, CHOICE(enum side, side, "left", "right"))                                      \
    SETTING(FIND, "find", "TEXT", "mark the tokens that contain it", NOTHING, OWN(find))           \
    SETTING(RANK, "rank", NULL, "rank all heads by the weight between the two tokens", TOKENS,     \
            OWN(rank))                                                                             \
    SETTING(THEME, "theme", "NAME", THEME_NAMES, NOTHING, OWN(theme))                              \
    SETTING(PRESENT, "present", NULL, "for the projector: one head, large and bare (P ends it)",   \
            NOTHING, FLAG(presented))

enum setting {
#define SETTING(setting, name, argument, help, counts, kept) SETTING_##setting,
    SETTINGS(SETTING)
#undef SETTING
        SETTING_COUNT
};

/* What a value counts: it means nothing for another model, text or set of tokens. */
enum setting_counts {
    COUNTS_NOTHING,
    COUNTS_MODEL,  /* layers, heads or dimensions */
    COUNTS_TEXT,   /* sentences */
    COUNTS_TOKENS, /* the tokens shown */
};

struct setting_info {
    const char *name, *argument, *help;
    enum setting_counts counts;
};

const struct setting_info *setting_info(enum setting setting);

/* A value that the setting can have, by number; NULL past the last one, or where they are not a few
 * names. */
const char *setting_choice(enum setting setting, size_t index);

/* The setting of that name; SETTING_COUNT when there is none. */
enum setting setting_named(const char *name);

/* Checks a value as far as that is possible without a session. STATUS_USAGE. */
enum status setting_check(enum setting setting, const char *value, struct error *error);

/* Whether the values that are given overrule one from before: its own, --head the heads that are on
 * and those that were, a token the cursor's side. */
bool setting_is_overruled(enum setting setting, const char *const given[SETTING_COUNT]);

/* Applies the values that are not NULL, in the order of the table, to a session that shows an
 * encoded input. STATUS_USAGE, with the setting named as an option, for a value that doesn't suit
 * the session: then nothing is applied, and *failed, unless NULL, is that setting. Unless --heads
 * is given too, --head switches all others off in a view of the chosen heads; unless --side is,
 * --attended puts the cursor on the right. */
enum status settings_apply(struct session *session, const char *const values[SETTING_COUNT],
                           enum setting *failed, struct error *error);

/* Bytes of a value from setting_write; longer ones are cut. */
#define SETTING_VALUE 256

/* Writes the value that restores the session's state; false where it needn't be saved. A token is
 * "#N", the ranking the place of its cursor, from 1. */
bool setting_write(const struct session *session, enum setting setting, char value[SETTING_VALUE]);

/* ---- Values, of settings and of other options ---- */

/* "--NAME: expected EXPECTED, found "FOUND"": STATUS_USAGE. */
enum status value_bad(const char *name, const char *expected, const char *found,
                      struct error *error);

/* Whether a text is a number from 0 to `limit`, in digits alone; *number is set if so. */
bool value_number(const char *text, size_t limit, size_t *number);

/* Finds a text among choices that end with NULL. STATUS_USAGE lists them. */
enum status value_choice(const char *name, const char *const *choices, const char *text,
                         unsigned *choice, struct error *error);

#endif
