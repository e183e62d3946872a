#include "page_helpers.h"

#include "model_helpers.h"

#include <check.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

struct page pages[PAGES_MAX];
size_t page_count;

static struct error error;

/* ---- Pages -------------------------------------------------------------------------------- */

static const char *line_end(const char *line)
{
    return line + strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    const char *end = line_end(line);
    return *end ? end + 1 : end;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void blank(char *from, const char *end)
{
    for (; from < end; from++)
        if (*from != '\n')
            *from = ' ';
}

static void blank_blocks(char *text)
{
    bool fenced = false;
    for (char *line = text; *line; line += next_line(line) - line) {
        bool is_fence = begins(line, "```");
        if (is_fence)
            fenced = !fenced;
        if (is_fence || fenced)
            blank(line, line_end(line));
    }
    ck_assert(!fenced);
}

static void blank_spans(const struct page *page, char *text)
{
    for (char *open = text; (open = strchr(open, '`'));) {
        char *close = strchr(open + 1, '`');
        ck_assert_msg(close != NULL, "%s: an odd number of backquotes", page->path);
        blank(open, close + 1);
        open = close + 1;
    }
}

static void read_page(const char *path)
{
    size_t length;
    ck_assert_uint_lt(page_count, PAGES_MAX);
    struct page *page = &pages[page_count++];
    snprintf(page->path, sizeof page->path, "%s", path);
    assert_ok(file_read(path, 1 << 20, &page->text, &length, &error), error);
    page->prose = strdup(page->text);
    blank_blocks(page->prose);
    page->plain = strdup(page->prose);
    blank_spans(page, page->plain);
}

void pages_read(void)
{
    char path[96];
    page_count = 0;
    read_page(README_PATH);
    DIR *folder = opendir(PAGES_PATH);
    ck_assert_ptr_nonnull(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        ck_assert_int_lt(snprintf(path, sizeof path, PAGES_PATH "/%s", entry->d_name), sizeof path);
        read_page(path);
    }
    closedir(folder);
}

void pages_free(void)
{
    for (size_t i = 0; i < page_count; i++) {
        free(pages[i].text);
        free(pages[i].prose);
        free(pages[i].plain);
    }
    page_count = 0;
}

const struct page *page_named(const char *name)
{
    for (size_t i = 0; i < page_count; i++)
        if (strcmp(strrchr(pages[i].path, '/') ? strrchr(pages[i].path, '/') + 1 : pages[i].path,
                   name) == 0)
            return &pages[i];
    ck_abort_msg("there is no page %s", name);
}

/* ---- Sentences ---------------------------------------------------------------------------- */

static bool is_at(const char *at, const char *text, char (*numbers)[16])
{
    for (; *text; text++) {
        if (numbers && *text == '#') {
            size_t length = strspn(at, "0123456789.");
            if (length > 1 && at[length - 1] == '.') /* the sentence's */
                length--;
            if (length == 0 || length >= sizeof *numbers)
                return false;
            snprintf(*numbers++, sizeof *numbers, "%.*s", (int)length, at);
            at += length;
        } else if (*at == *text || (*at == '\n' && *text == ' ')) {
            at++;
        } else {
            return false;
        }
    }
    return true;
}

bool page_says(const struct page *page, const char *text, char (*numbers)[16])
{
    for (const char *at = page->prose; *at; at++)
        if (is_at(at, text, numbers))
            return true;
    return false;
}

bool has_span(const char *text, const char *name)
{
    char span[64];
    snprintf(span, sizeof span, "`%s`", name);
    return strstr(text, span) != NULL;
}

/* ---- Spans and links ---------------------------------------------------------------------- */

/* On one line; the caller's. */
static char *copy_between(const char *from, const char *end)
{
    char *text = strndup(from, (size_t)(end - from));
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ' ';
    return text;
}

void page_each_span(const struct page *page, void (*visit)(const struct page *, const char *))
{
    for (const char *open = page->prose; (open = strchr(open, '`'));) {
        const char *close = strchr(open + 1, '`');
        char *span = copy_between(open + 1, close);
        visit(page, span);
        free(span);
        open = close + 1;
    }
}

void page_each_link(const struct page *page, void (*visit)(const struct page *, const char *))
{
    for (const char *open = page->plain; (open = strstr(open, "]("));) {
        const char *close = strchr(open, ')');
        ck_assert_ptr_nonnull(close);
        char *target = copy_between(open + 2, close);
        visit(page, target);
        free(target);
        open = close;
    }
}

/* ---- Blocks ------------------------------------------------------------------------------- */

/* The block behind a fence that opens one; the caller's. */
static char *block_text(const char *fence)
{
    const char *begin = next_line(fence), *end = strstr(begin, "```");
    return strndup(begin, (size_t)(end - begin));
}

static const char *fence_after(const char *text)
{
    const char *line = text;
    while (*line && !begins(line, "```"))
        line = next_line(line);
    return *line ? line : NULL;
}

/* The first fence of the next block, and its language. */
static const char *next_block(const char *text, char *language, size_t size)
{
    const char *fence = fence_after(text);
    if (fence)
        snprintf(language, size, "%.*s", (int)(line_end(fence) - fence - 3), fence + 3);
    return fence;
}

static const char *past_block(const char *fence)
{
    return next_line(fence_after(next_line(fence)));
}

char *page_block(const struct page *page, const char *language)
{
    char found[16];
    const char *fence = page->text;
    while ((fence = next_block(fence, found, sizeof found)) && strcmp(found, language) != 0)
        fence = past_block(fence);
    ck_assert_msg(fence != NULL, "%s: there is no %s", page->path, language);
    return block_text(fence);
}

/* ---- Commands ----------------------------------------------------------------------------- */

static bool is_command(const char *line, const char *end)
{
    const char *piped = strstr(line, "| headlight "), *built = strstr(line, "| build/headlight ");
    return begins(line, "headlight ") || begins(line, "build/headlight ") ||
           (piped && piped < end) || (built && built < end);
}

/* The end of a command that goes on behind each backslash at a line's end. */
static const char *command_end(const char *line)
{
    const char *end = line_end(line);
    while (end > line && end[-1] == '\\' && *end)
        end = line_end(end + 1);
    return end;
}

static void visit_plain(const struct page *page, const char *block,
                        void (*visit)(const struct page *, const char *, const char *))
{
    const char *end;
    for (const char *line = block; *line; line = next_line(end)) {
        end = command_end(line);
        if (!is_command(line, end))
            continue;
        char *command = strndup(line, (size_t)(end - line));
        visit(page, command, NULL);
        free(command);
    }
}

static void visit_console(const struct page *page, const char *block,
                          void (*visit)(const struct page *, const char *, const char *))
{
    for (const char *line = block; *line;) {
        ck_assert_msg(begins(line, "$ "), "%s: no command: %s", page->path, line);
        const char *end = command_end(line), *output = next_line(end), *next = output;
        while (*next && !begins(next, "$ "))
            next = next_line(next);
        char *command = strndup(line + 2, (size_t)(end - line - 2));
        char *printed = strndup(output, (size_t)(next - output));
        visit(page, command, printed);
        free(command);
        free(printed);
        line = next;
    }
}

static void (*visit_command)(const struct page *, const char *, const char *);

static void visit_span(const struct page *page, const char *span)
{
    if (begins(span, "headlight "))
        visit_command(page, span, NULL);
}

void page_each_command(const struct page *page,
                       void (*visit)(const struct page *, const char *, const char *))
{
    char language[16];
    const char *fence = page->text;
    visit_command = visit;
    page_each_span(page, visit_span);
    for (; (fence = next_block(fence, language, sizeof language)); fence = past_block(fence)) {
        char *block = block_text(fence);
        if (strcmp(language, "console") == 0)
            visit_console(page, block, visit);
        else if (!*language)
            visit_plain(page, block, visit);
        free(block);
    }
}

/* ---- Tables ------------------------------------------------------------------------------- */

void page_each_row(const struct page *page, const char *head,
                   void (*visit)(const struct page *, const char *, const char *))
{
    const char *line = strstr(page->prose, head);
    ck_assert_msg(line != NULL, "%s: there is no table %s", page->path, head);
    line = next_line(next_line(line));
    ck_assert_int_eq(*line, '|');
    for (; *line == '|'; line = next_line(line)) {
        const char *between = strchr(line + 1, '|');
        char *first = copy_between(line + 1, between);
        char *second = copy_between(between + 1, strchr(between + 1, '|'));
        visit(page, first, second);
        free(first);
        free(second);
    }
}
