#include "golden.h"

#include "colors.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "tests/golden"

/* ---- Writing ---- */

enum plane { PLANE_FORE, PLANE_FORE_LEVEL, PLANE_BACK, PLANE_BACK_LEVEL, PLANE_BOLD, PLANE_COUNT };

static const char *const titles[PLANE_COUNT] = {"foreground", "foreground level", "background",
                                                "background level", "bold"};

static char plane_letter(const struct cell *cell, enum plane plane)
{
    const struct style *style = &cell->style;
    static const char digits[] = "0123456789abcdefghijklmnopqrstu";
    switch (plane) {
    case PLANE_FORE:
        return strcmp(cell->text, " ") == 0 ? ' ' : role_letter(style->fore.role);
    case PLANE_FORE_LEVEL:
        return strcmp(cell->text, " ") == 0 ? ' ' : digits[style->fore.level];
    case PLANE_BACK:
        return style->back.level == 0 ? ' ' : role_letter(style->back.role);
    case PLANE_BACK_LEVEL:
        return style->back.level == 0 ? ' ' : digits[style->back.level];
    default:
        return style->bold && strcmp(cell->text, " ") != 0 ? '*' : ' ';
    }
}

static void write_legend(const struct canvas *canvas, FILE *stream)
{
    bool used[ROLE_COUNT] = {false};
    size_t cells = (size_t)canvas->rows * (size_t)canvas->columns;
    for (size_t i = 0; i < cells; i++) {
        used[canvas->cells[i].style.fore.role] = true;
        used[canvas->cells[i].style.back.role] = true;
    }
    fprintf(stream, "legend\n");
    for (unsigned role = 0; role < ROLE_COUNT; role++)
        if (used[role])
            fprintf(stream, "%c %s\n", role_letter(role), role_name(role));
}

static void write_screen(const struct canvas *canvas, FILE *stream)
{
    fprintf(stream, "screen %dx%d\n", canvas->columns, canvas->rows);
    for (int y = 0; y < canvas->rows; y++) {
        for (int x = 0; x < canvas->columns; x++)
            fputs(canvas_at(canvas, y, x)->text, stream);
        fputs("|\n", stream);
    }
    for (int plane = 0; plane < PLANE_COUNT; plane++) {
        fprintf(stream, "%s\n", titles[plane]);
        for (int y = 0; y < canvas->rows; y++) {
            for (int x = 0; x < canvas->columns; x++)
                fputc(plane_letter(canvas_at(canvas, y, x), (enum plane)plane), stream);
            fputs("|\n", stream);
        }
    }
    write_legend(canvas, stream);
}

static bool save(const struct canvas *canvas, const char *path)
{
    FILE *stream = fopen(path, "w");
    if (!stream) {
        printf("%s: cannot be written: %s\n", path, strerror(errno));
        return false;
    }
    write_screen(canvas, stream);
    return fclose(stream) == 0;
}

/* ---- Comparing ---- */

static char *read_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t length = stream ? getdelim(&text, &size, '\0', stream) : -1;
    if (stream)
        fclose(stream);
    if (length >= 0)
        return text;
    free(text);
    return NULL;
}

static char *screen_text(const struct canvas *canvas)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    write_screen(canvas, stream);
    fclose(stream);
    return text;
}

static const char *line_at(const char *text, int line)
{
    for (; text && line > 0; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* The letter of a style plane at a cell; '?' where the golden ends too soon. */
static char letter_at(const char *text, const struct canvas *canvas, int plane, int y, int x)
{
    const char *line = line_at(text, 1 + canvas->rows + plane * (canvas->rows + 1) + 1 + y);
    if (!line || strcspn(line, "\n") <= (size_t)x)
        return '?';
    return line[x];
}

/* One letter for what differs at a cell; the glyphs of a row are walked by `reader`. */
static char difference(const char *expected, const struct canvas *canvas, int y, int x,
                       struct text_reader *reader)
{
    const struct cell *cell = canvas_at(canvas, y, x);
    struct glyph glyph = {.text = "", .width = 0};
    if (cell->width > 0 && (!text_next(reader, &glyph) || strcmp(glyph.text, cell->text) != 0))
        return glyph.width != 0 && glyph.width != cell->width ? 'w' : 'X';
    for (int plane = 0; plane < PLANE_COUNT; plane++)
        if (letter_at(expected, canvas, plane, y, x) != plane_letter(cell, (enum plane)plane))
            return "ffbba"[plane];
    return '.';
}

static void print_differences(const char *expected, const struct canvas *canvas)
{
    char header[32];
    snprintf(header, sizeof header, "screen %dx%d\n", canvas->columns, canvas->rows);
    if (strncmp(expected, header, strlen(header)) != 0) {
        printf("the golden has another size than %s", header);
        return;
    }
    puts("X glyph, w width, f foreground, b background, a attribute:");
    for (int y = 0; y < canvas->rows; y++) {
        const char *line = line_at(expected, 1 + y);
        struct text_reader reader = text_reader(line, strcspn(line, "\n"), false);
        for (int x = 0; x < canvas->columns; x++)
            putchar(difference(expected, canvas, y, x, &reader));
        putchar('\n');
    }
}

static void report(const struct canvas *canvas, const char *name, const char *path,
                   const char *expected)
{
    const char *folder = getenv("HEADLIGHT_ACTUAL");
    char actual[512], command[1200];
    folder = folder ? folder : "build/tests/actual";
    mkdir(folder, 0777);
    snprintf(actual, sizeof actual, "%s/%s.screen", folder, name);
    if (!save(canvas, actual))
        return;
    if (expected) {
        snprintf(command, sizeof command, "diff -u '%s' '%s'", path, actual);
        fflush(stdout);
        if (system(command) < 0)
            puts("diff can't be run");
        print_differences(expected, canvas);
    } else {
        printf("%s is missing\n", path);
    }
    printf("the screen as it is now: %s; make golden accepts it\n", actual);
    fflush(stdout);
}

/* ---- Lines ---- */

/* Whether braille or a line's own sign stands at a cell. */
static bool is_line(const struct cell *cell)
{
    bool braille = strncmp(cell->text, "\u2800", 2) >= 0 && strncmp(cell->text, "\u28FF", 2) <= 0;
    return cell->style.stroke || braille;
}

/* The contrast of a cell to what lies behind it, in direct colour or among 256. */
static double contrast_at(const struct theme *theme, const struct theme_indexes *indexes,
                          struct style style)
{
    if (!indexes)
        return color_contrast(theme_rgb(theme, style.fore), theme_rgb(theme, style.back));
    return color_contrast(color_of_256(theme_index_of(indexes, style, false)),
                          color_of_256(theme_index_of(indexes, style, true)));
}

/* `copy` is settled for the theme. */
static bool lines_stand_out_in(const struct theme *theme, struct canvas *copy)
{
    struct theme_indexes indexes;
    theme_settle(theme, copy);
    theme_indexes(theme, &indexes);
    for (int i = 0; i < copy->columns * copy->rows; i++) {
        const struct style style = copy->cells[i].style;
        double direct = contrast_at(theme, NULL, style);
        double indexed = contrast_at(theme, &indexes, style);
        if (!is_line(&copy->cells[i]) || fmin(direct, indexed) >= theme->least_contrast)
            continue;
        printf("%s: the line at row %d, column %d has a contrast of %.2f, among 256 colours %.2f; "
               "expected %.1f\n",
               theme->name, i / copy->columns, i % copy->columns, direct, indexed,
               theme->least_contrast);
        fflush(stdout);
        return false;
    }
    return true;
}

/* In every theme, whichever the canvas was settled for. */
static bool lines_stand_out(const struct canvas *canvas)
{
    struct canvas *copy = canvas_new(canvas->columns, canvas->rows, canvas->traits);
    bool good = copy != NULL;
    size_t cells = (size_t)canvas->columns * (size_t)canvas->rows;
    if (good)
        memcpy(copy->cells, canvas->cells, cells * sizeof *copy->cells);
    for (size_t i = 0; good && theme_at(i); i++)
        good = lines_stand_out_in(theme_at(i), copy);
    canvas_free(copy);
    return good;
}

bool golden_equal(const struct canvas *canvas, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s.screen", FOLDER, name);
    if (!lines_stand_out(canvas))
        return false;
    if (getenv("HEADLIGHT_ACCEPT"))
        return save(canvas, path);
    char *expected = read_file(path), *found = screen_text(canvas);
    bool equal = expected && found && strcmp(expected, found) == 0;
    if (!equal)
        report(canvas, name, path, expected);
    free(expected);
    free(found);
    return equal;
}

bool golden_none_stale(const char *const *names, size_t count)
{
    DIR *folder = opendir(FOLDER);
    bool good = folder != NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *ending = strstr(entry->d_name, ".screen");
        size_t i = 0;
        if (!ending)
            continue;
        *ending = '\0';
        while (i < count && strcmp(names[i], entry->d_name) != 0)
            i++;
        if (i == count) {
            printf(FOLDER "/%s.screen is read by no test: remove it\n", entry->d_name);
            good = false;
        }
    }
    if (folder)
        closedir(folder);
    return good;
}
