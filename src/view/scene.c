/* scene.c: what views ask of a scene: its tokens as they are named, its cursor and filter, and
 * which edges of its maps (scene_maps.c) are drawn. It is below all views: of the one that is
 * chosen it reads the row that the scene carries, never the table of views. */
#include "headlight/view/scene.h"

#include "headlight/view/views.h"

#include <strings.h>

#define PLACE_BYTES 24 /* of a token's place among those of its name */

/* What is drawn, see head.c. */
#define EDGE_MIN       50 /* thousandths; with a token chosen: */
#define EDGE_MIN_FOCUS 10
#define EDGES_A_TOKEN  2.5
#define EDGES_ALONE    1.5 /* the same of one head */
#define EDGES_FOCUS    16  /* of a chosen token */

/* The place, "₂" or "#2", stands inside the parentheses of a hidden token, since it belongs to its
 * name. A label that is too long loses its end, never its place, of which the last six digits are
 * written: no text reaches them. */
struct token_name scene_name_among(const char *const *labels, size_t count, size_t token,
                                   bool hidden, bool ascii)
{
    struct token_name name;
    char place[PLACE_BYTES] = "", label[sizeof name.text];
    size_t before = 0, same = 0;
    for (size_t i = 0; i < count; i++) {
        bool equal = strcmp(labels[i], labels[token]) == 0;
        same += equal;
        before += equal && i < token;
    }
    if (same > 1)
        snprintf(place, sizeof place, "#%zu", (before + 1) % 1000000);
    if (same > 1 && !ascii) {
        char digits[PLACE_BYTES];
        size_t used = 0;
        strcpy(digits, place);
        for (const char *digit = digits + 1; *digit; digit++) /* U+2080 is a subscript 0 */
            used += (size_t)snprintf(place + used, sizeof place - used, "\xE2\x82%c",
                                     (char)(0x80 + *digit - '0'));
    }
    text_safe(labels[token], ascii, label, sizeof label); /* else it would join what is around it */
    format_cut(name.text, sizeof name.text - PLACE_BYTES - 1, hidden ? "(%s" : "%s", label);
    strcat(name.text, place);
    strcat(name.text, hidden ? ")" : "");
    return name;
}

struct token_name scene_name(const struct scene *scene, enum side side, size_t token, bool ascii)
{
    return scene_name_among(scene->data.attention->tokens[side].labels, scene_count(scene, side),
                            token, scene_is_hidden(scene, side, token), ascii);
}

/* Without a place: on screen a token is told by where it stands. */
struct token_name scene_drawn(const struct scene *scene, enum side side, size_t token)
{
    struct token_name name;
    bool hidden = scene_is_hidden(scene, side, token);
    const char *other = scene_beside(scene, side, token);
    format_cut(name.text, sizeof name.text - 1, hidden ? "(%s" : "%s",
               scene_label(scene, side, token));
    strcat(name.text, hidden ? ")" : "");
    if (*other)
        format_add(name.text, sizeof name.text, " %s %s",
                   scene->data.attention->shape.said ? "◂" : "▸", other);
    return name;
}

const char *scene_beside(const struct scene *scene, enum side side, size_t token)
{
    const struct encoded *encoded = scene->data.encoded;
    const bool said = scene->data.attention->shape.said;
    const struct token_side *other = said ? &encoded->sides[SIDE_LEFT] : &encoded->said;
    if (side == SIDE_RIGHT || encoded->said.count == 0 ||
        !(scene->view->shown & (SHOWN_PIECES | SHOWN_VALUES)))
        return "";
    const size_t next = said ? token - 1 : token + 1; /* wraps round before the first */
    if (scene->look.shape.words && next < scene_count(scene, side))
        return scene_label(scene, side, next);
    const struct token_range of = scene->data.attention->tokens[side].of[token];
    return words_part(other->labels[said ? of.first : of.end - 1], false, other->marks);
}

const char *scene_reading(const struct scene *scene)
{
    const bool decodes = scene->data.encoded->said.count > 0;
    return !decodes                            ? NULL
           : scene->data.attention->shape.said ? "says ◂ reads"
                                               : "reads ▸ says next";
}

bool scene_chosen_pieces(const struct scene *scene, enum side side, struct token_range *pieces)
{
    size_t chosen = scene_token(scene, side);
    if (chosen == NO_TOKEN)
        return false;
    *pieces = scene->data.attention->tokens[side].of[chosen];
    return true;
}

/* A view may show tokens of one sentence alone on a side, so both sides have to have a second
 * sentence. */
bool scene_is_pair(const struct scene *scene)
{
    return scene_boundary(scene, SIDE_LEFT) < scene_count(scene, SIDE_LEFT) &&
           scene_boundary(scene, SIDE_RIGHT) < scene_count(scene, SIDE_RIGHT);
}

const char *scene_sentence(const struct scene *scene, enum side side, size_t token)
{
    if (!scene_is_pair(scene))
        return "";
    return token == scene_boundary(scene, side) ? "B" : token == 0 ? "A" : "";
}

/* A filter names the attending sentence first: "ab" is the tokens of A on the left and those of B
 * on the right. */
static struct token_range filter_range(const struct scene *scene, enum filter filter,
                                       enum side side)
{
    bool left = side == SIDE_LEFT;
    size_t boundary = scene_boundary(scene, side), count = scene_count(scene, side);
    if (filter == FILTER_AA || filter == (left ? FILTER_AB : FILTER_BA))
        return (struct token_range){0, boundary};
    if (filter == FILTER_BB || filter == (left ? FILTER_BA : FILTER_AB))
        return (struct token_range){boundary, count};
    return (struct token_range){0, count};
}

/* A view that doesn't show which tokens there are, such as the neuron view, shows them all. */
struct token_range scene_range(const struct scene *scene, enum side side)
{
    return filter_range(scene, scene->view->shown & SHOWN_PIECES ? scene->look.filter : FILTER_ALL,
                        side);
}

/* With one sentence the filters that name a second one leave nothing. */
bool scene_filter_fits(const struct scene *scene, enum filter filter)
{
    struct token_range left = filter_range(scene, filter, SIDE_LEFT);
    struct token_range right = filter_range(scene, filter, SIDE_RIGHT);
    return left.first < left.end && right.first < right.end;
}

bool scene_is_pinned(const struct scene *scene)
{
    return scene->look.from != NO_TOKEN && scene->look.to != NO_TOKEN;
}

/* With both tokens chosen the focus is the pinned one, on the side where the cursor is not: the
 * cursor then goes through the lines of that token. */
size_t scene_focus(const struct scene *scene, enum side *side)
{
    bool pinned = scene_is_pinned(scene);
    *side = pinned ? side_other(scene->look.side) : scene->look.side;
    return scene_token(scene, *side);
}

void scene_keep_in_range(struct scene *scene, enum side side)
{
    size_t *token = scene_chosen(scene, side);
    struct token_range range = scene_range(scene, side);
    if (*token != NO_TOKEN && (*token < range.first || *token >= range.end))
        *token = NO_TOKEN;
}

enum status scene_check_special(const struct scene *scene, struct error *error)
{
    bool any = false;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        for (size_t i = 0; i < scene->data.encoded->sides[side].count; i++)
            any |= scene->data.encoded->sides[side].sinks[i];
    return any ? STATUS_OK
               : error_usage(error,
                             "no token of this text is special, as [CLS] is: there is nothing to "
                             "hide");
}

/* What a token stands for: a row of cross-attention for what it says next, whatever it reads. */
static const struct token_side *side_of(const struct scene *scene, enum side side)
{
    const struct encoded *encoded = scene->data.encoded;
    return side == SIDE_LEFT && encoded_is_crossed(encoded) && encoded->said.count > 0
               ? &encoded->said
               : &encoded->sides[side];
}

/* A word is one if its only piece is; and so is the end of a target, which nothing hides. */
static bool is_sink(const struct scene *scene, enum side side, size_t token)
{
    const struct token_range of = scene->data.attention->tokens[side].of[token];
    const struct token_side *tokens = side_of(scene, side);
    return of.end == of.first + 1 && (tokens->sinks[of.first] || tokens->special[of.first]);
}

void scene_go_to_site(struct scene *scene, enum site site)
{
    struct look *look = &scene->look;
    if (scene->data.encoded->said.count > 0 && look->from != NO_TOKEN && !look->query_found)
        look->asked = scene_piece(scene, SIDE_LEFT, look->from);
    look->site = site;
    look->from = look->to = NO_TOKEN;
}

size_t scene_first_word(const struct scene *scene, enum side side)
{
    const struct token_range range = scene_range(scene, side);
    for (size_t token = range.first; token < range.end; token++)
        if (!is_sink(scene, side, token))
            return token;
    return range.first;
}

/* The cursor stops at both ends. From no token a step leads to the pair that the view announces;
 * where there is none, to the first word: [CLS] is a step further. */
void scene_move_cursor(struct scene *scene, ptrdiff_t steps)
{
    size_t *cursor = scene_chosen(scene, scene->look.side);
    struct token_range range = scene_range(scene, scene->look.side);
    if (range.first >= range.end)
        return;
    ptrdiff_t first = (ptrdiff_t)range.first, last = (ptrdiff_t)range.end - 1;
    if (*cursor == NO_TOKEN) {
        struct edge edge;
        *cursor = !scene->data.trace || !scene_current_edge(scene, &edge)
                      ? scene_first_word(scene, scene->look.side)
                  : scene->look.side == SIDE_LEFT ? edge.from
                                                  : edge.to;
        return;
    }
    ptrdiff_t place = (ptrdiff_t)*cursor + steps;
    *cursor = (size_t)(place < first ? first : place > last ? last : place);
}

/* The two sides may begin at different tokens, so places are compared from the beginning of what
 * each shows. */
size_t scene_anchor(const struct scene *scene, enum side side, enum side leader)
{
    size_t first = scene_range(scene, side).first;
    if (scene_token(scene, leader) == NO_TOKEN)
        leader = side_other(leader);
    size_t token = scene_token(scene, leader);
    const size_t last = scene_count(scene, side) - 1; /* of a text that goes on */
    return token != NO_TOKEN ? first + token - scene_range(scene, leader).first
           : scene->data.encoded->generated.count > 0 ? last
                                                      : first;
}

bool scene_text_has(struct text text, const char *word, size_t length)
{
    for (size_t at = 0; at + length <= text.length; at++)
        if (strncasecmp(text.bytes + at, word, length) == 0)
            return true;
    return false;
}

/* By its label, or where a part of the text that it is of lies in a place that has `find`: "time
 * flies" is of two tokens, a long word of several pieces. */
bool scene_is_found(const struct scene *scene, enum side side, size_t token)
{
    const struct encoding *encoding = scene->data.encoded->encoding;
    const size_t length = strlen(scene->look.find);
    if (length > 0 &&
        scene_text_has(text_of_string(scene_label(scene, side, token)), scene->look.find, length))
        return true;
    if (!encoding || length == 0)
        return false;
    const struct token_range pieces = scene->data.attention->tokens[side].of[token];
    for (size_t piece = pieces.first; piece < pieces.end; piece++)
        if (!encoding->tokens[piece].added) {
            const struct token *part = &encoding->tokens[piece];
            const struct text text = scene->data.encoded->texts[part->sentence];
            const struct span span = part->span;
            const size_t first = span.start < length ? 0 : span.start - length + 1;
            const size_t end = size_min(span.end + length - 1, text.length);
            if (first < end && scene_text_has((struct text){text.bytes + first, end - first},
                                              scene->look.find, length))
                return true;
        }
    return false;
}

static struct token_range only(size_t token)
{
    return (struct token_range){token, token + 1};
}

uint32_t scene_changed_token(const struct scene *scene, enum side side, size_t token)
{
    const enum site site = scene->data.encoded->site;
    const bool target = site == SITE_DECODER || (site == SITE_CROSS && side == SIDE_LEFT);
    return (uint32_t)token + (target ? INTERVENE_DECODER : 0);
}

/* Of a word all pieces have to be hidden; one that is left would still be attended to. */
bool scene_is_hidden(const struct scene *scene, enum side side, size_t token)
{
    const struct interventions *network = scene->data.network;
    struct token_range pieces = scene->data.attention->tokens[side].of[token];
    while (network && pieces.first < pieces.end &&
           interventions_is_hidden(network, scene_changed_token(scene, side, pieces.first)))
        pieces.first++;
    return pieces.first == pieces.end;
}

/* Of words all connections between their pieces have to be cut, as for a hidden token. */
bool scene_is_cut(const struct scene *scene, size_t head, size_t from, size_t to)
{
    const struct interventions *network = scene->data.network;
    struct token_range rows = scene->data.attention->tokens[SIDE_LEFT].of[from];
    struct token_range columns = scene->data.attention->tokens[SIDE_RIGHT].of[to];
    const uint32_t layer = (uint32_t)data_numbered(&scene->data, scene->look.layer);
    if (!network || network->cut_count == 0 || scene_is_single(scene))
        return false;
    for (size_t i = rows.first; i < rows.end; i++)
        for (size_t j = columns.first; j < columns.end; j++)
            if (!interventions_is_cut(
                    network, (struct cut){layer, (uint32_t)head, (uint32_t)i, (uint32_t)j}))
                return false;
    return true;
}

/* ---- Edges ---- */

bool scene_pairs_once(const struct scene *scene)
{
    const struct token_range from = scene_range(scene, SIDE_LEFT),
                             to = scene_range(scene, SIDE_RIGHT);
    return !scene->data.mean && map_infos[scene->data.map->kind].pairs != PAIRS_DIRECTED &&
           from.first == to.first && from.end == to.end;
}

/* A mean of no heads has no edges, although its map, of zeros, is there. */
struct edge_query scene_edges(const struct scene *scene)
{
    enum side side;
    size_t focus = scene_focus(scene, &side);
    struct edge_query query = {
        .attention = scene->data.mean ? scene->data.mean : scene->data.attention,
        .layer = scene->data.mean ? 0 : scene->look.layer,
        .heads = scene->data.mean && scene->look.heads == 0 ? 0 : scene_maps(scene),
        .from = scene_range(scene, SIDE_LEFT),
        .to = scene_range(scene, SIDE_RIGHT),
        .tone = scene->look.tone,
        .once = focus == NO_TOKEN && scene_pairs_once(scene),
    };
    if (focus != NO_TOKEN && side == SIDE_LEFT)
        query.from = only(focus);
    if (focus != NO_TOKEN && side == SIDE_RIGHT)
        query.to = only(focus);
    return query;
}

/* Whether an edge is from a word to another one, or between two letters far enough apart. In
 * cross-attention no token is on both sides. */
static bool is_between_words(const struct scene *scene, size_t from, size_t to)
{
    const struct token_list *sides = scene->data.attention->tokens;
    const size_t left = sides[SIDE_LEFT].of[from].first, right = sides[SIDE_RIGHT].of[to].first;
    const char *label = side_of(scene, SIDE_LEFT)->labels[sides[SIDE_LEFT].of[from].end - 1];
    const bool itself = left == right && !encoded_is_crossed(scene->data.encoded);
    if (map_infos[scene->data.map->kind].pairs == PAIRS_OF_LETTERS)
        return size_max(left, right) - size_min(left, right) >= LETTERS_APART;
    return !itself && !is_sink(scene, SIDE_LEFT, from) && !is_sink(scene, SIDE_RIGHT, to) &&
           !words_is_punctuation(label) && !words_is_punctuation(sides[SIDE_RIGHT].labels[to]);
}

/* The heaviest of a query's edges between words, from run to run of such. */
static bool strongest_between_words(const struct scene *scene, struct edge_query query,
                                    struct edge *edge)
{
    const struct token_range rows = query.from, columns = query.to;
    bool found = false;
    struct edge next;
    for (size_t from = rows.first; from < rows.end; from++) {
        query.from = only(from);
        for (size_t to = columns.first; to < columns.end; to = query.to.end + 1) {
            query.to = (struct token_range){to, to};
            while (query.to.end < columns.end && is_between_words(scene, from, query.to.end))
                query.to.end++;
            if (edges_strongest(&query, &next) && (!found || next.weight > edge->weight)) {
                *edge = next;
                found = true;
            }
        }
    }
    return found;
}

/* Chosen tokens narrow the edges further than the focus does: with a pair only that one is left.
 * Without any, the edge should be one that is drawn, so it isn't light. */
bool scene_current_edge(const struct scene *scene, struct edge *edge)
{
    struct edge_query query = scene_edges(scene);
    if (scene->look.from == NO_TOKEN && scene->look.to == NO_TOKEN &&
        strongest_between_words(scene, query, edge) && edge->weight >= EDGE_MIN &&
        edge->weight >= scene->look.threshold)
        return true;
    if (scene->look.from != NO_TOKEN)
        query.from = only(scene->look.from);
    if (scene->look.to != NO_TOKEN)
        query.to = only(scene->look.to);
    return edges_strongest(&query, edge);
}

/* As scene_current_edge with no token chosen, but for a light one. */
size_t scene_query(const struct scene *scene)
{
    struct edge edge;
    if (scene->look.to != NO_TOKEN)
        return scene_current_edge(scene, &edge) ? edge.from : scene_first_word(scene, SIDE_LEFT);
    bool found = strongest_between_words(scene, scene_edges(scene), &edge);
    return found && edge.weight >= EDGE_MIN ? edge.from : scene_first_word(scene, SIDE_LEFT);
}

/* A threshold of the user's replaces every other limit. `detail` is in halves of a power of two.
 * Many heads get more lines than one, whose weights can be seen. Tones by row have no least weight,
 * as each row has a line to show. */
struct pair_limits scene_limits(const struct scene *scene)
{
    enum side side;
    const bool focused = scene_focus(scene, &side) != NO_TOKEN,
               alone = !scene->data.mean && head_mask_count(scene_maps(scene)) == 1;
    const double factor = pow(2, scene->look.detail / 2.0);
    const double least = alone && scene->look.tone != TONE_ROW ? EDGE_MIN / factor : 1;
    const double each = (alone ? EDGES_ALONE : EDGES_A_TOKEN) * factor;
    struct edge_limits edges = {(unsigned)fmin(fmax(least, 1), EDGE_WHOLE),
                                (size_t)(each * (double)scene_count(scene, SIDE_LEFT))};
    if (scene->look.threshold > 0)
        return (struct pair_limits){.edges = {scene->look.threshold, SIZE_MAX}};
    if (focused)
        edges = (struct edge_limits){EDGE_MIN_FOCUS, (size_t)(EDGES_FOCUS * factor)};
    return (struct pair_limits){.edges = edges,
                                .each = !focused,
                                .pinned = scene_is_pinned(scene),
                                .from = scene->look.from,
                                .to = scene->look.to};
}

/* A single map has the hue of text, a signed one the two hues of signs. */
struct heat scene_heat(const struct scene *scene, size_t head)
{
    return (struct heat){.attended = scene_count(scene, SIDE_RIGHT),
                         .attention = scene->data.attention,
                         .layer = scene->look.layer,
                         .hue = map_infos[scene->data.map->kind].is_signed ? HEAT_OF_SIGNS
                                : scene_is_single(scene)                   ? HEAT_OF_TEXT
                                                                           : HEAT_OF_HEAD,
                         .head = head,
                         .tone = scene->look.tone,
                         .from = scene_range(scene, SIDE_LEFT),
                         .to = scene_range(scene, SIDE_RIGHT),
                         .on = head_mask_has(scene->look.heads, head)};
}

bool scene_is_generated(const struct scene *scene, enum side side, size_t token)
{
    const struct encoded *encoded = scene->data.encoded;
    return (side == SIDE_LEFT || !encoded_is_crossed(encoded)) &&
           scene->data.attention->tokens[side].of[token].first >= encoded_given(encoded);
}

/* Chosen comes before found, and found before what the model doesn't see as it stands there. */
struct style scene_label_style(const struct scene *scene, enum side side, size_t token,
                               enum role plain)
{
    if (token == scene_token(scene, side))
        return style_marked(side == scene->look.side ? ROLE_CURSOR : ROLE_PINNED);
    if (scene_is_found(scene, side, token))
        return style_bold(ROLE_WARNING);
    const struct encoded *encoded = scene->data.encoded;
    const size_t piece = scene_piece(scene, side, token);
    const bool read = side == SIDE_LEFT || !encoded_is_crossed(encoded); /* by this stack */
    if (scene_is_hidden(scene, side, token) || (read && encoded_is_unknown(encoded, piece)))
        return style_of(ROLE_FAINT);
    return scene_is_generated(scene, side, token) ? style_bold(ROLE_TITLE) : style_of(plain);
}

/* Both sides share it, so that the lines between them have the same room left and right. */
int scene_label_width(const struct scene *scene, const struct canvas *canvas, int limit)
{
    int widest = 4;
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
        for (size_t i = 0; i < scene_count(scene, side); i++)
            widest = int_max(widest, canvas_width(canvas, scene_drawn(scene, side, i).text));
    return canvas->bare ? widest : int_min(widest, limit);
}
