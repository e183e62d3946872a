/* fields.h: the fields of the state as names and values, in one table. From it come the options of
 * the command line that choose what is shown or change the network, those of a lesson's steps, the
 * keys of a saved state, and the changes in exported JSON.
 *
 *     const char *values[FIELD_COUNT] = {[FIELD_LAYER] = "3", [FIELD_CAUSAL] = "on"};
 *     fields_apply(&session, PART_NETWORK, values, &failed, &error);
 *     fields_apply(&session, PART_LOOK, values, &failed, &error); */
#pragma once

#include "headlight/session/session.h"

/* assets/options has a row of each: its place, part, reach, then how it is kept (fields.c).
 * Within a part they are applied and written in the order of their places.
 *
 * A SAYS row is an option for one value of another field. IN names the part of a picture that shows
 * a field of the look, and the files besides pictures that it is for. MOVES: it is a cursor, or
 * what goes with one; a change of it isn't undone by itself. KEY: the action that lists its values,
 * each with the sentence that assets/options has for it, or its own table. OFFERS: those that a
 * list has of a number, the default first. */
enum state_field {
#define FIELD(field, ...) FIELD_##field,
#include "options.inc"
    FIELD_COUNT
};

/* What a field belongs to: the look, the changes of the network, or how the texts are tokenised. */
enum field_part { PART_LOOK, PART_NETWORK, PART_TEXTS };

/* What a run writes or shows, and so which options it reads: the screen and pictures of it; files
 * in the order of FORMATS (export.h); surveys, indexes, what is found; the numbers of a
 * survey that is opened, or of several that are merged, without a model. READ_ONE: whatever it is,
 * it is of one text; READ_MANY: of each text of a file; READ_LIST: a list of something. */
enum {
    READ_SCREEN = 1,
    READ_CSV = 2,
    READ_JSON = 4,
    READ_TRACE = 8,
    READ_PAGE = 16,
    READ_SURVEY = 32,
    READ_INDEX = 64,
    READ_FOUND = 128,
    READ_MODEL = 255,
    READ_OPENED = 256,
    READ_MERGED = 512,
    READ_ONE = 1024,
    READ_MANY = 2048,
    READ_LIST = 4096,
    READ_ALL = 8191
};

/* What a value depends on: it is meaningless for another model, other sentences, or other
 * tokens. */
enum field_reach {
    REACH_USER, /* nothing: the user's display preferences, which lessons leave alone */
    REACH_NOTHING,
    REACH_MODEL,  /* layers, heads or dimensions */
    REACH_TEXT,   /* sentences */
    REACH_TOKENS, /* the tokens of the text, however they are shown */
    REACH_SHOWN,  /* the tokens as they are shown: merged, hidden or filtered */
};

struct field_info {
    const char *name;
    enum field_part part;
    enum field_reach reach;
    unsigned shown;  /* of the look: the aspect that shows it in pictures and CSV; 0: all views, */
    unsigned reads;  /* and READ_ bits of files that are not pictures */
    bool moves;      /* a cursor */
    enum action key; /* which lists its values; 0: none does */
};

const struct field_info *field_info(enum state_field field);

/* What lists call it. */
static inline const char *field_title(enum state_field field)
{
    return field == FIELD_SITE ? "attention" : field_info(field)->name;
}

/* A group of options, "network" and "Change the network", with lines of help of its own. */
struct topic_info {
    const char *name, *title, *about;
    const char *called; /* as below */
};

/* An option of the command line, as assets/options has it: a letter or 0; what it takes, or NULL; a
 * line of help. What has no dashes is given by --set NAME=VALUE. */
struct option_info {
    const struct topic_info *topic;
    bool dashes;
    const char *name;
    char letter;
    const char *argument, *help;
    const char *called;        /* other words for it, " png pdf " */
    const char *const *values; /* some, each with what it means; NULL behind them, or for none */
};

/* In the order of that file, group by group; NULL past the last one. */
const struct option_info *option_at(size_t index);

/* NULL: there is none. */
const struct option_info *option_named(const char *name);

/* How one of that name is given: "--", or "--set " where it has no dashes. */
const char *option_dashes(const char *name);

/* Whether it belongs to scene.look. */
static inline bool field_is_look(enum state_field field)
{
    return field_info(field)->part == PART_LOOK;
}

static inline bool field_is_network(enum state_field field)
{
    return field_info(field)->part == PART_NETWORK;
}

/* Whether a view shows it: in a picture, whose bar says which pieces there are, or in rows. */
bool field_is_shown(enum state_field field, enum view_kind view, bool picture);

/* Whether it is not a field but an option for a value of one: a SAYS row. */
bool field_is_alias(enum state_field field);

/* The value of that index among the field's choices, the first being the default; NULL past the
 * last one, or if it has no choices. Of a number they are some of many. */
const char *field_choice(enum state_field field, size_t index);

/* The field that is kept at an offset in the look. */
enum state_field field_at(size_t offset);

/* Gives one that is a number, or a token, the value that is pointed at, with what goes with it.
 * False, with nothing changed: there is no such thing there. */
bool field_put(struct scene *scene, enum state_field field, size_t number);

/* What that value means, in a sentence; and the choice that a scene has, NO_ROW: none of them. */
const char *field_choice_about(enum state_field field, size_t index);
size_t field_chosen(const struct scene *scene, enum state_field field);

/* Why a change of the network means nothing to the model that is shown; NULL: it does, or there is
 * no such field. */
const char *field_missing(const struct scene *scene, enum state_field field);

/* The aspect that shows a field whose values an action lists; 0: all views do. */
unsigned field_aspect(enum state_field field);

/* The field whose values an action lists in a scene's view, which shows it; FIELD_COUNT: none. Of a
 * model with one answer there is no list of answers. */
enum state_field field_listed_by(const struct scene *scene, enum action action);

/* The field of that name; FIELD_COUNT when there is none. */
enum state_field field_named(const char *name);

/* The field that an option sets (another one for a SAYS row), and its value without an argument:
 * "on" or that of the SAYS row; NULL if the option takes one. */
enum state_field field_set_by(enum state_field option, const char **value);

/* Checks a value as far as possible without a session. STATUS_USAGE. */
enum status field_check(enum state_field field, const char *value, struct error *error);

/* Whether a flag's value is "on". */
bool field_is_on(const char *value);

/* Whether given values override an earlier one: its own field's, --head the heads that are on
 * and that were on, a token the cursor's side. */
bool field_is_overruled(enum state_field field, const char *const given[FIELD_COUNT]);

/* Applies the values that are not NULL of one part, the look or the network, to a session that has
 * an encoded text. STATUS_USAGE, with the field named as an option, for an unsuitable value,
 * STATUS_LIMIT for too many of a kind: then nothing is applied, and *failed, unless NULL, is that
 * field.
 *
 * For the network all tokens of the text are shown: apply the look later. Unless HEADS is given
 * too, HEAD switches all others off in a view of the chosen heads; unless SIDE is, ATTENDED
 * puts the cursor on the right. */
enum status fields_apply(struct session *session, enum field_part part,
                         const char *const values[FIELD_COUNT], enum state_field *failed,
                         struct error *error);

/* Whether two looks show the same. */
bool look_equal(const struct look *a, const struct look *b);

/* Copies the fields up to a reach from one look to another; unless `since` is NULL, only those that
 * differ between it and `from`. */
void fields_copy(struct look *to, const struct look *from, enum field_reach reach,
                 const struct look *since);

/* A value in words. A list of all heads of the largest model fits; longer ones are cut. */
struct field_value {
    size_t length;
    char text[(size_t)1 << 16];
};

/* Writes the value that restores the session's state; false if it needn't be saved. A token is
 * "#N", one past the text's end is left out; the ranking is its cursor's place, from 1. */
bool field_write(const struct session *session, enum state_field field, struct field_value *value);

/* ---- Drafts ---- */

/* The look and changes that values are read into, with the data to check them against: none
 * without a session. */
struct field_draft {
    struct scene scene;
    struct interventions changes;
};

/* Reads a value into the draft. STATUS_USAGE, STATUS_LIMIT. */
typedef enum status value_reader(struct field_draft *draft, const char *value, struct error *error);

/* Adds a value to an empty one; leaves it empty if it needn't be saved. */
typedef void value_writer(const struct field_draft *draft, struct field_value *value);

value_reader field_read_threshold, field_read_detail, field_read_temperature, field_read_hide,
    field_read_cut;
value_writer field_write_threshold, field_write_detail, field_write_temperature, field_write_hide,
    field_write_cut, field_write_generated, field_write_mask;

/* The attending token, --select, is on the left. */
enum status field_read_token(struct scene *scene, enum state_field field, const char *value,
                             struct error *error);

/* Reads values[field] into the draft's look, with what else it changes there; the other values say
 * which of that is given. STATUS_USAGE, STATUS_LIMIT. */
enum status field_draft_take(struct field_draft *draft, enum state_field field,
                             const char *const values[FIELD_COUNT], struct error *error);

/* Writes the draft's value of a field; empty if it needn't be saved. */
void field_draft_write(const struct field_draft *draft, enum state_field field,
                       struct field_value *value);

/* Writes what the first field but a cursor is now in which one draft differs from an earlier one,
 * as lists say it: "each head by itself". Empty: in none. */
#define CHANGE_NAME 96
void fields_name_change(const struct field_draft *now, const struct field_draft *before, char *text,
                        size_t size);

void field_value_add(struct field_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Values, of fields and of other options ---- */

#define FIELD_NUMBER_MAX 1000000

/* "--NAME: expected EXPECTED, found "FOUND"": STATUS_USAGE. */
enum status value_bad(const char *name, const char *expected, const char *found,
                      struct error *error);

/* Whether a text is a number from `least` to `most`; if so, sets *number. */
bool value_real(const char *text, double least, double most, double *number);

/* Whether a text is a number from 0 to `limit`, digits only; if so, sets *number. */
bool value_number(const char *text, size_t limit, size_t *number);

/* Finds a text among choices that end with NULL. STATUS_USAGE lists them. */
enum status value_choice(const char *name, const char *const *choices, const char *text,
                         unsigned *choice, struct error *error);
