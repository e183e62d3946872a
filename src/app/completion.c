#include "headlight/app/completion.h"

#include "headlight/app/completion_parts.h"

void completion_write_escaped(FILE *stream, const char *text, bool fish)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stream);
        else if (*text == '\\' && fish)
            fputs("\\\\", stream);
        else
            fputc(*text, stream);
}

void completion_write_quoted(FILE *stream, const char *text, bool fish)
{
    fputc('\'', stream);
    completion_write_escaped(stream, text, fish);
    fputc('\'', stream);
}

void completion_write_choices(FILE *stream, const struct option_info *option)
{
    const char *choice;
    for (size_t i = 0; (choice = option_choice(option, i)) != NULL; i++)
        fprintf(stream, "%s%s", i > 0 ? " " : "", choice);
}

void completion_write_endings(FILE *stream, const struct option_info *option)
{
    const char *ending;
    for (size_t i = 0; (ending = option_ending(option, i)) != NULL; i++)
        fprintf(stream, " %s", ending);
}
