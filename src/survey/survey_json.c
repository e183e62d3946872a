/* survey_json.c: a survey as JSON and as a long table. */
#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/survey/arrays.h"
#include "headlight/survey/evidence.h"
#include "headlight/survey/survey_file.h"
#include "headlight/text/csv.h"

#include <inttypes.h>
#include <math.h>

/* Word pieces listed of each head. */
#define PIECES_LISTED 50

/* ---- Numbers ---- */

/* [1,2,3], or nested once for each axis: [[1,2],[3,4]]. */
static void write_numbers(FILE *stream, const int64_t *numbers, const size_t *shape, size_t rank)
{
    size_t each = 1;
    for (size_t i = 1; i < rank; i++)
        each *= shape[i];
    fputc('[', stream);
    for (size_t i = 0; i < shape[0]; i++) {
        fputs(i > 0 ? "," : "", stream);
        if (rank == 1)
            fprintf(stream, "%" PRId64, numbers[i]);
        else
            write_numbers(stream, numbers + i * each, shape + 1, rank - 1);
    }
    fputc(']', stream);
}

/* ,"name":[[…]] for each layer and head, the last axis only if it is not 1. */
static void write_heads(FILE *stream, const struct survey *survey, const char *before,
                        const char *name, const int64_t *numbers, size_t last)
{
    const size_t shape[] = {survey->layers, survey->heads, last};
    fputs(before, stream);
    json_write_text(stream, name);
    fputc(':', stream);
    write_numbers(stream, numbers, shape, last == 1 ? 2 : 3);
}

/* ---- Members ---- */

void survey_write_corpora(const struct survey *survey, FILE *stream)
{
    fputc('[', stream);
    for (size_t i = 0; i < survey->corpus_count; i++) {
        const struct survey_corpus *corpus = &survey->corpora[i];
        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", stream);
        json_write_text(stream, corpus->name);
        fprintf(stream, ",\"parts\":%" PRIu64 ",\"shards\":[", corpus->parts);
        for (size_t s = 0; s < corpus->shard_count; s++)
            fprintf(stream, "%s%" PRIu64, s > 0 ? "," : "", corpus->shards[s]);
        fprintf(stream,
                "],\"texts\":%" PRId64 ",\"too_long\":%" PRId64 ",\"refused\":%" PRId64
                ",\"ids\":\"%016" PRIx64 "\"}",
                corpus->texts, corpus->too_long, corpus->refused, corpus->ids);
    }
    fputc(']', stream);
}

static void write_figures(const struct survey *survey, FILE *stream)
{
    fputs(",\"rows\":{", stream);
    for (size_t i = 0; i < survey_axis(survey, 'F'); i++) {
        const enum survey_figure f = survey_figure_at(survey, i);
        fprintf(stream, "%s\"%s\":%" PRId64, i > 0 ? "," : "", evidence_figure_name(f),
                survey->figures[f].rows);
    }
    fputs("},\"figures\":{", stream);
    for (size_t i = 0; i < survey_axis(survey, 'F'); i++) {
        const enum survey_figure f = survey_figure_at(survey, i);
        write_heads(stream, survey, i > 0 ? "," : "", evidence_figure_name(f),
                    survey->figures[f].sum, 1);
    }
    fputc('}', stream);
    write_heads(stream, survey, ",", "reach", survey->reach, SURVEY_REACH);
    write_heads(stream, survey, ",\"histograms\":{", "maximum", survey->maxima, SURVEY_BINS);
    write_heads(stream, survey, ",", "entropy", survey->entropies, SURVEY_BINS);
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
        const int64_t asked = survey->figures[SURVEY_EFFECT].rows;
        fprintf(stream, ",\"effects\":{\"texts\":%" PRId64 ",\"unasked\":%" PRId64 ",", asked,
                survey->texts - asked);
        write_means(survey, SURVEY_EFFECT, stream);
        fputc('}', stream);
    }
    if (!survey_has(survey, SURVEY_MOVED))
        return;
    const size_t levels = survey->layers + 1;
    fprintf(stream,
            ",\"moved\":{\"answers\":%" PRId64 ",\"flipped\":%" PRId64 ",\"vectors\":%" PRId64
            ",\"cosines\":",
            survey->counts[SURVEY_ANSWERS], survey->counts[SURVEY_FLIPPED],
            survey->counts[SURVEY_VECTORS]);
    write_numbers(stream, survey->cosines, &levels, 1);
    fputc(',', stream);
    write_means(survey, SURVEY_MOVED, stream);
    fputc('}', stream);
}

/* Offsets that never occur are left out. */
static void write_relations(const struct survey *survey, FILE *stream)
{
    fputs(",\"relations\":{", stream);
    for (size_t r = 0; r < survey->relation_count; r++) {
        const struct survey_relation *relation = &survey->relations[r];
        const char *before = "";
        fputs(r > 0 ? "," : "", stream);
        json_write_text(stream, relation->name);
        fprintf(stream, ":{\"count\":%" PRId64 ",\"offsets\":{", relation->count);
        for (int i = 0; i <= SURVEY_OFFSET_FAR; i++) {
            if (relation->offsets[i] == 0)
                continue;
            if (i < SURVEY_OFFSET_FAR)
                fprintf(stream, "%s\"%d\":%" PRId64, before, i - SURVEY_OFFSETS,
                        relation->offsets[i]);
            else
                fprintf(stream, "%s\"far\":%" PRId64, before, relation->offsets[i]);
            before = ",";
        }
        write_heads(stream, survey, "},", "dependent", relation->dependent, 1);
        write_heads(stream, survey, ",", "head", relation->head, 1);
        fputc('}', stream);
    }
    fputc('}', stream);
}

/* Pairs that have no weight in any head are left out. */
static void write_pos(const struct survey *survey, FILE *stream)
{
    const size_t P = survey->pos_count, heads = survey->layers * survey->heads;
    const char *before = "";
    fputs(",\"pos\":{\"from\":{", stream);
    for (size_t p = 0; p < P; p++) {
        fputs(p > 0 ? "," : "", stream);
        json_write_text(stream, survey->pos[p]);
        fprintf(stream, ":%" PRId64, survey->pos_words[p]);
    }
    fputs("},\"mass\":{", stream);
    for (size_t i = 0; i < P * P; i++) {
        const int64_t *mass = survey->pos_mass + i * heads;
        char name[1024];
        bool any = false;
        for (size_t h = 0; h < heads; h++)
            any |= mass[h] != 0;
        if (!any)
            continue;
        format_cut(name, sizeof name, "%s>%s", survey->pos[i / P], survey->pos[i % P]);
        write_heads(stream, survey, before, name, mass, 1);
        before = ",";
    }
    fputs("}}", stream);
}

static void write_example(const struct survey *survey, const struct survey_example *example,
                          bool first, FILE *stream)
{
    const struct survey_text *text = &survey->kept[example->text];
    fprintf(stream,
            "%s{\"text\":%" PRIu64 ",\"from\":%" PRId64 ",\"to\":%" PRId64 ",\"weight\":%" PRId64
            ",\"id\":",
            first ? "" : ",", text->number, example->from, example->to, example->weight);
    json_write_text(stream, text->id);
    fputc('}', stream);
}

/* A list may have fewer than it has room for. */
static void write_list(const struct survey *survey, const struct survey_example *list, size_t room,
                       FILE *stream)
{
    fputc('[', stream);
    for (size_t i = 0; i < room && list[i].weight > 0; i++)
        write_example(survey, &list[i], i == 0, stream);
    fputc(']', stream);
}

/* "name":[[…]], a list of lists of each head. */
static void write_examples(const struct survey *survey, bool uniform, FILE *stream)
{
    for (size_t i = 0; i < survey->layers * survey->heads; i++) {
        const struct survey_examples *examples = &survey->examples[i];
        fputs(i == 0 ? "[[" : i % survey->heads == 0 ? "],[" : ",", stream);
        if (!uniform) {
            write_list(survey, examples->strongest, SURVEY_STRONGEST, stream);
            continue;
        }
        for (size_t d = 0; d < SURVEY_DECILES; d++) {
            fprintf(stream, "%s{\"texts\":%" PRId64 ",\"sample\":", d > 0 ? "," : "[",
                    examples->deciles[d]);
            write_list(survey, examples->uniform[d], SURVEY_UNIFORM, stream);
            fputc('}', stream);
        }
        fputc(']', stream);
    }
    fputs("]]", stream);
}

/* The words of the texts that examples are of. */
static void write_kept(const struct survey *survey, FILE *stream)
{
    fputs(",\"sentences\":[", stream);
    for (size_t k = 0; k < survey->kept_count; k++) {
        const struct survey_text *text = &survey->kept[k];
        fputs(k > 0 ? ",{\"corpus\":" : "{\"corpus\":", stream);
        json_write_text(stream, survey->corpora[text->corpus].name);
        fprintf(stream, ",\"text\":%" PRIu64 ",\"id\":", text->number);
        json_write_text(stream, text->id);
        fputs(",\"words\":", stream);
        json_write_text(stream, text->words);
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
        fputs(i == 0 ? "[[" : i % survey->heads == 0 ? "],[" : ",", stream);
        for (int at = 0; at < 2; at++) {
            const size_t count = evidence_words(survey, i / survey->heads, i % survey->heads, at,
                                                words, PIECES_LISTED);
            fputs(at ? ",\"at\":[" : "{\"from\":[", stream);
            for (size_t k = 0; k < count; k++) {
                const struct survey_piece *piece = words[k].piece;
                fputs(k > 0 ? ",{\"piece\":" : "{\"piece\":", stream);
                json_write_text(stream, piece->name);
                fprintf(stream, ",\"weight\":%" PRId64 ",\"count\":%" PRId64 "}",
                        (at ? piece->at : piece->from)[i], piece->count);
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
    for (size_t i = 0; i < SURVEY_TOTALS; i++)
        fprintf(stream, ",\"%s\":%" PRId64, survey_total_names[i], survey->totals[i]);
    fprintf(stream, ",\"unit\":%d", SURVEY_UNIT);
    fputs(",\"corpora\":", stream);
    survey_write_corpora(survey, stream);
    write_figures(survey, stream);
    write_asked(survey, stream);
    write_relations(survey, stream);
    write_pos(survey, stream);
    fputs(",\"examples\":", stream);
    write_examples(survey, false, stream);
    fputs(",\"deciles\":", stream);
    write_examples(survey, true, stream);
    write_kept(survey, stream);
    write_pieces(survey, stream);
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
                        const struct survey_relation *relation, struct evidence_share share)
{
    char name[1024];
    format_cut(name, sizeof name, "%s:%s", kind, relation->name);
    write_row(stream, place, name, share.value, relation->count, share.low, share.high);
}

static void write_rows_of_head(const struct survey *survey, size_t layer, size_t head, FILE *stream)
{
    const size_t at = layer * survey->heads + head;
    char place[48];
    snprintf(place, sizeof place, "%zu,%zu", layer, head);
    for (size_t k = 0; k < survey_axis(survey, 'F'); k++) {
        const enum survey_figure f = survey_figure_at(survey, k);
        const struct evidence_mean mean = evidence_mean(survey, f, layer, head);
        write_row(stream, place, evidence_figure_name(f), mean.value, mean.rows,
                  mean.value - mean.half, mean.value + mean.half);
    }
    for (size_t r = 0; r < survey->relation_count; r++) {
        const struct survey_relation *of = &survey->relations[r];
        write_share(stream, place, "dependent", of, evidence_share(of->dependent[at], of->count));
        write_share(stream, place, "head", of, evidence_share(of->head[at], of->count));
    }
}

void survey_write_csv(const struct survey *survey, FILE *stream)
{
    fputs("layer,head,figure,value,n,low,high\n", stream);
    for (size_t i = 0; i < survey->layers * survey->heads; i++)
        write_rows_of_head(survey, i / survey->heads, i % survey->heads, stream);
    for (size_t r = 0; r < survey->relation_count; r++) {
        const struct evidence_relation any = evidence_relation(survey, r, 0, 0);
        const double offset = any.offset;
        write_share(stream, ",", "offset", any.relation,
                    (struct evidence_share){offset, NAN, NAN, 0, 0});
        write_share(stream, ",", "guessed", any.relation, any.offset_share);
    }
}
