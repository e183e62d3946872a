/* inputs.c: one row for each kind of file and text. Most rows go through the doors of tests/fuzz:
 * what is read there is also looked at, drawn and computed with. */
#include "../opening.h"
#include "budgets.h"

#include "headlight/model/family.h"
#include "headlight/survey/survey_file.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making an input ---- */

static void put(struct input *input, const void *bytes, size_t size)
{
    while (input->room < input->size + size + 1) {
        input->room = 2 * (input->size + size) + 64;
        input->bytes = realloc(input->bytes, input->room);
        promise(input->bytes != NULL);
    }
    memcpy(input->bytes + input->size, bytes, size);
    input->size += size;
}

static void put_text(struct input *input, const char *text)
{
    put(input, text, strlen(text));
}

/* The number that a sign of the repetition stands for; -1: the sign itself. */
static long number_of(char sign, size_t repetition)
{
    const long i = (long)repetition;
    switch (sign) {
    case '#':
        return i;
    case '$':
        return 4 * i;
    case '%':
        return 4 * i + 4;
    case '+':
        return i + 1;
    case '^':
        return 3 * i + 1;
    case '&':
        return 3 * i + 2;
    case '~':
        return 3 * i + 3;
    default:
        return -1;
    }
}

static void put_each(struct input *input, const char *each, size_t repetition)
{
    for (; *each; each++) {
        char digits[24];
        long number = number_of(*each, repetition);
        snprintf(digits, sizeof digits, "%ld", number);
        put(input, number < 0 ? each : digits, number < 0 ? 1 : strlen(digits));
    }
}

void input_make(struct input *input, const struct budget *budget, size_t size)
{
    size_t repetitions = 0;
    input->size = 0;
    put_text(input, budget->front);
    for (; input->size < size; repetitions++)
        put_each(input, budget->each, repetitions);
    put_text(input, budget->back);
    if (budget->finish)
        budget->finish(input, repetitions);
}

/* ---- Last touches ---- */

static void put_in_front(struct input *input, const void *bytes, size_t size)
{
    put(input, bytes, size); /* makes room */
    memmove(input->bytes + size, input->bytes, input->size - size);
    memcpy(input->bytes, bytes, size);
}

/* The length of a safetensors header goes in front. */
static void add_length(struct input *input, size_t repetitions)
{
    unsigned char length[8];
    (void)repetitions;
    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)(input->size >> 8 * i);
    put_in_front(input, length, sizeof length);
}

/* And 4 bytes for each tensor behind. */
static void add_data(struct input *input, size_t repetitions)
{
    add_length(input, repetitions);
    for (size_t i = 0; i < repetitions; i++)
        put(input, "\0\0\0", 4);
}

static void add_number(struct input *input, size_t repetitions)
{
    (void)repetitions;
    add_data(input, 1);
}

/* A line of merges.txt for each three pieces. */
static void add_merges(struct input *input, size_t repetitions)
{
    for (size_t i = 0; i < repetitions; i++)
        put_each(input, "l# r#\n", i);
}

/* A recording of two layers of so many tokens that the weights have as many bytes as what is here.
 */
static void add_weights(struct input *input, size_t repetitions)
{
    char header[512];
    size_t tokens = 2;
    while (8 * (tokens + 1) * (tokens + 1) <= input->size)
        tokens++;
    (void)repetitions;
    const size_t bytes = 4 * tokens * tokens;
    input->size = 0;
    snprintf(
        header, sizeof header,
        "{\"layer.0.weights\":{\"dtype\":\"F32\",\"shape\":[1,%zu,%zu],\"data_offsets\":[0,%zu]},"
        "\"layer.1.weights\":{\"dtype\":\"F32\",\"shape\":[1,%zu,%zu],\"data_offsets\":[%zu,%zu]},"
        "\"__metadata__\":{\"tokens\":\"[\\\"[CLS]\\\"",
        tokens, tokens, bytes, tokens, tokens, bytes, 2 * bytes);
    put_text(input, header);
    for (size_t i = 1; i < tokens; i++)
        put_each(input, ",\\\"w#\\\"", i);
    put_text(input, "]\"}}");
    add_data(input, 2 * tokens * tokens);
}

/* A message of protocol buffers that holds the others, in place of each "\n(" … ")". */
static void add_trainer(struct input *input, size_t repetitions)
{
    /* pieces of 8 letters, with a score; the first is the unknown one */
    static const char unknown[] = "\x0A\x0E\x0A\x05<unk>\x15\0\0\0\0\x18\x02";
    static const char settings[] = "\x12\x02\x18\x01\x1A\x00";
    const size_t count = input->size / 17;
    (void)repetitions;
    input->size = 0;
    put(input, unknown, 16);
    for (size_t i = 0; i < count; i++) {
        char piece[18];
        snprintf(piece, sizeof piece, "\x0A\x0F\x0A\x08%c%c%c%c%c%c%c%c\x15", (int)('a' + i % 26),
                 (int)('a' + i / 26 % 26), (int)('a' + i / 676 % 26), (int)('a' + i / 17576 % 26),
                 'x', 'y', 'z', (int)('a' + i % 7));
        put(input, piece, 13);
        put(input, "\0\0\x80\xC0", 4);
    }
    put(input, settings, 6);
}

/* A map of characters whose array is empty: a byte 0 that chooses it, the array, and a NUL behind
 * each replacement. */
static void add_array(struct input *input, size_t repetitions)
{
    static const unsigned char array[1 + 4 + 1024] = {0, 0, 4};
    (void)repetitions;
    for (size_t i = 0; i < input->size; i++)
        input->bytes[i] = input->bytes[i] == '|' ? '\0' : input->bytes[i];
    put_in_front(input, array, sizeof array);
}

/* ---- Surveys ---- */

/* With every step-th of the shards of a corpus. */
static struct survey *new_survey(size_t heads, size_t first, size_t step, size_t shards,
                                 size_t parts)
{
    struct survey *survey;
    struct error error;
    promise(survey_new(SITE_ONLY, heads, heads, &survey, &error) == STATUS_OK);
    for (size_t i = 0; i < SURVEY_ORIGINS - 1; i++)
        promise((survey->origin.all[i] = strdup("")) != NULL);
    for (size_t i = 0; i < shards; i++)
        promise(survey_insert(
                    survey,
                    &(struct survey_key){.kind = ROW_SHARD,
                                         .names[0] = {"corpus", 6},
                                         .numbers = {(int64_t)(first + step * i), (int64_t)parts}},
                    &error) != NULL);
    return survey;
}

static void put_file(struct input *input)
{
    static char bytes[4096];
    FILE *stream = fopen(fuzz_path("budget.survey"), "rb");
    promise(stream != NULL);
    input->size = 0;
    for (size_t used; (used = fread(bytes, 1, sizeof bytes, stream)) > 0;)
        put(input, bytes, used);
    fclose(stream);
}

/* A piece, a text and a shard for each repetition. */
static void add_survey(struct input *input, size_t repetitions)
{
    struct survey *survey = new_survey(1, 0, 1, repetitions + 1, repetitions + 1);
    struct error error;
    for (size_t i = 0; i < repetitions; i++)
        promise(survey_insert(survey,
                              &(struct survey_key){.kind = ROW_PIECE,
                                                   .names[1] = {"piece", 5},
                                                   .numbers[0] = (int64_t)i},
                              &error) &&
                survey_insert(survey,
                              &(struct survey_key){.kind = ROW_TEXT,
                                                   .names = {{"corpus", 6}, {"a few words", 11}},
                                                   .numbers[0] = (int64_t)i},
                              &error));
    promise(survey_write(survey, fuzz_path("budget.survey"), &error) == STATUS_OK);
    survey_free(survey);
    put_file(input);
}

/* A token for each repetition, of one text, with a vector. */
static void add_tokens(struct input *input, size_t repetitions)
{
    static const char zeros[64];
    struct survey *survey = new_survey(0, 0, 1, 1, 1);
    struct safetensors_header header;
    struct error error;
    const size_t strings = 4, bytes = 44 * repetitions + 24 + strings;
    FILE *stream = fopen(fuzz_path("budget.survey"), "wb");
    promise(stream != NULL);
    safetensors_begin(&header);
    survey_add_table(survey, "index", &header);
    safetensors_add_tensor(&header, "tokens", "I32", (const size_t[]){repetitions, 7}, 2);
    safetensors_add_tensor(&header, "texts", "I64", (const size_t[]){1, 3}, 2);
    safetensors_add_tensor(&header, "layer.1", "F16", (const size_t[]){repetitions, 8}, 2);
    safetensors_add_tensor(&header, "strings", "U8", &strings, 1);
    promise(safetensors_end(&header, stream, &error) == STATUS_OK);
    survey_write_table(survey, stream);
    survey_free(survey);
    for (size_t i = 0; i < bytes; i += sizeof zeros)
        fwrite(zeros, 1, bytes - i < sizeof zeros ? bytes - i : sizeof zeros, stream);
    promise(fclose(stream) == 0);
    put_file(input);
}

static void merge_shards(const uint8_t *data, size_t size)
{
    const size_t shards = size / 16 + 1;
    struct survey *even = new_survey(1, 0, 2, shards, 2 * shards + 2);
    struct survey *odd = new_survey(1, 1, 2, shards, 2 * shards + 2);
    struct error error;
    (void)data;
    promise(survey_merge(even, odd, &error) == STATUS_OK);
    promise(survey_count(even, ROW_SHARD) == 2 * shards);
    survey_free(even);
    survey_free(odd);
}

/* ---- Texts through the families' tokenizers ---- */

/* A family's tokenizer, opened on the first call, which is not counted. */
static void encode_with(const char *folder, const char *family, const uint8_t *data, size_t size)
{
    static char opened[64];
    static struct tokenizer *tokenizer;
    const struct text text = {(const char *)data, size};
    struct encoding *encoding;
    struct error error;
    const char **names;
    if (strcmp(opened, folder) != 0) {
        tokenizer_free(tokenizer);
        promise(tokenizer_open(folder, &family_of_type(family)->tokenizer, &tokenizer, &error) ==
                STATUS_OK);
        snprintf(opened, sizeof opened, "%s", folder);
    }
    promise(tokenizer_encode(tokenizer, &text, 1, true, &encoding, &error) == STATUS_OK);
    int32_t *ids = malloc((encoding->count + 1) * sizeof *ids);
    promise(ids != NULL);
    for (size_t i = 0; i < encoding->count; i++)
        ids[i] = encoding->tokens[i].id;
    promise(labels_new(tokenizer, encoding, ids, &names, &error) == STATUS_OK);
    free(names);
    free(ids);
    free(encoding);
}

#define FAMILY(name, folder, family)                                                               \
    static void name(const uint8_t *data, size_t size)                                             \
    {                                                                                              \
        encode_with("tests/vectors/families/" folder, family, data, size);                         \
    }
FAMILY(bert, "distilbert", "bert")
FAMILY(gpt2, "gpt2", "gpt2")
FAMILY(roberta, "roberta", "roberta")
FAMILY(xlm_roberta, "xlm-roberta", "xlm-roberta")
FAMILY(albert, "albert/json", "albert")
FAMILY(modernbert, "modernbert/json", "modernbert")

/* What is hard for one tokenizer or another: words, one long word, marks in a row that have to be
 * sorted, spaces, letters that are taken apart, ideographs, signs, tokens that are spelt out. */
#define TEXT                   1024
#define HARD(text, kind, each) #text ", " kind, text, "a", each, "b", NULL, TEXT
#define TEXTS(name)                                                                                \
    {HARD(name, "words", " word #"), 8000, 400}, {HARD(name, "one word", "abcabd"), 8000, 400},    \
        {HARD(name, "marks", "\xCC\x81\xCC\xA3"), 8000, 400},                                      \
        {HARD(name, "spaces", "    "), 8000, 400},                                                 \
        {HARD(name, "ligatures", "\xEF\xB7\xBA"), 40000, 1200},                                    \
        {HARD(name, "ideographs", "\xE4\xBA\xBA"), 8000, 400},                                     \
        {HARD(name, "emoji", "\xF0\x9F\x91\xA9\xE2\x80\x8D"), 8000, 400},                          \
    {                                                                                              \
        HARD(name, "spelt", "[MASK] <mask>"), 8000, 400                                            \
    }

/* ---- The table ---- */

/* More tokens than the model has positions, as with more words behind. */
#define TEN(word) word word word word word word word word word word
#define MORE      TEN(TEN(" and words")) /* than a step may have */
#define LONG      TEN("the cat ") TEN("the cat ") TEN("the cat ")

#define BERT                                                                                       \
    "{\"model_type\":\"bert\",\"vocab_size\":101,\"hidden_size\":8,\"num_hidden_layers\":2,"       \
    "\"num_attention_heads\":2,\"intermediate_size\":16,\"max_position_embeddings\":48"

const struct budget budgets[] = {
    {"config.json", fuzz_config, BERT, ",\"key#\":#", "}", NULL, 0, 4000, 200},
    {"config.json, labels", fuzz_config, BERT ",\"id2label\":{\"x\":\"y\"", ",\"#\":\"label #\"",
     "}}", NULL, 0, 4000, 200},
    {"tokenizer.json, WordPiece", fuzz_tokenizer, "{\"model\":{\"vocab\":{\"[UNK]\":0", ",\"w#\":+",
     "}}}", NULL, 0, 4000, 400},
    {"tokenizer.json, BPE", fuzz_tokenizer,
     "{\"pre_tokenizer\":{\"type\":\"ByteLevel\"},\"model\":{\"type\":\"BPE\",\"vocab\":{\"u\":0",
     ",\"l#\":^,\"r#\":&,\"l#r#\":~", "},\"merges\":[]}}", NULL, 0, 4000, 400},
    {"tokenizer.json, Unigram", fuzz_tokenizer, "{\"model\":{\"unk_id\":0,\"vocab\":[[\"?\",-9]",
     ",[\"w#\",-#.5]", "]}}", NULL, 0, 4000, 400},
    {"tokenizer.json, steps", fuzz_tokenizer,
     "{\"model\":{\"unk_id\":0,\"vocab\":[[\"?\",-9]]},\"normalizer\":{\"type\":\"Sequence\","
     "\"normalizers\":[{\"type\":\"NFC\"}",
     ",{\"type\":\"NFC\"}", "]}}", NULL, 0, 4000, 400},
    {"tokenizer.json, added", fuzz_tokenizer,
     "{\"model\":{\"unk_id\":0,\"vocab\":[[\"?\",-9]]},\"added_tokens\":[{\"id\":1,\"content\":\"<"
     "\"}",
     ",{\"id\":%,\"content\":\"<#>\"}", "]}", NULL, 0, 4000, 400},
    {"tokenizer_config.json", fuzz_settings, "{\"x\":0", ",\"key#\":#", "}", NULL, 0, 4000, 200},
    {"tokenizer_config.json, added", fuzz_settings,
     "{\"added_tokens_decoder\":{\"5\":{\"content\":\"the\"}", ",\"1#\":{\"content\":\"<#>\"}",
     "}}", NULL, 0, 4000, 200},
    {"vocab.txt", fuzz_vocabulary, "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]", "\nword#", "\n", NULL, 0,
     4000, 400},
    {"vocab.json, merges.txt", fuzz_bpe, "{\"u\":0", ",\"l#\":^,\"r#\":&,\"l#r#\":~",
     "}\n#version\n", add_merges, 0, 4000, 400},
    {"sentencepiece", fuzz_sentencepiece, "", "17 bytes a piece.", "", add_trainer, 0, 4000, 400},
    {"charsmap", fuzz_sentencepiece, "", "abc\xC3\xA9|", "", add_array, 0, 4000, 400},
    {"safetensors", fuzz_safetensors,
     "{\"x\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}",
     ",\"t#\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[$,%]}", "}", add_data, 0, 4000,
     200},
    {"safetensors, metadata", fuzz_safetensors, "{\"__metadata__\":{\"x\":\"y\"",
     ",\"key#\":\"value\"", "}}", add_length, 0, 4000, 200},
    {"index", fuzz_index, "{\"metadata\":{},\"weight_map\":{\"x\":\"a.safetensors\"",
     ",\"y\":\"a.safetensors\"", "}}", NULL, 0, 4000, 200},
    {"index, shards", fuzz_index, "{\"metadata\":{},\"weight_map\":{\"x\":\"a.safetensors\"",
     ",\"t#\":\"s#.safetensors\"", "}}", NULL, 0, 4000, 200},
    {"recording", fuzz_recording, "", "x", "", add_weights, 0, 4000, 200},
    {"recording, metadata", fuzz_recording,
     "{\"layer.0.weights\":{\"dtype\":\"F32\",\"shape\":[1,1,1],\"data_offsets\":[0,4]},"
     "\"__metadata__\":{\"tokens\":\"[\\\"a\\\"]\",\"texts\":\"[\\\"",
     "word # ", "\\\"]\"}}", add_number, 0, 4000, 200},
    {"lesson", fuzz_lesson, "# A\n\nB\n\n5 minutes\n",
     "\n## C #\n\n`--layer 1 the cat`\n\nText {layer of next} here.\n", "", NULL, 0, 4000, 200},
    {"lesson, conditions", fuzz_lesson,
     "# A\n\nB\n\n5 minutes\n\n## C\n\n`--layer 1 a`\n\nif words" MORE, " and {layer of next} > #",
     ":\nText.\n", NULL, 0, 4000, 200},
    {"state", fuzz_state,
     "{\"headlight\":\"0.1.0\",\"texts\":[\"the cat sat\"],\"changes\":{\"cut\":\"0.1.2.2",
     ",0.1.1.2", "\"}}", NULL, 0, 4000, 200},
    {"state, text", fuzz_state, "{\"headlight\":\"0.1.0\",\"texts\":[\"" LONG, "sat # ", "\"]}",
     NULL, TEXT, 4000, 400},
    {"corpus, lines", fuzz_corpus, "1a", "\nthe cat # sat", "\n", NULL, 0, 4000, 200},
    {"corpus, JSON lines", fuzz_corpus, "2", "{\"words\":[\"the\",\"cat #\"]}\n", "", NULL, 0, 4000,
     200},
    {"corpus, words of one text", fuzz_corpus, "2{\"words\":[\"a\"", ",\"w#\"", "]}\n", NULL, 0,
     4000, 400},
    {"corpus, CoNLL-U", fuzz_corpus, "3", "1\tcat\t_\tN#\t_\t_\t0\tr#\t_\t_\n\n", "", NULL, 0, 4000,
     200},
    {"corpus, CoNLL-U of one text", fuzz_corpus, "3", "+\tcat\t_\tN\t_\t_\t0\tr\t_\t_\n", "\n",
     NULL, 0, 4000, 400},
    {"survey", fuzz_survey, "", "as many bytes as a word piece, its sums, a text and a shard take",
     "", add_survey, 0, 12000, 400},
    {"survey, shards merged", merge_shards, "", "x", "", NULL, 0, 4000, 400},
    {"index of a corpus", fuzz_survey, "", "a token that has 44 bytes of numbers", "", add_tokens,
     0, 4000, 200},
    {"text, BERT", fuzz_text, "w", "word # \xC3\xA9 \xE4\xBA\xBA", "", NULL, TEXT, 12000, 400},
    TEXTS(bert),
    TEXTS(gpt2),
    TEXTS(roberta),
    TEXTS(xlm_roberta),
    TEXTS(albert),
    TEXTS(modernbert),
    {NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
