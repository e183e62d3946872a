/* kitty_helpers.h: what a terminal does with the commands of kitty's graphics protocol. */
#ifndef HEADLIGHT_TESTS_KITTY_HELPERS_H
#define HEADLIGHT_TESTS_KITTY_HELPERS_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>

/* Reads Base64 up to the end of the command, and that end. Returns how many bytes it is. */
size_t kitty_read_base64(const char **text, uint8_t *bytes);

#endif
