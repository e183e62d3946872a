/* program.c: makes a session from the command line, a saved state, settings and standard input. For
 * each field the command line comes first, then the saved state, then the
 * settings, then the default. */
#include "headlight/app/program.h"

#include "headlight/lesson/progress.h"
#include "headlight/model/hub.h"
#include "headlight/session/act.h"
#include "headlight/session/pager.h"
#include "headlight/session/request.h"
#include "headlight/survey/survey_file.h"
#include "headlight/view/corpus.h"
#include "headlight/view/steps_sheet.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The most read from standard input: far more than a model has positions for. */
#define INPUT_LIMIT ((size_t)16 << 20)

/* ---- Text ---- */

/* Reads all of standard input. It may be anything, even endless, hence the limit. NULs are kept
 * here; texts drop them. */
static enum status read_input(struct program *program, struct text *input, struct error *error)
{
    char chunk[4096];
    struct buffer buffer = {.stream = NULL};
    size_t length = 0;
    if (buffer_open(&buffer))
        for (size_t got; length < INPUT_LIMIT && (got = fread(chunk, 1, sizeof chunk, stdin)) > 0;
             length += got)
            fwrite(chunk, 1, got, buffer.stream);
    program->input = buffer_close(&buffer);
    if (!program->input)
        return error_memory(error, "the text", length + sizeof chunk);
    if (ferror(stdin))
        return error_set(error, STATUS_IO, "standard input: cannot be read: %s", strerror(errno));
    if (length >= INPUT_LIMIT)
        return error_set(error, STATUS_LIMIT, "standard input: expected a sentence, found %zu MB",
                         length >> 20);
    *input = (struct text){program->input, length};
    return STATUS_OK;
}

/* "-" stands for a line of standard input; if it is the only text, a second line is the pair's.
 * What is left has to be blank; NULs count as blanks, as texts don't keep them. */
static enum status collect_texts(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    struct text *texts = program->texts;
    size_t *count = &program->text_count, at = 0;
    struct text input = {"", 0};
    bool from_input = false;
    for (size_t i = 0; i < options->text_count; i++)
        from_input |= strcmp(options->texts[i], "-") == 0;
    if (from_input && (read_input(program, &input, error) != STATUS_OK ||
                       texts_begin("standard input", "-", &input, error) != STATUS_OK))
        return error->status;
    while (input.length > 0 && memchr(" \t\r\n", input.bytes[input.length - 1], 5))
        input.length--;
    for (*count = 0; *count < options->text_count; ++*count) {
        const char *text = options->texts[*count];
        texts[*count] = strcmp(text, "-") == 0 ? text_take_line(input, &at) : text_of_string(text);
    }
    if (*count == 1 && from_input && at < input.length)
        texts[(*count)++] = text_take_line(input, &at);
    for (size_t i = 0; i < *count; i++)
        if (texts_is_blank(texts[i].bytes, texts[i].length))
            return error_usage(
                error, "%s: expected a text, found an empty one: leave it out to show %s",
                from_input ? "standard input" : "\"\"", i == 0 ? "an example" : "the other alone");
    return at >= input.length
               ? STATUS_OK
               : error_usage(
                     error,
                     "standard input: expected one line, and a second for a pair, found more");
}

/* ---- Options and saved state ---- */

/* Whether the view of that name always shows every piece, none hidden or merged. */
static bool shows_all_pieces(const char *name)
{
    for (enum view_kind kind = 0; name && kind < VIEW_COUNT; kind++)
        if (strcmp(name, view_name(kind)) == 0)
            return !(view_at(kind)->shown & SHOWN_PIECES);
    return false;
}

/* Takes from the saved state what the command line doesn't give and what still means the same: a
 * token's number means nothing in another text, or if other pieces are shown, a head's nothing in
 * another model. Texts that it names may be gone, or something that nobody would wait for. */
static enum status take_state(struct program *program, struct error *error)
{
    struct options *options = &program->options;
    const struct saved_state *state = &program->state;
    struct error why;
    size_t size;
    int fd;
    bool same_model = !options->model && !options->open;
    const bool same_text = same_model && options->text_count == 0 && !options->corpus;
    same_model &= same_text || !state->recording;
    if (same_text && state->recording &&
        (options->values[FIELD_MASK] || options_change_network(options)))
        return error_usage(error, "%s shows what was recorded: the network can't be changed",
                           state->source);
    if (same_text && state->corpus) {
        if (file_open(state->corpus, &fd, &size, &why) != STATUS_OK)
            return error_set(error, why.status, "%s: its texts: %s", state->source, why.message);
        close(fd);
    }
    if (same_text) {
        options->open = state->survey ? state->survey : state->recording;
        options->corpus = state->corpus;
        options->choice = state->corpus ? state->choice : options->choice;
    }
    if (!options->model && (!options->open || options->open == state->survey)) {
        options->model = state->model;
        options->family = options->family ? options->family : state->family;
    }
    if (!options->against && (state->recording ? same_text : !options->open))
        options->against = state->against;
    const char *given[FIELD_COUNT];
    memcpy(given, options->values, sizeof given);
    const char *const *saved = state->values;
    const bool same_tokens = same_text && (!given[FIELD_RAW_TEXT] || saved[FIELD_RAW_TEXT]);
    const bool other_shape =
        given[FIELD_FILTER] || given[FIELD_SPECIAL] || given[FIELD_WHOLE_WORDS] ||
        ((saved[FIELD_SPECIAL] || saved[FIELD_WHOLE_WORDS]) && given[FIELD_VIEW] &&
         shows_all_pieces(given[FIELD_VIEW]) != shows_all_pieces(saved[FIELD_VIEW]));
    const bool meant[] = {
        [REACH_USER] = true,          [REACH_NOTHING] = true,
        [REACH_MODEL] = same_model,   [REACH_TEXT] = same_text,
        [REACH_TOKENS] = same_tokens, [REACH_SHOWN] = same_tokens && !other_shape,
    };
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (!field_is_overruled(field, given) && meant[field_info(field)->reach])
            options->values[field] = saved[field];
    return STATUS_OK;
}

enum status program_read(struct program *program, int argc, char **argv, struct error *error)
{
    return options_parse(&program->options, argc, argv, error) == STATUS_OK
               ? settings_read(&program->settings, &program->options, error)
               : error->status;
}

/* For the screen, which goes back and forth among the texts. */
static enum status open_corpus(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    if (strcmp(options->corpus, "-") == 0)
        return error_usage(error,
                           "keys come from standard input: expected a file of texts, found -");
    if (corpus_open(options->corpus, &options->choice, &program->corpus, error) != STATUS_OK ||
        corpus_open(options->corpus, &options->choice, &program->surveyed, error) != STATUS_OK ||
        corpus_index(program->corpus, &program->corpus_count, error) != STATUS_OK)
        return error->status;
    return program->corpus_count > 0
               ? STATUS_OK
               : error_set(error, STATUS_FORMAT, "%s: expected a text that can be read, found none",
                           options->corpus);
}

/* One from standard input isn't saved there on leaving. */
static enum status read_state(struct program *program, struct error *error)
{
    struct options *options = &program->options;
    struct text input;
    if (!options->state || strcmp(options->state, "-") != 0)
        return options->state && state_file_exists(options->state)
                   ? state_file_read(options->state, &program->state, error)
                   : STATUS_OK;
    for (size_t i = 0; i < options->text_count; i++)
        if (strcmp(options->texts[i], "-") == 0)
            return error_usage(error,
                               "both the state and a sentence can't come from standard input");
    options->state = NULL;
    if (read_input(program, &input, error) != STATUS_OK)
        return error->status;
    return state_file_parse(input.bytes, input.length, "standard input", &program->state, error);
}

/* What can be refused without a model is refused here, before anything is loaded. Indexes stand
 * beside a model as it is given, unlike all else that is opened. The model of a saved state is its
 * own, even if it is the built-in one. */
enum status program_prepare(struct program *program, struct error *error)
{
    struct options *options = &program->options;
    const struct options *own = &program->settings.options;
    const char *first = options->open;
    if (first && (options->command == COMMAND_FIND || survey_is(first, "index"))) {
        options->open = NULL;
        if (indexes_open(&program->indexes, first, options->paths, options->path_count, error) !=
            STATUS_OK)
            return error->status;
    }
    if (read_state(program, error) != STATUS_OK || take_state(program, error) != STATUS_OK ||
        collect_texts(program, error) != STATUS_OK ||
        program_read_survey(program, error) != STATUS_OK)
        return error->status;
    if (!options->model && !options->open && program->state.text_count == 0)
        options->model = own->model;
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (!options->values[field])
            options->values[field] = own->values[field];
    if (options->family && !options->model)
        return error_usage(error, "--family needs --model NAME, which is missing");
    /* without a sentence on the command line: those of the saved state, else an example of the
     * survey, else the example pair */
    const bool none = program->text_count == 0 && (!options->open || program->survey);
    for (size_t i = 0; none && i < program->state.text_count; i++)
        program->texts[program->text_count++] = text_of_string(program->state.texts[i]);
    if (none && program->text_count == 0 && program->survey)
        program_take_example(program);
    if (none && program->text_count == 0) {
        program->texts[0] = text_of_string(EXAMPLE_A);
        program->texts[1] = text_of_string(EXAMPLE_B);
        program->text_count = 2;
        program->example = !options->corpus && !options->lesson;
    }
    if (options_show_texts(options) && open_corpus(program, error) != STATUS_OK)
        return error->status;
    pool_set_size(options->threads);
    return STATUS_OK;
}

/* --set step counts from 1, the player from 0. */
enum status program_find_lessons(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    size_t step = options->step > 0 ? options->step - 1 : 0;
    if (player_begin(&program->player, error) != STATUS_OK ||
        (options->lesson &&
         player_open(&program->player, options->lesson, step, error) != STATUS_OK))
        return error->status;
    if (options->lesson && program->player.lesson->model && !options_gave(options, "model"))
        program->options.model = program->player.lesson->model;
    return STATUS_OK;
}

/* This takes longest, and may run on the worker's thread: nothing here touches the session. Of two
 * recordings neither has a model that could run the other's text. */
enum status program_load(struct program *program, const struct watch *watch, struct error *error)
{
    const struct options *options = &program->options;
    const char *model = options->model, *against = options->against;
    const bool recorded = options->open;
    if (*program->session.wanted)
        return checkpoint_open(&program->other, program->session.wanted, NULL, watch, error);
    if (program->survey)
        return program_load_survey(program, watch, error);
    enum status status =
        recorded ? recording_open(options->open, &program->recording, error)
                 : checkpoint_open(&program->checkpoint, model, options->family, watch, error);
    if (status != STATUS_OK && model && model == program->settings.options.model)
        error_set(error, status, "%s: model: %s", program->settings.path, error->message);
    if (status == STATUS_OK)
        status = indexes_check(&program->indexes, program->checkpoint.model, error);
    if (status != STATUS_OK || !against)
        return status;
    /* with a recording, too; what is none may be a model's file */
    status = recorded || (options->command == COMMAND_SHOW && file_exists(against))
                 ? recording_open(against, &program->against_recording, error)
                 : STATUS_UNSUPPORTED;
    if (recorded && status != STATUS_OK)
        error_set(error, status, "--against: expected another recording: %s", error->message);
    return recorded || status == STATUS_OK
               ? status
               : checkpoint_open(&program->against, against, NULL, watch, error);
}

/* ---- The session ---- */

/* Names the state file if the wrong value came from there, --set, and --head for its layer. */
static enum status blame(const struct program *program, enum state_field field, struct error *error)
{
    const char *const *values = program->options.values;
    const char *head = values[FIELD_HEAD] ? values[FIELD_HEAD] : values[FIELD_HEADS];
    if ((field == FIELD_LAYER || head == values[field]) && options_gave(&program->options, "head"))
        return error_set(error, error->status, "--head %s.%s: %s", values[FIELD_LAYER], head,
                         error->message + strlen("--"));
    if (values[field] != program->state.values[field])
        return strcmp(option_dashes(field_info(field)->name), "--") == 0 ||
                       strncmp(error->message, "--", 2) != 0
                   ? error->status
                   : error_set(error, error->status, "--set %s", error->message + 2);
    return error_set(error, STATUS_FORMAT, "%s: %s", program->state.source, error->message);
}

/* What a model of two stacks can't do, and its example: a source alone. */
static enum status check_two_stacks(struct program *program, struct error *error)
{
    const struct options *options = &program->options;
    const bool survey = options->command == COMMAND_SURVEY;
    const char *what = options_gave(options, "stride")     ? "--stride"
                       : survey && options->truncate       ? "--truncate"
                       : survey && options->each_head      ? "--effects"
                       : survey && options->against        ? "--against"
                       : options->command == COMMAND_INDEX ? "index"
                                                           : NULL;
    if (!program->checkpoint.decoder)
        return options->search.beams == 0
                   ? STATUS_OK
                   : error_usage(
                         error, "--beams: expected an encoder–decoder, found a model of one stack");
    if (what)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: expected a model of one stack of layers, found an encoder–decoder "
                         "(%s)%s",
                         what, program->checkpoint.model->config.family->name,
                         strcmp(what, "--effects") != 0
                             ? ""
                             : ": o, or headlight run with --include effects, measures its heads' "
                               "effects text by text");
    if (options->search.beams > 1 && options->sampling.temperature > 0)
        return error_usage(error, "--beams looks for the likeliest target, --draw for a "
                                  "random one: give one of them");
    if (program->text_count > 1 && !program->example && options->generate + options->search.beams)
        return error_usage(error, "--%s: expected one text, the source, found a target as well",
                           options->generate > 0 ? "generate" : "beams");
    program->text_count = program->example ? 1 : program->text_count;
    for (size_t i = 0; program->example && i < BUILT_INS; i++)
        if (built_in[i].example && strcmp(program->checkpoint.name, built_in[i].name) == 0)
            program->texts[0] = text_of_string(built_in[i].example);
    return STATUS_OK;
}

/* The network's changes come after the text, since they may name its tokens, and the mask comes
 * last. */
static enum status begin_model(struct program *program, struct error *error)
{
    struct session *session = &program->session;
    const struct interventions none = {0}; /* until there is a text: changes may name its tokens */
    const struct options *options = &program->options;
    const char *const *values = options->values;
    enum state_field failed;
    if (check_two_stacks(program, error) != STATUS_OK)
        return error->status;
    session_begin(session, &program->checkpoint, !field_is_on(values[FIELD_RAW_TEXT]), &none);
    session->state.source.spaced = program->spaced;
    session->data.against =
        options->against && !program->against_recording ? &program->against : NULL;
    session->data.indexes = program->indexes.count > 0 ? &program->indexes : NULL;
    session->logits = options_needs(options) & FORMAT_LOGITS;
    if (program->corpus) { /* with the text that was saved, or the first */
        pager_begin(session, program->corpus, options->corpus, program->corpus_count);
        session->data.corpus = program->surveyed;
        session->data.corpus_texts = program->corpus_count;
        const enum status status =
            options->corpus == program->state.corpus
                ? pager_resume(session, program->state.corpus_number, error)
                : pager_first(session, program->texts, &program->text_count, error);
        if (status != STATUS_OK)
            return status;
    }
    if (session_open(session, program->texts, program->text_count, program->encoding, error) !=
        STATUS_OK)
        return error->status;
    if (values[FIELD_GENERATED] &&
        generate_apply(session, values[FIELD_GENERATED], error) != STATUS_OK)
        return blame(program, FIELD_GENERATED, error);
    session->sampling = options->sampling;
    session->sampling.seed = options->choice.seed;
    session->search = options->search;
    if (program->checkpoint.decoder)
        session->sampling.most = options->generate > 0 ? options->generate : GENERATE_TARGET;
    session->tokens_due =
        values[FIELD_GENERATED] ? 0 : derived_target_due(session); /* or its end */
    if (session->tokens_due == 0 &&
        generate_check(session, session->tokens_due = options->generate, error) != STATUS_OK)
        return error->status;
    if (fields_apply(session, PART_NETWORK, values, &failed, error) != STATUS_OK)
        return blame(program, failed, error);
    const char *mask = values[FIELD_MASK];
    return !mask || mask_apply(session, mask, error) == STATUS_OK
               ? STATUS_OK
               : blame(program, FIELD_MASK, error);
}

enum status program_compute(struct program *program, struct error *error)
{
    struct session *session = &program->session;
    const enum status status =
        derived_is_current(session) ? STATUS_OK : request_settle(session, error);
    return status == STATUS_OK && program->options.generate > 0 && !derived_is_current(session)
               ? error_set(error, STATUS_LIMIT, "%s", session->message)
               : status;
}

/* The network's fields were applied with the text (begin_model); those of the look follow once it
 * is known what was opened, and the tokens that they may name are all there. What was opened is
 * noted for the state file: no path is cut, as one that is too long for its place can't have been
 * opened. Only then can a head be chosen to begin with. */
enum status program_begin(struct program *program, struct error *error)
{
    struct session *session = &program->session;
    struct source *source = &session->state.source;
    const struct options *options = &program->options;
    enum state_field failed;
    enum status status = program->recording
                             ? session_begin_recording(session, program->recording, error)
                             : begin_model(program, error);
    if (status == STATUS_OK && session->tokens_due > 0 &&
        (options->values[FIELD_SELECT] || options->values[FIELD_ATTENDED] ||
         options->values[FIELD_ASKED]))
        status = program_compute(program, error);
    if (status != STATUS_OK)
        return status;
    session->data.against_recording = program->against_recording;
    if (program->survey)
        snprintf(source->survey, sizeof source->survey, "%s", options->open);
    if (program->recording && !program->survey)
        snprintf(source->recording, sizeof source->recording, "%s", options->open);
    else if (options->model)
        snprintf(source->model, sizeof source->model, "%s", options->model);
    if (options->family && !program->recording)
        snprintf(source->family, sizeof source->family, "%s", options->family);
    if (options->against)
        snprintf(source->against, sizeof source->against, "%s", options->against);
    session->bindings = &program->settings.bindings;
    session->configured = program->settings.text != NULL;
    session->state_path = options->state;
    session->columns = options->out.columns > 0 ? options->out.columns : 120;
    session->rows = options->out.rows > 0 ? options->out.rows : 40;
    if (fields_apply(session, PART_LOOK, options->values, &failed, error) != STATUS_OK)
        return blame(program, failed, error);
    const char *const *values = options->values;
    struct scene scene = session_scene(session);
    scene.data.trace = scene.data.encoded ? scene.data.encoded->trace : NULL; /* computed later */
    if (values[FIELD_STAGE] && values[FIELD_STAGE] != program->state.values[FIELD_STAGE] &&
        scene.data.trace && steps_stage(&scene) != scene.look.stage)
        return error_usage(error, "--set stage: layer %zu has no %s; the last is %zu",
                           scene.look.layer, values[FIELD_STAGE], scene.data.layers - 1);
    bool chosen = values[FIELD_LAYER] || values[FIELD_HEADS] || values[FIELD_HEAD] ||
                  values[FIELD_MEAN]; /* a head to begin with, by the user */
    if (program->survey) {            /* it belongs to the program, and outlives the session */
        struct look look = session->state.look;
        session->data.survey = program->survey;
        format_cut(session->data.lacking, sizeof session->data.lacking, "%s", program->lacking);
        evidence_first_head(program->survey, &look.layer, &look.head);
        if (look.corpus.shown == CORPUS_SORTED) { /* the first of the list */
            scene = session_scene(session);
            size_t count, at;
            struct corpus_head *list = corpus_list(&scene, &count, &at, error);
            if (!list)
                return error->status;
            look.layer = list->at.layer;
            look.head = list->at.head;
            free(list);
        }
        look_show_alone(&look, look.head);
        if (!chosen)
            derive_show(session, &look);
    } else if (!chosen && !options->lesson)
        session_show_opening_head(session);
    if (program->player.lessons)
        player_attend(&program->player, session);
    return STATUS_OK;
}

/* Of a pipe that is open and empty nobody knows whether anything will come. */
const char *program_unread(const struct program *program)
{
    int bytes;
    return program->example && !isatty(STDIN_FILENO) &&
                   ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0
               ? "standard input isn't read: headlight - takes a text from it"
               : NULL;
}

/* By the command line. A saved state's is only what was shown last. */
static bool is_given(const struct program *program, enum state_field field)
{
    const char *value = program->options.values[field];
    return value && value != program->state.values[field];
}

/* Files have no terminal that could limit their colours, so all are used unless --color says
 * otherwise. */
struct output program_output(struct program *program)
{
    const struct options *options = &program->options;
    struct output output = options->out;
    output.session = &program->session;
    output.columns = program->session.columns;
    output.rows = program->session.rows;
    output.ascii = options->screen.ascii;
    output.depth = options->screen.color != COLOR_AUTO ? (enum depth)(options->screen.color - 1)
                                                       : DEPTH_DIRECT;
    output.drawn_heads = is_given(program, FIELD_HEADS);
    output.narrowed[NARROWED_LAYER] = is_given(program, FIELD_LAYER);
    output.narrowed[NARROWED_HEAD] = is_given(program, FIELD_HEAD);
    output.narrowed[NARROWED_TOKEN] = is_given(program, FIELD_SELECT);
    output.paper = options->bare ? &options->paper : NULL;
    return output;
}

/* The first message on the screen: what is wrong with the settings, whose file's last name is
 * enough where there is little room; or else that little can be shown; or else, but not to an
 * audience, for newcomers, who ask for nothing in particular, that there are lessons. */
enum status program_begin_interactive(struct program *program, struct error *error)
{
    struct session *session = &program->session;
    const struct options *options = &program->options;
    const struct settings *settings = &program->settings;
    unsigned bits; /* ignored: the first pass is computed anyway */
    char note[512];
    if (program_begin(program, error) != STATUS_OK)
        return error->status;
    const bool asks = options->text_count > 0 || options->corpus || options->state ||
                      options->open || options->lesson || options->type;
    if (!session->state.look.presented && settings->wrong == 0 && !asks && progress_first_time())
        session->offered = program->player.count > 0;
    if (!options->lesson && session_note(session, note, sizeof note))
        session_say(session, "%s", note);
    if (*program->lacking)
        session_say(session, "%s", program->lacking);
    if (program->indexes.count > 0)
        session_say(session,
                    "index opened: press F for the tokens most similar to the selected one");
    if (program_unread(program))
        session_say(session, "%s", program_unread(program));
    if (settings->wrong > 0) {
        const char *slash = strrchr(settings->path, '/'), *wrong = settings->notes[0].message;
        session_say(session, "%s%s", slash ? wrong + (slash + 1 - settings->path) : wrong,
                    settings->wrong > 1 ? "; so are others" : "");
    }
    return options->lesson ? player_go(&program->player, program->player.step, &bits, error)
                           : STATUS_OK;
}

/* ---- Another model ---- */

/* What means something in any model stays; a map or a number of heads that this one lacks goes with
 * its first pass (derive.c). */
static void take_look(struct session *session, const struct look *before)
{
    struct look look = session->state.look;
    const enum site site = look.site;
    fields_copy(&look, before, REACH_TEXT, NULL);
    look.site = site;
    look.detail = before->detail;
    look.threshold = before->threshold;
    look.layer = size_min(before->layer, session->data.layers - 1);
    look.head = size_min(before->head, session->data.head_count - 1);
    if (head_mask_count(before->heads) == 1)
        look_show_alone(&look, look.head);
    derive_show(session, &look);
}

/* A second sentence is no target, and an example that nobody changed gives way to the model's own.
 * What options say of the look is in the session by now. */
enum status program_exchange(struct program *program, struct error *error)
{
    static struct session old; /* too large for a stack */
    struct session *session = &program->session;
    struct options *options = &program->options;
    const struct source *source = &old.state.source;
    const struct checkpoint shown = program->checkpoint;
    old = *session;
    memset(session, 0, sizeof *session);
    memset(options->values, 0, sizeof options->values);
    options->values[FIELD_LAYER] = "0"; /* or a head would be chosen */
    options->values[FIELD_RAW_TEXT] = source->special ? NULL : "on";
    options->family = NULL;
    options->generate = 0;
    program->example &= source->texts.count == program->text_count;
    for (size_t i = 0; program->example && i < program->text_count; i++)
        program->example = strcmp(texts_at(&source->texts, i), program->texts[i].bytes) == 0;
    program->spaced = source->spaced;
    program->state.corpus = options->corpus;
    program->state.corpus_number = (size_t)old.pager.number;
    program->text_count = program->example                           ? 2
                          : program->other.decoder && !shown.decoder ? 1
                                                                     : source->texts.count;
    for (size_t i = 0; i < program->text_count; i++)
        program->texts[i] = text_of_string(!program->example ? texts_at(&source->texts, i)
                                           : i == 0          ? EXAMPLE_A
                                                             : EXAMPLE_B);
    program->checkpoint = program->other;
    program->other = shown;
    enum status status = indexes_check(&program->indexes, program->checkpoint.model, error);
    status = status == STATUS_OK ? program_begin(program, error) : status;
    if (status != STATUS_OK) {
        session_end(session);
        *session = old;
        program->other = program->checkpoint;
        program->checkpoint = shown;
    } else {
        session->interactive = session->pass_due = true;
        strcpy(session->state.source.model, old.wanted);
        program->player.panel.open = false;
        program->player.awaits = AWAITS_NOTHING;
        take_look(session, &old.state.look);
        if (old.wanted_lesson > 0) /* its pass is the one that is due */
            panel_ask(session, TEACH_BEGIN, old.wanted_lesson - 1);
        else
            session_say(session, "%s is open; u doesn't lead back", program->checkpoint.name);
        session_end(&old);
    }
    checkpoint_close(&program->other);
    return status;
}

/* The session comes first, since it points into all of the others. */
void program_end(struct program *program)
{
    if (program->abandoned)
        return;
    session_end(&program->session);
    player_end(&program->player);
    checkpoint_close(&program->checkpoint);
    checkpoint_close(&program->other);
    checkpoint_close(&program->against);
    corpus_close(program->corpus);
    corpus_close(program->surveyed);
    recording_close(program->recording);
    recording_close(program->against_recording);
    survey_free(program->survey);
    indexes_close(&program->indexes);
    free(program->stand_in);
    state_file_free(&program->state);
    settings_free(&program->settings);
    free(program->input);
}
