/* export_picture.c: writes what a session shows to a picture file: as on screen, without what
 * differs from run to run, or as a figure for a paper, and with metadata about its contents. */
#include "headlight/export/export.h"

#include "headlight/base/locale.h"
#include "headlight/session/overlay.h"
#include "headlight/session/screen.h"

#include <langinfo.h>

/* ---- Facts ---- */

#define FACTS_MAX 15

/* Points into itself and into the session: not to be copied, and valid until the session changes.
 */
struct about {
    char title[1024];
    char layer[24], heads[HEAD_MASK_LIST];
    struct snapshot_fact facts[FACTS_MAX];
    size_t count;
};

static void describe_picture(const struct session *session, struct about *about)
{
    const struct scene shown = session_scene(session), *scene = &shown;
    const char *view = view_name(scene->look.view), *model = scene->data.model;
    if (scene_is_of_all_layers(scene))
        snprintf(about->layer, sizeof about->layer, "all");
    else
        snprintf(about->layer, sizeof about->layer, "%zu", scene->look.layer);
    if (view_sentence(scene, false, about->title, sizeof about->title))
        format_add(about->title, sizeof about->title, " · ");
    format_add(about->title, sizeof about->title, "headlight: %s view, layer %s, model %s", view,
               about->layer, model);
    const bool mean = scene->data.mean, pieces = scene->view->shown & SHOWN_PIECES;
    const enum map_kind map = scene->data.map->kind;
    /* the head view draws several heads, and a mean is over several; other views show one */
    const bool several = mean || (scene->view->heads == HEADS_CHOSEN && !scene_shows_one(scene));
    if (several)
        head_mask_write(scene->look.heads, scene->data.head_count, about->heads,
                        sizeof about->heads);
    else
        snprintf(about->heads, sizeof about->heads, "%zu", scene->look.head);
    const char *changes = scene->data.changes; /* "changed: …", which the fact's name says */
    if (changes && strncmp(changes, "changed: ", 9) == 0)
        changes += 9;
    const struct encoded *encoded = session->data.encoded;
    const struct {
        bool wanted;
        struct snapshot_fact fact;
    } rows[FACTS_MAX] = {
        {true, {"headlight", HEADLIGHT_VERSION}},
        {true, {"model", model}},
        {scene->data.family, {"family", scene->data.family}},
        {scene->data.bits, {"bits", scene->data.bits}},
        {true, {"view", view}},
        {true, {"layer", about->layer}},
        {scene->view->shown & SHOWN_MAP && map != MAP_WEIGHTS, {"map", map_infos[map].name}},
        {mean || !scene_is_single(scene), {several ? "heads" : "head", about->heads}},
        {mean, {"mean", scene->look.averaged == MEAN_LAYERS ? "of heads and layers" : "of heads"}},
        {pieces && scene->look.shape.special != SPECIAL_SHOWN,
         {"special tokens",
          scene->look.shape.special == SPECIAL_HIDDEN ? "hidden" : "hidden, the rest rescaled"}},
        {pieces && scene->look.shape.words, {"pieces", "merged into words"}},
        {pieces && scene_is_pair(scene), {"filter", filters[scene->look.filter].name}},
        {changes, {"changes", changes}},
        {encoded->text_count > 0, {"text A", encoded->texts[0].bytes}},
        {encoded->text_count > 1, {"text B", encoded->texts[1].bytes}},
    };
    about->count = 0;
    for (size_t i = 0; i < FACTS_MAX; i++)
        if (rows[i].wanted)
            about->facts[about->count++] = rows[i].fact;
}

/* ---- The screen ---- */

#define ROWS_LEAST 4
#define INCH       72.0 /* points, */
#define CENTIMETRE (INCH / 2.54)

/* Draws without what depends on the machine's speed and on the mouse. Files are UTF-8, whatever the
 * locale. */
enum status export_draw(struct session *session, struct canvas *canvas, struct error *error)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    locale_t other = utf8 ? (locale_t)0 : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = other ? uselocale(other) : (locale_t)0;
    session->for_file = true;
    enum status status = screen_draw(session, canvas, error);
    session->for_file = false;
    if (other) {
        uselocale(before);
        freelocale(other);
    }
    return status;
}

/* Colours are left out if the format, the user or the theme has none; keys are left out of figures
 * for a paper. */
static enum status draw_screen(const struct output *output, unsigned needs, int columns, int rows,
                               struct canvas **out, struct error *error)
{
    struct session *session = output->session;
    const struct theme *theme = theme_at(session->state.look.theme);
    bool mono = needs & FORMAT_COLORLESS || output->depth == DEPTH_MONO || theme->mono;
    struct traits traits = {output->ascii ? GLYPHS_ASCII : GLYPHS_BRAILLE, mono};
    struct canvas *canvas = *out = canvas_new(columns, rows, traits);
    if (!canvas)
        return error_set(error, STATUS_MEMORY, "no room for a screen of %d×%d cells", columns,
                         rows);
    bool curves = output->lines == LINES_AUTO || output->lines == LINES_PIXELS;
    canvas->bare = output->paper != NULL;
    canvas->curves = needs & FORMAT_CURVES && curves && !output->ascii &&
                     (canvas->bare || !overlay_covers(session)); /* would be crossed */
    canvas->whole = canvas->curves && (!mono || canvas->bare);
    canvas->lines = output->lines == LINES_BLOCKS ? LINE_QUADRANTS : LINE_BRAILLE;
    const bool still = session->still;
    session->still |= (needs & FORMAT_CURVES) != 0;
    enum status status = export_draw(session, canvas, error);
    session->still = still;
    return status;
}

/* ---- Figures ----
 *
 * A figure is the view alone, on as many columns of cells as fit its width at the given font size,
 * and as few rows as it needs. What is too wide is refused: nothing is shrunk or cut. */

/* Grows by whatever the picture lacks, rows first, until nothing in it is cut. How high it is
 * doesn't matter; one that had to become wider is refused. */
static enum status draw_figure(const struct output *output, struct canvas **canvas,
                               struct error *error)
{
    const struct paper *paper = output->paper;
    const double column = paper->font_size / PAPER_FONT * CELL_WIDTH, room = paper->width / column;
    const int given = room < CANVAS_MAX ? int_max((int)(room + 0.001), 1) : CANVAS_MAX;
    int columns = given, rows = ROWS_LEAST;
    for (unsigned overflow = OVERFLOW_ROWS; overflow;) {
        canvas_free(*canvas);
        if (draw_screen(output, FORMAT_CURVES, columns, rows, canvas, error) != STATUS_OK)
            return error->status;
        overflow = (*canvas)->overflow;
        rows += (overflow & OVERFLOW_ROWS) != 0;
        columns += overflow == OVERFLOW_COLUMNS;
        if (int_max(rows, columns) > CANVAS_MAX)
            return error_usage(error,
                               "--bare: expected what has room in %d rows and columns, found more: "
                               "show fewer tokens",
                               CANVAS_MAX);
    }
    if (columns > given)
        return error_usage(
            error,
            "--width %.2fin is too narrow: at %gpt this figure needs %.2fin (%.1fcm); "
            "try a smaller "
            "--font-size",
            paper->width / INCH, paper->font_size, columns * column / INCH + 0.005,
            columns * column / CENTIMETRE + 0.05);
    return STATUS_OK;
}

/* ---- The picture ---- */

/* Hands the format what was drawn, and what it is. A figure has nothing that is for an audience,
 * and no list. */
enum status export_picture(const struct output *output, unsigned needs,
                           void (*draw)(const struct snapshot *snapshot, FILE *stream),
                           FILE *stream, struct error *error)
{
    struct session *session = output->session;
    struct look *look = &session->state.look;
    const struct look before = *look;
    const struct theme *theme = theme_at(session->state.look.theme);
    struct canvas *canvas = NULL;
    struct about about;
    if (output->paper)
        look->presented = look->listed = false;
    enum status status =
        output->paper ? draw_figure(output, &canvas, error)
                      : draw_screen(output, needs, output->columns, output->rows, &canvas, error);
    if (status == STATUS_OK) {
        describe_picture(session, &about);
        draw(&(struct snapshot){.canvas = canvas,
                                .theme = output->paper ? theme_paper(theme) : theme,
                                .depth = output->depth,
                                .paper = output->paper,
                                .title = about.title,
                                .facts = about.facts,
                                .fact_count = about.count},
             stream);
    }
    canvas_free(canvas);
    *look = before;
    return status;
}
