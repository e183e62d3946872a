/* format.h: text for output: in a buffer of a fixed size or of any size, and without characters
 * that can't be seen. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* snprintf and vsnprintf for UTF-8: a text that doesn't fit is cut, but never inside a character.
 */
void format_cut(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void format_cut_list(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* The same, but the middle is left out: "/a/long/pa … th/file: no such file". The arguments must
 * not lie in the buffer. */
void format_elide_list(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Appends to the text in the buffer, cut as by format_cut. */
void format_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A stream that writes to memory. buffer_close returns the text, to be freed, or NULL if there was
 * no memory for it; it also accepts a buffer that couldn't be opened. An open buffer must not be
 * moved, as the stream knows its address. */
struct buffer {
    FILE *stream;
    char *text;
    size_t length;
};
bool buffer_open(struct buffer *buffer);
char *buffer_close(struct buffer *buffer);

/* "812 bytes", "6.7 PB": a size with an SI prefix, up to Y for 10^24. */
void format_bytes(char *text, size_t size, double bytes);

/* "35,580": a number in groups of three digits. */
struct counted {
    char text[32];
};
struct counted format_count(int64_t number);

/* "[768,3072]": a shape, or a place in one; "[1,2,4]": that of a tensor's number `index`, counted
 * row by row. At most 8 axes. */
void format_shape(char *text, size_t size, const size_t *numbers, size_t rank);
void format_index(char *text, size_t size, const size_t *shape, size_t rank, size_t index);

/* Whether a character is obeyed instead of shown, or means nothing: controls, format characters
 * (marks of direction, joiners, tags), ends of lines and paragraphs, surrogates, private use, and
 * what Unicode has not assigned (categories C*, Zl and Zp). No output that may come to a terminal
 * holds one as it is. */
bool is_unseen(int32_t code);
