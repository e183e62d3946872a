/* actions.h: everything a key can do, in one table. From it come the enum, the dispatch, the key
 * bindings, the help screen and, held to it by a test, the table of assets/docs/keys.md. Keys of
 * the user's own come before those of the table.
 *
 * Keys are written as people name them: a character, or Up, Enter, Tab, Ctrl-L, Alt-b, 0-9. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a picture that an action changes. Each view says which parts it shows (views.h). */
enum aspect {
    SHOWN_ALWAYS = 0,
    SHOWN_LINES = 1,    /* how many lines there are */
    SHOWN_TONE = 2,     /* the brightness of a weight */
    SHOWN_NUMBERS = 4,  /* numbers beside tokens */
    SHOWN_BANDS = 8,    /* vectors, dimension by dimension */
    SHOWN_METRICS = 16, /* metrics and thumbnails of all heads */
    SHOWN_MEAN = 32,    /* a mean in place of one map a head */
    SHOWN_PIECES = 64,  /* which tokens there are: hidden, merged into words, filtered */
    SHOWN_HEADS = 128,  /* which heads are on */
    SHOWN_MAP = 256,    /* other maps than that of the weights */
    SHOWN_VALUES = 512, /* values in place of keys */
    SHOWN_QUERY = 1024, /* which token is the attending one */
    SHOWN_SAID = 2048,  /* answers, with and without words */
    SHOWN_STAGES = 4096,
    SHOWN_SURVEY = 8192,   /* what heads do over many texts */
    SHOWN_LIST = 16384,    /* the strongest connections, or dimensions, beside it */
    SHOWN_COLUMNS = 32768, /* attending and attended tokens, to choose on either side */
};

/* action, keys (none: only the list of all has it), group, what it does, the aspect that it
 * changes, and its handler: act_on_NAME of session/act.h, which changes the look, the flag of the
 * look that it turns over, a list of the values of a field (session/fields.h), an overlay that it
 * opens, bits of session.h, or what act.c does with the session */
#define ACTIONS(ACTION)                                                                            \
    ACTION(TOKEN_PREVIOUS, "Up", "Tokens", "the word or token above", ALWAYS, LOOK(tokens))        \
    ACTION(TOKEN_NEXT, "Down", "Tokens", "the word or token below", ALWAYS, LOOK(tokens))          \
    ACTION(TOKEN_FIRST, "Home", "Tokens", "the first token", ALWAYS, LOOK(tokens))                 \
    ACTION(TOKEN_LAST, "End", "Tokens", "the last token", ALWAYS, LOOK(tokens))                    \
    ACTION(QUERY_PREVIOUS, "<", "Tokens", "the attending token above", QUERY, LOOK(tokens))        \
    ACTION(QUERY_NEXT, ">", "Tokens", "the attending token below", QUERY, LOOK(tokens))            \
    ACTION(PIN, "Enter", "Tokens", "pin the token, for a pair; in Model: open it", ALWAYS,         \
           LOOK(tokens))                                                                           \
    ACTION(SIDE, "", "Tokens", "the other column", COLUMNS, LOOK(tokens))                          \
    ACTION(CLEAR, "Esc", "Tokens", "no token; back; stop", ALWAYS, LOOK(tokens))                   \
    ACTION(RANK, "r", "Tokens", "all heads, by the weight of a pair", ALWAYS, LOOK(tokens))        \
    ACTION(LEFT, "Left", "Layers and heads", "the layer before; in grids: to the left", ALWAYS,    \
           LOOK(heads))                                                                            \
    ACTION(RIGHT, "Right", "Layers and heads", "the layer after; in grids: to the right", ALWAYS,  \
           LOOK(heads))                                                                            \
    ACTION(LAYER_PREVIOUS, "{", "Layers and heads", "the layer before, in any view", ALWAYS,       \
           LOOK(heads))                                                                            \
    ACTION(LAYER_NEXT, "}", "Layers and heads", "the layer after, in any view", ALWAYS,            \
           LOOK(heads))                                                                            \
    ACTION(HEAD_DIGIT, "0-9", "Layers and heads", "head N alone; again: all heads", ALWAYS,        \
           LOOK(heads))                                                                            \
    ACTION(HEAD_PREVIOUS, "[", "Layers and heads", "the head before", ALWAYS, LOOK(heads))         \
    ACTION(HEAD_NEXT, "]", "Layers and heads", "the head after", ALWAYS, LOOK(heads))              \
    ACTION(HEAD_TOGGLE, "Space", "Layers and heads", "add this head to those drawn, or remove it", \
           HEADS, LOOK(heads))                                                                     \
    ACTION(HEAD_ISOLATE, "", "Layers and heads", "this head alone; again: as before", HEADS,       \
           LOOK(heads))                                                                            \
    ACTION(HEAD_ALL, "a", "Layers and heads", "all heads at once (multi-head), or none", HEADS,    \
           LOOK(heads))                                                                            \
    ACTION(MEAN, "m", "Layers and heads", "one map: the mean of heads or of layers", MEAN, LIST)   \
    ACTION(CHANGE, "z", "Layers and heads", "the menu of changes to the network", ALWAYS, SESSION) \
    ACTION(RESTORE, "Z", "Layers and heads", "undo all changes to the network", ALWAYS, SESSION)   \
    ACTION(EDIT, "e", "Text", "edit the text, a second sentence, a target", ALWAYS, SESSION)       \
    ACTION(MASK, "M", "Text", "mask the token: the model reads [MASK] there", ALWAYS, SESSION)     \
    ACTION(GENERATE, "E", "Text", "go on: generate the next token (continue)", ALWAYS, SESSION)    \
    ACTION(UNDO, "u", "Text", "undo the last change of text, network or view", ALWAYS, SESSION)    \
    ACTION(REDO, "U", "Text", "do again what was undone (redo)", ALWAYS, SESSION)                  \
    ACTION(FIND, "/", "Text", "find a token", ALWAYS, OPENS(FIND))                                 \
    ACTION(PALETTE, ":", "Text", "anything by its name", ALWAYS, OPENS(ALL))                       \
    ACTION(FIND_ALIKE, "F", "Text", "tokens alike to the model (embeddings)", ALWAYS,              \
           LOOK(tokens))                                                                           \
    ACTION(FIND_NEXT, "n", "Text", "the next one that is found, or text", ALWAYS, SESSION)         \
    ACTION(FIND_PREVIOUS, "N", "Text", "the one found before, or text", ALWAYS, SESSION)           \
    ACTION(VIEW_NEXT, "Tab", "Picture", "the next view", ALWAYS, LOOK(picture))                    \
    ACTION(VIEW_PREVIOUS, "Shift-Tab", "Picture", "the view before", ALWAYS, LOOK(picture))        \
    ACTION(SITE, "A", "Picture", "attention: of encoder or decoder, or cross", ALWAYS, LIST)       \
    ACTION(FILTER, "f", "Picture", "only from A to B etc.", PIECES, LIST)                          \
    ACTION(SPECIAL, "H", "Picture", "hide special tokens", PIECES, LIST)                           \
    ACTION(WORDS, "w", "Picture", "word pieces or words", PIECES, FLAG(shape.words))               \
    ACTION(ALIGN, "R", "Picture", "rows by the token read, or said next", PIECES, LIST)            \
    ACTION(MORE, "+ =", "Picture", "more lines", LINES, LOOK(lines))                               \
    ACTION(FEWER, "-", "Picture", "fewer lines", LINES, LOOK(lines))                               \
    ACTION(NUMBERS, "#", "Picture", "numbers beside the tokens", NUMBERS, FLAG(numbers))           \
    ACTION(MAP, "p", "Picture", "what is shown of a head: scores, rollout, ...", MAP, LIST)        \
    ACTION(LIST, "c", "Picture", "the strongest connections as a list", LIST, FLAG(listed))        \
    ACTION(DIMENSION_PREVIOUS, ",", "Picture", "the dimension before, or number", BANDS,           \
           LOOK(picture))                                                                          \
    ACTION(DIMENSION_NEXT, ".", "Picture", "the dimension after, or number", BANDS, LOOK(picture)) \
    ACTION(METRIC, "o", "Picture", "mark heads by a figure", METRICS, LIST)                        \
    ACTION(SORT, "O", "Picture", "sort heads by their figure", METRICS, LOOK(picture))             \
    ACTION(THEME, "t", "Picture", "another theme: other colours (color)", ALWAYS, LIST)            \
    ACTION(PRESENT, "P", "Picture", "large type (projector; font and zoom stay)", ALWAYS, SESSION) \
    ACTION(SAVE, "s", "Program", "save a picture (export, screenshot)", ALWAYS, BITS(SAVE))        \
    ACTION(SAVE_STATE, "S", "Program", "save the state, to go on from later", ALWAYS, BITS(STATE)) \
    ACTION(SAVE_PAGE, "W", "Program", "save a web page (export)", ALWAYS, BITS(PAGE))              \
    ACTION(LESSON, "L", "Program", "the list of lessons; or leave one", ALWAYS, SESSION)           \
    ACTION(HELP, "? F1", "Program", "help; again: all keys", ALWAYS, OPENS(HELP))                  \
    ACTION(COMMAND, "y", "Program", "the command line that draws this, to copy", ALWAYS, SESSION)  \
    ACTION(REDRAW, "Ctrl-L", "Program", "draw all anew", ALWAYS, BITS(REPAINT))                    \
    ACTION(QUIT, "q", "Program", "leave the program (exit)", ALWAYS, BITS(QUIT))

enum action {
#define ACTION(action, keys, group, help, shown, handler) ACTION_##action,
    ACTIONS(ACTION)
#undef ACTION
        ACTION_COUNT
};

/* A key is a Unicode code point, or one of these, with the words for them: KEY_CODE_UP, "Up". A
 * word to the left or right is an arrow with Ctrl or Alt. */
#define KEYS(KEY)                                                                                  \
    KEY(ENTER, '\r', "Enter")                                                                      \
    KEY(TAB, '\t', "Tab")                                                                          \
    KEY(ESCAPE, 0x1B, "Esc")                                                                       \
    KEY(SPACE, ' ', "Space")                                                                       \
    KEY(UP, 0x110000, "Up")                                                                        \
    KEY(DOWN, 0x110001, "Down")                                                                    \
    KEY(LEFT, 0x110002, "Left")                                                                    \
    KEY(RIGHT, 0x110003, "Right")                                                                  \
    KEY(HOME, 0x110004, "Home")                                                                    \
    KEY(END, 0x110005, "End")                                                                      \
    KEY(PAGE_UP, 0x110006, "PageUp")                                                               \
    KEY(PAGE_DOWN, 0x110007, "PageDown")                                                           \
    KEY(BACK_TAB, 0x110008, "Shift-Tab")                                                           \
    KEY(F1, 0x110009, "F1")                                                                        \
    KEY(BACKSPACE, 0x11000A, "Backspace")                                                          \
    KEY(DELETE, 0x11000B, "Delete")                                                                \
    KEY(WORD_LEFT, 0x11000C, "Word-Left")                                                          \
    KEY(WORD_RIGHT, 0x11000D, "Word-Right")

enum key {
#define KEY(key, code, name) KEY_CODE_##key = code,
    KEYS(KEY)
#undef KEY
        KEY_CODE_NONE
};

#define KEY_ALT 0x200000u /* added to a key typed with Alt */

/* A row of ACTIONS without its handler, which only the session knows. */
struct action_info {
    const char *code, *keys, *group, *help;
    unsigned shown; /* enum aspect; SHOWN_ALWAYS: in every view */
};

const struct action_info *action_info(enum action action);

/* What an action is called in files: "token-next" for TOKEN_NEXT. */
#define ACTION_NAME_MAX 24
void action_name(enum action action, char name[ACTION_NAME_MAX]);

/* The action of that name, ACTION_COUNT if there is none: HEAD_DIGIT needs its digits. */
enum action action_named(const char *name);

/* ---- The user's own keys ---- */

#define BINDINGS_MAX     64
#define BINDING_NAME_MAX 16

struct own_key {
    uint32_t key;
    enum action action;
    char name[BINDING_NAME_MAX]; /* of the key, as key_named reads it */
};

/* {0}: none. A pointer to them may be NULL, which means the same. */
struct bindings {
    struct own_key all[BINDINGS_MAX];
    size_t count;
};

/* Binds a key, in place of what it did before. False: too many. */
bool bindings_add(struct bindings *bindings, const char *name, enum action action);

/* One of the keys that lead to an action, own ones first, and *length, its bytes; NULL past the
 * last. */
const char *action_key(const struct bindings *bindings, enum action action, size_t index,
                       size_t *length);

/* Writes the keys of an action, with a blank between them: "+ ="; "(none)" where it has lost them,
 * and nothing where it never had one. */
void action_keys(const struct bindings *bindings, enum action action, char *keys, size_t size);

/* Writes a hint's keys, "↑↓", as they are with these bindings: "w ↓". Empty if none is left. */
void bindings_hint(const struct bindings *bindings, const char *keys, char *own, size_t size);

/* ---- Keys ---- */

/* The key that one word of a `keys` text names ("Up", "q", "Ctrl-L", "Alt-b"), or KEY_CODE_NONE. */
uint32_t key_named(const char *name, size_t length);

/* The word for a key that is no character, or NULL. */
const char *key_word(uint32_t key);

/* The first key that a hint names: a word, or one of the arrows of "↑↓". Returns its bytes. */
size_t key_hinted(const char *keys, uint32_t *key);

/* How many entries of a list an action goes down, up if negative; 0: none. To an end it is
 * ACTION_END, more than any list has. */
#define ACTION_END 1000000
int action_steps(enum action action);

/* The action bound to a key; *digit is the digit typed for ACTION_HEAD_DIGIT. False: unbound. */
bool action_of_key(const struct bindings *bindings, uint32_t key, enum action *action, int *digit);
