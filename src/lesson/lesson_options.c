/* lesson_options.c: the options of a step, which change the state of the step before. They are
 * those of the state's fields (session/fields.h) and --anew. Formulas in values are checked here
 * and filled in when the step is shown. */
#include "headlight/lesson/lesson_parts.h"

#include <string.h>

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
                  "%s:%zu: --%s: expected a value, found the end of the options", reader->source,
                  reader->line, name);
    return *value != NULL;
}

/* A value is checked now if it has no formulas, else when the step is shown; a mask is applied
 * before the pass, which a formula would need. "=" is put back for the message, which quotes the
 * whole word. */
static bool take_option(const struct reader *reader, struct options *options, char *word)
{
    char *equals = strchr(word, '=');
    const char *name = word + strspn(word, "-"), *value;
    enum state_field field;
    if (equals)
        *equals = '\0';
    if (field_named(name) == FIELD_COUNT) {
        options->anew |= strcmp(name, "anew") == 0 && !equals;
        if (strcmp(name, "anew") == 0 && !equals)
            return true;
        if (equals)
            *equals = '=';
        return lesson_fault(reader,
                            "options of a lesson, which choose what is shown or change the "
                            "network, --mask, --no-special or --anew",
                            word);
    }
    if (!take_value(reader, options, name, equals ? equals + 1 : NULL, &field, &value))
        return false;
    options->given.values[field] = value;
    if (field == FIELD_MASK && strpbrk(value, "{}"))
        return lesson_fault(reader, "a value without formulas", value);
    if (strpbrk(value, "{}"))
        return lesson_check_text(reader, value, false);
    return field_check(field, value, reader->error) == STATUS_OK || lesson_fault_at(reader);
}

/* A word in quotes is a sentence, even if it begins with "-". --anew holds first, then a new text,
 * in which choices made in the old one mean nothing, then single fields. */
bool lesson_take_options(struct reader *reader, char *text, struct lesson_state *state)
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
