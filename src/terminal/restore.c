#include "headlight/terminal/restore.h"

#include "headlight/base/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* A terminal that is asked to let the program go has so long to take what is written to it. */
#define LAST_SECONDS 1

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};
static const int relayed[] = {SIGTSTP, SIGWINCH}; /* the handlers are those of curses */
static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};

#define ENDING_COUNT  (sizeof ending / sizeof *ending)
#define RELAYED_COUNT (sizeof relayed / sizeof *relayed)
#define FATAL_COUNT   (sizeof fatal / sizeof *fatal)

static volatile sig_atomic_t noted;
static struct termios saved_modes;
static int saved_fd = -1;
static pthread_t owner; /* the thread that runs the event loop */
static sigset_t mask_before;
static sigset_t let_in; /* the ending signals that mask_before lets in, and the alarm */
static struct sigaction alarm_before, ending_before[ENDING_COUNT], relayed_before[RELAYED_COUNT],
    fatal_before[FATAL_COUNT];
static struct sigaction relayed_to[RELAYED_COUNT]; /* what curses installed */
static const char *modes_on, *modes_off;           /* that curses doesn't know */
static char *alternate_stack;
static FILE *held;
static int held_fd = -1, stderr_before = -1;
static int terminal = -1, nowhere = -1; /* what standard output is, and what it is diverted to */
static volatile sig_atomic_t shown, writing, diverted, suspended; /* shown: there may be modes */

/* The threads of a BLAS are older than restore_arm and block nothing. A signal that one of them
 * takes while the owner isn't waiting would not end the owner's next wait, so it is passed on. */
static bool pass_on(int number)
{
    if (pthread_equal(pthread_self(), owner))
        return false;
    pthread_kill(owner, number);
    return true;
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

static void die(int number)
{
    if (stderr_before >= 0)
        replay_held();
    restore_raise(number);
}

/* A write that waits for the terminal goes on into nothing: curses repeats it until it is done. */
static void divert(void)
{
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
        diverted = 1;
}

static void lose_patience(int number)
{
    int error = errno;
    if (!pass_on(number) && writing)
        divert();
    errno = error;
}

/* Stopped, and continued in the background: the terminal is as it was, and somebody else's. */
static bool is_in_background(void)
{
    return suspended && tcgetpgrp(saved_fd) != getpgrp();
}

static void note(int number)
{
    int error = errno;
    if (is_in_background()) /* whichever thread: the owner may be stopped again any moment */
        die(number);
    if (pass_on(number))
        return;
    if (noted && writing) /* asked twice */
        divert();
    noted = number;
    alarm(LAST_SECONDS);
    errno = error;
}

bool restore_write(int fd, const char *text)
{
    size_t length = 0;
    while (text && text[length])
        length++;
    while (length > 0) {
        ssize_t written = write(fd, text, length);
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){fd, POLLOUT, 0}, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Continued in the background, where curses may not have the terminal: the program stops again, but
 * first leaves a moment to a signal that was sent along and that another thread takes. */
static void refused(int number)
{
    struct sigaction stop = {.sa_handler = SIG_DFL}, mine;
    int error = errno;
    poll(NULL, 0, 100);
    sigemptyset(&stop.sa_mask);
    sigaction(number, &stop, &mine);
    raise(number);
    sigaction(number, &mine, NULL);
    errno = error;
}

/* Returns from curses' handler of TSTP when the program goes on. */
static void relay(int number)
{
    struct sigaction action = {.sa_handler = refused, .sa_flags = SA_NODEFER}, before;
    int error = errno;
    if (pass_on(number))
        return;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTTOU, &action, &before);
    suspended = number == SIGTSTP;
    writing = 1;
    if (suspended)
        restore_write(STDOUT_FILENO, modes_off);
    for (size_t i = 0; i < RELAYED_COUNT; i++)
        if (relayed[i] == number)
            relayed_to[i].sa_handler(number);
    if (suspended)
        restore_write(STDOUT_FILENO, modes_on);
    writing = suspended = 0;
    sigaction(SIGTTOU, &before, NULL);
    errno = error;
}

void restore_modes(const char *on, const char *off)
{
    modes_on = on;
    modes_off = off;
}

/* Output that Ctrl-S stopped goes on when IXON is switched off; tcflow undoes its own stop alone.
 */
static void start_output(void)
{
    struct termios modes, flowing;
    if (tcgetattr(terminal, &modes) != 0)
        return;
    flowing = modes;
    flowing.c_iflag &= ~(tcflag_t)IXON;
    tcsetattr(terminal, TCSANOW, &flowing);
    tcsetattr(terminal, TCSANOW, &modes);
    tcflow(terminal, TCOON);
}

/* Where a terminal takes nothing, what it has not taken yet is thrown away. */
static bool make_room(void)
{
    if (poll(&(struct pollfd){terminal, POLLOUT, 0}, 1, 0) == 1)
        return false;
    start_output();
    tcflush(terminal, TCOFLUSH);
    return true;
}

/* Never waits long; what was thrown away is written once more. */
static void write_at_once(const char *text, size_t length)
{
    int flags = fcntl(terminal, F_GETFL);
    fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
    size_t at = 0;
    for (int tries = 0; tries < 50 && at < length; tries++) {
        if (make_room())
            at = 0;
        ssize_t written = write(terminal, text + at, length - at);
        if (written > 0)
            at += (size_t)written;
        else
            poll(&(struct pollfd){terminal, POLLOUT, 0}, 1, 10);
    }
    fcntl(terminal, F_SETFL, flags);
}

/* Only what is safe in a signal handler. End of synchronized update, paste and mouse modes off,
 * cursor keys and keypad off, attributes off, cursor on, main screen. */
static void undo(void)
{
    static const char modes[] = "\033[?2026l\033[?2004l\033[?1003l\033[?1002l\033[?1000l\033[?1006l"
                                "\033[?1l\033>\033[0m\033[?25h\033[?1049l\r\n";
    write_at_once(modes, sizeof modes - 1);
    if (saved_fd >= 0)
        tcsetattr(saved_fd, TCSANOW, &saved_modes);
}

/* The thread that writes may be another one, and must not write after this. */
static void undo_and_die(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (number == SIGBUS && mapping_repair(info->si_addr))
        return;
    if (shown && !is_in_background()) {
        divert();
        undo();
    }
    die(number);
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

/* Descriptors that no other program inherits. */
static void open_outputs(void)
{
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static void close_outputs(void)
{
    close(terminal);
    close(nowhere);
    terminal = nowhere = -1;
}

static void arm_alarm(void)
{
    struct sigaction action = {.sa_handler = lose_patience};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, &alarm_before);
    sigemptyset(&let_in);
    sigaddset(&let_in, SIGALRM);
}

void restore_arm(int fd)
{
    struct sigaction action = {.sa_handler = note};
    sigset_t blocked;
    noted = shown = diverted = writing = suspended = 0;
    owner = pthread_self();
    open_outputs();
    arm_alarm();
    saved_fd = tcgetattr(fd, &saved_modes) == 0 ? fd : -1;
    sigemptyset(&action.sa_mask);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
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
    for (size_t i = 0; i < ENDING_COUNT; i++)
        if (!sigismember(&mask_before, ending[i]))
            sigaddset(&let_in, ending[i]);
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

void restore_begin_output(void)
{
    shown = writing = 1;
    pthread_sigmask(SIG_UNBLOCK, &let_in, NULL);
}

void restore_end_output(void)
{
    pthread_sigmask(SIG_BLOCK, &let_in, NULL);
    writing = 0;
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
    alarm(0);
    if (diverted) {
        dup2(terminal, STDOUT_FILENO);
        undo();
    }
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
    close_outputs();
    sigaction(SIGALRM, &alarm_before, NULL);
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
