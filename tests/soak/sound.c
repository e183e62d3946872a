#include "soak/sound.h"

#include "headlight/session/act.h"
#include "headlight/text/unicode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

__attribute__((format(printf, 2, 3))) static bool say(struct unsound *unsound, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(unsound->what, sizeof unsound->what, format, arguments);
    va_end(arguments);
    return false;
}

/* False, with the condition's own words, unless it holds. */
#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return say(unsound, "%s:%d: not %s", __FILE__, __LINE__, #condition);                  \
    } while (0)

/* ---- The session ---- */

static bool sound_tokens(const struct scene *scene, enum side side, struct unsound *unsound)
{
    size_t token = scene_token(scene, side), count = scene_count(scene, side);
    struct token_range range = scene_range(scene, side);
    HOLDS(count > 0);
    HOLDS(range.first < range.end);
    HOLDS(range.end <= count);
    HOLDS(token == NO_TOKEN || (token >= range.first && token < range.end));
    return true;
}

static bool sound_heads(const struct scene *scene, struct unsound *unsound)
{
    HOLDS(scene->look.layer < scene->data.layers);
    HOLDS(scene->look.head < scene->data.head_count);
    HOLDS((scene->look.heads & ~head_mask_all(scene->data.head_count)) == 0);
    HOLDS(!scene->look.ranked || scene_is_pinned(scene));
    HOLDS(!scene->data.trace || scene->look.dimension == NO_TOKEN ||
          scene->look.dimension < scene->data.trace->dimensions);
    return true;
}

static bool sound_choices(const struct scene *scene, struct unsound *unsound)
{
    HOLDS((unsigned)scene->look.view < VIEW_COUNT);
    HOLDS(scene->view == view_at(scene->look.view));
    HOLDS((unsigned)scene->look.filter < FILTER_COUNT);
    HOLDS(scene_filter_fits(scene, scene->look.filter));
    HOLDS((unsigned)scene->look.averaged < MEAN_COUNT);
    HOLDS((unsigned)scene->look.metric < METRIC_LINKS);
    HOLDS((unsigned)scene->look.tone < TONE_COUNT);
    HOLDS((unsigned)scene->look.shape.special < SPECIAL_POLICY_COUNT);
    HOLDS((unsigned)scene->look.side <= SIDE_RIGHT);
    HOLDS(scene->look.detail >= DETAIL_MIN && scene->look.detail <= DETAIL_MAX);
    HOLDS(scene->look.threshold <= 1000);
    HOLDS((unsigned)scene->look.stage < STAGE_COUNT);
    return true;
}

/* What follows from each other agrees. */
static bool sound_data(const struct scene *scene, struct unsound *unsound)
{
    const struct data *data = &scene->data;
    HOLDS(!data->trace || data->trace == data->encoded->trace);
    HOLDS(!data->trace || data->attention->weights[scene->look.layer] != NULL);
    HOLDS(!data->mean ||
          (data->trace && scene_count(scene, SIDE_LEFT) == data->mean->tokens[SIDE_LEFT].count));
    HOLDS(data->tokens == data->encoded->sides[SIDE_LEFT].count);
    return true;
}

static bool sound_editor(const struct editor *editor, size_t limit, struct unsound *unsound)
{
    const char *text = editor_text(editor);
    size_t length = editor_length(editor), cursor = editor_cursor(editor);
    HOLDS(strlen(text) == length);
    HOLDS(length <= limit);
    HOLDS(cursor <= length);
    HOLDS(unicode_valid(text, length));
    HOLDS(((unsigned char)text[cursor] & 0xC0) != 0x80);
    for (size_t i = 0; i < length; i++)
        HOLDS((unsigned char)text[i] >= 0x20 && text[i] != 0x7F);
    return true;
}

static bool sound_texts(const struct session *session, struct unsound *unsound)
{
    const struct overlay *overlay = &session->overlay;
    const size_t limit =
        overlay->kind == OVERLAY_EDIT ? EDITOR_LIMIT : sizeof session->state.look.find - 1;
    HOLDS(memchr(session->message, '\0', sizeof session->message));
    HOLDS(memchr(session->state.look.find, '\0', sizeof session->state.look.find));
    for (size_t line = 0; line < 2; line++)
        if (overlay->lines[line] && !sound_editor(overlay->lines[line], limit, unsound))
            return false;
    HOLDS(overlay->line < 2);
    HOLDS(overlay->kind != OVERLAY_EDIT || overlay->lines[overlay->line]);
    return true;
}

bool sound_session(const struct session *session, struct unsound *unsound)
{
    const struct scene scene = session_scene(session);
    return sound_texts(session, unsound) &&
           (!session->data.encoded ||
            (sound_heads(&scene, unsound) && sound_choices(&scene, unsound) &&
             sound_data(&scene, unsound) && sound_tokens(&scene, SIDE_LEFT, unsound) &&
             sound_tokens(&scene, SIDE_RIGHT, unsound)));
}

bool sound_same_state(const struct state *one, const struct state *other, struct unsound *unsound)
{
    HOLDS(source_equal(&one->source, &other->source));
    struct look look = one->look;
    if (look.query_found && other->look.query_found) /* a view has chosen it again */
        look.from = other->look.from;
    HOLDS(look_equal(&look, &other->look));
    return true;
}

/* ---- The canvas ---- */

static bool is_harmless(wchar_t code)
{
    return !(code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
             (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
             code == 0xFEFF);
}

/* One glyph as wide as the cell says, which a terminal takes for nothing but text. */
static bool sound_glyph(const struct canvas *canvas, const struct cell *cell,
                        struct unsound *unsound)
{
    wchar_t wide[GLYPH_BYTES];
    size_t length = mbstowcs(wide, cell->text, GLYPH_BYTES);
    int width = 0;
    HOLDS(length != (size_t)-1);
    HOLDS(length > 0 && length < GLYPH_BYTES);
    for (size_t i = 0; i < length; i++) {
        HOLDS(is_harmless(wide[i]));
        HOLDS(wcwidth(wide[i]) >= 0);
        HOLDS(i == 0 || wcwidth(wide[i]) == 0);
        HOLDS(!canvas_ascii(canvas) || wide[i] < 0x7F);
        width += wcwidth(wide[i]);
    }
    HOLDS(width == cell->width);
    return true;
}

static bool sound_cell(const struct canvas *canvas, int y, int x, struct unsound *unsound)
{
    const struct cell *cell = canvas_at(canvas, y, x);
    const struct style *style = &cell->style;
    HOLDS(style->fore.role < ROLE_COUNT && style->back.role < ROLE_COUNT);
    HOLDS(style->fore.level <= STYLE_MOST && style->back.level <= STYLE_FULL);
    HOLDS(cell->width <= 2);
    if (cell->width == 0) {
        HOLDS(cell->text[0] == '\0');
        HOLDS(x > 0 && canvas_at(canvas, y, x - 1)->width == 2);
        return true;
    }
    if (cell->width == 2)
        HOLDS(x + 1 < canvas->columns && canvas_at(canvas, y, x + 1)->width == 0);
    return sound_glyph(canvas, cell, unsound);
}

static bool sound_hit(const struct scene *scene, struct hit hit, struct unsound *unsound)
{
    /* more keys, and lines of a list, than have names */
    static const size_t limits[] = {
        [HIT_NOTHING] = 1, [HIT_KEY] = KEY_CODE_NONE, [HIT_LINE] = (size_t)10 * ACTION_COUNT};
    struct scene chosen = *scene;
    if (hit.place[0] < HIT_LOOK ? hit.value[0] >= limits[hit.place[0]]
                                : !act_address(&chosen, &hit))
        return say(unsound, "a click at place %d means %zu", (int)hit.place[0], hit.value[0]);
    return true;
}

bool sound_canvas(const struct session *session, const struct canvas *canvas,
                  struct unsound *unsound)
{
    const struct scene scene = session_scene(session);
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            if (sound_cell(canvas, y, x, unsound) &&
                (!session->data.attention || sound_hit(&scene, canvas_hit(canvas, y, x), unsound)))
                continue;
            size_t length = strlen(unsound->what);
            snprintf(unsound->what + length, sizeof unsound->what - length,
                     " in row %d, column %d of %d rows, %d columns", y, x, canvas->rows,
                     canvas->columns);
            return false;
        }
    return true;
}

static bool same_ink(struct ink a, struct ink b)
{
    return a.role == b.role && a.level == b.level;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    return strcmp(a->text, b->text) == 0 && a->width == b->width &&
           same_ink(a->style.fore, b->style.fore) && same_ink(a->style.back, b->style.back) &&
           a->style.bold == b->style.bold;
}

bool sound_same(const struct canvas *one, const struct canvas *other, struct unsound *unsound)
{
    for (int i = 0; i < one->columns * one->rows; i++)
        if (!same_cell(&one->cells[i], &other->cells[i]) ||
            !hit_equal(one->hits[i], other->hits[i]))
            return say(unsound, "row %d, column %d: \"%s\" is \"%s\" when it is drawn again",
                       i / one->columns, i % one->columns, one->cells[i].text,
                       other->cells[i].text);
    return true;
}
