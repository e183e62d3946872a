/* derive_survey.c: what heads do over many texts, where no survey was opened: of those of --texts,
 * or of the small corpus in the program. It is made bit by bit, and shown after each bit: so
 * whatever else is asked for comes in between, and it goes on while other views are shown. */
#include "headlight/session/derive.h"
#include "headlight/survey/gather.h"
#include "headlight/view/views.h"

#include <string.h>

static bool wants_survey(const struct look *look, const struct data *data)
{
    if (!data->checkpoint || data->survey)
        return false;
    return data->surveyed ? !data->surveyed->whole : view_at(look->view)->surveys;
}

/* Tokens that are hidden, cut off or masked are those of one text. */
static struct interventions changes_of(const struct data *data)
{
    return interventions_of_all(&data->trace->computed.changes);
}

/* Of the network as it is in the pass shown. */
static bool survey_serves(const struct look *look, const struct data *data)
{
    (void)look;
    if (!data->trace)
        return true;
    const struct interventions changes = changes_of(data);
    return interventions_first_difference(&data->surveyed->changes, &changes,
                                          INTERVENE_LAYERS_MAX) == INTERVENE_LAYERS_MAX;
}

/* The survey so far is shown meanwhile. */
static enum status make_survey(struct draft *draft, const struct watch *watch, struct error *error)
{
    const struct survey *before = draft->data.surveyed;
    struct gather_source source = {draft->data.checkpoint, draft->data.corpus,
                                   draft->source->special, changes_of(&draft->data)};
    struct survey *survey = NULL;
    enum status status = source.corpus ? STATUS_OK : gather_example(&source.corpus, error);
    if (status == STATUS_OK)
        status = gather_more(&source, watch, before, &survey, error);
    if (source.corpus != draft->data.corpus)
        corpus_close(source.corpus);
    if (status == STATUS_OK)
        draft->data.surveyed = survey;
    return status;
}

static void free_survey(void *survey)
{
    survey_free(survey);
}

/* A relation's place may be another one, once there are more of them. */
void derive_same_relation(struct look *look, const struct survey *before, const struct survey *now)
{
    size_t *relation = &look->corpus.relation;
    if (!before || !now || before == now || *relation >= before->relation_count)
        return;
    const char *name = before->relations[*relation].name;
    for (size_t i = 0; i < now->relation_count; i++)
        if (strcmp(now->relations[i].name, name) == 0)
            *relation = i;
}

const struct derived derived_survey = {DERIVED(SURVEY, "surveying", surveyed),
                                       .release = free_survey,
                                       .until_stopped = true,
                                       .passes = true,
                                       .goes_on = true,
                                       .wants = wants_survey,
                                       .make = make_survey,
                                       .serves = survey_serves,
                                       .fail = derived_stop};
