/* sound.h: what holds of every session and every screen, whatever was done before. */
#pragma once

#include "headlight/session/session.h"

/* The first thing that does not hold, in words. */
struct unsound {
    char what[256];
};

bool sound_session(const struct session *session, struct unsound *unsound);

/* Two states with the same texts, masks and changes, and the same look. */
bool sound_same_state(const struct state *one, const struct state *other, struct unsound *unsound);

/* A canvas that shows the session. */
bool sound_canvas(const struct session *session, const struct canvas *canvas,
                  struct unsound *unsound);

/* Two canvases with the same cells and the same answers to clicks. */
bool sound_same(const struct canvas *one, const struct canvas *other, struct unsound *unsound);
