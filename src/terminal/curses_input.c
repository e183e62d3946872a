#include "headlight/terminal/curses_input.h"

#include "headlight/base/watch.h"
#include "headlight/view/actions.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <limits.h>
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
    KEY_NO_CHARACTER,
};

bool curses_input_prepare(struct curses_reader *reader)
{
    reader->keys = newpad(1, 1);
    if (!reader->keys)
        return false;
    nodelay(reader->keys, TRUE);
    keypad(reader->keys, TRUE);
    define_key("\033[200~", KEY_PASTE_BEGIN); /* bracketed paste, mode 2004 */
    define_key("\033[201~", KEY_PASTE_END);
    define_key("\033[1;5D", KEY_WORD_LEFT); /* xterm: Ctrl-Left, Alt-Left, and rxvt's Ctrl-Left */
    define_key("\033[1;3D", KEY_WORD_LEFT);
    define_key("\033Od", KEY_WORD_LEFT);
    define_key("\033[1;5C", KEY_WORD_RIGHT);
    define_key("\033[1;3C", KEY_WORD_RIGHT);
    define_key("\033Oc", KEY_WORD_RIGHT);
    return true;
}

void curses_input_free(struct curses_reader *reader)
{
    if (reader->keys)
        delwin(reader->keys);
    free(reader->text);
}

static struct curses_input key_input(uint32_t key)
{
    return (struct curses_input){.event = CURSES_KEY, .key = key};
}

/* ---- Characters ---- */

/* The next key of curses (KEY_CODE_YES) or character (OK), or ERR: nothing more waits. Bytes are
 * put together here because get_wch forgets those of a character whose end has not come yet. Bytes
 * that are no character are a key without a name. */
static int read_code(struct curses_reader *reader, wint_t *code)
{
    if (reader->held) {
        reader->held = false;
        *code = reader->held_code;
        return reader->held_kind;
    }
    for (;;) {
        int got = wgetch(reader->keys);
        char byte = (char)got;
        wchar_t wide;
        if (got == ERR)
            return ERR;
        if (got > UCHAR_MAX) {
            reader->partial = (mbstate_t){0};
            *code = (wint_t)got;
            return KEY_CODE_YES;
        }
        bool first = mbsinit(&reader->partial) != 0;
        size_t length = mbrtowc(&wide, &byte, 1, &reader->partial);
        if (length == (size_t)-1) {
            reader->partial = (mbstate_t){0};
            if (!first)
                ungetch(got); /* doesn't continue it; perhaps begins another */
            *code = KEY_NO_CHARACTER;
            return KEY_CODE_YES;
        }
        if (length != (size_t)-2) {
            *code = (wint_t)wide;
            return OK;
        }
    }
}

/* Gives back what was read last. */
static void hold_code(struct curses_reader *reader, int kind, wint_t code)
{
    reader->held = true;
    reader->held_kind = kind;
    reader->held_code = code;
}

/* ---- Pasting ---- */

static void append(struct curses_reader *reader, uint32_t code)
{
    if (reader->length + 4 > reader->capacity) {
        size_t capacity = reader->capacity > 0 ? 2 * reader->capacity : 256;
        char *text = capacity <= PASTE_MAX ? realloc(reader->text, capacity) : NULL;
        if (!text)
            return;
        reader->text = text;
        reader->capacity = capacity;
    }
    if (utf8proc_codepoint_valid((utf8proc_int32_t)code))
        reader->length += (size_t)utf8proc_encode_char(
            (utf8proc_int32_t)code, (utf8proc_uint8_t *)reader->text + reader->length);
}

static struct curses_input finish(struct curses_reader *reader)
{
    reader->pasting = false;
    return (struct curses_input){.event = CURSES_PASTE,
                                 .key = KEY_CODE_NONE,
                                 .text = reader->text ? reader->text : "",
                                 .length = reader->length};
}

/* Takes one character: what is pasted may have no end. */
static struct curses_input read_paste(struct curses_reader *reader)
{
    wint_t code;
    int kind = read_code(reader, &code);
    if (kind == ERR)
        return (struct curses_input){.event = CURSES_NOTHING};
    if (kind == KEY_CODE_YES && code == KEY_PASTE_END)
        return finish(reader);
    double now = clock_milliseconds();
    if (now - reader->last > PASTE_PATIENCE) {
        hold_code(reader, kind, code);
        return finish(reader);
    }
    reader->last = now;
    if (kind != KEY_CODE_YES)
        append(reader, (uint32_t)code);
    return (struct curses_input){.event = CURSES_PASTING};
}

static struct curses_input begin_paste(struct curses_reader *reader)
{
    reader->pasting = true;
    reader->length = 0;
    reader->last = clock_milliseconds();
    return read_paste(reader);
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

/* Pressing the first button is a click; other buttons, and releases, are ignored. */
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
static struct curses_input read_escape(struct curses_reader *reader)
{
    wint_t code;
    int kind = read_code(reader, &code);
    if (kind == ERR)
        return key_input(KEY_CODE_ESCAPE);
    if (kind != KEY_CODE_YES)
        return key_input(code == KEY_CODE_ESCAPE ? KEY_CODE_ESCAPE : KEY_ALT | (uint32_t)code);
    if (code == KEY_BACKSPACE)
        return key_input(KEY_ALT | KEY_CODE_BACKSPACE);
    hold_code(reader, kind, code);
    return key_input(KEY_CODE_ESCAPE);
}

struct curses_input curses_input_read(struct curses_reader *reader)
{
    wint_t code;
    if (reader->pasting)
        return read_paste(reader);
    switch (read_code(reader, &code)) {
    case ERR:
        return (struct curses_input){.event = CURSES_NOTHING};
    case KEY_CODE_YES:
        if (code == KEY_RESIZE)
            return (struct curses_input){.event = CURSES_RESIZED};
        if (code == KEY_MOUSE)
            return read_mouse();
        if (code == KEY_PASTE_BEGIN)
            return begin_paste(reader);
        return key_input(key_of_function(code));
    default:
        return code == KEY_CODE_ESCAPE ? read_escape(reader) : key_input((uint32_t)code);
    }
}
