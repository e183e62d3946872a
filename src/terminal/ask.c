/* ask.c: asks the terminal what it can do, and reads its answers. Answers and typed keys come
 * through one stream: whatever is not an answer is kept for the keyboard. */
#include "headlight/terminal/ask.h"

#include "headlight/base/watch.h"
#include "headlight/terminal/pixels.h"
#include "headlight/terminal/restore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

/* kitty graphics: a query (a=q) with a picture of one pixel, which isn't shown. 31 is the number
 * that the answer repeats. */
#define SEND_KITTY "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\"

/* Direct colour: a colour that no palette has is set, and the terminal asked what is set (DECRQSS).
 * xterm and kitty answer with it, though neither says that it has RGB (XTGETTCAP). screen passes
 * the question on, but not the colour, so the terminal around it doesn't answer in its place. */
#define SEND_COLOR "\033[38;2;61;107;173m\033P$qm\033\\\033[m"
#define OWN_COLOR  "61:107:173"

/* A terminal that doesn't know kitty's queries, or DCS, may print them, so they are sent on the
 * alternate screen, where that leaves no trace. */
#define SEND_ASIDE "\033[?1049h"
#define SEND_BACK  "\033[?1049l"

/* The size of a cell (XTWINOPS); the largest sixel picture (XTSMGRAPHICS) that the terminal shows
 * at any size, as foot limits it to the window of the moment; the ground (OSC 11); and what every
 * terminal answers (DA1). */
#define SEND_PICTURES   "\033[16t\033[?2;4;0S"
#define SEND_GROUND     "\033]11;?\033\\"
#define SEND_ATTRIBUTES "\033[c"

/* ---- Answers ---- */

/* Where a control sequence that began at `at` ends, or a string: behind ESC \ or BEL. 0: there is a
 * byte that neither has. */
static size_t end_of(const char *bytes, size_t length, size_t at, bool control)
{
    for (; at < length; at++) {
        unsigned char byte = (unsigned char)bytes[at];
        if (control ? byte >= '@' && byte <= '~' : byte == '\a')
            return at + 1;
        if (!control && byte == '\033' && at + 1 < length)
            return bytes[at + 1] == '\\' ? at + 2 : 0;
        if ((control || byte != '\033') && (byte < ' ' || byte > '~'))
            return 0;
    }
    return ASK_PART;
}

/* Up to four hexadecimal digits, scaled so that the largest number of as many is 255. */
#define HEX "%4[0-9a-fA-F]"

static uint8_t component_of(const char *digits)
{
    const unsigned long most = (1UL << 4 * strlen(digits)) - 1;
    return (uint8_t)((strtoul(digits, NULL, 16) * 255 + most / 2) / most);
}

/* Answers are control sequences with a "?" (CSI ? …), except the report of a mode, and those that
 * end in t. Other sequences are keys. */
static bool take_control(const char *text, size_t length, struct ask_answer *answer)
{
    const char final = text[length - 1];
    int width, height;
    if (text[2] != '?') { /* CSI 6 ; height ; width t, unless the kernel has said it */
        if (final == 't' && answer->cell_width == 0 &&
            sscanf(text + 2, "6;%5d;%5d", &height, &width) == 2) {
            answer->cell_height = height;
            answer->cell_width = width;
        }
        return final == 't';
    }
    if (final == 'c') { /* CSI ? kind ; … c: a list of abilities, of which 4 is sixel */
        answer->complete = true;
        answer->sixel |= strstr(text, ";4;") || strstr(text, ";4c");
    } else if (final == 'S' && /* CSI ? 2 ; 0 ; width ; height S */
               sscanf(text + 3, "2;0;%5d;%5d", &width, &height) == 2) {
        answer->sixel_width = width;
        answer->sixel_height = height;
    }
    return final == 'c' || final == 'S' || final == 'y';
}

/* How each kind of answer begins. */
enum kind { KIND_KITTY, KIND_GROUND, KIND_SETTINGS, KIND_REFUSAL, KIND_CONTROL, KINDS };
static const char *const beginnings[KINDS] = {"\033_G", "\033]11;", "\033P1$r", "\033P0$r",
                                              "\033["};

size_t ask_parse(const char *bytes, size_t length, struct ask_answer *answer)
{
    char text[ASK_LONGEST + 1]; /* ends in NUL, which no answer holds */
    bool part = false;          /* there are too few bytes to say */
    enum kind kind = 0;
    for (; kind < KINDS; kind++) {
        const size_t size = strlen(beginnings[kind]);
        const bool begins = memcmp(bytes, beginnings[kind], length < size ? length : size) == 0;
        if (begins && length >= size)
            break;
        part |= begins;
    }
    if (kind == KINDS)
        return part ? ASK_PART : 0;
    size_t most = length < ASK_LONGEST ? length : ASK_LONGEST, start = strlen(beginnings[kind]);
    const size_t end = end_of(bytes, most, start, kind == KIND_CONTROL);
    if (end == ASK_PART)
        return most < ASK_LONGEST ? ASK_PART : 0;
    if (end == 0)
        return 0;
    memcpy(text, bytes, end);
    text[end] = '\0';
    if (kind == KIND_CONTROL)
        return take_control(text, end, answer) ? end : 0;
    char red[5], green[5], blue[5];
    if (kind == KIND_GROUND && /* rgb:red/green/blue, or rgba:red/green/blue/alpha */
        sscanf(text + start, "%*[rgba]:" HEX "/" HEX "/" HEX, red, green, blue) == 3) {
        answer->ground_known = true;
        answer->ground = (struct rgb){component_of(red), component_of(green), component_of(blue)};
    }
    for (char *at = text; kind == KIND_SETTINGS && *at; at++)
        *at = *at == ';' ? ':' : *at;
    /* DCS 1 $ r, what is set, m: 38:2::red:green:blue, 38:2:red:… or, as it was sent, 38;2;red;… */
    if (kind == KIND_SETTINGS)
        answer->direct |= strstr(text, ":" OWN_COLOR "m") || strstr(text, ":" OWN_COLOR ":");
    else if (strncmp(text, "\033_Gi=31;OK", 10) == 0)
        answer->kitty = true;
    else if (strncmp(text, "\033_Gi=32;OK", 10) == 0)
        answer->shared = true;
    return end;
}

bool ask_ground(const struct ask_answer *answer, const char *colorfgbg, struct rgb *ground)
{
    char *end;
    *ground = answer->ground;
    if (answer->ground_known)
        return true;
    const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
    if (!last || last[1] < '0' || last[1] > '9')
        return false;
    long number = strtol(last + 1, &end, 10);
    if (*end || number > 15)
        return false;
    bool light = number == 7 || number > 8; /* 8 is a dark grey */
    *ground = light ? (struct rgb){255, 255, 255} : (struct rgb){0, 0, 0};
    return true;
}

/* ---- Asking ---- */

/* Without echo, and every byte at once. */
static bool set_raw(struct probe *probe)
{
    struct termios raw = probe->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_iflag &= ~(tcflag_t)ICRNL;
    raw.c_cc[VMIN] = raw.c_cc[VTIME] = 0;
    return tcsetattr(probe->input, TCSANOW, &raw) == 0;
}

bool ask_begin(struct probe *probe, int output, int input, unsigned questions)
{
    char text[512];
    struct winsize size;
    bool kitty = questions & ASK_KITTY, aside = questions & (ASK_KITTY | ASK_COLOR);
    *probe = (struct probe){.input = input};
    if (input >= FD_SETSIZE || tcgetattr(input, &probe->before) != 0 || !set_raw(probe))
        return false;
    probe->asking = true;
    /* what the kernel knows needs no answer, and is right even behind a multiplexer */
    if (ioctl(output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0 &&
        size.ws_xpixel >= size.ws_col && size.ws_ypixel >= size.ws_row) {
        probe->answer.cell_width = size.ws_xpixel / size.ws_col;
        probe->answer.cell_height = size.ws_ypixel / size.ws_row;
    }
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", aside ? SEND_ASIDE : "",
             kitty ? SEND_KITTY : "", kitty && questions & ASK_SHARED ? pixels_ask_shared() : "",
             questions & ASK_COLOR ? SEND_COLOR : "", aside ? SEND_BACK : "",
             questions & ASK_PICTURES ? SEND_PICTURES : "",
             questions & ASK_GROUND ? SEND_GROUND : "", SEND_ATTRIBUTES);
    if (!restore_write(output, text))
        ask_end(probe);
    return probe->asking;
}

void ask_read(struct probe *probe)
{
    size_t space = sizeof probe->typed - probe->length;
    ssize_t got = space > 0 ? read(probe->input, probe->typed + probe->length, space) : 0;
    if (got <= 0) { /* no room, or the terminal has gone */
        ask_end(probe);
        return;
    }
    probe->length += (size_t)got;
    /* the answers are taken out of what was read */
    while (probe->seen < probe->length) {
        char *at = probe->typed + probe->seen;
        size_t left = probe->length - probe->seen, taken = ask_parse(at, left, &probe->answer);
        if (taken == ASK_PART)
            return;
        if (taken == 0) {
            probe->seen++;
        } else {
            memmove(at, at + taken, left - taken);
            probe->length -= taken;
        }
    }
}

void ask_wait(struct probe *probe, double milliseconds)
{
    const double end = clock_milliseconds() + milliseconds;
    while (probe->asking && !probe->answer.complete) {
        double left = end - clock_milliseconds();
        if (left <= 0 || restore_signal() != 0 || restore_wait(probe->input, -1, left) <= 0)
            return;
        ask_read(probe);
    }
}

void ask_end(struct probe *probe)
{
    if (probe->asking)
        tcsetattr(probe->input, TCSANOW, &probe->before);
    probe->asking = false;
}

void ask_drain(struct probe *probe, double milliseconds)
{
    if (milliseconds <= 0 || probe->answer.complete || !set_raw(probe))
        return;
    probe->asking = true;
    probe->length = probe->seen = 0;
    ask_wait(probe, milliseconds);
    ask_end(probe);
}
