/* handout.c: a lesson as a folder with a picture of each step and a page that shows them. The page
 * is written last, once all pictures exist. */
#include "headlight/export/handout.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/base/size.h"
#include "headlight/base/writer.h"
#include "headlight/export/handout_page.h"
#include "headlight/lesson/player.h"
#include "headlight/session/fields.h"

#include <stdlib.h>
#include <string.h>

/* ---- Pictures ---- */

/* A width that reads well on paper; rows for bars and legend besides the tokens. */
#define COLUMNS     100
#define ROWS_MIN    28
#define ROWS_MAX    60
#define ROWS_BESIDE 14

static struct output sized_output(const struct handout *handout)
{
    struct output output = handout->output;
    size_t rows = output.session->data.tokens + ROWS_BESIDE;
    if (output.columns > 0)
        return output;
    output.columns = COLUMNS;
    output.rows = (int)size_min(size_max(rows, ROWS_MIN), ROWS_MAX);
    return output;
}

/* The alternative text: "One head: “time flies” in the head view, layer 2". */
static void describe_step(const struct handout *handout, size_t step, char *text, size_t size)
{
    const struct session *session = handout->output.session;
    const struct encoded *encoded = session->data.encoded;
    bool pair = encoded->text_count > 1;
    format_cut(text, size, "%s: “%s”%s%s%s in the %s view, layer %zu",
               handout->lesson->steps[step].title, encoded->texts[0].bytes, pair ? " and “" : "",
               pair ? encoded->texts[1].bytes : "", pair ? "”" : "",
               view_name(session->state.look.view), session->state.look.layer);
}

static enum status draw_step(const struct output *output, const char *folder, const char *name,
                             struct error *error)
{
    char *path = path_join(folder, name);
    if (!path)
        return error_memory(error, "the name of a picture", strlen(folder) + strlen(name));
    enum status status = export_file(output, FORMAT_SVG, path, error);
    free(path);
    return status;
}

/* ---- Steps ---- */

static enum status write_handout_step(const struct handout *handout, struct player *player,
                                      size_t step, const char *folder, FILE *page,
                                      struct error *error)
{
    struct session *session = handout->output.session;
    char name[32], shows[1024];
    session->message[0] = '\0';
    if (player_show(player, session, step, error) != STATUS_OK)
        return error->status;
    struct output output = sized_output(handout);
    snprintf(name, sizeof name, "step-%zu.svg", step + 1);
    describe_step(handout, step, shows, sizeof shows);
    const struct panel *panel = &player->panel;
    page_step(page,
              &(struct page_step){step + 1, panel->title, name, shows, output.columns * CELL_WIDTH,
                                  output.rows * CELL_HEIGHT, panel->text, panel->look,
                                  panel->attempt, session->message});
    return draw_step(&output, folder, name, error);
}

static enum status write_steps(const struct handout *handout, const char *folder, FILE *page,
                               struct error *error)
{
    struct player player;
    if (player_begin(&player, handout->lesson, error) != STATUS_OK)
        return error->status;
    enum status status = STATUS_OK;
    for (size_t step = 0; status == STATUS_OK && step < handout->lesson->count; step++)
        status = write_handout_step(handout, &player, step, folder, page, error);
    player_end(&player);
    return status;
}

/* ---- The page ---- */

/* Large enough for all options that are added. */
struct options {
    struct page_option options[FIELD_COUNT + 8];
    size_t count;
};

static void add_option(struct options *options, const char *name, const char *value)
{
    options->options[options->count++] = (struct page_option){name, value};
}

/* The options that open this lesson with this model. */
static struct options options_of_lesson(const struct handout *handout)
{
    struct options options = {.count = 0};
    const char *model = handout->output.session->state.source.model;
    add_option(&options, "lesson", handout->name);
    if (*model)
        add_option(&options, "model", model);
    return options;
}

static void add_settings(struct options *options, const char *const *values)
{
    for (unsigned i = 0; values && i < FIELD_COUNT; i++) {
        const struct field_info *info = field_info((enum state_field)i);
        if (values[i])
            add_option(options, info->name, info->argument ? values[i] : NULL);
    }
}

/* The last part of a path, so that the page doesn't reveal where it was made. */
static const char *folder_name(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash && slash[1] ? slash + 1 : folder;
}

static void write_end(const struct handout *handout, const char *folder, FILE *page)
{
    static const char *const lines[] = {NULL, "pixels", "blocks", "braille"};
    const struct output *output = &handout->output;
    struct options lesson = options_of_lesson(handout), made = lesson;
    char size[32];
    snprintf(size, sizeof size, "%dx%d", output->columns, output->rows);
    add_settings(&made, handout->values);
    if (output->columns > 0)
        add_option(&made, "size", size);
    if (output->ascii)
        add_option(&made, "ascii", NULL);
    if (lines[output->lines])
        add_option(&made, "lines", lines[output->lines]);
    add_option(&made, "snapshot", folder_name(folder));
    page_end(page, &(struct page_made){output->session->data.model, lesson.options, made.options});
}

static enum status write_page(const struct handout *handout, const char *folder, FILE *page,
                              struct error *error)
{
    const struct lesson *lesson = handout->lesson;
    size_t theme = handout->output.session->state.look.theme;
    page_begin(page, &(struct page_head){lesson->title, lesson->about, lesson->minutes,
                                         lesson->count, theme_at(theme)});
    if (write_steps(handout, folder, page, error) != STATUS_OK)
        return error->status;
    write_end(handout, folder, page);
    return STATUS_OK;
}

static enum status save_page(const char *folder, const char *text, size_t length,
                             struct error *error)
{
    struct writer writer;
    char *path = path_join(folder, "index.html");
    if (!path)
        return error_memory(error, "the name of the page", strlen(folder));
    enum status status = writer_open(&writer, path, error);
    free(path);
    if (status != STATUS_OK)
        return status;
    fwrite(text, 1, length, writer.stream);
    return writer_commit(&writer, error);
}

enum status handout_write(const struct handout *handout, const char *folder, struct error *error)
{
    struct session *session = handout->output.session;
    char *text = NULL;
    size_t length = 0;
    if (writer_make_folder(folder, error) != STATUS_OK)
        return error->status;
    FILE *page = open_memstream(&text, &length);
    if (!page)
        return error_memory(error, "the page", BUFSIZ);
    session->still = true;
    session->teacher = NULL; /* the page has the text, below the pictures */
    session->panel = NULL;
    enum status status = write_page(handout, folder, page, error);
    bool whole = !ferror(page);
    whole &= fclose(page) == 0;
    if (status == STATUS_OK && !whole)
        status = error_memory(error, "the page", length);
    if (status == STATUS_OK)
        status = save_page(folder, text, length, error);
    free(text);
    return status;
}
