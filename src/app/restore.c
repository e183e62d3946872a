#include "headlight/app/restore.h"

#include "headlight/base/mapping.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int relayed[] = {SIGTSTP, SIGWINCH}; /* the handlers are those of curses */
static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

#define ENDING_COUNT  (sizeof ending / sizeof *ending)
#define RELAYED_COUNT (sizeof relayed / sizeof *relayed)
#define FATAL_COUNT   (sizeof fatal / sizeof *fatal)

static volatile sig_atomic_t noted;
static struct termios saved_modes;
static int saved_fd = -1;
static pthread_t owner; /* the thread that runs the event loop */
static sigset_t mask_before;
static struct sigaction ending_before[ENDING_COUNT], relayed_before[RELAYED_COUNT],
    fatal_before[FATAL_COUNT];
static struct sigaction relayed_to[RELAYED_COUNT]; /* what curses installed */
static const char *modes_on, *modes_off;           /* that curses doesn't know */
static char *alternate_stack;
static FILE *held;
static int held_fd = -1, stderr_before = -1;

/* The threads of a BLAS are older than restore_arm and block nothing. A signal that one of them
 * takes while the owner isn't waiting would not end the owner's next wait, so it is passed on. */
static bool pass_on(int number)
{
    if (pthread_equal(pthread_self(), owner))
        return false;
    pthread_kill(owner, number);
    return true;
}

static void note(int number)
{
    if (!pass_on(number))
        noted = number;
}

static void write_modes(const char *modes)
{
    size_t length = 0;
    while (modes && modes[length])
        length++;
    ssize_t written = length > 0 ? write(STDOUT_FILENO, modes, length) : 0;
    (void)written;
}

/* Returns from curses' handler of TSTP when the program goes on. */
static void relay(int number)
{
    if (pass_on(number))
        return;
    if (number == SIGTSTP)
        write_modes(modes_off);
    for (size_t i = 0; i < RELAYED_COUNT; i++)
        if (relayed[i] == number)
            relayed_to[i].sa_handler(number);
    if (number == SIGTSTP)
        write_modes(modes_on);
}

void restore_modes(const char *on, const char *off)
{
    modes_on = on;
    modes_off = off;
}

/* Copies what was held; safe in a signal handler. */
static void replay_held(void)
{
    char text[512];
    lseek(held_fd, 0, SEEK_SET);
    for (ssize_t got; (got = read(held_fd, text, sizeof text)) > 0;)
        if (write(stderr_before, text, (size_t)got) != got)
            return;
}

/* Only what is safe in a signal handler. End of synchronized update, paste and mouse modes off,
 * cursor keys and keypad off, attributes off, cursor on, main screen. */
static void undo_and_die(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (number == SIGBUS && mapping_repair(info->si_addr))
        return;
    static const char undo[] = "\033[?2026l\033[?2004l\033[?1003l\033[?1002l\033[?1000l\033[?1006l"
                               "\033[?1l\033>\033[0m\033[?25h\033[?1049l\r\n";
    ssize_t written = write(STDOUT_FILENO, undo, sizeof undo - 1);
    (void)written;
    if (saved_fd >= 0)
        tcsetattr(saved_fd, TCSANOW, &saved_modes);
    if (stderr_before >= 0)
        replay_held();
    restore_raise(number);
}

static void install_fatal(void)
{
    size_t size = 65536;
    alternate_stack = malloc(size);
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = size};
    struct sigaction action = {.sa_sigaction = undo_and_die, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    if (alternate_stack && sigaltstack(&stack, NULL) == 0)
        action.sa_flags |= SA_ONSTACK;
    for (size_t i = 0; i < FATAL_COUNT; i++)
        sigaction(fatal[i], &action, &fatal_before[i]);
}

void restore_arm(int fd)
{
    struct sigaction action = {.sa_handler = note};
    sigset_t blocked;
    noted = 0;
    owner = pthread_self();
    saved_fd = tcgetattr(fd, &saved_modes) == 0 ? fd : -1;
    sigemptyset(&action.sa_mask);
    sigemptyset(&blocked);
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        sigaction(ending[i], NULL, &ending_before[i]);
        if (ending_before[i].sa_handler != SIG_IGN) /* nohup's wish holds */
            sigaction(ending[i], &action, NULL);
        sigaddset(&blocked, ending[i]);
    }
    for (size_t i = 0; i < RELAYED_COUNT; i++) {
        sigaction(relayed[i], NULL, &relayed_before[i]);
        sigaddset(&blocked, relayed[i]);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &mask_before);
    install_fatal();
}

void restore_relay(void)
{
    struct sigaction action = {.sa_handler = relay};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < RELAYED_COUNT; i++) {
        sigaction(relayed[i], NULL, &relayed_to[i]);
        if (relayed_to[i].sa_handler != SIG_DFL && relayed_to[i].sa_handler != SIG_IGN)
            sigaction(relayed[i], &action, NULL);
    }
}

const sigset_t *restore_wait_mask(void)
{
    return &mask_before;
}

int restore_signal(void)
{
    return noted;
}

void restore_disarm(void)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    for (size_t i = 0; i < FATAL_COUNT; i++)
        sigaction(fatal[i], &fatal_before[i], NULL);
    for (size_t i = 0; i < ENDING_COUNT; i++)
        sigaction(ending[i], &ending_before[i], NULL);
    for (size_t i = 0; i < RELAYED_COUNT; i++)
        sigaction(relayed[i], &relayed_before[i], NULL);
    sigaltstack(&none, NULL);
    free(alternate_stack);
    alternate_stack = NULL;
    saved_fd = -1;
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
}

void restore_raise(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t only;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

void restore_hold_stderr(void)
{
    fflush(stderr);
    held = tmpfile();
    held_fd = held ? fileno(held) : -1;
    stderr_before = held ? dup(STDERR_FILENO) : -1;
    if (stderr_before >= 0)
        dup2(held_fd, STDERR_FILENO);
}

void restore_release_stderr(void)
{
    if (stderr_before >= 0) {
        fflush(stderr);
        replay_held();
        dup2(stderr_before, STDERR_FILENO);
        close(stderr_before);
    }
    if (held)
        fclose(held);
    held = NULL;
    held_fd = stderr_before = -1;
}
