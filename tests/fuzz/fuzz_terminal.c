/* What a terminal sends: keys, clicks, pastes, and its answers (ask.h) before and between them. The
 * first byte chooses the size of the screen, a NUL parts what is there at once from what comes
 * later. The first part was typed before curses began. */
#include "fuzz.h"

#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/terminal/curses_parts.h"
#include "headlight/terminal/pixels.h"
#include "headlight/text/unicode.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>
#undef border
#undef columns

/* ---- The terminal: curses on a pipe and /dev/null ---- */

static struct curses *terminal;
static int keyboard; /* the end of the pipe that is typed at */
static FILE *output, *input;

static void close_terminal(void)
{
    curses_close(terminal);
    fclose(output);
    fclose(input);
    close(keyboard);
}

static void open_terminal(void)
{
    /* so that no entry is derived from what curses wrote, which MemorySanitizer didn't see */
    const struct curses_wish wish = {.color = COLOR_16};
    struct error error;
    int ends[2];
    promise(pipe(ends) == 0);
    /* so that it can be emptied */
    promise(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    keyboard = ends[1];
    output = fopen("/dev/null", "w");
    input = fdopen(ends[0], "r");
    promise(output && input);
    promise(curses_open(&terminal, "xterm-256color", output, input, &wish, &error) == STATUS_OK);
    set_escdelay(0);  /* what belongs together is there together */
    meta(NULL, TRUE); /* bytes have eight bits, as on a terminal that says so */
    atexit(close_terminal);
}

/* As after curses_open. */
static void forget_input(void)
{
    struct curses_reader *reader = &terminal->reader;
    free(reader->text);
    *reader = (struct curses_reader){.keys = reader->keys, .utf8 = reader->utf8};
    flushinp();
    for (char rest[512]; read(fileno(input), rest, sizeof rest) > 0;) {
    }
}

static void send(const char *bytes, size_t length)
{
    promise(write(keyboard, bytes, length) == (ssize_t)length);
}

/* ---- Keys ---- */

struct player {
    struct session session;
    struct canvas *canvas; /* what is pointed at */
    size_t left;           /* bytes that may become an event */
};

static void take(struct player *player, const struct curses_input *event)
{
    unsigned bits = 0;
    struct error error;
    struct hit hit = canvas_hit(player->canvas, event->y, event->x);
    if (event->event == CURSES_KEY)
        bits = input_key(&player->session, event->key);
    else if (event->event == CURSES_PASTE) {
        promise(unicode_valid(event->text, event->length));
        bits = input_paste(&player->session, event->text, event->length);
    } else if (event->event == CURSES_CLICK)
        bits = session_click(&player->session, hit);
    else if (event->event == CURSES_HOVER)
        bits = session_hover(&player->session, hit);
    if (bits & SESSION_PASS && request_settle(&player->session, &error) != STATUS_OK)
        promise(error.message[0] != '\0');
}

/* Each event takes a byte at least. */
static void take_all(struct player *player)
{
    for (;;) {
        struct curses_input event = curses_read(terminal);
        if (event.event == CURSES_NOTHING)
            return;
        promise(player->left-- > 0);
        take(player, &event);
    }
}

/* ---- Answers ---- */

/* Nothing has begun of which an answer could be a part. */
static bool is_between_keys(void)
{
    const struct curses_reader *reader = &terminal->reader;
    return reader->code_count == 0 && !reader->pasting && reader->reporting == 0 &&
           mbsinit(&reader->partial);
}

/* An answer that comes whole between keys is no key. */
static void answer_between(uint8_t which)
{
    static const char *const answers[] = {
        "\033[?62;4c",         "\033_Gi=31;OK\033\\",
        "\033_Gi=32;OK\033\\", "\033]11;rgb:1212/1212/1212\033\\",
        "\033[6;17;8t",        "\033[?2;0;1000;800S",
        "\033]11;rgb:f/0/8\a",
    };
    const char *answer = answers[which % (sizeof answers / sizeof *answers)];
    if (!is_between_keys())
        return;
    send(answer, strlen(answer));
    promise(curses_read(terminal).event == CURSES_NOTHING && is_between_keys());
}

/* Draws by what has been answered so far. */
static void draw_picture(const struct canvas *canvas)
{
    struct picture picture = {.protocol = PICTURE_NONE};
    bool repaint = false;
    picture_open(&picture, curses_answer(terminal));
    promise(picture.protocol == PICTURE_NONE || picture.cell.width > 0);
    if (picture_draw(&picture, canvas, (struct rgb){0, 0, 0}, theme_at(0), &repaint))
        promise(picture_bytes(&picture)[0] == '\033');
    picture_close(&picture);
    pixels_clear_shared();
}

/* ---- All of it ---- */

static void type_before(const char *bytes, size_t length)
{
    static struct probe probe;
    probe.length = length < sizeof probe.typed ? length : sizeof probe.typed;
    memcpy(probe.typed, bytes, probe.length);
    curses_take_over(terminal, &probe);
}

static void play(struct player *player, const char *bytes, size_t size)
{
    const char *end = memchr(bytes, '\0', size);
    size_t length = end ? (size_t)(end - bytes) : size;
    type_before(bytes, length);
    for (;;) {
        take_all(player);
        draw_picture(player->canvas);
        answer_between((uint8_t)length);
        if (!end)
            return;
        size -= length + 1;
        bytes = end + 1;
        end = memchr(bytes, '\0', size);
        length = end ? (size_t)(end - bytes) : size;
        send(bytes, length);
    }
}

void fuzz_terminal(const uint8_t *data, size_t size)
{
    static const struct text texts[] = {{"the cat sat", 11}, {"on the mat", 10}};
    const struct interventions none = {0};
    struct player player = {.left = size};
    struct error error;
    if (size == 0)
        return;
    if (!terminal)
        open_terminal();
    forget_input();
    session_begin(&player.session, fuzz_checkpoint(), true, &none);
    player.session.columns = 80;
    player.session.rows = 24;
    promise(session_open(&player.session, texts, 2, NULL, &error) == STATUS_OK);
    promise(request_settle(&player.session, &error) == STATUS_OK);
    player.canvas = fuzz_canvas(&player.session, data[0]);
    play(&player, (const char *)data + 1, size - 1);
    canvas_free(player.canvas);
    fuzz_draw(&player.session, data[0]);
    session_end(&player.session);
}
