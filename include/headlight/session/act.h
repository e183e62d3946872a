/* act.h: carries out the actions of the table. */
#pragma once

#include "headlight/session/fields.h"

/* Carries out an action, or refuses it with a message that says why; `digit` is for
 * ACTION_HEAD_DIGIT. Returns the bits of session.h. */
unsigned session_act(struct session *session, enum action action, int digit);

/* Why an action would change nothing in what is shown now; of one that isn't about that, STATUS_OK.
 */
enum status act_check(const struct session *session, enum action action, struct error *error);

/* Gives a field of the look or the network the choice of that number. Refuses likewise, and returns
 * the bits of session.h. */
unsigned session_set(struct session *session, enum state_field field, size_t choice);

/* The same in a scene's look alone. STATUS_USAGE and other errors say why it can't be. */
enum status act_choose(struct scene *scene, enum state_field field, size_t choice,
                       struct error *error);

/* Chooses what an address says, part by part. False where the picture has changed since, and it is
 * no longer there. */
bool act_address(struct scene *scene, const struct hit *hit);

/* The handlers in the table of actions that change a scene's look, which is then shown if possible,
 * or refuse with STATUS_USAGE and say why. */
enum status act_on_tokens(struct scene *scene, enum action action, struct error *error);
enum status act_on_heads(struct scene *scene, enum action action, struct error *error);
enum status act_on_lines(struct scene *scene, enum action action, struct error *error);
enum status act_on_picture(struct scene *scene, enum action action, struct error *error);

/* Whether there is a difference to show. STATUS_USAGE, errors of comparison_check. */
enum status act_check_difference(const struct scene *scene, struct error *error);

/* The handler of ACTION_HEAD_DIGIT: shows a head, alone if the view could show several. */
enum status act_on_head(struct scene *scene, size_t head, struct error *error);

/* ---- Keys, pasted text and the mouse ---- */

/* One key, as in actions.h; KEY_ALT may be added. Returns the bits of session.h. */
unsigned input_key(struct session *session, uint32_t key);

/* Pasted text: inserted where text is typed, else refused with a message. */
unsigned input_paste(struct session *session, const char *text, size_t length);

/* A click on what is drawn there (canvas_hit). A token is selected, as a pair if one is selected
 * on the other side; the one under the cursor is pinned. A head is selected; a second click
 * shows it alone, and a third all again. A thumbnail is selected; a second click opens it. A
 * hint of the footer or a line of the menu acts as its key, a line of a list as Enter there; a
 * click elsewhere closes the menu or the list. Returns the bits of session.h. */
unsigned session_click(struct session *session, struct hit hit);

/* The mouse moved over what is drawn there: while no token is selected, the one under the mouse
 * is shown as if it were (session_picture). Returns the bits of session.h. */
unsigned session_hover(struct session *session, struct hit hit);

/* Presses the keys of a list such as "Down Down Enter e Ctrl-U"; a word in quotes is typed letter
 * by letter: e "the cat" Enter. Whenever the text or the network changes, it is computed at once.
 * STATUS_USAGE for a word that names no key, and for keys that quit or save; errors of encoded_new
 * and forward_run. */
enum status input_type(struct session *session, const char *keys, struct error *error);

/* The same, a key or a letter at a time. A word such as 500ms is a pause, and no key. */
struct typing {
    const char *rest; /* of the list: "" at the end */
    bool quoted;      /* what was pressed last is a letter of a word in quotes, */
    size_t pause;     /* or is none: so many milliseconds */
};
enum status input_type_next(struct session *session, struct typing *typing, struct error *error);

/* Takes all changes of the network back. Returns the bits of session.h. */
unsigned changes_undo(struct session *session);

/* ---- Examples of a survey ---- */

/* Opens one in the view of the chosen heads, on the head that it is of, or the message says why it
 * can't be. Returns the bits of session.h. */
unsigned example_open(struct session *session, const struct opened *opened);

/* Once its trace is there, chooses its two words. */
void example_choose(struct session *session);

/* ---- Masking tokens of the text with [MASK] ---- */

/* Masks or unmasks the chosen token, or every piece of the chosen word; or the message says why
 * not. Returns the bits of session.h. */
unsigned mask_token(struct session *session);

/* Masks the tokens of a list such as "flies,#3", named as for --select, in the open text, which
 * is then encoded anew; for --mask. STATUS_USAGE, STATUS_LIMIT; errors as encoded_new. */
enum status mask_apply(struct session *session, const char *list, struct error *error);

/* Puts the chosen answer into the text in place of the chosen token. */
unsigned mask_answer(struct session *session);

/* ---- The text goes on as the model would have it (generate.c) ----
 *
 * In an interactive session each token is shown before the next one is chosen. */

/* Whether there can be so many tokens more. STATUS_USAGE: the model doesn't say which come next;
 * STATUS_LIMIT: it has no positions for them, or has ended the text; that of rules.unfollowed. */
enum status generate_check(const struct session *session, size_t count, struct error *error);

/* Once a pass is there: chooses the next of those asked for, or all, and asks for the pass with
 * them. Returns bits of session.h. */
unsigned generate_go(struct session *session);

/* Sets the tokens behind a text that was opened and has none, by their ids, with commas between; on
 * failure it has none. STATUS_USAGE, and as session_open. */
enum status generate_apply(struct session *session, const char *list, struct error *error);
