/* scene.h: all that a view sees: the user's look and the data that follow from it. A view is
 * draw(scene, canvas, area): the same scene and the same size give the same cells. */
#pragma once

#include "headlight/draw/heat.h"
#include "headlight/view/data.h"
#include "headlight/view/look.h"

struct view;

struct scene {
    struct look look;
    const struct view *view; /* the row of look.view; made by view_scene, views.h */
    struct data data;        /* borrowed */
};

/* ---- Clicks ----
 * What is drawn at a cell is an address in the look (canvas_mark): a click there is the same as
 * giving its fields these values by name, and one on what is chosen already is Enter. Besides,
 * there are keys, and the lines of a list that is open. */
enum { HIT_NOTHING, HIT_KEY, HIT_LINE, HIT_LOOK };
#define HIT(member) (uint16_t)(HIT_LOOK + offsetof(struct look, member))

static inline struct hit hit_at(uint16_t place, size_t value)
{
    return (struct hit){{place}, .value = {value}};
}

static inline struct hit hit_token(enum side side, size_t token)
{
    return (struct hit){{side == SIDE_LEFT ? HIT(from) : HIT(to)}, true, {token}};
}

/* After which keys go on with the attended one. */
static inline struct hit hit_pair(size_t from, size_t to, bool passing)
{
    return (struct hit){{HIT(from), HIT(to), HIT(side)}, passing, {from, to, SIDE_RIGHT}};
}

static inline struct hit hit_head(size_t layer, size_t head)
{
    return (struct hit){{HIT(layer), HIT(head)}, .value = {layer, head}};
}

/* ---- Tokens and their names ---- */

/* How many tokens a side shows, and the label of one of them. */
static inline size_t scene_count(const struct scene *scene, enum side side)
{
    return scene->data.attention->tokens[side].count;
}

static inline const char *scene_label(const struct scene *scene, enum side side, size_t token)
{
    return scene->data.attention->tokens[side].labels[token];
}

/* The token of the trace that it begins with. */
static inline size_t scene_piece(const struct scene *scene, enum side side, size_t token)
{
    return scene->data.attention->tokens[side].of[token].first;
}

/* A token's name where it stands alone, in lists and in the line of numbers: its label, and its
 * place among those of the same label where there are several: "flies₂", in ASCII "flies#2". One
 * that the network hides from all is in parentheses: "(flies₂)". */
struct token_name {
    char text[512];
};

struct token_name scene_name(const struct scene *scene, enum side side, size_t token, bool ascii);

/* The same of a token among `count` others, which need not be the scene's. */
struct token_name scene_name_among(const char *const *labels, size_t count, size_t token,
                                   bool hidden, bool ascii);

/* A token's label as it is drawn: one that the network hides from all is in parentheses. */
struct token_name scene_drawn(const struct scene *scene, enum side side, size_t token);

/* A decoder's row reads a token and says the next one. What it says besides what its label says it
 * reads, or the other way round; "" of other tokens. And what its labels mean then, or NULL. */
const char *scene_beside(const struct scene *scene, enum side side, size_t token);
const char *scene_reading(const struct scene *scene);

/* Tokens of the first sentence on a side; all of them when there is only one sentence. */
static inline size_t scene_boundary(const struct scene *scene, enum side side)
{
    return scene->data.attention->tokens[side].boundary;
}

/* ---- The cursor, the pinned token and the filter ---- */

/* The token that is chosen on a side, or NO_TOKEN. */
static inline size_t scene_token(const struct scene *scene, enum side side)
{
    return side == SIDE_LEFT ? scene->look.from : scene->look.to;
}

/* The same, for changing it. */
static inline size_t *scene_chosen(struct scene *scene, enum side side)
{
    return side == SIDE_LEFT ? &scene->look.from : &scene->look.to;
}

/* The tokens of the trace that a side's chosen token stands for: the pieces of a word, or itself.
 * False when none is chosen. */
bool scene_chosen_pieces(const struct scene *scene, enum side side, struct token_range *pieces);

/* Whether there are two sentences. */
bool scene_is_pair(const struct scene *scene);

/* The sentence, "A" or "B", that begins with a token; empty where none does or there is only one.
 */
const char *scene_sentence(const struct scene *scene, enum side side, size_t token);

/* The tokens that the filter leaves on a side; all of them in a view that ignores it. */
struct token_range scene_range(const struct scene *scene, enum side side);

/* Whether a filter leaves tokens on both sides. */
bool scene_filter_fits(const struct scene *scene, enum filter filter);

/* Whether a token is chosen on both sides. */
bool scene_is_pinned(const struct scene *scene);

/* The token to whose lines drawing is limited, and its side; NO_TOKEN when none is chosen. */
size_t scene_focus(const struct scene *scene, enum side *side);

/* Deselects a side's token if the filter leaves it out. */
void scene_keep_in_range(struct scene *scene, enum side side);

/* STATUS_USAGE where the text has none, so that hiding them would change nothing. */
enum status scene_check_special(const struct scene *scene, struct error *error);

/* Shows another attention of an encoder–decoder, whose tokens are of other texts. What was asked of
 * the target stays asked where its encoder is shown. */
void scene_go_to_site(struct scene *scene, enum site site);

/* The first token that isn't special, such as [CLS], of those that the filter leaves; the first
 * where all are. */
size_t scene_first_word(const struct scene *scene, enum side side);

/* Moves the cursor by `steps` tokens within what the filter leaves; if no token is chosen, to the
 * first or last word. */
void scene_move_cursor(struct scene *scene, ptrdiff_t steps);

/* The token that a side scrolls to: level with the one chosen on the leader's side, else on the
 * other side; where none is chosen the first, or the last of a text that the model went on with. */
size_t scene_anchor(const struct scene *scene, enum side side, enum side leader);

/* Whether a text contains a word; whether a token's label, or the text at it, does the one to find.
 * Upper and lower case are the same for ASCII letters; other bytes have to be equal. */
bool scene_text_has(struct text text, const char *word, size_t length);
bool scene_is_found(const struct scene *scene, enum side side, size_t token);

/* ---- Maps and their weights ----
 * `map` is a head, or anything where there is a single map; `from` and `to` count the tokens shown.
 */

/* Whether there is one map instead of one a head: a mean, or a map of all heads together. */
bool scene_is_single(const struct scene *scene);

/* Whether it is of all layers: a mean over them, or the contacts. */
bool scene_is_of_all_layers(const struct scene *scene);

/* Whether a pair of tokens is listed once, as its number is the same both ways. */
bool scene_pairs_once(const struct scene *scene);

/* What the tokens of a side are to the map: "query" and "key", where it has these. */
const char *scene_axis(const struct scene *scene, enum side side);

/* What its numbers are, as the table of maps says it, or of another model. */
const char *scene_map_meaning(const struct scene *scene);

/* Whether the picture is of the head under the cursor alone, whichever are on. */
bool scene_shows_one(const struct scene *scene);

/* The maps on screen as a mask of heads: a single bit for one head or a mean. */
head_mask scene_maps(const struct scene *scene);

/* Whether the lines of a mean are drawn: its weights are small, so they get root shade at least. */
bool scene_is_mean_of_lines(const struct scene *scene);

/* An edge of one of these maps, with its weight. */
struct edge scene_edge(const struct scene *scene, size_t map, size_t from, size_t to);

/* A row [C] of one of these maps, a weight, see attention.h, and the number that it stands for. */
const float *scene_row(const struct scene *scene, size_t map, size_t from);
float scene_weight(const struct scene *scene, size_t map, size_t from, size_t to);
float scene_value(const struct scene *scene, size_t map, size_t from, size_t to);

/* What an edge's weight was in the network as it was trained; false where it was the same, or that
 * is not known: of what is no single number of a trace, or merged, or rescaled. */
bool scene_weight_before(const struct scene *scene, const struct edge *edge, unsigned *thousandths);

/* Whether the network hides a token, with all its pieces, from all; or cuts the connection from one
 * to another in a head of this layer. */
bool scene_is_hidden(const struct scene *scene, enum side side, size_t token);

/* A side's token as changes of the network name it (intervene.h). */
uint32_t scene_changed_token(const struct scene *scene, enum side side, size_t token);
bool scene_is_cut(const struct scene *scene, size_t head, size_t from, size_t to);

/* The tokens that one may attend to in the maps on screen: in any layer, where they are a mean over
 * all. */
struct token_range scene_visible(const struct scene *scene, size_t from);

#define UNSEEN "can't see" /* in place of a number */

static inline bool scene_sees(const struct scene *scene, size_t from, size_t to)
{
    const struct token_range visible = scene_visible(scene, from);
    return to >= visible.first && to < visible.end;
}

/* Whether a mask hides the last token from the first, or the first from the last. */
static inline bool scene_is_masked(const struct scene *scene)
{
    const size_t from = scene_count(scene, SIDE_LEFT), to = scene_count(scene, SIDE_RIGHT);
    return from > 0 && to > 0 && !(scene_sees(scene, 0, to - 1) && scene_sees(scene, from - 1, 0));
}

/* What the layer on screen can't see, as its model was trained: "causal", "local 128", or "". */
void scene_describe_mask(const struct scene *scene, char *text, size_t size);

/* The mean weight on the first token of what sees the past alone, from all others, in the maps on
 * screen; 0 elsewhere. */
double scene_sink(const struct scene *scene);

/* How many heads share a key: those from a multiple of it on. */
static inline size_t scene_sharing(const struct scene *scene)
{
    const struct trace *trace = scene->data.trace;
    return trace && trace->groups > 0 ? trace->heads / trace->groups : 1;
}

/* Its metrics, measured now where they weren't for all heads; fast enough for a frame. */
struct head_metrics scene_metrics(const struct scene *scene, size_t layer, size_t head);

/* Whether a head is off: it adds nothing, whatever its weights are. */
bool scene_is_off(const struct scene *scene, size_t layer, size_t head);

/* ---- Numbers and inks ---- */

/* What the inks of a signed map mean, or without colours its signs, for the legends; NULL: the map
 * has no signs. */
const char *scene_signs(const struct scene *scene, const struct canvas *canvas);

/* The number that an edge stands for, in some 5 columns: "0.417", "+.417", "+18.3"; any number of
 * the map in at most so many, from 3, as far as it can be written in them. The ink of an edge,
 * which tells the sign where there are any. */
struct weight_text scene_number(const struct scene *scene, const struct edge *edge);
struct weight_text scene_number_of(const struct scene *scene, double value, int columns);
struct ink scene_edge_ink(const struct scene *scene, const struct edge *edge, unsigned level);

/* "0.931", or ".93" in little room; "12.3" of what has a unit; "—" of NaN. */
struct weight_text number_short(double value, bool wide);

/* A share, 0 … 1, in hundredths. It is rounded from the number itself: its thousandths rounded
 * again would make 20 of 0.19469. */
unsigned scene_hundredths(float share);

/* The number that a weight stands for, without a sign, with as many digits as scene_number. */
struct weight_text scene_scale(const struct scene *scene, float weight);

/* The ink of one of these maps: its head's hue, or for a single one that of text. */
struct ink scene_ink(const struct scene *scene, size_t map, unsigned level);

/* ---- What is drawn of them ---- */

/* The edges that may be drawn, by the view's heads, filter and focus. */
struct edge_query scene_edges(const struct scene *scene);

/* Which of their pairs are drawn, see head.c. */
struct pair_limits scene_limits(const struct scene *scene);

/* The edge whose numbers are printed: the chosen pair in its heaviest active head, or the heaviest
 * of scene_edges. With nothing chosen one from a word to another goes before a token's to itself
 * or to [SEP], which any head may have. False when there is none. */
bool scene_current_edge(const struct scene *scene, struct edge *edge);

/* The token that a view begins at where one is always chosen: with an attended token chosen the one
 * that attends to it most, else the one whose line to another word is the strongest; the first word
 * where all are light. */
size_t scene_query(const struct scene *scene);

/* The heat map of a head under the filter; the caller sets weights, rows and columns. */
struct heat scene_heat(const struct scene *scene, size_t head);

/* Whether the model has made the token itself, going on with a text. */
bool scene_is_generated(const struct scene *scene, enum side side, size_t token);

/* The style of a token's label: on a coloured ground when chosen, a warning's when found, faint
 * when the network hides it, else plain. */
struct style scene_label_style(const struct scene *scene, enum side side, size_t token,
                               enum role plain);

/* Width of the widest label, from 4 to `limit` columns; in a figure nothing is cut. */
int scene_label_width(const struct scene *scene, const struct canvas *canvas, int limit);
