/* derive_corpus.c: what other texts say. What heads do over many, where no survey was opened: of
 * those of a file, or of the small corpus in the program; it is made bit by bit, and shown after
 * each bit, so whatever else is asked for comes in between, and it goes on while other views are
 * shown. And tokens like the chosen one in the open indexes: the result outlives the text it was
 * asked from, so that one can open a text of the list and come back. */
#include "headlight/session/derive.h"
#include "headlight/survey/gather.h"
#include "headlight/survey/index.h"

static bool wants_survey(const struct look *look, const struct data *data)
{
    if (!data->checkpoint || data->survey || data->stacks.layers[1] > 0)
        return false;
    return data->surveyed ? !data->surveyed->whole : view_at(look->view)->surveys;
}

/* Of the network as it is in the pass shown; tokens that are hidden, cut off or masked are those of
 * one text. */
static bool survey_serves(const struct look *look, const struct data *data)
{
    (void)look;
    if (!data->trace)
        return true;
    const struct interventions changes = interventions_of_all(&data->trace->computed.changes);
    return interventions_first_difference(&data->surveyed->changes, &changes, 0,
                                          INTERVENE_LAYERS_MAX) == INTERVENE_LAYERS_MAX;
}

/* Of the texts that follow those of the survey so far, which is shown meanwhile. */
static enum status make_survey(struct draft *draft, struct error *error)
{
    const struct gather_source source = {
        draft->data.checkpoint, draft->data.corpus, draft->session->state.source.special,
        interventions_of_all(&draft->data.trace->computed.changes)};
    return gather_more(&source, draft->watch, &draft->data.surveyed, error);
}

/* On the UI thread: a relation's index may be another one, once there are more of them. */
static enum status join_survey(struct draft *draft, void **made, struct error *error)
{
    struct survey *survey = draft->data.surveyed, *more = *made;
    size_t *relation = &draft->look.corpus.relation;
    const bool chosen = survey && *relation < survey_count(survey, ROW_RELATION);
    const struct survey_row *row = chosen ? survey_at(survey, ROW_RELATION, *relation) : NULL;
    const enum status status = gather_join(survey, &more, error);
    *relation = row ? survey_place(survey, row) : *relation;
    *made = more;
    return status;
}

const struct derived derived_survey = {REQUESTED("surveying", surveyed),
                                       .release = survey_free,
                                       .until_stopped = true,
                                       .passes = true,
                                       .continues = true,
                                       .wants = wants_survey,
                                       .make = make_survey,
                                       .join = join_survey,
                                       .serves = survey_serves};

/* ---- Tokens like the chosen one ---- */

static bool wants_found(const struct look *look, const struct data *data)
{
    return look->found.shown && data->indexes && look->found.token < data->trace->tokens &&
           !(data->found && data->found->asked == look->found.asked);
}

/* It takes some tenths of a second, so nobody watches. */
static enum status make_found(struct draft *draft, struct error *error)
{
    const struct found_look *ask = &draft->look.found;
    const struct data *data = &draft->data;
    const struct index_space space = index_space(ask->layer, ask->head);
    const struct token_side *side = &data->encoded->sides[SIDE_LEFT];
    struct found *found;
    if (found_new(data->indexes, &space, index_vector(&space, data->trace, ask->token),
                  index_width(&space, &data->checkpoint->model->config), FIND_BEST, &found,
                  error) != STATUS_OK)
        return error->status;
    found->asked = ask->asked;
    for (int ascii = 0; ascii < 2; ascii++) {
        const struct token_name name =
            scene_name_among(side->labels, side->count, ask->token, false, ascii);
        format_cut(found->name[ascii], sizeof found->name[ascii], "%s", name.text);
    }
    draft->data.found = found;
    return STATUS_OK;
}

static bool is_same_found(const struct draft *draft, const struct session *session)
{
    const struct found_look *now = &session->state.look.found;
    return draft->look.found.asked == now->asked && now->shown;
}

const struct derived derived_found = {REQUESTED("looking through the index", found),
                                      .release = found_free,
                                      .until_stopped = true,
                                      .passes = true,
                                      .wants = wants_found,
                                      .make = make_found,
                                      .is_same = is_same_found};
