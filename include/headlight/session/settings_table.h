/* settings_table.h: settings that are read and written by functions of their own: settings_values.c
 * defines these, settings.c calls them. To check a value without a session it is applied to a scene
 * without data. */
#ifndef HEADLIGHT_SESSION_SETTINGS_TABLE_H
#define HEADLIGHT_SESSION_SETTINGS_TABLE_H

#include "headlight/session/settings.h"

#define SETTING_NUMBER_MAX 1000000

/* Reads a number below the limit. STATUS_USAGE. */
enum status setting_number(enum setting setting, const char *value, size_t limit, size_t *number,
                           struct error *error);

/* Reads a value into the scene's look. STATUS_USAGE. */
typedef enum status apply_setting(struct scene *scene, const char *value, struct error *error);

/* Writes it; false where it needn't be saved. */
typedef bool write_setting(const struct scene *scene, char value[SETTING_VALUE]);

apply_setting setting_apply_heads, setting_apply_others, setting_apply_threshold,
    setting_apply_detail, setting_apply_dimension, setting_apply_number, setting_apply_select,
    setting_apply_attended, setting_apply_find, setting_apply_rank, setting_apply_theme;
write_setting setting_write_heads, setting_write_others, setting_write_threshold,
    setting_write_detail, setting_write_dimension, setting_write_number, setting_write_select,
    setting_write_attended, setting_write_find, setting_write_rank, setting_write_theme;

#endif
