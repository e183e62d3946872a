/* Texts from strangers, in every view and every file that is written. What the real program sends
 * to a terminal is checked in check_terminal_wire.c. */
#include "hostile.h"
#include "model_helpers.h"
#include "suites.h"
#include "synthetic.h"

#include "headlight/base/json.h"
#include "headlight/export/export.h"
#include "headlight/session/act.h"
#include "headlight/session/find.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/session/state_file.h"
#include "headlight/text/unicode.h"
#include "headlight/text/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS 7 /* of a session: a plain one, and six texts */

static struct session session;
static const struct output output = {.session = &session};
static struct folder folder;
static struct error error;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    session_end(&session);
    folder_remove(&folder);
}

static int group_count(void)
{
    return (int)((hostile_count() + TOKENS - 2) / (TOKENS - 1));
}

/* The labels of a group, the turn'th of its texts first: that one is under the cursor of many
 * screens. A text with a NUL ends there. */
static void take_group(int group, size_t turn, const char *labels[TOKENS])
{
    const struct hostile *texts = hostile_texts();
    labels[0] = "[CLS]";
    for (size_t i = 0; i < TOKENS - 1; i++) {
        size_t text = (size_t)group * (TOKENS - 1) + (turn + i) % (TOKENS - 1);
        labels[1 + i] = texts[text % hostile_count()].bytes;
    }
}

static void type(const char *keys)
{
    assert_ok(input_type(&session, keys, &error), error);
}

/* ---- Screens ---- */

static const char *const scripts[] = {
    "",
    "Down Down Enter Down Down",
    "c # Down Down Enter",
    "m Down",
    "w H",
    "/ \"e\" Enter n",
    "Down Down Enter r Down",
    "Tab Down Down",
    "Tab Down Enter Down . . v",
    "Tab Tab Down",
    "Tab Tab o O",
    "Tab Tab Tab Down Down Right",
    "Tab Tab Tab c # Down Right",
    "Tab Tab Tab Tab Tab > Down",
    "Tab Tab Tab Tab Tab > > Enter Right",
    "Tab Tab Tab Tab Tab End > c",
    "Tab Tab Tab Tab Tab Down Down > Enter",
    "Tab Tab Tab Tab Tab Tab",
};

static const struct {
    int columns, rows;
    struct traits traits;
} sizes[] = {
    {60, 12, {GLYPHS_BRAILLE, false}}, {80, 24, {GLYPHS_BLOCKS, false}},
    {80, 24, {GLYPHS_ASCII, true}},    {120, 40, {GLYPHS_BRAILLE, true}},
    {200, 50, {GLYPHS_ASCII, false}},
};

#define SIZES (sizeof sizes / sizeof *sizes)
/* Where only some are tried, each is tried with some of the texts. */
#define SIZE_STEP (ONE_IN > 1 ? SIZES : 1)
#define WIDE      3

/* The model's name, the changes and the message are a stranger's too. */
static struct canvas *draw(const char *const *labels, const char *keys, size_t size,
                           const char *said)
{
    struct canvas *canvas = canvas_new(sizes[size].columns, sizes[size].rows, sizes[size].traits);
    ck_assert_ptr_nonnull(canvas);
    session = synthetic_session(labels, TOKENS, 4, 4, 8);
    ck_assert_ptr_nonnull(session.data.encoded);
    type(keys);
    session.data.model = said ? said : "plain";
    session.data.changes = said;
    if (said)
        session_say(&session, "%s", said);
    assert_ok(screen_draw(&session, canvas, &error), error);
    session_end(&session);
    return canvas;
}

TESTS(.slow = true);

TEST(screens_hold_nothing_raw, .times = group_count())
{
    const char *labels[TOKENS];
    char what[160];
    for (size_t script = 0; script < sizeof scripts / sizeof *scripts; script++)
        for (size_t size = (script + (size_t)_i) % SIZE_STEP; size < SIZES; size += SIZE_STEP) {
            take_group(_i, script + size, labels);
            const char *said = labels[6];
            struct canvas *canvas = draw(labels, scripts[script], size, said);
            snprintf(what, sizeof what, "group %d, keys \"%s\", %d columns", _i, scripts[script],
                     sizes[size].columns);
            hostile_check_canvas(canvas, what);
            canvas_free(canvas);
        }
}

/* A sign for each token, of one column and of two: labels that differ are plain in their own way,
 * as equal ones are numbered; and those that are punctuation, which is no word, stay so. */
static const char *const plain_signs[2][TOKENS][2] = {{{"J", "\xEF\xBC\xAA"},
                                                       {"Q", "\xEF\xBC\xB1"},
                                                       {"V", "\xEF\xBC\xB6"},
                                                       {"W", "\xEF\xBC\xB7"},
                                                       {"X", "\xEF\xBC\xB8"},
                                                       {"Y", "\xEF\xBC\xB9"},
                                                       {"Z", "\xEF\xBC\xBA"}},
                                                      {{"@", "\xEF\xBC\xA0"},
                                                       {"!", "\xEF\xBC\x81"},
                                                       {"%", "\xEF\xBC\x85"},
                                                       {"&", "\xEF\xBC\x86"},
                                                       {";", "\xEF\xBC\x9B"},
                                                       {"_", "\xEF\xBC\xBF"},
                                                       {"*", "\xEF\xBC\x8A"}}};

static bool is_of_a_label(const struct cell *cell)
{
    static const char *const signs[] = {"", "…", "~"};
    bool found = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        found |= strcmp(cell->text, signs[i]) == 0;
    for (size_t i = 0; i < 4 * TOKENS; i++)
        found |= strcmp(cell->text, plain_signs[i / 2 / TOKENS][i / 2 % TOKENS][i % 2]) == 0;
    return found;
}

/* The label of a token in its plain signs, as wide as it is; where labels stand upright, glyph for
 * glyph. Those of special tokens stay, since the cursor passes over them. */
static char *plain_label(const char *const *labels, size_t token, bool ascii, bool upright)
{
    const char *label = labels[token];
    struct text_reader reader = text_reader(label, strlen(label), ascii);
    struct glyph glyph;
    char *plain = malloc(4 * text_width(label, ascii) + 1), *end = plain;
    size_t first = 0;
    ck_assert_ptr_nonnull(plain);
    if (words_is_special(label))
        return strcpy(plain, label);
    while (strcmp(labels[first], label) != 0)
        first++;
    const char *const *sign = plain_signs[words_is_punctuation(label)][first];
    while (text_next(&reader, &glyph))
        if (strcmp(glyph.text, "#") == 0) /* ## stands in one row */
            end += sprintf(end, "#");
        else if (glyph.width == 1 || upright)
            end += sprintf(end, "%s", sign[glyph.width - 1]);
        else
            end += sprintf(end, "%s%s", sign[0], sign[0]);
    *end = '\0';
    return plain;
}

/* Whatever is no label stands where it stands beside plain labels of the same widths, but in the
 * sentence above the last line: it is one text, in which a mark may join the blank before it. */
static void check_same_places(const struct canvas *hostile, const struct canvas *plain,
                              const char *what)
{
    for (int y = 0; y < plain->rows; y++)
        for (int x = 0; x < plain->columns; x++) {
            const struct cell *a = canvas_at(hostile, y, x), *b = canvas_at(plain, y, x);
            if (!hit_equal(canvas_hit(hostile, y, x), canvas_hit(plain, y, x)))
                ck_abort_msg("%s: another click at %d,%d", what, y, x);
            if (y != plain->rows - 2 && !is_of_a_label(b) && strcmp(a->text, b->text) != 0)
                ck_abort_msg("%s: \"%s\" at %d,%d, \"%s\" beside plain labels", what, a->text, y, x,
                             b->text);
        }
}

static void check_alignment(const char *const *labels, const char *keys, size_t size,
                            const char *what)
{
    bool ascii = sizes[size].traits.glyphs == GLYPHS_ASCII;
    char *plain[TOKENS];
    for (size_t i = 0; i < TOKENS; i++)
        plain[i] = plain_label(labels, i, ascii, strncmp(keys, "Tab Tab Tab", 11) == 0);
    struct canvas *hostile = draw(labels, keys, size, NULL);
    struct canvas *same = draw((const char *const *)plain, keys, size, NULL);
    check_same_places(hostile, same, what);
    canvas_free(hostile);
    canvas_free(same);
    for (size_t i = 0; i < TOKENS; i++)
        free(plain[i]);
}

TEST(columns_stay_aligned, .times = group_count())
{
    const char *labels[TOKENS];
    char what[160];
    for (size_t script = 0; script < sizeof scripts / sizeof *scripts; script++)
        for (size_t turn = 0; turn < TOKENS - 1 + SIZES; turn++) {
            size_t size = turn < SIZES ? turn : WIDE;
            if ((script + turn) % 2 > 0) /* each script with half of the sizes, and of the turns */
                continue;
            if (strchr("w/", scripts[script][0]) && scripts[script][0])
                continue; /* these look into the labels */
            take_group(_i, turn, labels);
            snprintf(what, sizeof what, "group %d, keys \"%s\", %d columns, turn %zu", _i,
                     scripts[script], sizes[size].columns, turn);
            check_alignment(labels, scripts[script], size, what);
        }
}

/* Typed and pasted into the lines of the editor, and into what is looked for. */
TEST(dialogs_hold_nothing_raw, .times = 3)
{
    static const struct text start[] = {{"a", 1}, {"b", 1}};
    static const char *const dialogs[] = {"e Ctrl-U", "e Tab Ctrl-U", "/"};
    const struct interventions none = {0};
    struct checkpoint checkpoint;
    const struct hostile *texts = hostile_texts();
    assert_ok(checkpoint_open(&checkpoint, TINY_FOLDER, NULL, NULL, &error), error);
    for (size_t i = 0; i < hostile_count(); i++)
        for (size_t size = i % SIZE_STEP; size < SIZES; size += SIZE_STEP) {
            session_begin(&session, &checkpoint, true, &none);
            assert_ok(session_open(&session, start, 2, NULL, &error), error);
            assert_ok(request_settle(&session, &error), error);
            type(dialogs[_i]);
            struct canvas *canvas =
                canvas_new(sizes[size].columns, sizes[size].rows, sizes[size].traits);
            ck_assert_ptr_nonnull(canvas);
            input_paste(&session, texts[i].bytes, texts[i].length);
            for (int step = 0; step < 3; step++) {
                assert_ok(screen_draw(&session, canvas, &error), error);
                hostile_check_canvas(canvas, texts[i].name);
                input_key(&session, step == 0 ? KEY_CODE_LEFT : KEY_CODE_HOME);
            }
            canvas_free(canvas);
            session_end(&session);
        }
    checkpoint_close(&checkpoint);
}

/* ---- Files ---- */

/* A session of the group, its texts, model and changes a stranger's too. */
static void open_group(int group, const char *labels[TOKENS])
{
    take_group(group, 0, labels);
    session = synthetic_session(labels, TOKENS, 4, 2, 4);
    ck_assert_ptr_nonnull(session.data.encoded);
    session.columns = 100;
    session.rows = 30;
    session.data.model = labels[1];
    session.data.changes = labels[2];
    snprintf(session.state.source.model, sizeof session.state.source.model, "%s", labels[3]);
    for (size_t i = 0; i < 2; i++) {
        size_t length;
        char *text = unicode_repair(labels[3 + i], strlen(labels[3 + i]), &length);
        session.data.encoded->texts[i] = (struct text){text, length};
    }
    session.data.encoded->text_count = 2;
}

static char *read_back(const char *name, size_t *length)
{
    char *path = path_join(folder.path, name), *text = NULL;
    assert_ok(file_read(path, (size_t)1 << 26, &text, length, &error), error);
    free(path);
    return text;
}

static const struct fixture files_tests = {.begin = begin, .end = end, .slow = true};

TEST(pictures_hold_nothing_raw, .times = group_count(), .with = &files_tests)
{
    static const char *const names[] = {"a.svg", "a.txt"};
    const struct output picture = {
        .session = &session, .columns = 100, .rows = 30, .depth = DEPTH_DIRECT};
    const char *labels[TOKENS];
    open_group(_i, labels);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = path_join(folder.path, names[i]);
        size_t length;
        enum format format = FORMAT_COUNT;
        ck_assert(format_of_picture(names[i], &format));
        assert_ok(export_file(&picture, format, path, &error), error);
        char *text = read_back(names[i], &length);
        if (i == 0)
            hostile_check_markup(text, length, names[i]);
        else
            hostile_check_text(text, length, names[i]);
        free(text);
        free(path);
    }
}

/* The strings of a list are the texts, made UTF-8. */
static void check_strings(const cJSON *list, const char *const *texts, size_t count)
{
    size_t length;
    ck_assert_int_eq(cJSON_GetArraySize(list), (int)count);
    for (size_t i = 0; i < count; i++) {
        char *expected = unicode_repair(texts[i], strlen(texts[i]), &length);
        ck_assert_str_eq(cJSON_GetArrayItem(list, (int)i)->valuestring, expected);
        free(expected);
    }
}

TEST(json_gives_the_texts_back, .times = group_count(), .with = &files_tests)
{
    const char *labels[TOKENS];
    char *path = path_join(folder.path, "a.json");
    size_t length;
    cJSON *json;
    open_group(_i, labels);
    session.checkpoint = NULL; /* as of a recording: nothing can be asked */
    assert_ok(export_file(&output, FORMAT_JSON, path, &error), error);
    char *text = read_back("a.json", &length);
    hostile_check_json(text, length, "a.json");
    assert_ok(json_parse_object(text, length, "a.json", &json, &error), error);
    check_strings(json_member(json, "tokens"), labels, TOKENS);
    check_strings(json_member(json, "texts"), labels + 3, 2);
    cJSON_Delete(json);
    free(text);
    free(path);
}

/* The trace's metadata: lists inside of strings. */
TEST(a_trace_gives_the_texts_back, .times = group_count(), .with = &files_tests)
{
    const char *labels[TOKENS];
    char *path = path_join(folder.path, "a.safetensors"), *header;
    struct recording *recording;
    size_t length, size;
    uint64_t prefix;
    open_group(_i, labels);
    assert_ok(export_file(&output, FORMAT_TRACE, path, &error), error);
    char *file = read_back("a.safetensors", &length);
    memcpy(&prefix, file, sizeof prefix);
    header = strndup(file + sizeof prefix, (size_t)prefix);
    hostile_check_json(header, (size_t)prefix, "the header");
    assert_ok(recording_open(path, &recording, &error), error);
    for (size_t i = 0; i < TOKENS; i++) {
        char *expected = unicode_repair(labels[i], strlen(labels[i]), &size);
        ck_assert_str_eq(recording->encoded->sides[0].labels[i], expected);
        free(expected);
    }
    recording_close(recording);
    free(header);
    free(file);
    free(path);
}

/* A field after RFC 4180; returns what follows its comma or line end. */
static const char *read_field(const char *at, char *field)
{
    bool quoted = *at == '"';
    for (at += quoted; *at; at++) {
        if (quoted && *at == '"' && *++at != '"')
            break;
        if (!quoted && strchr(",\n", *at))
            break;
        ck_assert(quoted || *at != '"');
        *field++ = *at;
    }
    *field = '\0';
    ck_assert_msg(*at == ',' || *at == '\n', "no end of a field before \"%.20s\"", at);
    return at + 1;
}

/* At the beginning, or where a spreadsheet may split. Two texts compute nothing. */
static bool begins_formula(const char *text, size_t at)
{
    static const char *const signs[] = {"=", "+", "-", "@", "\xEF\xBC\x9D"};
    bool found = false;
    if (strcmp(text, "-1.5") == 0 || strcmp(text, "->") == 0 ||
        (at > 0 && !strchr(",;", text[at - 1])))
        return false;
    for (int i = 0; i < COUNT(signs); i++)
        found |= strncmp(text + at, signs[i], strlen(signs[i])) == 0;
    return found;
}

/* What the CSV is to say of a label: what is not seen, and the sign that would make it a formula,
 * as \u{…}. */
static char *written_label(const char *label)
{
    size_t length;
    char *text = unicode_repair(label, strlen(label), &length);
    char *written = malloc(10 * length + 1), *end = written;
    ck_assert_ptr_nonnull(written);
    for (size_t i = 0; i < length;) {
        int32_t code;
        size_t used = unicode_next(text + i, length - i, &code);
        if (!hostile_is_seen(code) || begins_formula(text, i))
            end += sprintf(end, "\\u{%x}", (unsigned)code);
        else
            end += sprintf(end, "%.*s", (int)used, text + i);
        i += used;
    }
    *end = '\0';
    free(text);
    return written;
}

/* A line for each pair of tokens, whatever they hold. */
TEST(csv_gives_the_texts_back, .times = group_count(), .with = &files_tests)
{
    enum { ATTENDING = 5, ATTENDED = 8, COLUMNS = 10 };
    const char *labels[TOKENS];
    char *path = path_join(folder.path, "a.csv"), *written[TOKENS];
    size_t length, rows = 0, lines = 0;
    open_group(_i, labels);
    assert_ok(export_file(&output, FORMAT_CSV, path, &error), error);
    char *text = read_back("a.csv", &length), *field = malloc(length + 1);
    ck_assert_ptr_nonnull(field);
    hostile_check_data(text, length, "a.csv");
    for (size_t i = 0; i < TOKENS; i++)
        written[i] = written_label(labels[i]);
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    for (const char *at = text + strcspn(text, "\n") + 1; *at; rows++)
        for (int column = 0; column < COLUMNS; column++) {
            at = read_field(at, field);
            ck_assert_int_eq(at[-1], column == COLUMNS - 1 ? '\n' : ',');
            if (column == ATTENDING)
                ck_assert_str_eq(field, written[rows / TOKENS % TOKENS]);
            if (column == ATTENDED)
                ck_assert_str_eq(field, written[rows % TOKENS]);
        }
    ck_assert_uint_eq(rows, 2 * TOKENS * TOKENS);
    ck_assert_uint_eq(lines, rows + 1);
    for (size_t i = 0; i < TOKENS; i++)
        free(written[i]);
    free(field);
    free(text);
    free(path);
}

TEST(a_state_is_json, .times = group_count(), .with = &files_tests)
{
    const char *labels[TOKENS];
    char *path = path_join(folder.path, "a.json");
    size_t length;
    open_group(_i, labels);
    snprintf(session.state.look.find, sizeof session.state.look.find, "%s", labels[5]);
    assert_ok(state_file_write(&session, path, &error), error);
    char *text = read_back("a.json", &length);
    hostile_check_json(text, length, "the state");
    free(text);
    free(path);
}
