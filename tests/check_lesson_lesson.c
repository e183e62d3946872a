/* check_lesson_lesson.c: lessons as they are written: what is read from them, and what is said of a
 * fault. */
#include "rows.h"
#include "suites.h"

#include "headlight/base/format.h"
#include "headlight/lesson/lesson.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "# Title\n\nLearn something.\n\n5 minutes\n\n"
#define STEP HEAD "## Step\n\n"

static struct error error;
static struct lesson *lesson;

static enum status read_text(const char *text)
{
    error.message[0] = '\0';
    return lesson_read(text, strlen(text), "a.md", &lesson, &error);
}

static void must_read(const char *text)
{
    ck_assert_msg(read_text(text) == STATUS_OK, "%s", error.message);
}

static void end(void)
{
    lesson_free(lesson);
    lesson = NULL;
}

TESTS(.end = end);

static const struct lesson_case *case_at(size_t step, size_t at)
{
    ck_assert_uint_lt(step, lesson->count);
    ck_assert_uint_lt(at, lesson->steps[step].count);
    return &lesson->steps[step].cases[at];
}

static const char *value_of(size_t step, enum state_field setting)
{
    ck_assert_uint_lt(step, lesson->count);
    return lesson->steps[step].state.values[setting];
}

/* ---- What is read ---- */

TEST(a_lesson_is_read)
{
    must_read(
        "# What a line   means\n\nLearn to read\nthe head view.\n\n1 minute\n\n## One head\n\n"
        "`--view head --layer {layer of next} \"time flies like an arrow\"`\n\n"
        "*time* gives {weight time → flies}.\nNo more.\n\n## Two\nGo on.\n");
    ck_assert_str_eq(lesson->title, "What a line means");
    ck_assert_str_eq(lesson->about, "Learn to read the head view.");
    ck_assert_uint_eq(lesson->minutes, 1);
    ck_assert_uint_eq(lesson->count, 2);
    ck_assert_str_eq(lesson->steps[0].title, "One head");
    ck_assert_str_eq(value_of(0, FIELD_VIEW), "head");
    ck_assert_str_eq(value_of(0, FIELD_LAYER), "{layer of next}");
    ck_assert_uint_eq(lesson->steps[0].state.text_count, 1);
    ck_assert_str_eq(lesson->steps[0].state.texts[0], "time flies like an arrow");
    ck_assert_str_eq(case_at(0, 0)->text, "*time* gives {weight time → flies}. No more.");
    ck_assert_ptr_null(case_at(0, 0)->condition);
    ck_assert_str_eq(case_at(1, 0)->text, "Go on.");
}

TEST(what_stands_apart_is_known)
{
    must_read(STEP "Text.\n\nLook:  here.\n\nTry: `{` and `*`.\n\nMore.\n");
    const struct lesson_step *step = &lesson->steps[0];
    ck_assert_uint_eq(step->count, 4);
    ck_assert_int_eq(step->cases[0].kind, LESSON_TEXT);
    ck_assert_int_eq(step->cases[1].kind, LESSON_LOOK);
    ck_assert_int_eq(step->cases[2].kind, LESSON_TRY);
    ck_assert_int_eq(step->cases[3].kind, LESSON_TEXT);
    ck_assert_str_eq(case_at(0, 1)->text, "here.");
    ck_assert_str_eq(case_at(0, 2)->text, "`{` and `*`.");
}

TEST(cases_belong_together)
{
    must_read(STEP
              "if {p #1 = mat} > 0.2:\nOne\nline.\n\nelse if  words:\nTwo.\n\nelse:\nThree.\n\n"
              "if next:\nTry: it.\n\nif words:\nLook: there.\n");
    const struct lesson_step *step = &lesson->steps[0];
    ck_assert_uint_eq(step->count, 5);
    ck_assert_str_eq(case_at(0, 0)->condition, "{p #1 = mat} > 0.2");
    ck_assert_str_eq(case_at(0, 0)->text, "One line.");
    ck_assert_str_eq(case_at(0, 1)->condition, "words");
    ck_assert_ptr_null(case_at(0, 2)->condition);
    ck_assert_str_eq(case_at(0, 2)->text, "Three.");
    for (size_t i = 0; i < step->count; i++)
        ck_assert_int_eq(step->cases[i].continues, i == 1 || i == 2);
    ck_assert_int_eq(step->cases[3].kind, LESSON_TRY);
    ck_assert_int_eq(step->cases[4].kind, LESSON_LOOK);
}

TEST(a_text_may_begin_like_a_condition)
{
    must_read(STEP "elsewhere it is so:\nText.\n\niffy:\nText.\n");
    ck_assert_str_eq(case_at(0, 0)->text, "elsewhere it is so: Text.");
    ck_assert_str_eq(case_at(0, 1)->text, "iffy: Text.");
}

TEST(other_ends_of_lines_are_read)
{
    must_read("\xEF\xBB\xBF# Title\r\n\r\nLearn\tit.\r\n\r\n5 minutes\r\n \t\r\n## Step\r\n"
              "\r\n`--layer 2`\r\n\r\nif words:\r\nText\r\nhere.");
    ck_assert_str_eq(lesson->title, "Title");
    ck_assert_str_eq(lesson->about, "Learn it.");
    ck_assert_str_eq(value_of(0, FIELD_LAYER), "2");
    ck_assert_str_eq(case_at(0, 0)->condition, "words");
    ck_assert_str_eq(case_at(0, 0)->text, "Text here.");
}

/* ---- Options ---- */

/* "layer=3 view=matrix": the values of a step, in the order of the fields, after its sentences. */
static void write_state(const struct lesson_state *state, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < state->text_count; i++)
        format_add(text, size, "%s[%s]", *text ? " " : "", state->texts[i]);
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (state->values[field])
            format_add(text, size, "%s%s=%s", *text ? " " : "", field_info(field)->name,
                       state->values[field]);
}

/* A step goes on from the one before. */
ROW_TEST(options_change_the_state_of_the_step_before, "lesson_states")
{
    char text[1024], state[400];
    snprintf(text, sizeof text, HEAD "## One\n\n`%s`\n\nText.\n\n## Two\n\n`%s`\n\nText.\n", row[0],
             row[1]);
    must_read(text);
    write_state(&lesson->steps[1].state, state, sizeof state);
    ck_assert_str_eq(state, row[2]);
}

/* ---- Words ---- */

TEST(words_are_counted)
{
    ck_assert_uint_eq(lesson_words(""), 0);
    ck_assert_uint_eq(lesson_words("one"), 1);
    ck_assert_uint_eq(lesson_words(" one  two "), 2);
    ck_assert_uint_eq(lesson_words("it gives {weight a → b at 1.2}, no more"), 5);
    ck_assert_uint_eq(lesson_words("{p a = b}"), 1);
    ck_assert_uint_eq(lesson_words("{open to the end"), 4);
    ck_assert_uint_eq(lesson_words("`{` and `}` are keys"), 5);
}

#define TEN "a a a a a a a a a a "

/* Of cases only one stands. */
TEST(the_longest_case_counts)
{
    must_read(STEP TEN TEN TEN TEN TEN "\n\nif words:\n" TEN "\n\nelse:\n" TEN "\n\nTry: " TEN TEN
                                       "a a a a a\n\nLook: " TEN TEN "a a a a a\n");
    end();
    ck_assert_int_eq(read_text(STEP TEN TEN TEN TEN TEN "\n\nif words:\na\n\nelse:\n" TEN "a"),
                     STATUS_FORMAT);
    ck_assert_str_eq(error.message, "a.md:7: expected at most 60 words in a step, found 61");
}

/* ---- Formulas ---- */

/* Writes `times` copies of `what` in place of each "@", and reads it. */
static enum status read_repeated(const char *pattern, const char *what, size_t times)
{
    char text[8192] = "";
    size_t used = 0;
    for (; *pattern; pattern++)
        for (size_t i = 0; i < (*pattern == '@' ? times : 1); i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s",
                                     *pattern == '@' ? (int)strlen(what) : 1,
                                     *pattern == '@' ? what : pattern);
    return read_text(text);
}

/* What a step may ask for, and where that stands: all cases count, not only the one that is shown,
 * and so do options of the steps before that still hold. */
static const struct {
    const char *pattern, *what;
    size_t most; /* copies in one place */
} busy[] = {
    {STEP "@.\n", "{heads}-", LESSON_FORMULAS_MAX},
    {STEP "A.\n\nif words:\n@.\n\nelse:\n@.\n", "{heads}-", (LESSON_FORMULAS_MAX - 1) / 2},
    {STEP "if @words:\nA.\n", "words and ", LESSON_FORMULAS_MAX - 1},
    {STEP "if @words:\nA.\n", "{heads} > 1 and ", LESSON_FORMULAS_MAX - 1},
    {STEP "if words:\nA.\n@", "\nelse if words:\nA.\n", LESSON_FORMULAS_MAX - 1},
    {HEAD "## One\n\n`--off '@'`\n\nA.\n\n## Two\n\n`--hide '@'`\n\nA.\n", "{heads},",
     LESSON_FORMULAS_MAX / 2},
};

TEST(a_step_asks_for_so_much_and_no_more)
{
    for (size_t i = 0; i < COUNT(busy); i++) {
        ck_assert_msg(read_repeated(busy[i].pattern, busy[i].what, busy[i].most) == STATUS_OK,
                      "%zu: %s", i, error.message);
        end();
        ck_assert_int_eq(read_repeated(busy[i].pattern, busy[i].what, busy[i].most + 1),
                         STATUS_FORMAT);
        ck_assert_ptr_nonnull(
            strstr(error.message,
                   "expected at most 64 formulas and terms of conditions in a step, found 6"));
    }
}

/* What no longer holds isn't counted. */
TEST(options_taken_back_cost_nothing)
{
    ck_assert_int_eq(read_repeated(HEAD "## One\n\n`--hide '@' a`\n\nA.\n\n## Two\n\n`b`\n\n@.\n",
                                   "{heads},", LESSON_FORMULAS_MAX),
                     STATUS_OK);
    end();
    ck_assert_int_eq(read_repeated(HEAD
                                   "## One\n\n`--off '@'`\n\nA.\n\n## Two\n\n`--off 0.0`\n\n@.\n",
                                   "{heads},", LESSON_FORMULAS_MAX),
                     STATUS_OK);
}

/* ---- Faults ---- */

ROW_TEST(a_fault_says_where_and_what, "lesson")
{
    const char *const before = strcmp(row[0], "step") == 0    ? STEP
                               : strcmp(row[0], "title") == 0 ? HEAD
                                                              : "";
    char text[600];
    snprintf(text, sizeof text, "%s%s", before, row[1]);
    ck_assert_int_eq(read_text(text), STATUS_FORMAT);
    ck_assert_int_eq(error.status, STATUS_FORMAT);
    ck_assert_str_eq(error.message, row[2]);
    ck_assert_ptr_null(lesson);
}

/* Where formula.h says what is wrong, the place stands before it. */
static const struct {
    const char *text, *beginning;
} unreadable[] = {
    {STEP "A.\n\nB\n{no such formula}.\n", "a.md:11: expected "},
    {STEP "`--layer {no such formula}`\n\nA.\n", "a.md:9: expected "},
    {STEP "`--off {no such formula}.0`\n\nA.\n", "a.md:9: expected "},
    {STEP "if {no such formula} > 2:\nA.\n", "a.md:9: expected "},
    {STEP "if no condition:\nA.\n", "a.md:9: expected "},
    {STEP "A {}.\n", "a.md:9: expected "},
};

TEST(a_formula_that_cannot_be_read_is_a_fault, .times = COUNT(unreadable))
{
    ck_assert_int_eq(read_text(unreadable[_i].text), STATUS_FORMAT);
    ck_assert_msg(
        strncmp(error.message, unreadable[_i].beginning, strlen(unreadable[_i].beginning)) == 0,
        "%s", error.message);
}

TEST(a_NUL_is_a_fault)
{
    static const char text[] = STEP "a\0b\n";
    ck_assert_int_eq(lesson_read(text, sizeof text - 1, "a.md", &lesson, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.message, "a.md:9: expected UTF-8, found \"other bytes\"");
}
