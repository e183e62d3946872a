/* command.c: the screen as a command line. Which fields have to be said is found out by trying:
 * those whose values differ in a first look that has read the others. So there is no second list of
 * the defaults, many of which follow from other fields. */
#include "headlight/session/overlay.h"

#include "headlight/session/act.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>

/* ---- Which fields ---- */

/* A copy of the draft's value, or NULL where it needn't be said. */
static char *value_in(const struct field_draft *draft, enum state_field field)
{
    static struct field_value value; /* too large for a stack; the session has one thread */
    field_draft_write(draft, field, &value);
    return value.length > 0 ? strdup(value.text) : NULL;
}

/* A value that isn't written is the first of the field's choices. */
static char *value_now(const struct field_draft *now, enum state_field field)
{
    char *value = value_in(now, field);
    const char *usual = field_choice(field, 0);
    return value || !usual ? value : strdup(usual);
}

/* A field in which a look that says only these values differs; FIELD_COUNT: there is none. */
static enum state_field lacking(const struct field_draft *now, char *const said[FIELD_COUNT])
{
    struct field_draft draft = *now;
    struct error error;
    draft.scene.look = look_first(now->scene.data.head_count);
    for (enum state_field given = 0; given < FIELD_COUNT; given++)
        if (said[given])
            field_draft_take(&draft, given, (const char *const *)said, &error);
    enum state_field field = 0;
    for (bool alike = true; field < FIELD_COUNT; field++) {
        if (!field_is_look(field) || said[field] ||
            !field_is_shown(field, now->scene.look.view, true) ||
            (field == FIELD_ASKED && now->scene.data.encoded->site != SITE_ENCODER))
            continue;
        char *wanted = value_now(now, field), *found = value_now(&draft, field);
        alike = !wanted || (found && strcmp(wanted, found) == 0);
        free(wanted);
        free(found);
        if (!alike)
            break;
    }
    return field;
}

/* The layer is always said: without one a first head would be chosen; and so are the site of an
 * encoder–decoder, which begins with its cross-attention, and the view beside a survey, which opens
 * its own. */
static void choose_fields(const struct session *session, char *said[FIELD_COUNT])
{
    const struct field_draft now = {.scene = session_scene(session),
                                    .changes = session->state.source.changes};
    const bool survey = *session->state.source.survey;
    said[FIELD_LAYER] = value_in(&now, FIELD_LAYER);
    said[FIELD_SITE] =
        now.scene.data.encoded->site != SITE_ONLY ? value_now(&now, FIELD_SITE) : NULL;
    for (enum state_field field; (field = lacking(&now, said)) != FIELD_COUNT;)
        said[field] = value_now(&now, field);
    /* what others imply, such as the heads of a head alone, is taken back */
    for (enum state_field field = FIELD_LAYER + 1; field < FIELD_COUNT; field++) {
        char *value = said[field];
        said[field] = NULL;
        if (value && lacking(&now, said) == FIELD_COUNT)
            free(value);
        else
            said[field] = value;
    }
    if (survey && !said[FIELD_VIEW])
        said[FIELD_VIEW] = value_in(&now, FIELD_VIEW);
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (session->checkpoint &&
            (field_is_network(field) || field_info(field)->part == PART_TEXTS))
            said[field] = value_in(&now, field);
}

/* ---- Words of a shell ---- */

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* A word as it is, or in single quotes, outside which a quote goes with a backslash. Characters
 * that a terminal would obey are octal numbers for printf(1); a shell cuts the newlines at the end
 * of what it prints, so these come behind. */
static void write_word(FILE *stream, const char *text)
{
    size_t end = strlen(text), used;
    int32_t code;
    bool unseen = false;
    for (size_t at = 0; at < end; at += used) {
        used = unicode_next(text + at, end - at, &code);
        unseen |= (is_unseen(code) && code != '\n') || code == 0xFFFD;
    }
    fputc(' ', stream);
    if (*text && text[strspn(text, PLAIN "%+,-./:@_")] == '\0') {
        fputs(text, stream);
        return;
    }
    if (!unseen) {
        fputc('\'', stream);
        for (; *text; text++)
            fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, stream);
        fputc('\'', stream);
        return;
    }
    while (end > 0 && text[end - 1] == '\n')
        end--;
    fputs("\"$(printf '", stream);
    for (size_t at = 0; at < end; at += used) {
        used = unicode_next(text + at, end - at, &code);
        const bool octal = used > 1 ? is_unseen(code) || code == 0xFFFD
                                    : !memchr(PLAIN " ", text[at], sizeof PLAIN);
        for (size_t i = at; i < at + used; i++)
            if (octal)
                fprintf(stream, "\\%03o", (unsigned char)text[i]);
            else
                fputc(text[i], stream);
    }
    fprintf(stream, "')%s\"", text + end);
}

/* ---- The line ---- */

static void write_option(FILE *stream, const char *name, const char *value)
{
    if (!*value)
        return;
    fprintf(stream, " --%s", name);
    write_word(stream, value);
}

/* What has no option of its own, as a saved state has it. Heads stand behind their layer, unless
 * that is NULL. */
static void write_field(FILE *stream, enum state_field field, const char *value, const char *layer)
{
    const char *name = field_info(field)->name, *alias = NULL, *says;
    for (enum state_field other = 0; other < FIELD_COUNT && !alias; other++)
        if (field_is_alias(other) && field_set_by(other, &says) == field &&
            strcmp(says, value) == 0)
            alias = field_info(other)->name; /* which stands for this value alone */
    const struct option_info *option = option_named(name);
    if (alias || (option && !option->argument && field_is_on(value)))
        fprintf(stream, " --%s", alias ? alias : name);
    else if (layer && (field == FIELD_HEAD || field == FIELD_HEADS))
        fprintf(stream, " --head %s.%s", layer, value);
    else if (option && option->dashes && option->argument)
        write_option(stream, name, value);
    else
        fprintf(stream, " --set %s=%s", name, value);
}

/* A text that begins with a dash, or of one word, which may be a command or a file, comes after
 * "--". One that is a dash alone would mean standard input, and behind a file there is no "--":
 * they begin with a blank, which no model reads. */
char *command_line(const struct session *session)
{
    const struct source *source = &session->state.source;
    char *said[FIELD_COUNT] = {NULL};
    struct buffer buffer;
    if (!buffer_open(&buffer))
        return NULL;
    FILE *stream = buffer.stream;
    choose_fields(session, said);
    fputs("headlight", stream);
    fputs(session->configured ? " --no-config" : "", stream);
    write_option(stream, "model", session->recording ? "" : source->model);
    write_option(stream, "family", source->family);
    write_option(stream, "against", source->against);
    const char *file = *source->survey ? source->survey : source->recording;
    if (*file)
        write_word(stream, file);
    if (session->checkpoint && !source->special)
        write_field(stream, FIELD_RAW_TEXT, "on", NULL);
    const bool several = said[FIELD_HEADS] && !said[FIELD_HEAD] &&
                         view_at(session->state.look.view)->heads == HEADS_CHOSEN;
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        if (said[field] && !(field == FIELD_LAYER && (said[FIELD_HEAD] || several)))
            write_field(stream, field, said[field],
                        field == FIELD_HEADS && !several ? NULL : said[FIELD_LAYER]);
    for (enum state_field field = 0; field < FIELD_COUNT; field++)
        free(said[field]);
    const struct texts *texts = &source->texts;
    const size_t count = session->recording ? 0 : texts->count;
    bool apart = count > 0 && !strchr(texts_at(texts, 0), ' ');
    for (size_t i = 0; i < count; i++)
        apart |= *texts_at(texts, i) == '-';
    fputs(apart && !*file ? " --" : "", stream);
    for (size_t i = 0; i < count; i++) {
        const char *text = texts_at(texts, i);
        const bool blank = *text == '-' && (*file || !text[1]);
        char *spaced = blank ? malloc(strlen(text) + 2) : NULL;
        if (spaced)
            stpcpy(stpcpy(spaced, " "), text);
        write_word(stream, spaced ? spaced : text);
        free(spaced);
    }
    return buffer_close(&buffer);
}

/* ---- On the screen ---- */

/* The bytes of a shell's word: to a blank or a line's end that isn't quoted. */
static size_t word_length(const char *text)
{
    size_t length = 0;
    for (bool quoted = false; text[length] && (quoted || !strchr(" \n", text[length])); length++)
        if (text[length] == '\'')
            quoted = !quoted;
        else if (!quoted && text[length] == '\\' && text[length + 1])
            length++;
    return length;
}

/* Where the line is broken, a shell must read on: behind a backslash, between words or within one
 * that is wider than a row, whose quotes are closed before and opened after. So what is marked and
 * pasted is one command, with the words that it had; rows begin at the screen's edge, as a blank
 * would be one. Allocated; NULL without memory. */
static char *break_line(const char *text, int columns, bool ascii)
{
    const char *end = text + strlen(text);
    struct buffer buffer;
    bool quoted = false;
    int column = 0;
    if (!buffer_open(&buffer))
        return NULL;
    for (size_t used; text < end; text += used) {
        struct text_reader reader = text_reader(text, (size_t)(end - text), ascii);
        struct glyph glyph;
        used = *text != '\n' && text_next(&reader, &glyph) ? (size_t)(reader.next - text) : 1;
        const size_t word = *text == ' ' && !quoted ? word_length(text + 1) : 0;
        const int width = text_columns(text + 1, word, ascii);
        if (*text == '\n' || (word > 0 && column + 1 + width > columns && width <= columns)) {
            fputs(*text == '\n' ? "\n" : " \\\n", buffer.stream);
            column = 0;
            continue;
        }
        used += !quoted && *text == '\\' && text[1]; /* what it escapes stays with it */
        if (column + text_columns(text, used, ascii) > columns) {
            fputs(quoted ? "'\\\n'" : "\\\n", buffer.stream);
            column = quoted;
        }
        fwrite(text, 1, used, buffer.stream);
        column += text_columns(text, used, ascii);
        quoted ^= *text == '\'';
    }
    return buffer_close(&buffer);
}

/* The last two columns are those of what breaks a line. */
void list_command(struct listing *listing)
{
    char *line = command_line(listing->session);
    listing->text = line ? break_line(line, listing->columns - 2, listing->ascii) : NULL;
    for (char *row = listing->text, *end; row && listing->made < LISTING_MOST; row = end) {
        end = strchr(row, '\n');
        if (end)
            *end++ = '\0';
        listing->all[listing->made++] =
            (struct overlay_row){.of = ROW_NOTE, .words = row, .barred = true};
    }
    free(line);
}
