/* A corpus: the first byte says of which kind, and with which columns. What is read is UTF-8 that
 * fits together; what is refused is named with its line. */
#include "fuzz.h"

#include "headlight/base/format.h"
#include "headlight/base/json.h"
#include "headlight/survey/texts.h"
#include "headlight/text/unicode.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"x", "x.txt", "x.jsonl", "x.conllu"}, *const tables[] = {
                                                                              "x.csv", "x.tsv",
                                                                              "x.jsonl", "x"};

static void look_at_text(struct text text)
{
    promise(unicode_valid(text.bytes, text.length));
}

static void look_at_words(const struct corpus_text *text)
{
    const char *at = text->texts[0].bytes;
    promise((text->words != NULL) == (text->word_count > 0));
    for (size_t i = 0; i < text->word_count; i++) {
        const struct corpus_word *word = &text->words[i];
        promise(word->form.bytes == at && word->form.length > 0);
        promise(word->head == NO_WORD || (word->head < text->word_count && word->head != i));
        at += word->form.length + 1;
    }
    promise(text->word_count == 0 || at == text->texts[0].bytes + text->texts[0].length + 1);
    for (size_t i = 0; text->tags && i < text->word_count; i++)
        look_at_text(text->tags[i]);
}

static void look_at(const struct corpus_text *text)
{
    struct error error;
    struct buffer buffer;
    cJSON *object;
    promise(text->text_count == 1 || text->text_count == 2);
    for (size_t i = 0; i < text->text_count; i++)
        look_at_text(text->texts[i]);
    look_at_words(text);
    promise(buffer_open(&buffer));
    fprintf(buffer.stream, "{%.*s}", (int)text->carried.length, text->carried.bytes);
    char *json = buffer_close(&buffer);
    promise(json && is_fit_to_print(json, buffer.length));
    promise(json_parse_object(json, buffer.length, "fuzz", &object, &error) == STATUS_OK);
    cJSON_Delete(object);
    free(json);
}

void fuzz_corpus(const uint8_t *data, size_t size)
{
    const unsigned kind = size > 0 ? data[0] : 0;
    const char *name = kind & 8 ? tables[kind % 4] : names[kind % 4];
    const struct corpus_choice choice = {.sample = kind & 4 ? 2 : 0,
                                         .columns = kind & 16  ? "a,b"
                                                    : kind & 8 ? "a"
                                                               : NULL};
    struct corpus *corpus;
    struct error error;
    uint64_t number = 0;
    fuzz_write(name, data + (size > 0), size - (size > 0));
    const enum status opened = corpus_open(fuzz_path(name), &choice, &corpus, &error);
    promise(opened == STATUS_OK || opened == STATUS_UNSUPPORTED || opened == STATUS_USAGE);
    for (const struct corpus_text *text = NULL; opened == STATUS_OK;) {
        const enum status status = corpus_next(corpus, &text, &error);
        promise(status == STATUS_OK || strstr(error.message, "expected"));
        if (!text)
            break;
        promise(text->number >= number && text->line > text->number && *text->id);
        number = text->number + 1;
        promise(status == STATUS_OK || strstr(error.message, ", line "));
        if (status == STATUS_OK)
            look_at(text);
    }
    corpus_close(corpus);
}
