/* main.c: runs the program that the options ask for, interactive or writing files. Only this floor
 * prints and exits; errors from below arrive here as a message and a status. */
#include "headlight/app/cast_run.h"
#include "headlight/app/lists.h"
#include "headlight/app/program.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/terminal/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

/* From the user's locale, for output to standard error. */
static bool user_reads_utf8;

/* No database has the terminal: it is used by an entry of our own. */
static bool terminal_lent;

/* A message may quote any bytes of a file or the user, so it is made safe for the terminal. */
static void say(const char *message)
{
    char safe[4096];
    text_safe(message, !user_reads_utf8, safe, sizeof safe);
    fprintf(stderr, "headlight: %s\n", safe);
}

/* Where there is no screen to say it on. */
static void say_settings(const struct settings *settings)
{
    for (size_t i = 0; i < settings->wrong; i++)
        say(settings->notes[i].message);
}

/* ---- Output ---- */

/* For a pipe: the head view's lines in words, another view as on a screen that is as tall as its
 * tokens need. */
static enum status write_plain_text(struct program *program, struct error *error)
{
    struct session *session = &program->session;
    const struct checkpoint *speaker = checkpoint_stack(&program->checkpoint, SITE_DECODER);
    const struct encoded *encoded = encoded_speaker(session->data.encoded);
    if (encoded->generated.count > 0) { /* the text comes first */
        const struct text *given = &encoded->texts[encoded->text_count == 2];
        char *text =
            encoded_spell_generated(encoded, encoded->trace->tokens, speaker->tokenizer, error);
        if (!text)
            return error->status;
        text_write(stdout, given->bytes, given->length, program->ascii);
        text_write(stdout, text, strlen(text), program->ascii);
        free(text);
        puts("");
        fflush(stdout);
    }
    if (session->state.look.view == VIEW_HEAD)
        return export_file(&(struct output){.session = session, .ascii = program->ascii},
                           FORMAT_LIST, "-", error);
    const struct token_list *shown = session->data.attention->tokens;
    size_t tokens = size_max(shown[SIDE_LEFT].count, shown[SIDE_RIGHT].count);
    if (tokens + 5 > CANVAS_MAX)
        return error_set(error, STATUS_LIMIT,
                         "%zu tokens are more than a screen of %d rows can show: use --json, or "
                         "--snapshot with --select",
                         tokens, CANVAS_MAX);
    int rows = tokens + 5 > 23 ? (int)tokens + 5 : 23;
    session->still = true;
    struct output output = {
        .session = session, .columns = 100, .rows = rows, .ascii = program->options.screen.ascii};
    return export_file(&output, FORMAT_TXT, "-", error);
}

/* The first picture, of the trace or of a lesson's step, and the state that --type leads to are
 * computed before the first file is opened. */
static enum status write_outputs(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    struct session *session = &program->session;
    const unsigned needs = options_needs(options);
    /* the example's numbers in a file would pass for those of what was meant */
    const bool example = program->example && !options->type;
    char note[512];
    if (example && program_unread(program))
        return error_usage(error, "%s", program_unread(program));
    if (example && program->indexes.count > 0)
        return error_usage(error, "an index has no text to show; headlight find searches it");
    if (example && options->state && !state_file_exists(options->state))
        return error_set(error, STATUS_IO, "%s: no state is there yet; give a text to begin one",
                         options->state);
    if (options->sampling.temperature > 0 && session->tokens_due == 0 && !options->type)
        return error_usage(error, "--draw needs a text that goes on: give --generate N, or of an "
                                  "encoder–decoder the source alone");
    if (options->bare && !options->values[FIELD_THEME])
        session->state.look.theme = theme_number(PAPER_THEME);
    enum status status = options->lesson
                             ? player_show(&program->player, program->player.step, error)
                         : session->checkpoint ? program_compute(program, error)
                                               : STATUS_OK;
    if (status == STATUS_OK && options->out.answer)
        status = export_ask(session, options->out.answer, error);
    if (status == STATUS_OK && options->out.answer && options->files[FORMAT_CSV] &&
        session->state.look.answer == NO_TOKEN)
        status = error_usage(error, "--ask: a span is asked for with --json, not with --csv");
    if (status == STATUS_OK && options->type && !options->record)
        status = input_type(session, options->type, error);
    if (status == STATUS_OK && (needs == 0 || needs & (FORMAT_PICTURE | FORMAT_SHOWN)))
        status = request_rest(session, error) == STATUS_OK ? request_check(session, error)
                                                           : error->status;
    if (status != STATUS_OK || session_result(session, error) != STATUS_OK)
        return error->status; /* no file is written with something missing */
    if (session_note(session, note, sizeof note))
        say(note);
    format_cut(note, sizeof note, "no text was given, so this is of an example:");
    for (size_t i = 0; i < program->text_count; i++)
        format_add(note, sizeof note, " \"%s\"", program->texts[i].bytes);
    if (example && needs && session->state.look.view != VIEW_CORPUS)
        say(note);
    bool unsaved = options->text_count > 0 || options->type; /* a state that was there */
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        unsaved |= options->values[field] != program->state.values[field] &&
                   options->values[field] != program->settings.options.values[field];
    format_cut(note, sizeof note, "%s: opened, and left as it is: an output saves no state anew",
               options->state ? options->state : "");
    if (options->state && program->state.source && unsaved)
        say(note);
    const struct output output = program_output(program);
    if (options->record && cast_run(&output, options->type, options->record, error) != STATUS_OK)
        return error->status;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (options->files[i] &&
            export_file(&output, (enum format)i, options->files[i], error) != STATUS_OK)
            return error->status;
    if (options->state && !state_file_exists(options->state) &&
        state_file_write(session, options->state, error) != STATUS_OK)
        return error->status;
    return needs || options->record ? STATUS_OK : write_plain_text(program, error);
}

/* ---- The keyboard ---- */

/* Decides between the keyboard and files: a pipe, a terminal that can only print, and an export
 * need no keyboard. The lesson is looked up before the model is loaded, so that a wrong
 * name is reported at once. */
static enum status show_program(struct program *program, int *signal, struct error *error)
{
    const struct options *options = &program->options;
    const char *kind = getenv("TERM");
    bool terminal = isatty(STDOUT_FILENO), dumb = kind && strcmp(kind, "dumb") == 0,
         files = options_needs(options) || (options->record && options->type) ||
                 options->command != COMMAND_SHOW || !terminal || dumb;
    for (unsigned i = 0; i < FORMAT_COUNT && terminal; i++) {
        const struct format_info *info = &formats[i];
        if (info->needs & FORMAT_BINARY && options->files[i] && strcmp(options->files[i], "-") == 0)
            return error_usage(error, "--%s -: a %s is binary, and standard output is a terminal",
                               info->name, info->name);
    }
    if (files)
        say_settings(&program->settings);
    if (files && options->record && !options->type)
        return error_usage(error, "--record needs --type KEYS, or a terminal and no other file");
    if (files && options_check_view(options, error) != STATUS_OK)
        return error->status;
    if (files && options_show_texts(options) && !options_needs(options))
        return error_usage(error, "to process every text of a file use: headlight run %s%s%s",
                           options->corpus, options->model ? " --model " : "",
                           options->model ? options->model : "");
    if (program_prepare(program, error) != STATUS_OK ||
        ((!files || options->lesson || options->record) &&
         program_find_lessons(program, error) != STATUS_OK))
        return error->status;
    if (!files) {
        program->session.bindings = &program->settings.bindings;
        if (options->values[FIELD_THEME])
            program->session.state.look.theme = theme_number(options->values[FIELD_THEME]);
        if (interactive_run(program, signal, error) != STATUS_OK)
            return error->status;
        return options->state && program->session.data.encoded
                   ? state_file_write(&program->session, options->state, error)
                   : STATUS_OK;
    }
    if (options_write_survey(options))
        return survey_run_write(options, program->survey, NULL, error);
    if (options->command == COMMAND_FIND)
        return find_run(program, error);
    if (program_load(program, NULL, error) != STATUS_OK)
        return error->status;
    if (options->command == COMMAND_SURVEY || options->command == COMMAND_INDEX)
        return survey_run(program, error);
    if (options->corpus && !options_show_texts(options))
        return filter_run(program, error);
    if (program_begin(program, error) != STATUS_OK)
        return error->status;
    struct output page = program_output(program);
    page.player = &program->player;
    if (options->lesson && options->files[FORMAT_PAGE])
        return export_file(&page, FORMAT_PAGE, options->files[FORMAT_PAGE], error);
    if (!options->lesson || options_needs(options) || options->record)
        return write_outputs(program, error);
    return options->type
               ? error_usage(error,
                             "--type presses keys on the screen: a lesson's text has none; use "
                             "--snapshot FILE")
               : lesson_write(stdout, &program->player, options->step, program->ascii, error);
}

/* Runs the command. */
static enum status perform(struct program *program, int *signal, struct error *error)
{
    const bool ascii = program->ascii = program->options.screen.ascii || !user_reads_utf8;
    if (commands[program->options.command].reads & (READ_LIST | READ_MERGED))
        say_settings(&program->settings);
    switch (program->options.command) {
    case COMMAND_MODELS:
        return models_write(stdout, ascii, error);
    case COMMAND_LESSONS:
        return lessons_write(stdout, ascii, error);
    case COMMAND_MERGE:
        return survey_run_merge(program, error);
    case COMMAND_HELP:
        return help_write(stdout, program->options.topic, ascii, error);
    case COMMAND_KEYS:
        keys_write(stdout, &program->settings.bindings, ascii);
        return STATUS_OK;
    case COMMAND_SCHEMA:
        export_write_schema(stdout);
        return STATUS_OK;
    case COMMAND_VERSION:
        version_write(stdout, ascii, terminal_lent);
        return STATUS_OK;
    default:
        return show_program(program, signal, error);
    }
}

/* Whoever has read enough, as head has, is not to be bothered. */
static int report(const struct error *error)
{
    if (error->status == STATUS_UNREAD)
        return EXIT_SUCCESS;
    say(error->message);
    if (error->status == STATUS_USAGE)
        fputs("headlight -h lists commands, and topics for headlight help WORD.\n", stderr);
    return error->status == STATUS_USAGE ? 2 : 1;
}

/* The user's locale. UTF-8 where none is named, as in a container, or one that isn't installed, as
 * comes over ssh, unless that names another encoding. ASCII has to be asked for, as "C". */
static void choose_locale(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *name = NULL;
    for (size_t i = 0; i < LENGTH(variables) && !(name && *name); i++)
        name = getenv(variables[i]);
    if (name && *name &&
        (setlocale(LC_CTYPE, "") ||
         (strchr(name, '.') && !strstr(name, "UTF-8") && !strstr(name, "utf8"))))
        return;
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "UTF-8"); /* Darwin's name for it */
}

/* The exit status is 1 for errors, 2 for wrong usage and 3 for texts that were passed over. A
 * signal that ended the program is raised again at the very end, so that the caller sees it; output
 * that can't be written is an error too.
 */
int main(int argc, char **argv)
{
    static struct program program = {.say = say}; /* 150 KB: more than a small stack has */
    struct error error;
    int signal_number = 0, code = EXIT_SUCCESS;
    /* a closed standard stream becomes /dev/null, in the wrong mode so that it stays unusable: a
     * file opened later could get that descriptor, and with it a library's error output */
    static const int unusable[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", unusable[fd]) != fd)
            break;
    choose_locale();
    terminal_lent = isatty(STDOUT_FILENO) && curses_lend_entry(STDOUT_FILENO);
    user_reads_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file over the size limit (ulimit -f) */
    restore_guard();
    const bool completes =
        argc == 5 && strcmp(argv[1], "__complete") == 0; /* by a shell's script */
    if (completes ? complete_write(stdout, argv[2], argv[3], argv[4], &error) != STATUS_OK
                  : program_read(&program, argc, argv, &error) != STATUS_OK ||
                        perform(&program, &signal_number, &error) != STATUS_OK)
        code = report(&error);
    errno = 0;
    if (code == EXIT_SUCCESS && (fflush(stdout) != 0 || ferror(stdout)) && !writer_is_unread()) {
        error_set(&error, STATUS_IO, "standard output: cannot be written: %s",
                  errno ? strerror(errno) : "write error");
        code = report(&error);
    }
    if (code == EXIT_SUCCESS && program.refused > 0)
        code = 3;
    program_end(&program);
    if (signal_number != 0)
        restore_raise(signal_number);
    if (program.abandoned) /* libraries would end under their thread */
        _exit(code);
    return code;
}
