/* text_rows.h: a text on its way into a survey: what survey_prepare finds and survey_add_head
 * reads. */
#pragma once

#include "headlight/survey/survey.h"

#define NO_INDEX SIZE_MAX

/* A word of the text. */
struct word {
    size_t begin, end; /* bytes of its text */
    uint8_t sentence;
    size_t pieces;
    size_t pos;  /* of the text's; NO_INDEX if not given */
    bool linked; /* of a target: the file has links of it */
};

struct pair {
    size_t dependent, head; /* words */
    struct survey_row *relation;
};

enum link { LINK_NONE, LINK_POSSIBLE, LINK_SURE };

struct text_rows {
    struct text_rows
        *attended; /* what its tokens attend to: itself, or the source, which it frees */
    size_t tokens, word_count; /* T N */
    size_t before;             /* words of the source, where the tokens are of its target */
    const struct encoding *encoding;
    bool *separators; /* [T] */
    size_t *first; /* [T] the first token of the same word piece, if it is there twice; NO_INDEX */
    struct survey_row **piece; /* [T]; NULL: an added token */
    size_t *word; /* [T+1]; NO_WORD, also behind the last: a decoder's row says the next one's */
    struct word *words;       /* [N] */
    struct survey_row **pos;  /* [P] parts of speech in the text, */
    struct survey_row **mass; /* [P,P] and what is between them */
    size_t pos_count;
    struct pair *pairs;
    size_t pair_count;
    size_t repeated, induced; /* tokens that `same` and `induction` are of, */
    size_t beside;            /* and `same` beside the first token */
    bool past;                /* they see only those before them, and so no next one */
    struct survey_row *text;
    uint8_t *links;      /* [N,M] of a target, to the source's words; else NULL: enum link, */
    size_t linked, sure; /* words of which it has some, and the sure ones of all links */
};

/* What a text is like without a survey: its words, and the word of each token; no names are looked
 * for. STATUS_MEMORY. Free with text_rows_free, which accepts NULL. */
enum status survey_describe(const struct corpus_text *text, const struct tokenizer *tokenizer,
                            const struct encoding *encoding, struct text_rows **rows,
                            struct error *error);
void text_rows_free(struct text_rows *rows);

/* The row of the text in the survey; `marked`: with a newline for a blank in a word. */
enum status survey_keep(struct survey *survey, const struct corpus_text *text, bool marked,
                        struct survey_row **row, struct error *error);

/* Counts a relation or part of speech; of no name, *row is NULL. STATUS_MEMORY, STATUS_LIMIT. */
enum status survey_count_name(struct survey *survey, enum survey_kind kind, struct text name,
                              struct survey_row **row, struct error *error);

/* Counts it in the first shard. */
void survey_count_text(struct survey *survey, const struct corpus_text *text,
                       const struct text_rows *rows);

/* Half to even: what lies above 2^52 has no bits below 1. Far quicker than llrint, which is called.
 */
static inline int64_t survey_units(double number)
{
    const double large = 0x1.8p52, shifted = number * SURVEY_UNIT + large;
    return (int64_t)(shifted - large);
}

/* Adds to a pair (survey.h). False if the sum doesn't fit. */
bool survey_add_pair(int64_t pair[2], int64_t whole, int64_t fraction);

/* Adds to the figure of a head, of all, its sum in a text over so many rows. */
void survey_add_figure(struct survey *survey, enum metric figure, size_t head, double sum,
                       size_t rows);

/* How many tokens a figure is of. */
size_t survey_rows_of(const struct text_rows *rows, enum metric figure);
