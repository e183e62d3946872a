/* How formulas and conditions of lessons are read, and what is said of those that can't be. */
#include "model_helpers.h"
#include "session_helpers.h"
#include "suites.h"

#include "headlight/lesson/formula.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static const char *const formulas[] = {
    "weight time → flies",
    "weight time -> flies at 3.1",
    "  weight  time  →  flies₂  at 10.11  before ",
    "score [CLS] → #3",
    "dot before → at at 1.2 before",
    "most flies",
    "figure entropy at 0.0",
    "figure maximum before",
    "figure effect at effect",
    "weight a → b at previous",
    "most a at telling before",
    "layer of effect",
    "alike",
    "alike at 0",
    "shown flies → flies₂",
    "last",
    "layer",
    "layer of previous",
    "head of telling before",
    "p [MASK] = mat",
    "p [MASK]",
    "p = = =",
    "rank [MASK] = ##ing before",
    "guess [MASK]",
    "guess [MASK] 10",
    "cosine flies₁ flies#2 at 8",
    "next",
    "layers",
    "heads",
    "dimensions",
    "tokens",
    "model",
    "family",
};

TEST(formulas_are_read, .times = COUNT(formulas))
{
    assert_ok(formula_check(formulas[_i], strlen(formulas[_i]), &error), error);
}

static const struct fault {
    const char *text, *says;
} faults[] = {
    {"", "expected a formula (weight, score, dot, most, figure, layer, head, p, rank, guess, "
         "cosine, alike, shown, next, layers, last, heads, dimensions, tokens, model, family), "
         "found nothing"},
    {"wieght a → b", "model, family), found \"wieght\""},
    {"weight", "expected a token, as in weight A → B [at L.H] [before], found nothing"},
    {"weight a b", "expected \"→\", as in weight A → B [at L.H] [before], found \"b\""},
    {"weight a → b at 3", "expected a layer and a head such as 3.1, or a figure, as in weight A → "
                          "B [at L.H] [before], found \"3\""},
    {"weight a → b at 3.", "such as 3.1"},
    {"weight a → b at 3.1x", "found \"3.1x\""},
    {"weight a → b at 99999999999999999999.1", "such as 3.1"},
    {"weight a → b in 3.1", "expected no more, as in weight A → B [at L.H] [before], found \"in\""},
    {"figure label", "expected a figure (entropy, previous, next, self, first, separators, same, "
                     "distance, maximum, effect), as in figure NAME [at L.H] [before], found "
                     "\"label\""},
    {"figure telling", "effect), as in figure"},
    {"weight a → b at first.1", "found \"first.1\""},
    {"alike flies", "expected no more, as in alike [at L], found \"flies\""},
    {"shown a b", "expected \"→\", as in shown A → B, found \"b\""},
    {"head of", "effect, telling), as in head [of HEAD] [before], found nothing"},
    {"rank [MASK]", "expected \"=\", as in rank A = WORD [before], found nothing"},
    {"p [MASK] =", "expected a word, as in p A [= WORD] [before], found nothing"},
    {"guess [MASK] 0", "found \"0\""},
    {"guess [MASK] 11", "found \"11\""},
    {"cosine a b", "expected \"at\", as in cosine A B at L [before], found nothing"},
    {"cosine a b at 1.2", "expected how many layers, as in"},
    {"layers before", "expected no more, as in layers, found \"before\""},
};

TEST(faults_of_formulas_say_what_was_expected, .times = COUNT(faults))
{
    const struct fault *fault = &faults[_i];
    assert_fails(formula_check(fault->text, strlen(fault->text), &error), STATUS_FORMAT,
                 fault->says, error);
}

/* A formula ends where it is said to; a name can be too long. */
TEST(lengths_of_formulas_are_kept)
{
    char text[600] = "most ";
    assert_ok(formula_check("layer of", strlen("layer"), &error), error);
    memset(text + 5, 'a', 127);
    assert_ok(formula_check(text, strlen(text), &error), error);
    memset(text + 5, 'a', 500);
    assert_fails(formula_check(text, strlen(text), &error), STATUS_FORMAT, "expected a token",
                 error);
}

static const char *const conditions[] = {
    "{p [MASK] = mat} > 0.2",
    "{p [MASK] = mat}>=0.2",
    "{weight a → b at 1.2} ≤ 1e-3 and {rank [MASK] = mat} = 1",
    "{score a → b} > -1.5",
    "{guess [MASK]} = mat",
    "{most flies} = flies₂ and words and not next",
    "words",
    "not words",
    "words and masked",
    " next ",
};

TEST(conditions_are_read, .times = COUNT(conditions))
{
    assert_ok(condition_check(conditions[_i], &error), error);
}

static const struct fault condition_faults[] = {
    {"", "expected a formula in braces, or words, next or masked, or one of these after not, "
         "found nothing"},
    {"word", "found \"word\""},
    {"{next", "expected } after a formula, found nothing"},
    {"{nxt} > 1", "expected a formula (weight, "},
    {"{next}", "expected one of > < >= <= = after a formula, found nothing"},
    {"{next} == 1", "expected a number to compare with, found \"=\""},
    {"{next} > high", "expected a number to compare with, found \"high\""},
    {"{next} >", "expected a number to compare with, found nothing"},
    {"{guess a} > mat", "expected = before a word, found \">\""},
    {"{guess a} =", "expected a word to compare with, found nothing"},
    {"{next} > 0.5 or words", "expected and, or the end, found \"or\""},
    {"{next} > 0.5 and", "expected a formula in braces"},
    {"not {next} > 1", "expected words, next or masked after not, found \"{next}\""},
};

TEST(faults_of_conditions_say_what_was_expected, .times = COUNT(condition_faults))
{
    const struct fault *fault = &condition_faults[_i];
    assert_fails(condition_check(fault->text, &error), STATUS_FORMAT, fault->says, error);
}

/* Keys that change the layer are braces too. */
TEST(braces_among_keys_stay)
{
    struct checkpoint checkpoint;
    enum formula_state state;
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, &error), error);
    session_anew_on_texts(&checkpoint, NULL, "time flies", NULL);
    char *filled = formula_fill(&session, "`{` and `}`: {tokens} tokens", &state);
    ck_assert_str_eq(filled, "`{` and `}`: 4 tokens");
    ck_assert_int_eq(state, FORMULA_KNOWN);
    free(filled);
    session_end(&session);
    checkpoint_close(&checkpoint);
}
