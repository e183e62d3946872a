#include "headlight/view/words_layout.h"

#include "headlight/base/size.h"

#define LAYER_COLUMNS   8   /* "  layer " */
#define ANSWERS_COLUMNS 38  /* beside the grid */
#define ANSWERS_ROWS    8   /* below it */
#define BESIDE_COLUMNS  110 /* so many columns have room for both side by side */
#define PIECE_MOST      14
#define AROUND          3 /* brackets and a gap */
#define OUTSIDE_COLUMNS 6 /* "123 →" */
#define PITCH_MOST      3
#define SPREAD_MOST     4

const struct lens_cell *words_cell(const struct scene *scene, size_t layer, size_t token)
{
    const struct data *data = &scene->data;
    const struct lens_cell *cell = data->lens ? &data->lens[layer * data->tokens + token] : NULL;
    return cell && cell->count > 0 ? cell : NULL;
}

const char *words_piece(const struct scene *scene, int32_t id)
{
    const char *piece = tokenizer_label(scene->data.checkpoint->tokenizer, id);
    return piece ? piece : "?"; /* a vocabulary may be shorter than the model's table */
}

bool words_by_ground(const struct canvas *canvas)
{
    return !canvas->traits.mono && canvas->traits.glyphs == GLYPHS_BRAILLE;
}

/* Columns that a token needs, with the gap behind it. */
static int width_of(const struct scene *scene, const struct canvas *canvas, size_t token)
{
    bool ascii = canvas_ascii(canvas);
    size_t widest = text_width(scene_drawn(scene, SIDE_LEFT, token).text, ascii);
    for (size_t layer = 0; layer < scene->data.layers; layer++) {
        const struct lens_cell *cell = words_cell(scene, layer, token);
        if (cell)
            widest = size_max(widest, text_width(words_piece(scene, cell->best[0].id), ascii));
    }
    return (int)size_min(size_max(widest, WORDS_COLUMN_LEAST - AROUND), PIECE_MOST) + AROUND;
}

/* As many tokens as there are columns for, the chosen one in their middle as far as the ends
 * allow. */
static struct token_range tokens_shown(const struct scene *scene, const struct canvas *canvas,
                                       int columns)
{
    size_t count = scene_count(scene, SIDE_LEFT), chosen = scene_token(scene, SIDE_LEFT);
    chosen = chosen < count ? chosen : 0;
    struct token_range shown = {chosen, chosen + 1};
    int left = columns - width_of(scene, canvas, chosen);
    bool before = true, after = true;
    while (before || after) {
        int wider = shown.first > 0 ? width_of(scene, canvas, shown.first - 1) : columns;
        before = before && wider <= left;
        left -= before ? wider : 0;
        shown.first -= before;
        wider = shown.end < count ? width_of(scene, canvas, shown.end) : columns;
        after = after && wider <= left;
        left -= after ? wider : 0;
        shown.end += after;
    }
    return shown;
}

static struct token_range layers_shown(const struct scene *scene, int rows)
{
    size_t layers = scene->data.layers, room = (size_t)(rows > 1 ? rows : 1);
    if (layers <= room)
        return (struct token_range){0, layers};
    size_t first = scene->look.layer < room / 2 ? 0 : scene->look.layer - room / 2;
    first = size_min(first, layers - room);
    return (struct token_range){first, first + room};
}

/* Rows of each of so many layers, in rows that have a heading and a blank one, too. */
static int pitch_in(int rows, int layers)
{
    int pitch = (rows - 2) / layers;
    return pitch < 1 ? 1 : pitch > PITCH_MOST ? PITCH_MOST : pitch;
}

/* What is left of the columns, shared out. */
static void place_columns(const struct scene *scene, const struct canvas *canvas,
                          struct words_layout *layout)
{
    const struct token_range *shown = &layout->shown.tokens;
    const size_t count = shown->end - shown->first;
    int *begins = layout->begins;
    begins[0] = layout->grid.x + LAYER_COLUMNS;
    for (size_t i = 0; i < count; i++)
        begins[i + 1] = begins[i] + width_of(scene, canvas, shown->first + i);
    int outside = count < scene_count(scene, SIDE_LEFT) ? OUTSIDE_COLUMNS : 0;
    int left = layout->grid.x + layout->grid.columns - outside - begins[count];
    int more = left < 0 ? 0 : left / (int)count > SPREAD_MOST ? SPREAD_MOST : left / (int)count;
    for (size_t i = 1; i <= count; i++)
        begins[i] += (int)i * more;
}

struct words_layout words_lay_out(const struct scene *scene, const struct canvas *canvas,
                                  struct area area)
{
    struct words_layout layout = {.beside = area.columns >= BESIDE_COLUMNS};
    struct area *grid = &layout.grid, *answers = &layout.answers;
    *grid = *answers = (struct area){area.y, area.x + 2, area.rows, area.columns - 4};
    if (layout.beside) {
        grid->columns -= ANSWERS_COLUMNS + 2;
        answers->x += grid->columns + 2;
        answers->columns = ANSWERS_COLUMNS;
    } else {
        int below = area.rows > ANSWERS_ROWS + 4 ? ANSWERS_ROWS : 0;
        int room = area.rows - below, layers = (int)scene->data.layers;
        int needed = 2 + layers * pitch_in(room, layers);
        grid->rows = room < needed ? room : needed;
        answers->y += grid->rows + 1;
        answers->rows = area.rows - grid->rows - 1;
    }
    int columns = grid->columns - LAYER_COLUMNS;
    layout.shown.tokens = tokens_shown(scene, canvas, columns);
    if (layout.shown.tokens.end - layout.shown.tokens.first < scene_count(scene, SIDE_LEFT))
        layout.shown.tokens = tokens_shown(scene, canvas, columns - OUTSIDE_COLUMNS);
    layout.shown.layers = layers_shown(scene, grid->rows - 2);
    layout.pitch = pitch_in(grid->rows, (int)(layout.shown.layers.end - layout.shown.layers.first));
    place_columns(scene, canvas, &layout);
    return layout;
}

struct area words_label_area(const struct words_layout *layout, size_t token)
{
    const int *begin = &layout->begins[token - layout->shown.tokens.first];
    return (struct area){layout->grid.y, begin[0], 1, begin[1] - begin[0] - 1};
}

struct area words_cell_area(const struct words_layout *layout, size_t layer, size_t token)
{
    struct area area = words_label_area(layout, token);
    area.rows = layout->pitch;
    area.y = words_row(layout, layer) - (layout->pitch - 1) / 2;
    return area;
}

int words_row(const struct words_layout *layout, size_t layer)
{
    return layout->grid.y + 1 + (layout->pitch - 1) / 2 +
           layout->pitch * (int)(layout->shown.layers.end - 1 - layer);
}
