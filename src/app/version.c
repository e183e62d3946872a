#include "headlight/app/version.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/draw/text.h"
#include "headlight/lesson/progress.h"
#include "headlight/model/builtin.h"
#include "headlight/model/hub.h"
#include "headlight/tensor/thread_pool.h"
#include "headlight/terminal/curses.h"
#include "headlight/terminal/pixels.h"
#include "headlight/terminal/restore.h"
#include "headlight/text/unicode.h"

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LINE 2048

/* ---- The program and the machine ---- */

#if defined(__clang__) /* __VERSION__ begins with its name */
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

static void say_compiler(char *text)
{
    format_cut(text, LINE, "%s", COMPILER);
}

static void say_system(char *text)
{
    struct utsname system;
    if (uname(&system) < 0)
        format_cut(text, LINE, "not known");
    else
        format_cut(text, LINE, "%s %s, %s", system.sysname, system.release, system.machine);
}

static void say_kernels(char *text)
{
    const char *other;
    format_cut(text, LINE, "%s", kernels_now()->name);
    for (size_t i = 0; (other = kernels_lacking(i)); i++) {
        size_t length = strlen(text);
        format_cut(text + length, LINE - length, "; this processor has no %s", other);
    }
}

static void say_blas(char *text)
{
    const char *library = kernels_blas_library(), *name = kernels_blas_name();
    const char *used = kernels_now() == &kernels_blas ? "" : "; not used by these kernels";
    if (!kernels_blas_open())
        format_cut(text, LINE, "%s", name);
    else
        format_cut(text, LINE, "%s, %s%s", name, library ? library : "linked in", used);
}

static void say_threads(char *text)
{
    format_cut(text, LINE, "%zu", pool_size());
}

static void say_libraries(char *text)
{
    format_cut(text, LINE, "%s, cJSON %s, utf8proc %s, zlib %s", curses_library(), cJSON_Version(),
               unicode_library_version(), pixels_zlib_version());
}

/* ---- The terminal ---- */

/* As the program would choose at its start. */
struct screen {
    bool here, asked;
    struct asked answers;
    int columns, rows;
    struct curses *curses; /* NULL: there can be none, as the error says */
    enum status status;
    struct error error;
};

/* In the background it may not be asked, and what waits to be read is meant for the next program.
 */
static bool may_ask(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp() &&
           poll(&(struct pollfd){STDIN_FILENO, POLLIN, 0}, 1, 0) == 0;
}

static void ask(struct screen *screen, FILE *stream)
{
    struct winsize size = {0};
    screen->here = isatty(fileno(stream));
    if (screen->here && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0) {
        screen->columns = size.ws_col;
        screen->rows = size.ws_row;
    }
    if (!screen->here || !may_ask())
        return;
    restore_begin_output();
    screen->asked = curses_ask(&screen->answers, fileno(stream), STDIN_FILENO, true);
    restore_end_output();
}

/* On a screen that nobody sees. */
static void open_unseen(struct screen *screen, FILE *nowhere)
{
    const struct curses_wish wish = {.no_mouse = true};
    screen->status = curses_open(&screen->curses, NULL, nowhere, stdin, &wish, &screen->error);
    if (screen->curses)
        screen->status = curses_choose_lines(screen->curses, LINES_AUTO, &screen->answers.answer,
                                             &screen->error);
}

static void say_terminal(const struct screen *screen, char *text)
{
    const struct ask_answer *answer = &screen->answers.answer;
    const char *term = getenv("TERM");
    char size[64] = "", cell[64] = "";
    if (screen->columns > 0)
        snprintf(size, sizeof size, ", %d×%d cells", screen->columns, screen->rows);
    if (answer->cell_width > 0)
        snprintf(cell, sizeof cell, ", %d×%d pixels each", answer->cell_width, answer->cell_height);
    format_cut(text, LINE, "%s%s%s%s%s", term && *term ? term : "TERM is not set", size, cell,
               screen->here ? "" : ", but this is no terminal",
               screen->asked && !answer->complete ? ", which gave no answer" : "");
}

/* Many lines are drawn in braille, whose dots are finer. */
static const char *lines_of(const struct screen *screen)
{
    static const char *const sets[] = {"braille", "quadrants", "sextants"};
    enum glyph_set glyphs = curses_traits(screen->curses).glyphs;
    if (curses_shows_pictures(screen->curses))
        return screen->answers.answer.kitty ? "pixels, by kitty's protocol" : "pixels, as sixels";
    return glyphs == GLYPHS_ASCII    ? "ASCII"
           : glyphs == GLYPHS_BLOCKS ? "blocks"
                                     : sets[curses_lines(screen->curses)];
}

static void say_shown(const struct screen *screen, char *text)
{
    static const char *const depths[] = {"no colours", "16 colours", "256 colours",
                                         "direct colour"};
    static const char *const glyphs[] = {"braille", "blocks", "ASCII"};
    if (screen->status != STATUS_OK)
        format_cut(text, LINE, "nothing: %s", screen->error.message);
    else
        format_cut(text, LINE, "%s; signs in %s; lines in %s", depths[curses_depth(screen->curses)],
                   glyphs[curses_traits(screen->curses).glyphs], lines_of(screen));
}

static void say_locale(char *text)
{
    const char *locale = setlocale(LC_CTYPE, NULL);
    format_cut(text, LINE, "%s, %s", locale ? locale : "not known", nl_langinfo(CODESET));
}

/* ---- Files ---- */

static void say_models(char *text)
{
    struct hub_list list;
    struct error error;
    if (hub_list(&list, &error) != STATUS_OK)
        format_cut(text, LINE, "%s", error.message);
    else if (list.count == 0 && !file_exists(list.cache))
        format_cut(text, LINE, "%s, which does not exist", list.cache);
    else
        format_cut(text, LINE, "%s, %zu model%s", list.cache, list.count,
                   list.count == 1 ? "" : "s");
    hub_list_free(&list);
}

static void say_builtin(char *text)
{
    struct builtin_file file = builtin_file("config.json");
    struct config config;
    struct error error;
    char bytes[24];
    format_bytes(bytes, sizeof bytes, (double)builtin_file("model.safetensors").size);
    if (config_parse((const char *)file.bytes, file.size, "built-in", &config, &error) != STATUS_OK)
        format_cut(text, LINE, "%s", error.message);
    else
        format_cut(text, LINE, "%zu layers × %zu heads, hidden %zu, %s", config.layers,
                   config.heads, config.hidden, bytes);
}

static void say_progress(char *text)
{
    char *path = progress_path();
    format_cut(text, LINE, "%s%s",
               path ? path : "not kept: neither XDG_STATE_HOME nor HOME names a folder",
               path && !file_exists(path) ? ", not there yet" : "");
    free(path);
}

/* ---- All ---- */

/* Those of the terminal have `look`. */
static const struct {
    const char *name;
    void (*say)(char *text);
    void (*look)(const struct screen *screen, char *text);
} facts[] = {
    {"compiler", say_compiler, NULL}, {"system", say_system, NULL},
    {"kernels", say_kernels, NULL},   {"BLAS", say_blas, NULL},
    {"threads", say_threads, NULL},   {"libraries", say_libraries, NULL},
    {"locale", say_locale, NULL},     {"terminal", NULL, say_terminal},
    {"shows", NULL, say_shown},       {"models", say_models, NULL},
    {"built-in", say_builtin, NULL},  {"lessons", say_progress, NULL},
};

/* What comes from the environment is made safe for a terminal. */
static void write_facts(const struct screen *screen, FILE *stream, bool ascii)
{
    char text[LINE], safe[2 * LINE];
    fprintf(stream, "headlight %s\n\n", HEADLIGHT_VERSION);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (facts[i].say)
            facts[i].say(text);
        else
            facts[i].look(screen, text);
        text_safe(text, ascii, safe, sizeof safe);
        fprintf(stream, "%-11s%s\n", facts[i].name, safe);
    }
}

void version_write(FILE *stream, bool ascii, int *signal)
{
    struct screen screen = {0};
    FILE *nowhere = fopen("/dev/null", "w");
    restore_arm(STDIN_FILENO);
    ask(&screen, stream);
    if (nowhere)
        open_unseen(&screen, nowhere);
    else
        screen.status = error_set(&screen.error, STATUS_IO, "/dev/null can't be opened");
    write_facts(&screen, stream, ascii);
    curses_close(screen.curses);
    *signal = restore_signal();
    restore_disarm();
    if (nowhere)
        fclose(nowhere);
}
