/* lists.c: prints the version, the models, the lessons, and a lesson as text when there is no
 * terminal. Names may come from anybody's folders and files, so they are made safe to print. */
#include "headlight/app/lists.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/draw/text.h"
#include "headlight/lesson/player.h"
#include "headlight/model/hub.h"
#include "headlight/tensor/kernels.h"
#include "headlight/terminal/curses.h"
#include "headlight/terminal/terminals.h"
#include "headlight/text/marks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Models ---- */

#define LINE 1024

/* Names of folders may hold control characters; text_safe writes them out. */
static void write_line(FILE *stream, bool ascii, const char *line)
{
    char safe[2 * LINE];
    text_safe(line, ascii, safe, sizeof safe);
    fprintf(stream, "%s\n", safe);
}

/* A line for each model: the name, then family, size and shape, or why it can't be opened, in
 * columns that are as wide as their longest entry looks on a terminal. An empty cache is no
 * failure. */
enum status models_write(FILE *stream, bool ascii, struct error *error)
{
    struct hub_list list;
    struct error none;
    const enum status status = hub_list(&list, error);
    int name = (int)strlen(BUILT_IN), family = 0;
    for (size_t i = 0; status == STATUS_OK && i < list.count; i++) {
        const struct hub_model *model = &list.model[i];
        const int names = (int)text_width(model->name, ascii),
                  families = model->family ? (int)text_width(model->family, ascii) : 0;
        name = names > name ? names : name;
        family = families > family ? families : family;
    }
    for (size_t i = 0; status == STATUS_OK && i < BUILT_INS; i++) {
        char line[LINE];
        format_cut(line, sizeof line, "%-*s  %s", name, built_in[i].name, built_in[i].about);
        write_line(stream, ascii, line);
    }
    for (size_t i = 0; status == STATUS_OK && i < list.count; i++) {
        const struct hub_model *model = &list.model[i];
        const struct config *config = &model->config;
        char line[LINE], bytes[24];
        format_cut(line, sizeof line, "%s%*s  ", model->name,
                   name - (int)text_width(model->name, ascii), "");
        format_bytes(bytes, sizeof bytes, (double)model->bytes);
        if (*model->why)
            format_add(line, sizeof line, "%s", model->why);
        else
            format_add(line, sizeof line, "%-*s  %8s  %3zu layers × %zu heads, hidden %zu", family,
                       model->family, bytes, config->layers, config->heads, config->hidden);
        write_line(stream, ascii, line);
    }
    if (status == STATUS_OK && list.count == 0) {
        error_write(&none, STATUS_OK,
                    "no models in %s%s: hf download google-bert/bert-base-uncased --include "
                    "\"*.json\" --include \"*.txt\" --include \"*.safetensors\" fetches one",
                    list.cache, file_exists(list.cache) ? "" : ", which does not exist");
        write_line(stream, ascii, none.message);
    }
    hub_list_free(&list);
    return status;
}

/* ---- Text in lines ---- */

#define WORD 256

/* A line that is being filled: words are written as they come, and one that doesn't fit begins the
 * next line. */
struct filling {
    FILE *stream;
    bool ascii;
    size_t margin, used; /* columns */
};

/* One word, on a new line if there is no room. */
static void fill_word(struct filling *line, const char *word, size_t length)
{
    char bare[WORD], safe[2 * WORD];
    format_cut(bare, sizeof bare, "%.*s", (int)length, word);
    text_safe(bare, line->ascii, safe, sizeof safe);
    size_t width = text_width(safe, line->ascii);
    bool begins = line->used == 0;
    if (!begins && line->used + 1 + width > LESSONS_COLUMNS) {
        fputc('\n', line->stream);
        begins = true;
    }
    fprintf(line->stream, "%*s%s", begins ? (int)line->margin : 1, "", safe);
    line->used = (begins ? line->margin : line->used + 1) + width;
}

/* A line of a text. Where nothing is bold, quotation marks tell "the" of which is spoken from any
 * other; keys have no marks. */
static void fill_words(struct filling *line, const char *text)
{
    struct marks marks = {.next = text};
    struct marked_run run;
    while (*(marks.next += strspn(marks.next, " ")) && *marks.next != '\n') {
        char word[WORD] = "";
        while (marks_next(&marks, " \n", &run))
            format_add(word, sizeof word, "%s%.*s%s", run.strong && run.text[-1] == '*' ? "\"" : "",
                       (int)run.length, run.text,
                       run.strong && run.text[run.length] == '*' ? "\"" : "");
        fill_word(line, word, strlen(word));
    }
}

/* The next word begins a line, at the margin. */
static void end_line(struct filling *line)
{
    fputc('\n', line->stream);
    line->used = 0;
}

/* A beginning such as "Try:", then the text, in lines of LESSONS_COLUMNS. */
static void write_paragraph(struct filling *line, const char *begin, const char *text)
{
    fill_words(line, begin);
    fill_words(line, text);
    end_line(line);
}

/* ---- The list of lessons ---- */

/* Name, minutes and title, with the introduction below; the names are in a column, so the longest
 * is found first. A lesson is only opened for these. */
enum status lessons_write(FILE *stream, bool ascii, struct error *error)
{
    struct filling line = {.stream = stream, .ascii = ascii};
    struct lesson *lesson;
    size_t names = 0;
    for (size_t i = 0; i < lessons_count(); i++)
        names = strlen(lessons_name(i)) > names ? strlen(lessons_name(i)) : names;
    for (size_t i = 0; i < lessons_count(); i++) {
        if (lessons_open(lessons_name(i), &lesson, error) != STATUS_OK)
            return error->status;
        fprintf(stream, "%-*s  %2zu min  ", (int)names, lessons_name(i), lesson->minutes);
        fill_word(&line, lesson->title, strlen(lesson->title));
        end_line(&line);
        line.margin = names + 10;
        write_paragraph(&line, "", lesson->about);
        line.margin = 0;
        lesson_free(lesson);
    }
    return STATUS_OK;
}

/* ---- A lesson ---- */

/* Each line of a step's text is a paragraph. */
static void write_lesson_paragraphs(struct filling *line, const char *begin, const char *text)
{
    while (text && *text) {
        end_line(line);
        write_paragraph(line, begin, text);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

/* The step's title and, indented, what the panel would show below the picture, and a note about
 * something that differs from the lesson's intention; in place of the step if its text is too long
 * for the model. */
static enum status show_step(struct filling *line, struct player *player, size_t step,
                             struct error *error)
{
    const struct panel *panel = &player->panel;
    char note[512];
    player->session->message[0] = '\0';
    const enum status status = player_show(player, step, error);
    if (status != STATUS_OK && status != STATUS_LIMIT)
        return status;
    snprintf(note, sizeof note, "%zu.", step + 1);
    end_line(line);
    write_paragraph(line, note, player->lesson->steps[step].title);
    line->margin = 4;
    if (status == STATUS_OK) {
        write_lesson_paragraphs(line, "", panel->text);
        write_lesson_paragraphs(line, "Look:", panel->look);
        write_lesson_paragraphs(line, "Try:", panel->attempt);
        write_lesson_paragraphs(line, "Learnt:", panel->learnt);
    }
    const char *message = status == STATUS_OK ? player->session->message : error->message;
    if (*message) {
        format_cut(note, sizeof note, "(%s)", message);
        end_line(line);
        write_paragraph(line, "", note);
    }
    line->margin = 0;
    return STATUS_OK;
}

/* The same player as on the screen, so that the numbers in the text are computed in the same way.
 * Of the whole lesson its title, what is learnt and how long it takes go before. */
enum status lesson_write(FILE *stream, struct player *player, size_t step, bool ascii,
                         struct error *error)
{
    struct filling line = {.stream = stream, .ascii = ascii};
    const struct lesson *lesson = player->lesson;
    char sizes[64];
    enum status status = STATUS_OK;
    if (step == 0) {
        snprintf(sizes, sizeof sizes, "%zu minute%s, %zu step%s", lesson->minutes,
                 lesson->minutes == 1 ? "" : "s", lesson->count, lesson->count == 1 ? "" : "s");
        write_paragraph(&line, "", lesson->title);
        end_line(&line);
        write_paragraph(&line, "", lesson->about);
        write_paragraph(&line, "", sizes);
    }
    size_t first = step > 0 ? step - 1 : 0, end = step > 0 ? step : lesson->count;
    for (size_t i = first; status == STATUS_OK && i < end; i++)
        status = show_step(&line, player, i, error);
    return status;
}

/* ---- The version ---- */

/* With what differs between machines and so belongs in a bug report: the processor's kernels, and
 * what is known of the terminal. */
void version_write(FILE *stream, bool ascii, bool lent)
{
    const char *term = getenv("TERM");
    char safe[256];
    unsigned traits = terminal_traits(NULL);
    if (curses_takes_questions(NULL, STDOUT_FILENO))
        traits |= TERMINAL_QUESTIONS;
    text_safe(term ? term : "without a name (TERM is not set)", ascii, safe, sizeof safe);
    fprintf(stream, "headlight %s\nkernels  %s\nbits     %s\nterminal %s", HEADLIGHT_VERSION,
            kernels_now()->name, kernels_now()->bits, safe);
    if (lent)
        fputs(", which no terminfo database has: used as a relative of xterm", stream);
    for (unsigned bit = 0; terminal_trait_text(bit); bit++)
        if (traits >> bit & 1)
            fprintf(stream, "; %s", terminal_trait_text(bit));
    fputc('\n', stream);
}
