/* lists.c: prints the version, the models, the lessons, and a lesson as text when there is no
 * terminal. Names may come from anybody's folders and files, so they are made safe to print. */
#include "headlight/app/lists.h"

#include "headlight/base/file.h"
#include "headlight/base/format.h"
#include "headlight/draw/text.h"
#include "headlight/lesson/lesson.h"
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

/* What follows the model's name: family (padded to `width`), size and shape, or why the model can't
 * be opened. */
static void describe_model(const struct hub_model *model, int width, char *text, size_t size)
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

/* One line for each model, in columns that are as wide as their longest entry looks on a terminal.
 */
static void write_models(FILE *stream, const struct hub_list *list, bool ascii)
{
    int name = 0, family = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct hub_model *model = &list->model[i];
        int names = (int)text_width(model->name, ascii);
        int families = model->family ? (int)text_width(model->family, ascii) : 0;
        name = names > name ? names : name;
        family = families > family ? families : family;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct hub_model *model = &list->model[i];
        char line[LINE], text[LINE / 2];
        describe_model(model, family, text, sizeof text);
        format_cut(line, sizeof line, "%s%*s  %s", model->name,
                   name - (int)text_width(model->name, ascii), "", text);
        write_line(stream, ascii, line);
    }
}

/* An empty cache is no failure. */
static void write_none(FILE *stream, const char *cache, bool ascii)
{
    struct error line;
    error_write(&line, STATUS_OK,
                "no models in %s%s: hf download google-bert/bert-base-uncased --include "
                "\"*.json\" --include \"*.txt\" --include \"*.safetensors\" fetches one",
                cache, file_exists(cache) ? "" : ", which does not exist");
    write_line(stream, ascii, line.message);
}

/* A list that can't be made is an error, but an empty one is not. */
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

/* Bytes of a word, as far as there is room. */
static void add_bytes(char word[WORD], size_t *kept, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length && *kept < WORD; i++)
        word[(*kept)++] = bytes[i];
}

/* A line of a text. Where nothing is bold, quotation marks tell "the" of which is spoken from any
 * other; keys have no marks. */
static void fill_words(struct filling *line, const char *text)
{
    struct marks marks = {.next = text};
    struct marked_run run;
    while (*(marks.next += strspn(marks.next, " ")) && *marks.next != '\n') {
        char bare[WORD];
        size_t kept = 0;
        while (marks_next(&marks, " \n", &run)) {
            add_bytes(bare, &kept, "\"", run.strong && run.text[-1] == '*');
            add_bytes(bare, &kept, run.text, run.length);
            add_bytes(bare, &kept, "\"", run.strong && run.text[run.length] == '*');
        }
        fill_word(line, bare, kept);
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

/* Name, minutes and title, with the introduction below. The lesson is only opened for these. */
static enum status write_listed(struct filling *line, size_t index, int names, struct error *error)
{
    struct lesson *lesson = NULL;
    if (lessons_open(lessons_name(index), &lesson, error) != STATUS_OK)
        return error->status;
    fprintf(line->stream, "%-*s  %2zu min  ", names, lessons_name(index), lesson->minutes);
    fill_word(line, lesson->title, strlen(lesson->title));
    end_line(line);
    line->margin = (size_t)names + 10;
    write_paragraph(line, "", lesson->about);
    line->margin = 0;
    lesson_free(lesson);
    return STATUS_OK;
}

/* The names are in a column, so the longest is found first. */
enum status lessons_write(FILE *stream, bool ascii, struct error *error)
{
    struct filling line = {.stream = stream, .ascii = ascii};
    enum status status = STATUS_OK;
    size_t names = 0;
    for (size_t i = 0; i < lessons_count(); i++)
        names = strlen(lessons_name(i)) > names ? strlen(lessons_name(i)) : names;
    for (size_t i = 0; status == STATUS_OK && i < lessons_count(); i++)
        status = write_listed(&line, i, (int)names, error);
    return status;
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

/* "3. Look at all heads", after a blank line. */
static void write_title(struct filling *line, size_t step, const char *title)
{
    char number[24];
    snprintf(number, sizeof number, "%zu.", step + 1);
    end_line(line);
    write_paragraph(line, number, title);
}

/* The step's title and, indented, what the panel would show below the picture. */
static void write_lesson_step(struct filling *line, const struct panel *panel)
{
    write_title(line, panel->step, panel->title);
    line->margin = 4;
    write_lesson_paragraphs(line, "", panel->text);
    write_lesson_paragraphs(line, "Look:", panel->look);
    write_lesson_paragraphs(line, "Try:", panel->attempt);
    write_lesson_paragraphs(line, "Learnt:", panel->learnt);
    line->margin = 0;
}

/* A note about something that differs from the lesson's intention. */
static void write_note(struct filling *line, const char *note)
{
    char text[512];
    format_cut(text, sizeof text, "(%s)", note);
    end_line(line);
    line->margin = 4;
    fill_words(line, text);
    end_line(line);
    line->margin = 0;
}

/* If the text is too long for the model, a note says so in place of the step. */
static enum status show_step(struct filling *line, struct player *player, size_t step,
                             struct session *session, struct error *error)
{
    session->message[0] = '\0';
    enum status status = player_show(player, step, error);
    if (status == STATUS_OK) {
        write_lesson_step(line, &player->panel);
    } else if (status == STATUS_LIMIT) {
        write_title(line, step, player->lesson->steps[step].title);
        write_note(line, error->message);
        return STATUS_OK;
    }
    if (session->message[0])
        write_note(line, session->message);
    return status;
}

/* Title, what is learnt, and how long it takes. */
static void write_lesson_head(struct filling *line, const struct lesson *lesson)
{
    char sizes[64];
    snprintf(sizes, sizeof sizes, "%zu minute%s, %zu step%s", lesson->minutes,
             lesson->minutes == 1 ? "" : "s", lesson->count, lesson->count == 1 ? "" : "s");
    write_paragraph(line, "", lesson->title);
    end_line(line);
    write_paragraph(line, "", lesson->about);
    write_paragraph(line, "", sizes);
}

/* The same player as on the screen, so that the numbers in the text are computed in the same way.
 */
enum status lesson_write(FILE *stream, const struct lesson *lesson, size_t step,
                         struct session *session, bool ascii, struct error *error)
{
    struct filling line = {.stream = stream, .ascii = ascii};
    struct player player;
    if (player_begin(&player, lesson, session, error) != STATUS_OK)
        return error->status;
    enum status status = STATUS_OK;
    if (step == 0)
        write_lesson_head(&line, lesson);
    size_t first = step > 0 ? step - 1 : 0, end = step > 0 ? step : lesson->count;
    for (size_t i = first; status == STATUS_OK && i < end; i++)
        status = show_step(&line, &player, i, session, error);
    player_end(&player);
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
