#include "headlight/text/tokenizer_reader.h"

#include "suites.h"
#include "text_helpers.h"

#include <stdlib.h>
#include <string.h>

static struct sentencepiece model;
static struct error error;

/* ---- Real files ---- */

static void expect_piece(size_t id, const char *text, float score)
{
    ck_assert_uint_lt(id, model.scored.count);
    ck_assert_uint_eq(model.scored.pieces[id].length, strlen(text));
    ck_assert_mem_eq(model.scored.pieces[id].bytes, text, strlen(text));
    ck_assert(model.scored.scores[id] == (double)score);
}

static const struct {
    const char *path;
    size_t count;
    int unknown;
} models[] = {{FAMILY_FOLDER "albert/spiece.model", 240, 1},
              {FAMILY_FOLDER "deberta-v3/spm.model", 250, 3},
              {FAMILY_FOLDER "xlm-roberta/sentencepiece.bpe.model", 260, 0}};

TEST(a_model_of_each_family, .times = COUNT(models))
{
    struct text file = text_read(models[_i].path);
    model = text_model(file);
    ck_assert_uint_eq(model.scored.count, models[_i].count);
    ck_assert_int_eq(model.unknown, models[_i].unknown);
    if (_i == 0) {
        expect_piece(0, "<pad>", 0);
        expect_piece(4, "[MASK]", 0);
        ck_assert_uint_eq(model.charsmap.length, 5062);
    }
    free(model.scored.pieces);
    free((char *)file.bytes);
}

TEST(no_part_of_a_model_is_one)
{
    struct text file = text_read(FAMILY_FOLDER "albert/spiece.model");
    for (size_t length = 0; length < file.length; length++) {
        const struct json_reader in = json_reader(NULL, "m", &error);
        ck_assert(!reader_sentencepiece(&in, (struct text){file.bytes, length}, &model));
        ck_assert_int_eq(error.status, STATUS_FORMAT);
        ck_assert_msg(strncmp(error.message, "m: expected ", 12) == 0, "%s", error.message);
    }
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
    model = text_model((struct text){file, sizeof file - 1});
    ck_assert_uint_eq(model.scored.count, 3);
    expect_piece(0, "?", 0);
    expect_piece(1, "a", 0);
    expect_piece(2, "b", -1.5F);
    ck_assert_int_eq(model.unknown, 0);
    ck_assert_uint_eq(model.charsmap.length, 1);
    ck_assert(model.charsmap.bytes[0] == 'm');
    free(model.scored.pieces);
}

static const struct {
    const char *bytes;
    size_t length;
    enum status status;
    const char *message;
} refused[] = {
#define BYTES(bytes) bytes, sizeof(bytes) - 1
#define BROKEN(at)                                                                                 \
    STATUS_FORMAT, "m: expected a SentencePiece model, found a field at byte " #at " that is "     \
                   "none; the file may be cut short"
#define KIND(kind)                                                                                 \
    STATUS_UNSUPPORTED, "m: expected a SentencePiece model of the kind \"unigram\", found " kind   \
                        "; headlight reads no other"
#define BYTE_PIECES                                                                                \
    STATUS_UNSUPPORTED, "m: expected a model that does not fall back to bytes, found one that "    \
                        "does; headlight reads none"
#define UNKNOWN_AT(id)                                                                             \
    STATUS_FORMAT, "m: expected the unknown piece to have the id " #id ", found none there"
#define EMPTY STATUS_FORMAT, "m: expected a SentencePiece model, found no pieces"
#define SHORT                                                                                      \
    STATUS_FORMAT, "m: expected the settings of the trainer and the normalizer behind the 1 "      \
                   "pieces, found none; the file may be cut short"
    {BYTES(UNKNOWN "\x12\x02\x18\x02" NORMAL), KIND("BPE")},
    {BYTES(UNKNOWN "\x12\x02\x18\x03" NORMAL), KIND("word")},
    {BYTES(UNKNOWN "\x12\x02\x18\x04" NORMAL), KIND("character")},
    {BYTES(UNKNOWN "\x12\x02\x18\x05" NORMAL), KIND("an unknown one")},
    {BYTES(UNKNOWN "\x0A\x0A\x0A\x06<0x41>\x18\x06" END), BYTE_PIECES},
    {BYTES(UNKNOWN "\x12\x03\x98\x02\x01" NORMAL), BYTE_PIECES},
    {BYTES(""), EMPTY},
    {BYTES(END), EMPTY},
    {BYTES(UNKNOWN TRAINER), SHORT},
    {BYTES(UNKNOWN NORMAL), SHORT},
    {BYTES(PIECE_A END), UNKNOWN_AT(0)},
    {BYTES(UNKNOWN "\x12\x03\xC0\x02\x07" NORMAL), UNKNOWN_AT(7)},
    {BYTES(UNKNOWN "\x12\x0C\xC0\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01" NORMAL),
     UNKNOWN_AT(-1)},
    {BYTES("\x0A"), BROKEN(0)},
    {BYTES("hello"), BROKEN(2)},
    {BYTES(UNKNOWN "\x0B"), BROKEN(7)},              /* a group */
    {BYTES(UNKNOWN "\x02\x01z"), BROKEN(7)},         /* the number 0 */
    {BYTES(UNKNOWN "\x0A\x09\x0A\x01z"), BROKEN(7)}, /* longer than the file */
    {BYTES(UNKNOWN "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), BROKEN(7)},
    {BYTES(UNKNOWN "\x30\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), BROKEN(7)},
    {BYTES(UNKNOWN "\x31"
                   "1234567"),
     BROKEN(7)},
    {BYTES(UNKNOWN "\x35"
                   "123"),
     BROKEN(7)},
    {BYTES(UNKNOWN "\x0A\x05\x0A\x01z\x0A\x01" END), BROKEN(12)}, /* past its piece */
};

TEST(refusals, .times = COUNT(refused))
{
    const struct text file = {refused[_i].bytes, refused[_i].length};
    const struct json_reader in = json_reader(NULL, "m", &error);
    ck_assert(!reader_sentencepiece(&in, file, &model));
    ck_assert_int_eq(error.status, refused[_i].status);
    ck_assert_str_eq(error.message, refused[_i].message);
}
