/* player.h: what the soak's parts share: one session at a time, and who plays with it. */
#pragma once

#include "headlight/session/request.h"
#include "headlight/terminal/curses.h"
#include "soak/chance.h"
#include "soak/soak.h"
#include "soak/sound.h"

#include <stdio.h>

#define PLAYER_NOTES 12

struct player {
    struct chance chance;
    struct checkpoint tiny, built_in;
    struct recording *recording;
    unsigned char *tape;    /* its bytes, unless they are a file's */
    struct session session; /* all zero until it is begun */
    struct request request; /* what a worker would be at */
    bool due;               /* a text is wanted, and will be computed */
    struct canvas *canvas;
    struct curses *curses; /* NULL: none */
    FILE *input, *output;  /* of curses */
    struct soak_count count;
    char notes[PLAYER_NOTES][80]; /* the last actions, in turn */
    size_t noted;
    struct unsound unsound; /* what doesn't hold; empty: all does */
};

/* Notes what is done next. */
void player_note(struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Something that must not be. */
void player_fail(struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Sessions (player.c) ---- */

/* A model or a recording with a random text. */
void player_start(struct player *player);
void player_stop(struct player *player);

/* ---- The program's part (player_pass.c) ---- */

/* Does what the session can't do by itself: the bits of act.h. */
void player_obey(struct player *player, unsigned bits);

/* What takes its time is done, or cancelled. */
void player_pass_time(struct player *player);

/* ---- Files (player_files.c) ---- */

/* Saves the screen, saves the state and reads it, exports. */
void player_save_screen(struct player *player);
void player_save_page(struct player *player);
void player_save_state(struct player *player);
void player_export(struct player *player);

/* The recording that player_export leaves in the working folder. */
#define PLAYER_TAPE "soak.safetensors"
