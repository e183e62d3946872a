/* lesson_options.c: the options of a step, which change the state of the step before. They are
 * those of the state's fields (session/fields.h) and --anew. Formulas in values are checked here
 * and filled in when the step is shown. */
#include "headlight/lesson/lesson_parts.h"

#include <string.h>

/* The line being read, and the options read from it. */
struct options {
    char *rest;
    struct place place;
    struct lesson_state given; /* NULL members: not given */
    bool anew;
};

/* ---- Words ---- */

/* Copies up to `end`. */
static void copy_up_to(const char *end, char **from, char **to)
{
    while (*from < end)
        *(*to)++ = *(*from)++;
}

/* Copies a quoted text, without its quotes. */
static enum status copy_quoted(const struct options *options, char **from, char **to)
{
    const char *end = strchr(*from + 1, **from);
    if (!end)
        return lesson_fault(options->place, "a second quote", *from);
    ++*from;
    copy_up_to(end, from, to);
    ++*from;
    return STATUS_OK;
}

/* The next word, *word NULL at the end. Words are split as in a shell, without backslashes; spaces
 * inside a formula don't split. An unclosed formula is reported when formulas are checked. */
static enum status take_shell_word(struct options *options, char **word)
{
    char *from = options->rest + strspn(options->rest, " "), *to = from;
    *word = *from ? from : NULL;
    while (*from && *from != ' ')
        if (*from == '{')
            copy_up_to(from + strcspn(from, "}"), &from, &to);
        else if (*from != '"' && *from != '\'')
            *to++ = *from++;
        else if (copy_quoted(options, &from, &to) != STATUS_OK)
            return options->place.error->status;
    options->rest = *from ? from + 1 : from;
    *to = '\0';
    return STATUS_OK;
}

/* ---- Options ---- */

/* "--NAME" or "--NAME=VALUE" */
struct option {
    const char *name;
    const char *value; /* NULL: no "=" */
};

/* Finds the value of an option that needs one: after "=", or the next word. */
static bool take_value(struct options *options, struct option *option)
{
    char *word = NULL;
    if (!option->value && take_shell_word(options, &word) == STATUS_OK && !word)
        error_set(options->place.error, STATUS_FORMAT,
                  "%s:%zu: --%s: expected a value, found the end of the options",
                  options->place.source, options->place.line, option->name);
    option->value = option->value ? option->value : word;
    return option->value != NULL;
}

/* An option without a value; only "=off" may follow, which takes it back. */
static enum status take_flag(const struct options *options, enum state_field field, const char *on,
                             struct option *option)
{
    const char *given = option->value;
    option->value = given ? field_choice(field, 0) : on;
    return !given || strcmp(given, "off") == 0
               ? STATUS_OK
               : lesson_fault(options->place, "no value, or off", given);
}

/* A field of the state, or an option that stands for one of its values. The value is checked now if
 * it has no formulas, else when the step is shown. */
static enum status take_lesson_field(struct options *options, enum state_field named,
                                     struct option *option)
{
    const char *on;
    enum state_field field = field_set_by(named, &on);
    bool flag = on && !field_is_look(field);
    if (on && !flag && !option->value)
        option->value = on;
    if (flag ? take_flag(options, field, on, option) != STATUS_OK : !take_value(options, option))
        return options->place.error->status;
    options->given.values[field] = option->value;
    options->given.formulas[field] = 0;
    if (strpbrk(option->value, "{}"))
        /* a mask is applied before the pass, which a formula would need */
        return field == FIELD_MASK
                   ? lesson_fault(options->place, "a value without formulas", option->value)
                   : lesson_check_formulas(option->value, options->place,
                                           &options->given.formulas[field]);
    return field_check(field, option->value, options->place.error) == STATUS_OK
               ? STATUS_OK
               : lesson_fault_at(options->place);
}

/* "=" is put back for the message, which quotes the whole word. */
static enum status take_option(struct options *options, char *word)
{
    char *equals = strchr(word, '=');
    struct option option = {word + strspn(word, "-"), equals ? equals + 1 : NULL};
    if (equals)
        *equals = '\0';
    enum state_field field = field_named(option.name);
    if (field != FIELD_COUNT)
        return take_lesson_field(options, field, &option);
    if (strcmp(option.name, "anew") == 0 && !equals) {
        options->anew = true;
        return STATUS_OK;
    }
    if (equals)
        *equals = '=';
    return lesson_fault(options->place,
                        "options of a lesson, which choose what is shown or change the network, "
                        "--mask, --no-special or --anew",
                        word);
}

/* A word in quotes is a sentence, even if it begins with "-". */
static enum status take_arguments(struct options *options)
{
    char *word;
    do {
        bool bare = options->rest[strspn(options->rest, " ")] == '-';
        if (take_shell_word(options, &word) != STATUS_OK)
            return options->place.error->status;
        struct lesson_state *given = &options->given;
        if (word && bare && take_option(options, word) != STATUS_OK)
            return options->place.error->status;
        if (word && !bare && given->text_count == 2)
            return lesson_fault(options->place, "one or two sentences, each in quotes", word);
        if (word && !bare)
            given->texts[given->text_count++] = word;
    } while (word);
    return STATUS_OK;
}

/* ---- Changing the state ---- */

static void take_value_from(struct lesson_state *state, enum state_field field,
                            const struct lesson_state *from)
{
    state->values[field] = from->values[field];
    state->formulas[field] = from->formulas[field];
}

/* Choices made in the old text mean nothing in the new one. */
static void change_text(struct lesson_state *state, const struct lesson_state *given)
{
    static const struct lesson_state none;
    memcpy(state->texts, given->texts, sizeof state->texts);
    state->text_count = given->text_count;
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_info(field)->reach >= REACH_TEXT)
            take_value_from(state, field, &none);
}

/* --anew first, then a new text, which resets what belonged to the old one, then single fields. */
static void change_state(struct lesson_state *state, const struct options *options)
{
    const struct lesson_state *given = &options->given;
    if (options->anew)
        *state = (struct lesson_state){.text_count = 0};
    if (given->text_count > 0)
        change_text(state, given);
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (field_is_overruled(field, given->values))
            take_value_from(state, field, given);
}

enum status lesson_take_options(char *text, struct place place, struct lesson_state *state)
{
    struct options options = {.rest = text, .place = place};
    if (take_arguments(&options) != STATUS_OK)
        return place.error->status;
    change_state(state, &options);
    return STATUS_OK;
}
