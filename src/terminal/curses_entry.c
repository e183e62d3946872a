/* curses_entry.c: writes a compiled terminfo entry, as term(5) has it, in the hexadecimal form
 * that ncurses takes from the environment. */
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

extern char **environ;

/* The format with 32-bit numbers. */
#define MAGIC 01036

/* curses sends a cell's two colours anew wherever one of them changes. The variables A and B of
 * terminfo, which keep their values from one use to the next, hold those that are set, and what is
 * set already isn't sent, nor an ink that is 0. So nothing but these sequences may set a colour: to
 * end bold is not to reset all, and there are no colours of the terminal's own. Another program may
 * set colours between two frames: curses ends each in 7 and 0, which no cell has that shows ink.
 * With semicolons, which more terminals read than the colons of the standard. */
#define COLOR                                                                                      \
    "%?%p1%{256}%<%t5;%p1%d"                                                                       \
    "%e2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"
#define SETAF "%?%p1%gA%=%p1%!%O%!%t\033[38;" COLOR "%p1%PA%;"
#define SETAB "%?%p1%gB%=%!%t\033[48;" COLOR "%p1%PB%;"

/* ---- What the entry says ---- */

/* What is to be written: a terminal's own entry with direct colour, or one with so many colours
 * for a terminal that no database knows. */
struct entry {
    const TERMTYPE *type;
    int colors;
};

#define DIRECT (1 << 24)

static bool is_direct(const struct entry *entry)
{
    return entry->colors == DIRECT;
}

static const struct {
    const char *name, *value; /* NULL: nothing */
} strings[] = {
    {"setaf", SETAF}, {"setab", SETAB}, {"sgr0", "\033[22m"}, {"sgr", NULL},   {"op", NULL},
    {"oc", NULL},     {"setf", NULL},   {"setb", NULL},       {"initc", NULL}, {"initp", NULL},
};

/* The string of that index among all of the terminal's; extended ones come last. */
static const char *string_at(const struct entry *entry, unsigned index)
{
    const TERMTYPE *type = entry->type;
    const char *own = type->Strings[index];
    if (is_direct(entry) && index < (unsigned)(type->num_Strings - type->ext_Strings))
        for (size_t i = 0; i < LENGTH(strings); i++)
            if (strcmp(strnames[index], strings[i].name) == 0)
                return strings[i].value;
    return own != (char *)-1 ? own : NULL;
}

/* ---- Writing ---- */

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

/* The offset of a text in the table of strings, -1 for none; *place moves on. */
static void put_place(FILE *out, const char *text, int *place)
{
    put(out, text ? *place : -1, 2);
    *place += size_of(text);
}

/* Names of the extended capabilities: flags, numbers, strings. Those of direct colour come first of
 * each kind, so that they win over the terminal's own of the same name. */
static const char *extended_name(const struct entry *entry, unsigned index)
{
    const TERMTYPE *type = entry->type;
    if (!is_direct(entry))
        return type->ext_Names[index];
    if (index == 0)
        return "RGB";
    if (index <= type->ext_Booleans)
        return type->ext_Names[index - 1];
    if (index == type->ext_Booleans + 1u)
        return "CO";
    return type->ext_Names[index - 2];
}

/* The capabilities that term(5) numbers or, in the extended part, those with names of their own:
 * flags, numbers, places of texts and the texts, behind how many there are of each. */
static void put_part(FILE *out, const struct entry *entry, const char *term, bool extended)
{
    const TERMTYPE *type = entry->type;
    const bool direct = extended && is_direct(entry);
    const unsigned own[] = {(unsigned)(type->num_Booleans - type->ext_Booleans),
                            (unsigned)(type->num_Numbers - type->ext_Numbers),
                            (unsigned)(type->num_Strings - type->ext_Strings)};
    const unsigned all[] = {type->num_Booleans, type->num_Numbers, type->num_Strings};
    const unsigned *end = extended ? all : own;
    const unsigned first[] = {extended ? own[0] : 0, extended ? own[1] : 0, extended ? own[2] : 0};
    const unsigned names =
        extended ? 2u * direct + type->ext_Booleans + type->ext_Numbers + type->ext_Strings : 0;
    const int pairs = entry->colors < 256 ? entry->colors * entry->colors : 1 << 16;
    int size = 0, places = (int)names, place = 0;
    for (unsigned i = first[2]; i < end[2]; i++) {
        size += size_of(string_at(entry, i));
        places += string_at(entry, i) != NULL;
    }
    for (unsigned i = 0; i < names; i++)
        size += size_of(extended_name(entry, i));
    const int numbered[] = {MAGIC, size_of(term), (int)own[0], (int)own[1], (int)own[2], size};
    const int named[] = {type->ext_Booleans + direct, type->ext_Numbers + direct, type->ext_Strings,
                         places, size};
    for (size_t i = 0; i < (extended ? sizeof named : sizeof numbered) / sizeof *named; i++)
        put(out, extended ? named[i] : numbered[i], 2);
    if (!extended)
        put_text(out, term);
    put(out, 1, direct); /* RGB */
    for (unsigned i = first[0]; i < end[0]; i++)
        put(out,
            type->Booleans[i] > 0 &&
                (!is_direct(entry) || i >= own[0] || strcmp(boolnames[i], "ccc") != 0),
            1);
    put(out, 0, (extended ? named[0] : numbered[1] + numbered[2]) % 2);
    put(out, 8, 4 * direct); /* CO */
    for (unsigned i = first[1]; i < end[1]; i++) {
        const char *name = i < own[1] ? numnames[i] : "";
        const bool colors = strcmp(name, "colors") == 0;
        put(out,
            !colors && strcmp(name, "pairs") != 0 ? type->Numbers[i]
            : entry->colors == 0                  ? -1
            : colors                              ? entry->colors
                                                  : pairs,
            4);
    }
    for (unsigned i = first[2]; i < end[2]; i++)
        put_place(out, string_at(entry, i), &place);
    place = 0; /* names have places of their own */
    for (unsigned i = 0; i < names; i++)
        put_place(out, extended_name(entry, i), &place);
    for (unsigned i = first[2]; i < end[2]; i++)
        if (string_at(entry, i))
            put_text(out, string_at(entry, i));
    for (unsigned i = 0; i < names; i++)
        put_text(out, extended_name(entry, i));
    put(out, 0, extended ? 0 : size % 2);
}

static char *write_entry(const struct entry *entry, const char *prefix, const char *term)
{
    struct buffer buffer;
    if (buffer_open(&buffer)) {
        fputs(prefix, buffer.stream);
        put_part(buffer.stream, entry, term, false);
        if (is_direct(entry) || entry->type->ext_Booleans > 0)
            put_part(buffer.stream, entry, term, true);
    }
    return buffer_close(&buffer);
}

/* ---- An entry for terminals that no database knows ----
 *
 * What all relatives of xterm do, and tmux, screen and the Linux console: nothing that one of them
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

/* Such an entry, for TERMINFO. What can't be a terminal's name stays unknown, and so do the names
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
               old = strncmp(term, "vt", 2) == 0, xterm = !console && !old;
    /* XT, and for the mouse XM, which curses looks for by name. */
    static const char *const names[] = {"XT", "XM"};
    NCURSES_SBOOL flags[BOOLCOUNT + 1] = {[BOOLCOUNT] = 1};
    short numbers[NUMCOUNT];
    const char *texts[STRCOUNT + 1] = {[STRCOUNT] = "\033[?1006;1000%?%p1%{1}%=%th%el%;"};
    for (size_t i = 0; i < BOOLCOUNT; i++)
        flags[i] = strcmp(boolnames[i], "am") == 0 || strcmp(boolnames[i], "xenl") == 0 ||
                   strcmp(boolnames[i], "msgr") == 0;
    for (size_t i = 0; i < NUMCOUNT; i++)
        numbers[i] = strcmp(numnames[i], "cols") == 0    ? 80
                     : strcmp(numnames[i], "lines") == 0 ? 24
                     : strcmp(numnames[i], "it") == 0    ? 8
                                                         : -1;
    for (size_t i = 0; i < STRCOUNT; i++)
        for (size_t j = 0; j < LENGTH(known); j++)
            if (strcmp(strnames[i], known[j].name) == 0)
                texts[i] = known[j].value;
    const TERMTYPE type = {.Booleans = flags,
                           .Numbers = numbers,
                           .Strings = (char **)(uintptr_t)texts, /* which nobody changes */
                           .ext_Names = (char **)(uintptr_t)names,
                           .num_Booleans = BOOLCOUNT + xterm,
                           .num_Numbers = NUMCOUNT,
                           .num_Strings = STRCOUNT + xterm,
                           .ext_Booleans = xterm,
                           .ext_Strings = xterm};
    return write_entry(&(struct entry){&type, console ? 8 : old ? 0 : 256}, "hex:", term);
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

/* The program's own environment stays as it is; its strings are shared. */
char **curses_entry_environment(const char *term, int fd)
{
    size_t count = 0;
    int reason;
    while (environ && environ[count])
        count++;
    if (setupterm(term, fd, &reason) != OK)
        return NULL;
    const struct entry own = {(const TERMTYPE *)cur_term, DIRECT};
    char *entry = write_entry(&own, "TERMINFO=hex:", term);
    del_curterm(cur_term);
    char **environment = entry ? calloc(count + 2, sizeof *environment) : NULL;
    if (!environment) {
        free(entry);
        return NULL;
    }
    environment[0] = entry;
    for (size_t i = 0; i < count; i++)
        environment[i + 1] = environ[i];
    return environment;
}

void curses_entry_free(char **environment)
{
    if (environment)
        free(environment[0]);
    free(environment);
}
