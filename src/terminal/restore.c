/* restore.c: signals, and what leaves the terminal as it was found.
 *
 * Signals from outside are noted and the event loop does the rest, as in htop. If it is too busy to
 * hear of one, the handler does it. So does that of a crash, which can happen in any thread and at
 * any moment: it undoes the modes with a constant string, on a descriptor of its own. Standard
 * output leads to /dev/null by then, and another thread that goes on drawing does no harm. */
#include "headlight/terminal/restore.h"

#include "headlight/base/signals.h"
#include "headlight/base/watch.h"
#include "headlight/base/writer.h"
#include "headlight/terminal/pixels.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

/* How long a terminal may take nothing once the program was asked to end. */
#define PATIENCE_MILLISECONDS 300

/* How long a signal that asks to end may go unheard; and for how long another one is the same wish,
 * as a shell, or timeout(1), sends it to a program and to its group. */
#define UNHEARD_SECONDS   1
#define SAME_MILLISECONDS 100

/* ---- The terminal ---- */

static struct termios modes_before;
static int keyboard = -1;               /* the terminal that these modes are of */
static int terminal = -1, nowhere = -1; /* standard output, and /dev/null */
static atomic_bool shown;               /* there may be something to undo */
static atomic_bool writing, diverted;
static atomic_bool pictures; /* may be on the screen */

/* Never waits long; what was thrown away is written again. */
static void write_at_once(const char *text, size_t length)
{
    int flags = fcntl(terminal, F_GETFL);
    size_t at = 0;
    fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
    for (int tries = 0; tries < 50 && at < length; tries++) {
        if (poll(&(struct pollfd){terminal, POLLOUT, 0}, 1, tries > 0 ? 10 : 0) != 1) {
            /* What the terminal has not taken yet is thrown away. Output that Ctrl-S stopped goes
             * on when IXON is switched off; tcflow only undoes a stop of its own. */
            struct termios modes, flowing;
            if (tcgetattr(terminal, &modes) == 0) {
                flowing = modes;
                flowing.c_iflag &= ~(tcflag_t)IXON;
                tcsetattr(terminal, TCSANOW, &flowing);
                tcsetattr(terminal, TCSANOW, &modes);
                tcflow(terminal, TCOON);
            }
            tcflush(terminal, TCOFLUSH);
            at = 0;
        }
        ssize_t written = write(terminal, text + at, length - at);
        at += written > 0 ? (size_t)written : 0;
    }
    fcntl(terminal, F_SETFL, flags);
}

/* Safe in a signal handler. Synchronized update ended, paste and mouse modes off, cursor keys and
 * keypad off, attributes off, main screen, cursor on. */
static void undo_modes(void)
{
    static const char modes[] = "\033[?2026l\033[?2004l\033[?1003l\033[?1002l\033[?1000l\033[?1006l"
                                "\033[?1l\033>\033[0m\033[?1049l\033[?25h\r\n";
    /* Half a picture ends first. A terminal without kitty's protocol passes over the rest. */
    static const char and_pictures[] = "\033\\" PIXELS_DELETE_ALL;
    if (pictures)
        write_at_once(and_pictures, sizeof and_pictures - 1);
    write_at_once(modes, sizeof modes - 1);
    while (keyboard >= 0 && tcsetattr(keyboard, TCSANOW, &modes_before) != 0 && errno == EINTR)
        continue; /* stopped and continued meanwhile */
}

/* What is written from now on goes nowhere, and so does a write that waits for the terminal: curses
 * repeats what a signal interrupted. */
static void divert(void)
{
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0)
        diverted = true;
}

void restore_note_pictures(bool some)
{
    pictures = some;
}

bool restore_write(int fd, const char *text)
{
    size_t length = text ? strlen(text) : 0;
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

/* ---- Standard error ---- */

static FILE *held;
static atomic_int held_fd = -1, stderr_before = -1; /* any thread may crash and replay */

void restore_hold_stderr(void)
{
    fflush(stderr);
    held = tmpfile();
    held_fd = held ? fileno(held) : -1;
    stderr_before = held ? dup(STDERR_FILENO) : -1;
    if (stderr_before >= 0)
        dup2(held_fd, STDERR_FILENO);
}

/* Safe in a signal handler. */
static void replay_stderr(void)
{
    char text[512];
    if (stderr_before < 0)
        return;
    dup2(stderr_before, STDERR_FILENO);
    lseek(held_fd, 0, SEEK_SET);
    for (ssize_t got; (got = read(held_fd, text, sizeof text)) > 0;)
        if (write(STDERR_FILENO, text, (size_t)got) != got)
            return;
}

void restore_release_stderr(void)
{
    fflush(stderr);
    replay_stderr();
    if (stderr_before >= 0)
        close(stderr_before);
    if (held)
        fclose(held);
    held = NULL;
    held_fd = stderr_before = -1;
}

/* ---- Leaving from within a handler ---- */

/* Another thread may be writing, or be about to, and must not write after this; and several may
 * miss the same file, of which one is enough. */
static void leave_at_once(void)
{
    static atomic_flag left = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&left))
        pause();
    divert();
    if (shown)
        undo_modes();
    pixels_clear_shared();
    replay_stderr();
    writer_interrupted();
}

static void crash(int number, siginfo_t *info, void *context)
{
    static const char lost[] =
        "headlight: a file in use has become shorter since it was opened, or can "
        "no longer be read: open it again once it is whole\n";
    const bool is_lost = number == SIGBUS && info->si_code == BUS_ADRERR; /* behind its end */
    (void)context;
    leave_at_once();
    if (!is_lost)
        restore_raise(number);
    restore_write(STDERR_FILENO, lost);
    _exit(EXIT_FAILURE);
}

static void handle_crash(int number, struct sigaction *before)
{
    struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, before);
}

/* ---- While no terminal is taken ---- */

static void end_at_once(int number)
{
    writer_interrupted();
    restore_raise(number);
}

/* What the parent ignores (nohup, a shell's background job) stays ignored, and what somebody else
 * handles, as a sanitizer does, stays theirs; but a lost file has a message. */
void restore_guard(void)
{
    struct sigaction action = {.sa_handler = end_at_once}, before;
    sigfillset(&action.sa_mask);
    for (int number = 1; number < SIGNALS; number++) {
        bool free = sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL;
        if (number == SIGBUS || (free && signal_is_crash(number)))
            handle_crash(number, NULL);
        else if (free && signal_ends(number))
            sigaction(number, &action, NULL);
    }
}

/* ---- While it is ----
 *
 * What is noted comes to the thread that called restore_arm, a crash to the one that crashes. */

static volatile sig_atomic_t ending; /* the signal that asked to end */
static volatile double asked_to_end; /* when it did, in milliseconds */
static volatile sig_atomic_t
    noted[SIGNALS]; /* SIGTSTP asks to stop, SIGCONT says that it is over */

/* A write may be waiting for a terminal that is stuck, and no poll says how much it would take. The
 * loop may be in work that doesn't end: a second signal of the same kind, or the alarm that the
 * first one sets, ends the program wherever it is. */
static void note_end(int number)
{
    int error = errno;
    bool again = number == ending && clock_milliseconds() - asked_to_end > SAME_MILLISECONDS;
    if (ending && (again || number == SIGALRM)) {
        leave_at_once();
        restore_raise(ending);
    }
    if (writing)
        divert();
    if (!ending) {
        ending = number;
        asked_to_end = clock_milliseconds();
        alarm(UNHEARD_SECONDS);
    }
    errno = error;
}

/* SIGWINCH only has to end the wait: the size is asked for before each key. */
static void note(int number)
{
    noted[number] = 1;
}

static struct sigaction actions_before[SIGNALS];
static sigset_t mask_before;
static sigset_t asking; /* to end: blocked only for the length of a test */
static stack_t stack_before;

/* NULL: it isn't noted. */
static void (*note_of(int number))(int)
{
    if (number == SIGTSTP || number == SIGCONT || number == SIGWINCH)
        return note;
    return signal_ends(number) ? note_end : NULL;
}

/* The order matters: what is noted is blocked at the end, when every handler is there. */
void restore_arm(int fd)
{
    static char stack[65536]; /* for the handlers, should the other one have overflowed */
    sigset_t blocked;
    ending = noted[SIGTSTP] = noted[SIGCONT] = 0;
    /* No other program inherits these descriptors. */
    shown = writing = diverted = pictures = false;
    keyboard = tcgetattr(fd, &modes_before) == 0 ? fd : -1;
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, &stack_before);
    pthread_sigmask(SIG_BLOCK, NULL, &mask_before);
    sigemptyset(&blocked);
    sigemptyset(&asking);
    for (int number = 1; number < SIGNALS; number++)
        if (note_of(number)) {
            /* what is ignored stays so, as nohup wants it; what asks to end interrupts no call but
             * the wait */
            const bool ends = note_of(number) == note_end;
            struct sigaction action = {.sa_handler = note_of(number),
                                       .sa_flags = SA_ONSTACK | (ends ? SA_RESTART : 0)};
            (ends ? sigfillset : sigemptyset)(&action.sa_mask);
            if (sigaction(number, &action, &actions_before[number]) != 0)
                continue; /* the C library keeps it */
            if (!ends)
                sigaddset(&blocked, number);
            else if (!sigismember(&mask_before, number))
                sigaddset(&asking, number);
            if ((ends || number == SIGTSTP) && actions_before[number].sa_handler == SIG_IGN)
                sigaction(number, &actions_before[number], NULL);
        } else if (signal_is_crash(number)) {
            handle_crash(number, &actions_before[number]);
        }
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
}

void restore_disarm(void)
{
    restore_signal(); /* ends the alarm */
    if (diverted) {
        dup2(terminal, STDOUT_FILENO);
        undo_modes();
    }
    pixels_clear_shared();
    close(terminal);
    close(nowhere);
    terminal = nowhere = keyboard = -1;
    shown = false;
    for (int number = 1; number < SIGNALS; number++)
        if (note_of(number) || signal_is_crash(number))
            sigaction(number, &actions_before[number], NULL);
    sigaltstack(&stack_before, NULL);
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
}

void restore_begin_output(void)
{
    shown = writing = true;
    if (ending && poll(&(struct pollfd){terminal, POLLOUT, 0}, 1, PATIENCE_MILLISECONDS) != 1)
        divert();
}

void restore_end_output(void)
{
    writing = false;
}

/* pselect, as only it lets signals in for the length of the wait. */
int restore_wait(int first, int second, double milliseconds)
{
    const int descriptors[] = {first, second};
    struct timespec timeout = {.tv_sec = (time_t)(milliseconds / 1e3)};
    timeout.tv_nsec = (long)((milliseconds - 1e3 * (double)timeout.tv_sec) * 1e6);
    int found = 0, top = first > second ? first : second;
    fd_set set;
    FD_ZERO(&set);
    for (int i = 0; i < 2; i++)
        if (descriptors[i] >= 0)
            FD_SET(descriptors[i], &set);
    pthread_sigmask(SIG_BLOCK, &asking, NULL);
    int ready = ending ? -1
                       : pselect(top + 1, &set, NULL, NULL, milliseconds >= 0 ? &timeout : NULL,
                                 &mask_before);
    pthread_sigmask(SIG_UNBLOCK, &asking, NULL);
    for (int i = 0; i < 2; i++)
        if (ready > 0 && descriptors[i] >= 0 && FD_ISSET(descriptors[i], &set))
            found |= 1 << i;
    return ready < 0 ? -1 : found;
}

/* Whoever asks has heard of it. */
int restore_signal(void)
{
    if (ending)
        alarm(0);
    return ending;
}

bool restore_stop_asked(void)
{
    return noted[SIGTSTP];
}

/* Continued in the background, the program stops again. SIGSTOP works without a shell, too. */
static void wait_for_foreground(void)
{
    pid_t group;
    while (!ending && (group = tcgetpgrp(keyboard)) > 0 && group != getpgrp())
        raise(SIGSTOP);
    noted[SIGCONT] = 0;
}

/* The default effect stops the program here, with the shell's mask; once continued, everything is
 * put back. */
void restore_stop(void)
{
    struct sigaction stop = {.sa_handler = SIG_DFL}, before;
    sigset_t blocked;
    sigemptyset(&stop.sa_mask);
    noted[SIGTSTP] = 0;
    shown = false;
    sigaction(SIGTSTP, &stop, &before);
    pthread_sigmask(SIG_SETMASK, &mask_before, &blocked);
    raise(SIGTSTP);
    wait_for_foreground();
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    sigaction(SIGTSTP, &before, NULL);
}

bool restore_continued(void)
{
    sigset_t blocked;
    if (!noted[SIGCONT])
        return false;
    pthread_sigmask(SIG_SETMASK, &mask_before, &blocked);
    wait_for_foreground();
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    return true;
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
