/* check_app_survey.c: the real program makes surveys, merges them and writes them as JSON and CSV.
 */
#include "headlight/base/json.h"
#include "hostile.h"
#include "model_helpers.h"
#include "process_helpers.h"
#include "rows.h"
#include "suites.h"
#include "survey_helpers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct folder folder;
static struct result result;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
}

TESTS(.begin = begin, .end = end);

/* Runs the program with words that blanks separate, "@a" for a file of the folder. */
static struct result run_line(const char *line)
{
    static char words[300], paths[24][100];
    const char *arguments[24] = {"headlight", "--no-config"};
    size_t count = 2;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        snprintf(paths[count], sizeof paths[count], "%s/%s", folder.path, word + 1);
        arguments[count] = *word == '@' ? paths[count] : word;
        count++;
    }
    return run(arguments, PIPED, PIPED);
}

/* And looks for a part of what it says. */
static void survey(const char *line, int code, const char *said)
{
    result = run_line(line);
    assert_exit(&result, code);
    ck_assert_msg(strstr(result.text, said), "%s: expected \"%s\", found \"%s\"", line, said,
                  result.text);
}

/* Some sentences are longer than the model's 64 positions. */
static void make(const char *options)
{
    char line[300];
    snprintf(line, sizeof line, "--model " TINY_FOLDER " %s " SURVEY_CORPUS, options);
    survey(line, 3, "");
}

static bool is_same(const char *one, const char *two)
{
    struct error error;
    struct mapping a, b;
    char *left = in_folder(&folder, one), *right = in_folder(&folder, two);
    assert_ok(mapping_open(&a, left, &error), error);
    assert_ok(mapping_open(&b, right, &error), error);
    const bool same = a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
    mapping_close(&a);
    mapping_close(&b);
    free(left);
    free(right);
    return same;
}

static void assert_same(const char *one, const char *two)
{
    ck_assert_msg(is_same(one, two), "%s, %s", one, two);
}

static void assert_gone(const char *name)
{
    char *path = in_folder(&folder, name);
    ck_assert_msg(!file_named(path), "%s", path);
    free(path);
}

TEST(what_is_there_is_left_alone)
{
    struct stat before, after;
    make("survey -o @a");
    char *path = in_folder(&folder, "a");
    ck_assert_int_eq(stat(path, &before), 0);
    survey("--model " TINY_FOLDER " survey " SURVEY_CORPUS " -o @a --keep", 0,
           "a is already complete; kept as it is");
    ck_assert_int_eq(stat(path, &after), 0);
    free(path);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
}

#define CHANGED(command) "--model " TINY_FOLDER " " command " @two.txt "

static void write_two_texts(void)
{
    static const char texts[] = "the cat sat on the mat\na dog saw the cat\n";
    folder_write(&folder, "two.txt", texts, sizeof texts - 1);
}

static cJSON *read_survey(const char *name)
{
    struct error error;
    char *text, *path = in_folder(&folder, name);
    size_t length;
    cJSON *object;
    assert_ok(file_read(path, 1 << 24, &text, &length, &error), error);
    assert_ok(json_parse_object(text, length, path, &object, &error), error);
    free(text);
    free(path);
    return object;
}

/* A line of the one is a line of the other. */
TEST(a_survey_is_written_as_json_and_as_a_table)
{
    static const char *const keys[] = {"texts", "too_long", "tokens", "words",
                                       "unit",  "examples", "kernels"};
    static const char columns[] = "kind,layer,head,name,direction,value,low,high,n\n";
    write_two_texts();
    survey(CHANGED("survey") "-o @a --json @a.json --csv @a.csv", 0, "");
    survey("@a --json @b.json", 0, "");
    assert_same("a.json", "b.json");
    survey("@a --csv -", 0, columns);
    cJSON *object = read_survey("a.json");
    const cJSON *row, *item;
    const char *line = result.text + strlen(columns);
    for (size_t i = 0; i < COUNT(keys); i++)
        ck_assert_msg(json_member(object, keys[i]), "%s", keys[i]);
    cJSON_ArrayForEach(row, json_member(object, "rows"))
    {
        char numbers[100];
        cJSON_ArrayForEach(item, row) ck_assert_msg(
            strstr(columns, item->string) || item == row->child->prev, "%s", item->string);
        ck_assert_str_eq(row->child->prev->string, "sum");
        snprintf(numbers, sizeof numbers, ",%.0f\n", json_member(row, "n")->valuedouble);
        const char *end = strchr(line, '\n') + 1;
        ck_assert(strncmp(line, json_member(row, "kind")->valuestring, strcspn(line, ",")) == 0);
        ck_assert(strncmp(end - strlen(numbers), numbers, strlen(numbers)) == 0);
        line = end;
    }
    ck_assert_str_eq(line, "");
    cJSON_Delete(object);
}

/* ---- Changes of the network ---------------------------------------------------------------- */

static const struct {
    const char *option, *words;
} changes[] = {
    {"--off 1.2,0.1", "off 0.1,1.2"},
    {"--uniform 1.2", "uniform 1.2"},
    {"--causal", "causal"},
    {"--temperature 0.2", "temperature 0.2"},
    {"--unscaled", "unscaled"},
    {"--no-positions", "no positions"},
    {"--sinusoidal", "sinusoidal positions"},
    {"--no-segments", "no segments"},
    {"--hide cat", "hide cat"},
    {"--cut 0.1.1.2", "cut 0.1.1.2"},
    {"--mask cat", "mask cat"},
    {"--mask cat --causal --off 0.1", "mask cat, causal, off 0.1"},
};

/* In surveys and indexes; a file says what was changed, and is of nothing else. */
TEST(a_change_of_the_network_is_made_and_noted, .times = (int)COUNT(changes))
{
    char line[300], words[100];
    write_two_texts();
    survey(CHANGED("survey") "-o @none", 0, "");
    survey(CHANGED("index") "-o @none.index --only 2", 0, "");
    snprintf(line, sizeof line, CHANGED("survey") "%s -o @changed", changes[_i].option);
    survey(line, 0, "");
    ck_assert_msg(!is_same("none", "changed"), "%s", line);
    strcat(line, " --keep");
    survey(line, 0, "is already complete");
    snprintf(words, sizeof words, ",\"options\":\"%s\",", changes[_i].words);
    survey("@changed --json -", 0, words);
    survey("merge @none @changed -o @all", 1, "expected a survey with the options");
    survey(CHANGED("survey") "-o @changed --keep", 1, "expected a survey of the same");
    snprintf(line, sizeof line, CHANGED("index") "%s -o @a.index --only 2", changes[_i].option);
    survey(line, 0, "");
    ck_assert_msg(!is_same("none.index", "a.index"), "%s", line);
}

static cJSON *read_line(char **at)
{
    struct error error;
    cJSON *object;
    char *end = strchr(*at, '\n');
    ck_assert_ptr_nonnull(end);
    assert_ok(json_parse_object(*at, (size_t)(end - *at), "the line", &object, &error), error);
    *at = end + 1;
    return object;
}

static const cJSON *at_head(const cJSON *list, int layer, int head)
{
    const cJSON *item = cJSON_GetArrayItem(cJSON_GetArrayItem(list, layer), head);
    ck_assert_ptr_nonnull(item);
    return item;
}

/* What a head of one text gives to the tokens `back` before. */
static double sum_diagonal(const cJSON *line, int layer, int head, int back)
{
    const cJSON *heads =
        json_member(cJSON_GetArrayItem(json_member(line, "layers"), layer), "heads");
    const cJSON *weights = json_member(cJSON_GetArrayItem(heads, head), "weights"), *row;
    double sum = 0;
    int t = 0;
    cJSON_ArrayForEach(row, weights)
    {
        sum += t >= back ? cJSON_GetArrayItem(row, t - back)->valuedouble : 0;
        t++;
    }
    ck_assert_int_gt(t, 5);
    return sum;
}

static void assert_mean(const cJSON *survey, const char *figure, int layer, int head, double sum)
{
    const double unit = json_member(survey, "unit")->valuedouble;
    const cJSON *row = json_member(survey, "rows")->child;
    while (strcmp(json_member(row, "kind")->valuestring, "figure") != 0 ||
           json_member(row, "layer")->valueint != layer ||
           json_member(row, "head")->valueint != head ||
           strcmp(json_member(row, "name")->valuestring, figure) != 0)
        row = row->next;
    ck_assert_double_eq_tol(json_member(row, "sum")->valuedouble / unit, sum, 1e-4);
}

/* Weights and effects of the same texts in the same network, as JSON. */
TEST(sums_of_a_changed_network_are_those_of_its_texts, .times = (int)COUNT(changes))
{
    char line[300], *at = result.text;
    const char *mask = strstr(changes[_i].option, "--mask") ? "" : "--mask cat";
    write_two_texts();
    snprintf(line, sizeof line, CHANGED("survey") "%s %s -o @a --effects --json @a.json", mask,
             changes[_i].option);
    survey(line, 0, "");
    snprintf(line, sizeof line, CHANGED("run") "%s %s --include weights,effects", mask,
             changes[_i].option);
    survey(line, 0, "");
    cJSON *lines[] = {read_line(&at), read_line(&at)};
    cJSON *found = read_survey("a.json");
    for (int layer = 0; layer < 3; layer++)
        for (int head = 0; head < 4; head++) {
            double sums[3] = {0};
            for (size_t i = 0; i < COUNT(lines); i++) {
                const cJSON *effects = json_member(json_member(lines[i], "effects"), "change");
                sums[0] += sum_diagonal(lines[i], layer, head, 0);
                sums[1] += sum_diagonal(lines[i], layer, head, 1);
                sums[2] += at_head(effects, layer, head)->valuedouble;
            }
            assert_mean(found, "self", layer, head, sums[0]);
            assert_mean(found, "previous", layer, head, sums[1]);
            assert_mean(found, "effect", layer, head, sums[2]);
        }
    cJSON_Delete(lines[0]);
    cJSON_Delete(lines[1]);
    cJSON_Delete(found);
}

/* ---- Indexes ------------------------------------------------------------------------------- */

/* At once, not when all texts have been through the model; and the reason is told. */
TEST(an_index_ends_where_the_disk_is_full)
{
    if (counts_lines()) {
        skip("limits on the size of files, which would cut what counts lines");
        return;
    }
    struct rlimit before, small;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){20000, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    survey("--model " TINY_FOLDER " index " SURVEY_CORPUS " -o @a --only 2", 1,
           "a: cannot be written: File too large");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
}

/* ---- Names that a stranger gave ----------------------------------------------------------- */

/* What controls a terminal, turns its direction round, is a formula, or is longer than a buffer
 * that ends inside of a character. */
#define OWNED   "\033]0;OWNED\a"
#define FORMULA ";=1+1,@x\""
#define TWENTY  "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4"
#define HUNDRED "x" TWENTY TWENTY TWENTY TWENTY TWENTY

static const char hostile_corpus[] =
    "# sent_id = one" OWNED FORMULA "\n"
    "1\tthe" OWNED "\t_\tDET" OWNED "\t_\t_\t2\tdet" OWNED "\t_\t_\n"
    "2\tcat" FORMULA "\t_\tNOUN" FORMULA "\t_\t_\t3\tnsubj" FORMULA "\t_\t_\n"
    "3\tsat\xe2\x80\xae\t_\tVERB\xe2\x80\xae\t_\t_\t0\troot\t_\t_\n"
    "4\tthe\xc2\x9b"
    "7m\t_\t" HUNDRED "\t_\t_\t3\t" HUNDRED "\t_\t_\n\n";

/* The same as a list of words with tags, a text of one word and one that is refused. */
static const char hostile_lines[] =
    "{\"id\":\"\\u001b]0;x\\u0007\\u009b;=1+1\",\"words\":[\"the\\u202e\",\"cat;=1+1\"],"
    "\"tags\":[\"X\\u001b[31m\",\"@y\\r\\\"\"],\"carried\\u001b\":\"=\\u0007\"}\n"
    "{\"id\":\"\\u001b" HUNDRED "\",\"a\":\"\\u009b7m\\r\\u2028 " HUNDRED "\"}\n"
    "{\"id\":\"\\u001b[2J\",\"a\":3,\"\\u001b[2J\":\"\"}\n" OWNED "\xff\n";

/* A recording of two tokens, in front of its weights; its first bytes are the header's length. */
static const char hostile_recording[] =
    "\0\0\0\0\0\0\0\0"
    "{\"layer.0.weights\":{\"dtype\":\"F32\",\"shape\":[1,2,2],\"data_offsets\":[0,16]},"
    "\"__metadata__\":{\"model\":\"m\\u001b]0;x\\u0007;=1+1\","
    "\"tokens\":\"[\\\"\\\\u001b[2J\\\\u202e\\\",\\\"=1+1;@x\\\\r\\\\u009b7m\\\"]\"}}";

/* Labels of a tagger, tests/vectors/heads/ner-bert. */
static const char hostile_config[] =
    "{\"architectures\":[\"BertForTokenClassification\"],\"model_type\":\"bert\",\"vocab_size\":"
    "128,"
    "\"max_position_embeddings\":64,\"type_vocab_size\":2,\"hidden_size\":32,"
    "\"num_hidden_layers\":2,\"num_attention_heads\":4,\"intermediate_size\":48,\"id2label\":{"
    "\"0\":\"\\u001b]0;x\\u0007\",\"1\":\"=1+1;@x\",\"2\":\"\\u202e\\u2028\",\"3\":\"\\u009b7m\","
    "\"4\":\"\\r\\n\\\"\",\"5\":\"" HUNDRED "\",\"6\":\"\\u001b[2J\"}}";

#define TINY "--model " TINY_FOLDER " "

ROW_TEST(nothing_of_a_hostile_file_is_raw, "hostile_outputs")
{
    static const char *const names[] = {"out", "out.html", "out.txt", "out.svg", "out.cast"};
    static const char weights[16];
    const char *line = row[0];
    char recording[sizeof hostile_recording + sizeof weights];
    folder_write(&folder, "x.conllu", hostile_corpus, sizeof hostile_corpus - 1);
    const char *other = strchr(hostile_corpus, '\n') + 1; /* its id is 0 */
    folder_write(&folder, "y.conllu", other, strlen(other));
    folder_write(&folder, "x.jsonl", hostile_lines, sizeof hostile_lines - 1);
    memcpy(recording, hostile_recording, sizeof hostile_recording - 1);
    memcpy(recording + sizeof hostile_recording - 1, weights, sizeof weights);
    recording[0] = (char)((sizeof hostile_recording - 1 - 8) & 0xFF);
    recording[1] = (char)((sizeof hostile_recording - 1 - 8) >> 8);
    folder_write(&folder, "x.safetensors", recording, sizeof recording - 1);
    folder_write(&folder, "config.json", hostile_config, sizeof hostile_config - 1);
    folder_copy(&folder, "tests/vectors/heads/ner-bert", "model.safetensors");
    folder_copy(&folder, "tests/vectors/heads/ner-bert", "tokenizer.json");
    for (int i = 0; i < 2; i++)
        run_line(i == 0 ? TINY "survey @x.conllu -o @x" : TINY "survey @y.conllu -o @y");
    run_line(TINY "index @x.conllu --only 2 -o @x.index");
    result = run_line(line);
    ck_assert_msg(WIFEXITED(result.status) && WEXITSTATUS(result.status) == atoi(row[1]),
                  "%s: %d, %s", line, WEXITSTATUS(result.status), result.text);
    hostile_check_data(result.text, strlen(result.text), line);
    for (size_t i = 0; i < COUNT(names); i++) {
        char *path = in_folder(&folder, names[i]), *text = NULL;
        size_t room = 0;
        FILE *stream = fopen(path, "rb");
        if (stream) {
            const ssize_t length = getdelim(&text, &room, '\0', stream);
            ck_assert_int_gt(length, 0);
            hostile_check_data(text, (size_t)length, line);
            fclose(stream);
        }
        free(text);
        free(path);
    }
}

/* Each name costs sums: a column that isn't one of parts of speech is refused. */
TEST(names_without_end_are_refused)
{
    char *path = in_folder(&folder, "x.conllu");
    FILE *stream = fopen(path, "w");
    ck_assert_ptr_nonnull(stream);
    for (int i = 0; i < 300; i++)
        fprintf(stream, "1\tcat\t_\tN%d\t_\t_\t0\troot\t_\t_\n\n", i);
    ck_assert_int_eq(fclose(stream), 0);
    free(path);
    survey("--model " TINY_FOLDER " survey @x.conllu -o @x", 1,
           "x.conllu: expected at most 128 parts of speech, found another one: \"N128\"");
    assert_gone("x");
}

/* ---- Texts longer than the model ---------------------------------------------------------- */

#define LONG_WORDS 700

/* Its words are in the file, or they aren't; with blanks in them where they can have some. */
static void write_long(FILE *stream, int kind)
{
    if (kind == 1)
        fputs("{\"a\":\"", stream);
    if (kind == 2)
        fputs("{\"words\":[\"the\"", stream);
    for (int i = 0; i < LONG_WORDS; i++)
        switch (kind) {
        case 2:
            fprintf(stream, ",\"%s\"", i % 9 ? "cat" : "a  b");
            break;
        case 3:
            fprintf(stream, "%d\t%s\t_\tNOUN\t_\t_\t%d\tdep\t_\t_\n", i + 1, i % 9 ? "cat" : "a  b",
                    i);
            break;
        default:
            fputs(i % 9 ? "cat " : "a  b ", stream);
        }
    fputs(kind == 1 ? "\"}\n" : kind == 2 ? "]}\n" : "\n", stream);
}

/* What is said of them is tested elsewhere: here, that nothing is read or written beyond them. */
TEST(long_texts_are_cut_or_refused, .times = 4)
{
    static const char *const names[] = {"long.txt", "long.jsonl", "words.jsonl", "long.conllu"};
    static const char *const rules[] = {"", "--truncate ", "--stride 8 ", "--strict "};
    static const char *const commands[] = {"survey -o @x", "survey -o @x --effects",
                                           "index -o @x --only 1", "run -o @x", "--html @x.html"};
    char line[300], *path = in_folder(&folder, names[_i]);
    FILE *stream = fopen(path, "w");
    ck_assert_ptr_nonnull(stream);
    write_long(stream, _i);
    ck_assert_int_eq(fclose(stream), 0);
    for (size_t rule = 0; rule < COUNT(rules); rule++)
        for (size_t i = 0; i < COUNT(commands); i++) {
            snprintf(line, sizeof line, "--model " TINY_FOLDER " @%s %s%s", names[_i], rules[rule],
                     commands[i]);
            result = run_line(line);
            ck_assert_msg(WIFEXITED(result.status) && WEXITSTATUS(result.status) <= 3, "%s: %s",
                          line, result.text);
        }
    free(path);
}
