/* faults.h: calls of the library that fail when a test wants it. The runner is linked so that what
 * the program calls comes here first (the linker's --wrap; see FAULTS in the Makefile). Between
 * faults_begin and faults_end the calls of one kind are counted, on all threads; the chosen one
 * fails, or that one and all later ones. */
#pragma once

#include "headlight/base/error.h"

#include <stdbool.h>

enum fault_kind {
    FAULT_MEMORY,  /* malloc and its kin, and what allocates inside the C library */
    FAULT_THREAD,  /* pthread_create, pipe */
    FAULT_LIBRARY, /* dlopen */
    FAULT_OPEN,    /* open */
    FAULT_MAP,     /* mmap */
    FAULT_READ,    /* read */
    FAULT_MAKE,    /* mkstemp: a new file in a folder */
    FAULT_WRITE,   /* write, of a stream that such a file is */
    FAULT_SYNC,    /* fsync */
    FAULT_CLOSE,   /* close, of that stream */
    FAULT_RENAME,  /* rename */
    FAULT_KEY,     /* wgetch: nothing waits */
    FAULT_KINDS
};

/* Where the linker can't wrap, the suites that need it have no tests, and say so. */
bool faults_work(void);

struct fault {
    enum fault_kind kind;
    size_t nth; /* from 1 */
    bool lasts; /* the later ones fail too */
    bool brief; /* no failure: a read of one byte */
    bool kills; /* no failure: the process ends there, as by SIGKILL; in the middle of a write */
    int reason; /* errno; 0: ENOMEM */
};

void faults_begin(const struct fault *fault);

/* How many calls failed. */
size_t faults_end(void);

/* How many bytes malloc, calloc and realloc were asked for from faults_begin to faults_end,
 * whatever was freed meanwhile. 0 where the linker can't wrap. */
size_t faults_bytes(void);

/* ---- Each call in turn ---- */

/* Something that allocates. `begin` and `end`, which may be NULL, come before and after each try,
 * with no fault. */
struct trial {
    const char *name;
    void (*begin)(void);
    enum status (*act)(struct error *error);
    void (*end)(void);
    /* After a failure, before the next try; may be NULL. */
    void (*check_failed)(void);
    /* Whether what was done can be used although an allocation failed; it then returns STATUS_OK.
     * NULL: no failure may be passed over. */
    bool (*tolerates)(void);
    /* 0, or: of the allocations after the first FAULTS_EACH only each of so many fails, where they
     * are thousands of one kind. */
    size_t stride;
};

#define FAULTS_EACH 16

/* Fails the first allocation, the second … until nothing fails any more; then the same with all
 * later ones failing too. Each time the trial must end in STATUS_MEMORY with a sentence (or be
 * tolerated), and done again at once without a fault it must go well. */
void faults_try(const struct trial *trial);
