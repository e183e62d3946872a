#include "fuzz.h"

#include "headlight/base/file.h"
#include "headlight/session/screen.h"
#include "headlight/tensor/thread_pool.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

const struct fuzz_target targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "targets.inc"
#undef TARGET
    {NULL, NULL},
};

void promise_broken(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, what);
    abort();
}

/* ---- Text ---- */

static bool is_control(utf8proc_int32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

bool is_fit_to_print(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        utf8proc_int32_t code;
        utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
                                                 (utf8proc_ssize_t)(length - i), &code);
        if (used <= 0 || is_control(code))
            return false;
        i += (size_t)used;
    }
    return true;
}

char *fuzz_string(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    promise(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

size_t fuzz_texts(const char *bytes, size_t size, struct text texts[2])
{
    const char *end = size > 0 ? memchr(bytes, '\n', size) : NULL;
    size_t first = end ? (size_t)(end - bytes) : size;
    texts[0] = (struct text){bytes, first};
    texts[1] = (struct text){end ? end + 1 : bytes, end ? size - 1 - first : 0};
    return end ? 2 : 1;
}

/* ---- Files ---- */

static char folder[64];

static void remove_folder(void)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            unlink(fuzz_path(entry->d_name));
    if (directory)
        closedir(directory);
    rmdir(folder);
}

const char *fuzz_folder(void)
{
    const char *root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    if (folder[0])
        return folder;
    snprintf(folder, sizeof folder, "%s/headlight-fuzz-XXXXXX", root);
    promise(mkdtemp(folder) != NULL);
    atexit(remove_folder);
    return folder;
}

const char *fuzz_path(const char *name)
{
    static char path[sizeof folder + 256];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    return path;
}

void fuzz_write(const char *name, const void *bytes, size_t size)
{
    FILE *stream = fopen(fuzz_path(name), "wb");
    promise(stream != NULL);
    promise(fwrite(bytes, 1, size, stream) == size);
    promise(fclose(stream) == 0);
}

/* ---- The model ---- */

/* Passes are so small that more threads only cost time, but for what watches threads. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define POOL 3
#endif
#endif
#ifndef POOL
#define POOL 1
#endif

static struct checkpoint checkpoint;

static void close_checkpoint(void)
{
    checkpoint_close(&checkpoint);
}

const struct checkpoint *fuzz_checkpoint(void)
{
    struct error error;
    if (checkpoint.model)
        return &checkpoint;
    pool_set_size(POOL);
    fuzz_write_model();
    promise(checkpoint_open(&checkpoint, fuzz_folder(), NULL, NULL, &error) == STATUS_OK);
    atexit(close_checkpoint);
    return &checkpoint;
}

/* ---- Screens ---- */

static void look_at(const struct canvas *canvas)
{
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->columns; x++) {
            const struct cell *cell = canvas_at(canvas, y, x);
            promise(is_fit_to_print(cell->text, strlen(cell->text)));
            promise(cell->width <= 2);
            promise(cell->width > 0 || (x > 0 && canvas_at(canvas, y, x - 1)->width == 2));
        }
}

struct canvas *fuzz_canvas(struct session *session, uint8_t size)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {60, 12}, {20, 5}, {200, 60}, {1, 1}};
    const int *chosen = sizes[size % (sizeof sizes / sizeof *sizes)];
    struct traits traits = {size & 64 ? GLYPHS_ASCII : GLYPHS_BRAILLE, (size & 128) != 0};
    struct canvas *canvas = canvas_new(chosen[0], chosen[1], traits);
    struct error error;
    promise(canvas != NULL);
    canvas->curves = (size & 32) != 0;
    promise(screen_draw(session, canvas, &error) == STATUS_OK);
    look_at(canvas);
    return canvas;
}

void fuzz_draw(struct session *session, uint8_t size)
{
    canvas_free(fuzz_canvas(session, size));
}
