#include "headlight/app/options_table.h"

#include "headlight/draw/text.h"
#include "headlight/view/actions.h"

#include <string.h>

static const struct option_info table[] = {
#define OPTION(code, name, argument, help) {OPTION_##code, name, argument, help},
#define SETTING(setting, name, argument, help, counts, kept)                                       \
    {OPTION_SETTING + SETTING_##setting, name, argument, help},
#define CHANGING(option, name, argument, help, change, value)                                      \
    {OPTION_CHANGE + CHANGE_OPTION_##option, name, argument, help},
#define NUMBERS(code, name, write, needs, help) {OPTION_FORMAT + FORMAT_##code, name, "FILE", help},
    OPTIONS_BEFORE(OPTION) SETTINGS(SETTING) OPTIONS_AFTER(OPTION) CHANGE_OPTIONS(CHANGING)
        OPTIONS_OUTPUT(OPTION) FORMATS(NUMBERS, OPTIONS_NONE, OPTION) OPTIONS_LAST(OPTION)
#undef NUMBERS
#undef CHANGING
#undef SETTING
#undef OPTION
};

#define OPTION_COUNT (sizeof table / sizeof *table)
_Static_assert(OPTION_COUNT <= OPTIONS_MAX, "more options than a table of getopt has room for");

const struct option_info *option_at(size_t index)
{
    return index < OPTION_COUNT ? &table[index] : NULL;
}

const struct option_info *option_of_code(int code)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (table[i].code == code)
            return &table[i];
    return NULL;
}

char option_letter(const struct option_info *option)
{
    return option->code == OPTION_HELP ? 'h' : option->code == OPTION_VERSION ? 'V' : '\0';
}

/* ---- Choices ---- */

/* In the order of enum depth from its end, of enum precision and of enum lines_wish. */
static const char *const colors[] = {"direct", "256", "16", "mono", NULL};
static const char *const precisions[] = {"auto", "single", "double", NULL};
static const char *const lines[] = {"auto", "pixels", "blocks", "braille", NULL};

static const char *one_of(const char *const *names, size_t index)
{
    size_t i = 0;
    while (i < index && names[i])
        i++;
    return names[i];
}

const char *option_choice(const struct option_info *option, size_t index)
{
    if (option->code >= OPTION_SETTING)
        return setting_choice((enum setting)(option->code - OPTION_SETTING), index);
    switch (option->code) {
    case OPTION_COLOR:
        return one_of(colors, index);
    case OPTION_PRECISION:
        return one_of(precisions, index);
    case OPTION_LINES:
        return one_of(lines, index);
    case OPTION_INCLUDE:
        return export_include_name(index);
    default:
        return NULL;
    }
}

/* ---- Help ---- */

void option_write_help(const struct option_info *option, char *help, size_t size)
{
    size_t used = (size_t)snprintf(help, size, "%s", option->help);
    bool listed = used > 0 && option->help[used - 1] == ':';
    const char *choice;
    for (size_t i = 0; listed && used < size && (choice = option_choice(option, i)); i++)
        used += (size_t)snprintf(help + used, size - used, "%s %s", i > 0 ? "," : "", choice);
    if (option->code != OPTION_SNAPSHOT)
        return;
    format_list(FORMAT_PICTURE, help + used, size - used);
    used += strlen(help + used);
    snprintf(help + used, size - used, ", a lesson to a folder");
}

void options_write_help(FILE *stream, bool ascii)
{
    fputs(
        "usage: headlight [options] [SENTENCE [SENTENCE_B]]\n\n"
        "Runs a pretrained encoder on a sentence or a pair and shows what every attention head "
        "does.\n"
        "\"-\" reads the text from standard input: line one, and line two for the pair. Without\n"
        "a sentence: an example pair. When the output is not a terminal and nothing is exported,\n"
        "the head view is written as plain text.\n\n",
        stream);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        char left[40], help[160], safe[160];
        snprintf(left, sizeof left, "--%s %s", table[i].name,
                 table[i].argument ? table[i].argument : "");
        option_write_help(&table[i], help, sizeof help);
        text_safe(help, ascii, safe, sizeof safe);
        fprintf(stream, "  %-20s  %s\n", left, safe);
    }
    fputs("\nExit status: 0 success, 1 failure, 2 wrong usage.\n", stream);
}

void options_write_keys(FILE *stream)
{
    char keys[40];
    const char *group = "";
    for (int action = 0; action < ACTION_COUNT;) {
        const struct action_info *info = action_info((enum action)action);
        if (strcmp(group, info->group) != 0)
            fprintf(stream, "%s%s\n", *group ? "\n" : "", info->group);
        group = info->group;
        action = action_keys(action, ", ", keys, sizeof keys);
        fprintf(stream, "  %-17s %s\n", keys, info->help);
    }
}
