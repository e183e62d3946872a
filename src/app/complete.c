/* complete.c: what a shell offers where a command line isn't finished yet. The scripts of
 * assets/completions ask for it, so that they know no option themselves. */
#include "headlight/app/lists.h"

#include "headlight/model/hub.h"

static void offer(FILE *stream, const char *word, const char *help)
{
    fprintf(stream, "%s\t%s\n", word, help);
}

/* Each of ".txt .csv"; NULL: none. */
static void offer_endings(FILE *stream, const char *endings)
{
    for (size_t length; endings && *endings; endings += length, endings += strspn(endings, " ")) {
        length = strcspn(endings, " ");
        fprintf(stream, "%.*s\t\n", (int)length, endings);
    }
}

/* Of models a name that a shell could take for a command is left out; one with an owner is offered
 * without it, too. */
static enum status offer_values(FILE *stream, const struct option_info *option, struct error *error)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
    const char *choice;
    struct lesson *lesson;
    if (strcmp(option->argument, "LIST") == 0 && option_choice(option, 0))
        offer(stream, ",", "");
    for (size_t i = 0; (choice = option_choice(option, i)) != NULL; i++)
        offer(stream, choice, "");
    offer_endings(stream, option_files(option));
    if (strcmp(option->name, "model") == 0 || strcmp(option->name, "against") == 0) {
        struct hub_list list;
        const enum status status = hub_list(&list, error);
        for (size_t i = 0; i < BUILT_INS; i++)
            offer(stream, built_in[i].name, "");
        for (size_t i = 0; status == STATUS_OK && i < list.count; i++) {
            const struct hub_model *model = &list.model[i];
            const char *name = model->name, *slash = strrchr(name, '/');
            if (*model->why || name[strspn(name, plain)])
                continue;
            offer(stream, name, model->family);
            if (slash)
                offer(stream, slash + 1, model->family);
        }
        hub_list_free(&list);
        return status;
    }
    for (size_t i = 0; strcmp(option->name, "lesson") == 0 && i < lessons_count(); i++) {
        if (lessons_open(lessons_name(i), &lesson, error) != STATUS_OK)
            return error->status;
        offer(stream, lessons_name(i), lesson->title);
        lesson_free(lesson);
    }
    return STATUS_OK;
}

#define TEXT_FILES ".txt .jsonl .csv .tsv .conllu .fasta"

/* Options are those that the command reads; other words are a command, a topic of help, or a file.
 */
enum status complete_write(FILE *stream, const char *first, const char *before, const char *typed,
                           struct error *error)
{
    const enum command named = command_named(first);
    const enum command command = named < COMMAND_COUNT ? named : COMMAND_SHOW;
    const unsigned reads = command == COMMAND_SHOW ? READ_ALL : commands[command].reads;
    const struct option_info *option;
    const struct topic_info *topic = NULL;
    char name[64];
    for (size_t i = 0; *before == '-' && (option = option_at(i)); i++)
        if (option->argument && option_is(option, before))
            return offer_values(stream, option, error);
    for (size_t i = 0; *typed == '-' && (option = option_at(i)); i++) {
        snprintf(name, sizeof name, "--%s", option->name);
        if (option->dashes && option_reads(option) & reads)
            offer(stream, name, option->help);
    }
    if (*typed == '-')
        return STATUS_OK;
    for (enum command other = COMMAND_SHOW + 1;
         (!*first || command == COMMAND_HELP) && other < COMMAND_VERSION; other++)
        offer(stream, commands[other].name, commands[other].brief);
    for (size_t i = 0; command == COMMAND_HELP && (option = option_at(i));
         topic = option->topic, i++)
        if (option->topic != topic)
            offer(stream, option->topic->name, option->topic->title);
    offer_endings(stream, command == COMMAND_SHOW ? TEXT_FILES " .survey .index .safetensors .json"
                          : reads & READ_MANY     ? TEXT_FILES
                          : reads & READ_MERGED   ? ".survey"
                          : reads & READ_FOUND    ? ".index"
                                                  : NULL);
    return STATUS_OK;
}
