#include "model_helpers.h"
#include "suites.h"

#include "headlight/app/lists.h"
#include "headlight/view/actions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs over the words of a `keys` text. */
static const char *next_word(const char *keys, size_t *length)
{
    keys += strspn(keys, " ");
    *length = strcspn(keys, " ");
    return *length > 0 ? keys : NULL;
}

TEST(every_key_is_known_and_leads_to_its_action)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        size_t length;
        for (const char *word = info->keys; (word = next_word(word, &length)); word += length) {
            enum action action;
            int digit;
            uint32_t key = strncmp(word, "0-9", 3) == 0 ? '7' : key_named(word, length);
            ck_assert_msg(key != KEY_CODE_NONE, "%s: %.*s", info->help, (int)length, word);
            ck_assert(action_of_key(NULL, key, &action, &digit));
            ck_assert_msg(action == (enum action)i, "%.*s is bound twice", (int)length, word);
        }
        ck_assert_str_ne(info->group, "");
        ck_assert_str_ne(info->help, "");
    }
}

TEST(digits_carry_their_value)
{
    enum action action;
    int digit;
    for (int i = 0; i <= 9; i++) {
        ck_assert(action_of_key(NULL, (uint32_t)('0' + i), &action, &digit));
        ck_assert_int_eq(action, ACTION_HEAD_DIGIT);
        ck_assert_int_eq(digit, i);
    }
}

TEST(other_keys_are_unbound)
{
    enum action action;
    int digit;
    const uint32_t keys[] = {'Y', 'X', 0xE9, 0x01, KEY_CODE_NONE, 0x1F600};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        ck_assert(!action_of_key(NULL, keys[i], &action, &digit));
    ck_assert(action_of_key(NULL, '\n', &action, &digit));
    ck_assert_int_eq(action, ACTION_PIN);
    ck_assert_uint_eq(key_named("Ctrl-L", 6), 12);
    ck_assert_uint_eq(key_named("Hyper", 5), KEY_CODE_NONE);
}

TEST(editing_keys_have_names)
{
    ck_assert_uint_eq(key_named("Backspace", 9), KEY_CODE_BACKSPACE);
    ck_assert_uint_eq(key_named("Delete", 6), KEY_CODE_DELETE);
    ck_assert_uint_eq(key_named("Word-Left", 9), KEY_CODE_WORD_LEFT);
    ck_assert_uint_eq(key_named("Word-Right", 10), KEY_CODE_WORD_RIGHT);
    ck_assert_uint_eq(key_named("Alt-b", 5), KEY_ALT | 'b');
    ck_assert_uint_eq(key_named("Alt-b Alt-f", 5), KEY_ALT | 'b');
    ck_assert_uint_eq(key_named("Alt-Backspace", 13), KEY_ALT | KEY_CODE_BACKSPACE);
    ck_assert_uint_eq(key_named("Alt--", 5), KEY_ALT | '-');
    ck_assert_uint_eq(key_named("Alt-", 4), KEY_CODE_NONE);
    ck_assert_uint_eq(key_named("Alt-Hyper", 9), KEY_CODE_NONE);
    ck_assert_uint_gt(KEY_ALT, KEY_CODE_NONE); /* so that no two keys are the same */
}

TEST(a_key_with_alt_is_another_key)
{
    enum action action;
    int digit;
    ck_assert(action_of_key(NULL, 'q', &action, &digit));
    ck_assert(!action_of_key(NULL, KEY_ALT | 'q', &action, &digit));
    ck_assert(!action_of_key(NULL, KEY_ALT | '7', &action, &digit));
    ck_assert(!action_of_key(NULL, KEY_ALT | KEY_CODE_UP, &action, &digit));
}

/* The table of keys, which has the names as well, fits a terminal of 80. */
TEST(help_fits_its_column)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        ck_assert_msg(strlen(info->keys) <= 9, "%s", info->keys);
        ck_assert_msg(strlen(info->help) <= 46, "%s", info->help);
    }
}

static char *read_page(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = fopen(path, "r");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_gt(getdelim(&text, &size, '\0', stream), 0);
    fclose(stream);
    return text;
}

TEST(a_page_has_the_table_of_keys)
{
    char *page = read_page("assets/docs/keys.md"), *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    keys_write(stream, NULL, true);
    fclose(stream);
    ck_assert_uint_gt(length, 100);
    ck_assert_msg(strstr(page, text) != NULL, "keys.md lacks, or has otherwise:\n%s", text);
    free(text);
    free(page);
}
