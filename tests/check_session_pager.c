/* From one text of a file to the next, and to those that have what is looked for. */
#include "model_helpers.h"
#include "suites.h"

#include "headlight/session/act.h"
#include "headlight/session/pager.h"
#include "headlight/session/request.h"

#include <string.h>

static struct error error;
static struct checkpoint checkpoint;
static struct session session;
static struct folder folder;
static struct corpus *corpus;
static char *path;

static void begin_with(const char *bytes)
{
    struct interventions none = {0};
    struct text texts[2];
    size_t count, text_count;
    folder_write(&folder, "x.jsonl", bytes, strlen(bytes));
    path = in_folder(&folder, "x.jsonl");
    assert_ok(corpus_open(path, &(struct corpus_choice){0}, &corpus, &error), error);
    assert_ok(corpus_index(corpus, &count, &error), error);
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_begin(&session, &checkpoint, true, &none);
    session.columns = 100;
    session.rows = 30;
    pager_begin(&session, corpus, path, count);
    assert_ok(pager_first(&session, texts, &text_count, &error), error);
    assert_ok(session_open(&session, texts, text_count, NULL, &error), error);
    assert_ok(request_settle(&session, &error), error);
}

static void begin(void)
{
    folder_make(&folder);
    begin_with("{\"id\":\"p\",\"a\":\"time flies\",\"b\":\"like an arrow\"}\n"
               "nonsense\n"
               "{\"id\":\"q\",\"a\":\"the old dog\",\"label\":\"x\"}\n"
               "{\"id\":\"r\",\"words\":[\"Time\",\"is\",\"the\",\"time\"],\"answer\":\"y\"}\n");
}

static void end(void)
{
    session_end(&session);
    checkpoint_close(&checkpoint);
    corpus_close(corpus);
    folder_remove(&folder);
    free(path);
}

TESTS(.begin = begin, .end = end);

/* Where the keys lead: the place, the chosen token or -1, and the message. */
static void expect(const char *keys, const char *place, int token, const char *message)
{
    char found[200];
    session.message[0] = '\0';
    assert_ok(input_type(&session, keys, &error), error);
    pager_describe(&session, found, sizeof found);
    ck_assert_str_eq(found, place);
    const size_t from = session.state.look.from;
    ck_assert_int_eq(from == NO_TOKEN ? -1 : (int)from, token);
    ck_assert_str_eq(session.message, message);
}

TEST(n_goes_on_and_back)
{
    expect("", "1 of 3 · p", -1, "");
    expect("N", "1 of 3 · p", -1, "this is the first text");
    expect("n", "2 of 3 · q · x", -1, "");
    ck_assert_str_eq(session.data.encoded->texts[0].bytes, "the old dog");
    ck_assert_uint_eq(session.data.encoded->text_count, 1);
    expect("n", "3 of 3 · r · y", -1, "");
    expect("n", "3 of 3 · r · y", -1, "this is the last text");
    expect("N N", "1 of 3 · p", -1, "");
    ck_assert_str_eq(session.data.encoded->texts[1].bytes, "like an arrow");
}

/* As a file has them, whatever pieces they become, until another text is typed. */
TEST(words_are_those_of_the_file)
{
    end();
    folder_make(&folder);
    begin_with("{\"words\":[\"ti me\",\"天气很好\",\"don't!\"]}\n{\"a\":\"don't\"}\n");
    ck_assert_uint_eq(session.data.attention->tokens[SIDE_LEFT].count, 16);
    assert_ok(input_type(&session, "w", &error), error);
    const struct token_list *shown = &session.data.attention->tokens[SIDE_LEFT];
    ck_assert_uint_eq(shown->count, 6);
    ck_assert_str_eq(shown->labels[3], "天?气?很?好?");
    ck_assert_str_eq(shown->labels[4], "don't!");
    assert_ok(input_type(&session, "n", &error), error);
    ck_assert_uint_eq(session.data.attention->tokens[SIDE_LEFT].count, 5);
    assert_ok(input_type(&session, "N", &error), error);
    ck_assert_uint_eq(session.data.attention->tokens[SIDE_LEFT].count, 6);
    assert_ok(input_type(&session, "e \"x\" Enter", &error), error);
    ck_assert_uint_eq(session.data.attention->tokens[SIDE_LEFT].count, 13);
}

/* Whatever else the key means in a view. */
TEST(view_heads_and_changes_stay)
{
    expect("Tab Tab Right 1 o o z a Esc", "1 of 3 · p", -1, session.message);
    const struct look before = session.state.look;
    const struct interventions changes = session.state.source.changes;
    ck_assert(interventions_any(&changes));
    expect("n", "2 of 3 · q · x", -1, "");
    ck_assert_int_eq(session.state.look.view, before.view);
    ck_assert_int_eq(session.state.look.metric, before.metric);
    ck_assert_uint_eq(session.state.look.layer, before.layer);
    ck_assert_uint_eq(session.state.look.head, before.head);
    ck_assert_mem_eq(&session.data.trace->computed.changes, &changes, sizeof changes);
}

TEST(a_search_goes_through_all_texts)
{
    expect("/ \"the\"", "1 of 3 · p", 1, /* for its t */
           "not in this text: Enter goes to the next that has \"the\"");
    expect("Enter", "2 of 3 · q · x", 1, "");
    expect("n", "3 of 3 · r · y", 4, "");
    expect("n", "2 of 3 · q · x", 1, "on from the first text");
    expect("N", "3 of 3 · r · y", 4, "on from the last text");
    expect("/ Esc N", "2 of 3 · q · x", -1, "");
}

/* One place after the other, also within a text. */
TEST(a_search_stays_in_a_text_that_has_it)
{
    expect("/ \"time\" Enter", "1 of 3 · p", 1, "");
    expect("n", "3 of 3 · r · y", 1, "");
    expect("n", "3 of 3 · r · y", 5, "");
    expect("n", "1 of 3 · p", 1, "on from the first text");
    expect("N", "3 of 3 · r · y", 5, "on from the last text");
    expect("N", "3 of 3 · r · y", 1, "");
    expect("/ \"old dog\" Enter", "2 of 3 · q · x", 2, "on from the first text");
}

TEST(what_no_text_has_is_said)
{
    expect("/ \"zebra\" Enter", "1 of 3 · p", -1, "no text has \"zebra\"");
    expect("n", "1 of 3 · p", -1, "no token contains \"zebra\"");
}

TEST(an_edited_text_is_none_of_them)
{
    expect("e \"s\" Enter", "", -1, session.message);
    expect("n", "2 of 3 · q · x", -1, "");
    expect("u", "", -1, session.message);
}

TEST(a_place_is_come_back_to)
{
    assert_ok(pager_resume(&session, 2, &error), error);
    expect("n", "3 of 3 · r · y", -1, "");
    assert_ok(pager_resume(&session, 1, &error), error); /* which can't be read */
    expect("", "3 of 3 · r · y", -1, "");
}

/* As if it had been chosen from the list, also where another view is open. */
TEST(an_answer_is_asked_for)
{
    end();
    folder_make(&folder);
    begin_with("{\"a\":\"[MASK] dog\",\"answer\":\"The\"}\n"
               "{\"a\":\"the dog\",\"answer\":\"the\"}\n"
               "{\"a\":\"time [MASK]\",\"answer\":\"flies\"}\n");
    const size_t the = (size_t)tokenizer_find(checkpoint.tokenizer, "the");
    const size_t flies = (size_t)tokenizer_find(checkpoint.tokenizer, "flies");
    ck_assert_uint_eq(session.state.look.answer, the);
    expect("n", "2 of 3 · 1 · the", -1, "");
    ck_assert_uint_eq(session.state.look.answer, NO_TOKEN);
    expect("n", "3 of 3 · 2 · flies", -1, "");
    session.state.look.view = VIEW_MODEL;
    assert_ok(input_type(&session, "Tab Tab", &error), error);
    ck_assert_int_eq(session.state.look.view, VIEW_ANSWERS);
    ck_assert_uint_eq(session.state.look.answer, flies);
}

TEST(a_long_text_is_passed_over)
{
    char bytes[1000] = "{\"a\":\"";
    end();
    for (int i = 0; i < 100; i++)
        strcat(bytes, "time ");
    strcat(bytes, "\"}\n{\"a\":\"time\"}\n");
    char twice[3000];
    snprintf(twice, sizeof twice, "%s%s{\"a\":\"dog\"}\n", bytes, bytes);
    folder_make(&folder);
    begin_with(twice);
    expect("", "2 of 5 · 1", -1, "");
    expect("n", "4 of 5 · 3", -1, "1 text passed over: too long for the model");
}

TEST(a_file_that_was_cut_meanwhile_is_said)
{
    folder_write(&folder, "x.jsonl", "{\"a\":\"b\"}\n", 10);
    expect("n", "1 of 3 · p", -1, session.message);
    ck_assert_msg(strstr(session.message, "x.jsonl has changed: it ends before text 2") != NULL,
                  "%s", session.message);
}
