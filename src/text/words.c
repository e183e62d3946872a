/* words.c: words from the labels of their pieces, which are all that a recording has. Tokenizers
 * mark either the pieces that continue a word or those that begin one. */
#include "headlight/text/words.h"

#include "headlight/text/unicode.h"

#include <string.h>

static bool begins(const char *label, const char *mark)
{
    return strncmp(label, mark, strlen(mark)) == 0;
}

/* "Ġ" (byte-level BPE), "▁" (unigram) or the blank that both stand for; "" without a mark. */
static const char *begin_mark(const char *label)
{
    return begins(label, "Ġ") ? "Ġ" : begins(label, "▁") ? "▁" : begins(label, " ") ? " " : "";
}

/* A bare "##" is no mark but a heading in Markdown. */
static bool is_continued(const char *label)
{
    return begins(label, "##") && label[2] != '\0';
}

/* A single "##" decides: no vocabulary has both kinds of marks. */
enum word_marks words_marks(const char *const *labels, size_t count)
{
    bool begin = false;
    for (size_t i = 0; i < count; i++) {
        if (is_continued(labels[i]))
            return WORD_MARKS_CONTINUE;
        begin |= *begin_mark(labels[i]) != '\0';
    }
    return begin ? WORD_MARKS_BEGIN : WORD_MARKS_CONTINUE;
}

/* Whether the first, or the last, character of a label without its mark is punctuation. */
static bool has_punctuation(const char *label, bool last)
{
    int32_t code = 0;
    for (label += strlen(begin_mark(label)); *label && (last || code == 0);)
        label += unicode_next(label, strlen(label), &code);
    return unicode_is(code, UNICODE_PUNCTUATION);
}

/* With marks at the beginning of words, punctuation has none but is no part of the word before. */
bool words_continue(const char *const *labels, const bool *special, size_t index,
                    enum word_marks marks)
{
    if (index == 0 || (special && (special[index] || special[index - 1])))
        return false;
    if (strcmp(labels[index], WORDS_REST) == 0)
        return true;
    if (marks == WORD_MARKS_CONTINUE)
        return is_continued(labels[index]);
    return *begin_mark(labels[index]) == '\0' && !has_punctuation(labels[index], false) &&
           !has_punctuation(labels[index - 1], false) && !has_punctuation(labels[index - 1], true);
}

enum word_marks words_find(const char *const *labels, const bool *special, size_t count,
                           size_t boundary, bool *continues)
{
    const enum word_marks marks = words_marks(labels, count);
    for (size_t i = 0; i < count; i++)
        continues[i] = i != boundary && words_continue(labels, special, i, marks);
    return marks;
}

const char *words_part(const char *label, bool continues, enum word_marks marks)
{
    if (continues && strcmp(label, WORDS_REST) == 0)
        return "";
    if (marks == WORD_MARKS_BEGIN)
        return label + strlen(begin_mark(label));
    return continues && is_continued(label) ? label + 2 : label;
}

bool words_is_punctuation(const char *label)
{
    int32_t code = 0;
    for (label += strlen(begin_mark(label));
         *label && (code == 0 || unicode_is(code, UNICODE_PUNCTUATION));)
        label += unicode_next(label, strlen(label), &code);
    return unicode_is(code, UNICODE_PUNCTUATION);
}

static bool is_label_among(const char *label, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(label, names[i]) == 0)
            return true;
    return false;
}

bool words_is_separator(const char *label)
{
    static const char *const names[] = {"[SEP]", "</s>", "<sep>", "<eos>"};
    return is_label_among(label, names, sizeof names / sizeof *names);
}

bool words_is_special(const char *label)
{
    static const char *const names[] = {"[CLS]", "[PAD]", "<s>",          "<cls>",
                                        "<pad>", "<bos>", "<|endoftext|>"};
    const size_t length = strlen(label);
    const bool code = length > 4 && begins(label, ">>") && strcmp(label + length - 2, "<<") == 0;
    return code || words_is_separator(label) ||
           is_label_among(label, names, sizeof names / sizeof *names);
}

bool words_is_known(const char *label)
{
    static const char *const names[] = {"[MASK]", "[UNK]", "<mask>", "<unk>", WORDS_REST};
    return !words_is_special(label) && !is_label_among(label, names, sizeof names / sizeof *names);
}
