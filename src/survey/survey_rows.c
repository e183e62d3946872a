/* survey_rows.c: a survey's numbers as rows, one after the other, and these as JSON and as a table.
 */
#include "headlight/base/size.h"
#include "headlight/survey/survey_file.h"
#include "headlight/text/csv.h"

#include <inttypes.h>

/* Word pieces listed of each head. */
#define PIECES_LISTED 50

/* ---- Rows ---- */

/* One number of a head, or of none. */
struct row {
    struct json_writer *json;
    const struct survey *survey;
    const char *kind;   /* as in SURVEY_KINDS; also label, and of relations guessed and offset */
    size_t layer, head; /* NO_HEAD */
    const char *name;   /* of the figure, relation, part of speech, word piece or bin */
    const char
        *direction; /* of a relation, part of speech or piece: which way, or how far; or "" */
};

static void put(const struct row *row, struct evidence_number number)
{
    const bool head = row->layer != NO_HEAD;
    const struct json_value values[] = {JSON("kind", row->kind),
                                        JSON_IF(head, "layer", row->layer),
                                        JSON_IF(head, "head", row->head),
                                        JSON("name", row->name),
                                        JSON_IF(*row->direction, "direction", row->direction),
                                        JSON_IF(!isnan(number.value), "value", number.value),
                                        JSON_IF(!isnan(number.low), "low", number.low),
                                        JSON_IF(!isnan(number.high), "high", number.high),
                                        JSON("n", number.of),
                                        JSON("sum", number.hits)};
    row->json->line = true;
    json_put_object(row->json, NULL, values, LENGTH(values) - row->json->csv); /* without sums */
}

static void put_value(const struct row *row, double value, int64_t n, int64_t sum)
{
    put(row, (struct evidence_number){n > 0 ? value : NAN, NAN, NAN, NAN, sum, n});
}

/* The k-th number of a head. Parts of speech between which there is no weight are left out; bins
 * but of distances are named by where they begin. */
static void put_number(struct row row, const struct survey_row *of, size_t k)
{
    const enum survey_kind kind = of->key.kind;
    const size_t each = survey_kinds[kind].each;
    const int64_t *numbers = survey_of_head(of, row.layer * row.survey->heads + row.head);
    const bool figure = kind == ROW_FIGURE || kind == ROW_BESIDE;
    row.kind = survey_kinds[kind].name;
    row.name = of->key.names[figure].bytes;
    if (figure) {
        put(&row, evidence_mean_of(row.survey, of, row.layer, row.head));
    } else if (kind == ROW_RELATION) {
        row.direction = k ? "head" : "dependent"; /* which looks at the other */
        put(&row, evidence_share(numbers[k], of->numbers[0]));
    } else if (kind == ROW_MASS && numbers[k] > 0) {
        row.direction = of->key.names[1].bytes;
        put(&row, evidence_mass(row.survey, of, row.layer, row.head));
    } else if (kind != ROW_MASS) {
        const int most = kind == ROW_ENTROPIES ? SURVEY_BITS_MAX : 1;
        uint64_t all = 0; /* a damaged file has more than a sign holds */
        char name[16];
        for (size_t i = 0; i < each; i++)
            all += (uint64_t)numbers[i];
        format_cut(name, sizeof name, "%g", most * (double)k / (double)each);
        row.name = kind == ROW_REACH ? evidence_distances[k] : name;
        put_value(&row, (double)numbers[k] / (double)all,
                  kind == ROW_REACH ? survey_total(row.survey, SURVEY_TOKENS) : (int64_t)all,
                  numbers[k]);
    }
}

void survey_write_head(const struct survey *survey, size_t layer, size_t head,
                       enum survey_kind last, struct json_writer *json)
{
    struct evidence_label labels[METRIC_COUNT];
    struct evidence_word words[PIECES_LISTED];
    struct row row = {json, survey, "label", layer, head, "", ""};
    size_t count = evidence_labels(survey, layer, head, labels);
    for (size_t i = 0; i < count; i++) {
        row.name = labels[i].name;
        row.direction = labels[i].beside ? "beside" : "";
        put(&row, labels[i].mean);
    }
    row.direction = "";
    for (size_t i = survey->first[ROW_FIGURE]; i < survey->first[last]; i++) {
        const enum survey_kind kind = survey->rows[i]->key.kind;
        const size_t numbers = survey_kinds[kind].pairs > 0 ? 1 : survey_kinds[kind].each;
        for (size_t k = 0; kind != ROW_EXAMPLES && k < numbers; k++)
            put_number(row, survey->rows[i], k);
    }
    row.kind = survey_kinds[ROW_PIECE].name;
    for (int at = 0; at < 2 && last == ROW_PIECE; at++) {
        count = evidence_words(survey, layer, head, at, words, PIECES_LISTED);
        row.direction = at ? "at" : "from";
        for (size_t i = 0; i < count; i++) {
            row.name = words[i].piece;
            put_value(&row, words[i].share, words[i].count, words[i].weight);
        }
    }
}

static void put_guessed(const struct survey *survey, const struct evidence_relation *relation,
                        struct json_writer *json)
{
    char offset[16];
    format_cut(offset, sizeof offset, "%d", relation->offset);
    put(&(struct row){json, survey, "guessed", NO_HEAD, NO_HEAD, relation->name, offset},
        relation->offset_share);
}

void survey_write_relation(const struct survey *survey, const struct evidence_relation *relation,
                           struct json_writer *json)
{
    put(&(struct row){json, survey, "relation", relation->layer, relation->head, relation->name,
                      relation->from_head ? "head" : "dependent"},
        relation->share);
    put_guessed(survey, relation, json);
}

/* Those of each head, then those of no head; of distances those that occur. */
static void put_all(const struct survey *survey, struct json_writer *json)
{
    char number[16];
    struct row row = {json, survey, "offset", NO_HEAD, NO_HEAD, "", number};
    uint64_t words = 0;
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        survey_write_head(survey, i / survey->heads, i % survey->heads, ROW_PIECE, json);
    for (size_t r = 0; r < survey_count(survey, ROW_RELATION); r++) {
        const int64_t *numbers = survey_at(survey, ROW_RELATION, r)->numbers;
        const struct evidence_relation any = evidence_relation(survey, r, 0, 0);
        put_guessed(survey, &any, json);
        row.name = any.name;
        for (int i = 0; i <= SURVEY_OFFSET_FAR; i++) {
            format_cut(number, sizeof number, i < SURVEY_OFFSET_FAR ? "%d" : "far",
                       i - SURVEY_OFFSETS);
            if (numbers[1 + i] > 0)
                put(&row, evidence_share(numbers[1 + i], numbers[0]));
        }
    }
    row.direction = "";
    row.kind = survey_kinds[ROW_POS].name;
    for (size_t p = 0; p < survey_count(survey, ROW_POS); p++)
        words += (uint64_t)survey_at(survey, ROW_POS, p)->numbers[0];
    for (size_t p = 0; p < survey_count(survey, ROW_POS); p++) {
        const int64_t count = survey_at(survey, ROW_POS, p)->numbers[0];
        row.name = survey_name(survey, ROW_POS, p);
        put_value(&row, (double)count / (double)words, (int64_t)words, count);
    }
    row.kind = survey_kinds[ROW_COSINES].name;
    row.name = number;
    for (size_t i = 0; i < survey_count(survey, ROW_COSINES); i++) {
        const int64_t vectors = survey_at(survey, ROW_COMPARED, 0)->numbers[SURVEY_VECTORS];
        const int64_t sum = survey_at(survey, ROW_COSINES, i)->numbers[0];
        format_cut(number, sizeof number, "%zu", i);
        put_value(&row, (double)sum / SURVEY_UNIT / (double)vectors, vectors, sum);
    }
    row.kind = survey_kinds[ROW_COMPARED].name;
    row.name = "flipped";
    for (size_t i = 0; i < survey_count(survey, ROW_COMPARED); i++) {
        const int64_t *counts = survey_at(survey, ROW_COMPARED, i)->numbers;
        put(&row, evidence_share(counts[SURVEY_FLIPPED], counts[SURVEY_ANSWERS]));
    }
}

/* ---- JSON and CSV ---- */

void survey_write_csv(const void *survey, FILE *stream)
{
    struct json_writer csv = csv_writer(stream);
    fputs(SURVEY_COLUMNS, stream);
    put_all(survey, &csv);
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
#define TOTAL(code, name) JSON(#name, survey_total(survey, SURVEY_##code)),
    json_put(json, SURVEY_TOTALS(TOTAL) JSON("unit", SURVEY_UNIT));
#undef TOTAL
    json_open(json, "corpora", "[");
    for (size_t i = 0; i < survey_count(survey, ROW_SHARD); i++) {
        const struct survey_row *shard = survey_at(survey, ROW_SHARD, i);
        const int64_t *counts = shard->numbers;
        char digest[24];
        format_cut(digest, sizeof digest, "%016" PRIx64, (uint64_t)counts[SURVEY_DIGEST]);
        json_object(json, NULL, JSON("name", shard->key.names[0].bytes),
                    JSON("shard", shard->key.numbers[0]), JSON("parts", shard->key.numbers[1]),
                    JSON("texts", counts[SURVEY_TEXTS]), JSON("too_long", counts[SURVEY_TOO_LONG]),
                    JSON("refused", counts[SURVEY_REFUSED]), JSON("ids", digest));
    }
    json_close(json, "]");
    json_open(json, "rows", "[");
    put_all(survey, &writer);
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
