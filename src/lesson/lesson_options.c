/* lesson_options.c: the options of a step: which there are, and what they do to the step before. */
#include "headlight/lesson/lesson_parts.h"

#include <string.h>

/* Both where a reader goes on, and what it has taken. */
struct options {
    char *rest;
    struct place place;
    struct error *error;
    struct lesson_state given;     /* what is NULL in it wasn't given */
    bool anew, changed_special;    /* --anew; --no-special, on or off */
    bool taken_back[CHANGE_COUNT]; /* --causal=off */
};

/* ---- Words ---- */

/* Copies what stands before `end`. */
static void copy_up_to(const char *end, char **from, char **to)
{
    while (*from < end)
        *(*to)++ = *(*from)++;
}

/* What stands between quotes, without them. */
static enum status copy_quoted(const struct options *options, char **from, char **to)
{
    const char *end = strchr(*from + 1, **from);
    if (!end)
        return lesson_fault(options->place, "a second quote", *from, options->error);
    ++*from;
    copy_up_to(end, from, to);
    ++*from;
    return STATUS_OK;
}

/* The next word, *word NULL at the end: as a shell has them, without backslashes, and a formula's
 * spaces are its own. One without an end is found out with the formulas. */
static enum status take_word(struct options *options, char **word)
{
    char *from = options->rest + strspn(options->rest, " "), *to = from;
    *word = *from ? from : NULL;
    while (*from && *from != ' ')
        if (*from == '{')
            copy_up_to(from + strcspn(from, "}"), &from, &to);
        else if (*from != '"' && *from != '\'')
            *to++ = *from++;
        else if (copy_quoted(options, &from, &to) != STATUS_OK)
            return options->error->status;
    options->rest = *from ? from + 1 : from;
    *to = '\0';
    return STATUS_OK;
}

/* ---- Options ---- */

/* An option as it stands there: "--NAME", "--NAME=VALUE". */
struct option {
    const char *name;
    const char *value; /* NULL: none behind "=" */
};

static enum status refuse(const struct options *options, const char *name, const char *expected)
{
    return error_set(options->error, STATUS_FORMAT, "%s:%zu: --%s: expected %s",
                     options->place.source, options->place.line, name, expected);
}

/* Finds the value of an option that needs one: behind "=", or the next word. */
static bool take_value(struct options *options, struct option *option)
{
    char *word = NULL;
    if (!option->value && take_word(options, &word) == STATUS_OK && !word)
        refuse(options, option->name, "a value, found the end of the options");
    option->value = option->value ? option->value : word;
    return option->value != NULL;
}

/* Whether a flag is on: it is unless it is taken back with "=off". */
static enum status take_flag(const struct options *options, const struct option *option, bool *on)
{
    *on = !option->value;
    return !option->value || strcmp(option->value, "off") == 0
               ? STATUS_OK
               : lesson_fault(options->place, "no value, or off", option->value, options->error);
}

static enum status take_setting(struct options *options, enum setting setting,
                                struct option *option)
{
    if (!setting_info(setting)->argument && !option->value)
        option->value = "on";
    if (!take_value(options, option))
        return options->error->status;
    options->given.values[setting] = option->value;
    if (strpbrk(option->value, "{}"))
        return lesson_check_formulas(option->value, options->place, options->error);
    return setting_check(setting, option->value, options->error) == STATUS_OK
               ? STATUS_OK
               : lesson_fault_at(options->place, options->error);
}

static enum status take_change(struct options *options, const struct change_option *change,
                               struct option *option)
{
    bool on = true;
    if (change->value ? take_flag(options, option, &on) != STATUS_OK : !take_value(options, option))
        return options->error->status;
    const char *value = change->value ? change->value : option->value;
    options->given.changes[change->change] = on ? value : NULL;
    options->taken_back[change->change] = !on;
    if (strpbrk(value, "{}"))
        return lesson_check_formulas(value, options->place, options->error);
    return change_check(change->change, value, options->error) == STATUS_OK
               ? STATUS_OK
               : lesson_fault_at(options->place, options->error);
}

static enum status take_no_special(struct options *options, const struct option *option)
{
    bool on = false;
    options->changed_special = true;
    enum status status = take_flag(options, option, &on);
    options->given.special = !on;
    return status;
}

static enum status take_mask(struct options *options, struct option *option)
{
    if (!take_value(options, option))
        return options->error->status;
    options->given.mask = option->value;
    if (strpbrk(option->value, "{}")) /* of a text before it is read */
        return lesson_fault(options->place, "a value without formulas", option->value,
                            options->error);
    return STATUS_OK;
}

static enum status take_option(struct options *options, char *word)
{
    char *equals = strchr(word, '=');
    struct option option = {word + strspn(word, "-"), equals ? equals + 1 : NULL};
    if (equals)
        *equals = '\0';
    enum setting setting = setting_named(option.name);
    const struct change_option *change = change_option_named(option.name);
    if (setting != SETTING_COUNT)
        return take_setting(options, setting, &option);
    if (change)
        return take_change(options, change, &option);
    if (strcmp(option.name, "mask") == 0)
        return take_mask(options, &option);
    if (strcmp(option.name, "no-special") == 0)
        return take_no_special(options, &option);
    if (strcmp(option.name, "anew") == 0 && !equals) {
        options->anew = true;
        return STATUS_OK;
    }
    if (equals)
        *equals = '=';
    return lesson_fault(options->place,
                        "options of a lesson, which choose what is shown or change the network, "
                        "--mask, --no-special or --anew",
                        word, options->error);
}

static enum status take_text(struct options *options, const char *word)
{
    struct lesson_state *given = &options->given;
    if (given->text_count == 2)
        return lesson_fault(options->place, "one or two sentences, each in quotes", word,
                            options->error);
    given->texts[given->text_count++] = word;
    return STATUS_OK;
}

/* A word in quotes is a sentence whatever it begins with. */
static enum status take_all(struct options *options)
{
    char *word;
    do {
        bool bare = options->rest[strspn(options->rest, " ")] == '-';
        if (take_word(options, &word) != STATUS_OK)
            return options->error->status;
        enum status status = !word  ? STATUS_OK
                             : bare ? take_option(options, word)
                                    : take_text(options, word);
        if (status != STATUS_OK)
            return status;
    } while (word);
    return STATUS_OK;
}

/* ---- What they do to the step before ---- */

static bool counts_text(enum setting_counts counts)
{
    return counts == COUNTS_TEXT || counts == COUNTS_TOKENS;
}

/* What was chosen in the text of before means nothing in another. */
static void change_text(struct lesson_state *state, const struct lesson_state *given)
{
    memcpy(state->texts, given->texts, sizeof state->texts);
    state->text_count = given->text_count;
    state->mask = NULL;
    for (unsigned i = 0; i < CHANGE_COUNT; i++)
        if (counts_text(change_counts((enum change)i)))
            state->changes[i] = NULL;
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (counts_text(setting_info((enum setting)i)->counts))
            state->values[i] = NULL;
}

static void change_state(struct lesson_state *state, const struct options *options)
{
    const struct lesson_state *given = &options->given;
    if (options->anew)
        *state = (struct lesson_state){.special = true};
    if (given->text_count > 0)
        change_text(state, given);
    if (options->changed_special)
        state->special = given->special;
    if (given->mask)
        state->mask = given->mask;
    for (unsigned i = 0; i < CHANGE_COUNT; i++)
        if (given->changes[i] || options->taken_back[i])
            state->changes[i] = given->changes[i];
    for (unsigned i = 0; i < SETTING_COUNT; i++)
        if (setting_is_overruled((enum setting)i, given->values))
            state->values[i] = given->values[i];
}

enum status lesson_take_options(char *text, struct place place, struct lesson_state *state,
                                struct error *error)
{
    struct options options = {.rest = text, .place = place, .error = error};
    if (take_all(&options) != STATUS_OK)
        return error->status;
    change_state(state, &options);
    return STATUS_OK;
}
