/* actions.h: everything a key can do, in one table. From it come the enum, the dispatch, the key
 * bindings, the help screen, the footer, the table in the README, and a test that they agree.
 *
 * Keys are written as people say them: a character, or Up, Enter, Tab, Ctrl-L, Alt-b, 0-9. */
#ifndef HEADLIGHT_SESSION_ACTIONS_H
#define HEADLIGHT_SESSION_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* action, keys, group, what it does; an action without words shares those of the one before it */
#define ACTIONS(ACTION)                                                                            \
    ACTION(ACTION_TOKEN_PREVIOUS, "Up k", "Tokens", "token above, below")                          \
    ACTION(ACTION_TOKEN_NEXT, "Down j", "Tokens", "")                                              \
    ACTION(ACTION_TOKEN_FIRST, "Home g", "Tokens", "first, last token")                            \
    ACTION(ACTION_TOKEN_LAST, "End G", "Tokens", "")                                               \
    ACTION(ACTION_PAGE_UP, "PageUp", "Tokens", "ten tokens up, down")                              \
    ACTION(ACTION_PAGE_DOWN, "PageDown", "Tokens", "")                                             \
    ACTION(ACTION_PIN, "Enter", "Tokens", "pin; in Model: open")                                   \
    ACTION(ACTION_SIDE, "x", "Tokens", "the other column")                                         \
    ACTION(ACTION_CLEAR, "Esc", "Tokens", "no token; cancel")                                      \
    ACTION(ACTION_RANK, "r", "Tokens", "heads that link a pair")                                   \
    ACTION(ACTION_LEFT, "Left h", "Layers and heads", "layer; or left, right")                     \
    ACTION(ACTION_RIGHT, "Right l", "Layers and heads", "")                                        \
    ACTION(ACTION_LAYER_PREVIOUS, "{", "Layers and heads", "previous, next layer")                 \
    ACTION(ACTION_LAYER_NEXT, "}", "Layers and heads", "")                                         \
    ACTION(ACTION_HEAD_DIGIT, "0-9", "Layers and heads", "head N: on/off, go to")                  \
    ACTION(ACTION_HEAD_PREVIOUS, "[", "Layers and heads", "previous, next head")                   \
    ACTION(ACTION_HEAD_NEXT, "]", "Layers and heads", "")                                          \
    ACTION(ACTION_HEAD_TOGGLE, "Space", "Layers and heads", "this head on or off")                 \
    ACTION(ACTION_HEAD_ISOLATE, "i", "Layers and heads", "this alone; all, none")                  \
    ACTION(ACTION_HEAD_ALL, "a", "Layers and heads", "")                                           \
    ACTION(ACTION_MEAN, "m", "Layers and heads", "mean of heads, layers")                          \
    ACTION(ACTION_OFF, "z", "Layers and heads", "network: off; causal")                            \
    ACTION(ACTION_NETWORK, "Z", "Layers and heads", "")                                            \
    ACTION(ACTION_EDIT, "e", "Text", "edit; Tab: the second")                                      \
    ACTION(ACTION_UNDO, "u", "Text", "text before, after")                                         \
    ACTION(ACTION_REDO, "U", "Text", "")                                                           \
    ACTION(ACTION_FIND, "/", "Text", "find tokens")                                                \
    ACTION(ACTION_FIND_NEXT, "n", "Text", "next, previous found")                                  \
    ACTION(ACTION_FIND_PREVIOUS, "N", "Text", "")                                                  \
    ACTION(ACTION_VIEW_NEXT, "Tab", "Picture", "next, previous view")                              \
    ACTION(ACTION_VIEW_PREVIOUS, "Shift-Tab", "Picture", "")                                       \
    ACTION(ACTION_FILTER, "f", "Picture", "sentence to sentence")                                  \
    ACTION(ACTION_SPECIAL, "H", "Picture", "hide [CLS], [SEP]")                                    \
    ACTION(ACTION_WORDS, "w", "Picture", "word pieces or words")                                   \
    ACTION(ACTION_MORE, "+ =", "Picture", "more, fewer lines")                                     \
    ACTION(ACTION_FEWER, "-", "Picture", "")                                                       \
    ACTION(ACTION_LOWER, "(", "Picture", "threshold down, up")                                     \
    ACTION(ACTION_HIGHER, ")", "Picture", "")                                                      \
    ACTION(ACTION_TONE, "b", "Picture", "shade: weight/root/row")                                  \
    ACTION(ACTION_NUMBERS, "#", "Picture", "numbers beside tokens")                                \
    ACTION(ACTION_LIST, "c", "Picture", "strongest, as a list")                                    \
    ACTION(ACTION_DIMENSION_PREVIOUS, ", <", "Picture", "dimension back, on")                      \
    ACTION(ACTION_DIMENSION_NEXT, ". >", "Picture", "")                                            \
    ACTION(ACTION_SCALE, "v", "Picture", "bands: tanh or largest")                                 \
    ACTION(ACTION_VALUES, "V", "Picture", "bands: keys or values")                                 \
    ACTION(ACTION_METRIC, "o", "Picture", "heads by figure; sort")                                 \
    ACTION(ACTION_SORT, "O", "Picture", "")                                                        \
    ACTION(ACTION_LINED, "d", "Picture", "heat maps or lines")                                     \
    ACTION(ACTION_THEME, "t", "Picture", "next theme")                                             \
    ACTION(ACTION_SAVE, "s", "Program", "save screen; state")                                      \
    ACTION(ACTION_SAVE_STATE, "S", "Program", "")                                                  \
    ACTION(ACTION_HELP, "? F1", "Program", "this help")                                            \
    ACTION(ACTION_REDRAW, "Ctrl-L", "Program", "paint anew")                                       \
    ACTION(ACTION_QUIT, "q", "Program", "quit")

enum action {
#define ACTION(action, keys, group, help) action,
    ACTIONS(ACTION)
#undef ACTION
        ACTION_COUNT
};

/* A key is a Unicode code point, or one of these. */
enum key {
    KEY_CODE_ENTER = '\r',
    KEY_CODE_TAB = '\t',
    KEY_CODE_ESCAPE = 0x1B,
    KEY_CODE_SPACE = ' ',
    KEY_CODE_UP = 0x110000,
    KEY_CODE_DOWN,
    KEY_CODE_LEFT,
    KEY_CODE_RIGHT,
    KEY_CODE_HOME,
    KEY_CODE_END,
    KEY_CODE_PAGE_UP,
    KEY_CODE_PAGE_DOWN,
    KEY_CODE_BACK_TAB,
    KEY_CODE_F1,
    KEY_CODE_BACKSPACE,
    KEY_CODE_DELETE,
    KEY_CODE_WORD_LEFT, /* an arrow with Ctrl or Alt */
    KEY_CODE_WORD_RIGHT,
    KEY_CODE_NONE,
};

#define KEY_ALT 0x200000u /* added to a key that was typed with Alt */

struct action_info {
    const char *keys, *group, *help;
};

const struct action_info *action_info(enum action action);

/* Writes the keys of an action and of those that share its words: "Up k, Down j" with ", " between
 * them. Returns the next action. */
int action_keys(int action, const char *separator, char *keys, size_t size);

/* The key of one word of a `keys` text ("Up", "q", "Ctrl-L", "Alt-b"), or KEY_CODE_NONE. */
uint32_t key_named(const char *name, size_t length);

/* The action bound to a key; *digit is the digit typed for ACTION_HEAD_DIGIT. False: unbound. */
bool action_of_key(uint32_t key, enum action *action, int *digit);

#endif
