/* actions.c: what a key does. A row of ACTIONS has its keys as text, as the help prints them, which
 * is parsed again for each key press: there are few, and no second table can disagree. */
#include "headlight/view/actions.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

static const struct action_info table[ACTION_COUNT] = {
#define ACTION(action, keys, group, help, shown, handler)                                          \
    [ACTION_##action] = {keys, group, help, SHOWN_##shown},
    ACTIONS(ACTION)
#undef ACTION
};

const struct action_info *action_info(enum action action)
{
    return &table[action];
}

/* Actions that share a help line follow each other in the table: those after the first have an
 * empty text. */
int action_keys(int action, const char *separator, char *keys, size_t size)
{
    size_t used = (size_t)snprintf(keys, size, "%s", table[action].keys);
    for (action++; action < ACTION_COUNT && table[action].help[0] == '\0'; action++)
        used += (size_t)snprintf(keys + used, size - used, "%s%s", separator, table[action].keys);
    return action;
}

/* Ctrl and a letter is that letter's control code, as terminals send it; Alt goes before any other
 * name. */
uint32_t key_named(const char *name, size_t length)
{
    static const struct {
        const char *name;
        uint32_t key;
    } names[] = {
        {"Up", KEY_CODE_UP},
        {"Down", KEY_CODE_DOWN},
        {"Left", KEY_CODE_LEFT},
        {"Right", KEY_CODE_RIGHT},
        {"Home", KEY_CODE_HOME},
        {"End", KEY_CODE_END},
        {"PageUp", KEY_CODE_PAGE_UP},
        {"PageDown", KEY_CODE_PAGE_DOWN},
        {"Enter", KEY_CODE_ENTER},
        {"Esc", KEY_CODE_ESCAPE},
        {"Tab", KEY_CODE_TAB},
        {"F1", KEY_CODE_F1},
        {"Shift-Tab", KEY_CODE_BACK_TAB},
        {"Space", KEY_CODE_SPACE},
        {"Backspace", KEY_CODE_BACKSPACE},
        {"Delete", KEY_CODE_DELETE},
        {"Word-Left", KEY_CODE_WORD_LEFT},
        {"Word-Right", KEY_CODE_WORD_RIGHT},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && strncmp(names[i].name, name, length) == 0)
            return names[i].key;
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

/* Whether a key stands in a `keys` text; "0-9" stands for ten keys. */
static bool is_bound(const char *keys, uint32_t key)
{
    while (*keys) {
        size_t length = strcspn(keys, " ");
        if (length == 3 && strncmp(keys, "0-9", 3) == 0) {
            if (key >= '0' && key <= '9')
                return true;
        } else if (key_named(keys, length) == key) {
            return true;
        }
        keys += length;
        keys += strspn(keys, " ");
    }
    return false;
}

/* Some terminals send Ctrl-J for Enter. */
bool action_of_key(uint32_t key, enum action *action, int *digit)
{
    *digit = key >= '0' && key <= '9' ? (int)(key - '0') : 0;
    if (key == '\n')
        key = KEY_CODE_ENTER;
    for (int i = 0; key != KEY_CODE_NONE && i < ACTION_COUNT; i++)
        if (is_bound(table[i].keys, key)) {
            *action = (enum action)i;
            return true;
        }
    return false;
}

int action_steps(enum action action)
{
    static const int steps[ACTION_COUNT] = {
        [ACTION_TOKEN_PREVIOUS] = -1,       [ACTION_TOKEN_NEXT] = 1,
        [ACTION_PAGE_UP] = -ACTION_PAGE,    [ACTION_PAGE_DOWN] = ACTION_PAGE,
        [ACTION_TOKEN_FIRST] = -ACTION_END, [ACTION_TOKEN_LAST] = ACTION_END,
    };
    return steps[action];
}
