/* The page: its data are read back as a browser reads them, and held to the trace; what it may not
 * hold, whatever the text; how large it may be. */
#include "hostile.h"
#include "lesson_helpers.h"
#include "model_helpers.h"
#include "suites.h"
#include "survey_sample.h"
#include "synthetic.h"

#include "headlight/base/bytes.h"
#include "headlight/base/json.h"
#include "headlight/export/page.h"
#include "headlight/model/trace_new.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/survey/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;
static struct checkpoint checkpoint;
static struct session session;
static struct recording *recording;
static char *page;
static size_t length;
static cJSON *json;

static void end(void)
{
    cJSON_Delete(json);
    free(page);
    session_end(&session);
    checkpoint_close(&checkpoint);
    recording_close(recording);
    recording = NULL;
    json = NULL;
    page = NULL;
    session = (struct session){.columns = 0};
    checkpoint = (struct checkpoint){.model = NULL};
}

TESTS(.end = end);

static void open_texts(const char *model, const char *a, const char *b)
{
    const struct text texts[] = {text_of_string(a), text_of_string(b ? b : "")};
    const struct interventions none = {0};
    assert_ok(checkpoint_open(&checkpoint, model, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    assert_ok(session_open(&session, texts, b ? 2 : 1, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

static enum status write_page(struct output output)
{
    output.session = &session;
    FILE *stream = open_memstream(&page, &length);
    ck_assert_ptr_nonnull(stream);
    const enum status status = export_page(&output, stream, &error);
    fclose(stream);
    return status;
}

/* What stands between two marks, of which each must be there once. */
static char *between(const char *begin, const char *close)
{
    const char *at = strstr(page, begin);
    ck_assert_msg(at && !strstr(at + 1, begin), "%s: expected once", begin);
    at += strlen(begin);
    return strndup(at, (size_t)(strstr(at, close) - at));
}

static void read_page(void)
{
    char *data = between("<script type=\"application/json\" id=\"headlight\">", "<");
    assert_ok(json_parse_object(data, strlen(data), "the page", &json, &error), error);
    hostile_check_text(data, strlen(data), "the data");
    free(data);
}

static void make_page(struct output output)
{
    assert_ok(write_page(output), error);
    read_page();
}

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *found = json_member(object, name);
    ck_assert_msg(found, "no %s", name);
    return found;
}

/* The first text, and its first attention. */
static const cJSON *first_text(void)
{
    return member(json, "shown")->child;
}

static const cJSON *first_site(void)
{
    return member(first_text(), "sites")->child;
}

static int number(const cJSON *object, const char *name)
{
    return member(object, name)->valueint;
}

/* ---- Weights ---- */

static void check_weight(const uint8_t *bytes, size_t at, bool fine, float weight)
{
    const unsigned level =
        fine ? bytes[2 * at] | (unsigned)bytes[2 * at + 1] << 8 : (unsigned)bytes[at];
    const double most = fine ? 65535 : 255;
    if (fabs(level / most - sqrt((double)weight)) > 0.5 / most + 1e-9)
        ck_abort_msg("weight %zu: %u of %g for %g", at, level, most, (double)weight);
}

static void check_weights_of(const struct trace *trace, const cJSON *site, const size_t *layers,
                             const size_t *heads)
{
    const char *encoded = member(site, "weights")->valuestring;
    uint8_t *weights = malloc(BASE64_DECODE_LENGTH(strlen(encoded)));
    const bool fine = number(site, "bits") == 16;
    const size_t L = (size_t)number(site, "layers"), A = (size_t)number(site, "heads");
    const size_t T = trace->tokens, S = trace->attended;
    size_t count, at = 0;
    ck_assert(base64_read(encoded, weights, &count));
    ck_assert_uint_eq(count, L * A * T * S * (fine ? 2 : 1));
    for (size_t l = 0; l < L; l++)
        for (size_t h = 0; h < A; h++)
            for (size_t i = 0; i < T * S; i++)
                check_weight(weights, at++, fine,
                             trace_weight(trace, layers ? layers[l] : l, heads ? heads[h] : h,
                                          i / S, i % S));
    free(weights);
}

static void check_weights(const cJSON *text, const size_t *layers, const size_t *heads)
{
    check_weights_of(session.data.trace, text, layers, heads);
}

TEST(weights_are_those_of_the_trace)
{
    open_texts(NULL, "time flies like an arrow", "fruit flies like a banana");
    make_page((struct output){.columns = 0});
    ck_assert_int_eq(number(json, "format"), 3);
    ck_assert_int_eq(number(first_site(), "bits"), 16);
    ck_assert_int_eq(number(first_site(), "layers"), 8);
    ck_assert_int_eq(number(first_site(), "heads"), 8);
    ck_assert_ptr_null(json_member(first_site(), "layer_numbers"));
    check_weights(first_site(), NULL, NULL);
    ck_assert_uint_le(length, 120000);
}

TEST(only_what_is_chosen_goes_in)
{
    static const size_t layers[] = {5, 2}, heads[] = {1, 3, 4};
    open_texts(NULL, "time flies like an arrow", NULL);
    session.state.look.heads = 1 << 1 | 1 << 3 | 1 << 4;
    session.state.look.layer = 2;
    session.state.look.head = 4;
    make_page((struct output){.layers = "5,2", .drawn_heads = true});
    check_weights(first_site(), layers, heads);
    ck_assert_int_eq(cJSON_GetArrayItem(member(first_site(), "layer_numbers"), 0)->valueint, 5);
    ck_assert_int_eq(cJSON_GetArrayItem(member(first_site(), "head_numbers"), 2)->valueint, 4);
    ck_assert_int_eq(member(member(first_text(), "start"), "layer")->valueint, 2);
    ck_assert_int_eq(member(member(first_text(), "start"), "head")->valueint, 4);
    ck_assert_int_eq(cJSON_GetArraySize(member(first_site(), "does")), 2);
}

TEST(layers_that_are_not_there_are_refused, .times = 6)
{
    static const char *const lists[] = {"8", "1,", "", "0.1", "1-2", "x"};
    open_texts(NULL, "time", NULL);
    assert_fails(write_page((struct output){.layers = lists[_i]}), STATUS_USAGE,
                 "--only: expected layers of a page from 0 to 7, such as 0,2, found", error);
}

TEST(a_page_without_heads_is_refused)
{
    open_texts(TINY_FOLDER, "time", NULL);
    session.state.look.heads = 0;
    assert_fails(write_page((struct output){.drawn_heads = true}), STATUS_USAGE,
                 "--set heads: expected heads for a page, found none", error);
}

/* Weights of the network as it was would stand beside what was changed. */
TEST(a_page_waits_for_its_numbers)
{
    open_texts(TINY_FOLDER, "time", NULL);
    session.state.source.changes.causal = true;
    export_screen(&session, FORMAT_PAGE, 0, 0);
    ck_assert_str_eq(session.message, "the page needs numbers that are still being computed");
}

/* Those of an encoder–decoder, each by its own tokens, layers and heads. */
TEST(each_attention_is_there)
{
    static const size_t layers[] = {1};
    assert_ok(recording_open("tests/vectors/translation.safetensors", &recording, &error), error);
    assert_ok(session_begin_recording(&session, recording, &error), error);
    struct encoded *shown = session.data.encoded;
    session.state.look.heads = 1 << 1;
    make_page((struct output){.layers = "1"});
    ck_assert_str_eq(member(member(first_text(), "start"), "site")->valuestring,
                     site_words[shown->site].name);
    const cJSON *sites = member(first_text(), "sites"), *one;
    ck_assert_int_eq(cJSON_GetArraySize(sites), SITE_COUNT);
    for (enum site site = 0; site < SITE_COUNT; site++) {
        const struct encoded *encoded = encoded_of_site(shown, site);
        one = cJSON_GetArrayItem(sites, (int)site);
        ck_assert_str_eq(member(one, "site")->valuestring, site_words[site].name);
        ck_assert_str_eq(member(one, "attention")->valuestring, site_words[site].title[false]);
        ck_assert_int_eq(cJSON_GetArraySize(member(one, "tokens")), (int)encoded->trace->tokens);
        ck_assert_int_eq(json_member(one, "said") != NULL, site != SITE_ENCODER);
        ck_assert_int_eq(json_member(one, "columns") != NULL, site == SITE_CROSS);
        check_weights_of(encoded->trace, one, layers, NULL);
    }
    ck_assert_str_eq(cJSON_GetArrayItem(member(one, "columns"), 0)->valuestring, "▁du");
    ck_assert_str_eq(cJSON_GetArrayItem(member(one, "said"), 0)->valuestring, "▁you");
    ck_assert_int_eq(cJSON_GetArrayItem(member(one, "special"), 0)->valueint, 0); /* rows stay */
    ck_assert_int_eq(cJSON_GetArrayItem(member(one, "special_columns"), 0)->valueint, 0);
    for (int i = 6; i < 8; i++) /* on "." and "</s>" rows rest */
        ck_assert_int_eq(cJSON_GetArrayItem(member(one, "special_columns"), i)->valueint, 1);
    ck_assert_int_eq(cJSON_GetArrayItem(member(sites->child, "special"), 6)->valueint, 0);
    ck_assert_ptr_null(json_member(first_text(), "weights"));
    ck_assert_ptr_null(json_member(first_text(), "answers"));
    free(page);
    assert_fails(write_page((struct output){.layers = "2"}), STATUS_USAGE,
                 "--only: expected layers of a page from 0 to 1", error);
}

/* What a layer can't see: all that comes later, or is further away; else nothing says so. */
TEST(masks_of_the_layers_in_the_file)
{
    open_texts("tests/vectors/families/gemma2", "the cat sat on the mat", NULL);
    make_page((struct output){.layers = "1,2"});
    const struct trace *trace = session.data.trace;
    ck_assert_int_eq(number(first_site(), "past"), 1);
    ck_assert(cJSON_IsNull(cJSON_GetArrayItem(member(first_site(), "reach"), 0)));
    ck_assert_uint_eq((size_t)cJSON_GetArrayItem(member(first_site(), "reach"), 1)->valueint,
                      trace->reach);
}

TEST(what_sees_everything_has_no_mask)
{
    open_texts(TINY_FOLDER, "time", NULL);
    make_page((struct output){.columns = 0});
    ck_assert_ptr_null(json_member(first_site(), "past"));
    ck_assert_ptr_null(json_member(first_site(), "reach"));
}

/* ---- Tokens and texts ---- */

TEST(tokens_are_told_apart)
{
    open_texts(NULL, "fruit flies unbelievably", "time");
    make_page((struct output){.columns = 0});
    const struct token_side *side = session.data.encoded->sides;
    const cJSON *words = member(first_site(), "words");
    ck_assert_int_eq(cJSON_GetArraySize(words), (int)side->count);
    for (int i = 0; i < (int)side->count; i++) {
        ck_assert_str_eq(cJSON_GetArrayItem(member(first_site(), "tokens"), i)->valuestring,
                         side->labels[i]);
        ck_assert_int_eq(cJSON_GetArrayItem(member(first_site(), "special"), i)->valueint,
                         side->special[i]);
        ck_assert_int_eq(cJSON_GetArrayItem(member(first_site(), "segments"), i)->valueint,
                         (size_t)i >= side->boundary);
        ck_assert_int_eq(cJSON_IsNull(cJSON_GetArrayItem(words, i)), side->special[i]);
    }
    ck_assert_int_eq(cJSON_GetArrayItem(words, 2)->valueint, 1);
    ck_assert_int_eq(cJSON_GetArrayItem(words, 3)->valueint, 2);
    ck_assert_int_eq(cJSON_GetArrayItem(words, (int)side->boundary - 2)->valueint, 2);
    ck_assert_int_eq(cJSON_GetArrayItem(words, (int)side->boundary)->valueint, 3);
    ck_assert_str_eq(member(first_text(), "texts")->child->next->valuestring, "time");
}

/* Markup, controls, marks of direction, bytes that are no UTF-8: in the sentence and in a token. */
TEST(no_text_gets_out_of_its_place, .times = (int)hostile_count())
{
    const struct hostile *hostile = &hostile_texts()[_i];
    const struct text text = {hostile->bytes, hostile->length};
    const struct interventions none = {0};
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    if (session_open(&session, &text, 1, NULL, &error) != STATUS_OK)
        return; /* too long */
    assert_ok(request_settle(&session, &error), error);
    make_page((struct output){.columns = 0});
    char *heading = between("<h1", "</h1>");
    ck_assert_ptr_null(strchr(heading, '<'));
    ck_assert_ptr_null(strchr(strchr(heading, '>') + 1, '>'));
    free(heading);
}

/* Without the program's bars, which no reader can use. */
TEST(its_still_picture_is_a_figure)
{
    open_texts(NULL, "time flies like an arrow", NULL);
    make_page((struct output){.columns = 0});
    char *still = between("<noscript>", "</noscript>");
    ck_assert_ptr_nonnull(strstr(still, ">query<"));
    ck_assert_ptr_null(strstr(still, "Neuron"));
    free(still);
}

/* A page that loads something would name where it is. */
TEST(there_is_no_address_in_it)
{
    open_texts(NULL, "time flies like an arrow", NULL);
    make_page((struct output){.columns = 0});
    static const char *const traces[] = {"://", "url(", "@import", " src=", "href=", "xmlns"};
    for (int i = 0; i < COUNT(traces); i++)
        ck_assert_msg(!strstr(page, traces[i]), "found %s", traces[i]);
}

/* ---- The policy ---- */

static void check_hash(const char *what, const char *begin, const char *close)
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE], found[BASE64_DECODE_LENGTH(64)];
    char *element = between(begin, close), mark[64];
    snprintf(mark, sizeof mark, "%s 'sha256-", what);
    char *text = between(mark, "'");
    size_t count;
    ck_assert(base64_read(text, found, &count));
    ck_assert_uint_eq(count, sizeof digest);
    sha256_init(&hash);
    sha256_update(&hash, strlen(element), (const uint8_t *)element);
    sha256_end(&hash, digest);
    ck_assert_int_eq(memcmp(found, digest, sizeof digest), 0);
    free(element);
    free(text);
}

TEST(the_policy_lets_this_script_run_alone)
{
    open_texts(NULL, "time", NULL);
    make_page((struct output){.columns = 0});
    check_hash("script-src", "<script>", "</script>");
    check_hash("style-src", "<style>", "</style>");
    char *policy = between("http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    ck_assert_ptr_nonnull(strstr(policy, "default-src 'none'; script-src 'sha256-"));
    ck_assert_ptr_nonnull(strstr(policy, "base-uri 'none'; form-action 'none'"));
    ck_assert_ptr_null(strstr(policy, "unsafe"));
    ck_assert_ptr_null(strstr(page, " style="));
    free(policy);
}

/* ---- Answers ---- */

static const struct {
    const char *model, *a, *b, *keys, *kind, *says;
    bool token;
} answers[] = {
    {NULL, "new [MASK] is a city .", NULL, "", "word", "york", true},
    {NULL, "time flies", "it does", "", "pair", "B follows A", false},
    {"tests/vectors/heads/seq-bert", "the cat sat", NULL, "", "class", NULL, false},
    {"tests/vectors/heads/ner-bert", "she said zurich", NULL, "", "tag", NULL, true},
    {"tests/vectors/heads/qa-bert", "he said", "time flies", "", "span", NULL, false},
    {"tests/vectors/heads/st-bert-mean", "time flies", "the dog", "", "similarity", "cosine",
     false},
    {"tests/vectors/heads/seq-bert-regression", "the cat", NULL, "", "class", "LABEL_0", false},
    {NULL, "new [MASK] is a city .", NULL, "z z", "word", NULL, true},
};

TEST(answers_are_those_of_the_model, .times = COUNT(answers))
{
    open_texts(answers[_i].model, answers[_i].a, answers[_i].b);
    assert_ok(input_type(&session, answers[_i].keys, &error), error);
    assert_ok(request_rest(&session, &error), error);
    make_page((struct output){.columns = 0});
    const cJSON *list = member(first_text(), "answers"), *answer;
    cJSON_ArrayForEach(
        answer, list) if (strcmp(member(answer, "kind")->valuestring, answers[_i].kind) == 0) break;
    ck_assert_ptr_nonnull(answer);
    const cJSON *first = member(answer, "rows")->child;
    ck_assert_int_eq(json_member(first, "token") != NULL, answers[_i].token);
    if (answers[_i].says)
        ck_assert_str_eq(member(first, "text")->valuestring, answers[_i].says);
    const bool changed = *answers[_i].keys;
    ck_assert_int_eq(json_member(first, "before") != NULL, changed);
    ck_assert_int_eq(json_member(first_text(), "changes") != NULL, changed);
    ck_assert(json_member(first, "share") || json_member(first, "value"));
}

/* ---- Lessons and surveys ---- */

TEST(a_lesson_is_a_page_of_its_steps)
{
    struct player player = {0};
    begin_learner();
    play(&player, SMALL_LESSON);
    const struct output output = {.session = &learner, .player = &player};
    FILE *stream = open_memstream(&page, &length);
    assert_ok(export_page(&output, stream, &error), error);
    fclose(stream);
    read_page();
    const cJSON *second = first_text()->next;
    char *title = between("<title>A small", "</title>");
    ck_assert_str_eq(title, " lesson");
    ck_assert_str_eq(member(first_text(), "title")->valuestring, "One head");
    const cJSON *lesson = member(first_text(), "lesson"), *text = member(lesson, "text")->child;
    ck_assert_str_eq(member(text->child, "em")->valuestring, "time");
    ck_assert_ptr_nonnull(strstr(cJSON_GetArrayItem(text, 3)->valuestring, " 0."));
    ck_assert_str_eq(member(member(second, "lesson"), "look")->child->child->valuestring,
                     "at the lines.");
    ck_assert_int_eq(number(first_site(), "bits"), 8);
    ck_assert_int_eq(cJSON_GetArraySize(member(json, "shown")), 4);
    ck_assert_int_eq(member(member(second, "start"), "token")->valueint, 2);
    ck_assert(cJSON_IsTrue(member(member(second->next, "changes"), "causal")));
    ck_assert_str_eq(member(second->next->next, "answers")->child->child->valuestring, "word");
    free(title);
    player_end(&player);
    end_learner();
}

TEST(a_survey_has_its_heads_and_their_cards, .from = SAMPLE_ALL,
     .times = SAMPLE_NOTHING + 1 - SAMPLE_ALL)
{
    const struct survey *survey = sample_survey(8, 8, (enum sample)_i);
    open_texts(NULL, "time", NULL);
    session.data.survey = survey;
    make_page((struct output){.columns = 0});
    const cJSON *found = member(json, "survey"), *cards = member(found, "cards");
    const struct evidence_number mean = evidence_mean(survey, METRIC_PREVIOUS, 1, 3);
    const cJSON *previous = member(found, "figures")->child;
    ck_assert_str_eq(member(previous, "name")->valuestring, "previous");
    if (isfinite(mean.value))
        ck_assert_double_eq_tol(cJSON_GetArrayItem(member(previous, "mean"), 11)->valuedouble,
                                mean.value, 1e-3 * mean.value + 1e-9);
    ck_assert_int_eq(cJSON_GetArraySize(cards), 64);
    ck_assert_int_eq(cJSON_GetArraySize(member(cards->child, "reach")), SURVEY_REACH);
    ck_assert_int_eq(json_member(cards->child, "pos") != NULL, survey_count(survey, ROW_POS) > 0);
    const cJSON *example = member(cards->child, "examples")->child;
    if (_i == SAMPLE_ALL)
        ck_assert_int_lt(member(example, "from")->valueint,
                         cJSON_GetArraySize(member(example, "words")));
    sample_end();
}

/* Without its model there is no text to show. */
TEST(a_survey_may_stand_alone)
{
    open_texts(NULL, "time", NULL);
    session.data.survey = sample_survey(8, 8, SAMPLE_ALL);
    strcpy(session.data.lacking, "the model is not here");
    make_page((struct output){.columns = 0});
    ck_assert_int_eq(cJSON_GetArraySize(member(json, "shown")), 0);
    ck_assert(member(json, "survey"));
    sample_end();
}

/* ---- Size ---- */

static const char *const word = "word";

static void open_shape(size_t tokens, size_t layers, size_t heads)
{
    static const char *labels[200];
    struct trace *trace;
    const struct config config = {.layers = layers,
                                  .heads = heads,
                                  .hidden = heads,
                                  .feed_forward = 1,
                                  .vocabulary = 1,
                                  .positions = tokens};
    for (size_t i = 0; i < tokens; i++)
        labels[i] = word;
    assert_ok(trace_blank(&config, tokens, NULL, 0, &trace, &error), error);
    for (size_t l = 0; l < layers; l++)
        for (size_t i = 0; i < heads * tokens * tokens; i++)
            trace->layer[l].weights[i] = (float)(i % 97) / 97;
    trace->computed.layers = layers;
    session = synthetic_of_trace(trace, labels, tokens);
    session.checkpoint = NULL; /* as of a recording: nothing can be asked */
    ck_assert_ptr_nonnull(session.data.encoded);
}

TEST(bert_base_on_forty_tokens_is_small)
{
    open_shape(40, 12, 12);
    make_page((struct output){.columns = 0});
    ck_assert_int_eq(number(first_site(), "bits"), 16);
    check_weights(first_site(), NULL, NULL);
    ck_assert_uint_le(length, 1200000);
}

TEST(longer_ones_have_eight_bits)
{
    open_shape(80, 12, 12);
    make_page((struct output){.columns = 0});
    ck_assert_int_eq(number(first_site(), "bits"), 8);
    check_weights(first_site(), NULL, NULL);
}

/* Before it is made: 144 heads have 5.76 MB of weights, 7.68 MB in base64. */
TEST(what_is_too_large_is_refused_with_its_size)
{
    open_shape(200, 12, 12);
    assert_fails(write_page((struct output){.columns = 0}), STATUS_LIMIT,
                 "the page would have at least 7.9", error);
    free(page);
    assert_fails(write_page((struct output){.columns = 0}), STATUS_LIMIT,
                 " MB, more than 4.0 MB: choose fewer heads, as with --only 0,1 or --set heads=0,1",
                 error);
    free(page);
    make_page((struct output){.layers = "0,7"});
    check_weights(first_site(), (const size_t[]){0, 7}, NULL);
}
