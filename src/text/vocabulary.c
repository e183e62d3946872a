/* vocabulary.c: word pieces by id and by text, and the two models that are nothing but looking for
 * a piece: of a whole word, and WordPiece. One block holds all: opening the built-in model has to
 * be fast. */
#include "headlight/text/pieces.h"

#include "headlight/base/memory.h"
#include "headlight/base/size.h"
#include "headlight/text/unicode.h"

/* Open addressing, at most half full, so that a probe always reaches an empty slot. */
struct slot {
    uint32_t tag;    /* upper half of the piece's hash: saves most comparisons */
    uint32_t number; /* id + 1; 0 in an empty slot */
};

/* One block: this, the slots, the starts, the text. Piece i is text[starts[i]] up to the NUL before
 * text[starts[i + 1]]. */
struct vocabulary {
    size_t size;    /* V */
    size_t longest; /* bytes of the longest piece */
    size_t mask;    /* number of slots - 1; a power of two - 1 */
    size_t *starts; /* [V + 1] */
    char *text;
    struct slot slots[];
};

/* FNV-1a, 64 bit (Fowler, Noll, Vo). The hash of a prefix extends to that of the whole. */
static const uint64_t hash_basis = 14695981039346656037U;

static uint64_t hash_byte(uint64_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * 1099511628211U;
}

static uint64_t piece_hash(const char *bytes, size_t length)
{
    uint64_t hash = hash_basis;
    for (size_t i = 0; i < length; i++)
        hash = hash_byte(hash, bytes[i]);
    return hash;
}

static size_t piece_length(const struct vocabulary *vocabulary, size_t id)
{
    return vocabulary->starts[id + 1] - vocabulary->starts[id] - 1;
}

/* The slot that holds the piece, or the empty one where it belongs. */
static size_t piece_slot(const struct vocabulary *vocabulary, const char *piece, size_t length,
                         uint64_t hash)
{
    const struct slot *slots = vocabulary->slots;
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t at = (size_t)(hash ^ hash >> 29) & vocabulary->mask;
    for (; slots[at].number != 0; at = (at + 1) & vocabulary->mask) {
        size_t id = slots[at].number - 1;
        if (slots[at].tag == tag && piece_length(vocabulary, id) == length &&
            memcmp(vocabulary->text + vocabulary->starts[id], piece, length) == 0)
            break;
    }
    return at;
}

/* Appends the text of the next id, and lets it be found unless it is a hole. */
static void add_piece(struct vocabulary *vocabulary, size_t id, struct text text)
{
    char *piece = vocabulary->text + vocabulary->starts[id];
    vocabulary->starts[id + 1] = vocabulary->starts[id] + text.length + 1;
    piece[text.length] = '\0';
    if (text.length == 0)
        return;
    memcpy(piece, text.bytes, text.length);
    vocabulary->longest = size_max(vocabulary->longest, text.length);
    const uint64_t hash = piece_hash(piece, text.length);
    const size_t at = piece_slot(vocabulary, piece, text.length, hash);
    vocabulary->slots[at] = (struct slot){(uint32_t)(hash >> 32), (uint32_t)id + 1};
}

/* Checks the pieces and adds up their bytes, with a NUL after each, before it copies any. */
enum status vocabulary_of(const struct text *pieces, size_t count, const char *name,
                          struct vocabulary **vocabulary, struct error *error)
{
    size_t length = 0;
    *vocabulary = NULL;
    if (count == 0)
        return error_set(error, STATUS_FORMAT, "%s: expected word pieces, found none", name);
    for (size_t id = 0; id < count; id++) {
        if (!unicode_valid(pieces[id].bytes, pieces[id].length))
            return error_set(error, STATUS_FORMAT,
                             "%s: expected pieces that are UTF-8, found other bytes in piece %zu, "
                             "whose id is %zu",
                             name, id + 1, id);
        length += pieces[id].length + 1;
    }
    size_t slots = 4;
    while (slots < 2 * count)
        slots *= 2;
    struct vocabulary *made = /* there are no more starts than slots */
        memory_new(slots, sizeof *made->slots + sizeof *made->starts, sizeof *made + 1 + length,
                   "a vocabulary", error);
    if (!made)
        return error->status;
    made->size = count;
    made->mask = slots - 1;
    made->starts = (size_t *)(void *)(made->slots + slots);
    made->text = (char *)(made->starts + count + 1);
    for (size_t id = 0; id < count; id++)
        add_piece(made, id, pieces[id]);
    *vocabulary = made;
    return STATUS_OK;
}

/* Pieces first, as views of the text, so that a list of lines and any other list share the rest. */
enum status vocabulary_new(struct text text, const char *name, struct vocabulary **vocabulary,
                           struct error *error)
{
    size_t lines = 1, count = 0;
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    struct text *pieces = memory_new(lines, sizeof *pieces, 0, "a vocabulary", error);
    *vocabulary = NULL;
    if (!pieces)
        return error->status;
    for (size_t at = 0; at < text.length; count++)
        pieces[count] = text_take_line(text, &at);
    enum status status = vocabulary_of(pieces, count, name, vocabulary, error);
    free(pieces);
    return status;
}

size_t vocabulary_size(const struct vocabulary *vocabulary)
{
    return vocabulary->size;
}

const char *vocabulary_piece(const struct vocabulary *vocabulary, int32_t id, size_t *length)
{
    if (id < 0 || (size_t)id >= vocabulary->size)
        return NULL;
    if (length)
        *length = piece_length(vocabulary, (size_t)id);
    return vocabulary->text + vocabulary->starts[id];
}

int32_t vocabulary_find(const struct vocabulary *vocabulary, const char *piece, size_t length)
{
    size_t at = piece_slot(vocabulary, piece, length, piece_hash(piece, length));
    return (int32_t)vocabulary->slots[at].number - 1;
}

/* No prefix that is longer than the longest piece is tried. */
int32_t vocabulary_prefix(const struct vocabulary *vocabulary, const char *bytes, size_t length,
                          struct piece_prefix *at)
{
    size_t limit = size_min(length, vocabulary->longest);
    if (at->length == 0)
        at->hash = hash_basis;
    while (at->length < limit) {
        at->hash = hash_byte(at->hash, bytes[at->length++]);
        size_t slot = piece_slot(vocabulary, bytes, at->length, at->hash);
        if (vocabulary->slots[slot].number > 0)
            return (int32_t)(vocabulary->slots[slot].number - 1);
    }
    return -1;
}

/* ---- Words -------------------------------------------------------------------------------- */

int32_t word_find(const struct vocabulary *vocabulary, const struct points *word,
                  struct error *error)
{
    const size_t most = points_bytes(word);
    if (most == 0 || most > vocabulary->longest)
        return -1;
    char *bytes = memory_new(most, 1, 0, "a word", error);
    size_t length = 0;
    if (!bytes)
        return -1;
    for (size_t i = 0; i < word->count; i++)
        length += unicode_encode(word->items[i].code, bytes + length);
    const int32_t id = vocabulary_find(vocabulary, bytes, length);
    free(bytes);
    return id;
}

void word_encode(const struct vocabulary *vocabulary, int32_t unknown, const struct points *word,
                 struct encoding_builder *builder)
{
    const int32_t id = word_find(vocabulary, word, builder->error);
    encoding_add(builder, (struct token){.id = id < 0 ? unknown : id,
                                         .span = points_span(word->items, word->count)});
}

/* ---- WordPiece ---------------------------------------------------------------------------- */

/* The pieces are UTF-8, so that each ends between two code points. Code point i of the word is
 * bytes[starts[i]] up to bytes[starts[i + 1]]. In front of a later piece a "##" overwrites the
 * bytes before it, which belong to pieces already found. */
void wordpiece_encode(const struct vocabulary *vocabulary, int32_t unknown,
                      const struct points *word, struct encoding_builder *builder)
{
    enum { MARK = 2 /* bytes of "##" */ };
    char bytes[MARK + WORD_LIMIT * UNICODE_BYTES];
    size_t starts[WORD_LIMIT + 1] = {MARK}, end = 0;
    const size_t count = word->count <= WORD_LIMIT ? word->count : 0;
    const size_t before = builder->encoding ? builder->encoding->count : 0;
    for (size_t i = 0; i < count; i++)
        starts[i + 1] = starts[i] + unicode_encode(word->items[i].code, bytes + starts[i]);
    for (size_t first = 0; first < count; first = end) {
        const size_t mark = first == 0 ? 0 : MARK, start = starts[first] - mark;
        struct piece_prefix at = {0};
        int32_t id = -1;
        memcpy(bytes + start, "##", mark);
        for (int32_t next; (next = vocabulary_prefix(vocabulary, bytes + start,
                                                     starts[count] - start, &at)) >= 0;)
            if (at.length > mark)
                for (id = next; starts[end] < start + at.length;)
                    end++;
        if (end == first)
            break;
        encoding_add(builder, (struct token){
                                  .id = id, .span = points_span(word->items + first, end - first)});
    }
    if (count > 0 && end == count)
        return;
    if (builder->encoding)
        builder->encoding->count = before;
    encoding_add(builder,
                 (struct token){.id = unknown, .span = points_span(word->items, word->count)});
}
