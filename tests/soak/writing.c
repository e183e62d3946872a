#include "soak/writing.h"

#include "headlight/text/unicode.h"
#include "headlight/view/actions.h"

#include <string.h>

/* "red", "##s" and others are in the tiny vocabulary; the rest is pieces or [UNK]. */
static const char *const words[] = {
    "time",
    "flies",
    "like",
    "an",
    "arrow",
    "fruit",
    "banana",
    "the",
    "cat",
    "sat",
    "on",
    "mat",
    "dog",
    "red",
    "unaffable",
    ".",
    ",",
    "?",
    "[MASK]",
    "[SEP]",
    "[CLS]",
    "[UNK]",
    "[PAD]",
    "##ing",
    "2026",
    "naïve",
    "ÉTÉ",
    "Straße",
    "漢字",
    "日本語",
    "한국어",
    "ไทย",
    "العربية",
    "עברית",
    "हिन्दी",
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "👍🏽",
    "e\u0301\u0323\u0327\u0301",
    "\u202Eabc",
    "\u2066x\u2069",
    "\u200B",
    "\uFEFF",
    "\u00AD",
    "\uFFFD",
    "\U0010FFFF",
    "\uE000",
    ("\xC2\x85\xC2\x9B"
     "31m"),
    "\033[2J",
    "\a\b\f",
    "\033]0;x\a",
    "\x7F",
    "a\tb",
    "\r\n",
    "\xFF\xFE",
    "\xC3",
    "\xED\xA0\x80",
    "\xF4\x90\x80\x80",
    "\"",
    "\\",
    "<&>",
    "${x}",
};

#define WORDS (sizeof words / sizeof *words)

int32_t writing_code(struct chance *chance)
{
    static const int32_t first[] = {' ', 'a', 0x00, 0x80, 0x300, 0x590, 0x4E00, 0xAC00, 0x1F300, 0};
    static const int32_t last[] = {'~',   'z',    0x1F,   0x24F,   0x36F,
                                   0x6FF, 0x9FFF, 0xD7A3, 0x1FAFF, 0x10FFFF};
    size_t range =
        chance_one_in(chance, 2) ? 1 : chance_below(chance, sizeof first / sizeof *first);
    return (int32_t)chance_between(chance, first[range], last[range]);
}

/* A word of the list, some code points in a row, or any byte. */
static size_t write_word(struct chance *chance, char *word, size_t size)
{
    size_t length = 0;
    const char *known = words[chance_below(chance, WORDS)];
    switch (chance_below(chance, 8)) {
    case 0:
        for (size_t left = chance_below(chance, 9); left > 0 && length + UNICODE_BYTES < size;
             left--)
            length += unicode_encode(writing_code(chance), word + length);
        return length;
    case 1:
        word[0] = (char)chance_below(chance, 256);
        return 1;
    default:
        length = strlen(known) < size ? strlen(known) : size;
        memcpy(word, known, length);
        return length;
    }
}

size_t writing_text(struct chance *chance, char *text, size_t size)
{
    size_t length = 0;
    size_t count = chance_below(chance, chance_one_in(chance, 12) ? 90 : 14);
    while (count-- > 0 && length + 64 < size) {
        length += write_word(chance, text + length, size - length - 1);
        if (!chance_one_in(chance, 6))
            text[length++] = ' ';
    }
    return length;
}

uint32_t writing_key(struct chance *chance)
{
    static const uint32_t kills[] = {'U' & 0x1F, 'W' & 0x1F, 'K' & 0x1F, 'Y' & 0x1F, 'T' & 0x1F,
                                     '_' & 0x1F, 'A' & 0x1F, 'E' & 0x1F, 'D' & 0x1F};
    static const char alt[] = "bfdtulcr_\x7F";
    switch (chance_below(chance, 12)) {
    case 0:
        return kills[chance_below(chance, sizeof kills / sizeof *kills)];
    case 1:
        return KEY_ALT | (uint32_t)(unsigned char)alt[chance_below(chance, sizeof alt - 1)];
    case 2:
    case 3: /* arrows, Delete, words; and one past them */
        return KEY_CODE_UP + (uint32_t)chance_below(chance, KEY_CODE_NONE - KEY_CODE_UP + 2);
    case 4:
        return chance_one_in(chance, 2) ? KEY_CODE_ESCAPE : KEY_CODE_ENTER;
    case 5:
        return chance_one_in(chance, 2) ? KEY_CODE_TAB : KEY_CODE_BACKSPACE;
    case 6:
        return (chance_one_in(chance, 8) ? KEY_ALT : 0) | (uint32_t)writing_code(chance);
    case 7:
        return ' ';
    default:
        return (uint32_t)writing_code(chance);
    }
}
