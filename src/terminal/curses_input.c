/* curses_input.c: keys, clicks and pasted text. Sequences that curses does not know are read here,
 * and late answers of the terminal are told from keys. */
#include "headlight/terminal/curses_parts.h"

#include "headlight/base/watch.h"
#include "headlight/view/actions.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <string.h>
#include <utf8proc.h>

/* If the mark after a paste never comes, or the end of a mouse's report, it ends after this long
 * without a character. Otherwise all further keys would be swallowed. */
#define PATIENCE  1000 /* milliseconds */
#define PASTE_MAX ((size_t)1 << 20)

/* Our own codes, above those of curses. */
enum {
    KEY_PASTE_BEGIN = KEY_MAX + 101,
    KEY_PASTE_END,
    KEY_WORD_LEFT,
    KEY_WORD_RIGHT,
    KEY_NO_CHARACTER,
    KEY_REPORT,       /* of the mouse, in SGR's form: b;x;yM, or m where a button is released */
    KEY_REPORT_BYTES, /* in X10's form: three bytes */
    KEY_NUMBERED,     /* and more */
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
    define_key("\033\033[D", KEY_WORD_LEFT); /* rxvt's Alt-Left */
    define_key("\033\033[C", KEY_WORD_RIGHT);
    define_key("\033[1;5C", KEY_WORD_RIGHT);
    define_key("\033[1;3C", KEY_WORD_RIGHT);
    define_key("\033Oc", KEY_WORD_RIGHT);
    /* A terminal sends its cursor keys in one of two forms, by a mode that whatever is between (a
     * multiplexer, a serial line) may have switched; its entry knows one of them. */
    static const struct {
        char letter;
        int key;
    } keys[] = {{'A', KEY_UP},   {'B', KEY_DOWN}, {'C', KEY_RIGHT},
                {'D', KEY_LEFT}, {'F', KEY_END},  {'H', KEY_HOME}};
    for (size_t i = 0; i < 2 * LENGTH(keys); i++) {
        char sequence[] = {'\033', i % 2 ? '[' : 'O', keys[i / 2].letter, '\0'};
        if (key_defined(sequence) == 0)
            define_key(sequence, keys[i / 2].key);
    }
    /* A VT220 and many terminals after it number their keys. A key that the terminal's entry
     * doesn't name (Help in screen's, for example) is still one key, and not the characters of its
     * sequence. */
    char sequence[8];
    for (int number = 1; number <= 34; number++) {
        snprintf(sequence, sizeof sequence, "\033[%d~", number);
        if (key_defined(sequence) == 0)
            define_key(sequence, KEY_NUMBERED + number);
    }
    if (btowc(0xC3) == WEOF && MB_CUR_MAX == 1)
        reader->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return true;
}

/* The two beginnings of reports, where curses would wait for the rest with a read that blocks. */
void curses_input_take_mouse(void)
{
    if (key_defined("\033[<") == KEY_MOUSE)
        define_key("\033[<", KEY_REPORT);
    if (key_defined("\033[M") == KEY_MOUSE)
        define_key("\033[M", KEY_REPORT_BYTES);
}

void curses_input_free(struct curses_reader *reader)
{
    if (reader->keys)
        delwin(reader->keys);
    if (reader->utf8)
        freelocale(reader->utf8);
    free(reader->text);
}

static struct curses_input key_input(uint32_t key)
{
    return (struct curses_input){.event = CURSES_KEY, .key = key};
}

/* ---- Bytes ---- */

/* The next key, or else byte, of those typed before curses began, or of curses. */
static int next_byte(struct curses_reader *reader)
{
    const char *typed = reader->typed;
    char sequence[16] = "\033";
    int key = 0;
    size_t length = 0;
    if (reader->typed_length == 0)
        return wgetch(reader->keys);
    while (*typed == '\033' && key <= 0 && ++length < reader->typed_length &&
           length < sizeof sequence - 1) {
        sequence[length] = typed[length];
        key = key_defined(sequence);
    }
    length = key > 0 ? length + 1 : 1;
    reader->typed += length;
    reader->typed_length -= length;
    return key > 0 ? key : (unsigned char)*typed;
}

/* ---- Characters ---- */

/* The next key of curses (KEY_CODE_YES) or character (OK), or ERR if nothing is waiting. Characters
 * are put together here because get_wch forgets the bytes of one whose end hasn't come yet. Bytes
 * that aren't a character are a key without a name. In an ASCII locale other bytes are read as
 * UTF-8, which a terminal may send in any locale. */
static int decode(struct curses_reader *reader, wint_t *code)
{
    for (;;) {
        bool typed = reader->typed_length > 0;
        int got = next_byte(reader);
        wchar_t wide;
        if (got == ERR)
            return ERR;
        if (got > UCHAR_MAX) {
            reader->partial = (mbstate_t){0};
            *code = (wint_t)got;
            return KEY_CODE_YES;
        }
        bool first = mbsinit(&reader->partial) != 0;
        const char byte = (char)got;
        const locale_t before = reader->utf8 ? uselocale(reader->utf8) : (locale_t)0;
        const size_t length = mbrtowc(&wide, &byte, 1, &reader->partial);
        if (before)
            uselocale(before);
        if (length == (size_t)-1) {
            reader->partial = (mbstate_t){0};
            if (!first && typed) { /* doesn't continue it; perhaps begins another */
                reader->typed--;
                reader->typed_length++;
            } else if (!first) {
                ungetch(got);
            }
            *code = KEY_NO_CHARACTER;
            return KEY_CODE_YES;
        }
        if (length != (size_t)-2) {
            *code = (wint_t)wide;
            return OK;
        }
    }
}

/* What decode returns that many places ahead; all places before must have been looked at already.
 */
static int look_ahead(struct curses_reader *reader, size_t place, wint_t *code)
{
    if (place == reader->code_count) {
        int kind = decode(reader, code);
        if (kind == ERR)
            return ERR;
        reader->codes[reader->code_count++] = (struct curses_code){kind, *code};
    }
    *code = reader->codes[place].code;
    return reader->codes[place].kind;
}

static void drop_codes(struct curses_reader *reader, size_t count)
{
    reader->code_count -= count;
    memmove(reader->codes, reader->codes + count, reader->code_count * sizeof *reader->codes);
}

/* ---- Late answers ---- */

/* The length of the terminal's answer (ask.h) that comes next, 0 for something else, or ASK_PART.
 */
static size_t answer_ahead(struct curses_reader *reader)
{
    char text[ASK_LONGEST] = "\033";
    wint_t code;
    /* it may continue an Esc that came much earlier and was taken for a key */
    const size_t taken = clock_milliseconds() - reader->escaped < ANSWER_PATIENCE &&
                         (look_ahead(reader, 0, &code) != OK || code != KEY_CODE_ESCAPE);
    size_t length = taken, found = ASK_PART;
    while (found == ASK_PART && length < ASK_LONGEST) {
        int kind = look_ahead(reader, length - taken, &code);
        if (kind == ERR) /* Esc alone is a key, and so is a sign that is alone behind it */
            return length > 1 + taken ? ASK_PART : 0;
        if (kind != OK || code > 0x7F)
            return 0;
        text[length++] = (char)code;
        found = ask_parse(text, length, &reader->answer);
    }
    return found > 0 && found != ASK_PART ? found - taken : found;
}

/* Takes answers that come next. True: one of them is incomplete, so nothing can be read yet. What
 * resumes after ANSWER_PATIENCE and is still incomplete wasn't an answer; one that has merely
 * stopped may still go on. */
static bool take_answers(struct curses_reader *reader)
{
    size_t length, before = reader->code_count;
    while ((length = answer_ahead(reader)) != 0 && length != ASK_PART) {
        drop_codes(reader, length);
        reader->since = reader->escaped = 0;
    }
    double now = clock_milliseconds();
    bool late = reader->since > 0 && now - reader->since > ANSWER_PATIENCE;
    if (length == 0 || (late && reader->code_count > before)) {
        reader->since = 0;
        return false;
    }
    if (reader->since <= 0)
        reader->since = now;
    return true;
}

/* ---- Pasting ---- */

static struct curses_input finish(struct curses_reader *reader)
{
    reader->pasting = false;
    return (struct curses_input){.event = CURSES_PASTE,
                                 .key = KEY_CODE_NONE,
                                 .text = reader->text ? reader->text : "",
                                 .length = reader->length};
}

/* Takes one character at a time, as a paste may be endless. */
static struct curses_input read_paste(struct curses_reader *reader)
{
    wint_t code;
    int kind = look_ahead(reader, 0, &code);
    if (kind == ERR)
        return (struct curses_input){.event = CURSES_NOTHING};
    double now = clock_milliseconds();
    bool end = kind == KEY_CODE_YES && code == KEY_PASTE_END;
    if (!end && now - reader->last > PATIENCE)
        return finish(reader);
    drop_codes(reader, 1);
    if (end)
        return finish(reader);
    reader->last = now;
    if (reader->length + 4 > reader->capacity) { /* without memory the rest is left out */
        size_t capacity = reader->capacity > 0 ? 2 * reader->capacity : 256;
        char *text = capacity <= PASTE_MAX ? realloc(reader->text, capacity) : NULL;
        reader->text = text ? text : reader->text;
        reader->capacity = text ? capacity : reader->capacity;
    }
    if (kind != KEY_CODE_YES && utf8proc_codepoint_valid((utf8proc_int32_t)code) &&
        reader->length + 4 <= reader->capacity)
        reader->length += (size_t)utf8proc_encode_char(
            (utf8proc_int32_t)code, (utf8proc_uint8_t *)reader->text + reader->length);
    return (struct curses_input){.event = CURSES_PASSED};
}

/* ---- Mouse ---- */

/* A button by its number in reports. Pressing the first one is a click, moving is pointing; others,
 * and releases, which are button 3, are ignored. */
static struct curses_input mouse_input(unsigned button, int y, int x)
{
    button &= ~0x1CU;                 /* without Shift, Alt and Ctrl */
    if (button == 64 || button == 65) /* the wheel */
        return key_input(button == 64 ? KEY_CODE_UP : KEY_CODE_DOWN);
    if (button == 0)
        return (struct curses_input){.event = CURSES_CLICK, .y = y, .x = x};
    if (button >= 32 && button <= 35) /* moving, with a button held or without one */
        return (struct curses_input){.event = CURSES_HOVER, .y = y, .x = x};
    return (struct curses_input){.event = CURSES_PASSED};
}

/* Takes the next byte of a report; false if it can't be one. A byte of a position may be what the
 * Backspace key sends. */
static bool take_reported(struct curses_reader *reader, int byte, bool *over)
{
    unsigned *number = &reader->reported[reader->report_count];
    if (reader->reporting == KEY_REPORT_BYTES) {
        byte = byte == key_defined("\177") ? 0x7F : byte;
        *number = (unsigned)byte - ' ';
        *over = ++reader->report_count == 3;
        return byte >= ' ' && byte <= UCHAR_MAX;
    }
    if (byte >= '0' && byte <= '9' && *number <= SHRT_MAX)
        *number = 10 * *number + (unsigned)(byte - '0');
    else if (byte == ';' && reader->report_count < 2)
        reader->report_count++;
    else if (byte != 'M' && byte != 'm')
        return false;
    *over = byte == 'M' || byte == 'm';
    reader->reported[0] = byte == 'm' ? 3 : reader->reported[0];
    return true;
}

/* What doesn't belong to the report ends it, and is read next. */
static struct curses_input read_report(struct curses_reader *reader)
{
    const unsigned *numbers = reader->reported; /* button, column, row from 1 */
    for (int got; (got = next_byte(reader)) != ERR;) {
        double now = clock_milliseconds();
        bool over = false;
        if (now - reader->last > PATIENCE || !take_reported(reader, got, &over)) {
            reader->reporting = 0;
            reader->codes[reader->code_count++] =
                (struct curses_code){got < 0x80 ? OK : KEY_CODE_YES, (wint_t)got};
            return (struct curses_input){.event = CURSES_PASSED};
        }
        reader->last = now;
        if (!over)
            continue;
        reader->reporting = 0;
        return mouse_input(numbers[0], (int)numbers[2] - 1, (int)numbers[1] - 1);
    }
    return (struct curses_input){.event = CURSES_NOTHING};
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
        {KEY_FIND, KEY_CODE_HOME}, /* what a VT220 has in the places of Home, End and F1 */
        {KEY_SELECT, KEY_CODE_END},
        {KEY_HELP, KEY_CODE_F1},
        {KEY_NUMBERED + 1, KEY_CODE_HOME},
        {KEY_NUMBERED + 3, KEY_CODE_DELETE},
        {KEY_NUMBERED + 4, KEY_CODE_END},
        {KEY_NUMBERED + 5, KEY_CODE_PAGE_UP},
        {KEY_NUMBERED + 6, KEY_CODE_PAGE_DOWN},
        {KEY_NUMBERED + 11, KEY_CODE_F1},
        {KEY_NUMBERED + 28, KEY_CODE_F1},
        {KEY_ENTER, KEY_CODE_ENTER},
        {KEY_F(1), KEY_CODE_F1},
        {KEY_BACKSPACE, KEY_CODE_BACKSPACE},
        {KEY_DC, KEY_CODE_DELETE},
        {KEY_WORD_LEFT, KEY_CODE_WORD_LEFT},
        {KEY_WORD_RIGHT, KEY_CODE_WORD_RIGHT},
    };
    for (size_t i = 0; i < LENGTH(keys); i++)
        if (keys[i].code == code)
            return keys[i].key;
    return KEY_CODE_NONE;
}

/* Esc alone, or with a key right behind it that key with Alt. What arrives only now doesn't count:
 * it hasn't been checked for being an answer. */
static struct curses_input read_escape(struct curses_reader *reader)
{
    wint_t code, next;
    int kind = reader->code_count > 0 ? look_ahead(reader, 0, &code) : ERR;
    if (kind == ERR || (kind == KEY_CODE_YES && code != KEY_BACKSPACE)) {
        reader->escaped = clock_milliseconds();
        return key_input(KEY_CODE_ESCAPE);
    }
    /* The rest of a key that nobody names: "[", parameters and a last sign, all of which
     * take_answers has looked at, or "O" and a sign. */
    const struct curses_code *codes = reader->codes;
    size_t unnamed = 0, last = 1;
    while (last < reader->code_count && codes[last].code >= ' ' && codes[last].code <= '?')
        last++;
    if (codes[0].code == 'O' && look_ahead(reader, 1, &next) == OK && next > ' ' && next <= '~')
        unnamed = 2;
    else if (codes[0].code == '[' && last < reader->code_count && codes[last].code >= '@' &&
             codes[last].code <= '~')
        unnamed = last + 1;
    drop_codes(reader, unnamed > 0 ? unnamed : 1);
    if (unnamed > 0) /* or its last sign would be a key, and some of them write files */
        return key_input(KEY_CODE_NONE);
    return key_input(kind == KEY_CODE_YES      ? KEY_ALT | KEY_CODE_BACKSPACE
                     : code == KEY_CODE_ESCAPE ? KEY_CODE_ESCAPE
                                               : KEY_ALT | (uint32_t)code);
}

/* Stops and resizes come before keys: what was typed belongs to the screen as it was. Reads only
 * what take_answers has looked at: an answer may begin at any moment. */
struct curses_input curses_read(struct curses *curses)
{
    struct curses_reader *reader = &curses->reader;
    const enum curses_event event = curses_renew(curses);
    if (event != CURSES_KEY)
        return (struct curses_input){.event = event};
    if (reader->pasting)
        return read_paste(reader);
    if (reader->reporting != 0)
        return read_report(reader);
    if (take_answers(reader) || reader->code_count == 0)
        return (struct curses_input){.event = CURSES_NOTHING};
    struct curses_code first = reader->codes[0];
    drop_codes(reader, 1);
    if (first.kind == OK)
        return first.code == KEY_CODE_ESCAPE ? read_escape(reader)
                                             : key_input((uint32_t)first.code);
    switch (first.code) {
    case KEY_RESIZE:
        return (struct curses_input){.event = CURSES_RESIZED};
    case KEY_MOUSE: { /* the Linux console's, which gpm reports */
        MEVENT mouse = {.bstate = 0};
        getmouse(&mouse);
        return mouse_input(mouse.bstate & BUTTON4_PRESSED                       ? 64
                           : mouse.bstate & BUTTON5_PRESSED                     ? 65
                           : mouse.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED) ? 0
                           : mouse.bstate & REPORT_MOUSE_POSITION               ? 35
                                                                                : 3,
                           mouse.y, mouse.x);
    }
    case KEY_REPORT:
    case KEY_REPORT_BYTES:
        reader->reporting = first.code;
        reader->report_count = 0;
        memset(reader->reported, 0, sizeof reader->reported);
        reader->last = clock_milliseconds();
        return read_report(reader);
    case KEY_PASTE_BEGIN:
        reader->pasting = true;
        reader->length = 0;
        reader->last = clock_milliseconds();
        return read_paste(reader);
    default:
        return key_input(key_of_function(first.code));
    }
}
