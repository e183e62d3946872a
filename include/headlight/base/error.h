/* error.h: how a function says what went wrong.
 *
 *     struct error error;
 *     if (file_read(path, 100, &text, &length, &error) != STATUS_OK)
 *         report(&error);
 *
 * A function that can fail returns a status and, unless it is STATUS_OK, fills the caller's struct
 * error with one sentence: what was being read, what was expected, what was there, what to do.
 * Nothing below the app floor prints or exits. A message may quote text from a file: whoever
 * shows it makes it safe first (draw/text.h). */
#pragma once

#include <stddef.h>

enum status {
    STATUS_OK,
    STATUS_IO,          /* the system refused: open, read, map, write */
    STATUS_FORMAT,      /* a file is not what its format says */
    STATUS_MISMATCH,    /* well-formed parts that do not fit each other */
    STATUS_UNSUPPORTED, /* understood, and not something headlight can run */
    STATUS_LIMIT,       /* more than there is room for, such as a text over the positions */
    STATUS_MEMORY,
    STATUS_USAGE, /* the command line */
    STATUS_CANCELLED,
    STATUS_UNREAD, /* nobody reads what is written, as after "| head": no reason to complain */
};

struct error {
    enum status status;
    char message[1024];
};

/* Fills *error, whose own message may be among the arguments: "FILE: what was wrong in it". A
 * message that is too long loses its middle, so that even an endless path leaves room for what is
 * wrong with it. */
void error_write(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline enum status error_as(enum status status)
{
    return status;
}

/* The same with the status as its value, so that a failing function can `return error_set(...)`. A
 * macro, so that static checkers see that it is not STATUS_OK. */
#define error_set(error, status, ...) (error_write(error, status, __VA_ARGS__), error_as(status))

/* Of a wrong option, argument or value of a field. */
#define error_usage(error, ...) error_set(error, STATUS_USAGE, __VA_ARGS__)

/* "not enough memory for WHAT (N bytes)". */
static inline enum status error_memory(struct error *error, const char *what, size_t bytes)
{
    error_write(error, STATUS_MEMORY, "not enough memory for %s (%zu bytes)", what, bytes);
    return STATUS_MEMORY;
}
