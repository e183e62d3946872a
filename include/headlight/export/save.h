/* save.h: the screen of a session as a file. */
#ifndef HEADLIGHT_EXPORT_SAVE_H
#define HEADLIGHT_EXPORT_SAVE_H

#include "headlight/export/snapshot.h"
#include "headlight/session/session.h"

#include <stdio.h>

/* Draws the session and writes it in the format that the file's name asks for, without colour for
 * .txt and for DEPTH_MONO. What depends on the machine's speed is left out. */
enum status save_snapshot(struct session *session, int columns, int rows, bool ascii,
                          enum depth depth, const char *path, struct error *error);

/* The same as plain text to a stream. */
enum status save_text(struct session *session, int columns, int rows, bool ascii, FILE *stream,
                      struct error *error);

/* The same to headlight-N.svg in the working folder, N the first number that is free, which the
 * session's message then says; or why not. */
void save_screen(struct session *session, int columns, int rows);

#endif
