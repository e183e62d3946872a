#include "headlight/session/find.h"

#include "headlight/base/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Tokens by name ---- */

static size_t find_text(const struct session *session, const char *name, enum side side,
                        struct token_range range)
{
    for (size_t i = range.first; i < range.end; i++)
        if (strcmp(scene_label(&session->scene, side, i), name) == 0)
            return i;
    for (size_t i = range.first; i < range.end; i++)
        if (strcasecmp(scene_label(&session->scene, side, i), name) == 0)
            return i;
    return NO_TOKEN;
}

static size_t by_number(const char *name, size_t count)
{
    char *end;
    unsigned long long index = strtoull(name, &end, 10);
    bool number = name[0] >= '0' && name[0] <= '9' && *end == '\0';
    return number && index < count ? (size_t)index : NO_TOKEN;
}

size_t session_find_token(const struct session *session, const char *name, enum side side)
{
    struct token_range all = {0, scene_count(&session->scene, side)};
    if (name[0] == '#' && by_number(name + 1, all.end) != NO_TOKEN)
        return by_number(name + 1, all.end);
    size_t token = find_text(session, name, side, scene_range(&session->scene, side));
    if (token == NO_TOKEN)
        token = find_text(session, name, side, all);
    if (token != NO_TOKEN)
        return token;
    return by_number(name, all.end);
}

/* ---- Tokens that hold a text ---- */

void session_find(struct session *session, const char *text)
{
    format_cut(session->found, sizeof session->found, "%s", text);
    session->scene.find = session->found[0] ? session->found : NULL;
}

unsigned find_begin(struct session *session)
{
    editor_free(session->prompt);
    session->prompt = editor_new("", sizeof session->found - 1);
    if (session->prompt)
        session_find(session, "");
    else
        session_lacks_memory(session, "the prompt", sizeof session->found);
    return SESSION_REDRAW;
}

unsigned find_go(struct session *session, bool forward)
{
    struct scene *scene = &session->scene;
    struct token_range range = scene_range(scene, scene->side);
    size_t *cursor = scene_chosen(scene, scene->side);
    size_t count = range.end - range.first;
    size_t start = *cursor != NO_TOKEN ? *cursor - range.first : forward ? count - 1 : 0;
    for (size_t i = 1; i <= count; i++) {
        size_t token = range.first + (start + (forward ? i : count - i)) % count;
        if (!scene_is_found(scene, scene->side, token))
            continue;
        *cursor = token;
        return SESSION_REDRAW;
    }
    if (scene->find)
        session_say(session, "no token holds \"%s\"", session->found);
    else
        session_say(session, "nothing to find yet: / asks for it");
    return SESSION_REDRAW;
}

/* The token under the cursor counts as well, so that typing on doesn't leave it. */
static void find_first(struct session *session)
{
    struct scene *scene = &session->scene;
    size_t cursor = scene_token(scene, scene->side);
    session_find(session, editor_text(session->prompt));
    session->message[0] = '\0';
    if (scene->find && (cursor == NO_TOKEN || !scene_is_found(scene, scene->side, cursor)))
        find_go(session, true);
}

static unsigned obey_prompt(struct session *session, enum editor_result result)
{
    if (result == EDITOR_CHANGED)
        find_first(session);
    else if (result == EDITOR_NO_MEMORY)
        session_lacks_memory(session, "the prompt", editor_length(session->prompt));
    return SESSION_REDRAW;
}

unsigned find_paste(struct session *session, const char *text, size_t length)
{
    enum editor_result result = editor_insert(session->prompt, text, length);
    if (result == EDITOR_MOVED)
        session_say(session, "%zu bytes are too many to look for: there is room for %zu", length,
                    sizeof session->found - 1 - editor_length(session->prompt));
    return obey_prompt(session, result);
}

unsigned find_key(struct session *session, uint32_t key)
{
    bool done = key == KEY_CODE_ENTER || key == '\n', forget = key == KEY_CODE_ESCAPE;
    if (done || forget) {
        if (forget)
            session_find(session, "");
        editor_free(session->prompt);
        session->prompt = NULL;
        return SESSION_REDRAW;
    }
    return obey_prompt(session, editor_key(session->prompt, key));
}
