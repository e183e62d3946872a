/* settings_table.h: what the parts of settings.h share: what the value of each setting is made
 * of. */
#ifndef HEADLIGHT_SESSION_SETTINGS_TABLE_H
#define HEADLIGHT_SESSION_SETTINGS_TABLE_H

#include "headlight/session/settings.h"

#define SETTING_CHOICES_MAX 8

enum setting_kind {
    KIND_CHOICE,    /* one of `choices`: an enum, from 0 */
    KIND_FLAG,      /* on, off: a bool */
    KIND_FLAG_PAIR, /* one of two `choices`: a bool */
    KIND_NUMBER,    /* from 0: a size_t */
    KIND_OTHER,     /* read and written by code of its own */
};

struct setting_entry {
    struct setting_info info;
    enum setting_kind kind;
    size_t offset;                                /* in struct scene */
    const char *choices[SETTING_CHOICES_MAX + 1]; /* NULL after the last */
};

const struct setting_entry *setting_entry(enum setting setting);

#endif
