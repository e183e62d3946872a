/* fields_values.h: reads and writes values of fields (fields.h) that are more than a number or a
 * choice; used by fields.c only. */
#ifndef HEADLIGHT_SESSION_FIELDS_VALUES_H
#define HEADLIGHT_SESSION_FIELDS_VALUES_H

#include "headlight/session/fields.h"

#define FIELD_NUMBER_MAX 1000000

/* The look and changes that values are read into, with the data to check them against: none
 * without a session. */
struct draft {
    struct scene scene;
    struct interventions changes;
};

/* Reads a value into the draft. STATUS_USAGE. */
typedef enum status value_reader(struct draft *draft, const char *value, struct error *error);

/* Adds the value to an empty one; leaves it empty if it needn't be saved. */
typedef void value_writer(const struct draft *draft, struct field_value *value);

value_reader field_read_threshold, field_read_detail, field_read_find, field_read_rank,
    field_read_theme, field_read_temperature, field_read_off, field_read_uniform, field_read_hide,
    field_read_cut;
value_writer field_write_threshold, field_write_detail, field_write_find, field_write_rank,
    field_write_theme, field_write_temperature, field_write_off, field_write_uniform,
    field_write_hide, field_write_cut, field_write_mask;

/* Adds to a value. */
void field_value_add(struct field_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
