#include "e2e/wire.h"

#include "hostile.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

struct wire {
    const char *at, *end, *what;
    bool alternate, visible, update; /* which modes are on */
    bool home;                       /* the last thing sent was CSI H */
    size_t marks;                    /* in a row */
};

static void wrong(const struct wire *wire, const char *why)
{
    char shown[64];
    size_t length = (size_t)(wire->end - wire->at), used = 0;
    for (size_t i = 0; i < length && i < 12; i++)
        used += (size_t)sprintf(shown + used, " %02x", (unsigned char)wire->at[i]);
    ck_abort_msg("%s: %s: %s", wire->what, why, shown);
}

static bool is_one_of(const char *text, const char *const *list)
{
    while (*list && strcmp(*list, text) != 0)
        list++;
    return *list != NULL;
}

/* ---- Sequences ---- */

/* Private modes: cursor keys, blinking and visible cursor, margins, mouse, the alternate screen,
 * paste and updates. */
static void check_mode(struct wire *wire, const char *mode, bool on)
{
    static const char *const known[] = {"1",    "7",    "12",   "25",   "69",   "1000", "1002",
                                        "1003", "1006", "1049", "2004", "2026", NULL};
    bool *state = strcmp(mode, "1049") == 0   ? &wire->alternate
                  : strcmp(mode, "2026") == 0 ? &wire->update
                                              : NULL;
    if (strcmp(mode, "1006;1000") == 0) /* as terminfo has them for the mouse */
        return;
    if (!is_one_of(mode, known))
        wrong(wire, "a private mode");
    if (state && *state == on)
        wrong(wire, "a mode that is as it is wanted");
    if (state)
        *state = on;
    if (strcmp(mode, "25") == 0)
        wire->visible = on;
}

/* Bold, dim, reverse, and colours. */
static void check_rendition(const struct wire *wire, char *parameters)
{
    static const char *const plain[] = {"0", "1", "2", "7", "22", "27", "39", "49", NULL};
    char *rest = parameters, *part;
    while ((part = strsep(&rest, ";"))) {
        long code = strtol(part, NULL, 10);
        bool color = (code >= 30 && code < 38) || (code >= 40 && code < 48) ||
                     (code >= 90 && code < 98) || (code >= 100 && code < 108);
        if (code == 38 || code == 48) {
            part = strsep(&rest, ";");
            if (!part || strcmp(part, "5") != 0 || !strsep(&rest, ";"))
                wrong(wire, "a colour");
        } else if (*part && !color && !is_one_of(part, plain)) {
            wrong(wire, "a rendition");
        }
    }
}

/* Moving, erasing, inserting, deleting, repeating: with numbers alone. */
static void check_control(struct wire *wire, char *parameters, char final)
{
    static const char *const titles[] = {"22;0;0", "23;0;0", NULL}; /* kept and given back */
    bool home = wire->home;
    wire->home = final == 'H' && !*parameters;
    if (*parameters == '?' && (final == 'h' || final == 'l'))
        check_mode(wire, parameters + 1, final == 'h');
    else if (strspn(parameters, "0123456789;") != strlen(parameters))
        wrong(wire, "parameters");
    else if (final == 'm')
        check_rendition(wire, parameters);
    else if (final == 't'                   ? !is_one_of(parameters, titles)
             : final == 'l' || final == 'h' ? strcmp(parameters, "4") != 0
                                            : !strchr("HGdABCDPMXJK@LrbEFIZST", final))
        wrong(wire, "a control sequence");
    else if (final == 'J' && *parameters && !(home && strcmp(parameters, "2") == 0))
        wrong(wire, "the screen erased, and not from its corner");
}

static void take_sequence(struct wire *wire)
{
    char parameters[32];
    size_t length = (size_t)(wire->end - wire->at), used = 0;
    if (length >= 3 && memcmp(wire->at, "\033(B", 3) == 0) {
        wire->at += 3;
        return;
    }
    if (length < 2 || wire->at[1] != '[') {
        if (length < 2 || !strchr("=>78ME", wire->at[1]))
            wrong(wire, "an escape sequence");
        wire->at += 2;
        return;
    }
    while (used + 2 < length && used < sizeof parameters - 1 && wire->at[2 + used] >= ' ' &&
           wire->at[2 + used] < '@') {
        parameters[used] = wire->at[2 + used];
        used++;
    }
    parameters[used] = '\0';
    if (used + 2 == length || wire->at[2 + used] < '@' || wire->at[2 + used] > '~')
        wrong(wire, "a control sequence without end");
    check_control(wire, parameters, wire->at[2 + used]);
    wire->at += used + 3;
}

/* ---- Characters ---- */

static void take_character(struct wire *wire)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)wire->at, wire->end - wire->at, &code);
    if (used <= 0)
        wrong(wire, "no UTF-8");
    if (!hostile_is_seen(code) || hostile_is_ignorable(code))
        wrong(wire, "a character that is not seen");
    wire->marks = utf8proc_category(code) == UTF8PROC_CATEGORY_MN ? wire->marks + 1 : 0;
    if (wire->marks > 4)
        wrong(wire, "too many marks");
    if (wire->alternate && wire->visible)
        wrong(wire, "a character while the cursor is visible");
    wire->at += used;
}

/* What is asked of the terminal comes first, and only once. */
static void take_questions(struct wire *wire)
{
    static const char questions[] = "\033[?1049h\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\"
                                    "\033[38;2;61;107;173m\033P$qm\033\\\033[m\033[?1049l"
                                    "\033[16t\033[?2;4;0S\033]11;?\033\\\033[c";
    size_t length = (size_t)(wire->end - wire->at), size = sizeof questions - 1;
    if (length >= size && memcmp(wire->at, questions, size) == 0)
        wire->at += size;
}

void wire_check(const char *bytes, size_t length, const char *what)
{
    struct wire wire = {.at = bytes, .end = bytes + length, .what = what};
    take_questions(&wire);
    while (wire.at < wire.end) {
        if (*wire.at == '\033') {
            take_sequence(&wire);
            continue;
        }
        wire.home = false;
        if (*wire.at && strchr("\r\n\b\t", *wire.at))
            wire.at++;
        else
            take_character(&wire);
    }
    if (wire.alternate || wire.update)
        wrong(&wire, "a mode that was left on");
}
