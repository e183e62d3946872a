/* writing.h: what random people type: words, scripts from right to left and wide ones, emoji,
 * marks, control characters, and bytes that are no text at all. */
#pragma once

#include "soak/chance.h"

/* A text of at most `size` bytes, which may hold NULs and bytes that are no UTF-8. Returns its
 * length. */
size_t writing_text(struct chance *chance, char *text, size_t size);

/* One code point, of any kind. */
int32_t writing_code(struct chance *chance);

/* A key for whoever edits: a letter, a command of the editor, or one that nothing is bound to. */
uint32_t writing_key(struct chance *chance);
