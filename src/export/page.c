/* page.c: writes one self-contained HTML file, the skeleton in assets/page with its placeholders
 * filled. Its Content-Security-Policy allows this script and style alone, and loads nothing. */
#include "headlight/export/page.h"

#include "headlight/base/incbin.h"
#include "headlight/session/derive.h"
#include "headlight/survey/index.h"
#include "headlight/text/marks.h"

#include <stdlib.h>

INCLUDE_FILE(page_skeleton, "assets/page/page.html");
INCLUDE_FILE(page_style, "assets/page/page.css");
INCLUDE_FILE(page_script, "assets/page/page.js");

/* The most bytes of weights in 16 bits: bert-base on 50 tokens. */
#define FINE_MOST 1000000

/* ---- What goes in ---- */

/* "3,7"; of an index, whose option it is as well, it may also name single heads. */
static enum status read_layers(const char *list, size_t layers, struct page_parts *parts,
                               struct error *error)
{
    struct index_space space;
    parts->layer_count = 0;
    for (const char *at = list; parts->layer_count < CONFIG_LAYERS_MAX; at++) {
        at = index_read_space(at, &space);
        if (!at || space.head != NO_HEAD || space.layer >= layers)
            break;
        parts->layers[parts->layer_count++] = space.layer;
        if (*at == '\0')
            return STATUS_OK;
        if (*at != ',')
            break;
    }
    return error_usage(error,
                       "--only: expected layers of a page from 0 to %zu, such as 0,2, found \"%s\"",
                       layers - 1, list);
}

/* Of each site all heads, or those that are drawn; another site may have others. */
static enum status choose_sites(const struct page *page, const struct output *output,
                                struct page_parts sites[SITE_COUNT + 1], size_t *bytes,
                                struct error *error)
{
    const struct data *data = &output->session->data;
    const struct encoded *one = data->encoded;
    size_t weights = 0;
    do {
        struct page_parts *parts = &sites[one->site];
        const struct trace *trace = one->trace;
        const head_mask heads = output->drawn_heads && trace->heads == data->head_count
                                    ? output->session->state.look.heads
                                    : head_mask_all(trace->heads);
        parts->encoded = one;
        for (size_t i = 0; i < trace->layers; i++)
            parts->layers[parts->layer_count++] = i;
        for (size_t i = 0; i < trace->heads; i++)
            if (head_mask_has(heads, i))
                parts->heads[parts->head_count++] = i;
        if (heads == 0)
            return error_usage(error, "--set heads: expected heads for a page, found none");
        if (output->layers && read_layers(output->layers, trace->layers, parts, error) != STATUS_OK)
            return error->status;
        weights += parts->layer_count * parts->head_count * trace->tokens * trace->attended;
    } while ((one = one->next) != data->encoded);
    const bool fine = page->single && 2 * weights <= FINE_MOST / 4 * 3;
    for (enum site site = 0; site <= SITE_ONLY; site++)
        sites[site].fine = fine;
    *bytes = weights * (fine ? 2 : 1);
    return STATUS_OK;
}

/* The members before those of the texts. */
enum status page_open(struct page *page, const struct output *output, bool single,
                      struct error *error)
{
    struct json_writer *json = &page->json;
    *page = (struct page){.single = single, .survey = output->session->data.survey};
    if (!buffer_open(&page->data))
        return error_memory(error, "the page", BUFSIZ);
    *json = (struct json_writer){.stream = page->data.stream, .write_text = page_write_shown};
    json_open(json, NULL, "{");
    json_put(json, JSON("format", 3), JSON("program", "headlight " HEADLIGHT_VERSION),
             JSON("model", output->session->data.model), JSON("bits", output->session->data.bits));
    json_open(json, "shown", "[");
    return STATUS_OK;
}

/* ---- The still picture ---- */

/* A width that reads well on paper; rows for bars and legend besides the tokens. */
#define COLUMNS     100
#define ROWS_MIN    28
#define ROWS_MAX    60
#define ROWS_BESIDE 14

/* The columns of two-column paper. */
static const struct paper paper = {.width = 6.9 * 72, .font_size = 8};

static void draw_within(const struct snapshot *snapshot, FILE *stream)
{
    snapshot_write_picture(snapshot, false, stream);
}

/* The head view, as it would be printed; of a survey whose model isn't there, its own. What makes
 * no figure, or is too wide for one, is drawn as on the screen. */
static enum status make_still(struct page *page, const struct output *output, struct error *error)
{
    struct session *session = output->session;
    const struct look before = session->state.look;
    struct look look = before;
    const size_t rows = size_min(size_max(session->data.tokens + ROWS_BESIDE, ROWS_MIN), ROWS_MAX);
    struct output picture = {.session = session,
                             .columns = COLUMNS,
                             .rows = (int)rows,
                             .depth = DEPTH_DIRECT,
                             .paper = &paper};
    struct buffer still;
    look.view = *session->data.lacking ? VIEW_CORPUS : VIEW_HEAD;
    look.theme = theme_number("light");
    look.presented = false;
    if (!buffer_open(&still))
        return error_memory(error, "the picture", BUFSIZ);
    enum status status = derive_look(session, &look, error);
    if (status == STATUS_OK)
        status = export_picture(&picture, FORMAT_CURVES, draw_within, still.stream, error);
    picture.paper = NULL;
    if (status == STATUS_USAGE)
        status = export_picture(&picture, FORMAT_CURVES, draw_within, still.stream, error);
    derive_look(session, &before, error);
    page->still = buffer_close(&still);
    return status != STATUS_OK || page->still ? status : error_memory(error, "the picture", BUFSIZ);
}

/* ---- Texts ---- */

/* All of the file, as far as it is known, and the weights of a text that isn't in it yet. */
static enum status check_size(const struct page *page, size_t weights, struct error *error)
{
    const size_t bytes = page->data.length + strlen(page->still) + BASE64_LENGTH(weights) +
                         (size_t)(page_skeleton_end - page_skeleton_begin) +
                         (size_t)(page_style_end - page_style_begin) +
                         (size_t)(page_script_end - page_script_begin);
    return bytes <= PAGE_MOST
               ? STATUS_OK
               : error_set(error, STATUS_LIMIT,
                           "the page would have at least %.2f MB, more than %.1f MB: choose fewer "
                           "heads, as with --only 0,1 or --set heads=0,1%s",
                           ceil((double)bytes / 1e4) / 100, PAGE_MOST / 1e6,
                           page->texts > 1 ? ", or fewer texts with --sample N" : "");
}

/* Lists of runs: a string, emphasis as {"em":…}, keys as {"kbd":…}. */
static void write_paragraphs(struct json_writer *json, const char *name, const char *text)
{
    struct marks marks = {.next = text ? text : ""};
    struct marked_run run;
    json_open(json, name, "[");
    while (*(marks.next += strspn(marks.next, "\n"))) {
        json_open(json, NULL, "[");
        while (marks_next(&marks, "\n", &run))
            if (run.key || run.strong)
                json_object(json, NULL, JSON_OF(run.key ? "kbd" : "em", run.text, run.length));
            else
                json_put(json, JSON_OF(NULL, run.text, run.length));
        json_close(json, "]");
    }
    json_close(json, "]");
}

enum status page_add(struct page *page, const struct output *output, const struct panel *panel,
                     struct error *error)
{
    struct session *session = output->session;
    struct json_writer *json = &page->json;
    struct page_parts sites[SITE_COUNT + 1] = {0};
    size_t weights = 0;
    if (!session->data.trace)
        return error_set(error, STATUS_UNSUPPORTED, "the text is not computed yet");
    page->texts++;
    if (page->texts == 1 && make_still(page, output, error) != STATUS_OK)
        return error->status;
    if (!*page->title) { /* the sentences, or of a survey alone and of a recording the model */
        const struct encoded *given = encoded_given_texts(session->data.encoded);
        const bool known = given->text_count > 0 && !*session->data.lacking;
        format_cut(page->title, sizeof page->title, "%s",
                   known ? given->texts[0].bytes : session->data.model);
        if (known && given->text_count > 1)
            format_add(page->title, sizeof page->title, " · %s", given->texts[1].bytes);
    }
    fflush(json->stream); /* the buffer's length is that of what was flushed */
    if (*session->data.lacking)
        return STATUS_OK;
    if (choose_sites(page, output, sites, &weights, error) != STATUS_OK ||
        check_size(page, weights, error) != STATUS_OK)
        return error->status;
    json_open(json, NULL, "{");
    if (panel) { /* the message says which setting of the step doesn't suit the model */
        json_put(json, JSON("title", panel->title));
        json_open(json, "lesson", "{");
        json_put(json, JSON("note", session->message));
        write_paragraphs(json, "text", panel->text);
        write_paragraphs(json, "look", panel->look);
        write_paragraphs(json, "learnt", panel->learnt);
        json_close(json, "}");
    }
    if (page_write_text(sites, output, json, error) != STATUS_OK ||
        page_write_answers(output, json, error) != STATUS_OK)
        return error->status;
    json_close(json, "}");
    return STATUS_OK;
}

/* ---- Places ---- */

/* 'sha256-…' of what stands in an element. */
static void write_hash(FILE *stream, const char *before, const unsigned char *of)
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[BASE64_LENGTH(SHA256_DIGEST_SIZE) + 1];
    sha256_init(&hash);
    sha256_update(&hash, strlen((const char *)of), of);
    sha256_end(&hash, digest);
    base64_write(text, digest, sizeof digest);
    fprintf(stream, "%s'sha256-%s'", before, text);
}

static bool is_at(const char *text, const char *name)
{
    return strncmp(text, name, strlen(name)) == 0;
}

enum status page_write(struct page *page, FILE *stream, struct error *error)
{
    enum status status = STATUS_OK;
    json_close(&page->json, "]");
    if (page->survey)
        status = page_write_survey(page->survey, &page->json, error);
    json_close(&page->json, "}");
    page->data.text = buffer_close(&page->data);
    page->data.stream = NULL;
    if (status != STATUS_OK)
        return status;
    if (!page->data.text)
        return error_memory(error, "the page", page->data.length);
    if (check_size(page, 0, error) != STATUS_OK)
        return error->status;
    /* the skeleton, place by place; any other comment is left out */
    const char *at = (const char *)page_skeleton_begin, *next;
    for (; (next = strstr(at, "<!--")); at = strstr(next, "-->") + 3) {
        fwrite(at, 1, (size_t)(next - at), stream);
        if (is_at(next, "<!-- title") || is_at(next, "<!-- heading"))
            snapshot_write_text(stream, page->title);
        else if (is_at(next, "<!-- style"))
            fputs((const char *)page_style_begin, stream);
        else if (is_at(next, "<!-- script"))
            fputs((const char *)page_script_begin, stream);
        else if (is_at(next, "<!-- still"))
            fputs(page->still, stream);
        else if (is_at(next, "<!-- policy")) {
            fputs("default-src 'none'", stream);
            write_hash(stream, "; script-src ", page_script_begin);
            write_hash(stream, "; style-src ", page_style_begin);
            fputs("; base-uri 'none'; form-action 'none'", stream);
        }
        /* no text ends the element: in JSON a sign can be written by its number */
        for (const char *sign = page->data.text; is_at(next, "<!-- data") && *sign; sign++)
            if (*sign == '<')
                fputs("\\u003c", stream);
            else
                fputc(*sign, stream);
    }
    fputs(at, stream);
    return STATUS_OK;
}

void page_free(struct page *page)
{
    if (page->data.stream)
        page->data.text = buffer_close(&page->data);
    free(page->data.text);
    free(page->still);
    *page = (struct page){.texts = 0};
}

enum status export_page(const struct output *output, FILE *stream, struct error *error)
{
    struct page page;
    struct player *player = output->player;
    const size_t count = player ? player->lesson->count : 1;
    enum status status = page_open(&page, output, !player, error);
    if (player) { /* the pictures are of its steps alone */
        output->session->teacher = NULL;
        output->session->panel = NULL;
        format_cut(page.title, sizeof page.title, "%s", player->lesson->title);
    }
    for (size_t step = 0; status == STATUS_OK && step < count; step++) {
        if (player) {
            output->session->message[0] = '\0';
            status = player_show(player, step, error);
        }
        if (status == STATUS_OK)
            status = page_add(&page, output, player ? &player->panel : NULL, error);
    }
    if (status == STATUS_OK)
        status = page_write(&page, stream, error);
    page_free(&page);
    return status;
}
