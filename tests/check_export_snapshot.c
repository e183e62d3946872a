/* Screens as files. */
#include "markup_helpers.h"
#include "model_helpers.h"
#include "rows.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/base/file.h"
#include "headlight/export/export.h"
#include "headlight/session/fields.h"
#include "headlight/session/screen.h"
#include "headlight/session/session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct checkpoint checkpoint;
static struct canvas *canvas;
static struct folder folder;
static struct error error;

static const struct snapshot_fact facts[] = {{"model", "tiny"}, {"text A", "R&D <time>"}};
static const struct snapshot tiny = {.title = "a <title>", .facts = facts, .fact_count = 2};

static void begin(void)
{
    folder_make(&folder);
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "time flies like an arrow", NULL);
    session.data.encoded->milliseconds = 0;
    canvas = canvas_new(80, 24, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
    assert_ok(screen_draw(&session, canvas, &error), error);
}

static void end(void)
{
    canvas_free(canvas);
    session_end(&session);
    checkpoint_close(&checkpoint);
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

static void show(const char *view)
{
    const char *const values[FIELD_COUNT] = {[FIELD_VIEW] = view};
    assert_ok(fields_apply(&session, PART_LOOK, values, NULL, &error), error);
}

/* An empty canvas of 12 × 3 cells instead of the session's screen. */
static void begin_small(void)
{
    canvas_free(canvas);
    canvas = canvas_new(12, 3, (struct traits){GLYPHS_BRAILLE, false});
    ck_assert_ptr_nonnull(canvas);
}

/* The canvas as a picture that says `about`. */
static char *save(enum format format, enum depth depth, const struct snapshot *about)
{
    struct snapshot snapshot = *about;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(stream);
    snapshot.canvas = canvas;
    snapshot.theme = theme_at(0);
    snapshot.depth = depth;
    formats[format].draw(&snapshot, stream);
    ck_assert_int_eq(fclose(stream), 0);
    ck_assert_uint_eq(strlen(text), length); /* no NUL */
    return text;
}

static char *snapshot(enum format format)
{
    return save(format, DEPTH_DIRECT, &tiny);
}

/* ---- Names and formats ---- */

TEST(the_ending_says_the_format)
{
    static const struct {
        const char *path;
        enum format format;
    } good[] = {{"a.txt", FORMAT_TXT},
                {"a.ansi", FORMAT_ANSI},
                {"a.svg", FORMAT_SVG},
                {"a.b/c.txt.svg", FORMAT_SVG}};
    static const char *const bad[] = {".svg", "a.html", "a.png", "a.SVG",
                                      "svg",  "a.svg ", "",      "a.json"};
    const struct output output = {.session = &session, .columns = 80, .rows = 24};
    enum format format = FORMAT_COUNT;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert(format_of_picture(good[i].path, &format));
        ck_assert_int_eq(format, good[i].format);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!format_of_picture(bad[i], &format), "%s", bad[i]);
    assert_fails(export_file(&output, FORMAT_SVG, "/nowhere/a.svg", &error), STATUS_IO,
                 "/nowhere/a.svg", error);
}

static char *picture_file(enum format format)
{
    const struct output output = {.session = &session, .columns = 80, .rows = 24};
    char *path = in_folder(&folder, "picture"), *bytes;
    size_t size;
    assert_ok(export_file(&output, format, path, &error), error);
    assert_ok(file_read(path, (size_t)1 << 20, &bytes, &size, &error), error);
    free(path);
    return bytes;
}

/* The same input gives the same bytes, however fast the machine is and wherever its mouse. */
TEST(a_file_has_neither_time_nor_mouse)
{
    char *plain = picture_file(FORMAT_ANSI);
    session.data.encoded->milliseconds = 12.5;
    session.hover = hit_at(HIT(from), 1);
    char *other = picture_file(FORMAT_ANSI);
    ck_assert_msg(strcmp(other, plain) == 0, "the file differs");
    assert_ok(screen_draw(&session, canvas, &error), error);
    char *screen = snapshot(FORMAT_ANSI);
    ck_assert_ptr_nonnull(strstr(screen, "12.5 ms")); /* but the screen has */
    free(plain);
    free(other);
    free(screen);
}

/* A screen has its keys; a figure has no use for them. */
TEST(a_figure_has_no_keys)
{
    char *screen = picture_file(FORMAT_TXT), *figure = picture_file(FORMAT_SVG);
    ck_assert_ptr_nonnull(strstr(screen, "q quit"));
    ck_assert(!strstr(figure, ">quit<") && !strstr(figure, " quit"));
    free(screen);
    free(figure);
}

/* However many pictures there are, each is kept: no number is the last. */
TEST(a_saved_screen_replaces_no_picture)
{
    char here[1024], name[40], *text;
    size_t length;
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder.path), 0);
    folder_write(&folder, "headlight-1.svg", "somebody's", 10);
    for (int i = 2; i <= 10000; i++) {
        snprintf(name, sizeof name, "headlight-%d.svg", i);
        ck_assert_int_eq(link("headlight-1.svg", name), 0);
    }
    for (int i = 1; i <= 2; i++) {
        export_screen(&session, FORMAT_SVG, 80, 24);
        snprintf(name, sizeof name, "headlight-%d.svg", 10000 + i);
        ck_assert_ptr_nonnull(strstr(session.message, name));
        assert_ok(file_read(name, 1 << 24, &text, &length, &error), error);
        assert_has(text, "</svg>");
        free(text);
    }
    for (int i = 1; i <= 10000; i++) {
        struct stat info;
        snprintf(name, sizeof name, "headlight-%d.svg", i);
        ck_assert_int_eq(stat(name, &info), 0);
        ck_assert_int_eq(info.st_size, 10);
        ck_assert_int_eq(unlink(name), 0);
    }
    ck_assert_int_eq(chdir(here), 0);
}

TEST(every_format_shows_the_screen, .times = FORMAT_COUNT)
{
    if (!formats[_i].draw)
        return;
    char *text = snapshot((enum format)_i);
    ck_assert_uint_ge(count_of(text, "arrow"), 2);
    assert_has(text, "[CLS]");
    assert_has(text, "headlight");
    free(text);
}

TEST(the_same_screen_gives_the_same_bytes, .times = FORMAT_COUNT)
{
    if (!formats[_i].draw)
        return;
    char *first = snapshot((enum format)_i);
    assert_ok(screen_draw(&session, canvas, &error), error);
    char *second = snapshot((enum format)_i);
    ck_assert_str_eq(first, second);
    canvas_at(canvas, 0, 0)->text[0] = '@';
    char *third = snapshot((enum format)_i);
    ck_assert_str_ne(first, third);
    free(first);
    free(second);
    free(third);
}

TEST(text_snapshot_is_plain)
{
    char *text = snapshot(FORMAT_TXT);
    ck_assert_uint_eq(count_of(text, "\n"), 24);
    ck_assert_uint_eq(count_of(text, "\033"), 0);
    ck_assert_uint_eq(count_of(text, " \n"), 0);
    free(text);
}

TEST(ansi_snapshot_has_the_asked_colours)
{
    char *direct = save(FORMAT_ANSI, DEPTH_DIRECT, &tiny);
    char *indexed = save(FORMAT_ANSI, DEPTH_256, &tiny);
    char *sixteen = save(FORMAT_ANSI, DEPTH_16, &tiny),
         *mono = save(FORMAT_ANSI, DEPTH_MONO, &tiny);
    ck_assert_uint_gt(count_of(direct, ";38;2;"), 20);
    ck_assert_uint_eq(count_of(direct, ";38;5;"), 0);
    ck_assert_uint_gt(count_of(indexed, ";38;5;"), 20);
    ck_assert_uint_eq(count_of(sixteen, ";38;"), 0);
    ck_assert_uint_gt(count_of(sixteen, ";9"), 5);
    ck_assert_uint_eq(count_of(mono, ";3"), 0);
    ck_assert_uint_gt(count_of(mono, ";7m"), 0);
    ck_assert_uint_eq(count_of(direct, "\033[0m\n"), 24);
    free(direct);
    free(indexed);
    free(sixteen);
    free(mono);
}

/* ---- SVG ---- */

TEST(svg_is_well_formed)
{
    for (int view = 0; view < VIEW_COUNT; view++) {
        show(view_name((enum view_kind)view));
        assert_ok(screen_draw(&session, canvas, &error), error);
        char *svg = snapshot(FORMAT_SVG);
        markup_check(svg);
        markup_check_characters(svg);
        ck_assert_ptr_eq(strstr(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\""), svg);
        assert_has(svg, " role=\"img\" aria-label=\"a &lt;title&gt;\"");
        assert_has(svg, "<title>a &lt;title&gt;</title>");
        assert_has(svg, "<path ");
        ck_assert_str_eq(svg + strlen(svg) - 7, "</svg>\n");
        free(svg);
    }
}

TEST(svg_says_what_it_shows)
{
    char *svg = snapshot(FORMAT_SVG);
    assert_has(svg, "<desc>model: tiny; text A: R&amp;D &lt;time&gt;</desc>");
    assert_has(svg, "<h:fact name=\"model\">tiny</h:fact>");
    assert_has(svg, "<h:fact name=\"text A\">R&amp;D &lt;time&gt;</h:fact>");
    ck_assert_uint_eq(count_of(svg, "<h:fact "), 2);
    free(svg);
}

/* Signs of other fonts stand alone in the middle of their cells, plain text states its length. */
TEST(svg_text_keeps_its_columns)
{
    begin_small();
    canvas_text(canvas, 0, 0, 12, style_of(ROLE_TEXT), "ab\xE6\x97\xB6\xE2\x86\x92 c");
    canvas_text(canvas, 1, 0, 12, style_of(ROLE_TEXT), "x\xD7\xA9\xD7\x9C\x65\xCC\x81y");
    char *svg = snapshot(FORMAT_SVG);
    assert_has(svg,
               "<text x=\"0\" y=\"15\" textLength=\"20\" lengthAdjust=\"spacingAndGlyphs\">ab<");
    assert_has(svg, "<text x=\"30\" y=\"15\" text-anchor=\"middle\">\xE6\x97\xB6<");
    assert_has(svg, "<text x=\"45\" y=\"15\" text-anchor=\"middle\" textLength=\"10\" "
                    "lengthAdjust=\"spacingAndGlyphs\">\xE2\x86\x92<");
    assert_has(svg, "<text x=\"60\" y=\"15\" textLength=\"10\" "
                    "lengthAdjust=\"spacingAndGlyphs\">c<");
    assert_has(svg, ">\xD7\xA9</text>\n<text x=\"25\"");
    assert_has(svg, "<text x=\"35\" y=\"35\" text-anchor=\"middle\" textLength=\"10\" "
                    "lengthAdjust=\"spacingAndGlyphs\">e\xCC\x81<");
    ck_assert_uint_eq(count_of(svg, "<text "), 9);
    free(svg);
}

/* Blocks, shades, frames, marks and dots are shapes: no font has a say in them. */
TEST(svg_signs_are_shapes)
{
    begin_small();
    canvas_text(canvas, 0, 0, 12, style_of(ROLE_TEXT), "█▀▄▌░▒▓▏▉");
    canvas_text(canvas, 1, 0, 12, style_of(ROLE_TEXT), "■□▸▾◂─│┌┐└┘");
    canvas_text(canvas, 2, 0, 12, style_of(ROLE_TEXT), "⠁⣿▁▂▃▅▆▇");
    char *svg = snapshot(FORMAT_SVG);
    assert_lacks(svg, "<text");
    assert_has(svg, "M0 0h4v1h-4zM0 1h2v1h-2zM4 1h3v1h-3zM6 0h1v1h-1z"); /* █▀▄▌ */
    assert_has(svg, "M80 0h8.75v20h-8.75z");
    assert_has(svg, "M20 40m0 17.5h10v2.5h-10z");
    assert_has(svg, "M60 20m4.5 0h1v20h-1z");
    assert_has(svg, "d=\"m0 8h0m2 0h0m0 1h0m0 1h0m1-2h0m0 1h0m0 1h0m-1 1h0m1 0h0\"/>");
    ck_assert_uint_eq(count_of(svg, "<path "), 3 + 3); /* three shades, three layers of one ink */
    free(svg);
}

ROW_TEST(svg_quadrants_are_rectangles, "quadrants")
{
    char path[60];
    begin_small();
    canvas_text(canvas, 0, 0, 1, style_of(ROLE_TEXT), row[0]);
    char *svg = snapshot(FORMAT_SVG);
    snprintf(path, sizeof path, "d=\"%s\"/>", row[1]);
    assert_has(svg, path);
    assert_lacks(svg, "<text");
    free(svg);
}

TEST(svg_joins_equal_rectangles)
{
    struct style marked = {.fore = ink_full(ROLE_TEXT), .back = ink_full(ROLE_CURSOR)};
    begin_small();
    canvas_fill(canvas, (struct area){0, 2, 3, 4}, marked);
    canvas_fill(canvas, (struct area){1, 8, 1, 4}, marked);
    char *svg = snapshot(FORMAT_SVG);
    assert_has(svg, "d=\"M4 0h8v6h-8zM16 2h8v2h-8z\"/>");
    ck_assert_uint_eq(count_of(svg, "<path "), 1);
    free(svg);
}

/* Of each head of the model every weight, however small its thumbnail. */
TEST(svg_maps_have_all_cells)
{
    const struct attention *attention = session.data.attention;
    const size_t maps = attention->layers * attention->heads;
    const size_t tokens = attention->tokens[SIDE_LEFT].count;
    char box[64];
    show("model");
    canvas->curves = canvas->whole = true;
    assert_ok(screen_draw(&session, canvas, &error), error);
    char *svg = snapshot(FORMAT_SVG);
    snprintf(box, sizeof box, " viewBox=\"0 0 %zu %zu\" preserve", tokens, tokens);
    ck_assert_uint_eq(count_of(svg, box), maps);
    ck_assert_uint_eq(count_of(svg, "h1v1h-1z"), maps * tokens * tokens);
    free(svg);
}

TEST(svg_stays_small)
{
    show("neuron");
    canvas_free(canvas);
    canvas = canvas_new(200, 60, (struct traits){GLYPHS_BRAILLE, false});
    assert_ok(screen_draw(&session, canvas, &error), error);
    char *svg = snapshot(FORMAT_SVG);
    ck_assert_uint_lt(strlen(svg), 60000);
    free(svg);
}

/* ---- What comes from outside ---- */

/* A cell has no room for what a joiner joins, the metadata has. */

ROW_TEST(joiners_stay_in_the_metadata, "snapshot_joined")
{
    char desc[200], value[200];
    struct snapshot_fact fact = {"text A", row[0]};
    struct snapshot what = {.title = row[0], .facts = &fact, .fact_count = 1};
    snprintf(desc, sizeof desc, "<title>%s</title>\n<desc>text A: %s</desc>", row[1], row[1]);
    canvas_text(canvas, 5, 0, 80, style_of(ROLE_TEXT), row[0]);
    char *out = save(FORMAT_SVG, DEPTH_DIRECT, &what);
    markup_check(out);
    assert_has(out, desc);
    snprintf(value, sizeof value, "<h:fact name=\"text A\">%s</h:fact>", row[1]);
    assert_has(out, value);
    char *screen = strstr(out, "<g font-family");
    ck_assert_ptr_nonnull(screen);
    assert_lacks(screen, "\u200D");
    free(out);
}

ROW_TEST(hostile_text_stays_text, "snapshot_hostile")
{
    const char *const text = row[0];
    struct snapshot_fact fact = {text, text};
    struct snapshot what = {.title = text, .facts = &fact, .fact_count = 1};
    canvas_text(canvas, 5, 0, 80, style_of(ROLE_TEXT), text);
    char *out = save(FORMAT_SVG, DEPTH_DIRECT, &what);
    markup_check(out);
    markup_check_characters(out);
    assert_lacks(out, "<script");
    assert_lacks(out, "<img");
    assert_lacks(out, "<!--");
    ck_assert_uint_eq(count_of(out, "<svg"), 1);
    ck_assert_uint_eq(count_of(out, "</svg>"), 1);
    ck_assert_uint_eq(count_of(out, "</title>"), 1);
    free(out);
}

/* A cell's text was made safe when it was drawn; the file does not rely on it. */
TEST(hostile_cells_stay_text)
{
    static const char *const cells[] = {"\x1B", "\xEF\xBF\xBE", "\xEF\xBF\xBF", "<",    "&",
                                        "\"",   "\xC2\x9B",     "\xE2\x80\xAE", "\xFF", "\n"};
    begin_small();
    for (int i = 0; i < 10; i++)
        strcpy(canvas_at(canvas, 1, i)->text, cells[i]);
    char *out = save(FORMAT_SVG, DEPTH_DIRECT, &tiny);
    markup_check(out);
    markup_check_characters(out);
    assert_has(out, "^[");
    assert_has(out, "\\u{fffe}");
    free(out);
}
