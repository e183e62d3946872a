/* lists.c: prints help, the keys, the version, the models, the lessons, and a lesson as text when
 * there is no terminal. Names may come from anybody's folders and files, so they are made safe to
 * print. */
#include "headlight/app/lists.h"

#include "headlight/base/nearest.h"
#include "headlight/model/hub.h"
#include "headlight/terminal/terminals.h"
#include "headlight/text/marks.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- Models ---- */

#define LINE 1024

/* Names of folders may hold control characters; text_write spells them out. */
static void write_line(FILE *stream, bool ascii, const char *line)
{
    text_write(stream, line, strlen(line), ascii);
    fputc('\n', stream);
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
        name = int_max(name, (int)text_width(model->name, ascii));
        family = int_max(family, model->family ? (int)text_width(model->family, ascii) : 0);
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
    const size_t width = (size_t)text_columns(word, length, line->ascii);
    bool begins = line->used == 0;
    if (!begins && line->used + 1 + width > LESSONS_COLUMNS) {
        fputc('\n', line->stream);
        begins = true;
    }
    fprintf(line->stream, "%*s", begins ? (int)line->margin : 1, "");
    text_write(line->stream, word, length, line->ascii);
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

/* ---- Help ---- */

/* What stands in a column of 20, and about it. A longer name pushes that to the right. */
static void write_row(struct filling *line, const char *left, const char *about)
{
    line->used = (size_t)fprintf(line->stream, *about ? "  %-20s " : "  %s", left);
    fill_words(line, about);
    end_line(line);
}

static void write_option(struct filling *line, const struct option_info *option)
{
    char left[40] = "";
    if (option->letter)
        format_cut(left, sizeof left, "-%c, ", option->letter);
    format_add(left, sizeof left, "%s%s %s", option->dashes ? "--" : "", option->name,
               option->argument ? option->argument : "");
    write_row(line, left, option->help);
}

/* Of 24 lines on a terminal of 80 columns. */
static const char screen[] =
    "usage: headlight [OPTIONS] [TEXT [TEXT_B]]  show what attention heads do\n"
    "       headlight [OPTIONS] FILE             of texts, a survey, index or state\n"
    "       headlight COMMAND ... [OPTIONS]      behind -- all words are texts\n\n"
    "  headlight \"the cat sat on the mat\"\n"
    "  headlight --model bert-base-uncased \"time flies\" \"fruit flies\"\n"
    "  headlight --view matrix --head 3.2 --snapshot matrix.svg \"time flies\"\n"
    "  headlight survey dev.conllu -o dev.survey && headlight dev.survey\n\n";

/* What is the same for all files of texts stands under a topic of its own. */
static void write_command(struct filling *line, const struct command_info *info)
{
    const struct option_info *option;
    const struct topic_info *topic = NULL;
    FILE *stream = line->stream;
    const bool helps = info == &commands[COMMAND_HELP];
    fprintf(stream, "usage: headlight %s%s%s%s\n\nWrites %s.\n%s\n", info->name,
            *info->words ? " " : "", info->words, info->reads & READ_LIST ? "" : " [OPTIONS]",
            info->brief, info->about);
    for (size_t i = 0; helps && (option = option_at(i)); topic = option->topic, i++)
        if (option->topic != topic)
            write_row(line, option->topic->name, option->topic->title);
    if (info->reads & READ_LIST)
        return;
    fputc('\n', stream);
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option_reads(option) & info->reads && strcmp(option->topic->name, "output") == 0)
            write_option(line, option);
}

static bool is_called(const char *called, const char *word)
{
    char whole[80];
    format_cut(whole, sizeof whole, " %s ", word);
    return strstr(called, whole);
}

/* An option, or one with a value of that name; loosely, another word for it, or a longer one of its
 * help. */
static bool is_about(const struct option_info *option, const char *word, bool loosely)
{
    const char *choice;
    for (size_t i = 0; (choice = option_choice(option, i)); i++)
        if (strcmp(choice, word) == 0)
            return true;
    return strcmp(word, "all") == 0 || option_is(option, word) ||
           (loosely &&
            (is_called(option->called, word) || (strlen(word) > 3 && strstr(option->help, word))));
}

enum status help_write(FILE *stream, const char *topic, bool ascii, struct error *error)
{
    struct filling line = {.stream = stream, .ascii = ascii, .margin = 24};
    enum command command = topic ? command_named(topic) : COMMAND_COUNT;
    const struct option_info *option;
    const struct topic_info *shown = NULL, *group = NULL;
    bool loosely = topic; /* unless something has that name */
    for (size_t i = 0; topic && (option = option_at(i)); i++) {
        loosely &= !is_about(option, topic, false);
        group = strcmp(option->topic->name, topic) == 0 ? option->topic : group;
    }
    const bool named = group;
    loosely &= !named;
    for (size_t i = 0; loosely && (option = option_at(i)); i++)
        group = is_called(option->topic->called, topic) ? option->topic : group;
    for (enum command other = COMMAND_SHOW + 1; loosely && other < COMMAND_VERSION; other++)
        if (command == COMMAND_COUNT && is_called(commands[other].called, topic))
            command = other;
    if (!topic) {
        const struct topic_info *last = NULL;
        fputs(screen, stream);
        for (enum command other = COMMAND_SHOW + 1; other < COMMAND_VERSION; other++) {
            const struct command_info *info = &commands[other];
            fprintf(stream, "  %-7s %-10.*s %s\n", info->name, (int)strcspn(info->words, " "),
                    info->words, info->brief);
        }
        fputs("\ntopics:", stream);
        for (size_t i = 0; (option = option_at(i)); last = option->topic, i++)
            if (option->topic != last)
                fprintf(stream, " %s", option->topic->name);
        fputs("\nexit status: 0 success, 1 failure, 2 wrong usage, 3 some texts were refused\n",
              stream);
        return STATUS_OK;
    }
    if (command < COMMAND_COUNT) {
        write_command(&line, &commands[command]);
        return STATUS_OK;
    }
    struct nearest nearest = nearest_to(topic + strspn(topic, "-"));
    for (enum command other = COMMAND_SHOW + 1; other < COMMAND_VERSION; other++)
        nearest_offer(&nearest, commands[other].name);
    char shows[200];
    enum view_kind view = 0;
    while (view < VIEW_COUNT && strcmp(topic, view_name(view)) != 0)
        view++;
    if (view < VIEW_COUNT) {
        format_cut(shows, sizeof shows, "--view %s shows %s.", topic, view_at(view)->about);
        write_paragraph(&(struct filling){.stream = stream, .ascii = ascii}, "", shows);
    }
    for (size_t i = 0; (option = option_at(i)); i++) {
        nearest_offer(&nearest, option->topic->name);
        nearest_offer(&nearest, option->name);
        if ((option->topic != group && (named || !is_about(option, topic, loosely))) ||
            (view < VIEW_COUNT && strcmp(option->name, "view") == 0))
            continue;
        if (option->topic != shown)
            fprintf(stream, "%s%s:\n", shown || view < VIEW_COUNT ? "\n" : "",
                    option->topic->title);
        shown = option->topic;
        write_option(&line, option);
        /* each value that it takes, and what that means where it says more than the help */
        const enum state_field field = field_named(option->name);
        const char *choice;
        for (size_t k = 0; option_is(option, topic) && (choice = option_choice(option, k)); k++) {
            const char *about = field < FIELD_COUNT ? field_choice_about(field, k) : "";
            char left[40];
            format_cut(left, sizeof left, "  %s", choice);
            write_row(&line, left, about == option->help ? "" : about);
        }
    }
    if (group && *group->about)
        fprintf(stream, "\n%s\n", group->about);
    if (shown || view < VIEW_COUNT)
        return STATUS_OK;
    error_write(error, STATUS_USAGE,
                "help: expected a command, a topic, an option or a value of one, found \"%s\"",
                topic);
    return nearest_suggest(&nearest, error);
}

/* The table of actions, group by group; 0-9 have no names, as they are bound together. */
void keys_write(FILE *stream, const struct bindings *bindings, bool ascii)
{
    char keys[80], name[ACTION_NAME_MAX], line[240];
    const char *group = "";
    for (enum action action = 0; action < ACTION_COUNT; action++) {
        const struct action_info *info = action_info(action);
        action_keys(bindings, action, keys, sizeof keys);
        if (!*keys)
            continue;
        if (strcmp(group, info->group) != 0)
            fprintf(stream, "%s%s\n", *group ? "\n" : "", info->group);
        group = info->group;
        action_name(action, name);
        format_cut(line, sizeof line, "  %-9s  %-18s  %s", keys,
                   action != ACTION_HEAD_DIGIT ? name : "", info->help);
        write_line(stream, ascii, line);
    }
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
        write_paragraph(&line, "", lesson->title);
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
    unsigned traits = terminal_traits(NULL);
    if (curses_takes_questions(NULL, STDOUT_FILENO))
        traits |= TERMINAL_QUESTIONS;
    term = term ? term : "without a name (TERM is not set)";
    fprintf(stream, "headlight %s\nkernels  %s\nbits     %s\nterminal ", HEADLIGHT_VERSION,
            kernels_now()->name, kernels_now()->bits);
    text_write(stream, term, strlen(term), ascii);
    if (lent)
        fputs(", which no terminfo database has: used as a relative of xterm", stream);
    for (unsigned bit = 0; terminal_trait_text(bit); bit++)
        if (traits >> bit & 1)
            fprintf(stream, "; %s", terminal_trait_text(bit));
    fputc('\n', stream);
}
