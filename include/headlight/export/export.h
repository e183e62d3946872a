/* export.h: a session as a file, in one of the formats of a table.
 *
 *     struct output output = {.session = &session, .columns = 120, .rows = 40};
 *     export_file(&output, FORMAT_SVG, "a.svg", &error);
 *
 * JSON: one line, an object. assets/schema/headlight.schema.json, which export_write_schema writes,
 * tells its members, and assets/docs/numbers.md in words. Numbers read back as the same floats; a
 * masked score (-inf) is null, as is whatever a recording lacks. Logarithms are natural.
 *
 * "answers" lists what the model says, each a row with its "kind" (lens/answer_rows.h); where there
 * is nothing to say, it is empty and "silent" tells why. Lens needs a model with a
 * head for words, effects any answer (STATUS_UNSUPPORTED) and, if it is of a token, a chosen one
 * (STATUS_USAGE), and --ask something that the model can say (STATUS_USAGE).
 *
 * CSV: what the open view shows (view/table.h), under a row of names; the first column says what
 * kind of row it is. Tokens have their number and piece, as in JSON, and their name on screen
 * (labels.h); \u{…} stands for invisible characters (format.h), and for the first sign of what a
 * spreadsheet would take for a formula. STATUS_UNSUPPORTED where the view has nothing to write.
 *
 * Trace: a safetensors file with the trace's tensors (trace.h names them), F32 and, for ids and
 * segments, I64; its metadata have model, family, changes, the divisor of scores, and, as JSON
 * texts, tokens, their labels if these differ, texts and, if no tensor has them, segments.
 * recording.h reads it back.
 *
 * Page: HTML with all heads, for a browser (page.h).
 *
 * List: the lines that the head view draws, in words, "cat → sat 0.510", token by token, under a
 * heading. */
#pragma once

#include "headlight/base/writer.h"
#include "headlight/session/session.h"

struct player;

/* ---- A picture ----
 *
 * The same canvas gives the same bytes. */

/* The pixels of a cell. */
#define CELL_WIDTH  10
#define CELL_HEIGHT 20

/* A fact about a picture; it may be any text, and is escaped. */
struct snapshot_fact {
    const char *name, *value;
};

/* Everything is borrowed. Text formats leave out title and facts; the depth is for ANSI. */
struct snapshot {
    const struct canvas *canvas;
    const struct theme *theme;
    enum depth depth;
    const struct paper *paper; /* NULL: a screen */
    const char *title;
    const struct snapshot_fact *facts;
    size_t fact_count;
};

/* Chooses an answer by its name, as a key does on screen; a span, which can't be, is left to
 * export_json. STATUS_USAGE and STATUS_UNSUPPORTED as above. */
enum status export_ask(struct session *session, const char *answer, struct error *error);

/* ---- Formats ---- */

/* The formats. A new one takes a row here, and a file with the function that the row names.
 *
 * NUMBERS have an option of their own: code, name of the option, function, needs. A PICTURE
 * is chosen by the ending of --snapshot's file: code, ending, function, needs. A list has neither:
 * it is what the program writes where nothing else is asked for. */
#define FORMATS(NUMBERS, PICTURE)                                                                  \
    NUMBERS(CSV, "csv", export_csv, FORMAT_SHOWN)                                                  \
    NUMBERS(JSON, "json", export_json, FORMAT_INCLUDES | FORMAT_LOGITS)                            \
    NUMBERS(TRACE, "trace", export_trace, FORMAT_LOGITS | FORMAT_BINARY)                           \
    NUMBERS(PAGE, "html", export_page, FORMAT_SHOWN)                                               \
    PICTURE(TXT, ".txt", snapshot_txt, FORMAT_COLORLESS)                                           \
    PICTURE(ANSI, ".ansi", snapshot_ansi, 0)                                                       \
    PICTURE(SVG, ".svg", snapshot_svg, FORMAT_CURVES)                                              \
    NUMBERS(LIST, "list", export_plain, 0)

#define FORMAT(code, ...) FORMAT_##code,
enum format { FORMATS(FORMAT, FORMAT) FORMAT_COUNT };
#undef FORMAT

/* What a format needs, and its properties. */
enum {
    FORMAT_LOGITS = 1,   /* the pass computes the heads that predict */
    FORMAT_INCLUDES = 2, /* --include adds to it */
    FORMAT_BINARY = 4,   /* not for a terminal */
    FORMAT_COLORLESS = 8,
    FORMAT_NUMBERS = 16, /* these two are added by the kind of row */
    FORMAT_PICTURE = 32,
    FORMAT_CURVES = 64, /* lines are curves, not dots */
    FORMAT_SHOWN = 128, /* what is on screen, as pictures are */
};

/* What --include adds. */
enum {
    INCLUDE_QUERY = 1,
    INCLUDE_KEY = 2,
    INCLUDE_VALUE = 4,
    INCLUDE_SCORES = 8,
    INCLUDE_HIDDEN = 16, /* embedding [T,E], and each layer's context, attention_output, output */
    INCLUDE_WEIGHTS = 32,
    INCLUDE_ALL = 63,        /* the tensors of the pass: these six */
    INCLUDE_LENS = 64,       /* what each layer would predict at each token (logit_lens.h) */
    INCLUDE_MAPS = 256,      /* norms, rollout, similarity and plain, of all layers (map.h) */
    INCLUDE_EFFECTS = 128,   /* of each head on the prediction at the chosen token (effects.h) */
    INCLUDE_METRICS = 512,   /* what each head mostly does on this text (metrics.h) */
    INCLUDE_WORDS = 1024,    /* of each word on the answer (effects.h) */
    INCLUDE_CONTACTS = 2048, /* of the maps this one */
};

/* To which one alone of each kind tensors are narrowed. */
enum narrowed { NARROWED_LAYER, NARROWED_HEAD, NARROWED_TOKEN, NARROWED_COUNT };

/* For a paper (--bare): the view alone, in type of one size. In points. */
struct paper {
    double width, font_size;
    const char *font; /* NULL: those that are as wide as a cell */
};

/* The theme of a paper, where no other was chosen. */
#define PAPER_THEME "light"

/* The pixels of type in a picture whose cells have CELL_WIDTH. DejaVu Sans Mono and Menlo advance
 * by 0.602 of it, a cell. This keeps columns aligned in programs that ignore textLength
 * (rsvg-convert). */
#define PAPER_FONT 16.61

/* What to write: a session whose trace is computed, and how. */
struct output {
    struct session *session;
    unsigned include;
    const char *answer;  /* to ask for, which effects are on; NULL: the likeliest one */
    const char *members; /* of the JSON, that stand before all others: "id":"a"; or NULL */
    bool narrowed[NARROWED_COUNT]; /* the JSON's tensors, to what is chosen */
    size_t top;                    /* likeliest pieces listed at a token; 0: a few */
    const char *layers;            /* those that go into a page, as a list; NULL: all */
    bool drawn_heads;              /* only the heads that are drawn go into it, */
    struct player *player; /* and each step of this one's lesson; NULL: the session's text */
    int columns, rows;     /* from here on: of a picture */
    bool ascii;
    enum depth depth;
    enum lines_wish lines;
    const struct paper *paper; /* NULL: a screen of that size */
};

extern const struct format_info {
    const char *name; /* "json", or of a picture ".svg" */
    unsigned needs;
    /* One of these by kind, the other is NULL. The stream's owner checks for its errors. */
    enum status (*write)(const struct output *output, FILE *stream, struct error *error);
    void (*draw)(const struct snapshot *snapshot, FILE *stream);
} formats[FORMAT_COUNT];

/* The picture format for a file name's ending; false for other endings. */
bool format_of_picture(const char *path, enum format *format);

/* The words of --include, up to NULL, and the bits that each of them adds. */
extern const char *const include_words[];
extern const unsigned include_bits[];

/* A line of the links of words by a head of cross-attention, "0-0 2-1" (Pharaoh's format), for a
 * source and a target that were given. Words are what blanks separate. STATUS_MEMORY. */
enum status export_links(struct session *session, size_t layer, size_t head, FILE *stream,
                         struct error *error);

/* The JSON Schema (2020-12) of what FORMAT_JSON writes. */
void export_write_schema(FILE *stream);

/* Writes a file whole or not at all; "-" is standard output. A picture leaves out what depends on
 * the machine's speed, and has no colours where the depth is DEPTH_MONO. STATUS_IO, STATUS_MEMORY.
 */
enum status export_file(const struct output *output, enum format format, const char *path,
                        struct error *error);

/* Writes the screen as headlight-N.svg, or a page of the session as headlight-N.html, to the
 * working folder, N the first number that is free; the session's message says which, or why not. */
void export_screen(struct session *session, enum format format, int columns, int rows);

/* Hands `draw` the session as a picture: a figure for a paper where the output has one, else the
 * screen; needs are the format's (FORMAT_CURVES, …). STATUS_USAGE: the view makes no figure, or is
 * wider than the paper; STATUS_MEMORY. */
enum status export_picture(const struct output *output, unsigned needs,
                           void (*draw)(const struct snapshot *snapshot, FILE *stream),
                           FILE *stream, struct error *error);

#define NUMBERS(code, name, write, needs)                                                          \
    enum status write(const struct output *output, FILE *stream, struct error *error);
#define PICTURE(code, ending, draw, needs) void draw(const struct snapshot *snapshot, FILE *stream);
FORMATS(NUMBERS, PICTURE)
#undef NUMBERS
#undef PICTURE

/* A row with SGR sequences of the snapshot's depth, and a reset at its end. */
void snapshot_ansi_row(const struct snapshot *snapshot, int y, FILE *stream);

/* Draws the screen as for a file: without what depends on the machine's speed and on the mouse. */
enum status export_draw(struct session *session, struct canvas *canvas, struct error *error);

/* ---- What pictures and pages share ---- */

/* The svg element: text as text; dots, blocks and frames as shapes; no scripts. If `alone`, it has
 * its facts as metadata too, which otherwise are in the page's head. */
void snapshot_write_picture(const struct snapshot *snapshot, bool alone, FILE *stream);

/* Escapes any text for an element or a double-quoted attribute, in XML and HTML, without control
 * characters and noncharacters, as on the screen. Unlike a cell, it keeps a zero-width joiner
 * between two letters or emoji; other joiners become \u{200d}. */
void snapshot_write_text(FILE *stream, const char *text);

/* The same between two pieces of markup. */
void snapshot_write_between(FILE *stream, const char *before, const char *text, const char *after);

/* A text, then an ink as #rrggbb. */
void snapshot_write_color(FILE *stream, const char *before, const struct theme *theme,
                          struct ink ink);
