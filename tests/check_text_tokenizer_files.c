#include "headlight/text/tokenizer.h"

#include "model_helpers.h"
#include "opening.h"
#include "suites.h"
#include "text_helpers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct folder folder;

static void make_folder(void)
{
    folder_make(&folder);
}

static void remove_folder(void)
{
    folder_remove(&folder);
}

TESTS(.begin = make_folder, .end = remove_folder);

static void write_text(const char *name, const char *text)
{
    folder_write(&folder, name, text, strlen(text));
}

/* A row of a family that reads such files. */
static const struct tokenizer_family sentinels = {.model = PIECES_UNIGRAM,
                                                  .special = {"<unk>", NULL, "</s>", NULL, "<pad>"},
                                                  .frame = FRAME_ENDED,
                                                  .converter = CONVERTER_T5};

static const struct tokenizer_family *family_row(const char *model_type)
{
    return strcmp(model_type, "sentinels") == 0 ? &sentinels
           : strcmp(model_type, "marian") == 0  ? &text_marian
                                                : text_family(model_type);
}

static struct tokenizer *open_as(const char *model_type)
{
    struct tokenizer *tokenizer;
    struct error error = {0};
    ck_assert_msg(tokenizer_open(folder.path, family_row(model_type), &tokenizer, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    return tokenizer;
}

static void expect_refused(const char *model_type, enum status status, const char *part)
{
    struct tokenizer *tokenizer;
    struct error error = {0};
    ck_assert_int_eq(tokenizer_open(folder.path, family_row(model_type), &tokenizer, &error),
                     status);
    ck_assert_ptr_null(tokenizer);
    ck_assert_msg(strstr(error.message, part) && strstr(error.message, folder.path), "%s",
                  error.message);
}

/* Pieces with their spans; "+" before what was put in. */
static void expect(const char *model_type, const char *text, const char *expected)
{
    char got[512] = "";
    struct tokenizer *tokenizer = open_as(model_type);
    struct text texts[] = {{text, strlen(text)}};
    struct encoding *encoding;
    struct error error = {0};
    ck_assert_int_eq(tokenizer_encode(tokenizer, texts, 1, true, &encoding, &error), STATUS_OK);
    for (size_t i = 0; i < encoding->count; i++) {
        const struct token *token = &encoding->tokens[i];
        size_t used = strlen(got);
        snprintf(got + used, sizeof got - used, "%s%s%s %zu:%zu", i > 0 ? " " : "",
                 token->added ? "+" : "", tokenizer_piece(tokenizer, token->id), token->span.start,
                 token->span.end);
    }
    ck_assert_str_eq(got, expected);
    free(encoding);
    tokenizer_free(tokenizer);
}

TEST(a_folder_without_a_tokenizer)
{
    expect_refused("bert", STATUS_IO, "vocab.json and merges.txt");
}

/* A tokenizer.json goes before what stands beside it. */
TEST(the_newer_file_goes_first)
{
    write_text("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\n");
    expect("bert", "a", "+[CLS] 0:0 a 0:1 +[SEP] 1:1");
    write_text("tokenizer.json", "{\"model\":{\"unk_id\":0,\"vocab\":[[\"u\",0],[\"a\",0]]}}");
    expect("bert", "a", "a 0:1");
    write_text("tokenizer.json", "{");
    expect_refused("bert", STATUS_FORMAT, "tokenizer.json");
}

TEST(vocab_txt_by_family)
{
    write_text("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\n<s>\n</s>\n<mask>\n[MASK]\n");
    expect("mpnet", "a  <mask>", "+<s> 0:0 a 0:1 <mask> 1:9 +</s> 9:9");
    expect("distilbert", "a  [MASK]", "+[CLS] 0:0 a 0:1 [MASK] 3:9 +[SEP] 9:9");
    expect_refused("modernbert", STATUS_UNSUPPORTED, "tokenizer.json");
    write_text("special_tokens_map.json", "{\"cls_token\":\"a\",\"mask_token\":{\"content\":"
                                          "\"[MASK]\",\"lstrip\":true}}");
    expect("bert", "[CLS] [MASK]", "+a 0:0 [UNK] 0:1 [UNK] 1:4 [UNK] 4:5 [MASK] 5:12 +[SEP] 12:12");
    write_text("tokenizer_config.json", "{\"cls_token\":\"[CLS]\"}");
    expect("bert", "a", "+[CLS] 0:0 a 0:1 +[SEP] 1:1");
    write_text("special_tokens_map.json", "[]");
    expect_refused("bert", STATUS_FORMAT, "special_tokens_map.json");
    write_text("tokenizer_config.json", "[]");
    expect_refused("bert", STATUS_FORMAT, "tokenizer_config.json");
}

/* As BERTs for Japanese have it, and RoBERTas whose pieces are merged by code of their own. */
TEST(a_class_that_the_model_names_alone)
{
    write_text("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\n");
    write_text("config.json", "{\"tokenizer_class\":\"BertJapaneseTokenizer\"}");
    expect_refused("bert", STATUS_UNSUPPORTED, "/config.json: expected \"tokenizer_class\" to be");
    write_text("tokenizer_config.json", "{\"tokenizer_class\":\"BertTokenizer\"}");
    expect("bert", "a", "+[CLS] 0:0 a 0:1 +[SEP] 1:1");
    write_text("tokenizer_config.json", "{}");
    write_text("config.json", "{\"tokenizer_class\":\"DPRReaderTokenizer\"}");
    expect("bert", "a", "+[CLS] 0:0 a 0:1 +[SEP] 1:1");
}

/* As EuroBERT's does. */
TEST(a_mask_that_the_model_names_alone)
{
    write_text("tokenizer.json", "{\"model\":{\"unk_id\":0,\"vocab\":[[\"u\",0],[\"<|m|>\",0],"
                                 "[\"<mask>\",0]]}}");
    for (int named = 0; named < 2; named++) {
        struct tokenizer *tokenizer = open_as("eurobert");
        ck_assert_int_eq(tokenizer_mask(tokenizer), named ? 1 : 2);
        tokenizer_free(tokenizer);
        write_text("config.json", "{\"mask_token\":\"<|m|>\"}");
    }
    write_text("tokenizer_config.json", "{\"mask_token\":\"u\"}");
    struct tokenizer *tokenizer = open_as("eurobert");
    ck_assert_int_eq(tokenizer_mask(tokenizer), 0);
    tokenizer_free(tokenizer);
}

TEST(listed_tokens)
{
    write_text("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\n");
    write_text("tokenizer_config.json",
               "{\"added_tokens_decoder\":{\"9\":{\"content\":\"aa\",\"lstrip\":true}}}");
    expect("bert", "a aa", "+[CLS] 0:0 a 0:1 aa 1:4 +[SEP] 4:4");
    struct tokenizer *tokenizer = open_as("bert");
    ck_assert_uint_eq(tokenizer_size(tokenizer), 10);
    ck_assert_int_eq(tokenizer_find(tokenizer, "aa"), 9);
    ck_assert_str_eq(tokenizer_piece(tokenizer, 5), "");
    tokenizer_free(tokenizer);
    write_text("tokenizer_config.json", "{\"added_tokens_decoder\":{\"x\":{\"content\":\"a\"}}}");
    expect_refused("bert", STATUS_FORMAT, "added_tokens_decoder");
    write_text("tokenizer_config.json", "{\"added_tokens_decoder\":{\"3\":{\"content\":\"b\"}}}");
    expect_refused("bert", STATUS_FORMAT, "\"b\"");
}

/* The ids are those of Hugging Face's library; a list of all tokens goes before. */
TEST(tokens_added_before_there_was_a_list)
{
    write_text("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\ne\n[\n]\n");
    write_text("added_tokens.json", "{\"[E1]\":9,\"[/E1]\":10}");
    expect("bert", "a[e1] e", "+[CLS] 0:0 a 0:1 [E1] 1:5 e 6:7 +[SEP] 7:7");
    write_text("tokenizer_config.json", "{\"extra_special_tokens\":[\"[E1]\",\"[X]\"]}");
    expect("bert", "a[E1][X]", "+[CLS] 0:0 a 0:1 [E1] 1:5 [X] 5:8 +[SEP] 8:8");
    expect("bert", "[e1]", "+[CLS] 0:0 [ 0:1 [UNK] 1:3 ] 3:4 +[SEP] 4:4");
    struct tokenizer *tokenizer = open_as("bert");
    ck_assert_int_eq(tokenizer_find(tokenizer, "[E1]"), 9);
    ck_assert_int_eq(tokenizer_find(tokenizer, "[X]"), 11);
    tokenizer_free(tokenizer);
    write_text("tokenizer_config.json", "{\"added_tokens_decoder\":{}}");
    expect("bert", "[E1]", "+[CLS] 0:0 [ 0:1 [UNK] 1:3 ] 3:4 +[SEP] 4:4");
    write_text("tokenizer_config.json", "{}");
    write_text("added_tokens.json", "{\"b\":3}");
    expect_refused("bert", STATUS_FORMAT, "\"b\"");
    write_text("added_tokens.json", "{\"b\":-1}");
    expect_refused("bert", STATUS_FORMAT, "added_tokens.json: expected tokens and their ids");
}

TEST(special_tokens_without_a_name)
{
    write_text("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\n[SUBJ]\n[OBJ]\n");
    write_text(
        "special_tokens_map.json",
        "{\"additional_special_tokens\":[\"[SUBJ]\",{\"content\":\"[OBJ]\",\"lstrip\":true}]}");
    expect("bert", "a [SUBJ] a [OBJ]",
           "+[CLS] 0:0 a 0:1 [SUBJ] 2:8 a 9:10 [OBJ] 10:16 +[SEP] 16:16");
    write_text("tokenizer_config.json", "{\"extra_special_tokens\":{\"image_token\":\"[I]\"},"
                                        "\"added_tokens_decoder\":{}}");
    expect("bert", "a[I]", "+[CLS] 0:0 a 0:1 [I] 1:4 +[SEP] 4:4");
    expect("bert", "[SUBJ]", "+[CLS] 0:0 [UNK] 0:1 [UNK] 1:5 [UNK] 5:6 +[SEP] 6:6");
    write_text("tokenizer_config.json", "{\"additional_special_tokens\":[7]}");
    expect_refused("bert", STATUS_FORMAT, "tokenizer_config.json: expected special tokens");
    write_text("tokenizer_config.json", "{\"additional_special_tokens\":[{\"content\":\"b\","
                                        "\"single_word\":true}]}");
    expect_refused("bert", STATUS_UNSUPPORTED, "single_word");
}

/* As a RoBERTa's that was trained with a vocabulary of its own. */
TEST(a_mask_that_was_added)
{
    write_text("vocab.json", "{\"<unk>\":0,\"<s>\":1,\"</s>\":2,\"a\":3,\"b\":4,\"ab\":5}");
    write_text("merges.txt", "a b\n");
    write_text("added_tokens.json", "{\"<mask>\":6}");
    expect("roberta", "a<mask>ab", "+<s> 0:0 a 0:1 <mask> 1:7 ab 7:9 +</s> 9:9");
    struct tokenizer *tokenizer = open_as("roberta");
    ck_assert_int_eq(tokenizer_mask(tokenizer), 6);
    tokenizer_free(tokenizer);
}

TEST(bytes_by_family)
{
    folder_copy(&folder, FAMILY_FOLDER "roberta", "vocab.json");
    expect_refused("roberta", STATUS_IO, "merges.txt");
    folder_copy(&folder, FAMILY_FOLDER "roberta", "merges.txt");
    expect("roberta", "the cat", "+<s> 0:0 t 0:1 he 1:3 Ġc 4:5 at 5:7 +</s> 7:7");
    expect_refused("bert", STATUS_UNSUPPORTED, "vocab.json");
    expect_refused("gpt2", STATUS_FORMAT, "<|endoftext|>");
    write_text("tokenizer_config.json", "{\"add_prefix_space\":true}");
    expect("roberta", "cat", "+<s> 0:0 Ġc 0:1 at 1:3 +</s> 3:3");
    write_text("tokenizer_config.json", "{\"add_prefix_space\":1}");
    expect_refused("roberta", STATUS_FORMAT, "add_prefix_space");
}

TEST(sentencepiece_by_family)
{
    folder_copy(&folder, FAMILY_FOLDER "albert", "spiece.model");
    expect("albert", "Like AN", "+[CLS] 0:0 ▁like 0:4 ▁an 5:7 +[SEP] 7:7");
    expect_refused("bert", STATUS_UNSUPPORTED, "spiece.model");
    write_text("tokenizer_config.json", "{\"do_lower_case\":false}");
    expect("albert", "like", "+[CLS] 0:0 ▁like 0:4 +[SEP] 4:4");
    struct tokenizer *tokenizer = open_as("albert");
    struct text text = {"Like", 4};
    struct encoding *encoding;
    struct error error;
    ck_assert_int_eq(tokenizer_encode(tokenizer, &text, 1, false, &encoding, &error), STATUS_OK);
    ck_assert_str_ne(tokenizer_piece(tokenizer, encoding->tokens[0].id), "▁like");
    free(encoding);
    tokenizer_free(tokenizer);
    write_text("tokenizer_config.json", "{\"split_by_punct\":true}");
    expect_refused("deberta-v2", STATUS_UNSUPPORTED, "split_by_punct");
    write_text("spiece.model", "x");
    expect_refused("albert", STATUS_FORMAT, "spiece.model");
}

/* ESM's vocabulary, and the tokens that its tokenizer in Python gives. */
TEST(letters_of_proteins)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"MKT<mask>YI", "+<cls> 0:0 M 0:1 K 1:2 T 2:3 <mask> 3:9 Y 9:10 I 10:11 +<eos> 11:11"},
        {"MKJTmkAX.-", "+<cls> 0:0 M 0:1 K 1:2 <unk> 2:3 T 3:4 <unk> 4:6 A 6:7 X 7:8 . 8:9 - 9:10 "
                       "+<eos> 10:10"},
        {" MK <mask> T\nA ", "+<cls> 0:0 M 1:2 K 2:3 <mask> 4:10 T 11:12 A 13:14 +<eos> 15:15"},
        {"<null_1>j k", "+<cls> 0:0 <null_1> 0:8 <unk> 8:9 <unk> 10:11 +<eos> 11:11"},
    };
    write_text("vocab.txt",
               "<cls>\n<pad>\n<eos>\n<unk>\nL\nA\nG\nV\nS\nE\nR\nT\nI\nD\nP\nK\nQ\nN\nF\n"
               "Y\nM\nH\nW\nC\nX\nB\nU\nZ\nO\n.\n-\n<null_1>\n<mask>");
    write_text("tokenizer_config.json",
               "{\"eos_token\":\"<eos>\",\"tokenizer_class\":\"EsmTokenizer\"}");
    for (int i = 0; i < COUNT(cases); i++)
        expect("esm", cases[i].text, cases[i].expected);
    expect_refused("bert", STATUS_UNSUPPORTED,
                   "found \"EsmTokenizer\"; a vocab.txt is read as BERT's");
    write_text("tokenizer_config.json", "{\"tokenizer_class\":\"BertTokenizer\"}");
    expect_refused("esm", STATUS_UNSUPPORTED,
                   "to be \"EsmTokenizer\" or one like it, found \"Bert");
    write_text("tokenizer_config.json", "{}");
    write_text("vocab.txt", "A\n");
    expect_refused("esm", STATUS_FORMAT, "unknown token \"<unk>\"");
}

/* The same ids from the older file as from the newer one. */
TEST(sentinels_behind_the_pieces)
{
    folder_copy(&folder, "tests/vectors/tokenizer/t5", "spiece.model");
    write_text("tokenizer_config.json", "{\"extra_ids\":10}");
    struct tokenizer *older = open_as("sentinels"), *newer;
    struct error error = {0};
    const struct text json = text_read("tests/vectors/tokenizer/t5.json");
    ck_assert_int_eq(tokenizer_of_json(json, &newer, &error), STATUS_OK);
    ck_assert_uint_eq(tokenizer_size(older), tokenizer_size(newer));
    for (int32_t id = 0; (size_t)id < tokenizer_size(newer); id++)
        ck_assert_str_eq(tokenizer_piece(older, id), tokenizer_piece(newer, id));
    const struct text file = text_read("tests/vectors/tokenizer/texts.tsv");
    char *copy = strndup(file.bytes, file.length), *rest = copy, *line;
    while ((line = strsep(&rest, "\n")) && *line) {
        const struct text text = text_unescape(strsep(&line, "\t"));
        const struct text texts[] = {text, text};
        for (size_t count = 1; count <= 2; count++) {
            struct encoding *a = text_encode(older, texts, count, true);
            struct encoding *b = text_encode(newer, texts, count, true);
            ck_assert_uint_eq(a->count, b->count);
            for (size_t i = 0; i < a->count; i++)
                ck_assert(a->tokens[i].id == b->tokens[i].id &&
                          a->tokens[i].span.start == b->tokens[i].span.start &&
                          a->tokens[i].span.end == b->tokens[i].span.end);
            free(a);
            free(b);
        }
    }
    free(copy);
    free((char *)file.bytes);
    free((char *)json.bytes);
    tokenizer_free(older);
    tokenizer_free(newer);
    write_text("tokenizer_config.json",
               "{\"additional_special_tokens\":[\"<extra_id_0>\",\"<x>\"]}");
    older = open_as("sentinels");
    ck_assert_int_eq(tokenizer_find(older, "<extra_id_0>"), 299);
    ck_assert_int_eq(tokenizer_find(older, "<extra_id_99>"), 200);
    ck_assert_int_eq(tokenizer_find(older, "<x>"), 300);
    tokenizer_free(older);
    write_text("tokenizer_config.json", "{\"extra_ids\":4294967296}");
    expect_refused("sentinels", STATUS_LIMIT, "\"extra_ids\", found 4294967296");
    write_text("tokenizer_config.json", "{\"extra_ids\":20000}");
    expect_refused("sentinels", STATUS_LIMIT, "at most 16384 added tokens");
}

/* ---- Marian ------------------------------------------------------------------------------ */

static void copy_marian(const char *from)
{
    static const char *const names[] = {"source.spm", "target.spm", "vocab.json",
                                        "tokenizer_config.json"};
    for (int i = 0; i < COUNT(names); i++)
        folder_copy(&folder, from, names[i]);
}

static enum status read_target(struct tokenizer **target, struct error *error)
{
    const struct files files = {folder.path, NULL};
    return tokenizer_read(&files, &text_marian, true, target, error);
}

/* In each line from the first ">>" to the last "<<". */
TEST(marian_is_told_a_language)
{
    copy_marian(FAMILY_FOLDER "marian");
    expect("marian", " kannst  du ", "▁ka 1:3 n 3:4 n 4:5 st 5:7 ▁d 8:10 u 10:11 +</s> 12:12");
    expect("marian", ">>deu<< du", ">>deu<< 0:7 ▁d 8:9 u 9:10 +</s> 10:10");
    expect("marian", ">>x<< du >>y<<", "<unk> 0:14 +</s> 14:14");
    expect("marian", "du>><< >>x", "▁d 0:1 u 1:2 <unk> 2:6 ▁ 6:7 <unk> 7:10 +</s> 10:10");
    expect("marian", "du </s> >>fra<<\n>>x<<du",
           "▁d 0:1 u 1:2 </s> 2:8 >>fra<< 8:15 ▁d 21:22 u 22:23 +</s> 23:23");
    expect("marian", "", "+</s> 0:0");
    struct tokenizer *tokenizer = open_as("marian");
    const struct text texts[] = {text_of("du"), text_of("du")};
    struct encoding *encoding = text_encode(tokenizer, texts, 2, true);
    ck_assert_uint_eq(encoding->count, 5); /* no </s> between */
    free(encoding);
    tokenizer_free(tokenizer);
}

/* The ids are those of HF's tokenizer. */
TEST(marian_writes_other_pieces_than_it_reads)
{
    static const int32_t labels[] = {80, 127, 118, 46, 94, 23, 3, 21, 90, 121, 53, 52, 86, 4, 0},
                         generated[] = {147, 118, 9, 119, 9, 9, 9, 119, 107, 118, 0};
    const struct text text = text_of("can you help me to translate this sentence");
    struct tokenizer *target;
    struct error error = {0};
    copy_marian(FAMILY_FOLDER "marian-separate");
    ck_assert_int_eq(read_target(&target, &error), STATUS_IO);
    ck_assert_msg(strstr(error.message, "/target_vocab.json: expected it beside the target.spm"),
                  "%s", error.message);
    folder_copy(&folder, FAMILY_FOLDER "marian-separate", "target_vocab.json");
    ck_assert_int_eq(read_target(&target, &error), STATUS_OK);
    struct encoding *encoding = text_encode(target, &text, 1, true);
    ck_assert_uint_eq(encoding->count, COUNT(labels));
    for (size_t i = 0; i < encoding->count; i++)
        ck_assert_int_eq(encoding->tokens[i].id, labels[i]);
    char *spelt = tokenizer_decode(target, generated, COUNT(generated), false, &error);
    ck_assert_str_eq(spelt, "nce kncencence ken");
    free(spelt);
    free(encoding);
    tokenizer_free(target);
    folder_copy(&folder, FAMILY_FOLDER "albert", "spiece.model");
    ck_assert_int_eq(tokenizer_read(&(struct files){folder.path, NULL}, text_family("albert"), true,
                                    &target, &error),
                     STATUS_OK);
    ck_assert_ptr_null(target);
}

TEST(marian_lacks_a_file)
{
    struct tokenizer *target;
    struct error error = {0};
    expect_refused("marian", STATUS_IO, "found no source.spm");
    folder_copy(&folder, FAMILY_FOLDER "marian", "source.spm");
    expect_refused("marian", STATUS_IO, "vocab.json: expected it beside the source.spm");
    write_text("vocab.json", "{\"a\":0}");
    expect_refused("marian", STATUS_FORMAT, "unknown token \"<unk>\"");
    write_text("vocab.json", "[]");
    expect_refused("marian", STATUS_FORMAT, "vocab.json: expected");
    ck_assert_int_eq(read_target(&target, &error), STATUS_IO);
    ck_assert_msg(strstr(error.message, "found no target.spm"), "%s", error.message);
    write_text("tokenizer_config.json", "{\"separate_vocabs\":1}");
    ck_assert_int_eq(read_target(&target, &error), STATUS_FORMAT);
}

/* What SentencePiece would do otherwise: the last bytes are the trainer's and the normalizer's. */
TEST(marian_was_trained_otherwise)
{
    static const char *const more[] = {"\x12\x03\xC0\x01\x01", "\x1A\x02\x18", "\x1A\x02\x20",
                                       "\x1A\x02\x28",
                                       "\x0A\x0A\x0A\x01y\x15\x01\x01\x01\x01\x18\x04"};
    static const size_t lengths[] = {5, 4, 4, 4, 12};
    struct text model = text_read(FAMILY_FOLDER "marian/source.spm");
    char *bytes = malloc(model.length + 16);
    ck_assert_ptr_nonnull(bytes);
    folder_copy(&folder, FAMILY_FOLDER "marian", "vocab.json");
    memcpy(bytes, model.bytes, model.length);
    for (int i = 0; i < COUNT(more); i++) {
        memcpy(bytes + model.length, more[i], lengths[i]);
        folder_write(&folder, "source.spm", bytes, model.length + lengths[i]);
        expect_refused("marian", STATUS_UNSUPPORTED, "found one that was trained otherwise");
    }
    folder_write(&folder, "source.spm", bytes, model.length);
    tokenizer_free(open_as("marian"));
    free(bytes);
    free((char *)model.bytes);
}

/* In the model "▁an" becomes a piece that the reference never uses, either. */
TEST(albert_parts_numbers_from_commas)
{
    struct text model = text_read(FAMILY_FOLDER "albert/spiece.model");
    char *piece = (char *)model.bytes;
    while (memcmp(piece, "▁an\x15", 6) != 0)
        ck_assert(++piece < model.bytes + model.length - 6);
    memcpy(piece, "▁1,", 5);
    folder_write(&folder, "spiece.model", model.bytes, model.length);
    expect("albert", "like 1,", "+[CLS] 0:0 ▁like 0:4 ▁ 5:6 1 5:6 , 6:7 +[SEP] 7:7");
    free((char *)model.bytes);
}

/* By its size, before a byte of it is read: the files have no contents. */
TEST(a_file_of_many_megabytes_is_refused)
{
    static const struct {
        const char *name;
        size_t limit;
    } files[] = {{"vocab.txt", 64}, {"tokenizer_config.json", 4}, {"tokenizer.json", 64}};
    char part[96];
    for (int i = 0; i < COUNT(files); i++) {
        size_t limit = files[i].limit << 20;
        char *path = in_folder(&folder, files[i].name);
        write_text("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n");
        write_text(files[i].name, "");
        ck_assert_int_eq(truncate(path, (off_t)limit + 1), 0);
        snprintf(part, sizeof part, "%s: expected at most %zu bytes, found %zu", files[i].name,
                 limit, limit + 1);
        expect_refused("bert", STATUS_LIMIT, part);
        ck_assert_int_eq(unlink(path), 0);
        free(path);
    }
}
