#include "text.h"

#include "fail.h"

#include <string.h>

/* Carroll 1865, "Alice's Adventures in Wonderland", its first sentence. */
static const char *const words[] = {"alice",
                                    "was",
                                    "beginning",
                                    "to",
                                    "get",
                                    "very",
                                    "tired",
                                    "of",
                                    "sitting",
                                    "by",
                                    "her",
                                    "sister",
                                    "on",
                                    "the",
                                    "bank",
                                    "and",
                                    "of",
                                    "having",
                                    "nothing",
                                    "to",
                                    "do",
                                    "once",
                                    "or",
                                    "twice",
                                    "she",
                                    "had",
                                    "peeped",
                                    "into",
                                    "the",
                                    "book",
                                    "her",
                                    "sister",
                                    "was",
                                    "reading",
                                    "but",
                                    "it",
                                    "had",
                                    "no",
                                    "pictures",
                                    "or",
                                    "conversations",
                                    "in",
                                    "it"};

/* Some are cut, as they are by real vocabularies. */
static const char *const pieces[] = {
    "alice", "was", "begin",  "##ning",  "to",      "get",    "very",        "tired",
    "of",    "sit", "##ting", "by",      "her",     "sister", "on",          "the",
    "bank",  "and", "hav",    "##ing",   "nothing", "do",     "once",        "or",
    "twice", "she", "had",    "peep",    "##ed",    "into",   "book",        "read",
    "but",   "it",  "no",     "picture", "##s",     "in",     "conversation"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *text_piece(size_t index)
{
    return index < COUNT(pieces) ? pieces[index] : NULL;
}

static size_t pieces_of(const struct tokenizer *tokenizer, const char *word)
{
    struct encoding *encoding;
    struct error error;
    struct text text = {word, strlen(word)};
    if (tokenizer_encode(tokenizer, &text, 1, false, &encoding, &error) != STATUS_OK)
        fail("%s", error.message);
    size_t count = encoding->count;
    free(encoding);
    return count;
}

/* Words from *next on, round and round, leaving out those that no longer fit. */
static char *make_sentence(const struct tokenizer *tokenizer, size_t tokens, size_t *next)
{
    char *text = NULL;
    size_t length = 0, skipped = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        fail("not enough memory for a text");
    while (tokens > 0 && skipped < COUNT(words)) {
        const char *word = words[(*next)++ % COUNT(words)];
        size_t count = pieces_of(tokenizer, word);
        if (count > tokens) {
            skipped++;
            continue;
        }
        fprintf(stream, ftell(stream) > 0 ? " %s" : "%s", word);
        tokens -= count;
        skipped = 0;
    }
    fclose(stream);
    if (tokens > 0)
        fail("the vocabulary has too few words for a text");
    return text;
}

struct text_pair text_make(const struct tokenizer *tokenizer, size_t tokens)
{
    size_t words_tokens = tokens - 3, next = 0;
    char *first = make_sentence(tokenizer, (words_tokens + 1) / 2, &next);
    char *second = make_sentence(tokenizer, words_tokens / 2, &next);
    return (struct text_pair){{first, second}};
}

void text_free(struct text_pair *pair)
{
    free(pair->texts[0]);
    free(pair->texts[1]);
    *pair = (struct text_pair){{NULL, NULL}};
}

struct text text_of(const struct text_pair *pair, size_t index)
{
    return (struct text){pair->texts[index], strlen(pair->texts[index])};
}
