/* derive_survey.c: what heads do over the small corpus in the program, for the view of a corpus
 * where no survey was opened. */
#include "headlight/session/derive.h"
#include "headlight/survey/gather.h"
#include "headlight/view/views.h"

static bool wants_survey(const struct look *look, const struct data *data)
{
    return data->checkpoint && !data_survey(data) && view_at(look->view)->surveys;
}

static enum status make_survey(struct draft *draft, const struct watch *watch, struct error *error)
{
    return gather_example(draft->data.checkpoint, watch, &draft->data.surveyed, error);
}

static void free_survey(void *survey)
{
    survey_free(survey);
}

const struct derived derived_survey = {DERIVED(SURVEY, "surveying 200 sentences", surveyed),
                                       .release = free_survey,
                                       .until_stopped = true,
                                       .passes = true,
                                       .wants = wants_survey,
                                       .make = make_survey,
                                       .fail = derived_stop};
