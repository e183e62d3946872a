/* bench.c: what the parts cost on this machine. `make bench` runs it.
 *
 * Each figure is the median and the minimum of many runs in this process; the times to the first
 * screen are of whole processes in a pseudo-terminal. Machines are shared and noisy: compare
 * figures of one run with each other. */
#include "headlight/app/clock.h"
#include "headlight/app/curses.h"
#include "headlight/app/screen.h"
#include "headlight/model/processor_blas.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS_MAX      200
#define BUDGET        1000.0 /* milliseconds for one figure */
#define SENTENCE_SIZE 2048

struct sample {
    double times[RUNS_MAX];
    size_t count;
    double started, total;
};

static bool sample_more(const struct sample *sample)
{
    return sample->count < 5 || (sample->count < RUNS_MAX && sample->total < BUDGET);
}

static void sample_begin(struct sample *sample)
{
    sample->started = clock_milliseconds();
}

static void sample_end(struct sample *sample)
{
    double time = clock_milliseconds() - sample->started;
    sample->times[sample->count++] = time;
    sample->total += time;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void sample_print(const char *what, struct sample *sample)
{
    qsort(sample->times, sample->count, sizeof *sample->times, by_time);
    printf("  %-44s %9.3f %9.3f   (%zu runs)\n", what, sample->times[sample->count / 2],
           sample->times[0], sample->count);
    fflush(stdout);
}

static void give_up(const struct error *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(EXIT_FAILURE);
}

/* As many words, a piece each, as make `tokens` tokens with [CLS] and [SEP]. */
static void make_sentence(char *sentence, size_t tokens)
{
    static const char *const words[] = {"the ", "cat ", "sat ", "on "};
    sentence[0] = '\0';
    for (size_t i = 2; i < tokens; i++)
        strcat(sentence, words[i % 4]);
}

/* ---- Parts ---- */

static void bench_load(void)
{
    struct sample sample = {.count = 0};
    struct error error;
    while (sample_more(&sample)) {
        struct checkpoint checkpoint;
        sample_begin(&sample);
        if (checkpoint_open(&checkpoint, NULL, NULL, &error) != STATUS_OK)
            give_up(&error);
        sample_end(&sample);
        checkpoint_close(&checkpoint);
    }
    sample_print("load the built-in model and its vocabulary", &sample);
}

static void bench_draw(struct session *session, enum view_kind view)
{
    struct sample draw = {.count = 0}, blit = {.count = 0};
    struct curses_wish wish = {.color_chosen = true, .color = DEPTH_256};
    struct curses *curses;
    struct error error;
    char name[64];
    FILE *sink = fopen("/dev/null", "r+");
    struct canvas *canvas = canvas_new(120, 40, (struct traits){GLYPHS_BRAILLE, false});
    session->scene.view = view;
    if (!sink || !canvas ||
        curses_open(&curses, "xterm-256color", sink, sink, &wish, &error) != STATUS_OK)
        give_up(&error);
    while (sample_more(&draw)) {
        session->scene.layer = draw.count % session->scene.layers;
        sample_begin(&draw);
        if (screen_draw(session, canvas, &error) != STATUS_OK)
            give_up(&error);
        sample_end(&draw);
        sample_begin(&blit);
        curses_draw(curses, canvas, session->theme, false);
        sample_end(&blit);
    }
    curses_close(curses);
    canvas_free(canvas);
    fclose(sink);
    snprintf(name, sizeof name, "draw the %s view to a canvas, 120x40", scene_view_name(view));
    sample_print(name, &draw);
    snprintf(name, sizeof name, "blit it to a terminal, 256 colours");
    sample_print(name, &blit);
}

static void bench_text(const struct checkpoint *checkpoint, size_t tokens)
{
    static const struct interventions none;
    struct sample tokenise = {.count = 0}, forward = {.count = 0};
    struct session session;
    struct error error;
    char sentence[SENTENCE_SIZE];
    make_sentence(sentence, tokens);
    struct text text = {sentence, strlen(sentence)};
    while (sample_more(&tokenise)) {
        struct encoding *encoding;
        sample_begin(&tokenise);
        if (tokenizer_encode(checkpoint->tokenizer, &text, 1, true, &encoding, &error) != STATUS_OK)
            give_up(&error);
        sample_end(&tokenise);
        free(encoding);
    }
    session_begin(&session, checkpoint, true, &none);
    if (session_open(&session, &text, 1, &error) != STATUS_OK)
        give_up(&error);
    while (sample_more(&forward)) {
        sample_begin(&forward);
        if (session_compute(&session, NULL, &error) != STATUS_OK)
            give_up(&error);
        sample_end(&forward);
    }
    printf("%zu tokens\n", session.scene.tokens);
    sample_print("tokenise", &tokenise);
    sample_print("forward pass, everything kept", &forward);
    for (int view = 0; view < VIEW_COUNT; view++)
        bench_draw(&session, (enum view_kind)view);
    session_end(&session);
}

/* ---- Whole processes ---- */

static pid_t start_in_terminal(const char *program, int *master)
{
    struct winsize size = {.ws_row = 40, .ws_col = 120};
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0)
        return -1;
    ioctl(*master, TIOCSWINSZ, &size);
    pid_t child = fork();
    if (child != 0)
        return child;
    setsid();
    int terminal = open(ptsname(*master), O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(terminal, fd);
    setenv("TERM", "xterm-256color", 1);
    unsetenv("COLORTERM");
    execl(program, program, (char *)NULL);
    _exit(127);
}

/* Until the footer's last word is there, which is drawn last; then the program is ended. */
static bool wait_for_screen(int master)
{
    static char seen[1 << 16];
    size_t length = 0;
    struct pollfd wait = {.fd = master, .events = POLLIN};
    while (length < sizeof seen - 1 && poll(&wait, 1, 10000) > 0) {
        ssize_t got = read(master, seen + length, sizeof seen - 1 - length);
        if (got <= 0)
            return false;
        length += (size_t)got;
        seen[length] = '\0';
        if (strstr(seen, "quit"))
            return true;
    }
    return false;
}

static void bench_start(const char *program)
{
    struct sample sample = {.count = 0};
    while (sample.count < 20) {
        int master;
        sample_begin(&sample);
        pid_t child = start_in_terminal(program, &master);
        if (child < 0 || !wait_for_screen(master)) {
            fprintf(stderr, "bench: %s showed no screen\n", program);
            exit(EXIT_FAILURE);
        }
        sample_end(&sample);
        kill(child, SIGTERM);
        while (wait_for_screen(master))
            ;
        close(master);
        waitpid(child, NULL, 0);
    }
    sample_print("process start to first complete screen", &sample);
}

static void bench_command(const char *what, const char *program, char *const *arguments)
{
    struct sample sample = {.count = 0};
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    while (sample.count < 20) {
        sample_begin(&sample);
        pid_t child = fork();
        if (child == 0) {
            int null = open("/dev/null", O_WRONLY);
            dup2(null, STDOUT_FILENO);
            execv(program, arguments);
            _exit(127);
        }
        waitpid(child, NULL, 0);
        sample_end(&sample);
    }
    getrusage(RUSAGE_CHILDREN, &after);
    sample_print(what, &sample);
    if (after.ru_maxrss > before.ru_maxrss)
        printf("  %-44s %9.1f MB\n", "  its peak memory", (double)after.ru_maxrss / 1024);
}

int main(int argc, char **argv)
{
    struct checkpoint checkpoint;
    struct error error;
    char *program = argc > 1 ? argv[1] : (char[]){"build/headlight"};
    char *help[] = {program, "--help", NULL}, *json[] = {program, "--json", "-", NULL};
    setlocale(LC_CTYPE, "C.UTF-8");
    printf("BLAS: %s\n", processor_blas_name());
    printf("  %-44s %9s %9s\n", "milliseconds", "median", "min");
    bench_command("headlight --help", program, help);
    bench_command("headlight --json -", program, json);
    bench_start(program);
    bench_load();
    if (checkpoint_open(&checkpoint, NULL, NULL, &error) != STATUS_OK)
        give_up(&error);
    static const size_t sizes[] = {8, 13, 32, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        bench_text(&checkpoint, sizes[i]);
    checkpoint_close(&checkpoint);
    return EXIT_SUCCESS;
}
