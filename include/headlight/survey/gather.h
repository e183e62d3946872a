/* gather.h: texts on their way into a survey, several of which go through the model together.
 *
 *     gather_begin(checkpoint, &plan, &survey, &error);
 *     gather_new(checkpoint, survey, &gather, &error);
 *     gather_add(gather, text, encoding, NULL, changes, &error);      of every text
 *     gather_end(gather, &error);                      those that still wait
 *     gather_free(gather); */
#pragma once

#include "headlight/model/encoded.h"
#include "headlight/survey/survey.h"

/* What a survey is of, besides its model: the part of a corpus; in words what else decides about
 * the sums, ", sample 100, seed 7", and changes of the network of all texts, which are added to
 * these; and whether it has room for what is asked of each text besides (question_sums.h). */
struct gather_plan {
    const char *corpus;
    uint64_t part, parts;
    const char *options;
    const struct interventions *changes; /* NULL: none */
    bool each_head;
    const struct checkpoint *against; /* NULL: there is no other model */
    bool index;                       /* of no heads: only counts and names */
    enum site site;                   /* of an encoder–decoder, whose heads */
    const struct survey *begun;       /* one of the same, which knows the digests; NULL: none */
};

/* A survey without texts. The digest of the model's files takes a second for each 200 MB.
 * STATUS_MEMORY. */
enum status gather_begin(const struct checkpoint *checkpoint, const struct gather_plan *plan,
                         struct survey **survey, struct error *error);

/* The digest by which a survey knows its tokenizer: of all word pieces, in some milliseconds. */
void gather_digest_pieces(const struct tokenizer *tokenizer, char digest[SHA256_DIGITS + 1]);

/* How a text is read: with special tokens; and if it has more tokens than the model has positions,
 * cut, or whole. Otherwise only models of sentences, which cut texts themselves, read it. */
struct gather_reading {
    bool special, cut, whole;
};

/* A text's tokens, to be freed with free(), and how many it has before it is cut; of an
 * encoder–decoder the source's. STATUS_LIMIT if it is too long, STATUS_FORMAT if it has none;
 * others as tokenizer_encode. And those that the decoder reads of the target. */
enum status gather_encode(const struct checkpoint *checkpoint, const struct corpus_text *text,
                          struct gather_reading how, struct encoding **encoding, size_t *whole,
                          struct error *error);
enum status gather_encode_target(const struct checkpoint *checkpoint,
                                 const struct corpus_text *text, bool special,
                                 struct encoding **target, struct error *error);

struct gather;

/* Checkpoint and survey must outlive it. STATUS_MEMORY. */
enum status gather_new(const struct checkpoint *checkpoint, struct survey *survey,
                       struct gather **gather, struct error *error);

/* Adds a text of the survey's first corpus, with its tokens, which are no more than the model's
 * positions, those of the target if the site is a decoder's, else NULL, and the network's
 * changes for it, NULL: none; the encodings are the gather's from here on. After an error, as those
 * of survey_prepare and batch_run, the survey lacks some heads of some texts: nothing may be
 * written of it. */
enum status gather_add(struct gather *gather, const struct corpus_text *text,
                       struct encoding *encoding, struct encoding *target,
                       const struct interventions *changes, struct error *error);
enum status gather_end(struct gather *gather, struct error *error);

/* Drops what still waits. Accepts NULL. */
void gather_free(struct gather *gather);

/* ---- Bit by bit, to be looked at meanwhile ---- */

/* What is surveyed; the corpus is read from where the survey so far ends. NULL stands for that
 * which is linked into the program, 200 English sentences (assets/corpus). */
#define GATHER_EXAMPLE 200

struct gather_source {
    const struct checkpoint *checkpoint;
    struct corpus *corpus;
    bool special;
    struct interventions changes; /* of all texts */
};

/* *survey becomes one of the texts that follow those of the survey that it is, of one pass, or of
 * the first ones if it is NULL. The caller keeps that survey,
 * to which gather_join adds the other. Errors as gather_add, STATUS_CANCELLED by the watch, which
 * may be NULL; then it is as it was. */
enum status gather_more(const struct gather_source *source, const struct watch *watch,
                        struct survey **survey, struct error *error);

/* Adds what follows and frees it; so once the survey is whole it has the sums of all texts. Where
 * there is none (NULL) the first bit is left, to be one; what belongs to another place or network
 * is only freed. After an error all is as it was. STATUS_MEMORY. */
enum status gather_join(struct survey *survey, struct survey **more, struct error *error);
