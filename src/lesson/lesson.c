/* lesson.c: reads a lesson's file into steps. The file is cut up in place: all strings point into
 * it. Reading stops at the first fault, whose line the message names. */
#include "headlight/lesson/lesson_parts.h"

#include "headlight/lesson/formula.h"
#include "headlight/session/fields.h"

#include <stdlib.h>
#include <string.h>

#define MINUTES_MAX 60

/* One more of `size` bytes, all zero, at the end of the list that `list` points to; NULL without
 * memory. */
static void *add_to(void *list, size_t *count, size_t size, struct place place)
{
    void *old;
    memcpy(&old, list, sizeof old);
    char *items = realloc(old, (*count + 1) * size);
    if (!items) {
        error_memory(place.error, place.source, (*count + 1) * size);
        return NULL;
    }
    memcpy(list, &items, sizeof items);
    return memset(items + (*count)++ * size, 0, size);
}

/* ---- Head ---- */

/* Lists and headings show this text without formatting. */
static enum status check_plain(const struct block *block)
{
    const char *mark = strpbrk(block->text, "*`{}");
    return mark ? lesson_fault(block->place, "neither emphasis nor formulas here", mark)
                : STATUS_OK;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Takes the mark off a heading: "# " of the lesson, "## " of a step. An empty title is shown as the
 * mark alone, which is what was found. */
static enum status take_heading(struct block *block, const char *mark, const char *expected,
                                const char **title)
{
    if (!block->text || !begins_with(block->text, mark))
        return lesson_fault(block->place, expected, block->text);
    block->text += strlen(mark);
    lesson_squeeze(block->text);
    *title = block->text;
    return *block->text ? check_plain(block) : lesson_fault(block->place, expected, mark);
}

/* The paragraph below the title, which `headlight lessons` shows. */
static enum status take_about(struct reader *reader)
{
    struct block block = lesson_take_block(reader);
    if (!block.text || *block.text == '#')
        return lesson_fault(block.place, "a sentence that says what is learnt", block.text);
    lesson_squeeze(block.text);
    reader->lesson->about = block.text;
    return check_plain(&block);
}

/* "5 minutes" or "1 minute". The blank is put back for the message. */
static enum status take_minutes(struct reader *reader)
{
    struct block block = lesson_take_block(reader);
    size_t minutes = 0;
    if (block.text)
        lesson_squeeze(block.text);
    char *unit = block.text ? strchr(block.text, ' ') : NULL;
    if (unit && (strcmp(unit, " minutes") == 0 || strcmp(unit, " minute") == 0)) {
        *unit = '\0';
        if (value_number(block.text, MINUTES_MAX, &minutes) && minutes > 0) {
            reader->lesson->minutes = minutes;
            return STATUS_OK;
        }
        *unit = ' ';
    }
    return lesson_fault(block.place, "how long it takes, such as \"5 minutes\"", block.text);
}

/* ---- Options ---- */

/* Whether a block begins with a line that is one code span, as options are. */
static bool has_options(const struct block *block)
{
    const char *line = block->text;
    size_t length = strcspn(line, "\n");
    while (length > 0 && line[length - 1] == ' ')
        length--;
    return length >= 2 && *line == '`' && memchr(line + 1, '`', length - 1) == line + length - 1;
}

/* The code span that begins a step. Its second backquote is known to be there (has_options). */
static enum status take_options(struct lesson_step *step, const struct block *block, bool again)
{
    char *end = strchr(block->text + 1, '`');
    const char *line_end = strchr(block->text, '\n');
    if (step->count > 0 || again)
        return lesson_fault(block->place, "options once, before the text of a step", block->text);
    if (line_end)
        return lesson_fault(
            (struct place){block->place.source, block->place.line + 1, block->place.error},
            "a blank line behind the options", line_end + 1);
    *end = '\0';
    return lesson_take_options(block->text + 1, block->place, &step->state);
}

/* ---- Paragraphs ---- */

/* How a block begins if it is a case. */
enum opening {
    OPENING_NONE,
    OPENING_IF,
    OPENING_ELSE,
    OPENING_ELSE_IF,
};

/* A paragraph that merely begins with the word "else" isn't a case: after it comes a colon, a blank
 * or the end of the line. */
static enum opening opening_of(const char *text)
{
    if (begins_with(text, "if "))
        return OPENING_IF;
    if (begins_with(text, "else if "))
        return OPENING_ELSE_IF;
    return begins_with(text, "else") && strchr(": \n", text[4]) ? OPENING_ELSE : OPENING_NONE;
}

/* An "and" that is a token's name within braces counts as well: one too many does no harm. */
static size_t terms_of(const char *condition)
{
    size_t terms = 1;
    for (; (condition = strstr(condition, " and ")); condition++)
        terms++;
    return terms;
}

/* Removes "if …:" from a block; *condition is NULL for "else:". */
static enum status take_condition(struct block *block, enum opening opening, const char **condition)
{
    static const char *const openings[] = {
        [OPENING_IF] = "if ", [OPENING_ELSE] = "else", [OPENING_ELSE_IF] = "else if "};
    char *text = block->text + strcspn(block->text, "\n"), *end = text;
    char *begin = block->text + strlen(openings[opening]);
    enum formula_state state;
    bool holds;
    while (end[-1] == ' ')
        end--;
    if (end[-1] != ':' || (opening == OPENING_ELSE && end - 1 != begin))
        return lesson_fault(block->place, "\"if CONDITION:\" or \"else:\" on a line of its own",
                            block->text);
    if (*text == '\0')
        return lesson_fault(block->place, "a text on the line below", block->text);
    end[-1] = '\0';
    lesson_squeeze(begin);
    *condition = opening == OPENING_ELSE ? NULL : begin;
    if (*condition && condition_read(begin, NULL, &state, &holds, block->place.error) != STATUS_OK)
        return lesson_fault_at(block->place);
    block->text = text + 1;
    block->place.line++;
    return STATUS_OK;
}

/* How a paragraph begins that is set apart, and what its words are in messages. */
static const struct {
    const char *begins, *words;
} kinds[LESSON_KINDS] = {
    [LESSON_LOOK] = {"Look:", "words in what to look at"},
    [LESSON_TRY] = {"Try:", "words in what to try"},
    [LESSON_LEARNT] = {"Learnt:", "words in what was learnt"},
};

/* Removes the beginning of such a paragraph. */
static enum lesson_kind take_kind(struct block *block)
{
    block->text += strspn(block->text, " ");
    for (enum lesson_kind kind = LESSON_LOOK; kind < LESSON_KINDS; kind++)
        if (begins_with(block->text, kinds[kind].begins)) {
            block->text += strlen(kinds[kind].begins);
            return kind;
        }
    return LESSON_TEXT;
}

/* A lesson that says or asks more should have more steps. */
static enum status check_most(struct place place, const char *things, size_t count, size_t most)
{
    return count <= most
               ? STATUS_OK
               : error_set(place.error, STATUS_FORMAT, "%s:%zu: expected at most %zu %s, found %zu",
                           place.source, place.line, most, things, count);
}

/* The text of one case, checked as if it were always shown. */
static enum status take_case_text(struct block *block, enum lesson_kind kind,
                                  struct lesson_case *one, size_t *formulas)
{
    lesson_squeeze(block->text);
    one->text = block->text;
    one->line = block->place.line;
    if (!*block->text)
        return lesson_fault(block->place, "a text", "");
    if (lesson_check_text(block->text, block->place, formulas) != STATUS_OK)
        return block->place.error->status;
    return kind == LESSON_TEXT ? STATUS_OK
                               : check_most(block->place, kinds[kind].words,
                                            lesson_words(one->text), LESSON_ASIDE_WORDS_MAX);
}

/* The paragraph that an "else" belongs to; NULL where there is none. */
static struct lesson_paragraph *open_paragraph(const struct lesson_step *step)
{
    struct lesson_paragraph *last = step->count > 0 ? &step->paragraphs[step->count - 1] : NULL;
    return last && last->cases[last->count - 1].condition ? last : NULL;
}

/* Whether the step already has a paragraph of a kind that is set apart. */
static bool has_kind(const struct lesson_step *step, enum lesson_kind kind)
{
    for (size_t i = 0; i < step->count; i++)
        if (step->paragraphs[i].kind == kind)
            return true;
    return false;
}

/* All cases of a paragraph are of one kind, of which those set apart come once a step at most. */
static enum status check_paragraph_kind(const struct lesson_step *step,
                                        const struct lesson_paragraph *open, enum lesson_kind kind,
                                        const struct block *block)
{
    if (open && open->kind != kind)
        return lesson_fault(
            block->place,
            "all cases to begin alike: \"Look:\", \"Try:\", \"Learnt:\" or none of them",
            block->text);
    if (!open && kind != LESSON_TEXT && has_kind(step, kind))
        return lesson_fault(block->place,
                            "one \"Look:\", one \"Try:\" and one \"Learnt:\" a step at most",
                            block->text);
    return STATUS_OK;
}

/* Takes one block: a paragraph, or a further case of the paragraph before. */
static enum status take_paragraph(struct lesson_step *step, struct block block)
{
    const char *condition = NULL;
    enum opening opening = opening_of(block.text);
    struct lesson_paragraph *paragraph = opening > OPENING_IF ? open_paragraph(step) : NULL;
    if (opening > OPENING_IF && !paragraph)
        return lesson_fault(block.place, "\"if CONDITION:\" before it", block.text);
    if (opening != OPENING_NONE && take_condition(&block, opening, &condition) != STATUS_OK)
        return block.place.error->status;
    const struct block whole = block;
    enum lesson_kind kind = take_kind(&block);
    if (check_paragraph_kind(step, paragraph, kind, &whole) != STATUS_OK)
        return block.place.error->status;
    if (!paragraph)
        paragraph = add_to(&step->paragraphs, &step->count, sizeof *paragraph, block.place);
    struct lesson_case *one =
        paragraph ? add_to(&paragraph->cases, &paragraph->count, sizeof *one, block.place) : NULL;
    if (!one)
        return block.place.error->status;
    paragraph->kind = kind;
    one->condition = condition;
    step->formulas += condition ? terms_of(condition) : 0;
    return take_case_text(&block, kind, one, &step->formulas);
}

/* ---- Steps ---- */

/* Only one of the cases is shown, so the longest counts. */
static size_t most_words(const struct lesson_paragraph *paragraph)
{
    size_t most = 0;
    for (size_t i = 0; i < paragraph->count; i++) {
        size_t words = lesson_words(paragraph->cases[i].text);
        most = words > most ? words : most;
    }
    return most;
}

/* Checked at the end of a step: its heading's line is the one that messages name. */
static enum status check_step(struct place place, const struct lesson_step *step)
{
    size_t words = 0, formulas = step->formulas;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        formulas += step->state.formulas[i];
    for (size_t i = 0; i < step->count; i++)
        words += step->paragraphs[i].kind == LESSON_TEXT ? most_words(&step->paragraphs[i]) : 0;
    if (words == 0)
        return lesson_fault(place, "a text in each step", step->title);
    if (check_most(place, "words in a step", words, LESSON_WORDS_MAX) != STATUS_OK)
        return place.error->status;
    return check_most(place, "formulas and terms of conditions in a step", formulas,
                      LESSON_FORMULAS_MAX);
}

/* Reads a step from its heading in `block` on, and leaves the next heading there. */
static enum status take_step(struct reader *reader, struct block *block)
{
    const struct place place = block->place;
    struct lesson *lesson = reader->lesson;
    struct lesson_step *step = add_to(&lesson->steps, &lesson->count, sizeof *step, place);
    bool optioned = false;
    if (!step)
        return reader->place.error->status;
    if (lesson->count > 1)
        step->state = step[-1].state;
    step->line = place.line;
    if (take_heading(block, "## ", "a step, \"## TITLE\"", &step->title) != STATUS_OK)
        return reader->place.error->status;
    for (*block = lesson_take_block(reader); block->text && *block->text != '#';
         *block = lesson_take_block(reader)) {
        block->text += strspn(block->text, " ");
        bool options = has_options(block);
        enum status status =
            options ? take_options(step, block, optioned) : take_paragraph(step, *block);
        if (status != STATUS_OK)
            return status;
        optioned |= options;
    }
    return check_step(place, step);
}

/* Lines are checked first, so that everything after may rely on valid UTF-8 without control
 * characters. */
static enum status take_lesson(struct reader *reader)
{
    if (lesson_check_lines(reader) != STATUS_OK)
        return reader->place.error->status;
    struct block block = lesson_take_block(reader);
    if (take_heading(&block, "# ", "a title, \"# TITLE\"", &reader->lesson->title) != STATUS_OK ||
        take_about(reader) != STATUS_OK || take_minutes(reader) != STATUS_OK)
        return reader->place.error->status;
    block = lesson_take_block(reader);
    do
        if (take_step(reader, &block) != STATUS_OK)
            return reader->place.error->status;
    while (block.text);
    return STATUS_OK;
}

/* ---- Lessons ---- */

/* A copy to be cut up, which always ends in a line feed. */
static struct lesson *lesson_copy(const char *text, size_t length)
{
    struct lesson *lesson = calloc(1, sizeof *lesson);
    char *block = lesson ? malloc(length + 2) : NULL;
    if (!block) {
        free(lesson);
        return NULL;
    }
    memcpy(block, text, length);
    memcpy(block + length, "\n", 2);
    lesson->block = block;
    return lesson;
}

/* On a fault the lesson is freed, and the error is already filled in. */
enum status lesson_read(const char *text, size_t length, const char *source, struct lesson **lesson,
                        struct error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* U+FEFF: some editors begin files with it */
    *lesson = lesson_copy(text, length);
    if (!*lesson)
        return error_memory(error, source, sizeof **lesson + length + 2);
    struct reader reader = {.at = (*lesson)->block, .place = {source, 1, error}, .lesson = *lesson};
    reader.end = reader.at + length + 1;
    if (begins_with(reader.at, mark))
        reader.at += strlen(mark);
    if (take_lesson(&reader) == STATUS_OK)
        return STATUS_OK;
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
