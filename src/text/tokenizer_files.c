/* tokenizer_files.c: tokenizers from the files of the time before tokenizer.json. These leave
 * unsaid what every program of a family knows; struct tokenizer_family says it, and what comes out
 * is what a tokenizer.json would have filled in. */
#include "headlight/base/json.h"
#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/tokenizer_reader.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct tokenizer_reader reader_of(const struct tokenizer_reader *in, const char *source)
{
    return (struct tokenizer_reader){in->tokenizer, source, in->error};
}

/* ---- vocab.txt ---------------------------------------------------------------------------- */

/* "BertTokenizer", "BertTokenizerFast", and those that do the same under other names. */
static bool is_wordpiece(const char *class)
{
    static const char *const classes[] = {"BertTokenizer", "DistilBertTokenizer",
                                          "ElectraTokenizer", "MPNetTokenizer"};
    for (size_t i = 0; i < COUNT(classes); i++) {
        size_t length = strlen(classes[i]);
        if (strncmp(class, classes[i], length) == 0 &&
            (class[length] == '\0' || strcmp(class + length, "Fast") == 0))
            return true;
    }
    return false;
}

/* The settings of another tokenizer would be silently misread. */
static bool check_class(const struct tokenizer_reader *in, const cJSON *config)
{
    const char *class = "BertTokenizer";
    bool basic = true;
    if (!reader_string(in, config, "tokenizer_class", &class) ||
        !reader_bool(in, config, "do_basic_tokenize", &basic))
        return false;
    if (!is_wordpiece(class))
        return reader_fail(in, STATUS_UNSUPPORTED,
                           "expected \"tokenizer_class\" to be \"BertTokenizer\" or one like it, "
                           "found \"%.100s\"; a vocab.txt is read as BERT's WordPiece",
                           class);
    return basic ||
           reader_fail(in, STATUS_UNSUPPORTED,
                       "expected \"do_basic_tokenize\" to be true, found false; headlight always "
                       "splits a text into words first, as BERT does");
}

static bool read_vocab_txt(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    static const struct step_choice steps[] = {
        BERT_STEPS("do_lower_case", "tokenize_chinese_chars")};
    const struct tokenizer_reader settings = reader_of(in, files->settings->name);
    const cJSON *config = files->settings->config;
    in->tokenizer->splitters[in->tokenizer->splitter_count++].kind = SPLITTER_BERT;
    return check_class(&settings, config) && reader_steps(&settings, config, steps, COUNT(steps)) &&
           vocabulary_new(files->vocabulary.text, in->source, &in->tokenizer->vocabulary,
                          in->error) == STATUS_OK;
}

/* ---- vocab.json and merges.txt ------------------------------------------------------------ */

static bool check_unique(const struct tokenizer_reader *in)
{
    const struct vocabulary *vocabulary = in->tokenizer->vocabulary;
    for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
        size_t length;
        const char *piece = vocabulary_piece(vocabulary, (int32_t)id, &length);
        int32_t found = vocabulary_find(vocabulary, piece, length);
        if ((size_t)found != id)
            return reader_fail(in, STATUS_FORMAT,
                               "expected each piece once, found \"%.100s\" with the ids %zu and "
                               "%ld",
                               piece, id, (long)found);
    }
    return true;
}

bool reader_vocab_json(const struct tokenizer_reader *in, struct text text)
{
    cJSON *object = NULL;
    bool read =
        json_parse_object(text.bytes, text.length, in->source, &object, in->error) == STATUS_OK &&
        reader_vocabulary(in, object, false) && check_unique(in);
    cJSON_Delete(object);
    return read;
}

static bool is_version(struct text line)
{
    static const char version[] = "#version";
    return line.length >= sizeof version - 1 &&
           memcmp(line.bytes, version, sizeof version - 1) == 0;
}

/* Empty lines are passed over. */
static bool read_merge_lines(const struct tokenizer_reader *in, struct text text,
                             struct piece *merges, size_t *count)
{
    for (size_t at = 0, number = 1; at < text.length; number++) {
        struct text line = text_take_line(text, &at);
        if (line.length == 0 || (number == 1 && is_version(line)))
            continue;
        if (!reader_split_merge(line, merges + 2 * *count))
            return reader_fail(in, STATUS_FORMAT,
                               "expected two pieces with a space between them in line %zu, found "
                               "\"%.*s\"",
                               number, (int)size_min(line.length, 100), line.bytes);
        ++*count;
    }
    return true;
}

bool reader_merges_txt(const struct tokenizer_reader *in, struct text text)
{
    size_t lines = 1, count = 0;
    if (text.length == 0)
        return reader_fail(in, STATUS_FORMAT, "expected a merge a line, found an empty file");
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    struct piece *merges = memory_new(lines, 2 * sizeof *merges, 0, in->source, in->error);
    bool read =
        merges && read_merge_lines(in, text, merges, &count) && reader_merges(in, merges, count);
    free(merges);
    return read;
}

static bool read_byte_files(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    const struct tokenizer_reader settings = reader_of(in, files->settings->name);
    const struct tokenizer_reader merges = reader_of(in, files->merges.name);
    struct tokenizer *tokenizer = in->tokenizer;
    bool prefixed = false;
    if (!reader_bool(&settings, files->settings->config, "add_prefix_space", &prefixed) ||
        !reader_vocab_json(in, files->vocabulary.text) ||
        !reader_merges_txt(&merges, files->merges.text))
        return false;
    tokenizer->splitters[tokenizer->splitter_count++] = (struct splitter){
        .kind = SPLITTER_BYTES, .prefix = prefixed ? PREFIX_ALWAYS : PREFIX_NEVER};
    tokenizer->trims = files->family->frame != FRAME_BARE;
    tokenizer->trims_less = prefixed;
    return true;
}

/* ---- SentencePiece models ----------------------------------------------------------------- */

/* After the family's own steps come the model's replacements, and one space for many. */
static bool add_unigram_steps(const struct tokenizer_reader *in,
                              const struct tokenizer_files *files, struct text map)
{
    static const struct step_choice spaces = {.kind = STEP_SPACES, .with = " "};
    const struct tokenizer_reader settings = reader_of(in, files->settings->name);
    const struct tokenizer_family *family = files->family;
    const cJSON *config = files->settings->config;
    struct normal_step step = {.kind = STEP_CHARSMAP};
    if ((family->refused && !reader_expect(&settings, config, family->refused, false)) ||
        !reader_steps(&settings, config, family->steps, TOKENIZER_STEPS_MAX))
        return false;
    if (map.length > 0 &&
        (charsmap_new(map.bytes, map.length, in->source, &step.charsmap, in->error) != STATUS_OK ||
         !reader_step(in, step)))
        return false;
    return reader_steps(in, NULL, &spaces, 1);
}

/* ALBERT's model has pieces such as "▁1," that its tokenizer never uses. */
static void shun_commas(struct sentencepiece *model)
{
    for (size_t i = 0; i < model->count; i++) {
        struct piece piece = model->pieces[i];
        const char *last = piece.length >= 2 ? piece.bytes + piece.length - 1 : NULL;
        if (last && *last == ',' && last[-1] >= '0' && last[-1] <= '9')
            model->scores[i] -= 100;
    }
}

static const struct piece fairseq_front[] = {{"<s>", 3}, {"<pad>", 5}, {"</s>", 4}, {"<unk>", 5}};
static const struct piece fairseq_mask = {"<mask>", 6};
#define FAIRSEQ_FRONT COUNT(fairseq_front)
#define FAIRSEQ_OWN   3 /* pieces of the model that the front stands for */

/* The pieces in the order of the family's ids. XLM-RoBERTa's are fairseq's: its special tokens in
 * front instead of the model's three, and the mask at the end. */
static size_t order_pieces(const struct sentencepiece *model, bool fairseq, struct piece *pieces,
                           double *scores)
{
    size_t own = fairseq ? FAIRSEQ_OWN : 0, count = fairseq ? FAIRSEQ_FRONT : 0;
    for (size_t i = 0; i < count; i++)
        pieces[i] = fairseq_front[i];
    for (size_t i = own; i < model->count; i++, count++) {
        pieces[count] = model->pieces[i];
        scores[count] = model->scores[i];
    }
    if (fairseq)
        pieces[count++] = fairseq_mask;
    return count;
}

static bool make_unigram(const struct tokenizer_reader *in, const struct sentencepiece *model,
                         bool fairseq)
{
    size_t count = model->count + FAIRSEQ_FRONT + 1;
    struct piece *pieces =
        memory_new(count, sizeof *pieces + sizeof(double), 0, in->source, in->error);
    if (!pieces)
        return false;
    double *scores = (double *)(void *)(pieces + count);
    count = order_pieces(model, fairseq, pieces, scores);
    bool made = reader_unigram(in, pieces, scores, count,
                               fairseq ? (int32_t)FAIRSEQ_FRONT - 1 : model->unknown);
    free(pieces);
    return made;
}

static bool read_sentencepiece(const struct tokenizer_reader *in,
                               const struct tokenizer_files *files)
{
    const struct tokenizer_family *family = files->family;
    struct tokenizer *tokenizer = in->tokenizer;
    struct sentencepiece model = {0};
    if (sentencepiece_read(files->vocabulary.text, in->source, &model, in->error) != STATUS_OK)
        return false;
    if (family->bare_commas)
        shun_commas(&model);
    bool made =
        add_unigram_steps(in, files, model.charsmap) && make_unigram(in, &model, family->fairseq);
    sentencepiece_free(&model);
    if (!family->one_space)
        tokenizer->splitters[tokenizer->splitter_count++].kind = SPLITTER_WHITE_SPACE;
    tokenizer->splitters[tokenizer->splitter_count++] =
        (struct splitter){.kind = SPLITTER_METASPACE, .prefix = PREFIX_ALWAYS, .mark = 0x2581};
    return made;
}

/* ---- Special tokens ----------------------------------------------------------------------- */

/* {"4": {"content": "[MASK]", "lstrip": …}, …}: what a tokenizer_config.json has instead. */
static bool add_listed(const struct tokenizer_reader *in, const cJSON *config)
{
    const cJSON *list = json_member(config, "added_tokens_decoder");
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        const char *content = NULL;
        char *end = NULL;
        unsigned long id = item->string ? strtoul(item->string, &end, 10) : 0;
        if (!reader_string(in, item, "content", &content))
            return false;
        if (!content || *content == '\0' || !end || end == item->string || *end || id >= INT32_MAX)
            return reader_fail(in, STATUS_FORMAT,
                               "expected ids in \"added_tokens_decoder\", and the \"content\" of "
                               "each, found something else");
        if (!reader_added(in, item, content,
                          (struct added_token){.id = (int32_t)id, .special = true}))
            return false;
    }
    return true;
}

static const char *special_name(const struct tokenizer_files *files, enum special_token special)
{
    const char *named = files->settings->special[special];
    return named ? named : files->family->special[special];
}

/* The id of a special token, which is added; -1 when the vocabulary lacks it. */
static bool add_special(const struct tokenizer_reader *in, const struct tokenizer_files *files,
                        enum special_token special, int32_t *id)
{
    const struct tokenizer_family *family = files->family;
    const struct vocabulary *vocabulary = in->tokenizer->vocabulary;
    const char *name = special_name(files, special);
    const struct added_token *listed = name ? added_find(&in->tokenizer->added, name) : NULL;
    bool mask = special == SPECIAL_TOKEN_MASK;
    *id = listed ? listed->id : name ? vocabulary_find(vocabulary, name, strlen(name)) : -1;
    /* DeBERTa's model has all special tokens but the mask, whose id is the next. */
    bool behind = *id < 0 && mask && in->tokenizer->model == PIECES_UNIGRAM &&
                  vocabulary_size(vocabulary) < INT32_MAX;
    if (behind)
        *id = (int32_t)vocabulary_size(vocabulary);
    if (*id < 0 || listed)
        return true;
    return reader_added(in, NULL, name,
                        (struct added_token){
                            .id = *id,
                            .special = true,
                            .normalized = special == SPECIAL_TOKEN_UNKNOWN && family->late_unknown,
                            .left = files->settings->left[special] || (mask && family->mask_left)});
}

static struct frame_item frame_token(int32_t id, enum special_token special)
{
    return (struct frame_item){.id = id, .setting = tokenizer_settings_special_name(special)};
}

/* The special tokens, and the frames made of them. */
static bool finish_files(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    const struct tokenizer_reader settings = reader_of(in, files->settings->name);
    int32_t ids[SPECIAL_TOKEN_COUNT];
    if (!add_listed(&settings, files->settings->config))
        return false;
    for (int i = 0; i < SPECIAL_TOKEN_COUNT; i++)
        if (!add_special(in, files, (enum special_token)i, &ids[i]))
            return false;
    in->tokenizer->unknown = ids[SPECIAL_TOKEN_UNKNOWN];
    if (in->tokenizer->unknown < 0)
        return reader_fail(in, STATUS_FORMAT,
                           "expected the unknown token \"%.100s\" among the %zu pieces, found "
                           "none; its name is the setting \"%s\"",
                           special_name(files, SPECIAL_TOKEN_UNKNOWN),
                           vocabulary_size(in->tokenizer->vocabulary),
                           tokenizer_settings_special_name(SPECIAL_TOKEN_UNKNOWN));
    reader_frames(in, files->family->frame, files->family->typed,
                  frame_token(ids[SPECIAL_TOKEN_CLASS], SPECIAL_TOKEN_CLASS),
                  frame_token(ids[SPECIAL_TOKEN_SEPARATOR], SPECIAL_TOKEN_SEPARATOR));
    const char *mask = special_name(files, SPECIAL_TOKEN_MASK);
    return pipeline_finish(in->tokenizer, mask ? mask : "", in->source, in->error) == STATUS_OK;
}

/* ---- All kinds ---------------------------------------------------------------------------- */

static bool read_files(const struct tokenizer_reader *in, const struct tokenizer_files *files)
{
    static bool (*const readers[])(const struct tokenizer_reader *,
                                   const struct tokenizer_files *) = {
        [PIECES_WORDPIECE] = read_vocab_txt,
        [PIECES_BPE] = read_byte_files,
        [PIECES_UNIGRAM] = read_sentencepiece,
    };
    const struct tokenizer_family *family = files->family;
    bool known = files->model == PIECES_WORDPIECE || files->model == family->model;
    if (!known || !family->special[SPECIAL_TOKEN_UNKNOWN])
        return reader_fail(in, STATUS_UNSUPPORTED,
                           "expected a tokenizer.json beside it for a \"model_type\" of which "
                           "headlight doesn't know how it uses such a file, found none");
    in->tokenizer->model = files->model;
    return readers[files->model](in, files) && finish_files(in, files);
}

enum status tokenizer_from_files(const struct tokenizer_files *files, struct tokenizer **tokenizer,
                                 struct error *error)
{
    *tokenizer = calloc(1, sizeof **tokenizer);
    if (!*tokenizer)
        return error_memory(error, "a tokenizer", sizeof **tokenizer);
    const struct tokenizer_reader in = {*tokenizer, files->vocabulary.name, error};
    if (read_files(&in, files))
        return STATUS_OK;
    tokenizer_free(*tokenizer);
    *tokenizer = NULL;
    return error->status;
}
