/* survey_rows.c: a survey's numbers as rows, one after the other, and these as JSON and as a table.
 */
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/survey_file.h"
#include "headlight/text/csv.h"

#include <inttypes.h>
#include <math.h>

/* Word pieces listed of each head. */
#define PIECES_LISTED 50

/* ---- Rows ---- */

static void put(const struct evidence_walk *walk, struct evidence_row row,
                struct evidence_share number)
{
    row.number = number;
    walk->take(walk->context, &row);
}

static void put_value(const struct evidence_walk *walk, struct evidence_row row, double value,
                      int64_t n, int64_t sum)
{
    put(walk, row, (struct evidence_share){n > 0 ? value : NAN, NAN, NAN, sum, n});
}

static void put_mean(const struct evidence_walk *walk, struct evidence_row row,
                     enum survey_figure figure)
{
    const struct survey *survey = walk->survey;
    const struct evidence_mean mean = evidence_mean(survey, figure, row.layer, row.head);
    const struct survey_row *of = survey_figure(survey, figure);
    const int64_t sum = *survey_of_head(of, row.layer * survey->heads + row.head);
    put(walk, row,
        (struct evidence_share){mean.value, mean.value - mean.half, mean.value + mean.half, sum,
                                mean.rows});
}

/* Named by the distance, of several the nearest one, or by where the bin begins. */
static void put_bin(const struct evidence_walk *walk, struct evidence_row row,
                    enum survey_kind kind, const int64_t *bins, size_t k)
{
    static const int reach[SURVEY_REACH / 2 + 1] = {0, 1, 2, 3, 5, 9, 17, 33};
    const size_t each = survey_kinds[kind].each, middle = SURVEY_REACH / 2;
    const int most = kind == ROW_ENTROPIES ? SURVEY_BITS_MAX : 1;
    uint64_t all = 0; /* a damaged file has more than a sign holds */
    char name[16];
    for (size_t i = 0; i < each; i++)
        all += (uint64_t)bins[i];
    if (kind == ROW_REACH)
        format_cut(name, sizeof name, "%d", k < middle ? -reach[middle - k] : reach[k - middle]);
    else
        format_cut(name, sizeof name, "%g", most * (double)k / (double)each);
    row.name = name;
    put_value(walk, row, (double)bins[k] / (double)all,
              kind == ROW_REACH ? survey_total(walk->survey, SURVEY_TOKENS) : (int64_t)all,
              bins[k]);
}

/* The k-th number of a head. Parts of speech between which there is no weight are left out. */
static void put_number(const struct evidence_walk *walk, struct evidence_row row,
                       const struct survey_row *of, size_t k)
{
    const int64_t *numbers = survey_of_head(of, row.layer * walk->survey->heads + row.head);
    row.kind = survey_kinds[of->key.kind].name;
    row.name = of->key.names[of->key.kind == ROW_FIGURE].bytes;
    if (of->key.kind == ROW_FIGURE) {
        put_mean(walk, row, (enum survey_figure)of->key.numbers[0]);
    } else if (of->key.kind == ROW_RELATION) {
        row.direction = evidence_direction(k);
        put(walk, row, evidence_share(numbers[k], of->numbers[0]));
    } else if (of->key.kind != ROW_MASS) {
        put_bin(walk, row, of->key.kind, numbers, k);
    } else if (numbers[k] > 0) {
        int64_t words;
        const double weight = evidence_mass(walk->survey, of, row.layer, row.head, &words);
        row.direction = of->key.names[1].bytes;
        put_value(walk, row, weight, words, numbers[k]);
    }
}

void evidence_head_rows(const struct evidence_walk *walk, size_t layer, size_t head)
{
    const struct survey *survey = walk->survey;
    struct evidence_label labels[EVIDENCE_LABELS];
    struct evidence_word words[PIECES_LISTED];
    struct evidence_row row = {.kind = "label", .layer = layer, .head = head, .direction = ""};
    size_t count = evidence_labels(survey, layer, head, labels);
    for (size_t i = 0; i < count; i++) {
        row.name = labels[i].name;
        put_mean(walk, row, labels[i].figure);
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

/* ---- JSON ---- */

struct json_rows {
    FILE *stream;
    const char *before;
};

static void write_json_row(void *context, const struct evidence_row *row)
{
    struct json_rows *rows = context;
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"value", row->number.value}, {"low", row->number.low}, {"high", row->number.high}};
    FILE *stream = rows->stream;
    fprintf(stream, "%s\n{\"kind\":\"%s\"", rows->before, row->kind);
    rows->before = ",";
    if (row->layer != NO_HEAD)
        fprintf(stream, ",\"layer\":%zu,\"head\":%zu", row->layer, row->head);
    fputs(",\"name\":", stream);
    json_write_text(stream, row->name);
    if (*row->direction) {
        fputs(",\"direction\":", stream);
        json_write_text(stream, row->direction);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isnan(numbers[i].value)) {
            fprintf(stream, ",\"%s\":", numbers[i].name);
            json_write_float(stream, (float)numbers[i].value);
        }
    fprintf(stream, ",\"n\":%" PRId64 ",\"sum\":%" PRId64 "}", row->number.of, row->number.hits);
}

/* What stands before the i-th of all heads in a list of layers. */
static const char *before_head(const struct survey *survey, size_t i)
{
    return i == 0 ? "[[" : i % survey->heads == 0 ? "],[" : ",";
}

static void write_corpora(const struct survey *survey, FILE *stream)
{
    fputs(",\"corpora\":[", stream);
    for (size_t i = 0, end; i < survey_count(survey, ROW_SHARD); i = end) {
        uint64_t sums[SURVEY_IDS + 1] = {0};
        end = survey_corpus_end(survey, i);
        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", stream);
        json_write_text(stream, survey_name(survey, ROW_SHARD, i));
        fprintf(stream, ",\"parts\":%" PRId64 ",\"shards\":",
                survey_at(survey, ROW_SHARD, i)->key.numbers[1]);
        for (size_t s = i; s < end; s++) {
            const struct survey_row *shard = survey_at(survey, ROW_SHARD, s);
            fprintf(stream, "%s%" PRId64, s > i ? "," : "[", shard->key.numbers[0]);
            for (size_t k = 0; k <= SURVEY_IDS; k++)
                sums[k] += (uint64_t)shard->numbers[k];
        }
        fputc(']', stream);
        for (size_t k = 0; k <= SURVEY_REFUSED; k++)
            fprintf(stream, ",\"%s\":%" PRIu64, survey_total_names[k], sums[k]);
        fprintf(stream, ",\"ids\":\"%016" PRIx64 "\"}", sums[SURVEY_IDS]);
    }
    fputc(']', stream);
}

/* The examples of a list, which may have fewer than it has room for. */
static void write_list(const struct survey *survey, size_t head, size_t list, FILE *stream)
{
    size_t most;
    const struct survey_example *examples = survey_examples(survey, head, list, &most);
    fputc('[', stream);
    for (size_t i = 0; i < most && examples[i].weight > 0; i++) {
        const struct survey_key *text = &examples[i].text->key;
        fprintf(stream,
                "%s{\"text\":%" PRId64 ",\"from\":%" PRId64 ",\"to\":%" PRId64
                ",\"weight\":%" PRId64 ",\"id\":",
                i == 0 ? "" : ",", text->numbers[0], examples[i].from, examples[i].to,
                examples[i].weight);
        json_write_text(stream, text->names[2].bytes);
        fputc('}', stream);
    }
    fputc(']', stream);
}

/* Lists of each head, and the texts that they are of. */
static void write_examples(const struct survey *survey, FILE *stream)
{
    const size_t heads = survey->layers * survey->heads;
    fputs("],\n\"examples\":", stream);
    for (size_t i = 0; i < heads; i++) {
        fputs(before_head(survey, i), stream);
        write_list(survey, i, 0, stream);
    }
    fputs("]],\"deciles\":", stream);
    for (size_t i = 0; i < heads; i++) {
        fputs(before_head(survey, i), stream);
        for (size_t d = 0; d < SURVEY_DECILES; d++) {
            fprintf(stream, "%s{\"texts\":%" PRId64 ",\"sample\":", d > 0 ? "," : "[",
                    survey_of_head(survey_at(survey, ROW_DECILES, 0), i)[d]);
            write_list(survey, i, 1 + d, stream);
            fputc('}', stream);
        }
        fputc(']', stream);
    }
    fputs("]],\"sentences\":[", stream);
    for (size_t k = 0; k < survey_count(survey, ROW_TEXT); k++) {
        const struct survey_key *text = &survey_at(survey, ROW_TEXT, k)->key;
        fputs(k > 0 ? ",{\"corpus\":" : "{\"corpus\":", stream);
        json_write_text(stream, text->names[0].bytes);
        fprintf(stream, ",\"text\":%" PRId64 ",\"id\":", text->numbers[0]);
        json_write_text(stream, text->names[2].bytes);
        fputs(",\"words\":", stream);
        json_write_text(stream, text->names[1].bytes);
        fputc('}', stream);
    }
    fputc(']', stream);
}

void survey_write_json(const void *of, FILE *stream)
{
    const struct survey *survey = of;
    for (size_t i = 0; i < SURVEY_ORIGINS; i++) {
        if (!survey->origin.all[i])
            continue;
        fprintf(stream, "%c\"%s\":", i == 0 ? '{' : ',', survey_origin_names[i]);
        json_write_text(stream, survey->origin.all[i]);
    }
    fprintf(stream, ",\"survey\":%d,\"layers\":%zu,\"heads\":%zu", SURVEY_FORMAT, survey->layers,
            survey->heads);
    for (size_t i = 0; i < SURVEY_TOTAL_COUNT; i++)
        fprintf(stream, ",\"%s\":%" PRId64, survey_total_names[i],
                survey_total(survey, (enum survey_total)i));
    fprintf(stream, ",\"unit\":%d", SURVEY_UNIT);
    write_corpora(survey, stream);
    fputs(",\"rows\":[", stream);
    struct json_rows rows = {stream, ""};
    evidence_rows(&(struct evidence_walk){survey, write_json_row, &rows});
    write_examples(survey, stream);
    fputs("}\n", stream);
}

/* ---- CSV ---- */

void survey_write_csv_row(void *context, const struct evidence_row *row)
{
    const double numbers[] = {row->number.value, row->number.low, row->number.high};
    FILE *stream = context;
    fprintf(stream, "%s,", row->kind);
    if (row->layer != NO_HEAD)
        fprintf(stream, "%zu,%zu,", row->layer, row->head);
    else
        fputs(",,", stream);
    csv_write_field(stream, row->name);
    fputc(',', stream);
    csv_write_field(stream, row->direction);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fputc(',', stream);
        if (!isnan(numbers[i]))
            json_write_float(stream, (float)numbers[i]);
    }
    fprintf(stream, ",%" PRId64 ",%" PRId64 "\n", row->number.of, row->number.hits);
}

void survey_write_csv(const void *survey, FILE *stream)
{
    fputs(EVIDENCE_COLUMNS "\n", stream);
    evidence_rows(&(struct evidence_walk){survey, survey_write_csv_row, stream});
}
