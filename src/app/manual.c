#include "headlight/app/manual.h"

#include "headlight/app/options_table.h"

#include <string.h>

/* Text as roff has it: no sign of it is a request or an escape, and a hyphen can be copied. */
static void write_text(FILE *stream, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stream);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", stream);
        else if (*text == '-')
            fputs("\\-", stream);
        else
            fputc(*text, stream);
}

static void write_option(FILE *stream, const struct option_info *option)
{
    char help[256];
    fputs(".TP\n", stream);
    if (option_letter(option))
        fprintf(stream, "\\fB\\-%c\\fR, ", option_letter(option));
    fputs("\\fB\\-\\-", stream);
    write_text(stream, option->name);
    fputs("\\fR", stream);
    if (option->argument) {
        fputs(" \\fI", stream);
        write_text(stream, option->argument);
        fputs("\\fR", stream);
    }
    option_write_help(option, help, sizeof help);
    fputc('\n', stream);
    write_text(stream, help);
    fputc('\n', stream);
}

static void write_options(FILE *stream)
{
    const struct option_info *option;
    const char *group = "";
    fputs(".SH OPTIONS\n", stream);
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        if (strcmp(group, option_group(option)) != 0)
            fprintf(stream, ".SS %s\n", option_group(option));
        group = option_group(option);
        write_option(stream, option);
    }
}

void manual_write(FILE *stream)
{
    fputs(".TH HEADLIGHT 1 \"\" \"headlight " HEADLIGHT_VERSION "\" \"User Commands\"\n"
          ".SH NAME\n"
          "headlight \\- show what every attention head of a transformer encoder does\n"
          ".SH SYNOPSIS\n"
          ".B headlight\n"
          "[\\fIoptions\\fR] [\\fISENTENCE\\fR [\\fISENTENCE_B\\fR]]\n",
          stream);
    write_options(stream);
}
