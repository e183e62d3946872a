/* check_scripts.c: each file of tests/scripts is a test: what a user types, and what comes of it. A
 * line is a command and its words, which blanks separate; "…" is one word, with \n, \t, \r, \" and
 * \xFF in it. # begins a comment, and a line that ends with \ goes on in the next one. A test
 * begins with an empty folder of its own: @NAME is a file there, and @ the folder itself.
 *
 *     file x.txt "time flies\n" 200 "a "     writes a file; a number repeats the piece behind it
 *     copy x.json heads/seq-bert/config.json copies one from tests/vectors
 *     edit x.json "two" "three"              puts one text, which is there, into another's place
 *     with --model tests/vectors/tiny-bert   begins every `run` and `open` from here on
 *
 * The program, in a process of its own:
 *
 *     run --off 9.1 a => 2 "two" not "three" its exit status, and what it writes
 *     lines 3                                how many lines
 *     narrow 80                              no line is wider
 *     line 1 "two" not "three"               one of them, from 0
 *     same a.json b.json                     two files are equal; `not` behind them: they aren't
 *     has a.json "two" not "three"           what is in a file
 *     gone a.json                            there is none
 *     valid a.json                           all JSON in it follows the schema
 *
 * A session, with the program's command line:
 *
 *     open "the cat sat" --view matrix       its first picture
 *     size 80x24 ascii                       of the screen, at first 120x40; `plain`: no colours
 *     keys Down e "a dog" Enter              presses keys, and computes what they ask for
 *     click "later" 2                        on a text of the screen, here on its second row
 *     set off 0.1 layer 2                    gives fields of the state values
 *     refused layer 9 "expected"             or doesn't
 *     field layer 1 select ""                what fields are
 *     shows "two" "three" not "four"         some row has it, or none
 *     row "two" "three" not "four"           a row has all of it
 *     order "two" "three"                    from the top they come in this order
 *     inside                                 the view stays in its area, whatever its size
 *     says "two"                             the message in the footer; "": there is none
 *     sentence "two"                         what the view says in a sentence; "": nothing
 *     text 1 "the cat"                       the first text
 *
 * The JSON of the session, or of what was written last:
 *
 *     json answers.class.name "neutral" tokens.# 4 layers none
 *     json layers.1.heads.0.weights.2.3 0.498
 *
 * # counts. Of a list a number is a place, a name the first object that has this string. A number
 * is equal to as many digits as are given. */
#include "model_helpers.h"
#include "process_helpers.h"
#include "schema.h"
#include "suites.h"
#include "view_helpers.h"

#include "headlight/app/program.h"
#include "headlight/base/file.h"
#include "headlight/draw/text.h"
#include "headlight/export/export.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"

#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS_MAX 64

struct word {
    char *text;
    bool quoted;
};

static struct folder folder;
static struct program program;
static struct session *const session = &program.session;
static struct canvas *canvas;
static cJSON *document;
static struct result result;
static const char *looked_at; /* what the program wrote, or a line of it */
static struct error error;
static struct traits traits;
static int columns, rows;
static bool opened;

static const char *script, *rest; /* the file, and the words of its line as they are */
static size_t line_number;
static struct word words[WORDS_MAX], before[WORDS_MAX]; /* of the line, and of `with` */
static size_t count, before_count;

static void forget_screen(void)
{
    canvas_free(canvas);
    cJSON_Delete(document);
    canvas = NULL;
    document = NULL;
}

static void begin(void)
{
    folder_make(&folder);
    columns = 120;
    rows = 40;
    traits = (struct traits){GLYPHS_BRAILLE, false};
    before_count = 0;
    opened = false;
}

static void end(void)
{
    while (before_count > 0)
        free(before[--before_count].text);
    forget_screen();
    program_end(&program);
    program = (struct program){0};
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* ---- What went wrong ---- */

static void __attribute__((format(printf, 2, 3))) expect(bool holds, const char *format, ...)
{
    char why[3900]; /* Check has no room for much more */
    va_list arguments;
    if (holds)
        return;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    ck_abort_msg("%s:%zu: %s", script, line_number, why);
}

static void must(enum status status)
{
    expect(status == STATUS_OK, "%s", error.message);
}

static bool is_word(size_t i, const char *text)
{
    return i < count && !words[i].quoted && strcmp(words[i].text, text) == 0;
}

/* The first of the words from one on that a text hasn't got, or has behind `not`; "" is there where
 * nothing is. */
static const char *first_wrong(const char *text, size_t first)
{
    bool wanted = true;
    for (size_t i = first; i < count; i++) {
        const char *part = words[i].text;
        if (is_word(i, "not"))
            wanted = false;
        else if ((*part ? strstr(text, part) != NULL : *text == '\0') != wanted)
            return part;
    }
    return NULL;
}

static void expect_parts(const char *text, size_t first)
{
    const char *wrong = first_wrong(text, first);
    expect(!wrong, "wrong is \"%s\" of:\n%.3000s", wrong, text);
}

/* ---- Files ---- */

static char *path_of(const char *name)
{
    static char paths[WORDS_MAX][sizeof folder.path + 100];
    static size_t next;
    char *path = paths[next++ % WORDS_MAX];
    snprintf(path, sizeof *paths, "%s%s%s", folder.path, *name ? "/" : "", name);
    return path;
}

/* The caller's; a NUL is behind it. */
static char *content_of(const char *path, size_t *size)
{
    struct mapping mapping;
    must(mapping_open(&mapping, path, &error));
    char *text = calloc(mapping.size + 1, 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, mapping.bytes, *size = mapping.size);
    mapping_close(&mapping);
    return text;
}

static void do_file(void)
{
    const char *below = strchr(words[0].text, '/');
    if (below) {
        char *inner = path_of(words[0].text);
        *strrchr(inner, '/') = '\0';
        mkdir(inner, 0700);
    }
    FILE *stream = fopen(path_of(words[0].text), "wb");
    expect(stream != NULL, "%s can't be written", words[0].text);
    for (size_t i = 1; i < count; i++) {
        long times = words[i].quoted ? 1 : strtol(words[i++].text, NULL, 10);
        while (times-- > 0)
            fputs(words[i].text, stream);
    }
    fclose(stream);
}

static void do_copy(void)
{
    char from[200];
    size_t size;
    snprintf(from, sizeof from, "tests/vectors/%s", words[1].text);
    char *bytes = content_of(from, &size);
    folder_write(&folder, words[0].text, bytes, size);
    free(bytes);
}

static void do_edit(void)
{
    size_t size;
    char *text = content_of(path_of(words[0].text), &size), *at = strstr(text, words[1].text);
    expect(at != NULL, "expected \"%s\" in %s", words[1].text, words[0].text);
    FILE *stream = fopen(path_of(words[0].text), "wb");
    fprintf(stream, "%.*s%s%s", (int)(at - text), text, words[2].text, at + strlen(words[1].text));
    fclose(stream);
    free(text);
}

static void do_same(void)
{
    size_t sizes[2];
    char *one = content_of(path_of(words[0].text), &sizes[0]);
    char *two = content_of(path_of(words[1].text), &sizes[1]);
    const bool same = sizes[0] == sizes[1] && memcmp(one, two, sizes[0]) == 0;
    expect(same != is_word(2, "not"), "files are %s", same ? "equal" : "not equal");
    free(one);
    free(two);
}

static void do_valid(void)
{
    size_t size;
    char *content = content_of(path_of(words[0].text), &size), why[400] = "";
    cJSON *schema = schema_of_exports(), *json;
    const char *at = content;
    do {
        json = cJSON_ParseWithOpts(at, &at, false);
        expect(json && schema_holds(schema, json, why, sizeof why), "%s", why);
        cJSON_Delete(json);
    } while (at[strspn(at, "\n ")]);
    cJSON_Delete(schema);
    free(content);
}

static void do_has(void)
{
    size_t size;
    char *text = content_of(path_of(words[0].text), &size);
    for (size_t i = 0; i < size; i++) /* a file may be binary */
        text[i] = text[i] ? text[i] : ' ';
    expect_parts(text, 1);
    free(text);
}

static void do_gone(void)
{
    expect(access(path_of(words[0].text), F_OK) != 0, "%s is there", words[0].text);
}

/* ---- Command lines ---- */

static void do_with(void)
{
    while (before_count > 0)
        free(before[--before_count].text);
    for (; before_count < count; before_count++)
        before[before_count] =
            (struct word){strdup(words[before_count].text), words[before_count].quoted};
}

static const char *argument_of(const struct word *word)
{
    return *word->text == '@' && !word->quoted ? path_of(word->text + 1) : word->text;
}

/* The whole command line, and the number of the words of this line that are in it. */
static int take_arguments(const char *arguments[2 * WORDS_MAX], size_t *taken)
{
    int n = 0;
    arguments[n++] = "headlight";
    for (size_t i = 0; i < before_count; i++)
        arguments[n++] = argument_of(&before[i]);
    for (*taken = 0; *taken < count && !is_word(*taken, "=>"); ++*taken)
        arguments[n++] = argument_of(&words[*taken]);
    arguments[n] = NULL;
    return n;
}

static void do_run(void)
{
    const char *arguments[2 * WORDS_MAX];
    size_t taken;
    take_arguments(arguments, &taken);
    result = run(arguments, PIPED, PIPED);
    forget_screen();
    opened = false;
    looked_at = result.text;
    const int code = taken + 1 < count ? (int)strtol(words[taken + 1].text, NULL, 10) : 0;
    expect(WIFEXITED(result.status) && WEXITSTATUS(result.status) == code, "exit status %d: %s",
           WEXITSTATUS(result.status), result.text);
    expect_parts(result.text, taken + 2);
}

static void do_lines(void)
{
    size_t found = 0;
    for (const char *at = result.text; (at = strchr(at, '\n')); at++)
        found++;
    expect(found == strtoul(words[0].text, NULL, 10), "%zu lines are written", found);
}

static void do_narrow(void)
{
    char text[1024];
    for (const char *at = result.text; *at; at += strcspn(at, "\n") + (strchr(at, '\n') != NULL)) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
        expect(text_width(text, false) <= strtoul(words[0].text, NULL, 10), "too wide: %s", text);
    }
}

static void do_line(void)
{
    static char text[sizeof result.text];
    const char *at = result.text;
    for (size_t i = strtoul(words[0].text, NULL, 10); i > 0 && at; i--)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    expect(at && *at, "there is no line %s", words[0].text);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
    forget_screen();
    looked_at = text;
    expect_parts(text, 1);
}

/* ---- A session ---- */

static void settle(void)
{
    must(request_rest(session, &error));
    forget_screen();
}

static void do_open(void)
{
    const char *arguments[2 * WORDS_MAX];
    size_t taken;
    forget_screen();
    program_end(&program);
    program = (struct program){0};
    const int n = take_arguments(arguments, &taken);
    must(program_read(&program, n, (char **)arguments, &error));
    must(program_prepare(&program, &error));
    if (program.options.lesson)
        must(program_find_lessons(&program, &error));
    must(program_load(&program, NULL, &error));
    must(program_begin(&program, &error));
    opened = true;
    if (program.options.lesson)
        must(player_show(&program.player, program.player.step, &error));
    else if (session->checkpoint)
        must(request_settle(session, &error));
    if (generate_go(session) & SESSION_PASS)
        must(request_settle(session, &error));
    settle();
}

static void do_size(void)
{
    expect(sscanf(words[0].text, "%dx%d", &columns, &rows) == 2, "expected a size");
    traits =
        (struct traits){is_word(1, "ascii") ? GLYPHS_ASCII : GLYPHS_BRAILLE, is_word(1, "plain")};
    forget_screen();
}

static void do_keys(void)
{
    must(input_type(session, rest, &error));
    settle();
}

/* Drawn where it isn't, without a raw character, whatever a file says. */
static const struct canvas *screen(void)
{
    if (canvas)
        return canvas;
    canvas = canvas_new(columns, rows, traits);
    ck_assert_ptr_nonnull(canvas);
    must(screen_draw(session, canvas, &error));
    for (int i = 0; i < rows * columns; i++)
        expect(canvas->cells[i].width == 0 || (unsigned char)*canvas->cells[i].text >= ' ',
               "a raw character");
    return canvas;
}

/* All rows, each with a line's end. */
static const char *screen_text(void)
{
    static char text[1 << 18];
    size_t length = 0;
    for (int y = 0; y < screen()->rows; y++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\n",
                                   view_text(canvas, y, 0, canvas->columns));
    return text;
}

static void do_click(void)
{
    struct view_place place = {-1, -1};
    for (long times = count > 1 ? strtol(words[1].text, NULL, 10) : 1; times > 0; times--)
        place = view_find(screen(), place.y + 1, words[0].text);
    expect(place.y >= 0, "expected \"%s\" in:\n%s", words[0].text, screen_text());
    session_click(session, canvas_hit(canvas, place.y, place.x));
    must(input_type(session, "", &error));
    settle();
}

static enum state_field field_of(size_t word)
{
    const enum state_field field = field_named(words[word].text);
    expect(field < FIELD_COUNT, "expected a field, found %s", words[word].text);
    return field;
}

/* The first words, a field and its value each, as options of one command line. */
static enum status apply(size_t first)
{
    const char *values[FIELD_COUNT] = {NULL};
    bool network = false;
    for (size_t i = 0; i + 1 < first; i += 2) {
        values[field_of(i)] = words[i + 1].text;
        network = network || field_is_network(field_of(i));
    }
    if (values[FIELD_MASK] && mask_apply(session, values[FIELD_MASK], &error) != STATUS_OK)
        return error.status;
    if (network && fields_apply(session, PART_NETWORK, values, NULL, &error) != STATUS_OK)
        return error.status;
    return fields_apply(session, PART_LOOK, values, NULL, &error);
}

static void do_set(void)
{
    must(apply(count));
    must(request_settle(session, &error));
    settle();
}

static void do_refused(void)
{
    expect(apply(2) != STATUS_OK, "it is taken");
    expect_parts(error.message, 2);
}

static void do_field(void)
{
    static struct field_value value;
    for (size_t i = 0; i + 1 < count; i += 2) {
        if (!field_write(session, field_of(i), &value))
            *value.text = '\0';
        expect(strcmp(value.text, words[i + 1].text) == 0, "%s is \"%s\"", words[i].text,
               value.text);
    }
}

static void do_shows(void)
{
    expect_parts(screen_text(), 0);
}

static void do_row(void)
{
    bool found = false;
    for (int y = 0; y < screen()->rows; y++)
        found = found || !first_wrong(view_row(canvas, y), 0);
    expect(found, "expected a row with \"%s\" and the rest in:\n%s", words[0].text, screen_text());
}

static void do_order(void)
{
    const char *text = screen_text(), *at = text;
    for (size_t i = 0; i < count; i++) {
        at = strstr(at, words[i].text);
        expect(at != NULL, "expected \"%s\" after the others in:\n%s", words[i].text, text);
        at += strlen(words[i].text);
    }
}

static void do_inside(void)
{
    const struct scene scene = session_picture(session);
    for (int width = 60; width <= 200; width += 7)
        for (int height = 7; height <= 60; height += 3)
            view_check_inside(view_draw, &scene, width, height, 0);
    view_check_inside_as(view_draw, &scene, 80, 20, (struct traits){GLYPHS_ASCII, true});
}

static void do_says(void)
{
    expect_parts(session->message, 0);
}

static void do_sentence(void)
{
    char said[512] = "";
    const struct scene scene = session_scene(session);
    view_sentence(&scene, false, said, sizeof said);
    expect_parts(said, 0);
}

static void do_text(void)
{
    const char *text = texts_at(&session->state.source.texts, strtoul(words[0].text, NULL, 10) - 1);
    expect(text && strcmp(text, words[1].text) == 0, "it is \"%s\"", text ? text : "");
}

/* ---- Numbers ---- */

static const cJSON *member_of(const cJSON *item, const char *name)
{
    const cJSON *found, *inner;
    if (!cJSON_IsArray(item))
        return cJSON_GetObjectItemCaseSensitive(item, name);
    if (strspn(name, "0123456789") == strlen(name))
        return cJSON_GetArrayItem(item, (int)strtol(name, NULL, 10));
    cJSON_ArrayForEach(found, item)
        cJSON_ArrayForEach(inner, found) if (cJSON_IsString(inner) &&
                                             strcmp(inner->valuestring, name) == 0) return found;
    return NULL;
}

static const cJSON *item_at(const char *path)
{
    char names[200], *at = names;
    const cJSON *item = document;
    snprintf(names, sizeof names, "%s", path);
    for (char *name; (name = strsep(&at, ".")) && item;)
        if (strcmp(name, "#") != 0)
            item = member_of(item, name);
    return item;
}

/* As many digits as are given, rounded. */
static bool is_number(double number, const char *given)
{
    char *last;
    const char *point = strchr(given, '.'), *exponent = strpbrk(given, "eE");
    const size_t digits = point ? strcspn(point + 1, "eE") : 0;
    const double unit =
        pow(10, (exponent ? (double)strtol(exponent + 1, NULL, 10) : 0) - (double)digits);
    return fabs(number - strtod(given, &last)) <= 0.51 * unit && *last == '\0';
}

static bool is_as_given(const cJSON *item, const char *path, const struct word *given)
{
    if (path[strlen(path) - 1] == '#')
        return cJSON_GetArraySize(item) == strtol(given->text, NULL, 10);
    if (!given->quoted && strcmp(given->text, "none") == 0)
        return !item || cJSON_IsNull(item);
    if (cJSON_IsBool(item))
        return cJSON_IsTrue(item) == (strcmp(given->text, "true") == 0);
    return cJSON_IsString(item) ? strcmp(item->valuestring, given->text) == 0
                                : cJSON_IsNumber(item) && is_number(item->valuedouble, given->text);
}

static void do_json(void)
{
    if (!document)
        document =
            opened ? export_made(&(struct output){.session = session, .include = INCLUDE_WEIGHTS})
                   : cJSON_Parse(looked_at);
    expect(document != NULL, "expected JSON, found %.1000s", looked_at);
    if (item_at("format"))
        assert_is_export(document);
    for (size_t i = 0; i + 1 < count; i += 2) {
        const cJSON *item = item_at(words[i].text);
        char *found = item ? cJSON_PrintUnformatted(item) : NULL;
        expect(is_as_given(item, words[i].text, &words[i + 1]), "%s: expected %s, found %.1000s",
               words[i].text, words[i + 1].text, found ? found : "nothing");
        cJSON_free(found);
    }
}

/* ---- Scripts ---- */

static const struct {
    const char *name;
    void (*act)(void);
    size_t least; /* words */
    bool session;
} script_commands[] = {
    {"file", do_file, 1, false},      {"copy", do_copy, 2, false},
    {"edit", do_edit, 3, false},      {"with", do_with, 0, false},
    {"run", do_run, 0, false},        {"lines", do_lines, 1, false},
    {"narrow", do_narrow, 1, false},  {"line", do_line, 1, false},
    {"same", do_same, 2, false},      {"has", do_has, 2, false},
    {"gone", do_gone, 1, false},      {"open", do_open, 0, false},
    {"valid", do_valid, 1, false},    {"size", do_size, 1, false},
    {"json", do_json, 2, false},      {"keys", do_keys, 1, true},
    {"click", do_click, 1, true},     {"set", do_set, 2, true},
    {"refused", do_refused, 3, true}, {"field", do_field, 2, true},
    {"shows", do_shows, 1, true},     {"row", do_row, 1, true},
    {"order", do_order, 2, true},     {"inside", do_inside, 0, true},
    {"says", do_says, 1, true},       {"sentence", do_sentence, 1, true},
    {"text", do_text, 2, true},
};

/* Ends a word in quotes in place; what is behind it. */
static char *take_quoted(char *at)
{
    static const char names[] = "ntr", signs[] = "\n\t\r";
    char *to = at;
    for (at++; *at && *at != '"'; at++) {
        const char *name;
        unsigned byte;
        if (*at != '\\')
            *to++ = *at;
        else if (*++at == 'x' && sscanf(at + 1, "%2x", &byte) == 1) {
            *to++ = (char)byte;
            at += 2;
        } else
            *to++ = *at && (name = strchr(names, *at)) ? signs[name - names] : *at;
    }
    expect(*at == '"', "expected the word to end with \"");
    *to = '\0';
    return at + 1;
}

static void take_words(char *at)
{
    for (count = 0; *(at += strspn(at, " ")) && !(*at == '#' && strchr(" ", at[1])); count++) {
        expect(count < WORDS_MAX, "expected at most %d words", WORDS_MAX);
        words[count] = (struct word){at, *at == '"'};
        char *stop = *at == '"' ? take_quoted(at) : at + strcspn(at, " ");
        at = *stop ? stop + 1 : stop;
        *stop = '\0';
    }
}

static void run_line(char *line)
{
    char *whole = strdup(line);
    take_words(line);
    for (size_t i = 0; i < COUNT(script_commands) && count > 0; i++)
        if (strcmp(words[0].text, script_commands[i].name) == 0) {
            expect(count > script_commands[i].least, "%s: expected more words", words[0].text);
            expect(opened || !script_commands[i].session, "%s: expected an open session",
                   words[0].text);
            rest = whole + strlen(words[0].text);
            memmove(words, words + 1, --count * sizeof *words);
            script_commands[i].act();
            free(whole);
            return;
        }
    expect(count == 0, "expected a command, found %s", count > 0 ? words[0].text : "");
    free(whole);
}

static glob_t scripts;

static int scripts_count(void)
{
    if (scripts.gl_pathc == 0 && glob("tests/scripts/*.txt", 0, NULL, &scripts) != 0)
        abort();
    return (int)scripts.gl_pathc;
}

TEST(a_script_holds, .times = scripts_count())
{
    size_t size;
    script = scripts.gl_pathv[_i];
    char *text = content_of(script, &size), *next = text, *line;
    for (line_number = 1; (line = strsep(&next, "\n")); line_number++) {
        while (next && *line && next[-2] == '\\') { /* goes on in the next line */
            next[-2] = next[-1] = ' ';
            strsep(&next, "\n");
            line_number++;
        }
        run_line(line);
    }
    free(text);
}
