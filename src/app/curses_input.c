#include "headlight/app/curses_input.h"

#include "headlight/app/actions.h"
#include "headlight/app/clock.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdlib.h>
#include <utf8proc.h>

/* A paste whose second mark doesn't come would swallow every key that follows. */
#define PASTE_PATIENCE 1000 /* milliseconds */
#define PASTE_MAX      ((size_t)1 << 20)

/* Codes of our own, past those of curses. */
enum {
    KEY_PASTE_BEGIN = KEY_MAX + 101,
    KEY_PASTE_END,
    KEY_WORD_LEFT,
    KEY_WORD_RIGHT,
};

void curses_input_prepare(void)
{
    define_key("\033[200~", KEY_PASTE_BEGIN); /* bracketed paste, mode 2004 */
    define_key("\033[201~", KEY_PASTE_END);
    define_key("\033[1;5D", KEY_WORD_LEFT); /* xterm: Ctrl-Left, Alt-Left, and rxvt's Ctrl-Left */
    define_key("\033[1;3D", KEY_WORD_LEFT);
    define_key("\033Od", KEY_WORD_LEFT);
    define_key("\033[1;5C", KEY_WORD_RIGHT);
    define_key("\033[1;3C", KEY_WORD_RIGHT);
    define_key("\033Oc", KEY_WORD_RIGHT);
}

static struct curses_input key_input(uint32_t key)
{
    return (struct curses_input){.event = CURSES_KEY, .key = key};
}

/* ---- Pasting ---- */

static void append(struct curses_paste *paste, uint32_t code)
{
    if (paste->length + 4 > paste->capacity) {
        size_t capacity = paste->capacity > 0 ? 2 * paste->capacity : 256;
        char *text = capacity <= PASTE_MAX ? realloc(paste->text, capacity) : NULL;
        if (!text)
            return;
        paste->text = text;
        paste->capacity = capacity;
    }
    if (utf8proc_codepoint_valid((utf8proc_int32_t)code))
        paste->length += (size_t)utf8proc_encode_char(
            (utf8proc_int32_t)code, (utf8proc_uint8_t *)paste->text + paste->length);
}

static struct curses_input finish(struct curses_paste *paste)
{
    paste->open = false;
    return (struct curses_input){.event = CURSES_PASTE,
                                 .key = KEY_CODE_NONE,
                                 .text = paste->text ? paste->text : "",
                                 .length = paste->length};
}

/* Takes what waits; CURSES_NOTHING until the second mark has come. */
static struct curses_input read_paste(struct curses_paste *paste)
{
    wint_t code;
    for (;;) {
        int kind = get_wch(&code);
        if (kind == ERR)
            return (struct curses_input){.event = CURSES_NOTHING};
        if (kind == KEY_CODE_YES && code == KEY_PASTE_END)
            return finish(paste);
        double now = clock_milliseconds();
        if (now - paste->last > PASTE_PATIENCE) {
            if (kind == KEY_CODE_YES)
                ungetch((int)code);
            else
                unget_wch((wchar_t)code);
            return finish(paste);
        }
        paste->last = now;
        if (kind != KEY_CODE_YES)
            append(paste, (uint32_t)code);
    }
}

static struct curses_input begin_paste(struct curses_paste *paste)
{
    paste->open = true;
    paste->length = 0;
    paste->last = clock_milliseconds();
    return read_paste(paste);
}

/* ---- Keys ---- */

static uint32_t key_of_function(wint_t code)
{
    static const struct {
        wint_t code;
        uint32_t key;
    } keys[] = {
        {KEY_UP, KEY_CODE_UP},
        {KEY_DOWN, KEY_CODE_DOWN},
        {KEY_LEFT, KEY_CODE_LEFT},
        {KEY_RIGHT, KEY_CODE_RIGHT},
        {KEY_HOME, KEY_CODE_HOME},
        {KEY_END, KEY_CODE_END},
        {KEY_PPAGE, KEY_CODE_PAGE_UP},
        {KEY_NPAGE, KEY_CODE_PAGE_DOWN},
        {KEY_BTAB, KEY_CODE_BACK_TAB},
        {KEY_ENTER, KEY_CODE_ENTER},
        {KEY_F(1), KEY_CODE_F1},
        {KEY_BACKSPACE, KEY_CODE_BACKSPACE},
        {KEY_DC, KEY_CODE_DELETE},
        {KEY_WORD_LEFT, KEY_CODE_WORD_LEFT},
        {KEY_WORD_RIGHT, KEY_CODE_WORD_RIGHT},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].code == code)
            return keys[i].key;
    return KEY_CODE_NONE;
}

/* The press of the first button is a click; other buttons and releases are nothing. */
static struct curses_input read_mouse(void)
{
    MEVENT mouse;
    struct curses_input input = {.event = CURSES_KEY, .key = KEY_CODE_NONE};
    if (getmouse(&mouse) != OK)
        return input;
    if (mouse.bstate & BUTTON4_PRESSED)
        input.key = KEY_CODE_UP;
    else if (mouse.bstate & BUTTON5_PRESSED)
        input.key = KEY_CODE_DOWN;
    else if (mouse.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
        return (struct curses_input){.event = CURSES_CLICK, .y = mouse.y, .x = mouse.x};
    else if (mouse.bstate & REPORT_MOUSE_POSITION)
        return (struct curses_input){.event = CURSES_HOVER, .y = mouse.y, .x = mouse.x};
    return input;
}

/* Esc, or with a key right behind it that key with Alt. */
static struct curses_input read_escape(void)
{
    wint_t code;
    int kind = get_wch(&code);
    if (kind == ERR)
        return key_input(KEY_CODE_ESCAPE);
    if (kind != KEY_CODE_YES)
        return key_input(code == KEY_CODE_ESCAPE ? KEY_CODE_ESCAPE : KEY_ALT | (uint32_t)code);
    if (code == KEY_BACKSPACE)
        return key_input(KEY_ALT | KEY_CODE_BACKSPACE);
    ungetch((int)code);
    return key_input(KEY_CODE_ESCAPE);
}

struct curses_input curses_input_read(struct curses_paste *paste)
{
    wint_t code;
    if (paste->open)
        return read_paste(paste);
    switch (get_wch(&code)) {
    case ERR:
        return (struct curses_input){.event = CURSES_NOTHING};
    case KEY_CODE_YES:
        if (code == KEY_RESIZE)
            return (struct curses_input){.event = CURSES_RESIZED};
        if (code == KEY_MOUSE)
            return read_mouse();
        if (code == KEY_PASTE_BEGIN)
            return begin_paste(paste);
        return key_input(key_of_function(code));
    default:
        return code == KEY_CODE_ESCAPE ? read_escape() : key_input((uint32_t)code);
    }
}
