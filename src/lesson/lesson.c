/* lesson.c: reads a lesson's file into steps: lines and blocks of lines, the words, emphasis and
 * formulas in their text, and the options of a step, which change the state of the step before. The
 * file is cut up in place: all strings point into it. Reading stops at the first fault, whose line
 * the message names. What can fail returns false for STATUS_FORMAT or STATUS_MEMORY, with the
 * message in the reader's error. */
#include "headlight/lesson/lesson.h"

#include "headlight/lesson/formula.h"
#include "headlight/text/marks.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>

#define MINUTES_MAX 60

struct reader {
    char *at, *end; /* still to be read; each line ends in a line feed */
    size_t next;    /* the line at `at`, from 1 */
    size_t line;    /* the one that messages name: that of the block at hand */
    const char *source;
    struct lesson *lesson;
    struct error *error;
};

/* ---- Faults ---- */

/* "expected EXPECTED, found "FOUND"", of which the first line is quoted; FOUND NULL: the end of the
 * file. Returns false. lesson_read puts the line before it. */
static bool lesson_fault(const struct reader *reader, const char *expected, const char *found)
{
    const char *quote = found ? "\"" : "";
    found = found ? found : "the end of the file";
    error_set(reader->error, STATUS_FORMAT, "expected %s, found %s%.*s%s", expected, quote,
              (int)strcspn(found, "\n"), found, quote);
    return false;
}

/* ---- Lines and blocks ---- */

/* Checks all lines, and turns tabs and carriage returns into spaces. The file ends in a line feed,
 * which lesson_read has added, so every line has one. */
static bool lesson_check_lines(struct reader *reader)
{
    char *next, found[24];
    int32_t code;
    reader->line = 1;
    for (char *line = reader->at; line < reader->end; line = next, reader->line++) {
        next = (char *)memchr(line, '\n', (size_t)(reader->end - line)) + 1;
        size_t length = (size_t)(next - line) - 1;
        if (!unicode_valid(line, length))
            return lesson_fault(reader, "UTF-8", "other bytes");
        for (size_t i = 0; i < length;) {
            if (line[i] == '\t' || line[i] == '\r')
                line[i] = ' ';
            i += unicode_next(line + i, length - i, &code);
            if (is_unseen(code)) {
                format_cut(found, sizeof found, "U+%04X", (unsigned)code);
                return lesson_fault(reader, "visible characters", found);
            }
        }
    }
    return true;
}

/* To the beginning of the next line. */
static void skip_line(struct reader *reader)
{
    reader->at += strcspn(reader->at, "\n") + 1;
    reader->next++;
}

/* Tabs and carriage returns are spaces by now. */
static bool is_at_blank_line(const struct reader *reader)
{
    return reader->at[strspn(reader->at, " ")] == '\n';
}

/* Takes a heading, which is one line, or the lines up to the next heading or blank line, the last
 * without its line feed. NULL: the end of the file. */
static char *lesson_take_block(struct reader *reader)
{
    while (reader->at < reader->end && is_at_blank_line(reader))
        skip_line(reader);
    char *block = reader->at;
    reader->line = reader->next;
    if (reader->at == reader->end)
        return NULL;
    do
        skip_line(reader);
    while (*block != '#' && reader->at < reader->end && !is_at_blank_line(reader) &&
           *reader->at != '#');
    reader->at[-1] = '\0';
    return block;
}

/* ---- Words ---- */

/* Other white space was refused or replaced when the lines were checked. */
static bool is_space(char character)
{
    return character == ' ' || character == '\n';
}

/* A formula counts as one word, whatever its value: the limit must not depend on the model. */
size_t lesson_words(const char *text)
{
    size_t words = 0;
    bool within = false;
    for (; *text; text = formula_skip(text)) {
        words += !within && !is_space(*text);
        within = !is_space(*text);
    }
    return words;
}

/* Makes a text one line, and returns it: runs of white space become one space, and go at either
 * end.
 */
static char *lesson_squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (!is_space(*from))
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
    return text;
}

/* ---- Formulas and emphasis ---- */

/* Checks formulas and their braces and, where a text is shown, marks of emphasis and keys. An
 * unpaired mark is taken for a mistake, except the asterisk of "2 * 3", and so is a brace within a
 * formula, or a closing one without an opening one. */
static bool lesson_check_text(const struct reader *reader, const char *text, bool shown)
{
    struct formula formula;
    const char *emphasis = NULL;
    for (const char *at = text; *at; at = formula_skip(at)) {
        const bool alone = at > text && at[-1] == ' ' && at[1] == ' '; /* as in "2 * 3" */
        if (*at == '{' || *at == '}') {
            const size_t length = strcspn(at + 1, "{}");
            if (*at == '}' || at[1 + length] != '}')
                return lesson_fault(reader, "each formula to stand in braces of its own, {…}", at);
            if (formula_read(at + 1, length, &formula, reader->error) != STATUS_OK)
                return false;
        } else if (shown && *at == '`' && !marks_keys_end(at)) {
            return lesson_fault(reader, "a second ` behind keys", at);
        } else if (shown && *at == '*' && !alone) {
            if (!(emphasis ? marks_can_end(at) : marks_can_begin(at)))
                return lesson_fault(reader, "emphasis as in *so*, its marks beside words", at);
            emphasis = emphasis ? NULL : at;
        }
    }
    return !emphasis || lesson_fault(reader, "a second * behind emphasis", emphasis);
}

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
        error_set(reader->error, STATUS_FORMAT, "expected at most %zu %s, found %zu", most, things,
                  count);
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

/* ---- Options ---- */

/* What is still to be read, and the options read so far. */
struct options {
    char *rest;
    struct lesson_state given; /* NULL members: not given */
    bool anew;
};

/* The next word, *word NULL at the end. Words are split as in a shell, without backslashes; spaces
 * inside a formula don't split. An unclosed formula is reported when formulas are checked. */
static bool take_word(const struct reader *reader, struct options *options, char **word)
{
    char *from = options->rest + strspn(options->rest, " "), *to = from;
    char until = '\0'; /* ends what was quoted, or a formula */
    *word = *from ? from : NULL;
    for (; *from && (until || *from != ' '); from++) {
        const bool quote = until ? until != '}' && *from == until : *from == '"' || *from == '\'';
        if (quote && !until && !strchr(from + 1, *from))
            return lesson_fault(reader, "a second quote", from);
        if (until ? *from == until : quote || *from == '{')
            until = until ? '\0' : quote ? *from : '}';
        if (!quote)
            *to++ = *from;
    }
    options->rest = *from ? from + 1 : from;
    *to = '\0';
    return true;
}

/* The value of a field, or of an option that stands for one of its values. An option that changes
 * the network needs none if it is a flag, but "off" takes it back; other values stand after "=", or
 * are the next word. */
static bool take_value(const struct reader *reader, struct options *options, const char *name,
                       const char *given, enum state_field *field, const char **value)
{
    const char *on;
    *field = field_set_by(field_named(name), &on);
    *value = given ? given : on;
    if (on && !field_is_look(*field) && given) {
        *value = field_choice(*field, 0);
        return strcmp(given, "off") == 0 || lesson_fault(reader, "no value, or off", given);
    }
    char *word = NULL;
    if (!*value && !take_word(reader, options, &word))
        return false;
    *value = *value ? *value : word;
    if (!*value)
        error_set(reader->error, STATUS_FORMAT,
                  "--%s: expected a value, found the end of the options", name);
    return *value != NULL;
}

/* A value is checked now if it has no formulas, else when the step is shown; a mask is applied
 * before the pass, which a formula would need. "=" is put back for the message, which quotes the
 * whole word. */
static bool take_option(const struct reader *reader, struct options *options, char *word)
{
    const bool set = strcmp(word, "--set") == 0;
    if (set && !take_word(reader, options, &word))
        return false;
    if (!word)
        return lesson_fault(reader, "NAME=VALUE behind --set", "the end of the options");
    char *equals = strchr(word, '=');
    const char *name = word + strspn(word, "-"), *value;
    enum state_field field;
    if (equals)
        *equals = '\0';
    if (field_named(name) == FIELD_COUNT || set != (strlen(option_dashes(name)) > 2)) {
        options->anew |= strcmp(name, "anew") == 0 && !equals;
        if (strcmp(name, "anew") == 0 && !equals)
            return true;
        if (equals)
            *equals = '=';
        return lesson_fault(reader,
                            "options of a lesson, which choose what is shown or change the "
                            "network, --mask, --raw-text or --anew",
                            word);
    }
    if (!take_value(reader, options, name, equals ? equals + 1 : NULL, &field, &value))
        return false;
    options->given.values[field] = value;
    if (field == FIELD_MASK && strpbrk(value, "{}"))
        return lesson_fault(reader, "a value without formulas", value);
    if (strpbrk(value, "{}"))
        return lesson_check_text(reader, value, false);
    return field_check(field, value, reader->error) == STATUS_OK;
}

/* Applies a step's options to the state of the step before. A word in quotes is a sentence, even if
 * it begins with "-". --anew holds first, then a new text, in which choices made in the old one
 * mean nothing, then single fields. */
static bool lesson_take_options(struct reader *reader, char *text, struct lesson_state *state)
{
    struct options options = {.rest = text};
    struct lesson_state *given = &options.given;
    for (char *word;;) {
        const bool bare = options.rest[strspn(options.rest, " ")] == '-';
        if (!take_word(reader, &options, &word))
            return false;
        if (!word)
            break;
        if (bare && !take_option(reader, &options, word))
            return false;
        if (!bare && given->text_count == 2)
            return lesson_fault(reader, "one or two sentences, each in quotes", word);
        if (!bare)
            given->texts[given->text_count++] = word;
    }
    if (options.anew)
        *state = (struct lesson_state){.text_count = 0};
    if (given->text_count > 0) {
        memcpy(state->texts, given->texts, sizeof state->texts);
        state->text_count = given->text_count;
    }
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        if (given->text_count > 0 && field_info(field)->reach >= REACH_TEXT)
            state->values[field] = NULL;
        if (field_is_overruled(field, given->values))
            state->values[field] = given->values[field];
    }
    return true;
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
        return false;
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

/* Takes one block: a paragraph, or a further case of the paragraph before. One that merely begins
 * with the word "else" isn't a case: after it comes a colon, a blank or the end of the line. All
 * cases are of one kind, of which those set apart come once a step at most; the text of a case is
 * checked as if it were always shown. */
static bool take_paragraph(struct reader *reader, struct lesson_step *step, char *text)
{
    const bool continues = begins_with(text, "else") && strchr(": \n", text[4]);
    const bool tests = begins_with(text, continues ? "else if " : "if ");
    const struct lesson_case *last = step->count > 0 ? &step->cases[step->count - 1] : NULL;
    const char *condition = NULL;
    if (continues && !(last && last->condition))
        return lesson_fault(reader, "\"if CONDITION:\" before it", text);
    const size_t opening = strlen(tests && continues ? "else if " : tests ? "if " : "else");
    if ((continues || tests) && !take_condition(reader, &text, text + opening, tests, &condition))
        return false;
    const char *whole = text;
    enum lesson_kind kind = LESSON_KINDS - 1;
    text += strspn(text, " ");
    while (!begins_with(text, kinds[kind].begins))
        kind--;
    if (continues && last->kind != kind)
        return lesson_fault(
            reader, "all cases to begin alike: \"Look:\", \"Try:\", \"Learnt:\" or none of them",
            whole);
    for (size_t i = 0; !continues && kind != LESSON_TEXT && i < step->count; i++)
        if (step->cases[i].kind == kind)
            return lesson_fault(
                reader, "one \"Look:\", one \"Try:\" and one \"Learnt:\" a step at most", whole);
    struct lesson_case *one = add_to(reader, &step->cases, &step->count, sizeof *one);
    if (!one)
        return false;
    *one = (struct lesson_case){kind, continues, condition,
                                lesson_squeeze(text + strlen(kinds[kind].begins))};
    if (!*one->text)
        return lesson_fault(reader, "a text", "");
    return lesson_check_text(reader, one->text, true) &&
           (kind == LESSON_TEXT ||
            check_most(reader, kinds[kind].words, lesson_words(one->text), LESSON_ASIDE_WORDS_MAX));
}

/* ---- Steps ---- */

/* Checked at the end of a step. Only one of the cases is shown, so the longest counts, but formulas
 * cost some work in each. */
static bool check_step(const struct reader *reader, const struct lesson_step *step)
{
    size_t words = 0, before = 0, formulas = 0;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        formulas += step->state.values[i] ? formula_count(step->state.values[i]) : 0;
    for (size_t i = 0; i < step->count; i++) {
        const struct lesson_case *one = &step->cases[i];
        /* an "and" that is a token's name within braces counts, too: one too many does no harm */
        for (const char *term = one->condition; term; term = strstr(term + 1, " and "))
            formulas++;
        formulas += formula_count(one->text);
        before = one->continues ? before : words;
        if (one->kind == LESSON_TEXT)
            words = size_max(words, before + lesson_words(one->text));
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
        char *end = *text == '`' ? strchr(text + 1, '`') : NULL;
        const char *line_end = strchr(text, '\n');
        if (!end || !strchr("\n", end[1 + strspn(end + 1, " ")])) { /* or the end */
            if (!take_paragraph(reader, step, text))
                return false;
            continue;
        }
        /* a line that is one code span, as options are */
        if (step->count > 0 || optioned)
            return lesson_fault(reader, "options once, before the text of a step", text);
        reader->line += line_end != NULL;
        if (line_end)
            return lesson_fault(reader, "a blank line behind the options", line_end + 1);
        *end = '\0';
        if (!lesson_take_options(reader, text + 1, &step->state))
            return false;
        optioned = true;
    }
    const size_t line = reader->line;
    reader->line = heading; /* which a message names */
    if (!check_step(reader, step))
        return false;
    reader->line = line;
    return true;
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
    if (!check_plain(reader, lesson->about))
        return false;
    /* "5 minutes" or "1 minute", and "with dates" behind it */
    block = lesson_take_block(reader);
    const char *unit = block ? strchr(lesson_squeeze(block), ' ') : NULL;
    const char *with = unit ? strstr(unit, " with ") : NULL;
    lesson->model = with ? with + strlen(" with ") : NULL;
    lesson->minutes = unit ? strtoul(block, NULL, 10) : 0;
    const size_t length = !unit ? 0 : with ? (size_t)(with - unit) : strlen(unit);
    if (length < strlen(" minute") || length > strlen(" minutes") ||
        strncmp(unit, " minutes", length) != 0 ||
        strspn(block, "0123456789") != (size_t)(unit - block) || lesson->minutes == 0 ||
        lesson->minutes > MINUTES_MAX)
        return lesson_fault(reader, "how long it takes, such as \"5 minutes\"", block);
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
        if (error->status != STATUS_MEMORY)
            error_set(error, STATUS_FORMAT, "%s:%zu: %s", source, reader.line, error->message);
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
    for (size_t i = 0; i < lesson->count; i++)
        free(lesson->steps[i].cases);
    free(lesson->steps);
    free(lesson->block);
    free(lesson);
}
