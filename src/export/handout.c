/* handout.c: a lesson as a folder with a picture of each step and a page that shows them. The page
 * must read well on paper and without its style sheet; its texts come from outside and are escaped.
 * Nothing appears before all of it is written. */
#include "headlight/export/handout.h"

#include "headlight/base/format.h"
#include "headlight/lesson/player.h"
#include "headlight/session/fields.h"
#include "headlight/text/marks.h"

#include <stdlib.h>
#include <string.h>

/* ---- Text with marks ---- */

/* bdi: a marked word in another script must not reverse the line. */
static void write_marked(FILE *stream, struct marks *marks)
{
    struct marked_run run;
    bool strong = false;
    while (marks_next(marks, "\n", &run)) {
        if (run.strong != strong)
            fputs(run.strong ? "<em><bdi>" : "</bdi></em>", stream);
        strong = run.strong;
        fputs(run.key ? "<kbd><bdi>" : "", stream);
        snapshot_write_part(stream, run.text, run.length);
        fputs(run.key ? "</bdi></kbd>" : "", stream);
    }
    fputs(strong ? "</bdi></em>" : "", stream);
}

/* Each paragraph as an element in the direction of its text. */
static void write_page_paragraphs(FILE *stream, const char *element, const char *text)
{
    struct marks marks = {.next = text};
    while (*(marks.next += strspn(marks.next, "\n"))) {
        fprintf(stream, "<%s dir=\"auto\">", element);
        write_marked(stream, &marks);
        fprintf(stream, "</%s>\n", element);
    }
}

/* An entry of the list below a step's text, if there is anything to say. */
static void write_advice(FILE *stream, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(stream, "<dt>%s:</dt>\n", what);
    write_page_paragraphs(stream, "dd", text);
}

/* ---- Its markup ---- */

/* Pictures may be wider than the text, whose lines have some 70 letters. On paper the page is
 * white, whatever the theme, and has room for two steps; no step is split between pages. */
static void write_page_style(FILE *stream, const struct theme *theme)
{
    bool dark = theme_rgb(theme, ink_full(ROLE_GROUND)).green < 128;
    snapshot_write_color(stream,
                         "<style>\nbody { margin: 3rem auto; padding: 0 1rem; background: ", theme,
                         ink_full(ROLE_GROUND));
    snapshot_write_color(stream, "; color: ", theme, ink_full(ROLE_TEXT));
    fprintf(stream, "; color-scheme: %s; font: 1.1rem/1.55 sans-serif; max-width: 60rem; }\n",
            dark ? "dark" : "light");
    fputs("h1, h2, p, dl { max-width: 36rem; margin: 0.8rem auto; }\n"
          "h1 { font-size: 2.1rem; line-height: 1.2; }\n"
          "h2 { font-size: 1.35rem; line-height: 1.3; margin-top: 3.5rem; }\n"
          "figure { margin: 1.2rem 0; }\n"
          "img { display: block; width: 100%; height: auto; }\n"
          "dl { display: grid; grid-template-columns: 3.5rem 1fr; gap: 0.3rem; }\n"
          "dt { grid-column: 1; font-weight: bold; }\n"
          "dd { grid-column: 2; margin: 0; }\n"
          "kbd, code { font: 0.85em 'DejaVu Sans Mono', Menlo, Consolas, monospace; }\n"
          "kbd { padding: 0.1em 0.35em; border: 1px solid; border-radius: 0.25em; }\n"
          "code { overflow-wrap: anywhere; }\n",
          stream);
    snapshot_write_color(stream, ".aside, footer { color: ", theme, ink_full(ROLE_FAINT));
    snapshot_write_color(stream, "; font-size: 0.95rem; }\ndt { color: ", theme,
                         ink_full(ROLE_TITLE));
    fputs("; }\n@media print {\n"
          "body { margin: 0; padding: 0; background: none; color: black; font-size: 10.5pt; "
          "line-height: 1.4; }\n"
          ".aside, footer, dt { color: black; }\n"
          "section, footer { break-inside: avoid; }\n"
          "h2 { margin-top: 1.5rem; }\n"
          "figure { margin: 0.6rem 0; }\n"
          "img { width: 76%; margin: auto; }\n"
          "}\n</style>\n",
          stream);
}

/* The policy makes the browser enforce that only pictures are loaded. */
void page_begin(FILE *stream, const struct lesson *lesson, const struct theme *theme)
{
    fputs("<!DOCTYPE html>\n"
          "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
          stream);
    snapshot_write_between(stream, "<title>", lesson->title, "</title>\n");
    write_page_style(stream, theme);
    snapshot_write_between(stream, "</head>\n<body>\n<header>\n<h1 dir=\"auto\">", lesson->title,
                           "</h1>\n");
    write_page_paragraphs(stream, "p", lesson->about);
    fprintf(stream, "<p class=\"aside\">%zu minute%s, %zu step%s</p>\n</header>\n", lesson->minutes,
            lesson->minutes == 1 ? "" : "s", lesson->count, lesson->count == 1 ? "" : "s");
}

/* One section: heading, picture, text, advice, and a note if the model refused a setting. */
void page_step(FILE *stream, const struct page_step *step)
{
    const struct panel *panel = &step->panel;
    fprintf(stream, "<section id=\"step-%zu\">\n<h2>%zu. <bdi>", panel->step + 1, panel->step + 1);
    snapshot_write_between(stream, "", panel->title, "</bdi></h2>\n");
    snapshot_write_between(stream, "<figure><img src=\"", step->picture, "");
    fprintf(stream, "\" width=\"%d\" height=\"%d\" alt=\"", step->width, step->height);
    snapshot_write_between(stream, "", step->alternative, "\"/></figure>\n");
    write_page_paragraphs(stream, "p", panel->text);
    const char *const set_apart[] = {panel->look, panel->attempt, panel->learnt};
    bool advice = false;
    for (size_t i = 0; i < sizeof set_apart / sizeof *set_apart; i++)
        advice |= set_apart[i] && *set_apart[i];
    fputs(advice ? "<dl>\n" : "", stream);
    write_advice(stream, "Look", panel->look);
    write_advice(stream, "Try", panel->attempt);
    write_advice(stream, "Learnt", panel->learnt);
    fputs(advice ? "</dl>\n" : "", stream);
    if (*step->note)
        snapshot_write_between(stream, "<p class=\"aside\">", step->note, "</p>\n");
    fputs("</section>\n", stream);
}

/* ---- How it was made ---- */

/* Quotes a word where a shell needs it. */
static void write_shell_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:=+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    for (fputc('\'', stream); *word;) {
        size_t length = strcspn(word, "'");
        snapshot_write_part(stream, word, length);
        word += length;
        for (; *word == '\''; word++)
            fputs("'\\''", stream);
    }
    fputc('\'', stream);
}

/* A command line that can be copied into a shell. */
static void write_command(FILE *stream, const char *what, const struct page_option *options)
{
    fprintf(stream, "<p>%s <code>headlight", what);
    for (; options->name; options++) {
        fprintf(stream, " --%s", options->name);
        fputs(options->value ? " " : "", stream);
        if (options->value)
            write_shell_word(stream, options->value);
    }
    fputs("</code></p>\n", stream);
}

/* The footer says how to repeat both: the lesson on a screen, and this page. */
void page_end(FILE *stream, const char *model, const struct page_option *lesson,
              const struct page_option *page)
{
    fputs("<footer>\n<h2>How this was made</h2>\n"
          "<p>The pictures and numbers come from the model <code><bdi>",
          stream);
    snapshot_write_between(stream, "", model,
                           "</bdi></code>, by headlight " HEADLIGHT_VERSION ".</p>\n");
    write_command(stream, "To go through the lesson and try things:", lesson);
    write_command(stream, "To make this page:", page);
    fputs("</footer>\n</body>\n</html>\n", stream);
}

/* ---- Pictures ---- */

/* The alternative text: "One head: “time flies” in the head view, layer 2: Looks at the word before
 * (0.990)". */
static void describe_step(const struct handout *handout, size_t step, char *text, size_t size)
{
    const struct session *session = handout->output.session;
    const struct encoded *encoded = session->data.encoded;
    const struct scene scene = session_scene(session);
    char sentence[512];
    bool pair = encoded->text_count > 1;
    format_cut(text, size, "%s: “%s”%s%s%s in the %s view, layer %zu",
               handout->lesson->steps[step].title, encoded->texts[0].bytes, pair ? " and “" : "",
               pair ? encoded->texts[1].bytes : "", pair ? "”" : "",
               view_name(session->state.look.view), session->state.look.layer);
    if (view_sentence(&scene, false, sentence, sizeof sentence))
        format_add(text, size, ": %s", sentence);
}

/* The picture is a file of its own, as browsers and printers scale it best. */
static enum status draw_step(const struct output *output, struct writer_folder *folder,
                             const char *name, struct error *error)
{
    struct writer writer;
    if (writer_open_in(&writer, folder, name, error) != STATUS_OK)
        return error->status;
    return export_to(output, FORMAT_SVG, &writer, error);
}

/* ---- Steps ---- */

/* Its section on the page, then its picture. A message is a warning about a setting, which the page
 * repeats. */
static enum status write_handout_step(const struct handout *handout, struct player *player,
                                      size_t step, struct writer_folder *folder, FILE *page,
                                      struct error *error)
{
    struct session *session = handout->output.session;
    char name[32], alternative[1024];
    session->message[0] = '\0';
    if (player_show(player, step, error) != STATUS_OK)
        return error->status;
    struct output output = export_sized(&handout->output);
    snprintf(name, sizeof name, "step-%zu.svg", step + 1);
    describe_step(handout, step, alternative, sizeof alternative);
    page_step(page,
              &(struct page_step){player->panel, name, alternative, output.columns * CELL_WIDTH,
                                  output.rows * CELL_HEIGHT, session->message});
    return draw_step(&output, folder, name, error);
}

/* All steps with one player, as somebody going through the lesson would see them. */
static enum status write_steps(const struct handout *handout, struct writer_folder *folder,
                               FILE *page, struct error *error)
{
    struct player player;
    if (player_begin(&player, handout->lesson, handout->output.session, error) != STATUS_OK)
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

/* There is always room: struct options is large enough for all fields. */
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

/* What was set on the command line besides, so that the commands in the footer are complete. */
static void add_settings(struct options *options, const char *const *values)
{
    for (unsigned i = 0; values && i < FIELD_COUNT; i++) {
        const struct field_info *info = field_info((enum state_field)i);
        if (values[i])
            add_option(options, info->name, info->argument ? values[i] : NULL);
    }
}

/* Two commands: the one for the page has all that the one for the lesson has, and more. */
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
    /* the last part of the path, so that the page doesn't reveal where it was made */
    const char *slash = strrchr(folder, '/');
    add_option(&made, "snapshot", slash && slash[1] ? slash + 1 : folder);
    page_end(page, output->session->data.model, lesson.options, made.options);
}

/* From head to footer; the pictures are written meanwhile. */
static enum status write_page(const struct handout *handout, struct writer_folder *folder,
                              FILE *page, struct error *error)
{
    size_t theme = handout->output.session->state.look.theme;
    page_begin(page, handout->lesson, theme_at(theme));
    if (write_steps(handout, folder, page, error) != STATUS_OK)
        return error->status;
    write_end(handout, folder->path, page);
    return STATUS_OK;
}

/* The page is opened first, so that it is the last that is moved into the folder. */
enum status handout_write(const struct handout *handout, const char *path, struct error *error)
{
    struct session *session = handout->output.session;
    struct writer_folder folder;
    struct writer page;
    if (writer_folder_open(&folder, path, error) != STATUS_OK)
        return error->status;
    session->still = true;
    session->teacher = NULL; /* the page has the text, below the pictures */
    session->panel = NULL;
    enum status status = writer_open_in(&page, &folder, "index.html", error);
    if (status == STATUS_OK)
        status = write_page(handout, &folder, page.stream, error);
    if (status == STATUS_OK)
        status = writer_commit(&page, error);
    if (status == STATUS_OK)
        return writer_folder_commit(&folder, error);
    writer_abort(&page);
    writer_folder_abort(&folder);
    return status;
}
