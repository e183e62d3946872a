#include "headlight/app/completion.h"

#include "headlight/app/completion_parts.h"
#include "headlight/lesson/lessons.h"

static const char helpers[] =
    "# fish completion for headlight, printed by: headlight --generate fish\n"
    "\n"
    "# What is typed of a value, behind --option= too.\n"
    "function __headlight_typed\n"
    "    string replace -r -- '^--[^=]*=' '' (string unescape -- (commandline -ct))\n"
    "end\n"
    "\n"
    "# The names that stand between commas.\n"
    "function __headlight_list\n"
    "    set -l before (__headlight_typed | string replace -r -- '[^,]*$' '')\n"
    "    printf '%s\\n' \"$before\"$argv\n"
    "end\n"
    "\n"
    "# Folders, and files that end so.\n"
    "function __headlight_files\n"
    "    set -l typed (__headlight_typed)\n"
    "    set -l from (string replace -r -- '^~/' \"$HOME/\" \"$typed\")\n"
    "    set -l paths $from*/\n"
    "    for ending in $argv\n"
    "        set -a paths $from*$ending\n"
    "    end\n"
    "    test \"$from\" = \"$typed\"\n"
    "    or set paths '~'(string sub -s (math 1 + (string length -- \"$HOME\")) -- $paths)\n"
    "    printf '%s\\n' $paths\n"
    "end\n"
    "\n"
    "# The models that the program on the command line lists, other names, and folders.\n"
    "function __headlight_models\n"
    "    set -l program (string replace -r -- '^~/' \"$HOME/\" (commandline -opc)[1])\n"
    "    printf '%s\\n' $argv\n"
    "    command $program --models 2>/dev/null </dev/null |\n"
    "        " COMPLETION_MODELS "\n"
    "    __headlight_files\n"
    "end\n"
    "\n"
    "# The lessons, and files.\n"
    "function __headlight_lessons\n"
    "    printf '%s\\t%s\\n'";

static void write_lessons(FILE *stream)
{
    for (size_t i = 0; i < lessons_count(); i++) {
        char title[160];
        lessons_title(i, title, sizeof title);
        fprintf(stream, " \\\n        %s ", lessons_name(i));
        completion_write_quoted(stream, title, true);
    }
    fputs("\n    __headlight_files .md\nend\n\n", stream);
}

/* ---- One option ---- */

static void write_value(FILE *stream, const struct option_info *option)
{
    switch (option_takes(option)) {
    case TAKES_CHOICE:
        completion_write_choices(stream, option);
        break;
    case TAKES_LIST:
        fputs("(__headlight_list ", stream);
        completion_write_choices(stream, option);
        fputs(")", stream);
        break;
    case TAKES_FILE:
        fputs("(__headlight_files", stream);
        completion_write_endings(stream, option);
        fputs(")", stream);
        break;
    case TAKES_LESSON:
        fputs("(__headlight_lessons)", stream);
        break;
    case TAKES_MODEL:
        fprintf(stream, "(__headlight_models%s)",
                option->code == OPTION_AGAINST ? " built-in" : "");
        break;
    case TAKES_TEXT:
    case TAKES_NOTHING:
        break;
    }
}

void completion_write_fish_option(FILE *stream, const struct option_info *option)
{
    char help[256];
    option_write_help(option, help, sizeof help);
    fputs("complete -c headlight", stream);
    if (option_letter(option))
        fprintf(stream, " -s %c", option_letter(option));
    fprintf(stream, " -l %s", option->name);
    if (option->argument) {
        fputs(" -x -a '", stream);
        write_value(stream, option);
        fputc('\'', stream);
    }
    fputs(" -d ", stream);
    completion_write_quoted(stream, help, true);
    fputc('\n', stream);
}

void completion_write_fish(FILE *stream)
{
    const struct option_info *option;
    fputs(helpers, stream);
    write_lessons(stream);
    fputs("complete -c headlight -f\n", stream);
    for (size_t i = 0; (option = option_at(i)) != NULL; i++)
        completion_write_fish_option(stream, option);
}
