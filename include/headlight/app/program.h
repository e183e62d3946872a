/* program.h: from the command line to a session: what to open, which text, in which state. There
 * are three steps; the second may run on its own thread:
 *
 *     program_read(&program, argc, argv, &error);
 *     program_prepare(&program, &error)  &&  program_load(&program, NULL, &error)  &&
 *     program_begin(&program, &error);
 *     … program.session …
 *     program_end(&program); */
#ifndef HEADLIGHT_APP_PROGRAM_H
#define HEADLIGHT_APP_PROGRAM_H

#include "headlight/app/settings.h"
#include "headlight/lesson/player.h"
#include "headlight/session/state_file.h"
#include "headlight/survey/index.h"

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

/* Opens the checkpoint or the recording, and what it is compared with. */
enum status program_load(struct program *program, const struct watch *watch, struct error *error);

/* Of a survey (program_survey.c): reads the one that is to be opened, if it is one; takes the text
 * of its first example; opens its model, or what stands in for it; and shows it, on the head of
 * which there is most to say unless one is chosen. */
enum status program_read_survey(struct program *program, struct error *error);
void program_take_example(struct program *program);
enum status program_load_survey(struct program *program, const struct watch *watch,
                                struct error *error);
void program_show_survey(struct program *program, bool chosen);

/* What to say where texts wait on standard input that nothing reads; else NULL. */
const char *program_unread(const struct program *program);

/* Whether --heads was given: a saved state's are only those that were drawn last. */
bool program_chose_heads(const struct program *program);

/* Begins the session in the given state, without a lesson. The trace is not computed yet, unless it
 * was recorded, or a token is chosen that --generate may have to make. */
enum status program_begin(struct program *program, struct error *error);

/* Computes the trace of a model's text, and all tokens that --generate adds to it, unless it has.
 */
enum status program_compute(struct program *program, struct error *error);

/* The same for the keyboard: with the lesson that is asked for, at its step, and for newcomers a
 * word about the lessons. */
enum status program_begin_interactive(struct program *program, struct error *error);

/* Accepts a program at any stage; one that was abandoned is left to the system. */
void program_end(struct program *program);

#endif
