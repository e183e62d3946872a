/* The answers view of classifiers, taggers and models that answer questions: what is on screen are
 * the numbers of the trace, by softmax and sigmoid computed here. */
#include "answers_helpers.h"
#include "model_helpers.h"
#include "suites.h"

#include "headlight/lens/layer_answers.h"
#include "headlight/model/weights.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/view/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT     "she said zurich was happy, naive dog"
#define QUESTION "what sat"
#define CONTEXT  "the cat sat on the mat, tired dog bites the old man."

static struct error error;

static void open_head(const char *name, const char *first, const char *second)
{
    char folder[64];
    snprintf(folder, sizeof folder, "heads/%s", name);
    open_answers(folder, first, second);
}

/* "POSITIVE 0.303", however far apart. */
static bool shows_number(const char *name, double number)
{
    char text[32];
    bool found = false;
    snprintf(text, sizeof text, " %.3f ", number);
    for (int y = 0; y < answers_canvas->rows; y++) {
        const char *at = strstr(view_row(answers_canvas, y), name);
        found |= at && strstr(at, text) != NULL;
    }
    return found;
}

/* w[row][column] of a linear layer, by its columns. */
static double weight(const struct matrix *matrix, size_t columns, size_t row, size_t column)
{
    float number;
    matrix_numbers(matrix, row * columns + column, 1, &number);
    return (double)number;
}

/* On all of the screen. */
static bool screen_shows(int columns, int rows, const char *text)
{
    canvas_free(answers_canvas);
    answers_canvas = drawn(columns, rows);
    return shows(text);
}

static double softmax(const float *logits, size_t count, size_t index)
{
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += exp((double)logits[i]);
    return exp((double)logits[index]) / total;
}

/* ---- Classes ---- */

static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};

TESTS(.end = end_answers);

TEST(classes_have_the_probabilities_of_the_trace, .times = 3)
{
    open_answers("heads/seq-roberta", TEXT, NULL);
    const float *logits = session.data.trace->outputs[OUTPUT_CLASSES];
    const struct labels *labels = model_labels(checkpoint.model);
    redraw(sizes[_i][0], sizes[_i][1]);
    ck_assert(shows("softmax: all labels make 1"));
    for (size_t i = 0; i < 3; i++)
        ck_assert(shows_number(labels->names[i], softmax(logits, 3, i)));
}

TEST(several_labels_are_each_a_sigmoid)
{
    open_answers("heads/seq-bert-multilabel", TEXT, NULL);
    const float *logits = session.data.trace->outputs[OUTPUT_CLASSES];
    const struct labels *labels = model_labels(checkpoint.model);
    redraw(80, 24);
    ck_assert(shows("sigmoid: each label by itself"));
    for (size_t i = 0; i < 4; i++)
        ck_assert(shows_number(labels->names[i], 1 / (1 + exp(-(double)logits[i]))));
}

/* Each of the five, in all shapes of head that a family may have: what the head says of the last
 * layer's rows is what the pass has said. */
TEST(the_last_layer_says_what_the_model_says, .times = 5)
{
    static const char *const heads[] = {"seq-bert", "seq-roberta", "seq-modernbert-mean",
                                        "seq-modernbert-cls", "seq-deberta"};
    open_head(heads[_i], TEXT, NULL);
    const struct trace *trace = session.data.trace;
    const size_t T = trace->tokens, H = trace->hidden, last = trace->layers - 1;
    struct head_rows *rows;
    assert_ok(forward_head_prepare(checkpoint.model, OUTPUT_CLASSES, T, &rows, &error), error);
    rows->count = T;
    memcpy(rows->hidden, trace->layer[last].output, T * H * sizeof *rows->hidden);
    assert_ok(forward_head(checkpoint.model, trace->tokens, rows, &error), error);
    for (size_t i = 0; i < trace->labels; i++)
        ck_assert_float_eq_tol(rows->logits[i], trace->outputs[OUTPUT_CLASSES][i], 1e-4F);
    free(rows);
    ck_assert_uint_eq(session.data.layer_answers->after[last]->scores[0].label,
                      session.data.layer_answers->answer->scores[0].label);
}

/* Of the first layer, by the head's weights as they are. */
TEST(a_layer_says_what_the_head_makes_of_it)
{
    open_answers("heads/seq-bert", TEXT, NULL);
    const struct trace *trace = session.data.trace;
    const struct head_weights *head = &model_weights(checkpoint.model)->heads[OUTPUT_CLASSES];
    const float *x = trace->layer[0].output;
    float logits[2];
    double pooled[64];
    for (size_t i = 0; i < trace->hidden; i++) {
        pooled[i] = (double)head->dense.bias[i];
        for (size_t j = 0; j < trace->hidden; j++)
            pooled[i] += weight(&head->dense.weight, trace->hidden, i, j) * (double)x[j];
        pooled[i] = tanh(pooled[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        double sum = (double)head->decoder.bias[i];
        for (size_t j = 0; j < trace->hidden; j++)
            sum += weight(&head->decoder.weight, trace->hidden, i, j) * pooled[j];
        logits[i] = (float)sum;
    }
    const struct class_score *best = session.data.layer_answers->after[0]->scores;
    ck_assert_double_eq_tol(best->score, softmax(logits, 2, best->label), 1e-5);
    type_and_wait("Down");
    redraw(80, 24);
    ck_assert(shows("after layer 0"));
    ck_assert(shows_number("NEGATIVE", softmax(logits, 2, 0)));
    ck_assert(shows_number("POSITIVE", softmax(logits, 2, 1)));
}

TEST(a_single_score_is_a_gauge)
{
    char score[32];
    open_answers("heads/seq-bert-regression", TEXT, NULL);
    const double logit = (double)session.data.trace->outputs[OUTPUT_CLASSES][0];
    redraw(80, 24);
    snprintf(score, sizeof score, "score %.2f", logit);
    ck_assert(shows(score));
    ck_assert(shows("raw scores, a whole bar is 5"));
    ck_assert(shows("-5 "));
    ck_assert(logit < 0 && shows("█ ")); /* as the gauge's, its bar ends in the middle */
    ck_assert(!shows("Enter labels"));
}

TEST(pairs_of_a_span_say_the_way_back)
{
    open_answers("heads/qa-bert", "was she happy?", "she said Z\u00fcrich was happy");
    type_and_wait("O Right");
    assert_ok(request_rest(&session, &error), error);
    redraw(80, 24);
    ck_assert(shows("hidden: log p(\"Z\u00fcrich was happy\")   pair: beyond the sum   Esc: back"));
    redraw(60, 24);
    ck_assert(shows("pair: beyond the sum   Esc: back"));
    redraw(120, 40);
    ck_assert(shows("the question and the text   hidden: log p("));
}

TEST(before_a_change_stands_beside_now)
{
    char row[64];
    open_answers("heads/seq-bert", TEXT, NULL);
    const double before = softmax(session.data.trace->outputs[OUTPUT_CLASSES], 2, 0);
    type_and_wait("1 z z Esc");
    assert_ok(request_rest(&session, &error), error);
    const double now = softmax(session.data.trace->outputs[OUTPUT_CLASSES], 2, 0);
    ck_assert_double_gt(fabs(now - before), 1e-3);
    redraw(80, 24);
    snprintf(row, sizeof row, "NEGATIVE %.3f ← %.3f", now, before);
    ck_assert_msg(shows(row), "%s", row);
}

/* Keys choose a label, which never goes into the text. */
TEST(enter_leads_into_the_labels)
{
    open_answers("heads/seq-roberta", TEXT, NULL);
    type_and_wait("Enter");
    ck_assert_uint_eq(session.state.look.answer,
                      session.data.layer_answers->answer->scores[0].label);
    type_and_wait("Down Enter");
    ck_assert_uint_eq(session.state.look.answer,
                      session.data.layer_answers->answer->scores[2].label);
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), TEXT);
    type_and_wait("Esc");
    ck_assert_uint_eq(session.state.look.answer, NO_TOKEN);
}

/* ---- Labels are anybody's ---- */

TEST(labels_never_reach_the_terminal_as_they_are, .times = 6)
{
    static const char *const names[] = {
        "\x1b[31mred\a\n\xE2\x80\xAE",
        "a label that is so long that it has no room at all on any screen that is not very wide",
        "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97"};
    static const char *const folders[] = {"seq-roberta", "ner-bert"};
    char said[64];
    open_head(folders[_i / 3], TEXT, NULL);
    const struct labels *labels = model_labels(checkpoint.model);
    for (size_t i = 0; i < labels->count; i++)
        labels->names[i] = names[i % 3];
    redraw(sizes[_i % 3][0], sizes[_i % 3][1]);
    for (int i = 0; i < answers_canvas->columns * answers_canvas->rows; i++)
        ck_assert(answers_canvas->cells[i].width == 0 ||
                  (unsigned char)answers_canvas->cells[i].text[0] >= ' ');
    ck_assert(shows("…"));
    struct scene scene = session_scene(&session);
    for (int columns = 40; columns < 130; columns += 11)
        for (int rows = _i < 3 ? 3 : 9; rows < 30; rows += 4)
            view_check_inside(draw_answers, &scene, columns, rows, 0);
    view_check_inside_as(draw_answers, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
    answers_say(&scene, said, sizeof said);
    ck_assert_uint_gt(strlen(said), 0);
}

TEST(of_many_labels_it_says_how_many_more)
{
    open_answers("heads/seq-bert-multilabel", TEXT, NULL);
    redraw(80, 8);
    ck_assert(shows("more labels"));
}

/* ---- Tags ---- */

TEST(tags_have_the_probabilities_of_the_trace, .times = 3)
{
    open_answers("heads/ner-bert", TEXT, NULL);
    const struct trace *trace = session.data.trace;
    const struct labels *labels = model_labels(checkpoint.model);
    const size_t C = labels->count;
    redraw(sizes[_i][0], sizes[_i][1]);
    for (size_t token = 0; token < trace->tokens; token++) {
        const float *logits = trace->outputs[OUTPUT_TAGS] + token * C;
        const struct lens_cell *cell =
            &session.data.lens[(trace->layers - 1) * trace->tokens + token];
        ck_assert_uint_eq(cell->count, C < LENS_BEST ? C : LENS_BEST);
        for (size_t i = 0; i < cell->count; i++)
            ck_assert_double_eq_tol(exp(cell->best[i].logprob),
                                    softmax(logits, C, (size_t)cell->best[i].id), 1e-6);
        if (token == session.state.look.from)
            for (size_t i = 0; i < 5; i++)
                ck_assert(shows_number(labels->names[cell->best[i].id],
                                       softmax(logits, C, (size_t)cell->best[i].id)));
    }
}

TEST(groups_stand_above_their_tokens)
{
    char group[64];
    open_answers("heads/ner-bert", TEXT, NULL);
    redraw(200, 60);
    const struct answer *answer = session.data.layer_answers->answer;
    ck_assert_uint_gt(answer->group_count, 1);
    for (size_t i = 0; i < answer->group_count; i++) {
        snprintf(group, sizeof group, "[%s", answer->groups[i].name);
        ck_assert_msg(shows(group), "%s", group);
    }
    ck_assert(shows("MISC 0.53"));
}

TEST(a_layer_tags_too)
{
    open_answers("heads/ner-bert", TEXT, NULL);
    type_and_wait("Down Right");
    redraw(80, 24);
    ck_assert(shows("after layer 0"));
    type_and_wait("Enter Enter");
    ck_assert_str_eq(texts_at(&session.state.source.texts, 0), TEXT);
    char said[256];
    struct scene scene = session_scene(&session);
    ck_assert(view_sentence(&scene, false, said, sizeof said));
    ck_assert_msg(strncmp(said, "For \"said\" layer 0 says \"", 25) == 0, "%s", said);
}

/* ---- Spans ---- */

TEST(a_span_has_its_score_and_its_text, .times = 3)
{
    open_answers("heads/qa-bert", QUESTION, CONTEXT);
    redraw(sizes[_i][0], sizes[_i][1]);
    ck_assert(shows_number("sat on the", 0.004513593856245279)); /* Hugging Face's */
    ck_assert(shows_number("no answer", session.data.layer_answers->answer->none));
    const struct encoding *encoding = session.data.encoded->encoding;
    double *p = malloc(encoding->count * sizeof *p), total = 0;
    answer_span_shares(encoding, session.data.trace->outputs[OUTPUT_START], p);
    for (size_t i = 0; i < encoding->count; i++) {
        total += p[i];
        ck_assert(p[i] <= 0 || i == 0 || encoding->tokens[i].sentence == 1);
    }
    ck_assert_double_eq_tol(total, 1, 1e-12);
    free(p);
    ck_assert(shows("starts") && shows("ends"));
}

TEST(a_question_alone_has_no_answer)
{
    open_answers("heads/qa-bert", QUESTION, NULL);
    redraw(80, 24);
    ck_assert(shows("without a text to answer it"));
    char said[256];
    struct scene scene = session_scene(&session);
    ck_assert(!view_sentence(&scene, false, said, sizeof said));
    type_and_wait("Enter Down Up P");
    ck_assert(screen_shows(80, 24, "without a text to answer it"));
}

/* ---- Sentences ---- */

/* On both sides the parts on screen, with the bias, make the value. */
TEST(the_parts_of_a_row_make_the_cosine, .times = 3)
{
    static const char *const folders[] = {"st-bert-mean", "st-modernbert", "st-bert-last"};
    char text[64];
    open_head(folders[_i], "time flies like an arrow", "she said it");
    assert_ok(request_rest(&session, &error), error);
    const struct sentence_pair *alike = session.data.alike;
    redraw(200, 60);
    snprintf(text, sizeof text, "cosine %.3f", alike->value);
    ck_assert(shows(text));
    for (size_t side = 0; side < 2; side++) {
        const char *name = side == 0 ? "of A" : "of B";
        double sum = alike->rest[side];
        for (int y = 0; y < answers_canvas->rows; y++) {
            const char *at = strstr(view_row(answers_canvas, y), name);
            for (char *end; at && strpbrk(at, "+-"); at = end)
                sum += strtod(strpbrk(at, "+-"), &end);
        }
        ck_assert_double_eq_tol(sum, alike->value, 0.005 * 8);
    }
    snprintf(text, sizeof text, "cosine %.2f", alike->value);
    ck_assert(screen_shows(120, 40, text));
}

/* What was cut off has no part, and the token that closes the sentence keeps its own. */
TEST(what_was_cut_off_has_no_part)
{
    char text[32];
    open_answers("heads/st-mpnet", "time flies like an arrow", "she said it");
    assert_ok(request_rest(&session, &error), error);
    const struct sentence_pair *alike = session.data.alike;
    ck_assert_uint_eq(alike->encoded[0]->encoding->count, 6);
    redraw(120, 40);
    for (int y = 0; y < answers_canvas->rows; y++) {
        const char *row = view_row(answers_canvas, y), *tokens = strstr(row, "arrow");
        if (!tokens)
            continue;
        const size_t arrow = (size_t)(tokens - row);
        snprintf(text, sizeof text, "%.6s", view_row(answers_canvas, y + 1) + arrow);
        ck_assert_msg(strspn(text, " ") == 6, "%s", text);
        snprintf(text, sizeof text, "%+.2f", alike->parts[0][5]);
        ck_assert_ptr_nonnull(strstr(view_row(answers_canvas, y + 1) + arrow, text));
        return;
    }
    ck_abort_msg("no arrow");
}

TEST(a_text_alone_has_a_vector)
{
    open_answers("heads/st-bert-concat", "time flies like an arrow", NULL);
    redraw(120, 40);
    ck_assert(shows("pooling cls+max+mean (as its files say)   a dense layer   24 numbers"));
    ck_assert(shows("a second text, to compare the two"));
}

/* ---- Words ---- */

/* In each kind of answer, below the tokens, as they were measured. */
TEST(each_word_has_its_effect, .times = 4)
{
    static const char *const folders[] = {"seq-bert", "ner-bert", "qa-bert", "st-bert-mean"};
    char text[32];
    open_head(folders[_i], _i >= 2 ? QUESTION : TEXT, _i >= 2 ? CONTEXT : NULL);
    type_and_wait("O");
    assert_ok(request_rest(&session, &error), error);
    ck_assert_str_eq(session.message, "");
    const struct word_effects *effects = session.data.word_effects;
    ck_assert_ptr_nonnull(effects);
    redraw(200, 60);
    ck_assert(shows(_i == 3 ? "each word hidden: change of the cosine"
                            : "each word hidden: change of log p("));
    for (size_t i = 0; i < effects->count; i++) {
        const double change = effects->words[i].change;
        snprintf(text, sizeof text, " %+.2f ", fabs(change) < 0.005 ? 0 : change);
        ck_assert_msg(isnan(effects->words[i].change) || shows(text), "%s", text);
    }
    type_and_wait("O O O");
    assert_ok(request_rest(&session, &error), error);
    redraw(200, 60);
    ck_assert(!shows("without"));
}

/* Whether the row of a name has a number. */
static bool row_shows(const char *name, const char *text)
{
    for (int y = 0; y < answers_canvas->rows; y++) {
        const char *row = view_row(answers_canvas, y);
        if (strncmp(row + strspn(row, " "), name, strlen(name)) == 0 && strstr(row, text))
            return true;
    }
    return false;
}

/* With a word chosen, of the whole answer, or attended, of an answer at a token; Esc goes back. */
TEST(each_pair_has_its_number, .times = 4)
{
    static const char *const folders[] = {"seq-bert", "ner-bert", "qa-bert", "st-bert-mean"};
    const char *values[FIELD_COUNT] = {[FIELD_SELECT] = "2", [FIELD_WITHOUT] = "masked"};
    char text[32];
    values[FIELD_ATTENDED] = _i == 1 ? "3" : NULL;
    open_head(folders[_i], _i >= 2 ? QUESTION : TEXT, _i >= 2 ? CONTEXT : NULL);
    assert_ok(fields_apply_look(&session, values, NULL, &error), error);
    redraw(200, 60);
    ck_assert(!row_shows("pair", "with")); /* nothing is measured yet */
    assert_ok(request_rest(&session, &error), error);
    redraw(200, 60);
    const struct word_effects *effects = session.data.word_effects;
    ck_assert_uint_eq(effects->paired, word_effects_at(effects, _i == 1 ? 3 : 2));
    ck_assert(row_shows("pair", "with") && shows("pair: beyond the sum   Esc: back"));
    for (size_t i = 0; i < effects->count; i++) {
        const double pair = effects->words[i].pair;
        snprintf(text, sizeof text, " %+.2f ", fabs(pair) < 0.005 ? 0 : pair);
        ck_assert_msg(isnan(pair) == (i == effects->paired) &&
                          (isnan(pair) || row_shows("pair", text)),
                      "%s", text);
    }
    session.state.look.from = session.data.tokens - 2; /* another word's, once they are measured */
    redraw(200, 60);
    ck_assert(_i == 1 || (row_shows("pair", "with") && !row_shows("pair", ".")));
    type_and_wait("Esc");
    redraw(200, 60);
    ck_assert(!row_shows("pair", "") && row_shows("without", "."));
}

/* ---- Around it ---- */

TEST(the_answer_is_above_every_view, .times = 4 * VIEW_COUNT)
{
    static const struct {
        const char *folder, *first, *second, *said;
    } cases[] = {{"seq-bert", TEXT, NULL, "NEGATIVE 0.70"},
                 {"seq-bert-regression", TEXT, NULL, "score -2.59"},
                 {"ner-bert", TEXT, NULL, "5 MISC, 2 PER"},
                 {"qa-bert", QUESTION, CONTEXT, "no answer 0.43"}};
    open_head(cases[_i / VIEW_COUNT].folder, cases[_i / VIEW_COUNT].first,
              cases[_i / VIEW_COUNT].second);
    session_set_view(&session, (enum view_kind)(_i % VIEW_COUNT));
    ck_assert(screen_shows(120, 40, cases[_i / VIEW_COUNT].said));
}

TEST(only_what_it_says_can_be_asked_for)
{
    const char *values[FIELD_COUNT] = {[FIELD_ANSWERS] = "tags"};
    open_answers("heads/seq-bert", TEXT, NULL);
    ck_assert_int_eq(fields_apply_look(&session, values, NULL, &error), STATUS_USAGE);
    ck_assert_str_eq(error.message,
                     "--answers tags: expected what this model says: this checkpoint answers with "
                     "classes (NEGATIVE, POSITIVE); words need a masked-word head");
    values[FIELD_ANSWERS] = "classes";
    assert_ok(fields_apply_look(&session, values, NULL, &error), error);
}

/* A masked-word model in a folder that says how sentences are pooled. */
TEST(of_several_answers_x_goes_to_the_next)
{
    static const char *const files[] = {"config.json", "model.safetensors", "vocab.json",
                                        "merges.txt"};
    static const char modules[] =
        "[{\"idx\":0,\"path\":\"\",\"type\":\"sentence_transformers.models.Transformer\"},"
        "{\"idx\":1,\"path\":\"Pooling\",\"type\":\"sentence_transformers.models.Pooling\"}]";
    static const char pooling[] = "{\"pooling_mode_cls_token\":true}";
    struct folder folder, inside;
    folder_make(&folder);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        folder_copy(&folder, "tests/vectors/families/roberta", files[i]);
    folder_write(&folder, "modules.json", modules, strlen(modules));
    inside = folder_below(&folder, "Pooling");
    ck_assert_int_eq(mkdir(inside.path, 0700), 0);
    folder_write(&inside, "config.json", pooling, strlen(pooling));
    assert_ok(checkpoint_open(&checkpoint, folder.path, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "time flies", NULL);
    session_set_view(&session, VIEW_ANSWERS);
    assert_ok(request_rest(&session, &error), error);
    redraw(80, 24);
    ck_assert(shows("words   sentence   x the next answer"));
    ck_assert(shows("the likeliest word after each layer"));
    type_and_wait("x");
    redraw(80, 24);
    ck_assert(shows("pooling cls"));
    const struct target_source one = target_source_of(checkpoint.model, session.data.encoded, NULL);
    struct target cosine = {.output = OUTPUT_SENTENCE};
    assert_fails(target_ask(&one, &cosine, &(double){0}, &error), STATUS_UNSUPPORTED,
                 "expected two texts", error);
    type_and_wait("x");
    redraw(80, 24);
    ck_assert(shows("the likeliest word after each layer"));
    folder_remove(&inside);
    folder_remove(&folder);
}
