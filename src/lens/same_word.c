/* same_word.c: finds further occurrences of a word. Words are compared by spelling, as two models
 * can split a word into different pieces. */
#include "headlight/lens/same_word.h"

#include <string.h>

struct token_range same_word_of(const struct token_side *side, size_t token)
{
    struct token_range word = {token, token + 1};
    while (word.first > 0 && side->continues[word.first])
        word.first--;
    while (word.end < side->count && side->continues[word.end])
        word.end++;
    return word;
}

/* Spells a word from its pieces, byte by byte. */
struct speller {
    const struct token_side *side;
    struct token_range pieces; /* still to be spelt */
    const char *at;            /* the rest of the piece before them */
};

/* The next byte in lower case; '\0' after the last. */
static char spell_whole_word(struct speller *speller)
{
    const struct token_side *side = speller->side;
    while (*speller->at == '\0' && speller->pieces.first < speller->pieces.end) {
        size_t token = speller->pieces.first++;
        speller->at = words_part(side->labels[token], side->continues[token], side->marks);
    }
    char byte = *speller->at;
    speller->at += byte != '\0';
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

bool same_word(const struct token_side *a, struct token_range word, const struct token_side *b,
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

/* Moves *at, which begins as {0}, to the next word of `b` that is spelt so. */
static bool next_same(const struct token_side *a, struct token_range word,
                      const struct token_side *b, struct token_range *at)
{
    while (at->end < b->count) {
        *at = same_word_of(b, at->end);
        if (same_word(a, word, b, *at))
            return true;
    }
    return false;
}

/* The n-th there if the word is the n-th here, or else the first. */
bool same_word_find(const struct token_side *a, struct token_range word, const struct token_side *b,
                    struct token_range *found)
{
    size_t count = 0, before = 0;
    for (struct token_range own = {0, 0}; next_same(a, word, a, &own) && own.first < word.first;)
        before++;
    for (struct token_range at = {0, 0}; next_same(a, word, b, &at); count++)
        if (count == 0 || count == before)
            *found = at;
    return count > 0;
}

/* The next occurrence, or else the first. */
bool same_word_again(const struct token_side *side, struct token_range word,
                     struct token_range *found)
{
    bool any = false;
    for (struct token_range at = {0, 0}; next_same(side, word, side, &at);)
        if (at.first > word.first || (!any && at.first < word.first)) {
            *found = at;
            if (at.first > word.first)
                return true;
            any = true;
        }
    return any;
}

bool same_word_first(const struct token_side *a, const struct token_side *b, bool past,
                     struct token_range found[2])
{
    size_t begun = 0;
    while (past && b && begun < a->count && begun < b->count &&
           strcmp(a->labels[begun], b->labels[begun]) == 0)
        begun++;
    for (struct token_range at = {begun, begun}; at.end < a->count;) {
        at = same_word_of(a, at.end);
        found[0] = at;
        const char *label = a->labels[at.first];
        const bool plain = !a->special[at.first] && *label != '\0' && words_is_known(label) &&
                           (at.end > at.first + 1 || !words_is_punctuation(label));
        if (plain && (b ? same_word_find(a, at, b, &found[1]) : same_word_again(a, at, &found[1])))
            return true;
    }
    return begun > 0 && same_word_first(a, b, false, found);
}
