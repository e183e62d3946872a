/* kitty_helpers.h: what a terminal does with the commands of kitty's graphics protocol. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads Base64 up to the end of the command, and that end. Returns how many bytes it is. */
size_t kitty_read_base64(const char **text, uint8_t *bytes);

/* The name of shared memory in the first command that has one, from `*text` on, which is moved
 * behind it. "": there is none. Valid until the next call. */
const char *kitty_shared_name(const char **text);

/* What is shared under a name, to be freed; NULL if it has been unlinked. Then it is unlinked, as a
 * terminal does that has read it. */
uint8_t *kitty_take_shared(const char *name, size_t *size);

/* Whether it still has something to be read. */
bool kitty_is_shared(const char *name);

/* False, and said, where this machine has no shared memory. */
bool kitty_can_share(void);
