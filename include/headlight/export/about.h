/* about.h: what a snapshot of a session says about itself.
 *
 *     struct about about;
 *     about_session(&session, &about);
 *     snapshot_save(canvas, session.theme, DEPTH_DIRECT, &about.snapshot, "a.svg", &error); */
#ifndef HEADLIGHT_EXPORT_ABOUT_H
#define HEADLIGHT_EXPORT_ABOUT_H

#include "headlight/export/snapshot.h"
#include "headlight/session/session.h"

#define ABOUT_FACTS 12 /* the most that a session has to tell */

/* It points into itself and into the session: not to be copied, and good as long as the session
 * stays as it is. */
struct about {
    char title[256];
    char layer[24], heads[128];
    struct snapshot_fact facts[ABOUT_FACTS];
    struct snapshot_about snapshot;
};

/* Names, in this order: headlight (the version), model, view, layer (or all), head or heads (a list
 * as --heads takes it, or none), mean, special tokens, pieces (as far as they are changed), filter
 * (of a pair), changes (if any), text A, text B. */
void about_session(const struct session *session, struct about *about);

#endif
