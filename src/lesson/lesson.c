/* lesson.c: reads a lesson's file into steps. The file is cut up in place: all strings point into
 * it. Reading stops at the first fault, whose line the message names. */
#include "headlight/lesson/lesson_parts.h"

#include "headlight/base/size.h"
#include "headlight/lesson/formula.h"
#include "headlight/session/fields.h"

#include <stdlib.h>
#include <string.h>

#define MINUTES_MAX 60

/* One more of `size` bytes, all zero, at the end of the list that `list` points to; NULL without
 * memory. */
static void *add_to(const struct reader *reader, void *list, size_t *count, size_t size)
{
    void *old;
    memcpy(&old, list, sizeof old);
    char *items = realloc(old, (*count + 1) * size);
    if (!items) {
        error_memory(reader->error, reader->source, (*count + 1) * size);
        return NULL;
    }
    memcpy(list, &items, sizeof items);
    return memset(items + (*count)++ * size, 0, size);
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* A lesson that says or asks more should have more steps. */
static bool check_most(const struct reader *reader, const char *things, size_t count, size_t most)
{
    if (count > most)
        error_set(reader->error, STATUS_FORMAT, "%s:%zu: expected at most %zu %s, found %zu",
                  reader->source, reader->line, most, things, count);
    return count <= most;
}

/* ---- Head ---- */

/* Lists and headings show this text without formatting. */
static bool check_plain(const struct reader *reader, const char *text)
{
    const char *mark = strpbrk(text, "*`{}");
    return !mark || lesson_fault(reader, "neither emphasis nor formulas here", mark);
}

/* Takes the mark off a heading: "# " of the lesson, "## " of a step. An empty title is shown as the
 * mark alone, which is what was found. */
static bool take_heading(const struct reader *reader, char *text, const char *mark,
                         const char *expected, const char **title)
{
    if (!text || !begins_with(text, mark))
        return lesson_fault(reader, expected, text);
    *title = lesson_squeeze(text + strlen(mark));
    return **title ? check_plain(reader, *title) : lesson_fault(reader, expected, mark);
}

/* "5 minutes" or "1 minute", and "with dates" behind it. Blanks are put back for the message. */
static bool take_minutes(struct reader *reader)
{
    char *text = lesson_take_block(reader);
    char *unit = text ? strchr(lesson_squeeze(text), ' ') : NULL;
    char *with = unit ? strstr(unit, " with ") : NULL;
    size_t *minutes = &reader->lesson->minutes;
    if (with) {
        *with = '\0';
        reader->lesson->model = with + strlen(" with ");
    }
    if (unit && (strcmp(unit, " minutes") == 0 || strcmp(unit, " minute") == 0)) {
        *unit = '\0';
        if (value_number(text, MINUTES_MAX, minutes) && *minutes > 0)
            return true;
        *unit = ' ';
    }
    if (with)
        *with = ' ';
    return lesson_fault(reader, "how long it takes, such as \"5 minutes\"", text);
}

/* ---- Options ---- */

/* Whether a block begins with a line that is one code span, as options are. */
static bool has_options(const char *text)
{
    const char *end = *text == '`' ? strchr(text + 1, '`') : NULL;
    return end && strchr("\n", end[1 + strspn(end + 1, " ")]); /* or the end */
}

/* The code span that begins a step. Its second backquote is known to be there (has_options). */
static bool take_options(struct reader *reader, struct lesson_step *step, char *text, bool again)
{
    const char *line_end = strchr(text, '\n');
    if (step->count > 0 || again)
        return lesson_fault(reader, "options once, before the text of a step", text);
    reader->line += line_end != NULL;
    if (line_end)
        return lesson_fault(reader, "a blank line behind the options", line_end + 1);
    *strchr(text + 1, '`') = '\0';
    return lesson_take_options(reader, text + 1, &step->state);
}

/* ---- Paragraphs ---- */

/* Takes the line "if …:" off a text, whose condition begins at `begin`, or "else:". */
static bool take_condition(struct reader *reader, char **text, char *begin, bool tests,
                           const char **condition)
{
    char *line_end = *text + strcspn(*text, "\n"), *end = line_end;
    enum formula_state state;
    bool holds;
    while (end[-1] == ' ')
        end--;
    if (end[-1] != ':' || (!tests && end - 1 != begin))
        return lesson_fault(reader, "\"if CONDITION:\" or \"else:\" on a line of its own", *text);
    if (*line_end == '\0')
        return lesson_fault(reader, "a text on the line below", *text);
    end[-1] = '\0';
    *condition = tests ? lesson_squeeze(begin) : NULL;
    if (tests && condition_read(*condition, NULL, &state, &holds, reader->error) != STATUS_OK)
        return lesson_fault_at(reader);
    *text = line_end + 1;
    reader->line++;
    return true;
}

/* How a paragraph begins that is set apart, and what its words are in messages. */
static const struct {
    const char *begins, *words;
} kinds[LESSON_KINDS] = {
    [LESSON_TEXT] = {"", ""},
    [LESSON_LOOK] = {"Look:", "words in what to look at"},
    [LESSON_TRY] = {"Try:", "words in what to try"},
    [LESSON_LEARNT] = {"Learnt:", "words in what was learnt"},
};

/* All cases of a paragraph are of one kind, of which those set apart come once a step at most.
 * `open`: the paragraph that has the earlier cases, or NULL. */
static bool check_kind(const struct reader *reader, const struct lesson_step *step,
                       const struct lesson_paragraph *open, enum lesson_kind kind, const char *text)
{
    if (open)
        return open->kind == kind ||
               lesson_fault(
                   reader,
                   "all cases to begin alike: \"Look:\", \"Try:\", \"Learnt:\" or none of them",
                   text);
    for (size_t i = 0; kind != LESSON_TEXT && i < step->count; i++)
        if (step->paragraphs[i].kind == kind)
            return lesson_fault(
                reader, "one \"Look:\", one \"Try:\" and one \"Learnt:\" a step at most", text);
    return true;
}

/* Takes one block: a paragraph, or a further case of the paragraph before. One that merely begins
 * with the word "else" isn't a case: after it comes a colon, a blank or the end of the line. The
 * text of a case is checked as if it were always shown. */
static bool take_paragraph(struct reader *reader, struct lesson_step *step, char *text)
{
    const bool goes_on = begins_with(text, "else") && strchr(": \n", text[4]);
    const bool tests = begins_with(text, goes_on ? "else if " : "if ");
    struct lesson_paragraph *paragraph = NULL;
    const char *condition = NULL;
    if (goes_on && step->count > 0)
        paragraph = &step->paragraphs[step->count - 1];
    if (goes_on && !(paragraph && paragraph->cases[paragraph->count - 1].condition))
        return lesson_fault(reader, "\"if CONDITION:\" before it", text);
    const size_t opening = strlen(tests && goes_on ? "else if " : tests ? "if " : "else");
    if ((goes_on || tests) && !take_condition(reader, &text, text + opening, tests, &condition))
        return false;
    const char *whole = text;
    enum lesson_kind kind = LESSON_KINDS - 1;
    text += strspn(text, " ");
    while (!begins_with(text, kinds[kind].begins))
        kind--;
    if (!check_kind(reader, step, paragraph, kind, whole))
        return false;
    if (!paragraph)
        paragraph = add_to(reader, &step->paragraphs, &step->count, sizeof *paragraph);
    struct lesson_case *one =
        paragraph ? add_to(reader, &paragraph->cases, &paragraph->count, sizeof *one) : NULL;
    if (!one)
        return false;
    paragraph->kind = kind;
    one->condition = condition;
    one->text = lesson_squeeze(text + strlen(kinds[kind].begins));
    if (!*one->text)
        return lesson_fault(reader, "a text", "");
    return lesson_check_text(reader, one->text, true) &&
           (kind == LESSON_TEXT ||
            check_most(reader, kinds[kind].words, lesson_words(one->text), LESSON_ASIDE_WORDS_MAX));
}

/* ---- Steps ---- */

/* An "and" that is a token's name within braces counts as well: one too many does no harm. */
static size_t terms_of(const char *condition)
{
    size_t terms = 1;
    for (; (condition = strstr(condition, " and ")); condition++)
        terms++;
    return terms;
}

/* Checked at the end of a step. Only one of the cases is shown, so the longest counts, but formulas
 * cost some work in each. */
static bool check_step(const struct reader *reader, const struct lesson_step *step)
{
    size_t words = 0, formulas = 0;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        formulas += step->state.values[i] ? formula_count(step->state.values[i]) : 0;
    for (size_t i = 0; i < step->count; i++) {
        const struct lesson_paragraph *paragraph = &step->paragraphs[i];
        size_t most = 0;
        for (size_t k = 0; k < paragraph->count; k++) {
            const struct lesson_case *one = &paragraph->cases[k];
            formulas += formula_count(one->text) + (one->condition ? terms_of(one->condition) : 0);
            most = size_max(most, lesson_words(one->text));
        }
        words += paragraph->kind == LESSON_TEXT ? most : 0;
    }
    if (words == 0)
        return lesson_fault(reader, "a text in each step", step->title);
    return check_most(reader, "words in a step", words, LESSON_WORDS_MAX) &&
           check_most(reader, "formulas and terms of conditions in a step", formulas,
                      LESSON_FORMULAS_MAX);
}

/* Reads a step from its heading in *block on, and leaves the next heading there. */
static bool take_step(struct reader *reader, char **block)
{
    struct lesson *lesson = reader->lesson;
    struct lesson_step *step = add_to(reader, &lesson->steps, &lesson->count, sizeof *step);
    const size_t heading = reader->line;
    bool optioned = false;
    if (!step)
        return false;
    if (lesson->count > 1)
        step->state = step[-1].state;
    if (!take_heading(reader, *block, "## ", "a step, \"## TITLE\"", &step->title))
        return false;
    while ((*block = lesson_take_block(reader)) && **block != '#') {
        char *text = *block + strspn(*block, " ");
        const bool options = has_options(text);
        if (options ? !take_options(reader, step, text, optioned)
                    : !take_paragraph(reader, step, text))
            return false;
        optioned |= options;
    }
    const size_t line = reader->line;
    reader->line = heading; /* which a message names */
    const bool fine = check_step(reader, step);
    reader->line = line;
    return fine;
}

/* Lines are checked first, so that everything after may rely on valid UTF-8 without control
 * characters. */
static bool take_lesson(struct reader *reader)
{
    struct lesson *lesson = reader->lesson;
    if (!lesson_check_lines(reader) || !take_heading(reader, lesson_take_block(reader), "# ",
                                                     "a title, \"# TITLE\"", &lesson->title))
        return false;
    char *block = lesson_take_block(reader);
    if (!block || *block == '#')
        return lesson_fault(reader, "a sentence that says what is learnt", block);
    lesson->about = lesson_squeeze(block);
    if (!check_plain(reader, lesson->about) || !take_minutes(reader))
        return false;
    block = lesson_take_block(reader);
    do
        if (!take_step(reader, &block))
            return false;
    while (block);
    return true;
}

/* The copy that is cut up always ends in a line feed. On a fault the lesson is freed, and the error
 * is already filled in. */
enum status lesson_read(const char *text, size_t length, const char *source, struct lesson **lesson,
                        struct error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* U+FEFF: some editors begin files with it */
    *lesson = calloc(1, sizeof **lesson);
    char *block = *lesson ? malloc(length + 2) : NULL;
    if (block) {
        memcpy(block, text, length);
        memcpy(block + length, "\n", 2);
        (*lesson)->block = block;
        struct reader reader = {.at = block + (begins_with(block, mark) ? strlen(mark) : 0),
                                .end = block + length + 1,
                                .next = 1,
                                .source = source,
                                .lesson = *lesson,
                                .error = error};
        if (take_lesson(&reader))
            return STATUS_OK;
    } else {
        error_memory(error, source, sizeof **lesson + length + 2);
    }
    lesson_free(*lesson);
    *lesson = NULL;
    return error->status;
}

/* Strings need no freeing: they lie in the block. */
void lesson_free(struct lesson *lesson)
{
    if (!lesson)
        return;
    for (size_t i = 0; i < lesson->count; i++) {
        struct lesson_step *step = &lesson->steps[i];
        for (size_t j = 0; j < step->count; j++)
            free(step->paragraphs[j].cases);
        free(step->paragraphs);
    }
    free(lesson->steps);
    free(lesson->block);
    free(lesson);
}
