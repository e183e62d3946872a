/* job.h: the program as the foreground job of a session leader of its own, as under a shell, so
 * that it can be stopped and continued. The leader ends with the job's owner, and the program with
 * it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct job {
    pid_t leader, program;
    int orders; /* to the leader */
    int events; /* from it: readable when the program was stopped or has ended */
};

struct job_setup {
    const char *program;               /* a path; NULL: HEADLIGHT_PROGRAM, else build/headlight */
    int (*run)(int argc, char **argv); /* a main of this process, instead; or NULL */
    const char *const *arguments;      /* without the program's name, ended by NULL; NULL: none */
    const char *const *environment; /* "NAME=value" sets, "NAME" unsets; ended by NULL; or NULL */
    int terminal;                   /* becomes the controlling terminal */
    int input;                      /* standard input; -1: the terminal */
    const char *folder;             /* where it runs; NULL: here */
    const char *closed;             /* streams of the program that are closed: "02"; or NULL */
    bool detached;                  /* it leaves the session, and has no controlling terminal */
};

/* Starts it with TERM=xterm-256color, a UTF-8 locale,
 * and none of the variables that tell of colours or a distant terminal. A failure here and below
 * fails the test. Descriptors that the program must not have are to be FD_CLOEXEC; `closed` is
 * closed in the leader too. */
void job_start(struct job *job, const struct job_setup *setup, int closed);

/* The wait status that the leader tells next; waits for it. */
int job_event(const struct job *job);

/* Brings a stopped program back to the foreground. */
void job_continue(const struct job *job);

/* Kills and reaps what still runs. */
void job_end(struct job *job);

/* A pipe whose ends the program doesn't inherit. */
void job_pipe(int ends[2]);
