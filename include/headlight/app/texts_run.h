/* texts_run.h: goes through the texts of a file, one after the other: those that are wanted, as
 * tokens that fit the model. What can't be read or is too long is said, counted and passed over, or
 * ends it (--strict). */
#pragma once

#include "headlight/app/program.h"

/* A text, or what --truncate leaves of it, or one of its windows. All of it is valid until the
 * function that it is given to returns, but for the encoding, which that frees. */
struct texts_piece {
    const struct corpus_text *text;
    struct text texts[2];      /* what is left of text->texts; spans are of these */
    struct encoding *encoding; /* of an encoder–decoder, the source's */
    size_t whole;              /* tokens of the whole text */
    size_t window, windows;    /* which window, from 0, of how many; 1: it is not cut into any */
    size_t start;              /* where the window begins in the last of the texts, in bytes */
};

struct texts_run {
    struct program *program; /* with its checkpoint opened */
    struct corpus *corpus;   /* opened, and the caller's to close */
    bool progress;           /* standard error shows how far it is */
    void *context;           /* of these two: */
    enum status (*act)(void *context, const struct texts_piece *piece, struct error *error);
    void (*refuse)(void *context, const struct corpus_text *text, const struct error *error);

    uint64_t done;              /* of those that are wanted */
    uint64_t refused, too_long; /* and were passed over; */
    uint64_t cut, repaired;     /* or lost their end, or bytes that aren't UTF-8 */
    double began, shown;        /* in milliseconds */
};

/* What no text could make right is refused once, before the first: heads that the model hasn't got,
 * an answer that it can't give. The program's changes are then those of all texts. STATUS_USAGE. */
enum status texts_run_check(struct program *program, struct error *error);

/* The program's changes become those for this text, and tokens that the options name are masked in
 * its encoding. As of a text on the command line: STATUS_USAGE where it hasn't got such tokens. */
enum status texts_run_change(struct program *program, const struct texts_piece *piece,
                             struct error *error);

/* For what is summed up of all: whatever went wrong ends the run, though it may be of one text. */
enum status texts_run_end_with(enum status status, struct error *error);

/* The text as the piece has it; words of a window are what blanks separate, and all but the first
 * have a hash of their own. */
struct corpus_text texts_piece_text(const struct texts_piece *piece);

/* Calls `act` for each text or window, and `refuse`, unless it is NULL, for each text that is
 * passed over, be it by an error of `act`. The counts are added to the program's. Errors as
 * corpus_next and `act`, with the file and the line in front of those of one text. */
enum status texts_run(struct texts_run *run, struct error *error);
