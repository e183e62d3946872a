/* unseen.h: characters that are not seen but obeyed, or that nobody knows.
 *
 *     if (is_unseen(code))
 *         fprintf(stream, "\\u{%x}", (unsigned)code); */
#ifndef HEADLIGHT_BASE_UNSEEN_H
#define HEADLIGHT_BASE_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

/* Controls, format characters (marks of direction, joiners, tags), ends of lines and paragraphs,
 * surrogates, private use, and what Unicode has not assigned: categories C*, Zl and Zp. No output
 * that may come to a terminal holds one as it is. */
bool is_unseen(int32_t code);

#endif
