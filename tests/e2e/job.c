#include "e2e/job.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The program and the session leader ---- */

static void child_noted(int number)
{
    (void)number;
}

static void set_environment(const char *const *environment)
{
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("COLORTERM");
    unsetenv("NO_COLOR");
    unsetenv("COLORFGBG");
    unsetenv("SSH_TTY");
    setenv("SSH_CONNECTION", "", 1); /* no shared memory, which a killed program would leave */
    unsetenv("LINES");
    unsetenv("COLUMNS");
    for (; environment && *environment; environment++)
        if (strchr(*environment, '='))
            putenv((char *)*environment);
        else
            unsetenv(*environment);
}

static void exec_program(const struct job_setup *setup)
{
    const char *named = setup->program ? setup->program : getenv("HEADLIGHT_PROGRAM");
    char *program = realpath(named ? named : "build/headlight", NULL);
    int count = 1;
    const char *arguments[32] = {setup->program ? setup->program : "headlight"};
    for (; setup->arguments && setup->arguments[count - 1] && count < 31; count++)
        arguments[count] = setup->arguments[count - 1];
    set_environment(setup->environment);
    if (setup->run) {
        int code = setup->run(count, (char **)arguments);
        fflush(NULL);
        _exit(code);
    }
    if (program && (!setup->folder || chdir(setup->folder) == 0))
        execv(program, (char *const *)arguments);
    perror("the program can't be started");
    _exit(127);
}

/* Only who leads no group of processes can leave a session: a child does, whose end is then the
 * program's. */
static void leave_session(void)
{
    int status;
    pid_t child = fork();
    if (child > 0) {
        waitpid(child, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 126);
    }
    setsid();
}

/* The program's process: foreground job, default signals, and no core files. */
static void be_program(const struct job_setup *setup)
{
    struct rlimit none = {0, 0};
    sigset_t empty;
    int terminal = setup->terminal;
    setpgid(0, 0);
    tcsetpgrp(terminal, getpid()); /* before SIGTTOU is the default again */
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL);
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    setrlimit(RLIMIT_CORE, &none);
    dup2(setup->input >= 0 ? setup->input : terminal, STDIN_FILENO);
    dup2(terminal, STDOUT_FILENO);
    dup2(terminal, STDERR_FILENO);
    if (terminal > STDERR_FILENO)
        close(terminal);
    for (const char *stream = setup->closed; stream && *stream; stream++)
        close(*stream - '0');
    if (setup->detached)
        leave_session();
    exec_program(setup);
}

static void report(int events, int value)
{
    if (write(events, &value, sizeof value) != (ssize_t)sizeof value)
        _exit(1);
}

/* Takes note of what became of the program. False once it has ended. */
static bool watch(pid_t program, int terminal, int events)
{
    int status;
    if (waitpid(program, &status, WNOHANG | WUNTRACED) != program)
        return true;
    if (WIFSTOPPED(status))
        tcsetpgrp(terminal, getpgrp());
    report(events, status);
    return WIFSTOPPED(status);
}

/* The test gives orders: a byte continues the program, the end of the pipe (the test is over, or
 * dead) kills it. */
static void obey(pid_t program, int terminal, int orders, bool running)
{
    char order;
    if (read(orders, &order, 1) == 1 && running) {
        tcsetpgrp(terminal, program);
        kill(-program, SIGCONT);
        return;
    }
    if (running) {
        kill(-program, SIGKILL);
        waitpid(program, NULL, 0);
    }
    _exit(0);
}

/* SIGCHLD is let in only while the leader waits, so that none is missed. */
static void prepare_leader(int terminal, sigset_t *waiting)
{
    struct sigaction noted = {.sa_handler = child_noted};
    sigset_t blocked;
    signal(SIGHUP, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
    sigemptyset(&noted.sa_mask);
    sigaction(SIGCHLD, &noted, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_BLOCK, &blocked, waiting);
    setsid();
    ioctl(terminal, TIOCSCTTY, 0);
}

static void be_leader(const struct job_setup *setup, int orders, int events)
{
    sigset_t waiting;
    prepare_leader(setup->terminal, &waiting);
    pid_t program = fork();
    if (program == 0)
        be_program(setup);
    setpgid(program, program);
    report(events, (int)program);
    for (bool running = true;;) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(orders, &set);
        int ready = pselect(orders + 1, &set, NULL, NULL, NULL, &waiting);
        if (running)
            running = watch(program, setup->terminal, events);
        if (ready > 0)
            obey(program, setup->terminal, orders, running);
    }
}

/* ---- Its owner ---- */

void job_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        ck_abort_msg("a pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

void job_start(struct job *job, const struct job_setup *setup, int closed)
{
    int orders[2], events[2];
    job_pipe(orders);
    job_pipe(events);
    fflush(NULL);
    job->leader = fork();
    if (job->leader < 0)
        ck_abort_msg("a process: %s", strerror(errno));
    if (job->leader == 0) {
        close(closed);
        close(orders[1]);
        close(events[0]);
        be_leader(setup, orders[0], events[1]);
    }
    close(orders[0]);
    close(events[1]);
    job->orders = orders[1];
    job->events = events[0];
    job->program = job_event(job);
}

int job_event(const struct job *job)
{
    int value;
    if (read(job->events, &value, sizeof value) != (ssize_t)sizeof value)
        ck_abort_msg("the session leader is gone");
    return value;
}

void job_continue(const struct job *job)
{
    if (write(job->orders, "c", 1) != 1)
        ck_abort_msg("continuing: %s", strerror(errno));
}

void job_end(struct job *job)
{
    close(job->orders);
    waitpid(job->leader, NULL, 0);
    close(job->events);
}
