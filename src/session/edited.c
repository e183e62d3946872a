#include "headlight/session/edited.h"

#include <stdlib.h>

/* ---- What is known of the text ---- */

void edited_forget_check(struct edit *edit)
{
    free(edit->check.encoding);
    edit->check = (struct check){.made = false};
}

void edited_check(struct edit *edit, const struct tokenizer *tokenizer, bool special)
{
    struct check *check = &edit->check;
    struct text texts[2];
    size_t count = 0;
    struct error error;
    if (check->made)
        return;
    for (; count < 2 && edit->lines[count]; count++)
        texts[count] =
            (struct text){editor_text(edit->lines[count]), editor_length(edit->lines[count])};
    if (count == 2 && texts[1].length == 0)
        count = 1;
    enum status status =
        tokenizer_encode(tokenizer, texts, count, special, &check->encoding, &error);
    check->made = status != STATUS_MEMORY;
    for (size_t i = 0; check->encoding && i < check->encoding->count; i++)
        check->unknown += check->encoding->tokens[i].id == tokenizer_unknown(tokenizer);
}

/* ---- The lines ---- */

bool edited_open(struct edit *edit, const struct pair *pair)
{
    edit->lines[0] = editor_new(pair->texts[0] ? pair->texts[0] : "", EDITOR_LIMIT);
    edit->lines[1] = pair->texts[1] ? editor_new(pair->texts[1], EDITOR_LIMIT) : NULL;
    return edit->lines[0] && (edit->lines[1] || !pair->texts[1]);
}

void edited_free(struct edit *edit)
{
    editor_free(edit->lines[0]);
    editor_free(edit->lines[1]);
    edited_forget_check(edit);
    pair_free(&edit->before);
    pair_free(&edit->draft);
    *edit = (struct edit){.active = false};
}

bool edited_set_one(struct edit *edit, size_t line, const char *text)
{
    if (!text && !edit->lines[line])
        return true;
    if (!edit->lines[line])
        edit->lines[line] = editor_new("", EDITOR_LIMIT);
    edited_forget_check(edit);
    return edit->lines[line] && editor_set(edit->lines[line], text ? text : "");
}

/* If the second line can't be set, undoing a step restores the first. */
bool edited_set(struct edit *edit, const struct pair *pair)
{
    const char *before = editor_text(edit->lines[0]);
    if (!edited_set_one(edit, 0, pair->texts[0]))
        return false;
    if (edited_set_one(edit, 1, pair->texts[1]))
        return true;
    if (editor_text(edit->lines[0]) != before)
        editor_key(edit->lines[0], '_' & 0x1F);
    return false;
}

bool edited_take(const struct edit *edit, struct pair *pair)
{
    const char *second = edit->lines[1] ? editor_text(edit->lines[1]) : NULL;
    return pair_copy(pair, editor_text(edit->lines[0]), second && *second ? second : NULL);
}
