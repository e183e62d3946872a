/* derive_found.c: searches the open indexes for tokens like the chosen one. The result outlives the
 * text it was asked from, so that one can open a text of the list and come back. */
#include "headlight/session/derive.h"

#include "headlight/survey/index.h"

static bool wants_found(const struct look *look, const struct data *data)
{
    return look->found.shown && data->indexes && look->found.token < data->trace->tokens &&
           !(data->found && data->found->asked == look->found.asked);
}

static enum status make_found(struct draft *draft, const struct watch *watch, struct error *error)
{
    const struct found_look *ask = &draft->look.found;
    const struct data *data = &draft->data;
    const struct index_space space = index_space(ask->layer, ask->head);
    const struct token_side *side = &data->encoded->sides[SIDE_LEFT];
    struct found *found;
    (void)watch; /* it takes some tenths of a second */
    if (found_new(data->indexes, &space, index_vector(&space, data->trace, ask->token),
                  index_width(&space, model_config(data->checkpoint->model)), FIND_BEST, &found,
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

static bool is_same_found(const struct draft *draft, const struct look *look,
                          const struct data *data)
{
    (void)data;
    return draft->look.found.asked == look->found.asked && look->found.shown;
}

static void free_found(void *found)
{
    found_free(found);
}

const struct derived derived_found = {DERIVED(FOUND, "looking through the index", found),
                                      .release = free_found,
                                      .until_stopped = true,
                                      .passes = true,
                                      .wants = wants_found,
                                      .make = make_found,
                                      .is_same = is_same_found,
                                      .fail = derived_stop};
