/* How formulas and conditions of lessons are read, and what is said of those that can't be. */
#include "model_helpers.h"
#include "rows.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/lesson/formula.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct formula formula;
static enum formula_state state;
static bool holds;
static struct error error;

ROW_TEST(formulas_are_read, "formulas")
{
    assert_ok(formula_read(row[0], strlen(row[0]), &formula, &error), error);
}

ROW_TEST(faults_of_formulas_say_what_was_expected, "formulas_refused")
{
    const enum status status = formula_read(row[0], strlen(row[0]), &formula, &error);
    assert_refused(status, &error, row + 1);
}

/* A formula ends where it is said to. */
TEST(lengths_of_formulas_are_kept)
{
    char text[600] = "most ";
    assert_ok(formula_read("layer of", strlen("layer"), &formula, &error), error);
    memset(text + 5, 'a', FORMULA_MOST - 5);
    assert_ok(formula_read(text, FORMULA_MOST, &formula, &error), error);
    assert_fails(formula_read(text, FORMULA_MOST + 1, &formula, &error), STATUS_FORMAT,
                 "expected at most 511 bytes in a formula, found 512", error);
}

ROW_TEST(conditions_are_read, "conditions")
{
    assert_ok(condition_read(row[0], NULL, &state, &holds, &error), error);
}

ROW_TEST(faults_of_conditions_say_what_was_expected, "conditions_refused")
{
    const enum status status = condition_read(row[0], NULL, &state, &holds, &error);
    assert_refused(status, &error, row + 1);
}

/* Keys that change the layer are braces too. */
TEST(braces_among_keys_stay)
{
    struct checkpoint checkpoint;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "time flies", NULL);
    char *filled = formula_fill(&session, "`{` and `}`: {tokens} tokens", &state);
    ck_assert_str_eq(filled, "`{` and `}`: 4 tokens");
    ck_assert_int_eq(state, FORMULA_KNOWN);
    free(filled);
    session_end(&session);
    checkpoint_close(&checkpoint);
}
