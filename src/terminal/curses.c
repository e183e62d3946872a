/* curses.c: opens and closes the screen. Colour depth, glyphs and size are chosen here, once,
 * before anything is drawn. */
#include "headlight/base/bytes.h"
#include "headlight/terminal/curses_parts.h"
#include "headlight/terminal/restore.h"
#include "headlight/terminal/terminals.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

extern char **environ;

/* ---- Which terminal, how many colours ---- */

/* A string of terminfo, or NULL. Some curses want the name writable. */
static const char *string_of(const char *name)
{
    char own[8];
    snprintf(own, sizeof own, "%s", name);
    const char *text = tigetstr(own);
    return text != (char *)-1 ? text : NULL;
}

/* What its entry says of a terminal. XT marks relatives of xterm, which may call themselves "xterm"
 * because no entry with more colours is installed; BE begins bracketed paste. */
struct described {
    bool known, usable; /* it can place its cursor */
    bool kin, xt;       /* like xterm, and marked so */
    bool rgb;           /* its own colours are direct */
    int colors;
};

/* Without touching it: newterm would print its own complaint, or end the program. */
static struct described describe(const char *term, int fd)
{
    char generic[] = "gn", colors[] = "colors", xt[] = "XT", rgb[] = "RGB";
    int reason;
    if (!term || setupterm(term, fd, &reason) != OK)
        return (struct described){.known = false};
    struct described entry = {.known = true,
                              .usable = string_of("cup") && tigetflag(generic) <= 0,
                              .xt = tigetflag(xt) > 0,
                              .rgb = tigetflag(rgb) > 0 || tigetnum(rgb) > 0 || string_of(rgb),
                              .colors = tigetnum(colors)};
    entry.kin = entry.xt || string_of("BE") || terminal_traits(term) & TERMINAL_QUESTIONS;
    del_curterm(cur_term);
    return entry;
}

bool curses_takes_questions(const char *term, int fd)
{
    return describe(term ? term : getenv("TERM"), fd).kin;
}

/* --color mono, or NO_COLOR (no-color.org), which counts unless it is empty; an option is stronger.
 */
static bool wants_mono(const struct curses_wish *wish)
{
    const char *no_color = getenv("NO_COLOR");
    if (wish->color != COLOR_AUTO)
        return wish->color == COLOR_MONO;
    return no_color && *no_color;
}

/* Terminals say in COLORTERM, or when asked, what their terminfo entries don't. */
static bool wants_direct(const struct curses_wish *wish)
{
    const char *colorterm = getenv("COLORTERM");
    if (wish->color != COLOR_AUTO)
        return wish->color == COLOR_DIRECT;
    return wish->direct ||
           (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0));
}

/* A multiplexer shows no pictures, or only those of the terminal around it; and its colours need
 * not be those of that terminal. */
bool curses_ask(struct probe *probe, int output, int input, unsigned questions)
{
    static const struct curses_wish none;
    const char *term = getenv("TERM");
    const struct described entry = describe(term, output);
    *probe = (struct probe){.length = 0};
    if (!entry.kin)
        return false;
    const unsigned traits = terminal_traits(term);
    if (traits & TERMINAL_NO_PICTURES)
        questions &= ~(unsigned)ASK_KITTY;
    if (traits & TERMINAL_FAR) /* asking would tell, too, but by memory that nobody reads */
        questions &= ~(unsigned)ASK_SHARED;
    /* terminfo may say fewer than there are: COLORTERM gets lost on the way through ssh, and xterm
     * has none; and xterm, which has more colours than a user ever sees, calls itself "xterm" */
    const bool more = !entry.rgb && (entry.colors == 256 || (entry.colors == 8 && entry.xt)),
               open = questions & ASK_COLOR && !(traits & TERMINAL_WITHIN) && more &&
                      !wants_mono(&none) && !wants_direct(&none);
    if (!open)
        questions &= ~(unsigned)ASK_COLOR;
    bool asks = questions != 0 && ask_begin(probe, output, input, questions);
    probe->decisive = open && entry.colors == 8; /* it can't be opened with 8, and get more later */
    return asks;
}

/* newterm finds an entry only through the environment. Other threads may be reading the program's
 * own, so that isn't changed: another one takes its place while newterm runs. It is kept until
 * curses is closed, since a thread may have begun to read it. */
static SCREEN *open_derived(struct curses *curses, const struct curses_wish *wish,
                            const struct described *entry, const char *term, FILE *input)
{
    char **own = environ;
    const bool fewer = wish->color != COLOR_AUTO && wish->color < COLOR_256;
    const int least = entry->xt && wants_direct(wish) ? 8 : 256;
    if (fewer || wants_mono(wish) || entry->rgb || entry->colors < least)
        return NULL;
    curses->environment = curses_entry_environment(term, fileno(curses->output));
    if (!curses->environment)
        return NULL;
    environ = curses->environment;
    SCREEN *screen = newterm(term, curses->output, input);
    environ = own;
    return screen;
}

void curses_write(const struct curses *curses, const char *text)
{
    restore_write(fileno(curses->output), text);
}

/* Enters the modes that curses doesn't know: mouse motion without a button (1003), which it can
 * decode if the mouse reports in SGR's form, and marks around pasted text (2004). */
static void set_modes(const struct curses *curses)
{
    curses_write(curses, curses->paste ? "\033[?2004h" : curses->xterm ? "\033[?2004l" : "");
    curses_write(curses, curses->hover ? "\033[?1003h" : "");
}

/* The picture goes first, as it would stay on the user's screen. */
static void leave_modes(struct curses *curses)
{
    picture_remove(&curses->picture);
    curses_write(curses, picture_bytes(&curses->picture));
    curses_write(curses, curses->hover ? "\033[?1003l" : "");
    curses_write(curses, curses->paste ? "\033[?2004l" : "");
}

/* Some terminals save with the cursor's position (ESC 7, before a picture) that it was hidden. The
 * derived entry can't reset colours. On a terminal without an alternate screen the cursor is now on
 * the line of the hints, which is cleared. */
static void leave_screen(const struct curses *curses)
{
    const char *clear = string_of("el");
    bool plain = clear && strncmp(clear, "\033[K", 3) == 0; /* a delay may follow */
    endwin();
    if (curses->probe)
        tcsetattr(curses->probe->input, TCSANOW, &curses->probe->before);
    curses_write(curses, curses->environment ? "\033[0m" : "");
    curses_write(curses, plain ? "\033[K" : "");
    curses_write(curses, curses->kind.pictures ? "\033[?25h" : "");
}

void curses_set_paste(struct curses *curses, bool on)
{
    if (!curses->xterm || curses->paste == on || restore_signal() != 0)
        return;
    curses->paste = on;
    set_modes(curses);
}

/* OSC 52, which tmux takes as well; a terminal that doesn't know it passes over it. */
void curses_copy(const struct curses *curses, const char *text)
{
    const size_t length = strlen(text);
    char *encoded = malloc(BASE64_LENGTH(length) + 1);
    if (encoded && curses->xterm && restore_signal() == 0) {
        base64_write(encoded, text, length);
        curses_write(curses, "\033]52;c;");
        curses_write(curses, encoded);
        curses_write(curses, "\a");
    }
    free(encoded);
}

/* The modes of curses, then those that it doesn't know. Esc alone is told from a key's sequence
 * after 25 ms. */
static void prepare_screen(struct curses *curses, const struct curses_wish *wish,
                           const struct described *entry, const char *term)
{
    cbreak();
    noecho();
    nonl();
    set_escdelay(25);
    /* A Ctrl-C in what is typed or pasted would throw away what the terminal has not read yet,
     * which may be what restores it. */
    struct termios modes;
    if (tcgetattr(fileno(curses->output), &modes) == 0) {
        modes.c_lflag |= NOFLSH;
        tcsetattr(fileno(curses->output), TCSANOW, &modes);
        def_prog_mode();
    }
    curs_set(0);
    leaveok(stdscr, TRUE);
    if (!wish->no_mouse) {
        mousemask(ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION, NULL);
        mouseinterval(0); /* a press at once, no waiting for a double click */
        curses_input_take_mouse();
        /* the only form that tells motion without a button apart: \033[< … */
        const char *mouse = string_of("kmous");
        curses->hover = mouse && strcmp(mouse, "\033[<") == 0;
    }
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    curses->xterm = entry->kin;
    /* How many colours the terminal has, by number. The derived entry has the 256-colour palette as
     * well as RGB. In a direct-colour terminal's own entry all numbers but eight are RGB, so only
     * those eight are left for a smaller wish. */
    int colors = has_colors() ? COLORS : 0;
    bool direct = colors >= 1 << 15 && (entry->rgb || curses->environment);
    bool derived = direct && curses->environment;
    const bool chosen = wish->color != COLOR_AUTO;
    bool fewer = derived ? !wants_direct(wish) : chosen && wish->color < COLOR_DIRECT;
    if (direct && fewer)
        colors = derived ? 256 : 8;
    enum depth most = direct && !fewer ? DEPTH_DIRECT
                      : colors >= 256  ? DEPTH_256
                      : colors >= 8    ? DEPTH_16
                                       : DEPTH_MONO;
    curses->colors = colors;
    curses->kind.depth = chosen && wish->color - 1 < most ? (enum depth)(wish->color - 1) : most;
    curses->direct_open = derived && fewer && !chosen;
    if (wants_mono(wish))
        curses->kind.depth = DEPTH_MONO;
    const bool ascii = wish->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    curses->kind.traits =
        (struct traits){ascii                                         ? GLYPHS_ASCII
                        : terminal_traits(term) & TERMINAL_NO_BRAILLE ? GLYPHS_BLOCKS
                                                                      : GLYPHS_BRAILLE,
                        curses->kind.depth == DEPTH_MONO};
    set_modes(curses);
}

/* The terminal's size, cut to the largest canvas: there may be no memory for more, and curses can't
 * count beyond SHRT_MAX. False: the terminal doesn't say. */
static bool tell_size(FILE *output, int *columns, int *rows)
{
    struct winsize size;
    if (ioctl(fileno(output), TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return false;
    *columns = size.ws_col < CANVAS_MAX ? size.ws_col : CANVAS_MAX;
    *rows = size.ws_row < CANVAS_MAX ? size.ws_row : CANVAS_MAX;
    return true;
}

/* curses trusts LINES and COLUMNS more than the terminal. A size that no canvas can have would make
 * it ask for too much memory. */
void curses_prepare_size(FILE *output)
{
    static const char *const names[] = {"LINES", "COLUMNS"};
    int sizes[2];
    bool known = tell_size(output, &sizes[1], &sizes[0]);
    for (int i = 0; i < 2; i++) {
        char number[16];
        const char *value = getenv(names[i]);
        snprintf(number, sizeof number, "%d", known ? sizes[i] : 0);
        if (known)
            setenv(names[i], number, 1);
        else if (value && strtol(value, NULL, 10) > CANVAS_MAX)
            unsetenv(names[i]);
    }
}

/* curses never sees SIGWINCH, and LINES and COLUMNS may be out of date, so it is told the size
 * here. */
static void take_size(struct curses *curses)
{
    int columns, rows;
    if (tell_size(curses->output, &columns, &rows) && is_term_resized(rows, columns))
        resizeterm(rows, columns);
    curses->kind.columns = COLS;
    curses->kind.rows = LINES;
}

/* Everything that can be refused is refused before newterm, which changes the terminal. */
enum status curses_open(struct curses **out, const char *term, FILE *output, FILE *input,
                        const struct curses_wish *wish, struct error *error)
{
    *out = NULL;
    if (!term)
        term = getenv("TERM");
    if (!term || !*term)
        return error_set(error, STATUS_UNSUPPORTED,
                         "TERM is not set, so the terminal's kind is not known: set it, or use "
                         "--snapshot");
    const struct described entry = describe(term, fileno(output));
    if (!entry.usable)
        return error_set(error, STATUS_UNSUPPORTED,
                         entry.known
                             ? "the terminal \"%s\" can't place its cursor: use another one, or "
                               "--snapshot"
                             : "the terminal \"%s\" is not in the terminfo database: set TERM to "
                               "one that is, or use --snapshot",
                         term);
    struct curses *curses = calloc(1, sizeof *curses);
    if (!curses)
        return error_memory(error, "the terminal", sizeof *curses);
    curses->output = output;
    curses->screen = open_derived(curses, wish, &entry, term, input);
    if (!curses->screen)
        curses->screen = newterm(term, output, input);
    if (!curses->screen) {
        curses_entry_free(curses->environment);
        free(curses);
        return error_set(error, STATUS_UNSUPPORTED, "the terminal \"%s\" can't be opened", term);
    }
    set_term(curses->screen);
    take_size(curses);
    if (!curses_input_prepare(&curses->reader)) {
        curses_close(curses);
        return error_memory(error, "the keyboard", sizeof curses->reader);
    }
    prepare_screen(curses, wish, &entry, term);
    *out = curses;
    return STATUS_OK;
}

/* Nothing is written if the screen has been left already. */
void curses_close(struct curses *curses)
{
    if (!curses)
        return;
    set_term(curses->screen);
    if (!isendwin()) {
        leave_screen(curses);
        leave_modes(curses);
    }
    curses_input_free(&curses->reader);
    picture_close(&curses->picture);
    delscreen(curses->screen);
    curses_entry_free(curses->environment);
    free(curses);
}

const struct curses_kind *curses_kind(const struct curses *curses)
{
    return &curses->kind;
}

/* ---- Lines ---- */

/* Only now is it known what the terminal can show. */
enum status curses_choose_lines(struct curses *curses, enum lines_wish lines,
                                const struct ask_answer *answer, struct error *error)
{
    bool pictures = lines == LINES_AUTO || lines == LINES_PIXELS;
    if (curses->direct_open && answer->direct)
        curses->kind.depth = DEPTH_DIRECT;
    if (answer->complete && !answer->shared) /* it won't read what it was asked by */
        pixels_clear_shared();
    if (pictures && curses->kind.depth >= DEPTH_256 && curses->kind.traits.glyphs != GLYPHS_ASCII)
        picture_open(&curses->picture, answer);
    curses->picture.far = terminal_traits(NULL) & TERMINAL_FAR;
    curses->kind.pictures = curses->picture.protocol != PICTURE_NONE;
    if (lines == LINES_PIXELS && !curses->kind.pictures)
        return error_set(error, STATUS_UNSUPPORTED,
                         "--lines pixels: expected a terminal that says that it shows pictures "
                         "(kitty's graphics or sixel), in 256 colours or more; use --lines blocks "
                         "or braille");
    /* a picture stands in for what the canvas has in its cells */
    bool direct = curses->kind.depth == DEPTH_DIRECT;
    bool blocks = lines == LINES_BLOCKS || (lines == LINES_AUTO && direct);
    curses->kind.lines = !blocks                                     ? LINE_BRAILLE
                         : terminal_traits(NULL) & TERMINAL_SEXTANTS ? LINE_SEXTANTS
                                                                     : LINE_QUADRANTS;
    restore_note_pictures(curses->kind.pictures);
    return STATUS_OK;
}

/* ---- Input ---- */

/* newterm has found the line discipline without echo, and takes it for that of before. It was not
 * put back first, as an answer that came just then would have been echoed. */
void curses_take_over(struct curses *curses, struct probe *probe)
{
    curses->probe = probe->asking ? probe : NULL;
    probe->asking = false;
    curses->reader.answer = probe->answer;
    curses->reader.typed = probe->typed;
    curses->reader.typed_length = probe->length;
}

const struct ask_answer *curses_answer(const struct curses *curses)
{
    return &curses->reader.answer;
}

/* Others may have used the terminal while the program was stopped, so everything is set and drawn
 * anew. */
enum curses_event curses_renew(struct curses *curses)
{
    const bool stops = restore_stop_asked(), anew = stops || restore_continued();
    set_term(curses->screen);
    if (anew && restore_signal() == 0) {
        restore_begin_output();
        leave_modes(curses);
        leave_screen(curses);
        restore_end_output();
        if (stops)
            restore_stop();
    }
    if (restore_signal() != 0)
        return CURSES_NOTHING;
    if (anew) {
        restore_begin_output();
        doupdate();
        set_modes(curses);
        restore_end_output();
    }
    take_size(curses);
    return anew ? CURSES_RESIZED : CURSES_KEY;
}
