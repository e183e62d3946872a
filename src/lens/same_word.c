/* same_word.c: finds further occurrences of a word. Words are compared by spelling, as two models
 * can split a word into different pieces. */
#include "headlight/lens/same_word.h"

#include "headlight/text/unicode.h"
#include "headlight/text/words.h"

#include <string.h>

/* A side's tokens as words; the kind of marks is determined once. */
struct words {
    const struct token_side *side;
    enum word_marks marks;
};

static struct words words_in(const struct token_side *side)
{
    return (struct words){side, words_marks(side->labels, side->count)};
}

/* The second sentence begins a word, whatever its first piece is. */
static bool continues(const struct words *words, size_t token)
{
    const struct token_side *side = words->side;
    return token != side->boundary &&
           words_continue(side->labels, side->special, token, words->marks);
}

static struct token_range word_of(const struct words *words, size_t token)
{
    struct token_range word = {token, token + 1};
    while (word.first > 0 && continues(words, word.first))
        word.first--;
    while (word.end < words->side->count && continues(words, word.end))
        word.end++;
    return word;
}

struct token_range same_word_of(const struct token_side *side, size_t token)
{
    const struct words words = words_in(side);
    return word_of(&words, token);
}

/* Spells a word from its pieces, byte by byte. */
struct speller {
    const struct words *words;
    struct token_range pieces; /* still to be spelt */
    const char *at;            /* the rest of the piece before them */
};

/* The next byte in lower case; '\0' after the last. */
static char spell_whole_word(struct speller *speller)
{
    const struct words *words = speller->words;
    while (*speller->at == '\0' && speller->pieces.first < speller->pieces.end) {
        size_t token = speller->pieces.first++;
        speller->at = words_part(words->side->labels[token], continues(words, token), words->marks);
    }
    char byte = *speller->at;
    speller->at += byte != '\0';
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool is_same_spelling(const struct words *a, struct token_range word, const struct words *b,
                             struct token_range other)
{
    struct speller left = {a, word, ""}, right = {b, other, ""};
    char byte;
    do {
        byte = spell_whole_word(&left);
        if (byte != spell_whole_word(&right))
            return false;
    } while (byte != '\0');
    return true;
}

bool same_word(const struct token_side *a, struct token_range word, const struct token_side *b,
               struct token_range other)
{
    const struct words left = words_in(a), right = words_in(b);
    return is_same_spelling(&left, word, &right, other);
}

/* Moves *at, which begins as {0}, to the next word of `b` that is spelt so. */
static bool next_same(const struct words *a, struct token_range word, const struct words *b,
                      struct token_range *at)
{
    while (at->end < b->side->count) {
        *at = word_of(b, at->end);
        if (is_same_spelling(a, word, b, *at))
            return true;
    }
    return false;
}

/* The number of its occurrences before it. */
static size_t count_before(const struct words *words, struct token_range word)
{
    size_t count = 0;
    for (struct token_range at = {0, 0};
         next_same(words, word, words, &at) && at.first < word.first;)
        count++;
    return count;
}

/* The n-th there if the word is the n-th here; until that is found, the first. */
static bool same_word_search(const struct words *a, struct token_range word, const struct words *b,
                             struct token_range *found)
{
    size_t count = 0, before = SIZE_MAX;
    for (struct token_range at = {0, 0}; count <= before && next_same(a, word, b, &at); count++) {
        if (count == 0)
            before = count_before(a, word);
        if (count == 0 || count == before)
            *found = at;
    }
    return count > 0;
}

bool same_word_find(const struct token_side *a, struct token_range word, const struct token_side *b,
                    struct token_range *found)
{
    const struct words left = words_in(a), right = words_in(b);
    return same_word_search(&left, word, &right, found);
}

/* The next occurrence, or else the first. */
static bool again(const struct words *words, struct token_range word, struct token_range *found)
{
    bool any = false, next = false;
    for (struct token_range at = {0, 0}; !next && next_same(words, word, words, &at);) {
        next = at.first > word.first;
        if (next || (!any && at.first < word.first))
            *found = at;
        any |= at.first != word.first;
    }
    return any;
}

bool same_word_again(const struct token_side *side, struct token_range word,
                     struct token_range *found)
{
    const struct words words = words_in(side);
    return again(&words, word, found);
}

/* Neither a special token nor punctuation. */
static bool is_whole_word(const struct token_side *side, struct token_range word)
{
    const char *label = side->labels[word.first];
    int32_t code;
    if (side->special[word.first] || *label == '\0')
        return false;
    unicode_next(label, strlen(label), &code);
    return word.end > word.first + 1 || !unicode_is_punctuation(code);
}

bool same_word_first(const struct token_side *a, const struct token_side *b,
                     struct token_range found[2])
{
    const struct words left = words_in(a), right = words_in(b ? b : a);
    for (struct token_range at = {0, 0}; at.end < a->count;) {
        at = word_of(&left, at.end);
        found[0] = at;
        if (is_whole_word(a, at) &&
            (b ? same_word_search(&left, at, &right, &found[1]) : again(&left, at, &found[1])))
            return true;
    }
    return false;
}
