/* actions.c: what a key does. The user's own keys come before the table. A row of ACTIONS has its
 * keys as text, as the help prints them, which is parsed again for each key press: there are few,
 * and no second table can disagree. */
#include "headlight/view/actions.h"

#include "headlight/base/format.h"

#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

static const struct action_info table[ACTION_COUNT] = {
#define ACTION(action, keys, group, help, shown, handler)                                          \
    [ACTION_##action] = {#action, keys, group, help, SHOWN_##shown},
    ACTIONS(ACTION)
#undef ACTION
};

const struct action_info *action_info(enum action action)
{
    return &table[action];
}

void action_name(enum action action, char name[ACTION_NAME_MAX])
{
    format_cut(name, ACTION_NAME_MAX, "%s", table[action].code);
    for (; *name; name++)
        *name = *name == '_' ? '-' : (char)tolower((unsigned char)*name);
}

enum action action_named(const char *name)
{
    char other[ACTION_NAME_MAX];
    for (unsigned i = 0; i < ACTION_COUNT; i++) {
        action_name((enum action)i, other);
        if (i != ACTION_HEAD_DIGIT && strcmp(name, other) == 0)
            return (enum action)i;
    }
    return ACTION_COUNT;
}

/* ---- Keys ---- */

static const struct {
    const char *name;
    uint32_t key;
} key_names[] = {
#define KEY(key, code, name) {name, KEY_CODE_##key},
    KEYS(KEY)
#undef KEY
};

const char *key_word(uint32_t key)
{
    for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
        if (key_names[i].key == key)
            return key_names[i].name;
    return NULL;
}

/* Ctrl and a letter is that letter's control code, as terminals send it; Alt goes before any other
 * name. */
uint32_t key_named(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
        if (strlen(key_names[i].name) == length && strncmp(key_names[i].name, name, length) == 0)
            return key_names[i].key;
    if (length == 6 && strncmp(name, "Ctrl-", 5) == 0)
        return (uint32_t)(name[5] & 0x1F);
    if (length > 4 && strncmp(name, "Alt-", 4) == 0) {
        uint32_t key = key_named(name + 4, length - 4);
        return key != KEY_CODE_NONE ? KEY_ALT | key : KEY_CODE_NONE;
    }
    utf8proc_int32_t code;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)name, (utf8proc_ssize_t)length, &code);
    return used > 0 && (size_t)used == length ? (uint32_t)code : KEY_CODE_NONE;
}

/* Arrows are in the order of KEY_CODE_UP and what follows it. */
size_t key_hinted(const char *keys, uint32_t *key)
{
    static const char *const arrows[] = {"↑", "↓", "←", "→"};
    for (unsigned i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        size_t length = strlen(arrows[i]);
        *key = KEY_CODE_UP + i;
        if (strncmp(keys, arrows[i], length) == 0)
            return length;
    }
    *key = key_named(keys, strcspn(keys, " "));
    return strcspn(keys, " ");
}

/* NULL: the key isn't one of the user's own. */
static const struct own_key *binding_of_key(const struct bindings *bindings, uint32_t key)
{
    for (size_t i = 0; bindings && i < bindings->count; i++)
        if (bindings->all[i].key == key)
            return &bindings->all[i];
    return NULL;
}

/* Some terminals send Ctrl-J for Enter. The ten digits stand in the table as "0-9". Vi's keys
 * work without being listed. */
bool action_of_key(const struct bindings *bindings, uint32_t key, enum action *action, int *digit)
{
    key = key == '\n' ? KEY_CODE_ENTER : key;
    const bool is_digit = key >= '0' && key <= '9';
    *digit = is_digit ? (int)(key - '0') : 0;
    const struct own_key *own = binding_of_key(bindings, key);
    static const char silent[] = "kjgGhl";
    static const enum action meant[] = {ACTION_TOKEN_PREVIOUS, ACTION_TOKEN_NEXT,
                                        ACTION_TOKEN_FIRST,    ACTION_TOKEN_LAST,
                                        ACTION_LEFT,           ACTION_RIGHT};
    const char *const known = key && key < 0x80 ? strchr(silent, (int)key) : NULL;
    *action = own        ? own->action
              : is_digit ? ACTION_HEAD_DIGIT
              : known    ? meant[known - silent]
                         : ACTION_COUNT;
    const char *name;
    size_t length;
    for (enum action i = 0; *action == ACTION_COUNT && key != KEY_CODE_NONE && i < ACTION_COUNT;
         i++)
        for (size_t at = 0; (name = action_key(NULL, i, at, &length)); at++)
            if (key_named(name, length) == key)
                *action = i;
    return *action < ACTION_COUNT;
}

/* ---- The user's own keys ---- */

bool bindings_add(struct bindings *bindings, const char *name, enum action action)
{
    uint32_t key = key_named(name, strlen(name));
    struct own_key *old = (struct own_key *)binding_of_key(bindings, key);
    if (!old && bindings->count == BINDINGS_MAX)
        return false;
    if (!old)
        old = &bindings->all[bindings->count++];
    *old = (struct own_key){.key = key, .action = action};
    format_cut(old->name, sizeof old->name, "%s", name);
    return true;
}

/* A key of the table that is now one's own doesn't lead to its action any more; as one's own it
 * has been counted. */
const char *action_key(const struct bindings *bindings, enum action action, size_t index,
                       size_t *length)
{
    for (size_t i = 0; bindings && i < bindings->count; i++)
        if (bindings->all[i].action == action && index-- == 0) {
            *length = strlen(bindings->all[i].name);
            return bindings->all[i].name;
        }
    for (const char *keys = table[action].keys; *keys; keys += strspn(keys, " ")) {
        *length = strcspn(keys, " ");
        if (!binding_of_key(bindings, key_named(keys, *length)) && index-- == 0)
            return keys;
        keys += *length;
    }
    return NULL;
}

void action_keys(const struct bindings *bindings, enum action action, char *keys, size_t size)
{
    const char *key;
    size_t length;
    *keys = '\0';
    for (size_t i = 0; (key = action_key(bindings, action, i, &length)); i++)
        format_add(keys, size, "%s%.*s", i > 0 ? " " : "", (int)length, key);
    if (!*keys && *table[action].keys)
        format_add(keys, size, "(none)");
}

/* A group such as "↑↓" is written apart once one of its keys is another. */
void bindings_hint(const struct bindings *bindings, const char *keys, char *own, size_t size)
{
    const char *name, *at = keys;
    bool same = true;
    for (*own = '\0'; *(at += strspn(at, " "));) {
        enum action action;
        uint32_t key;
        int digit;
        const size_t hinted = key_hinted(at, &key);
        size_t length = hinted, other;
        const bool still =
            !action_of_key(NULL, key, &action, &digit) ||
            (!binding_of_key(bindings, key) &&
             action_key(bindings, action, 0, &other) == action_key(NULL, action, 0, &other));
        name = still ? at : action_key(bindings, action, 0, &length);
        if (name)
            format_add(own, size, "%s%.*s", *own ? " " : "", (int)length, name);
        same &= still;
        at += hinted;
    }
    if (same)
        format_cut(own, size, "%s", keys);
}

int action_steps(enum action action)
{
    static const int steps[ACTION_COUNT] = {
        [ACTION_TOKEN_PREVIOUS] = -1,
        [ACTION_TOKEN_NEXT] = 1,
        [ACTION_TOKEN_FIRST] = -ACTION_END,
        [ACTION_TOKEN_LAST] = ACTION_END,
    };
    return steps[action];
}
