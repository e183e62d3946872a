#include "headlight/app/export_lists.h"

#include "headlight/base/json.h"

#include <string.h>

void export_texts(FILE *stream, const struct passage *passage, const char *separator)
{
    for (size_t i = 0; i < passage->text_count; i++) {
        fputs(i > 0 ? separator : "", stream);
        json_write_string(stream, passage->texts[i].bytes, passage->texts[i].length);
    }
}

void export_labels(FILE *stream, const struct token_side *side)
{
    for (size_t i = 0; i < side->count; i++) {
        fputs(i > 0 ? "," : "", stream);
        json_write_string(stream, side->labels[i], strlen(side->labels[i]));
    }
}
