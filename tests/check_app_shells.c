/* check_app_shells.c: the completions for bash, zsh and fish complete command lines there,
 * read from where each looks, typed at a pseudo-terminal. A home of its own keeps everybody's
 * settings out. */
#include "headlight/base/file.h"

#include "hub_helpers.h"
#include "suites.h"
#include "terminal_helpers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROMPT "ready:"

static struct hub hub;

/* ---- The shells --------------------------------------------------------------------------------
 */

static const struct shell {
    const char *name, *arguments[6];
    const char *settings, *set;     /* a file in the home, and what it says */
    const char *file, *completions; /* and where in the home the shell looks for it */
    bool titled;                    /* it shows what a value means */
} shells[] = {
    {"bash",
     {"--noprofile", "--rcfile", "../settings", "-i"},
     "settings",
     "PS1='" PROMPT " '; . ~/completions",
     "assets/completions/headlight.bash",
     "completions",
     false},
    {"zsh",
     {"-d", "-i"},
     ".zshrc",
     "PS1='" PROMPT " '; unsetopt prompt_sp; setopt no_beep; fpath=(~/site $fpath)\n"
     "autoload -U compinit && compinit -u -D",
     "assets/completions/_headlight",
     "site/_headlight",
     true},
    {"fish",
     {"-i"},
     ".config/fish/config.fish",
     "function fish_prompt; echo -n '" PROMPT " '; end\n"
     "set -g fish_greeting; set -g fish_autosuggestion_enabled 0",
     "assets/completions/headlight.fish",
     ".config/fish/completions/headlight.fish",
     true},
};

/* NULL where there is no such shell. */
static const char *shell_path(const struct shell *shell)
{
    static const char *const folders[] = {"/bin", "/usr/bin", "/usr/local/bin",
                                          "/opt/homebrew/bin"};
    static char path[64];
    for (int i = 0; i < COUNT(folders); i++) {
        snprintf(path, sizeof path, "%s/%s", folders[i], shell->name);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

/* ---- Where they run -----------------------------------------------------------------------------
 */

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

/* Two models, one of which has a name that a shell could take for a command. */
static void make_home(void)
{
    const char *named = getenv("HEADLIGHT_PROGRAM");
    char program[PATH_MAX];
    hub_make(&hub);
    hub_add(&hub, "models--tiny--encoder", COMMIT, "main");
    hub_add(&hub, "models--tiny--$(touch owned);`touch owned`", COMMIT, "main");
    hub_file(hub_path(&hub, "work/seen.safetensors"), "");
    hub_file(hub_path(&hub, "work/settled.txt"), "");
    /* Where this is, fish does not begin to read all manual pages in the background. */
    hub_folder(hub_path(&hub, ".local/share/fish/generated_completions"));
    ck_assert_ptr_nonnull(realpath(named ? named : "build/headlight", program));
    hub_link(hub_path(&hub, "bin/headlight"), program);
}

/* A shell that still runs could write into it. */
static void remove_home(void)
{
    close_terminal();
    hub_remove(&hub);
}

static void install_completions(const struct shell *shell)
{
    char *text;
    size_t size;
    struct error error;
    hub_file(hub_path(&hub, "%s", shell->settings), shell->set);
    ck_assert_int_eq(file_read(shell->file, 1 << 20, &text, &size, &error), STATUS_OK);
    hub_file(hub_path(&hub, "%s", shell->completions), text);
    free(text);
}

static void start(const struct shell *shell)
{
    char home[128], search[256];
    install_completions(shell);
    snprintf(home, sizeof home, "HOME=%s", hub.root);
    snprintf(search, sizeof search, "PATH=%s/bin:/usr/bin:/bin", hub.root);
    const char *environment[] = {home, search, "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR", NULL};
    pty = pty_start(&(struct pty_setup){
        .program = shell_path(shell),
        .arguments = shell->arguments,
        .environment = environment,
        .folder = hub_path(&hub, "work"),
    });
    pty_expect(pty, PROMPT);
}

/* ---- What is completed
 * --------------------------------------------------------------------------- */

/* An X is typed behind what was completed, to show whether it ended the word. */
static const struct row {
    const char *typed, *completed;
} rows[] = {
    {"--vie\tX", "--view"},
    {"--vers\tX", "--version X"},
    {"--theme li\tX", "--theme light X"},
    {"--map=ro\tX", "--map=rollout X"},
    {"--include scores,qu\t", "--include scores,query"},
    {"--lesson gu\tX", "--lesson guess X"},
    {"surv\tX", "survey X"},
    {"survey --eff\tX", "survey --effects X"},
    {"help net\tX", "help network X"},
    {"--csv=se\tX", "--csv=seX"}, /* no file ends so */
    {"see\tX", "seen.safetensors X"},
    {"--model tin\tX", "--model tiny/encoder X"},
    {"--model enco\tX", "--model encoder X"}, /* the name without its owner */
    {"--against buil\tX", "--against built-in X"},
    {"--model=buil\tX", "--model=built-in X"},
    {"--family came\tX", "--family camembert X"},
};

TESTS(.base = &terminal_tests, .begin = make_home, .end = remove_home);

static bool shell_is_here(const struct shell *shell)
{
    char what[64];
    if (shell_path(shell))
        return true;
    snprintf(what, sizeof what, "completions of %s, which is not here", shell->name);
    skip(what);
    return false;
}

TEST(a_shell_completes_options_and_values, .times = COUNT(shells))
{
    if (!shell_is_here(&shells[_i]))
        return;
    start(&shells[_i]);
    for (int i = 0; i < COUNT(rows); i++) {
        char line[128];
        snprintf(line, sizeof line, "headlight %s", rows[i].typed);
        pty_type(pty, line);
        snprintf(line, sizeof line, PROMPT " headlight %s", rows[i].completed);
        pty_expect(pty, line);
        pty_type(pty, "\025"); /* Ctrl-U: the line is empty again */
        pty_expect_gone(pty, "headlight");
    }
}

TEST(a_shell_lists_the_values, .times = COUNT(shells))
{
    if (!shell_is_here(&shells[_i]))
        return;
    const struct shell *shell = &shells[_i];
    start(shell);
    pty_type(pty, "headlight --lesson \t\t");
    pty_expect(pty, "twice");
    pty_expect(pty, shell->titled ? "What a line means" : "lines");
}

TEST(a_model_whose_name_is_a_command_is_no_command, .times = COUNT(shells))
{
    if (!shell_is_here(&shells[_i]))
        return;
    start(&shells[_i]);
    pty_type(pty, "headlight --model tiny/\tX");
    pty_expect(pty, "headlight --model tiny/encoder X");
    ck_assert_int_ne(access(hub_path(&hub, "work/owned"), F_OK), 0);
}
