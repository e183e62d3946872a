#include "headlight/app/export.h"

#include "headlight/base/file.h"

#include <string.h>

/* A field after RFC 4180: in quotes where it holds a comma, a quote or white space. */
static void write_field(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\" \t\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void write_edge(FILE *stream, const struct scene *scene, size_t map, size_t from, size_t to)
{
    if (scene->mean && scene->averaged == MEAN_LAYERS)
        fputs("mean,mean,", stream);
    else if (scene->mean)
        fprintf(stream, "%zu,mean,", scene->layer);
    else
        fprintf(stream, "%zu,%zu,", scene->layer, map);
    fprintf(stream, "%zu,", from);
    write_field(stream, scene_label(scene, SIDE_LEFT, from));
    fprintf(stream, ",%zu,", to);
    write_field(stream, scene_label(scene, SIDE_RIGHT, to));
    fprintf(stream, ",%.9g\n", (double)scene_weight(scene, map, from, to));
}

enum status export_csv(const struct session *session, const char *path, struct error *error)
{
    const struct scene *scene = &session->scene;
    struct token_range left = scene_range(scene, SIDE_LEFT), right = scene_range(scene, SIDE_RIGHT);
    struct writer writer;
    if (writer_open(&writer, path, error) != STATUS_OK)
        return error->status;
    fputs("layer,head,from,attending,to,attended,weight\n", writer.stream);
    for (size_t map = 0; map < scene->head_count; map++)
        for (size_t from = left.first; scene_maps(scene) >> map & 1 && from < left.end; from++)
            for (size_t to = right.first; to < right.end; to++)
                write_edge(writer.stream, scene, map, from, to);
    return writer_commit(&writer, error);
}
