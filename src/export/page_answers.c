/* page_answers.c: the model's answers for the page: what of them stands on a screen, by the names
 * that it has there. */
#include "headlight/export/export_members.h"
#include "headlight/export/page.h"

#include "headlight/base/json.h"
#include "headlight/base/size.h"
#include "headlight/lens/answer_rows.h"

#include <math.h>
#include <string.h>

/* Listed in a row; of classes there are rarely more. */
#define LISTED 8

struct page_answers {
    const struct sheet *sheet;
    size_t top;        /* pieces at a token */
    const char *title; /* of the rows that are written; NULL: none is yet */
};

/* {"token":2,"of":"[MASK]","text":"are","share":0.91,"before":0.42}; those of one output together.
 */
static void write_row(void *to, const struct answer_row *row)
{
    struct page_answers *answers = to;
    const struct sheet *sheet = answers->sheet;
    const struct target *on = &row->on;
    FILE *stream = sheet->stream;
    char name[512] = "no answer";
    if (on->output == OUTPUT_COUNT || (target_is_word(on->output) && row->rank > answers->top))
        return; /* beside what the model says first */
    if (answers->title != row->title)
        fprintf(stream, "%s{\"kind\":\"%s\",\"title\":\"%s\",\"rows\":[",
                answers->title ? "]}," : "", row->kind, row->title);
    else
        fputc(',', stream);
    answers->title = row->title;
    fputc('{', stream);
    if (target_has_token(on->output)) {
        fprintf(stream, "\"token\":%zu", row->token);
        page_write_shown(stream, ",\"of\":",
                         text_of_string(sheet->encoded->sides[SIDE_LEFT].labels[row->token]));
        fputc(',', stream);
    }
    if (on->output != OUTPUT_START || row->name)
        target_name(sheet->checkpoint, sheet->encoded, on, name, sizeof name);
    page_write_shown(stream, "\"text\":", text_of_string(name));
    export_write_number(
        stream,
        target_is_score(sheet->checkpoint->model, on) ? ",\"value\":" : ",\"share\":", row->number);
    if (!isnan(row->before))
        export_write_number(stream, ",\"before\":", row->before);
    fputc('}', stream);
}

/* A recording says nothing. */
enum status page_write_answers(const struct output *output, FILE *stream, struct error *error)
{
    const struct encoded *encoded = output->session->data.encoded;
    struct sheet sheet = {.output = output,
                          .session = output->session,
                          .checkpoint = output->session->checkpoint,
                          .encoded = encoded,
                          .trace = encoded->trace,
                          .token = NO_TOKEN,
                          .stream = stream};
    struct page_answers answers = {.sheet = &sheet};
    if (!sheet.checkpoint)
        return STATUS_OK;
    fputs(",\"answers\":[", stream);
    enum status status = answers_ask(&sheet, error);
    if (status == STATUS_OK) {
        struct answer_source source = answers_source(&sheet);
        source.top = answers.top = size_min(source.top, LISTED);
        source.labels = LISTED;
        status = answer_rows(&source, OUTPUT_COUNT, write_row, &answers, error);
    }
    fputs(answers.title ? "]}]" : "]", stream);
    members_free(&sheet);
    return status;
}
