#include "headlight/app/models.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/draw/text.h"
#include "headlight/model/hub.h"

#define LINE 1024

static void write_line(FILE *stream, bool ascii, const char *line)
{
    char safe[2 * LINE];
    text_safe(line, ascii, safe, sizeof safe);
    fprintf(stream, "%s\n", safe);
}

static int width_of(const char *text, bool ascii)
{
    return (int)text_width(text, ascii);
}

static void describe(const struct hub_model *model, int width, char *text, size_t size)
{
    char bytes[24];
    const struct config *config = &model->config;
    if (*model->why) {
        format_cut(text, size, "%s", model->why);
        return;
    }
    format_bytes(bytes, sizeof bytes, (double)model->bytes);
    format_cut(text, size, "%-*s  %8s  %3zu layers × %zu heads, hidden %zu", width, model->family,
               bytes, config->layers, config->heads, config->hidden);
}

static void write_models(FILE *stream, const struct hub_list *list, bool ascii)
{
    int name = 0, family = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct hub_model *model = &list->model[i];
        int names = width_of(model->name, ascii);
        int families = *model->why ? 0 : width_of(model->family, ascii);
        name = names > name ? names : name;
        family = families > family ? families : family;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct hub_model *model = &list->model[i];
        char line[LINE], text[LINE / 2];
        describe(model, family, text, sizeof text);
        format_cut(line, sizeof line, "%s%*s  %s", model->name, name - width_of(model->name, ascii),
                   "", text);
        write_line(stream, ascii, line);
    }
}

/* An empty cache is no failure. */
static void write_none(FILE *stream, const char *cache, bool ascii)
{
    struct error line;
    error_write(&line, STATUS_OK,
                "no models in %s%s: hf download google-bert/bert-base-uncased "
                "fetches one (older: huggingface-cli download)",
                cache, file_exists(cache) ? "" : ", which does not exist");
    write_line(stream, ascii, line.message);
}

enum status models_write(FILE *stream, bool ascii, struct error *error)
{
    struct hub_list list;
    enum status status = hub_list(&list, error);
    if (status == STATUS_OK && list.count > 0)
        write_models(stream, &list, ascii);
    else if (status == STATUS_OK)
        write_none(stream, list.cache, ascii);
    hub_list_free(&list);
    return status;
}
