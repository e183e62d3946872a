#include "headlight/app/completion.h"

#include "headlight/app/completion_parts.h"
#include "headlight/lesson/lessons.h"

#include <string.h>

static const char helpers[] =
    "#compdef headlight\n"
    "# zsh completion for headlight, printed by: headlight --generate zsh\n"
    "\n"
    "# The models that the program on the command line lists, other names, and folders.\n"
    "_headlight_models() {\n"
    "    local program=${(Q)words[1]} expl result=1\n"
    "    local -a models\n"
    "    [[ $program == '~/'* ]] && program=$HOME/${program#??}\n"
    "    models=(\"$@\" ${(f)\"$(command $program --models 2> /dev/null < /dev/null |\n"
    "        " COMPLETION_MODELS ")\"})\n"
    "    _wanted models expl model compadd -a models && result=0\n"
    "    _files -/ && result=0\n"
    "    return result\n"
    "}\n"
    "\n"
    "# The lessons, and files.\n"
    "_headlight_lessons() {\n"
    "    local result=1\n"
    "    local -a lessons\n"
    "    lessons=(\n";

static const char helpers_end[] =
    "    )\n"
    "    _describe -t lessons lesson lessons && result=0\n"
    "    _files -g '*.md' && result=0\n"
    "    return result\n"
    "}\n"
    "\n"
    "# Beside a message, zsh would only list the option that is begun.\n"
    "_headlight_sentence() {\n"
    "    [[ $PREFIX == -* ]] || _message sentence\n"
    "}\n"
    "\n";

static void write_lesson(FILE *stream, size_t index)
{
    char title[160], line[256];
    lessons_title(index, title, sizeof title);
    snprintf(line, sizeof line, "%s:%s", lessons_name(index), title);
    fputs("        ", stream);
    completion_write_quoted(stream, line, false);
    fputc('\n', stream);
}

/* ---- One option ---- */

/* What _arguments takes literally between its brackets. */
static void escape_help(const char *help, char *text, size_t size)
{
    size_t used = 0;
    for (; *help && used + 2 < size; help++) {
        if (strchr("[]\\:", *help))
            text[used++] = '\\';
        text[used++] = *help;
    }
    text[used] = '\0';
}

/* `_files -g "*.txt *.svg"` */
static void write_files(FILE *stream, const struct option_info *option)
{
    const char *ending;
    fputs("_files", stream);
    for (size_t i = 0; (ending = option_ending(option, i)) != NULL; i++)
        fprintf(stream, "%s*%s", i == 0 ? " -g \"" : " ", ending);
    fputs(option_ending(option, 0) ? "\"" : "", stream);
}

static void write_value(FILE *stream, const struct option_info *option)
{
    switch (option_takes(option)) {
    case TAKES_CHOICE:
        fputs("(", stream);
        completion_write_choices(stream, option);
        fputs(")", stream);
        break;
    case TAKES_LIST:
        fprintf(stream, "_values -s , %s ", option->name);
        completion_write_choices(stream, option);
        break;
    case TAKES_FILE:
        write_files(stream, option);
        break;
    case TAKES_LESSON:
        fputs(" _headlight_lessons", stream);
        break;
    case TAKES_MODEL:
        fprintf(stream, " _headlight_models%s", option->code == OPTION_AGAINST ? " built-in" : "");
        break;
    case TAKES_TEXT:
    case TAKES_NOTHING:
        fputs(" ", stream);
        break;
    }
}

/* `'--view=[help]:NAME:(head neuron)'`: only the help may hold an apostrophe. */
void completion_write_zsh_option(FILE *stream, const struct option_info *option)
{
    char help[256], escaped[2 * sizeof help], text[3 * sizeof help];
    char letter = option_letter(option);
    option_write_help(option, help, sizeof help);
    escape_help(help, escaped, sizeof escaped);
    snprintf(text, sizeof text, "%s%s[%s]:%s:", letter ? "" : option->name,
             option->argument ? "=" : "", escaped, option->argument ? option->argument : "");
    text[strlen(text) - (option->argument ? 0 : 2)] = '\0';
    fputs("        ", stream);
    if (letter)
        fprintf(stream, "'(-%c --%s)'{-%c,--%s}", letter, option->name, letter, option->name);
    fprintf(stream, "'%s", letter ? "" : "--");
    completion_write_escaped(stream, text, false);
    if (option->argument)
        write_value(stream, option);
    fputs("' \\\n", stream);
}

/* ---- All ---- */

/* The file is a function's body where zsh loads it by its name, and declares it where it is read by
 * `source`. */
static const char end[] =
    "        '1::sentence:_headlight_sentence' '2::sentence:_headlight_sentence'\n"
    "}\n"
    "\n"
    "if [ \"$funcstack[1]\" = _headlight ]; then\n"
    "    _headlight \"$@\"\n"
    "else\n"
    "    compdef _headlight headlight\n"
    "fi\n";

void completion_write_zsh(FILE *stream)
{
    const struct option_info *option;
    fputs(helpers, stream);
    for (size_t i = 0; i < lessons_count(); i++)
        write_lesson(stream, i);
    fputs(helpers_end, stream);
    fputs("_headlight() {\n    _arguments -S \\\n", stream);
    for (size_t i = 0; (option = option_at(i)) != NULL; i++)
        completion_write_zsh_option(stream, option);
    fputs(end, stream);
}
