/* version.c: --version, with what differs between machines and so belongs in a bug report: the
 * processor's kernels, and how the program draws on this terminal. The terminal is asked as at a
 * real start, and curses opened on /dev/null, so the answer is what the program would choose. */
#include "headlight/app/version.h"

#include "headlight/draw/text.h"
#include "headlight/tensor/kernels.h"
#include "headlight/terminal/curses.h"
#include "headlight/terminal/restore.h"

#include <poll.h>
#include <unistd.h>

/* A background job must not ask the terminal, and waiting input is meant for the next program. */
static bool may_ask(int fd)
{
    return isatty(fd) && tcgetpgrp(STDIN_FILENO) == getpgrp() &&
           poll(&(struct pollfd){STDIN_FILENO, POLLIN, 0}, 1, 0) == 0;
}

static void ask(struct asked *answers, int fd)
{
    if (!may_ask(fd))
        return;
    restore_begin_output();
    curses_ask(answers, fd, STDIN_FILENO, true);
    restore_end_output();
}

static const char *lines_name(const struct curses *curses, const struct ask_answer *answer)
{
    static const char *const sets[] = {"braille", "quadrants", "sextants"};
    const struct curses_kind *kind = curses_kind(curses);
    enum glyph_set glyphs = kind->traits.glyphs;
    if (kind->pictures)
        return answer->kitty ? "pixels, by kitty's protocol" : "pixels, as sixels";
    return glyphs == GLYPHS_ASCII    ? "ASCII"
           : glyphs == GLYPHS_BLOCKS ? "blocks"
                                     : sets[kind->lines];
}

static void write_screen(FILE *stream, bool ascii, const struct ask_answer *answer, FILE *nowhere)
{
    static const char *const depths[] = {"none", "16", "256", "direct"};
    const struct curses_wish wish = {.no_mouse = true};
    struct curses *curses = NULL;
    struct error error;
    char safe[2 * sizeof error.message];
    curses_prepare_size(nowhere);
    enum status status = curses_open(&curses, NULL, nowhere, stdin, &wish, &error);
    if (status == STATUS_OK)
        status = curses_choose_lines(curses, LINES_AUTO, answer, &error);
    if (status == STATUS_OK) {
        fprintf(stream, "colours  %s\nlines    %s\n", depths[curses_kind(curses)->depth],
                lines_name(curses, answer));
    } else {
        text_safe(error.message, ascii, safe, sizeof safe);
        fprintf(stream, "terminal %s\n", safe);
    }
    curses_close(curses);
}

void version_write(FILE *stream, bool ascii, int *signal)
{
    struct asked answers = {0};
    FILE *nowhere = fopen("/dev/null", "w");
    fprintf(stream, "headlight %s\nkernels  %s\n", HEADLIGHT_VERSION, kernels_now()->name);
    restore_arm(STDIN_FILENO);
    ask(&answers, fileno(stream));
    if (nowhere) {
        write_screen(stream, ascii, &answers.answer, nowhere);
        fclose(nowhere);
    }
    *signal = restore_signal();
    restore_disarm();
}
