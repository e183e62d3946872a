/* sentence.h: what a picture shows, in an English sentence: "Links the same word in both sentences
 * (0.630)". Each view has a function that says its own (views.h, says), made of these pieces. The
 * numbers are those that the view prints, with as many digits. And the pieces of the line of
 * numbers below it (caption.c): "flies → like   0.447   layer 2 head 3". */
#pragma once

#include "headlight/view/scene.h"

/* The most weights that are measured for a frame: a head of 256 tokens, in half a millisecond. */
#define MEASURED_MAX 65536

/* Words may be long: a text that doesn't fit is cut. */
struct sentence {
    bool ascii;
    char text[512];
};

/* Appends to it. */
void sentence_print(struct sentence *sentence, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends words of ours, which begin a sentence with a capital letter; a token stays as it is. */
void sentence_print_words(struct sentence *sentence, const char *words);

/* Appends " (0.480)", or " (under 0.001)". */
void sentence_print_share(struct sentence *sentence, double share);

/* Begins it with a change of the network, "Without positions ". True where nothing is left to say:
 * it has what became of an answer, unless a head was changed and the cursor is on another; or,
 * where nothing is chosen, what the change changed most. */
bool sentence_begin(const struct scene *scene, struct sentence *sentence);

/* What the only head on screen does on this text: "Head 1.3 looks at the word before (0.990)".
 * METRIC_NONE where it is nothing in particular, or the picture is not of that alone: of other
 * numbers, of some of the tokens, or with tokens chosen. */
enum metric sentence_say_head(const struct scene *scene, struct sentence *sentence);

/* The pair of tokens to look at: the one that is chosen, or on a projector the one that the view's
 * sentence names, or all pairs of a kind, such as the same words, if it says that of a head. */
struct named {
    enum metric kind; /* METRIC_PAIR: the one; METRIC_NONE: there is nothing to look at */
    struct edge edge;
};

struct named sentence_names(const struct scene *scene);

/* Whether the edge is that pair, or of that kind: what it measures has its weight. */
bool sentence_is_of(const struct scene *scene, const struct named *named, const struct edge *edge);

/* The edge whose numbers are printed: "Between words, flies₁ looks most at flies₂ (0.752)". */
void sentence_say_edge(const struct scene *scene, struct sentence *sentence);

/* Of a view of heads: what the head does, or else the edge. */
void sentence_say_attention(const struct scene *scene, struct sentence *sentence);

/* ""cat"'s query and "sat"'s key score 3.10; softmax makes it 0.420" */
void sentence_say_score(const struct scene *scene, struct sentence *sentence,
                        const struct edge *edge);

/* What was changed in the network, and what became of an answer: "Without head 3.1 ", ""york" falls
 * from 0.407 to 0.024". The numbers are those of target_shown. */
void sentence_print_change(const struct scene *scene, struct sentence *sentence);
void sentence_print_turn(const struct scene *scene, struct sentence *sentence,
                         const struct target *target, double before, double now);

/* Appends " falls from 0.407 to 0.024", or, NaN before, " is 0.024"; of what is no share with two
 * decimals. */
void sentence_print_rise(struct sentence *sentence, bool share, double before, double now);

/* An answer in a sentence: a word or a span in quotation marks, a label without, a tag with its
 * token: B-PER at "Paris". */
struct target_text {
    char text[160];
};
struct target_text sentence_target(const struct scene *scene, const struct target *target,
                                   bool ascii);

/* What the change of the network changed most; false where it is not changed, or that is not known
 * yet. */
bool sentence_say_change(const struct scene *scene, struct sentence *sentence);

/* What it changed of the answer at a token; false as above, and where that wasn't asked for. */
bool sentence_say_answer(const struct scene *scene, struct sentence *sentence, size_t token);

/* Likewise of how alike the two sentences are, which a change of answer need not be of. */
bool sentence_say_similarity(const struct scene *scene, struct sentence *sentence);

/* What became of the answer without the word of a token: "With "not" removed POSITIVE falls from
 * 0.980 to 0.310; it acts most with "bad" (+0.52)"; false where that is not measured. */
bool sentence_say_without(const struct scene *scene, struct sentence *sentence, size_t token);

/* The name of a token of the trace. One that is hidden in the picture, or that stands in the middle
 * of a word, has only its piece. */
struct token_name sentence_token(const struct scene *scene, size_t token, bool ascii);

/* ---- The line of numbers (caption.c) ---- */

#define CAPTION_GAP 3 /* columns between the pieces of a line */

/* Writes the parts of a legend that there is room for, but empty ones; of those that don't fit only
 * the next is left out if `skips`, else all that follow. */
void caption_parts(struct pen *pen, const char *const *parts, size_t count, bool skips);

/* Writes "flies → like", cut so that `kept` columns remain after it. */
void caption_pair(const struct scene *scene, struct pen *pen, struct style style, size_t from,
                  size_t to, int kept);

/* The same of any two names. Where both don't fit, each gets at least half of the room if it needs
 * that. */
void caption_names(struct pen *pen, struct style style, const char *arrow, const char *from,
                   const char *to, int kept);

/* Writes the edge whose numbers are printed and its weight, called the strongest when no token is
 * chosen, and where it is: "strongest  flies → like   0.447   head 2.3"; labels are cut where that
 * doesn't fit. False: there is none, and why. */
bool caption_edge(const struct scene *scene, struct pen *pen, struct edge *edge);

/* Whether a current edge, with no token chosen, is the strongest between words alone: another one
 * is heavier. */
bool caption_is_between_words(const struct scene *scene, const struct edge *edge);

/* "layer 3 head 5", or what the map is a mean of, where there is room for all of it. */
void caption_place(const struct scene *scene, struct pen *pen, size_t map);

/* "key 1 of 2, heads 4–7" where a head shares its key, and there is room. Whether it shares one. */
bool caption_key(const struct scene *scene, struct pen *pen, size_t head);
