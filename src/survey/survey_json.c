/* survey_json.c: a survey as JSON and as a long table. */
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/survey_file.h"
#include "headlight/text/csv.h"

#include <inttypes.h>
#include <math.h>

/* Word pieces listed of each head. */
#define PIECES_LISTED 50

/* ---- Numbers of heads ---- */

/* What stands before the i-th of all heads in a list of layers. */
static const char *before_head(const struct survey *survey, size_t i)
{
    return i == 0 ? "[[" : i % survey->heads == 0 ? "],[" : ",";
}

/* BEFORE"name":[[…]] for each layer and head `count` of a row's numbers, from the first on; of
 * several a list. */
static void write_heads(FILE *stream, const struct survey *survey, const char *before,
                        const char *name, const struct survey_row *row, size_t first, size_t count)
{
    fputs(before, stream);
    json_write_text(stream, name);
    fputc(':', stream);
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        fputs(before_head(survey, i), stream);
        for (size_t k = 0; k < count; k++)
            fprintf(stream, "%s%" PRId64,
                    k > 0       ? ","
                    : count > 1 ? "["
                                : "",
                    survey_of_head(row, i)[first + k]);
        fputs(count > 1 ? "]" : "", stream);
    }
    fputs("]]", stream);
}

/* ---- Members ---- */

static void write_total(FILE *stream, size_t total, int64_t number)
{
    fprintf(stream, ",\"%s\":%" PRId64, survey_total_names[total], number);
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
            write_total(stream, k, (int64_t)sums[k]);
        fprintf(stream, ",\"ids\":\"%016" PRIx64 "\"}", sums[SURVEY_IDS]);
    }
    fputc(']', stream);
}

static void write_figures(const struct survey *survey, FILE *stream)
{
    const size_t count = survey_count(survey, ROW_FIGURE);
    fputs(",\"rows\":{", stream);
    for (size_t i = 0; i < count; i++) {
        const struct survey_row *row = survey_at(survey, ROW_FIGURE, i);
        fprintf(stream, "%s\"%s\":%" PRId64, i > 0 ? "," : "", row->key.names[1].bytes,
                row->numbers[0]);
    }
    fputs("},\"figures\":{", stream);
    for (size_t i = 0; i < count; i++) {
        const struct survey_row *row = survey_at(survey, ROW_FIGURE, i);
        write_heads(stream, survey, i > 0 ? "," : "", row->key.names[1].bytes, row, 0, 1);
    }
    fputc('}', stream);
    static const struct {
        const char *before;
        enum survey_kind kind;
    } bins[] = {{",", ROW_REACH}, {",\"histograms\":{", ROW_MAXIMA}, {",", ROW_ENTROPIES}};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        write_heads(stream, survey, bins[i].before, survey_kinds[bins[i].kind].name,
                    survey_at(survey, bins[i].kind, 0), 0, survey_kinds[bins[i].kind].each);
    fputc('}', stream);
}

/* "mean":[[…]],"standard_error":[[…]] of a figure. */
static void write_means(const struct survey *survey, enum survey_figure figure, FILE *stream)
{
    for (int error = 0; error < 2; error++) {
        fputs(error ? ",\"standard_error\":[[" : "\"mean\":[[", stream);
        for (size_t i = 0; i < survey->layers * survey->heads; i++) {
            const struct evidence_mean mean =
                evidence_mean(survey, figure, i / survey->heads, i % survey->heads);
            fputs(i == 0 ? "" : i % survey->heads == 0 ? "],[" : ",", stream);
            json_write_float(stream, (float)(error ? mean.half / EVIDENCE_Z : mean.value));
        }
        fputs("]]", stream);
    }
}

/* What only some surveys have. */
static void write_asked(const struct survey *survey, FILE *stream)
{
    if (survey_has(survey, SURVEY_EFFECT)) {
        const int64_t asked = survey_figure(survey, SURVEY_EFFECT)->numbers[0];
        fprintf(stream, ",\"effects\":{\"texts\":%" PRId64 ",\"unasked\":%" PRId64 ",", asked,
                survey_total(survey, SURVEY_TEXTS) - asked);
        write_means(survey, SURVEY_EFFECT, stream);
        fputc('}', stream);
    }
    if (!survey_has(survey, SURVEY_MOVED))
        return;
    const int64_t *counts = survey_at(survey, ROW_COMPARED, 0)->numbers;
    fprintf(stream,
            ",\"moved\":{\"answers\":%" PRId64 ",\"flipped\":%" PRId64 ",\"vectors\":%" PRId64
            ",\"cosines\":",
            counts[SURVEY_ANSWERS], counts[SURVEY_FLIPPED], counts[SURVEY_VECTORS]);
    for (size_t level = 0; level <= survey->layers; level++)
        fprintf(stream, "%s%" PRId64, level > 0 ? "," : "[",
                survey_at(survey, ROW_COSINES, level)->numbers[0]);
    fputs("],", stream);
    write_means(survey, SURVEY_MOVED, stream);
    fputc('}', stream);
}

/* Offsets that never occur are left out. */
static void write_relations(const struct survey *survey, FILE *stream)
{
    fputs(",\"relations\":{", stream);
    for (size_t r = 0; r < survey_count(survey, ROW_RELATION); r++) {
        const struct survey_row *row = survey_at(survey, ROW_RELATION, r);
        const int64_t *offsets = row->numbers + 1;
        const char *before = "";
        fputs(r > 0 ? "," : "", stream);
        json_write_text(stream, row->key.names[0].bytes);
        fprintf(stream, ":{\"count\":%" PRId64 ",\"offsets\":{", row->numbers[0]);
        for (int i = 0; i <= SURVEY_OFFSET_FAR; i++) {
            if (offsets[i] == 0)
                continue;
            if (i < SURVEY_OFFSET_FAR)
                fprintf(stream, "%s\"%d\":%" PRId64, before, i - SURVEY_OFFSETS, offsets[i]);
            else
                fprintf(stream, "%s\"far\":%" PRId64, before, offsets[i]);
            before = ",";
        }
        write_heads(stream, survey, "},", "dependent", row, 0, 1);
        write_heads(stream, survey, ",", "head", row, 1, 1);
        fputc('}', stream);
    }
    fputc('}', stream);
}

/* Pairs that have no weight in any head are left out. */
static void write_pos(const struct survey *survey, FILE *stream)
{
    const char *before = "";
    fputs(",\"pos\":{\"from\":{", stream);
    for (size_t p = 0; p < survey_count(survey, ROW_POS); p++) {
        fputs(p > 0 ? "," : "", stream);
        json_write_text(stream, survey_name(survey, ROW_POS, p));
        fprintf(stream, ":%" PRId64, survey_at(survey, ROW_POS, p)->numbers[0]);
    }
    fputs("},\"mass\":{", stream);
    for (size_t i = 0; i < survey_count(survey, ROW_MASS); i++) {
        const struct survey_row *row = survey_at(survey, ROW_MASS, i);
        char name[1024];
        bool any = false;
        for (size_t h = 0; h < survey->layers * survey->heads; h++)
            any |= row->numbers[h] != 0;
        if (!any)
            continue;
        format_cut(name, sizeof name, "%s>%s", row->key.names[0].bytes, row->key.names[1].bytes);
        write_heads(stream, survey, before, name, row, 0, 1);
        before = ",";
    }
    fputs("}}", stream);
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
    fputs(",\"examples\":", stream);
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

/* {"from":[…],"at":[…]}: the pieces with the most weight, of each head. */
static void write_pieces(const struct survey *survey, FILE *stream)
{
    struct evidence_word words[PIECES_LISTED];
    fputs(",\"pieces\":", stream);
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        fputs(before_head(survey, i), stream);
        for (int at = 0; at < 2; at++) {
            const size_t count = evidence_words(survey, i / survey->heads, i % survey->heads, at,
                                                words, PIECES_LISTED);
            fputs(at ? ",\"at\":[" : "{\"from\":[", stream);
            for (size_t k = 0; k < count; k++) {
                fputs(k > 0 ? ",{\"piece\":" : "{\"piece\":", stream);
                json_write_text(stream, words[k].piece);
                fprintf(stream, ",\"weight\":%" PRId64 ",\"count\":%" PRId64 "}", words[k].weight,
                        words[k].count);
            }
            fputc(']', stream);
        }
        fputc('}', stream);
    }
    fputs("]]", stream);
}

void survey_write_json(const struct survey *survey, FILE *stream)
{
    for (size_t i = 0; i < SURVEY_ORIGINS; i++) {
        if (!survey->origin.all[i])
            continue;
        fprintf(stream, "%c\"%s\":", i == 0 ? '{' : ',', survey_origin_names[i]);
        json_write_text(stream, survey->origin.all[i]);
    }
    fprintf(stream, ",\"survey\":%d,\"layers\":%zu,\"heads\":%zu", SURVEY_FORMAT, survey->layers,
            survey->heads);
    for (size_t i = 0; i < SURVEY_TOTAL_COUNT; i++)
        write_total(stream, i, survey_total(survey, (enum survey_total)i));
    fprintf(stream, ",\"unit\":%d", SURVEY_UNIT);
    static void (*const members[])(const struct survey *survey, FILE *stream) = {
        write_corpora, write_figures,  write_asked, write_relations,
        write_pos,     write_examples, write_pieces};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        members[i](survey, stream);
    fputs("}\n", stream);
}

/* ---- CSV ---- */

/* `place` is "layer,head", or "," of what is no head's. */
static void write_row(FILE *stream, const char *place, const char *figure, double value, int64_t n,
                      double low, double high)
{
    fprintf(stream, "%s,", place);
    csv_write_field(stream, figure);
    fputc(',', stream);
    if (n > 0)
        json_write_float(stream, (float)value);
    fprintf(stream, ",%" PRId64 ",", n);
    if (n > 0 && !isnan(low))
        json_write_float(stream, (float)low);
    fputc(',', stream);
    if (n > 0 && !isnan(high))
        json_write_float(stream, (float)high);
    fputc('\n', stream);
}

static void write_share(FILE *stream, const char *place, const char *kind,
                        const struct survey_row *relation, struct evidence_share share)
{
    char name[1024];
    format_cut(name, sizeof name, "%s:%s", kind, relation->key.names[0].bytes);
    write_row(stream, place, name, share.value, relation->numbers[0], share.low, share.high);
}

static void write_rows_of_head(const struct survey *survey, size_t layer, size_t head, FILE *stream)
{
    const size_t at = layer * survey->heads + head;
    char place[48];
    snprintf(place, sizeof place, "%zu,%zu", layer, head);
    for (size_t k = 0; k < survey_count(survey, ROW_FIGURE); k++) {
        const enum survey_figure f = survey_figure_at(survey, k);
        const struct evidence_mean mean = evidence_mean(survey, f, layer, head);
        write_row(stream, place, survey_figure_name(f), mean.value, mean.rows,
                  mean.value - mean.half, mean.value + mean.half);
    }
    for (size_t r = 0; r < survey_count(survey, ROW_RELATION); r++) {
        const struct survey_row *of = survey_at(survey, ROW_RELATION, r);
        for (int from_head = 0; from_head < 2; from_head++)
            write_share(stream, place, from_head ? "head" : "dependent", of,
                        evidence_share(survey_of_head(of, at)[from_head], of->numbers[0]));
    }
}

void survey_write_csv(const struct survey *survey, FILE *stream)
{
    fputs("layer,head,figure,value,n,low,high\n", stream);
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        write_rows_of_head(survey, i / survey->heads, i % survey->heads, stream);
    for (size_t r = 0; r < survey_count(survey, ROW_RELATION); r++) {
        const struct survey_row *of = survey_at(survey, ROW_RELATION, r);
        const struct evidence_relation any = evidence_relation(survey, r, 0, 0);
        write_share(stream, ",", "offset", of, (struct evidence_share){any.offset, NAN, NAN, 0, 0});
        write_share(stream, ",", "guessed", of, any.offset_share);
    }
}
