#include "headlight/app/completion.h"

#include "headlight/app/completion_parts.h"
#include "headlight/lesson/lessons.h"

/* bash 3.2 has no compopt: there the registration says what holds for files. */
static const char helpers[] =
    "# bash completion for headlight, printed by: headlight --generate bash\n"
    "\n"
    "# In all of these: $typed is to be completed, $prefix stands before it in the same word.\n"
    "_headlight_offer() {\n"
    "    local word\n"
    "    for word; do\n"
    "        case $word in \"$typed\"*) COMPREPLY+=(\"$prefix$word\") ;; esac\n"
    "    done\n"
    "}\n"
    "\n"
    "_headlight_offer_lines() {\n"
    "    local line\n"
    "    while IFS= read -r line; do\n"
    "        [ -z \"$line\" ] || _headlight_offer \"$line\"\n"
    "    done\n"
    "}\n"
    "\n"
    "# The names that stand between commas.\n"
    "_headlight_offer_list() {\n"
    "    case $typed in *,*) prefix=$prefix${typed%,*}, typed=${typed##*,} ;; esac\n"
    "    type compopt &> /dev/null && compopt -o nospace\n"
    "    _headlight_offer \"$@\"\n"
    "}\n"
    "\n"
    "# Folders, and files that end so. The shell itself expands no ~ behind an =.\n"
    "_headlight_offer_files() {\n"
    "    local ending\n"
    "    type compopt &> /dev/null && compopt -o filenames\n"
    "    case $joined$typed in 'yes~/'*) typed=$HOME/${typed#??} ;; esac\n"
    "    while IFS= read -r file; do\n"
    "        [ -z \"$file\" ] || COMPREPLY+=(\"$prefix$file\")\n"
    "    done <<< \"$(compgen -d -- \"$typed\"\n"
    "        for ending; do compgen -f -X \"!*$ending\" -- \"$typed\"; done)\"\n"
    "}\n"
    "\n"
    "# The models that the program on the command line lists, other names, and folders.\n"
    "_headlight_offer_models() {\n"
    "    local program=$1\n"
    "    shift\n"
    "    case $program in '~/'*) program=$HOME/${program#??} ;; esac\n"
    "    _headlight_offer \"$@\"\n"
    "    _headlight_offer_lines <<< \"$(command \"$program\" --models 2> /dev/null < /dev/null |\n"
    "        " COMPLETION_MODELS ")\"\n"
    "    _headlight_offer_files\n"
    "}\n"
    "\n";

/* Of `--theme=li` bash gives the last part, and `=` as a word before it or at its beginning; unless
 * COMP_WORDBREAKS lacks that sign: then it gives all of it. */
static const char begin[] =
    "_headlight() {\n"
    "    local typed=$2 option=$3 prefix= joined= file i=1\n"
    "    COMPREPLY=()\n"
    "    while ((i < COMP_CWORD)); do\n"
    "        [ \"${COMP_WORDS[i]}\" != -- ] || return 0\n"
    "        ((i += 1))\n"
    "    done\n"
    "    if [ \"$option\" = = ]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]} joined=yes\n"
    "    elif [ \"${COMP_WORDS[COMP_CWORD]}\" = = ]; then\n"
    "        joined=yes\n"
    "    else\n"
    "        case $typed in\n"
    "            --*=*) option=${typed%%=*} prefix=$option= typed=${typed#*=} joined=yes ;;\n"
    "        esac\n"
    "    fi\n"
    "    case $option in\n";

static void write_lessons(FILE *stream)
{
    for (size_t i = 0; i < lessons_count(); i++)
        fprintf(stream, " %s", lessons_name(i));
}

static void write_files(FILE *stream, const struct option_info *option)
{
    fputs("_headlight_offer_files", stream);
    completion_write_endings(stream, option);
}

static void write_value(FILE *stream, const struct option_info *option)
{
    switch (option_takes(option)) {
    case TAKES_CHOICE:
        fputs("_headlight_offer ", stream);
        completion_write_choices(stream, option);
        break;
    case TAKES_LIST:
        fputs("_headlight_offer_list ", stream);
        completion_write_choices(stream, option);
        break;
    case TAKES_FILE:
        write_files(stream, option);
        break;
    case TAKES_LESSON:
        fputs("_headlight_offer", stream);
        write_lessons(stream);
        fputs("; ", stream);
        write_files(stream, option);
        break;
    case TAKES_MODEL:
        fprintf(stream, "_headlight_offer_models \"$1\"%s",
                option->code == OPTION_AGAINST ? " built-in" : "");
        break;
    case TAKES_TEXT:
    case TAKES_NOTHING:
        fputs(":", stream);
        break;
    }
}

static void write_names(FILE *stream)
{
    const struct option_info *option;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        fprintf(stream, " \\\n                --%s", option->name);
        if (option_letter(option))
            fprintf(stream, " -%c", option_letter(option));
    }
}

void completion_write_bash(FILE *stream)
{
    const struct option_info *option;
    fputs(helpers, stream);
    fputs(begin, stream);
    for (size_t i = 0; (option = option_at(i)) != NULL; i++)
        if (option_takes(option) != TAKES_NOTHING) {
            fprintf(stream, "        --%s) ", option->name);
            write_value(stream, option);
            fputs(" ;;\n", stream);
        }
    fputs("        *)\n"
          "            # A sentence is anybody's own.\n"
          "            [ -z \"$joined\" ] || return 0\n"
          "            case $typed in -*) _headlight_offer",
          stream);
    write_names(stream);
    fputs(" ;; esac ;;\n"
          "    esac\n"
          "}\n"
          "\n"
          "if type compopt &> /dev/null; then\n"
          "    complete -F _headlight headlight\n"
          "else\n"
          "    complete -o filenames -F _headlight headlight\n"
          "fi\n",
          stream);
}
