/* formula_words.c: formulas of what the model says: of words, and whether sentences follow. */
#include "headlight/lens/predict.h"
#include "headlight/lesson/formula_parts.h"
#include "headlight/model/forward.h"
#include "headlight/text/words.h"
#include "headlight/view/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Logits of one token ---- */

struct spoken {
    size_t token; /* of the trace */
    struct word_rows *rows;
    const float *logits; /* [V] in the trace, or in the rows */
    double total;        /* predict.h */
};

/* Those of the trace, where nobody computed them those of this token alone. */
static enum status ask_model(const struct asked *asked, struct spoken *spoken, struct error *error)
{
    const struct model *model = asked->scene.data.checkpoint->model;
    const struct trace *trace = asked->trace;
    const size_t H = trace->hidden;
    if (trace_words(trace)) {
        spoken->logits = trace_words(trace) + spoken->token * trace->vocabulary;
        return STATUS_OK;
    }
    if (forward_words_prepare(model, 1, &spoken->rows, error) != STATUS_OK)
        return error->status;
    memcpy(spoken->rows->hidden, trace->layer[trace->layers - 1].output + spoken->token * H,
           H * sizeof *spoken->rows->hidden);
    spoken->rows->count = 1;
    spoken->logits = spoken->rows->logits;
    return forward_words(model, trace->computed.precise, spoken->rows, error);
}

/* Ends with free(spoken->rows), whatever it returns. */
static bool listen(const struct asked *asked, struct spoken *spoken, struct formula_value *value)
{
    struct token_range pieces;
    struct error error;
    *spoken = (struct spoken){.rows = NULL};
    if (asked->scene.data.speechless[0]) {
        formula_say_unknown(value, "%s", asked->scene.data.speechless);
        return false;
    }
    if (!formula_find(asked, asked->formula->a, SIDE_LEFT, &pieces, value))
        return false;
    spoken->token = pieces.first;
    if (ask_model(asked, spoken, &error) != STATUS_OK) {
        formula_say_unknown(value, "%s", error.message);
        return false;
    }
    spoken->total = predict_total(spoken->logits, asked->trace->vocabulary, NULL);
    return true;
}

/* ---- Words of the vocabulary ---- */

/* The one piece that a text is read as. */
static int32_t read_as_one(const struct tokenizer *tokenizer, const char *text)
{
    const struct text word = {text, strlen(text)};
    struct encoding *encoding;
    struct error error;
    int32_t id = -1;
    if (tokenizer_encode(tokenizer, &word, 1, false, &encoding, &error) != STATUS_OK)
        return -1;
    if (encoding->count == 1 && encoding->tokens[0].id != tokenizer_unknown(tokenizer))
        id = encoding->tokens[0].id;
    free(encoding);
    return id;
}

/* As a text has it behind a blank, "Ġmat" for "mat", or else as the vocabulary has it. */
static bool find_piece(const struct asked *asked, int32_t *id, struct formula_value *value)
{
    const struct tokenizer *tokenizer = asked->scene.data.checkpoint->tokenizer;
    const char *word = asked->formula->word;
    char text[FORMULA_NAME + 1] = " ";
    strcat(text, word);
    *id = read_as_one(tokenizer, text);
    if (*id < 0)
        *id = tokenizer_find(tokenizer, word);
    if (*id >= 0 && (size_t)*id < asked->trace->vocabulary)
        return true;
    formula_say_unknown(value, "\"%s\" is no piece of the vocabulary", word);
    return false;
}

/* A piece as a word of a sentence: without the mark of the blank before it. */
static void say_piece(const struct scene *scene, int32_t id, struct formula_value *value)
{
    const char *label = words_piece(scene, id);
    const char *plain = words_part(label, false, WORD_MARKS_BEGIN);
    formula_say_word(value, *plain ? plain : label);
}

/* ---- What it says ---- */

void formula_p(const struct asked *asked, struct formula_value *value)
{
    struct spoken spoken;
    struct prediction best;
    int32_t id;
    if (!listen(asked, &spoken, value))
        ;
    else if (asked->formula->word[0] == '\0')
        formula_say_share(
            value, predict_best(spoken.logits, asked->trace->vocabulary, spoken.total, &best, 1) > 0
                       ? exp(best.logprob)
                       : 0);
    else if (find_piece(asked, &id, value))
        formula_say_share(value, exp((double)spoken.logits[id] - spoken.total));
    free(spoken.rows);
}

void formula_rank(const struct asked *asked, struct formula_value *value)
{
    struct spoken spoken;
    int32_t id;
    if (listen(asked, &spoken, value) && find_piece(asked, &id, value))
        formula_say_count(value, predict_rank(spoken.logits, asked->trace->vocabulary, (size_t)id));
    free(spoken.rows);
}

void formula_guess(const struct asked *asked, struct formula_value *value)
{
    struct prediction best[LENS_BEST];
    struct spoken spoken;
    const size_t nth = asked->formula->nth;
    if (!listen(asked, &spoken, value))
        ;
    else if (predict_best(spoken.logits, asked->trace->vocabulary, spoken.total, best, nth) < nth)
        formula_say_unknown(value, "the vocabulary has fewer than %zu pieces", nth);
    else
        say_piece(&asked->scene, best[nth - 1].id, value);
    free(spoken.rows);
}

void formula_next(const struct asked *asked, struct formula_value *value)
{
    const struct token_side *side = &asked->scene.data.encoded->sides[SIDE_LEFT];
    float probability;
    if (side->boundary == side->count)
        formula_say_unknown(value, "there is one sentence");
    else if (!predict_pair(asked->trace, &probability))
        formula_say_unknown(value, "the model doesn't say whether sentences follow each other");
    else
        formula_say_share(value, (double)probability);
}
