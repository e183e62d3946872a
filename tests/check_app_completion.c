/* check_app_completion.c: the completions, which are kept by hand, have every option and every
 * value. What they do in each shell is tested in check_app_shells.c. */
#include "headlight/app/options.h"
#include "headlight/base/file.h"

#include "suites.h"

#include <stdlib.h>
#include <string.h>

/* How each shell's line of an option begins that takes a value, and one that takes none. */
static const struct shell {
    const char *file, *valued, *bare, *letters[2];
    bool grouped; /* options of which no value is known share a line */
} shells[] = {
    {"assets/completions/headlight.bash", "--%s) ", "--%s ", {"--help -h", "--version -V"}, true},
    {"assets/completions/_headlight",
     "'--%s=[",
     "'--%s[",
     {"(-h --help)", "(-V --version)"},
     false},
    {"assets/completions/headlight.fish",
     "complete -c headlight -l %s -x ",
     "complete -c headlight -l %s -d ",
     {"-s h -l help", "-s V -l version"},
     false},
};

static char *read_file(const char *path)
{
    char *text;
    size_t size;
    struct error error;
    ck_assert_int_eq(file_read(path, 1 << 20, &text, &size, &error), STATUS_OK);
    return text;
}

/* Where what the format makes of the option's name stands; NULL if it doesn't. */
static const char *place(const char *text, const char *format, const char *name)
{
    char begin[80];
    snprintf(begin, sizeof begin, "%.*s%s%s", (int)strcspn(format, "%"), format, name,
             strchr(format, '%') + 2);
    return strstr(text, begin);
}

static bool is_separator(char sign)
{
    return strchr(" ();'\"*\t\n", sign) != NULL;
}

/* Whether the word stands by itself in the line. */
static bool has_word(const char *line, const char *word)
{
    const char *end = strchr(line, '\n');
    for (const char *at = line; (at = strstr(at, word)) != NULL && at < end; at++)
        if (is_separator(at[-1]) && is_separator(at[strlen(word)]))
            return true;
    return false;
}

static void check_option(const struct shell *shell, const char *text,
                         const struct option_info *option)
{
    bool valued = option->argument && (option_choice(option, 0) || !shell->grouped);
    const char *word, *line = place(text, valued ? shell->valued : shell->bare, option->name);
    ck_assert_msg(line != NULL, "%s: no line of --%s", shell->file, option->name);
    for (size_t i = 0; option->argument && (word = option_choice(option, i)) != NULL; i++)
        ck_assert_msg(has_word(line, word), "%s: --%s lacks %s", shell->file, option->name, word);
}

TEST(each_shell_has_all_options_and_their_values, .times = COUNT(shells))
{
    const struct shell *shell = &shells[_i];
    const struct option_info *option;
    char *text = read_file(shell->file);
    for (size_t i = 0; (option = option_at(i)) != NULL; i++)
        if (!option_letter(option))
            check_option(shell, text, option);
    for (int i = 0; i < COUNT(shell->letters); i++)
        ck_assert_ptr_nonnull(strstr(text, shell->letters[i]));
    free(text);
}

/* Every option that is offered exists: a file kept by hand could keep one that is gone. */
TEST(each_shell_has_no_other_options, .times = COUNT(shells))
{
    const struct shell *shell = &shells[_i];
    static const char *const before[] = {"--", "'--", "headlight -l "};
    char *text = read_file(shell->file);
    for (const char *at = text; (at = strstr(at, before[_i])) != NULL;) {
        at += strlen(before[_i]);
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
        const struct option_info *option;
        bool known = length < 3;
        for (size_t i = 0; !known && (option = option_at(i)) != NULL; i++)
            known = strlen(option->name) == length && strncmp(option->name, at, length) == 0;
        ck_assert_msg(known, "%s: no such option: --%.*s", shell->file, (int)length, at);
    }
    free(text);
}
