/* curses_entry.c: writes a compiled terminfo entry, as term(5) has it, in the hexadecimal form
 * that ncurses takes from the environment. */
#include "headlight/base/format.h"
#include "headlight/terminal/curses_parts.h"
#include "headlight/terminal/terminals.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <term.h> /* takes common words for its macros */
#undef columns
#undef lines

extern char **environ;

bool curses_entry_has_rgb(void)
{
    char name[] = "RGB";
    const char *text = tigetstr(name);
    return tigetflag(name) > 0 || tigetnum(name) > 0 || (text && text != (char *)-1);
}

#if NCURSES_XNAMES

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

static const struct {
    const char *name, *value; /* NULL: nothing */
} strings[] = {
    {"setaf", SETAF}, {"setab", SETAB}, {"sgr0", "\033[22m"}, {"sgr", NULL},   {"op", NULL},
    {"oc", NULL},     {"setf", NULL},   {"setb", NULL},       {"initc", NULL}, {"initp", NULL},
};

/* The string of that index among all of the terminal's; extended ones come last. */
static const char *string_at(const TERMTYPE *type, unsigned index)
{
    const char *own = type->Strings[index];
    if (index < (unsigned)(type->num_Strings - type->ext_Strings))
        for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
            if (strcmp(strnames[index], strings[i].name) == 0)
                return strings[i].value;
    return own != (char *)-1 ? own : NULL;
}

static int number_at(const TERMTYPE *type, unsigned index)
{
    const char *name =
        index < (unsigned)(type->num_Numbers - type->ext_Numbers) ? numnames[index] : "";
    if (strcmp(name, "colors") == 0)
        return 1 << 24;
    if (strcmp(name, "pairs") == 0)
        return 1 << 16;
    return type->Numbers[index];
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

/* A range of capabilities of one kind, up to but not including `end`. */
struct range {
    unsigned first, end;
};

static int size_of_strings(const TERMTYPE *type, struct range range)
{
    int size = 0;
    for (unsigned i = range.first; i < range.end; i++)
        size += size_of(string_at(type, i));
    return size;
}

static void put_flags(FILE *out, const TERMTYPE *type, struct range range)
{
    const unsigned own = (unsigned)(type->num_Booleans - type->ext_Booleans);
    for (unsigned i = range.first; i < range.end; i++)
        put(out, type->Booleans[i] > 0 && (i >= own || strcmp(boolnames[i], "ccc") != 0), 1);
}

static void put_numbers(FILE *out, const TERMTYPE *type, struct range range)
{
    for (unsigned i = range.first; i < range.end; i++)
        put(out, number_at(type, i), 4);
}

static void put_places(FILE *out, const TERMTYPE *type, struct range range)
{
    int place = 0;
    for (unsigned i = range.first; i < range.end; i++)
        put_place(out, string_at(type, i), &place);
}

static void put_strings(FILE *out, const TERMTYPE *type, struct range range)
{
    for (unsigned i = range.first; i < range.end; i++)
        if (string_at(type, i))
            put_text(out, string_at(type, i));
}

static void put_standard(FILE *out, const TERMTYPE *type, const char *name)
{
    struct range flags = {0, (unsigned)(type->num_Booleans - type->ext_Booleans)};
    struct range numbers = {0, (unsigned)(type->num_Numbers - type->ext_Numbers)};
    struct range texts = {0, (unsigned)(type->num_Strings - type->ext_Strings)};
    int size = size_of_strings(type, texts);
    const int header[] = {MAGIC,          size_of(name), (int)flags.end, (int)numbers.end,
                          (int)texts.end, size};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        put(out, header[i], 2);
    put_text(out, name);
    put_flags(out, type, flags);
    put(out, 0, (size_of(name) + (int)flags.end) % 2);
    put_numbers(out, type, numbers);
    put_places(out, type, texts);
    put_strings(out, type, texts);
    put(out, 0, size % 2);
}

/* Names of the extended capabilities: flags, numbers, strings. Ours come first of each kind, so
 * that they win over the terminal's own of the same name. */
static const char *extended_name(const TERMTYPE *type, unsigned index)
{
    if (index == 0)
        return "RGB";
    if (index <= type->ext_Booleans)
        return type->ext_Names[index - 1];
    if (index == type->ext_Booleans + 1u)
        return "CO";
    return type->ext_Names[index - 2];
}

static void put_extended(FILE *out, const TERMTYPE *type)
{
    struct range flags = {(unsigned)(type->num_Booleans - type->ext_Booleans), type->num_Booleans};
    struct range numbers = {(unsigned)(type->num_Numbers - type->ext_Numbers), type->num_Numbers};
    struct range texts = {(unsigned)(type->num_Strings - type->ext_Strings), type->num_Strings};
    unsigned names = 2u + type->ext_Booleans + type->ext_Numbers + type->ext_Strings;
    int size = size_of_strings(type, texts), places = (int)names, place = 0;
    for (unsigned i = texts.first; i < texts.end; i++)
        places += string_at(type, i) != NULL;
    for (unsigned i = 0; i < names; i++)
        size += size_of(extended_name(type, i));
    const int header[] = {type->ext_Booleans + 1, type->ext_Numbers + 1, type->ext_Strings, places,
                          size};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        put(out, header[i], 2);
    put(out, 1, 1); /* RGB */
    put_flags(out, type, flags);
    put(out, 0, (type->ext_Booleans + 1) % 2);
    put(out, 8, 4); /* CO */
    put_numbers(out, type, numbers);
    put_places(out, type, texts);
    for (unsigned i = 0; i < names; i++)
        put_place(out, extended_name(type, i), &place);
    put_strings(out, type, texts);
    for (unsigned i = 0; i < names; i++)
        put_text(out, extended_name(type, i));
}

/* Both parts of an entry: capabilities that term(5) numbers, and those with names of their own. */
static char *write_entry(const TERMTYPE *type, const char *term)
{
    struct buffer buffer;
    if (buffer_open(&buffer)) {
        fputs("TERMINFO=hex:", buffer.stream);
        put_standard(buffer.stream, type, term);
        put_extended(buffer.stream, type);
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
    {"cub", "\033[%p1%dD"},
    {"cub1", "\b"},
    {"cud", "\033[%p1%dB"},
    {"cud1", "\n"},
    {"cuf", "\033[%p1%dC"},
    {"cuf1", "\033[C"},
    {"cup", "\033[%i%p1%d;%p2%dH"},
    {"cuu", "\033[%p1%dA"},
    {"cuu1", "\033[A"},
    {"ed", "\033[J"},
    {"el", "\033[K"},
    {"el1", "\033[1K"},
    {"home", "\033[H"},
    {"ind", "\n"},
    {"kbs", "\177"},
    {"kcbt", "\033[Z"},
    {"kcub1", "\033OD"},
    {"kcud1", "\033OB"},
    {"kcuf1", "\033OC"},
    {"kcuu1", "\033OA"},
    {"kdch1", "\033[3~"},
    {"kend", "\033OF"},
    {"kf1", "\033OP"},
    {"kf2", "\033OQ"},
    {"kf3", "\033OR"},
    {"kf4", "\033OS"},
    {"khome", "\033OH"},
    {"kich1", "\033[2~"},
    {"kmous", "\033[<"},
    {"knp", "\033[6~"},
    {"kpp", "\033[5~"},
    {"op", "\033[39;49m"},
    {"rev", "\033[7m"},
    {"rmcup", "\033[?1049l"},
    {"rmkx", "\033[?1l\033>"},
    {"rmul", "\033[24m"},
    {"setab", "\033[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m"},
    {"setaf", "\033[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m"},
    {"sgr0", "\033[m"},
    {"smcup", "\033[?1049h"},
    {"smkx", "\033[?1h\033="},
    {"smul", "\033[4m"},
};

static const char *known_string(size_t index)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(strnames[index], known[i].name) == 0)
            return known[i].value;
    return NULL;
}

static int known_number(const char *name, int colors)
{
    static const struct {
        const char *name;
        int value;
    } numbers[] = {{"cols", 80}, {"lines", 24}, {"it", 8}};
    if (strcmp(name, "colors") == 0 || strcmp(name, "pairs") == 0)
        return colors == 0 ? -1 : name[0] == 'c' ? colors : colors * colors;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return numbers[i].value;
    return -1;
}

static void put_known(FILE *out, const char *term, int colors)
{
    int size = 0, place = 0;
    for (size_t i = 0; i < STRCOUNT; i++)
        size += size_of(known_string(i));
    const int header[] = {MAGIC, size_of(term), BOOLCOUNT, NUMCOUNT, STRCOUNT, size};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        put(out, header[i], 2);
    put_text(out, term);
    for (size_t i = 0; i < BOOLCOUNT; i++) {
        const char *flag = boolnames[i];
        put(out, strcmp(flag, "am") == 0 || strcmp(flag, "xenl") == 0 || strcmp(flag, "msgr") == 0,
            1);
    }
    put(out, 0, (size_of(term) + BOOLCOUNT) % 2);
    for (size_t i = 0; i < NUMCOUNT; i++)
        put(out, known_number(numnames[i], colors), 4);
    for (size_t i = 0; i < STRCOUNT; i++)
        put_place(out, known_string(i), &place);
    for (size_t i = 0; i < STRCOUNT; i++)
        if (known_string(i))
            put_text(out, known_string(i));
    put(out, 0, size % 2);
}

/* XT, and for the mouse XM, which curses looks for by name. */
static void put_known_extended(FILE *out)
{
    static const char *const texts[] = {"\033[?1006;1000%?%p1%{1}%=%th%el%;", "XT", "XM"};
    const int header[] = {1, 0, 1, 3, size_of(texts[0]) + 6};
    int value = 0, name = 0;
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        put(out, header[i], 2);
    put(out, 1, 1);
    put(out, 0, 1);
    put_place(out, texts[0], &value);
    put_place(out, texts[1], &name);
    put_place(out, texts[2], &name);
    for (size_t i = 0; i < 3; i++)
        put_text(out, texts[i]);
}

/* Such an entry, for TERMINFO. What can't be a terminal's name stays unknown, and so do the names
 * of what is none, or can't place its cursor. */
static char *known_entry(const char *term)
{
    static const char *const others[] = {"dumb", "unknown", "network", "dialup", "emacs"};
    struct buffer buffer;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(term, others[i]) == 0)
            return NULL;
    for (const char *at = term; *at; at++)
        if (*at <= ' ' || *at > '~')
            return NULL;
    bool console = terminal_traits(term) & TERMINAL_NO_BRAILLE, old = strncmp(term, "vt", 2) == 0;
    if (buffer_open(&buffer)) {
        fputs("hex:", buffer.stream);
        put_known(buffer.stream, term, console ? 8 : old ? 0 : 256);
        if (!console && !old)
            put_known_extended(buffer.stream);
    }
    return buffer_close(&buffer);
}

/* XT marks relatives of xterm, which may call themselves "xterm" because no entry with more colours
 * is installed. */
static char *entry_of(const char *term, int fd, bool direct)
{
    int reason;
    char colors[] = "colors", xt[] = "XT";
    if (setupterm(term, fd, &reason) != OK)
        return NULL;
    bool kin = direct && tigetnum(colors) >= 8 && tigetflag(xt) > 0;
    bool capable = !curses_entry_has_rgb() && (kin || tigetnum(colors) >= 256);
    char *entry = capable ? write_entry((const TERMTYPE *)cur_term, term) : NULL;
    del_curterm(cur_term);
    return entry;
}

#else

static char *entry_of(const char *term, int fd, bool direct)
{
    (void)term;
    (void)fd;
    (void)direct;
    return NULL;
}

static char *known_entry(const char *term)
{
    (void)term;
    return NULL;
}

#endif

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
char **curses_entry_environment(const char *term, int fd, bool direct)
{
    size_t count = 0;
    while (environ && environ[count])
        count++;
    char *entry = entry_of(term, fd, direct);
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
