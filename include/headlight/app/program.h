/* program.h: from the command line to a session: what to open, which text, in which state. There
 * are three steps; the second may run on its own thread:
 *
 *     program_read(&program, argc, argv, &error);
 *     program_prepare(&program, &error)  &&  program_load(&program, NULL, &error)  &&
 *     program_begin(&program, &error);
 *     … program.session …
 *     program_end(&program); */
#pragma once

#include "headlight/app/options.h"
#include "headlight/lesson/player.h"
#include "headlight/session/state_file.h"
#include "headlight/survey/index.h"

/* The user's own file: settings that stay, and keys (settings.c). A setting is an option of the
 * command line without its dashes; a key is bound to an action of view/actions.h:
 *
 *     # a comment
 *     theme = light
 *     key.x = quit */

/* The last note is of all other lines. */
#define SETTINGS_NOTES 8

/* {0} at first. */
struct settings {
    char *path, *text;      /* of the file that was read; NULL: there is none */
    struct options options; /* those it sets; strings point into the text */
    struct bindings bindings;
    size_t wrong; /* notes: "PATH:3: theme: expected …, found …" */
    struct error notes[SETTINGS_NOTES];
};

/* Reads the file that the options name, else $XDG_CONFIG_HOME/headlight/config if it is there,
 * unless they say that none is wanted. Options that were not given take what it says, but for the
 * fields of the state and the model, before which a saved state comes (program.c). A wrong line is
 * left out. Errors only where the options name a file that can't be read. */
enum status settings_read(struct settings *settings, struct options *options, struct error *error);

void settings_free(struct settings *settings);

struct program {
    void (*say)(const char *message); /* something on standard error: set by who runs it */
    bool ascii;                       /* and whether text on standard output is ASCII */
    struct options options;   /* these two are set by program_read; the rest starts as zero */
    struct settings settings; /* of the user's own file */
    struct saved_state state; /* of --state, where there is one */
    struct text texts[2];     /* as collected */
    size_t text_count;
    bool example;                    /* they are the example pair, as no other were named */
    const struct encoding *encoding; /* theirs, where it is known; borrowed */
    bool spaced;                     /* their words are what blanks separate, as a file gave them */
    uint64_t refused;                /* of a file of texts */
    struct interventions changes;    /* of the network, for a text of a survey or index, */
    struct masked masked;            /* and what the model reads as [MASK] there */
    struct corpus *corpus;           /* of texts on the screen, with its places; or NULL */
    size_t corpus_count;
    struct corpus *surveyed; /* the same file, for a survey of it */
    char *input;             /* standard input, when a text comes from there */
    struct checkpoint checkpoint;
    struct checkpoint other;             /* that is to take its place */
    struct checkpoint against;           /* of --against */
    struct recording *recording;         /* opened, instead of the checkpoint, */
    struct recording *against_recording; /* and of --against then */
    struct survey *survey;               /* opened, beside its model; */
    struct indexes indexes;              /* likewise */
    char *stand_in;                      /* for its model, */
    char lacking[256];                   /* why that or its examples can't be opened */
    struct player player;                /* for the keyboard or a lesson; else zeroed */
    struct session session;
    bool abandoned; /* work still reads it that was not waited for: nothing of it may be freed */
};

/* Reads the command line and the user's file of settings, which it overrides. */
enum status program_read(struct program *program, int argc, char **argv, struct error *error);

/* Reads the saved state, which options override, and texts from standard input. */
enum status program_prepare(struct program *program, struct error *error);

/* Begins the player, which interactive use and --lesson need, and opens the lesson. Errors as
 * player_begin and player_open. */
enum status program_find_lessons(struct program *program, struct error *error);

/* Opens the checkpoint or the recording, and what it is compared with; or, once the session wants
 * another model, that one beside its own. */
enum status program_load(struct program *program, const struct watch *watch, struct error *error);

/* Of a survey (program_survey.c): reads the one that is to be opened, if it is one; takes the text
 * of its first example; opens its model, or what stands in for it; and shows it, on the head of
 * which there is most to say unless one is chosen. */
enum status program_read_survey(struct program *program, struct error *error);
void program_take_example(struct program *program);
enum status program_load_survey(struct program *program, const struct watch *watch,
                                struct error *error);

/* What is exported of its session, in the form that the options ask for. */
struct output program_output(struct program *program);

/* What to say where texts wait on standard input that nothing reads; else NULL. */
const char *program_unread(const struct program *program);

/* Begins the session in the given state, without a lesson. The trace is not computed yet, unless it
 * was recorded, or a token is chosen that --generate may have to make. */
enum status program_begin(struct program *program, struct error *error);

/* Computes the trace of a model's text, and all tokens that --generate adds to it, unless it has.
 */
enum status program_compute(struct program *program, struct error *error);

/* The same for the keyboard: with the lesson that is asked for, at its step, and for newcomers a
 * word about the lessons. */
enum status program_begin_interactive(struct program *program, struct error *error);

/* Puts the other model in the place of its own, in a new session with the texts, and with the look
 * as far as the model has it. On failure all is as it was. Errors as program_begin. */
enum status program_exchange(struct program *program, struct error *error);

/* Accepts a program at any stage; one that was abandoned is left to the system. */
void program_end(struct program *program);

/* ---- What is done with one ---- */

/* Loads what a prepared program asks for, begins its session, computes and shows until the user
 * quits, the input ends or a signal arrives; *signal is its number, for the caller to raise, else
 * 0. Until then the session holds only a theme. Leaves the terminal as it was; early failures don't
 * touch it at all. Standard output must be a terminal; keys come from standard input if that is
 * one, else from /dev/tty. */
enum status interactive_run(struct program *program, int *signal, struct error *error);

/* `headlight run`: writes the texts to the file, an object a line (export.h), in their order, with
 * these members in front of the model's name:
 *
 *     id, line   of the text
 *     carried    what its line of JSON has besides, where it has
 *     truncated  how many tokens the whole text has, where it was cut
 *     window     {"number","of","start"}, where it is one of several
 *
 * A text that is passed over is {"id","line","error"}. Each line is written out at once.
 *
 * With --html all texts go into that file instead, one to choose among (export/page.h). Errors as
 * texts_run; STATUS_UNREAD when nobody reads any more. */
enum status filter_run(struct program *program, struct error *error);

/* `headlight survey`: goes through the texts with the model that is loaded and writes the file, and
 * --json and --csv of it; `headlight index`: the vectors that --only names. With --keep a survey
 * that is there, whole, is left alone. Errors as corpus_open, texts_run and batch_run;
 * STATUS_MISMATCH for --keep where the file is of another model or corpus. */
enum status survey_run(struct program *program, struct error *error);

/* `headlight merge`: adds up the files and writes the sum to -o, --json and --csv. Missing
 * shards are named, and counted as refused. Errors as survey_read and survey_merge, with the file's
 * name. */
enum status survey_run_merge(struct program *program, struct error *error);

/* Writes a survey to the file, unless that is NULL, and what else the options ask for: --json and
 * --csv. */
enum status survey_run_write(const struct options *options, const struct survey *survey,
                             const char *path, struct error *error);

/* `headlight find`: opens the model and the indexes, and writes what they have most like the token:
 * to --json and --csv, or else as text to standard output. STATUS_USAGE where there is no such
 * token; STATUS_MISMATCH for an index of another model. */
enum status find_run(struct program *program, struct error *error);
