/* settings.h: the user's own file: settings that stay, and keys. A setting is an option of the
 * command line without its dashes; a key is bound to an action of view/actions.h:
 *
 *     # a comment
 *     theme = light
 *     key.x = quit */
#ifndef HEADLIGHT_APP_SETTINGS_H
#define HEADLIGHT_APP_SETTINGS_H

#include "headlight/app/options.h"
#include "headlight/view/actions.h"

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

#endif
