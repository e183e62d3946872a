/* A survey: merged with one of another corpus, drawn over a model of its shape, written as data and
 * as a file that is read again. What is none may be an index, whose tokens are read and searched.
 */
#include "fuzz.h"

#include "headlight/base/format.h"
#include "headlight/session/act.h"
#include "headlight/session/derive.h"
#include "headlight/session/request.h"
#include "headlight/survey/index.h"
#include "headlight/survey/survey_file.h"

#include <stdlib.h>
#include <string.h>

static void look_at_lines(char *text)
{
    promise(text != NULL);
    for (char *line = text, *end; *line; line = end + 1) {
        promise((end = strchr(line, '\n')) != NULL);
        promise(is_fit_to_print(line, (size_t)(end - line)));
    }
    free(text);
}

static void write_data(const struct survey *survey)
{
    static void (*const written[])(const void *, FILE *) = {survey_write_json, survey_write_csv};
    for (size_t i = 0; i < 2; i++) {
        struct buffer buffer;
        promise(buffer_open(&buffer));
        written[i](survey, buffer.stream);
        look_at_lines(buffer_close(&buffer));
    }
}

static void draw(struct survey *survey)
{
    static const struct text text = {"the cat sat", 11};
    const struct interventions none = {0};
    struct session session = {0};
    struct error error;
    session_begin(&session, fuzz_checkpoint(), true, &none);
    promise(session_open(&session, &text, 1, NULL, &error) == STATUS_OK);
    promise(request_settle(&session, &error) == STATUS_OK);
    session.data.survey = survey;
    struct look look = session.state.look;
    look.view = VIEW_CORPUS;
    derive_show(&session, &look);
    fuzz_draw(&session, 0);
    if (input_type(&session, "o r Enter", &error) != STATUS_OK)
        promise(error.message[0] != '\0');
    fuzz_draw(&session, 1);
    session_end(&session);
}

/* Of corpora with other names, in the same order. */
static void merge(struct survey *survey, struct survey *other)
{
    struct survey *again;
    struct error error;
    for (size_t i = 0; i < other->first[ROW_KINDS]; i++) {
        const struct survey_key *key = &other->rows[i]->key;
        if ((key->kind != ROW_SHARD && key->kind != ROW_TEXT) || key->names[0].length == 0)
            continue;
        if ((unsigned char)++*(char *)key->names[0].bytes == 0)
            return;
    }
    if (survey_merge(survey, other, &error) != STATUS_OK) {
        promise(error.message[0] != '\0');
        return;
    }
    promise(survey_write(survey, fuzz_path("merged.survey"), &error) == STATUS_OK);
    promise(survey_read(fuzz_path("merged.survey"), &again, &error) == STATUS_OK);
    write_data(again);
    survey_free(again);
}

static void search(const struct index *index)
{
    static const float vector[8] = {1, -1, 0.5F};
    struct index_match matches[4];
    struct found found = {.space = index_space(1, NO_HEAD), .capacity = 4, .best = matches};
    struct index_match token = {.index = index};
    struct error error;
    for (; token.at < index->tokens; token.at++)
        if (index_read_token(&token, &error) == STATUS_OK)
            promise((size_t)token.token.end <= strlen(token.words) && token.id);
    if (index_find(index, vector, 8, &found, &error) != STATUS_OK)
        promise(error.message[0] != '\0');
    for (size_t i = 0; i < found.count; i++)
        promise(matches[i].at < index->tokens);
}

void fuzz_survey(const uint8_t *data, size_t size)
{
    struct survey *survey, *other;
    struct index *index;
    struct error error;
    fuzz_write("x.survey", data, size);
    if (index_open(fuzz_path("x.survey"), &index, &error) == STATUS_OK)
        search(index);
    index_close(index);
    promise(index || error.message[0] != '\0');
    if (survey_read(fuzz_path("x.survey"), &survey, &error) != STATUS_OK) {
        promise(error.message[0] != '\0' && !survey);
        return;
    }
    promise(survey_read(fuzz_path("x.survey"), &other, &error) == STATUS_OK);
    write_data(survey);
    if (survey->layers == 2 && survey->heads == 2)
        draw(survey);
    merge(survey, other);
    survey_free(other);
    survey_free(survey);
}
