/* curses_entry.c: an entry of terminfo for terminals that no database knows, compiled, as term(5)
 * has it, in the hexadecimal form that ncurses takes from the environment. */
#include "headlight/base/format.h"
#include "headlight/terminal/curses_parts.h"
#include "headlight/terminal/terminals.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

/* The format with 32-bit numbers. */
#define MAGIC 01036

/* What all relatives of xterm do, and tmux, screen and the Linux console: nothing that one of them
 * hasn't (REP, ECH, scrolling regions). */
static const struct {
    const char *name, *value;
} known[] = {
    {"bel", "\a"},
    {"bold", "\033[1m"},
    {"civis", "\033[?25l"},
    {"clear", "\033[H\033[2J"},
    {"cnorm", "\033[?25h"},
    {"cr", "\r"},
    {"cup", "\033[%i%p1%d;%p2%dH"},
    {"ed", "\033[J"},
    {"el", "\033[K"},
    {"ind", "\n"},
    {"kbs", "\177"},
    {"kcbt", "\033[Z"},
    {"kf1", "\033OP"},
    {"kmous", "\033[<"},
    {"op", "\033[39;49m"},
    {"rev", "\033[7m"},
    {"rmcup", "\033[?1049l"},
    {"rmkx", "\033[?1l\033>"},
    {"setab", "\033[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m"},
    {"setaf", "\033[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m"},
    {"sgr0", "\033[m"},
    {"smcup", "\033[?1049h"},
    {"smkx", "\033[?1h\033="},
};

/* NULL: such an entry has none. */
static const char *known_string(const char *name)
{
    for (size_t i = 0; i < LENGTH(known); i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].value;
    return NULL;
}

static void put(FILE *out, int value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        fprintf(out, "%02X", (unsigned)value >> 8 * i & 0xFF);
}

static void put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        put(out, (unsigned char)*text, 1);
    put(out, 0, 1);
}

static int size_of(const char *text)
{
    return text ? (int)strlen(text) + 1 : 0;
}

/* How many there are of each, then flags, numbers, places of texts, and the texts; of those that
 * term(5) numbers, and of a relative of xterm two that have names: XT marks it, and for XM, the
 * mouse, curses looks by name. */
static void write_entry(FILE *out, const char *term, int colors, bool xterm)
{
    static const char mouse[] = "\033[?1006;1000%?%p1%{1}%=%th%el%;";
    const struct {
        const char *name;
        int value;
    } numbers[] = {{"cols", 80},
                   {"lines", 24},
                   {"it", 8},
                   {"colors", colors > 0 ? colors : -1},
                   {"pairs", colors > 0 ? colors * colors : -1}};
    int size = 0, place = 0;
    for (size_t i = 0; i < STRCOUNT; i++)
        size += size_of(known_string(strnames[i]));
    const int counts[] = {MAGIC, size_of(term), BOOLCOUNT, NUMCOUNT, STRCOUNT, size};
    for (size_t i = 0; i < LENGTH(counts); i++)
        put(out, counts[i], 2);
    put_text(out, term);
    for (size_t i = 0; i < BOOLCOUNT; i++)
        put(out,
            strcmp(boolnames[i], "am") == 0 || strcmp(boolnames[i], "xenl") == 0 ||
                strcmp(boolnames[i], "msgr") == 0,
            1);
    put(out, 0, (size_of(term) + BOOLCOUNT) % 2);
    for (size_t i = 0; i < NUMCOUNT; i++) {
        int value = -1;
        for (size_t j = 0; j < LENGTH(numbers); j++)
            value = strcmp(numnames[i], numbers[j].name) == 0 ? numbers[j].value : value;
        put(out, value, 4);
    }
    for (size_t i = 0; i < STRCOUNT; i++) {
        const char *text = known_string(strnames[i]);
        put(out, text ? place : -1, 2);
        place += size_of(text);
    }
    for (size_t i = 0; i < STRCOUNT; i++)
        if (known_string(strnames[i]))
            put_text(out, known_string(strnames[i]));
    put(out, 0, size % 2);
    /* one flag, its byte and another; no number; one text behind whose place are those of the names
     */
    const int named[] = {1, 0, 1, 3, (int)sizeof mouse + 6, 1, 0, 0, 3};
    for (size_t i = 0; xterm && i < LENGTH(named); i++)
        put(out, named[i], 2);
    for (int i = 0; xterm && i < 3; i++)
        put_text(out, i == 0 ? mouse : i == 1 ? "XT" : "XM");
}

/* For TERMINFO. What can't be a terminal's name stays unknown, and so do the names
 * of what is none, or can't place its cursor. */
static char *known_entry(const char *term)
{
    static const char *const others[] = {"dumb", "unknown", "network", "dialup", "emacs"};
    for (size_t i = 0; i < LENGTH(others); i++)
        if (strcmp(term, others[i]) == 0)
            return NULL;
    for (const char *at = term; *at; at++)
        if (*at <= ' ' || *at > '~')
            return NULL;
    const bool console = terminal_traits(term) & TERMINAL_NO_BRAILLE,
               old = strncmp(term, "vt", 2) == 0;
    struct buffer buffer;
    if (buffer_open(&buffer)) {
        fputs("hex:", buffer.stream);
        write_entry(buffer.stream, term, console ? 8 : old ? 0 : 256, !console && !old);
    }
    return buffer_close(&buffer);
}

bool curses_lend_entry(int fd)
{
    const char *term = getenv("TERM");
    int reason;
    if (!term || !*term)
        return false;
    if (setupterm(term, fd, &reason) == OK) {
        del_curterm(cur_term);
        return false;
    }
    char *entry = known_entry(term);
    bool lent = entry && setenv("TERMINFO", entry, 1) == 0;
    free(entry);
    return lent;
}
