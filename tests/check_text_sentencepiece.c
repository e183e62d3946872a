#include "headlight/text/tokenizer_reader.h"

#include "suites.h"
#include "text_helpers.h"

#include <stdlib.h>
#include <string.h>

/* ---- Real files ---- */

static void open_model(const char *path, struct text *file, struct sentencepiece *model)
{
    struct error error;
    *file = text_read(path);
    ck_assert_msg(sentencepiece_read(*file, path, model, &error) == STATUS_OK, "%s", error.message);
}

static void expect_piece(const struct sentencepiece *model, size_t id, const char *text,
                         float score, enum sentencepiece_type type)
{
    ck_assert_uint_lt(id, model->count);
    ck_assert_uint_eq(model->pieces[id].length, strlen(text));
    ck_assert_mem_eq(model->pieces[id].bytes, text, strlen(text));
    ck_assert(model->scores[id] == (double)score);
    ck_assert_int_eq(model->types[id], type);
}

TEST(a_model_of_each_family)
{
    struct text file;
    struct sentencepiece model;
    open_model(FAMILIES "albert/spiece.model", &file, &model);
    ck_assert_uint_eq(model.count, 240);
    expect_piece(&model, 0, "<pad>", 0, SENTENCEPIECE_CONTROL);
    expect_piece(&model, 1, "<unk>", 0, SENTENCEPIECE_UNKNOWN);
    expect_piece(&model, 4, "[MASK]", 0, SENTENCEPIECE_CONTROL);
    ck_assert_int_eq(model.unknown, 1);
    ck_assert_uint_eq(model.charsmap.length, 5062);
    sentencepiece_free(&model);
    free((char *)file.bytes);

    open_model(FAMILIES "deberta-v3/spm.model", &file, &model);
    ck_assert_uint_eq(model.count, 250);
    ck_assert_int_eq(model.unknown, 3);
    sentencepiece_free(&model);
    free((char *)file.bytes);

    open_model(FAMILIES "xlm-roberta/sentencepiece.bpe.model", &file, &model);
    ck_assert_uint_eq(model.count, 260);
    ck_assert_int_eq(model.unknown, 0);
    sentencepiece_free(&model);
    free((char *)file.bytes);
}

TEST(no_part_of_a_model_is_one)
{
    struct text file = text_read(FAMILIES "albert/spiece.model");
    struct sentencepiece model;
    struct error error;
    for (size_t length = 0; length < file.length; length++) {
        struct text part = {file.bytes, length};
        ck_assert_int_eq(sentencepiece_read(part, "m", &model, &error), STATUS_FORMAT);
        ck_assert_msg(strncmp(error.message, "m: expected ", 12) == 0, "%s", error.message);
        ck_assert_ptr_null(model.pieces);
    }
    ck_assert_int_eq(sentencepiece_read(file, "m", &model, &error), STATUS_OK);
    sentencepiece_free(&model);
    free((char *)file.bytes);
}

/* ---- Files made by hand ---- */

#define PIECE_A                                                                                    \
    "\x0A\x03\x0A\x01"                                                                             \
    "a"
#define UNKNOWN                                                                                    \
    "\x0A\x05\x0A\x01"                                                                             \
    "?\x18\x02"
#define TRAINER "\x12\x00"
#define NORMAL  "\x1A\x00"
#define END     TRAINER NORMAL

TEST(what_is_not_said_has_its_default)
{
    /* Fields that are not read come in every wire; the last of two values counts. */
    static const char file[] = UNKNOWN PIECE_A "\x0A\x0A\x0A\x01"
                                               "b\x15\x00\x00\xC0\xBF\x18\x04"
                                               "\x12\x05\xA8\x01\x07\x08\x01"
                                               "\x22\x01z\x28\x07\x31"
                                               "12345678\x3D"
                                               "1234"
                                               "\x1A\x0E\x12\x03"
                                               "old\x12\x01"
                                               "m\x18\x00\x20\x00\x08\x09";
    struct sentencepiece model;
    struct error error;
    ck_assert_msg(sentencepiece_read((struct text){file, sizeof file - 1}, "m", &model, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    ck_assert_uint_eq(model.count, 3);
    expect_piece(&model, 0, "?", 0, SENTENCEPIECE_UNKNOWN);
    expect_piece(&model, 1, "a", 0, SENTENCEPIECE_NORMAL);
    expect_piece(&model, 2, "b", -1.5F, SENTENCEPIECE_USER_DEFINED);
    ck_assert_int_eq(model.unknown, 0);
    ck_assert_uint_eq(model.charsmap.length, 1);
    ck_assert(model.charsmap.bytes[0] == 'm');
    sentencepiece_free(&model);
}

static void refuse(const char *bytes, size_t length, enum status status, const char *message)
{
    struct sentencepiece model;
    struct error error;
    ck_assert_int_eq(sentencepiece_read((struct text){bytes, length}, "m", &model, &error), status);
    ck_assert_ptr_null(model.pieces);
    ck_assert_str_eq(error.message, message);
}

#define REFUSE(bytes, status, message) refuse(bytes, sizeof(bytes) - 1, status, message)

#define BROKEN(at)                                                                                 \
    "m: expected a SentencePiece model, found a field at byte " #at " that is none; the file may " \
    "be cut short"

TEST(models_of_another_kind)
{
    REFUSE(UNKNOWN "\x12\x02\x18\x02" NORMAL, STATUS_UNSUPPORTED,
           "m: expected a SentencePiece model of the kind \"unigram\", found one of the kind BPE; "
           "headlight reads no other");
    REFUSE(UNKNOWN "\x12\x02\x18\x03" NORMAL, STATUS_UNSUPPORTED,
           "m: expected a SentencePiece model of the kind \"unigram\", found one of the kind word; "
           "headlight reads no other");
    REFUSE(UNKNOWN "\x12\x02\x18\x04" NORMAL, STATUS_UNSUPPORTED,
           "m: expected a SentencePiece model of the kind \"unigram\", found one of the kind "
           "character; headlight reads no other");
    REFUSE(UNKNOWN "\x12\x02\x18\x05" NORMAL, STATUS_UNSUPPORTED,
           "m: expected a SentencePiece model of the kind \"unigram\", found an unknown kind; "
           "headlight reads no other");
    REFUSE(UNKNOWN "\x0A\x0A\x0A\x06<0x41>\x18\x06" END, STATUS_UNSUPPORTED,
           "m: expected a model that does not fall back to bytes, found one that does; headlight "
           "reads none");
    REFUSE(UNKNOWN "\x12\x03\x98\x02\x01" NORMAL, STATUS_UNSUPPORTED,
           "m: expected a model that does not fall back to bytes, found one that does; headlight "
           "reads none");
}

TEST(pieces_and_ids_that_are_refused)
{
    REFUSE("", STATUS_FORMAT, "m: expected a SentencePiece model, found no pieces");
    REFUSE(END, STATUS_FORMAT, "m: expected a SentencePiece model, found no pieces");
    REFUSE(UNKNOWN "\x0A\x02\x18\x01" END, STATUS_FORMAT,
           "m: expected no empty piece, found one of id 1");
    REFUSE(UNKNOWN "\x0A\x05\x0A\x01"
                   "a\x18\x07" END,
           STATUS_FORMAT, "m: expected a type from 1 to 6 for the piece of id 1, found another");
    REFUSE(UNKNOWN "\x0A\x05\x0A\x01"
                   "a\x18\x00" END,
           STATUS_FORMAT, "m: expected a type from 1 to 6 for the piece of id 1, found another");
    REFUSE(UNKNOWN TRAINER, STATUS_FORMAT,
           "m: expected the settings of the trainer and the normalizer behind the 1 pieces, found "
           "none; the file may be cut short");
    REFUSE(UNKNOWN NORMAL, STATUS_FORMAT,
           "m: expected the settings of the trainer and the normalizer behind the 1 pieces, found "
           "none; the file may be cut short");
    REFUSE(PIECE_A END, STATUS_FORMAT,
           "m: expected the unknown piece to have the id 0, found none there");
    REFUSE(UNKNOWN "\x12\x03\xC0\x02\x07" NORMAL, STATUS_FORMAT,
           "m: expected the unknown piece to have the id 7, found none there");
    REFUSE(UNKNOWN "\x12\x0C\xC0\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01" NORMAL, STATUS_FORMAT,
           "m: expected the unknown piece to have the id -1, found none there");
}

TEST(fields_that_are_none)
{
    REFUSE("\x0A", STATUS_FORMAT, BROKEN(0));
    REFUSE("hello", STATUS_FORMAT, BROKEN(2));
    REFUSE(UNKNOWN "\x0B", STATUS_FORMAT, BROKEN(7)); /* a group */
    REFUSE(UNKNOWN "\x02\x01"
                   "a",
           STATUS_FORMAT, BROKEN(7));                     /* the number 0 */
    REFUSE(UNKNOWN "\x08\x01", STATUS_FORMAT, BROKEN(7)); /* a piece that is a number */
    REFUSE(UNKNOWN "\x0A\x09\x0A\x01"
                   "a",
           STATUS_FORMAT, BROKEN(7)); /* longer than the file */
    REFUSE(UNKNOWN "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", STATUS_FORMAT, BROKEN(7));
    REFUSE(UNKNOWN "\x30\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", STATUS_FORMAT,
           BROKEN(7));
    REFUSE(UNKNOWN "\x31"
                   "1234567",
           STATUS_FORMAT, BROKEN(7));
    REFUSE(UNKNOWN "\x35"
                   "123",
           STATUS_FORMAT, BROKEN(7));
    REFUSE(UNKNOWN "\x0A\x05\x0A\x01"
                   "a\x10\x01" END,
           STATUS_FORMAT, BROKEN(12)); /* a score */
    REFUSE(UNKNOWN "\x0A\x05\x0A\x01"
                   "a\x0A\x01" END,
           STATUS_FORMAT, BROKEN(12)); /* past its piece */
    REFUSE(UNKNOWN TRAINER "\x1A\x02\x10\x01", STATUS_FORMAT,
           BROKEN(11)); /* a map that is a number */
}
