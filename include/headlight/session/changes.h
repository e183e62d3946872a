/* changes.h: what is changed in the network (model/intervene.h) as names and values, in one table:
 * those of the command line, of a saved state and of exported JSON.
 *
 *     const char *values[CHANGE_COUNT] = {[CHANGE_CAUSAL] = "on", [CHANGE_HIDE] = "flies,#3"};
 *     changes_apply(&session, values, &failed, &error); */
#ifndef HEADLIGHT_SESSION_CHANGES_H
#define HEADLIGHT_SESSION_CHANGES_H

#include "headlight/session/settings.h"

/* change, its name, what it counts, and how and where struct interventions keeps it (changes.c): a
 * flag is "on", the other values are as in the remark */
#define CHANGES(CHANGE)                                                                            \
    CHANGE(UNSCALED, "unscaled", NOTHING, FLAG(unscaled))                                          \
    CHANGE(CAUSAL, "causal", NOTHING, FLAG(causal))                                                \
    CHANGE(TEMPERATURE, "temperature", NOTHING, OWN(temperature)) /* "0.5" */                      \
    CHANGE(POSITIONS, "positions", NOTHING, OWN(positions))       /* "none", "sinusoidal" */       \
    CHANGE(NO_SEGMENTS, "no-segments", NOTHING, FLAG(no_segments))                                 \
    CHANGE(OFF, "off", MODEL, OWN(off))             /* layer.head: "0.1,2.3" */                    \
    CHANGE(UNIFORM, "uniform", MODEL, OWN(uniform)) /* so */                                       \
    CHANGE(HIDE, "hide", TOKENS, OWN(hide))         /* tokens as --select has them: "flies,#3" */  \
    CHANGE(CUT, "cut", TOKENS, OWN(cut))            /* layer.head.from.to: "0.1.4.2" */

enum change {
#define CHANGE(change, name, counts, kept) CHANGE_##change,
    CHANGES(CHANGE)
#undef CHANGE
        CHANGE_COUNT
};

const char *change_name(enum change change);
bool change_is_flag(enum change change);
/* COUNTS_TOKENS are the tokens of the text, whatever is shown of them. */
enum setting_counts change_counts(enum change change);

/* Checks a value as far as that is possible without a session. STATUS_USAGE. */
enum status change_check(enum change change, const char *value, struct error *error);

/* option of the command line, its name, its argument in words or NULL, one line of help, what it
 * changes, and to what where it takes no value. Of --no-positions and --sinusoidal the last one
 * holds. */
#define CHANGE_OPTIONS(OPTION)                                                                     \
    OPTION(UNSCALED, "unscaled", NULL, "change the network: scores without the division by √D",    \
           UNSCALED, "on")                                                                         \
    OPTION(TEMPERATURE, "temperature", "X", "change the network: scores divided by X as well",     \
           TEMPERATURE, NULL)                                                                      \
    OPTION(CAUSAL, "causal", NULL, "change the network: attend to earlier tokens only", CAUSAL,    \
           "on")                                                                                   \
    OPTION(HIDE, "hide", "TOKEN,...", "change the network: hide tokens from all; a comma is #N",   \
           HIDE, NULL)                                                                             \
    OPTION(CUT, "cut", "L.H.FROM.TO", "change the network: cut connections; tokens by number",     \
           CUT, NULL)                                                                              \
    OPTION(OFF, "off", "L.H,...", "change the network: switch heads off, as layer.head", OFF,      \
           NULL)                                                                                   \
    OPTION(UNIFORM, "uniform", "L.H,...", "change the network: heads that weigh all alike",        \
           UNIFORM, NULL)                                                                          \
    OPTION(NO_POSITIONS, "no-positions", NULL, "change the network: no position embeddings",       \
           POSITIONS, "none")                                                                      \
    OPTION(SINUSOIDAL, "sinusoidal", NULL, "change the network: sinusoidal positions instead",     \
           POSITIONS, "sinusoidal")                                                                \
    OPTION(NO_SEGMENTS, "no-segments", NULL, "change the network: no segment embeddings",          \
           NO_SEGMENTS, "on")

enum change_option_code {
#define OPTION(option, name, argument, help, change, value) CHANGE_OPTION_##option,
    CHANGE_OPTIONS(OPTION)
#undef OPTION
        CHANGE_OPTION_COUNT
};

struct change_option {
    const char *name;
    enum change change;
    const char *value; /* NULL: the option takes one */
};

/* By code; and by name, NULL when there is none. */
const struct change_option *change_option_at(size_t code);
const struct change_option *change_option_named(const char *name);

/* Makes the values that are not NULL the session's changes. It has a model and an encoded text, of
 * which all tokens are shown: settings come later. STATUS_USAGE for a value that doesn't suit them,
 * STATUS_LIMIT for too many of a kind: then the changes are what they were, and *failed is which.
 */
enum status changes_apply(struct session *session, const char *const values[CHANGE_COUNT],
                          enum change *failed, struct error *error);

/* Writes a session's changes as a JSON object, flags as true or false, other values as texts or
 * null: {"unscaled": false, "off": "0.1,2.3", …}. Tokens are "#3"; those past the text's end are
 * left out. */
void changes_write(FILE *stream, const struct session *session,
                   const struct interventions *changes);

#endif
