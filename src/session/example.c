/* example.c: opens a text of a corpus: of a survey with the head and the two words that it is an
 * example of, or of an index with the token that was found in it.
 * The survey counts words, a trace has their pieces: of several the strongest pair is chosen. */
#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/survey/evidence.h"

#include <stdlib.h>

#define APART 0.02 /* weights that are further apart are of different models */

/* A word of what was opened: in which of the texts it is, and where. */
struct word_span {
    uint8_t sentence;
    size_t start, end;
};

static struct word_span span_of_word(const char *words, size_t number)
{
    const struct text word = evidence_word(words, number);
    const char *tab = memchr(words, '\t', (size_t)(word.bytes - words));
    const size_t start = (size_t)(word.bytes - (tab ? tab + 1 : words));
    return (struct word_span){tab != NULL, start, start + word.length};
}

/* Whether a token is a piece of it: its first byte lies there. */
static bool is_piece(const struct token *token, struct word_span word)
{
    return !token->added && token->sentence == word.sentence && token->span.start >= word.start &&
           token->span.start < word.end;
}

/* The strongest pair of pieces; and between the words, from the mean of pieces to their sum. False
 * where a word left no piece. A target is a text of its own; in cross-attention the rows that say a
 * word of it stand for it, each before the one that reads it. */
static bool find_pair(const struct session *session, size_t *from, size_t *to, double *weight)
{
    const struct opened *opened = &session->opened;
    const struct encoded *shown = session->data.encoded;
    const bool cross = shown->site == SITE_CROSS;
    const struct encoding *left = (cross ? encoded_of_site(shown, SITE_DECODER) : shown)->encoding;
    const struct encoding *right = (cross ? encoded_of_site(shown, SITE_ENCODER) : shown)->encoding;
    const struct look *look = &session->state.look;
    struct word_span words[] = {span_of_word(opened->words, opened->from),
                                span_of_word(opened->words, opened->to)};
    float most = -1;
    double sum = 0;
    size_t pieces = 0, last = NO_TOKEN;
    if (cross || shown->site == SITE_DECODER)
        words[0].sentence = 0;
    if (shown->site == SITE_DECODER)
        words[1].sentence = 0;
    for (size_t i = 0; i < left->count; i++)
        for (size_t j = 0; j < right->count && is_piece(&left->tokens[i], words[0]); j++) {
            if (!is_piece(&right->tokens[j], words[1]))
                continue;
            const float w =
                trace_weight(session->data.trace, look->layer, look->head, i - cross, j);
            sum += (double)w;
            pieces += i != last;
            last = i;
            if (w <= most)
                continue;
            most = w;
            *from = i - cross;
            *to = j;
        }
    *weight = pieces > 0 ? sum / (double)pieces : 0;
    return pieces > 0;
}

/* Whether the text shown is the one that was opened. */
static bool is_shown(const struct encoded *encoded, const char *words)
{
    char *second, *first = evidence_texts(words, &second);
    const bool same = first && strcmp(encoded->texts[0].bytes, first) == 0 &&
                      (second != NULL) == (encoded->text_count > 1) &&
                      (!second || strcmp(encoded->texts[1].bytes, second) == 0);
    free(first);
    return same;
}

/* Frees what is opened and not shown yet. */
static void forget(struct session *session)
{
    free((char *)session->opened.words);
    session->opened.words = NULL;
}

void example_choose(struct session *session)
{
    struct look look = session->state.look;
    const struct opened opened = session->opened;
    size_t from = opened.from, to = NO_TOKEN;
    const bool pair = opened.to != NO_TOKEN;
    double weight = opened.weight;
    if (!opened.words || !session->data.trace || !session->checkpoint ||
        !is_shown(encoded_given_texts(session->data.encoded), opened.words))
        return;
    const bool found = pair ? find_pair(session, &from, &to, &weight) : from < session->data.tokens;
    forget(session);
    if (!found)
        return;
    look.from = attention_shown(session->data.attention, SIDE_LEFT, from);
    look.to = pair ? attention_shown(session->data.attention, SIDE_RIGHT, to) : NO_TOKEN;
    look.side = pair ? SIDE_RIGHT : SIDE_LEFT;
    look.query_found = false;
    derive_show(session, &look);
    if (fabs(weight - opened.weight) > APART)
        session_say(session,
                    "%.3f here, %.3f in the survey: it is of another model or text, or "
                    "changed",
                    weight, opened.weight);
}

unsigned example_open(struct session *session, const struct opened *opened)
{
    const bool listed = session->state.look.found.shown;
    struct scene scene = session_scene(session);
    char why[512];
    if (!session->checkpoint || session->data.lacking[0])
        return session_say(session, "%s",
                           session->data.lacking[0] ? session->data.lacking
                                                    : "a recording has no model to run it");
    if (strlen(opened->words) > TEXT_LIMIT)
        return session_say(session, "%s is too long to be opened", opened->id);
    scene_open_view(&scene, view_of_heads(HEADS_CHOSEN));
    scene.look.from = scene.look.to = NO_TOKEN;
    if (!listed && data_survey(&scene.data)->origin.site)
        scene.look.site = data_survey(&scene.data)->site;
    scene.look.filter = FILTER_ALL;
    scene.look.found.token = NO_TOKEN;
    look_show_alone(&scene.look, scene.look.head);
    if (!derive_show(session, &scene.look))
        return SESSION_REDRAW;
    char *second, *first = evidence_texts(opened->words, &second);
    unsigned bits = SESSION_REDRAW;
    forget(session);
    session->opened = *opened;
    session->opened.words = strdup(opened->words); /* the survey may go on meanwhile */
    if (first && session->opened.words) {
        snprintf(why, sizeof why, "%.400s: Esc goes back to the %s", opened->id,
                 listed ? "list" : "survey");
        const struct text texts[] = {text_of_string(first), text_of_string(second ? second : "")};
        bits = edit_open(session, texts, second ? 2 : 1);
        session_say(session, "%s", why);
    } else {
        bits = session_out_of_memory(session, "the text", strlen(opened->words));
    }
    free(first);
    return bits;
}
