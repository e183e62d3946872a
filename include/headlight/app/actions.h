/* actions.h: everything a key can do, in one table. From it come the enum, the dispatch, the key
 * bindings, the help screen, the footer, the table in the README, and a test that they agree.
 *
 * Keys are written as people say them: a character, or Up, Enter, Tab, Ctrl-L, Alt-b, 0-9. */
#ifndef HEADLIGHT_APP_ACTIONS_H
#define HEADLIGHT_APP_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* action, keys, group, what it does */
#define ACTIONS(ACTION)                                                                            \
    ACTION(ACTION_TOKEN_PREVIOUS, "Up k", "Tokens", "token above")                                 \
    ACTION(ACTION_TOKEN_NEXT, "Down j", "Tokens", "token below")                                   \
    ACTION(ACTION_TOKEN_FIRST, "Home g", "Tokens", "first token")                                  \
    ACTION(ACTION_TOKEN_LAST, "End G", "Tokens", "last token")                                     \
    ACTION(ACTION_PAGE_UP, "PageUp", "Tokens", "ten tokens up")                                    \
    ACTION(ACTION_PAGE_DOWN, "PageDown", "Tokens", "ten tokens down")                              \
    ACTION(ACTION_PIN, "Enter", "Tokens", "pin it; in Model: open it")                             \
    ACTION(ACTION_SIDE, "x", "Tokens", "cross to the other column")                                \
    ACTION(ACTION_CLEAR, "Esc", "Tokens", "choose no token")                                       \
    ACTION(ACTION_LEFT, "Left h", "Layers and heads", "previous layer; grids: left")               \
    ACTION(ACTION_RIGHT, "Right l", "Layers and heads", "next layer; grids: right")                \
    ACTION(ACTION_LAYER_PREVIOUS, "{", "Layers and heads", "previous layer")                       \
    ACTION(ACTION_LAYER_NEXT, "}", "Layers and heads", "next layer")                               \
    ACTION(ACTION_HEAD_DIGIT, "0-9", "Layers and heads", "head N on/off, or go to it")             \
    ACTION(ACTION_HEAD_PREVIOUS, "[", "Layers and heads", "previous head")                         \
    ACTION(ACTION_HEAD_NEXT, "]", "Layers and heads", "next head")                                 \
    ACTION(ACTION_HEAD_TOGGLE, "Space", "Layers and heads", "this head on or off")                 \
    ACTION(ACTION_HEAD_ISOLATE, "i", "Layers and heads", "this head alone, or all")                \
    ACTION(ACTION_HEAD_ALL, "a", "Layers and heads", "all heads on, or none")                      \
    ACTION(ACTION_VIEW_NEXT, "Tab", "Picture", "next view")                                        \
    ACTION(ACTION_VIEW_PREVIOUS, "Shift-Tab", "Picture", "previous view")                          \
    ACTION(ACTION_FILTER, "f", "Picture", "which sentence to which")                               \
    ACTION(ACTION_MORE, "+ =", "Picture", "more lines")                                            \
    ACTION(ACTION_FEWER, "-", "Picture", "fewer lines")                                            \
    ACTION(ACTION_DIMENSION_PREVIOUS, ", <", "Picture", "previous dimension")                      \
    ACTION(ACTION_DIMENSION_NEXT, ". >", "Picture", "next dimension")                              \
    ACTION(ACTION_SCALE, "v", "Picture", "scale bands: tanh, largest")                             \
    ACTION(ACTION_THEME, "t", "Picture", "next theme")                                             \
    ACTION(ACTION_HELP, "? F1", "Program", "this help")                                            \
    ACTION(ACTION_REDRAW, "Ctrl-L", "Program", "paint the screen anew")                            \
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

/* The key of one word of a `keys` text ("Up", "q", "Ctrl-L", "Alt-b"), or KEY_CODE_NONE. */
uint32_t key_named(const char *name, size_t length);

/* The action bound to a key; *digit is the digit typed for ACTION_HEAD_DIGIT. False: unbound. */
bool action_of_key(uint32_t key, enum action *action, int *digit);

#endif
