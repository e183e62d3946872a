/* derive_survey.c: what heads do over many texts, where no survey was opened: of those of a file,
 * or of the small corpus in the program. It is made bit by bit, and shown after each bit: so
 * whatever else is asked for comes in between, and it goes on while other views are shown. */
#include "headlight/session/derive.h"
#include "headlight/survey/gather.h"
#include "headlight/view/views.h"

static bool wants_survey(const struct look *look, const struct data *data)
{
    if (!data->checkpoint || data->survey || data->stacks.layers[1] > 0)
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
    return interventions_first_difference(&data->surveyed->changes, &changes, 0,
                                          INTERVENE_LAYERS_MAX) == INTERVENE_LAYERS_MAX;
}

/* Of the texts that follow those of the survey so far, which is shown meanwhile. */
static enum status make_survey(struct draft *draft, const struct watch *watch, struct error *error)
{
    const struct gather_source source = {draft->data.checkpoint, draft->data.corpus,
                                         draft->source->special, changes_of(&draft->data)};
    return gather_more(&source, watch, &draft->data.surveyed, error);
}

/* On the UI thread: a relation's index may be another one, once there are more of them. */
static enum status join_survey(struct draft *draft, void **made, struct error *error)
{
    struct survey *survey = draft->data.surveyed, *more = *made;
    size_t *relation = &draft->look.corpus.relation;
    const bool chosen = survey && *relation < survey_count(survey, ROW_RELATION);
    const struct survey_row *row = chosen ? survey_at(survey, ROW_RELATION, *relation) : NULL;
    const enum status status = gather_join(survey, &more, error);
    *relation = row ? survey_find(survey, &row->key) : *relation;
    *made = more;
    return status;
}

static void free_survey(void *survey)
{
    survey_free(survey);
}

const struct derived derived_survey = {DERIVED(SURVEY, "surveying", surveyed),
                                       .release = free_survey,
                                       .until_stopped = true,
                                       .passes = true,
                                       .goes_on = true,
                                       .wants = wants_survey,
                                       .make = make_survey,
                                       .join = join_survey,
                                       .serves = survey_serves,
                                       .fail = derived_stop};
