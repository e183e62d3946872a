#include "headlight/export/markup.h"

#include <string.h>

static void write_escaped(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", stream);
        else if (*text == '>')
            fputs("&gt;", stream);
        else if (*text == '&')
            fputs("&amp;", stream);
        else if (*text == '"')
            fputs("&quot;", stream);
        else
            fputc(*text, stream);
    }
}

void markup_text(FILE *stream, const char *text)
{
    struct text_reader reader = text_reader(text, strlen(text), false);
    struct glyph glyph;
    while (text_next(&reader, &glyph))
        write_escaped(stream, glyph.text);
}

void markup_color(FILE *stream, const struct theme *theme, struct ink ink)
{
    struct rgb rgb = theme_rgb(theme, ink);
    fprintf(stream, "#%02x%02x%02x", rgb.red, rgb.green, rgb.blue);
}

void markup_sentence(FILE *stream, const struct snapshot_about *about)
{
    for (size_t i = 0; i < about->count; i++) {
        fputs(i > 0 ? "; " : "", stream);
        markup_text(stream, about->facts[i].name);
        fputs(": ", stream);
        markup_text(stream, about->facts[i].value);
    }
}
