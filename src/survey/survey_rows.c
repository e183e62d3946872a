/* survey_rows.c: a survey's numbers as rows, one after the other, and these as JSON and as a table.
 */
#include "headlight/survey/survey_file.h"
#include "headlight/text/csv.h"

#include <inttypes.h>

/* Word pieces listed of each head. */
#define PIECES_LISTED 50

/* ---- Rows ---- */

static void put(const struct evidence_walk *walk, struct evidence_row row,
                struct evidence_number number)
{
    row.number = number;
    walk->take(walk->context, &row);
}

static void put_value(const struct evidence_walk *walk, struct evidence_row row, double value,
                      int64_t n, int64_t sum)
{
    put(walk, row, (struct evidence_number){n > 0 ? value : NAN, NAN, NAN, NAN, sum, n});
}

/* The k-th number of a head. Parts of speech between which there is no weight are left out; bins
 * are named by the distance, of several the nearest one, or by where they begin. */
static void put_number(const struct evidence_walk *walk, struct evidence_row row,
                       const struct survey_row *of, size_t k)
{
    static const int reach[SURVEY_REACH / 2 + 1] = {0, 1, 2, 3, 5, 9, 17, 33};
    const struct survey *survey = walk->survey;
    const enum survey_kind kind = of->key.kind;
    const int64_t *numbers = survey_of_head(of, row.layer * survey->heads + row.head);
    row.kind = survey_kinds[kind].name;
    row.name = of->key.names[kind == ROW_FIGURE].bytes;
    if (kind == ROW_FIGURE) {
        const enum metric figure = METRIC_BEGIN + (enum metric)of->key.numbers[0];
        put(walk, row, evidence_mean(survey, figure, row.layer, row.head));
    } else if (kind == ROW_RELATION) {
        row.direction = k ? "head" : "dependent"; /* which looks at the other */
        put(walk, row, evidence_share(numbers[k], of->numbers[0]));
    } else if (kind == ROW_MASS && numbers[k] > 0) {
        int64_t words;
        const double weight = evidence_mass(survey, of, row.layer, row.head, &words);
        row.direction = of->key.names[1].bytes;
        put_value(walk, row, weight, words, numbers[k]);
    } else if (kind != ROW_MASS) {
        const size_t each = survey_kinds[kind].each, middle = SURVEY_REACH / 2;
        const int most = kind == ROW_ENTROPIES ? SURVEY_BITS_MAX : 1;
        uint64_t all = 0; /* a damaged file has more than a sign holds */
        char name[16];
        for (size_t i = 0; i < each; i++)
            all += (uint64_t)numbers[i];
        if (kind == ROW_REACH)
            format_cut(name, sizeof name, "%d",
                       k < middle ? -reach[middle - k] : reach[k - middle]);
        else
            format_cut(name, sizeof name, "%g", most * (double)k / (double)each);
        row.name = name;
        put_value(walk, row, (double)numbers[k] / (double)all,
                  kind == ROW_REACH ? survey_total(survey, SURVEY_TOKENS) : (int64_t)all,
                  numbers[k]);
    }
}

void evidence_head_rows(const struct evidence_walk *walk, size_t layer, size_t head)
{
    const struct survey *survey = walk->survey;
    struct evidence_label labels[METRIC_COUNT];
    struct evidence_word words[PIECES_LISTED];
    struct evidence_row row = {.kind = "label", .layer = layer, .head = head, .direction = ""};
    size_t count = evidence_labels(survey, layer, head, labels);
    for (size_t i = 0; i < count; i++) {
        row.name = labels[i].name;
        put(walk, row, labels[i].mean);
    }
    for (size_t i = survey->first[ROW_FIGURE]; i < survey->first[ROW_PIECE]; i++) {
        const enum survey_kind kind = survey->rows[i]->key.kind;
        for (size_t k = 0; k < (kind == ROW_FIGURE ? 1 : survey_kinds[kind].each); k++)
            put_number(walk, row, survey->rows[i], k);
    }
    row.kind = survey_kinds[ROW_PIECE].name;
    for (int at = 0; at < 2; at++) {
        count = evidence_words(survey, layer, head, at, words, PIECES_LISTED);
        row.direction = at ? "at" : "from";
        for (size_t i = 0; i < count; i++) {
            row.name = words[i].piece;
            put_value(walk, row, words[i].share, words[i].count, words[i].weight);
        }
    }
}

/* Offsets that never occur are left out. */
void evidence_offset_rows(const struct evidence_walk *walk, size_t relation)
{
    const struct survey_row *of = survey_at(walk->survey, ROW_RELATION, relation);
    const struct evidence_relation any = evidence_relation(walk->survey, relation, 0, 0);
    char offset[16];
    struct evidence_row row = {"guessed", NO_HEAD, NO_HEAD, any.name, offset, any.offset_share};
    format_cut(offset, sizeof offset, "%d", any.offset);
    walk->take(walk->context, &row);
    row.kind = "offset";
    for (int i = 0; i <= SURVEY_OFFSET_FAR; i++) {
        format_cut(offset, sizeof offset, i < SURVEY_OFFSET_FAR ? "%d" : "far", i - SURVEY_OFFSETS);
        if (of->numbers[1 + i] > 0)
            put(walk, row, evidence_share(of->numbers[1 + i], of->numbers[0]));
    }
}

void evidence_rows(const struct evidence_walk *walk)
{
    const struct survey *survey = walk->survey;
    struct evidence_row row = {.kind = "pos", .layer = NO_HEAD, .head = NO_HEAD, .direction = ""};
    uint64_t words = 0;
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        evidence_head_rows(walk, i / survey->heads, i % survey->heads);
    for (size_t r = 0; r < survey_count(survey, ROW_RELATION); r++)
        evidence_offset_rows(walk, r);
    for (size_t p = 0; p < survey_count(survey, ROW_POS); p++)
        words += (uint64_t)survey_at(survey, ROW_POS, p)->numbers[0];
    for (size_t p = 0; p < survey_count(survey, ROW_POS); p++) {
        const int64_t count = survey_at(survey, ROW_POS, p)->numbers[0];
        row.name = survey_name(survey, ROW_POS, p);
        put_value(walk, row, (double)count / (double)words, (int64_t)words, count);
    }
    for (size_t i = 0; i < survey_count(survey, ROW_COSINES); i++) {
        const int64_t vectors = survey_at(survey, ROW_COMPARED, 0)->numbers[SURVEY_VECTORS];
        const int64_t sum = survey_at(survey, ROW_COSINES, i)->numbers[0];
        char level[16];
        format_cut(level, sizeof level, "%zu", i);
        row.kind = survey_kinds[ROW_COSINES].name;
        row.name = level;
        put_value(walk, row, (double)sum / SURVEY_UNIT / (double)vectors, vectors, sum);
    }
    for (size_t i = 0; i < survey_count(survey, ROW_COMPARED); i++) {
        const int64_t *counts = survey_at(survey, ROW_COMPARED, i)->numbers;
        row.kind = survey_kinds[ROW_COMPARED].name;
        row.name = "flipped";
        put(walk, row, evidence_share(counts[SURVEY_FLIPPED], counts[SURVEY_ANSWERS]));
    }
}

/* ---- JSON and CSV ---- */

void survey_write_row(void *writer, const struct evidence_row *row)
{
    struct json_writer *json = writer;
    const struct evidence_number *number = &row->number;
    const bool head = row->layer != NO_HEAD;
    json->line = true;
    json_object(json, NULL, JSON("kind", row->kind), JSON_IF(head, "layer", row->layer),
                JSON_IF(head, "head", row->head), JSON("name", row->name),
                JSON_IF(*row->direction, "direction", row->direction),
                JSON_IF(!isnan(number->value), "value", number->value),
                JSON_IF(!isnan(number->low), "low", number->low),
                JSON_IF(!isnan(number->high), "high", number->high), JSON("n", number->of),
                JSON("sum", number->hits));
}

void survey_write_csv(const void *survey, FILE *stream)
{
    struct json_writer csv = csv_writer(stream);
    fputs(EVIDENCE_COLUMNS "\n", stream);
    evidence_rows(&(struct evidence_walk){survey, survey_write_row, &csv});
}

/* The examples of a list, which may have fewer than it has room for. */
static void write_list(const struct survey *survey, size_t head, size_t list, const char *name,
                       struct json_writer *json)
{
    size_t most;
    const struct survey_example *examples = survey_examples(survey, head, list, &most);
    json_open(json, name, "[");
    for (size_t i = 0; i < most && examples[i].weight > 0; i++)
        json_object(json, NULL, JSON("text", examples[i].text->key.numbers[0]),
                    JSON("from", examples[i].from), JSON("to", examples[i].to),
                    JSON("weight", examples[i].weight),
                    JSON("id", examples[i].text->key.names[2].bytes));
    json_close(json, "]");
}

void survey_write_json(const void *of, FILE *stream)
{
    const struct survey *survey = of;
    const size_t heads = survey->layers * survey->heads;
    struct json_writer writer = {.stream = stream}, *json = &writer;
    json_open(json, NULL, "{");
    for (size_t i = 0; i < SURVEY_ORIGINS; i++)
        json_put(json,
                 JSON_IF(survey->origin.all[i], survey_origin_names[i], survey->origin.all[i]));
    json_put(json, JSON("survey", SURVEY_FORMAT), JSON("layers", survey->layers),
             JSON("heads", survey->heads));
    for (size_t i = 0; i < SURVEY_TOTAL_COUNT; i++)
        json_put(json, JSON(survey_total_names[i], survey_total(survey, (enum survey_total)i)));
    json_put(json, JSON("unit", SURVEY_UNIT));
    json_open(json, "corpora", "[");
    for (size_t i = 0, end; i < survey_count(survey, ROW_SHARD); i = end) {
        uint64_t sums[SURVEY_IDS + 1] = {0};
        char ids[24];
        end = survey_corpus_end(survey, i);
        json_open(json, NULL, "{");
        json_put(json, JSON("name", survey_name(survey, ROW_SHARD, i)),
                 JSON("parts", survey_at(survey, ROW_SHARD, i)->key.numbers[1]));
        json_open(json, "shards", "[");
        for (size_t s = i; s < end; s++) {
            const struct survey_row *shard = survey_at(survey, ROW_SHARD, s);
            json_put(json, JSON(NULL, shard->key.numbers[0]));
            for (size_t k = 0; k <= SURVEY_IDS; k++)
                sums[k] += (uint64_t)shard->numbers[k];
        }
        json_close(json, "]");
        for (size_t k = 0; k <= SURVEY_REFUSED; k++)
            json_put(json, JSON(survey_total_names[k], sums[k]));
        format_cut(ids, sizeof ids, "%016" PRIx64, sums[SURVEY_IDS]);
        json_put(json, JSON("ids", ids));
        json_close(json, "}");
    }
    json_close(json, "]");
    json_open(json, "rows", "[");
    evidence_rows(&(struct evidence_walk){survey, survey_write_row, &writer});
    json_close(json, "]");
    json->line = true;
    json_open(json, "examples", "[[");
    for (size_t i = 0; i < heads; i++) {
        json_row(json, i, survey->heads);
        write_list(survey, i, 0, NULL, json);
    }
    json_close(json, "]]");
    json_open(json, "deciles", "[[");
    for (size_t i = 0; i < heads; i++) {
        json_row(json, i, survey->heads);
        json_open(json, NULL, "[");
        for (size_t d = 0; d < SURVEY_DECILES; d++) {
            json_open(json, NULL, "{");
            json_put(json, JSON("texts", survey_of_head(survey_at(survey, ROW_DECILES, 0), i)[d]));
            write_list(survey, i, 1 + d, "sample", json);
            json_close(json, "}");
        }
        json_close(json, "]");
    }
    json_close(json, "]]");
    json_open(json, "sentences", "[");
    for (size_t k = 0; k < survey_count(survey, ROW_TEXT); k++) {
        const struct survey_key *text = &survey_at(survey, ROW_TEXT, k)->key;
        json_object(json, NULL, JSON("corpus", text->names[0].bytes),
                    JSON("text", text->numbers[0]), JSON("id", text->names[2].bytes),
                    JSON("words", text->names[1].bytes));
    }
    json_close(json, "]}\n");
}
