/* words.h: which word pieces make up a word, judged by the pieces themselves. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The label of a token with nothing but further bytes of the character before it (tokenizer.h). */
#define WORDS_REST "⋯"

/* How a vocabulary marks its pieces. */
enum word_marks {
    WORD_MARKS_CONTINUE, /* "##" before a piece that continues a word: WordPiece */
    WORD_MARKS_BEGIN,    /* "Ġ", "▁" or a blank before a piece that begins a word */
};

/* WORD_MARKS_BEGIN when a label has such a mark and none has "##"; a bare "##" is no mark. */
enum word_marks words_marks(const char *const *labels, size_t count);

/* Whether piece `index` continues the word of the piece before it, as WORDS_REST always does.
 * Unmarked punctuation, special tokens, and what follows either begin a new word. `special` may be
 * NULL. */
bool words_continue(const char *const *labels, const bool *special, size_t index,
                    enum word_marks marks);

/* Which of the tokens continue the word of the one before, by their labels; the token at `boundary`
 * begins the second sentence, and a word. Returns how they are marked. */
enum word_marks words_find(const char *const *labels, const bool *special, size_t count,
                           size_t boundary, bool *continues);

/* The piece without its mark: its part of the word. WORDS_REST that continues one adds nothing. */
const char *words_part(const char *label, bool continues, enum word_marks marks);

/* Whether it is nothing but punctuation, behind its mark. */
bool words_is_punctuation(const char *label);

/* Whether a label names a token that tokenizers add: [CLS], [SEP], [PAD], <s>, </s>, <cls>, <sep>,
 * <pad>, <bos>, <eos>, <|endoftext|>; or a language, >>deu<<. */
bool words_is_special(const char *label);

/* Whether it separates or ends sentences: [SEP], </s>, <sep>, <eos>. */
bool words_is_separator(const char *label);

/* Whether it says which word stands there: none of these, nor [MASK], [UNK], <mask>, <unk>,
 * WORDS_REST. */
bool words_is_known(const char *label);
