/* check_app_completion.c: what is printed for shells to complete a command line with. */
#include "suites.h"

#include "headlight/app/completion.h"
#include "headlight/app/completion_parts.h"
#include "headlight/lesson/lessons.h"

#include <stdlib.h>
#include <string.h>

/* ---- What is printed ---- */

/* The caller frees. */
static char *printed(void (*write)(FILE *stream))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    write(stream);
    ck_assert_int_eq(fclose(stream), 0);
    return text;
}

/* The line that begins so, without leading blanks; "" for none. The caller frees. */
static char *line_of(const char *text, const char *begin)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \n");
        if (*line && strncmp(line, begin, strlen(begin)) == 0)
            return strndup(line, strcspn(line, "\n"));
    }
    return strdup("");
}

static bool is_separator(char sign)
{
    return !sign || strchr(" ();'\"*\t\n", sign);
}

static bool has_word(const char *line, const char *word)
{
    for (const char *at = line; (at = strstr(at, word)) != NULL; at++)
        if ((at == line || is_separator(at[-1])) && is_separator(at[strlen(word)]))
            return true;
    return false;
}

static void assert_word(const char *line, const char *word, const char *option)
{
    ck_assert_msg(has_word(line, word), "--%s: expected %s in: %s", option, word, line);
}

/* How each shell's line of an option begins that takes a value, and one that takes none. */
static const struct shell {
    const char *name;
    void (*write)(FILE *stream);
    const char *valued, *bare;
} shells[] = {
    {"bash", completion_write_bash, "--%s) ", "--%s "},
    {"zsh", completion_write_zsh, "'--%s=[", "'--%s["},
    {"fish", completion_write_fish, "complete -c headlight -l %s -x ",
     "complete -c headlight -l %s -d "},
};

static char *option_line(const struct shell *shell, const char *text,
                         const struct option_info *option)
{
    char begin[80];
    bool valued = option_takes(option) != TAKES_NOTHING;
    const char *form = valued ? shell->valued : shell->bare;
    snprintf(begin, sizeof begin, "%.*s%s%s", (int)strcspn(form, "%"), form, option->name,
             strchr(form, '%') + 2);
    return line_of(text, begin);
}

START_TEST(each_shell_is_told_of_all_options_and_their_values)
{
    const struct shell *shell = &shells[_i];
    char *text = printed(shell->write);
    const struct option_info *option;
    const char *word;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
        if (option_letter(option))
            continue;
        char *line = option_line(shell, text, option);
        ck_assert_msg(*line, "%s: no line of --%s", shell->name, option->name);
        bool valued = option_takes(option) != TAKES_NOTHING;
        for (size_t k = 0; valued && (word = option_choice(option, k)) != NULL; k++)
            assert_word(line, word, option->name);
        for (size_t k = 0; (word = option_ending(option, k)) != NULL; k++)
            if (option_takes(option) != TAKES_LESSON)
                assert_word(line, word, option->name);
        free(line);
    }
    free(text);
}
END_TEST

START_TEST(each_shell_is_told_of_the_short_options_and_the_lessons)
{
    static const char *const short_forms[] = {"--help -h", "(-h --help)", "-s h -l help"};
    static const char *const versions[] = {"--version -V", "(-V --version)", "-s V -l version"};
    char *text = printed(shells[_i].write), title[160];
    ck_assert_ptr_nonnull(strstr(text, short_forms[_i]));
    ck_assert_ptr_nonnull(strstr(text, versions[_i]));
    ck_assert_ptr_nonnull(strstr(text, ".md"));
    for (size_t i = 0; i < lessons_count(); i++) {
        lessons_title(i, title, sizeof title);
        ck_assert_str_ne(title, lessons_name(i));
        ck_assert_ptr_nonnull(strstr(text, lessons_name(i)));
        if (_i > 0)
            ck_assert_ptr_nonnull(strstr(text, title));
    }
    free(text);
}
END_TEST

/* ---- One option ---- */

static const struct option_info hostile = {
    .code = OPTION_STEP,
    .name = "step",
    .argument = "N",
    .help = "it's \"q\" [b]: $HOME `id` a\\b",
    .takes = TAKES_TEXT,
};

static void write_hostile_zsh(FILE *stream)
{
    completion_write_zsh_option(stream, &hostile);
}

static void write_hostile_fish(FILE *stream)
{
    completion_write_fish_option(stream, &hostile);
}

START_TEST(no_sign_of_a_help_means_anything_to_a_shell)
{
    char *zsh = printed(write_hostile_zsh), *fish = printed(write_hostile_fish);
    ck_assert_str_eq(zsh,
                     "        '--step=[it'\\''s \"q\" \\[b\\]\\: $HOME `id` a\\\\b]:N: ' \\\n");
    ck_assert_str_eq(fish, "complete -c headlight -l step -x -a '' "
                           "-d 'it'\\''s \"q\" [b]: $HOME `id` a\\\\b'\n");
    free(zsh);
    free(fish);
}
END_TEST

/* They are written bare. */
START_TEST(names_of_values_need_no_quotes)
{
    const struct option_info *option;
    const char *word;
    for (size_t i = 0; (option = option_at(i)) != NULL; i++)
        for (size_t k = 0; (word = option_choice(option, k)) != NULL; k++)
            ck_assert_uint_eq(strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_-"), strlen(word));
    for (size_t i = 0; i < lessons_count(); i++)
        ck_assert_uint_eq(strspn(lessons_name(i), "abcdefghijklmnopqrstuvwxyz0123456789_-"),
                          strlen(lessons_name(i)));
}
END_TEST

Suite *suite_app_completion(void)
{
    Suite *suite = suite_create("app_completion");
    TCase *tests = tcase_create("printed");
    tcase_add_loop_test(tests, each_shell_is_told_of_all_options_and_their_values, 0,
                        COUNT(shells));
    tcase_add_loop_test(tests, each_shell_is_told_of_the_short_options_and_the_lessons, 0,
                        COUNT(shells));
    tcase_add_test(tests, no_sign_of_a_help_means_anything_to_a_shell);
    tcase_add_test(tests, names_of_values_need_no_quotes);
    suite_add_tcase(suite, tests);
    return suite;
}
