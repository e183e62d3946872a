/* check_app_docs.c: what README.md and assets/docs say, against the program's own tables and the
 * tree. What their commands do: check_app_docs_commands.c. */
#include "headlight/app/options.h"
#include "headlight/base/file.h"
#include "headlight/model/family.h"
#include "headlight/model/trace.h"
#include "headlight/view/views.h"
#include "page_helpers.h"
#include "suites.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t visited;

static void on_all_pages(void (*check)(const struct page *page))
{
    visited = 0;
    for (size_t i = 0; i < page_count; i++)
        check(&pages[i]);
}

/* ---- Links -------------------------------------------------------------------------------- */

/* "../head.svg" as a page has it, from the tree's root. */
static void resolve(const struct page *page, const char *target, char *path, size_t size)
{
    const char *slash = strrchr(page->path, '/');
    int folder = slash ? (int)(slash - page->path) + 1 : 0;
    snprintf(path, size, "%.*s%.*s", folder, page->path, (int)strcspn(target, "#"), target);
    if (*target == '#')
        snprintf(path, size, "%s", page->path);
}

/* "## Words view" is found as words-view. */
static void name_anchor(const char *heading, char *anchor)
{
    for (; *heading && *heading != '\n'; heading++)
        if (*heading == ' ')
            *anchor++ = '-';
        else if (isalnum((unsigned char)*heading) || strchr("-_", *heading))
            *anchor++ = (char)tolower((unsigned char)*heading);
    *anchor = '\0';
}

static bool has_anchor(const char *path, const char *wanted)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char anchor[256];
    for (const char *line = page_named(name)->prose; (line = strstr(line, "\n#")); line++) {
        const char *heading = line + 1 + strspn(line + 1, "#");
        name_anchor(heading + 1, anchor);
        if (strcmp(anchor, wanted) == 0)
            return true;
    }
    return false;
}

static void check_link(const struct page *page, const char *target)
{
    char path[256];
    if (strncmp(target, "https://", 8) == 0)
        return;
    resolve(page, target, path, sizeof path);
    ck_assert_msg(access(path, F_OK) == 0, "%s: %s leads nowhere", page->path, target);
    if (strchr(target, '#'))
        ck_assert_msg(has_anchor(path, strchr(target, '#') + 1), "%s: no heading for %s",
                      page->path, target);
    visited++;
}

static void check_links(const struct page *page)
{
    page_each_link(page, check_link);
}

TESTS(.begin = pages_read, .end = pages_free);

TEST(links_lead_somewhere)
{
    on_all_pages(check_links);
    ck_assert_uint_gt(visited, 2 * page_count);
}

TEST(the_readme_leads_to_every_page_and_each_leads_back)
{
    char link[128];
    for (size_t i = 1; i < page_count; i++) {
        snprintf(link, sizeof link, "](%s)", pages[i].path);
        ck_assert_msg(strstr(pages[0].plain, link) != NULL, README_PATH " lacks %s", link);
        ck_assert_msg(strstr(pages[i].plain, "[the start](../../README.md)") != NULL, "%s",
                      pages[i].path);
    }
    ck_assert_uint_gt(page_count, 10);
}

/* ---- What is named ------------------------------------------------------------------------ */

/* All options in a text. */
static void check_options(const struct page *page, const char *text)
{
    char name[32];
    for (const char *at = text; (at = strstr(at, "--")); visited++) {
        size_t length = strspn(at += 2, "abcdefghijklmnopqrstuvwxyz-");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        ck_assert_msg(option_named(name) != NULL, "%s: there is no --%s", page->path, name);
    }
}

/* A file of the tree, unless it is one of many; a target of make; an option. */
static void check_span(const struct page *page, const char *span)
{
    static const char *const folders[] = {"src/", "tests/", "assets/", "include/", ".ci/"};
    char *makefile, target[64];
    size_t length;
    struct error error;
    for (int i = 0; i < COUNT(folders); i++)
        if (strncmp(span, folders[i], strlen(folders[i])) == 0 && !strpbrk(span, "*<"))
            ck_assert_msg(access(span, F_OK) == 0, "%s: there is no %s", page->path, span);
    if (strncmp(span, "--", 2) == 0)
        check_options(page, span);
    if (strncmp(span, "make ", 5) != 0)
        return;
    ck_assert_int_eq(file_read("Makefile", 1 << 20, &makefile, &length, &error), STATUS_OK);
    snprintf(target, sizeof target, "\n%.*s:", (int)strcspn(span + 5, " "), span + 5);
    ck_assert_msg(strstr(makefile, target) != NULL, "%s: there is no %s", page->path, span);
    free(makefile);
}

static void check_command(const struct page *page, const char *command, const char *output)
{
    (void)output;
    check_options(page, command);
}

static void check_names(const struct page *page)
{
    page_each_span(page, check_span);
    page_each_command(page, check_command);
}

TEST(what_is_named_is_there)
{
    on_all_pages(check_names);
    ck_assert_uint_gt(visited, 100);
}

/* ---- Tables ------------------------------------------------------------------------------- */

/* A table whose first column has the names that an option takes, each once and no others. */
static const struct {
    const char *page, *head, *option;
} choices[] = {
    {"maps.md", "| map |", "map"},
    {"views.md", "| figure |", "metric"},
    {"views.md", "| stages |", "stage"},
    {"numbers.md", "| name | what it adds |", "include"},
};
static const char *chosen;

/* Of an option, or of a field without one. */
static const char *chosen_choice(size_t index)
{
    const struct option_info *option = option_named(chosen);
    return option ? option_choice(option, index) : field_choice(field_named(chosen), index);
}

static size_t found;

static void check_choice(const struct page *page, const char *first, const char *second)
{
    const char *choice;
    size_t names = 0, spans = 0;
    (void)second;
    for (size_t i = 0; (choice = chosen_choice(i)); i++)
        names += has_span(first, choice);
    for (const char *at = first; (at = strchr(at, '`')); at++)
        spans++;
    ck_assert_msg(names > 0 && spans == 2 * names, "%s: --%s does not take all of %s", page->path,
                  chosen, first);
    found += names;
}

TEST(tables_have_what_an_option_takes, .times = COUNT(choices))
{
    size_t count = 0;
    chosen = choices[_i].option;
    found = 0;
    page_each_row(page_named(choices[_i].page), choices[_i].head, check_choice);
    while (chosen_choice(count))
        count++;
    ck_assert_msg(count > 1 && found == count, "%s has %zu of %zu that --%s takes",
                  choices[_i].page, found, count, choices[_i].option);
}

/* The settings that stay, the changes of the network, the ways to draw lines, the endings of
 * pictures. */
TEST(pages_name_every_kind)
{
    const struct option_info *option;
    const struct option_info *lines = option_named("lines");
    char span[64];
    for (enum state_field field = 0; field < FIELD_COUNT; field++) {
        option = option_named(field_info(field)->name);
        if (!field_is_network(field) || !option->dashes)
            continue;
        snprintf(span, sizeof span, "| `--%s", field_info(field)->name);
        ck_assert_msg(strstr(page_named("network.md")->prose, span) != NULL, "%s", span);
    }
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option_stays(option))
            ck_assert_msg(has_span(page_named("options.md")->prose, option->name), "%s",
                          option->name);
    for (size_t i = 0; option_choice(lines, i); i++)
        ck_assert_msg(has_span(page_named("lines.md")->prose, option_choice(lines, i)), "%s",
                      option_choice(lines, i));
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (formats[i].needs & FORMAT_PICTURE)
            ck_assert_msg(has_span(page_named("pictures.md")->prose, formats[i].name), "%s",
                          formats[i].name);
}

TEST(every_view_has_its_heading)
{
    char heading[64];
#define VIEW(kind, name) name##_view.title,
    static const char *titles[VIEW_COUNT];
    const char *const all[] = {VIEWS(VIEW)};
#undef VIEW
    memcpy(titles, all, sizeof titles);
    for (int i = 0; i < VIEW_COUNT; i++) {
        snprintf(heading, sizeof heading, "\n## %s view\n", titles[i]);
        ck_assert_msg(strstr(page_named("views.md")->prose, heading) != NULL, "%s", heading);
    }
}

/* Rows of families, or of relatives: which have names of their own for the types. */
static bool is_relative(const struct family *family)
{
    return family->of && strcmp(family->of->type, family->type) != 0;
}

static void check_rows(const char *first, const char *second, bool relatives)
{
    const struct family *family;
    for (size_t i = 0; (family = all_families[i]); i++)
        if (is_relative(family) == relatives && (relatives || !family->of) &&
            has_span(second, family->type)) {
            ck_assert_int_eq(strncmp(first + 1, family->name, strlen(family->name)), 0);
            found++;
        }
}

static void check_family(const struct page *page, const char *first, const char *second)
{
    (void)page;
    check_rows(first, second, false);
    visited++;
}

static void check_relative(const struct page *page, const char *first, const char *second)
{
    (void)page;
    check_rows(first, second, true);
}

TEST(families_and_relatives_are_those_of_the_program)
{
    size_t families = 0, relatives = 0;
    for (size_t i = 0; all_families[i]; i++) {
        families += !all_families[i]->of;
        relatives += is_relative(all_families[i]);
    }
    found = 0;
    page_each_row(page_named("models.md"), "| relative |", check_relative);
    ck_assert_uint_eq(found, relatives);
    found = visited = 0;
    page_each_row(page_named("models.md"), "| family |", check_family);
    ck_assert_uint_eq(found, families);
    ck_assert_uint_eq(visited, families);
}

/* ---- The tensors of a trace --------------------------------------------------------------- */

/* A tensor's axes as a page has them: " A,T,D "; the attended tokens are those that attend,
 * and each head has keys of its own. */
static void write_axes(const char *axes, char *text)
{
    *text++ = ' ';
    for (; *axes; axes++) {
        *text++ = *axes == 'S' ? 'T' : *axes == 'G' ? 'A' : *axes;
        *text++ = axes[1] ? ',' : ' ';
    }
    *text = '\0';
}

static void check_tensors(const struct page *page, const char *first, const char *second)
{
    static const char *const prefixes[2][4] = {{""}, {"layer.N.", "layer.0.", "."}};
    char name[TRACE_NAME_MAX], axes[16];
    size_t spans = 0, here = 0;
    for (size_t i = 0; i < TRACE_NAMES; i++)
        for (size_t k = 0; prefixes[trace_entries[i].in_layer][k]; k++) {
            snprintf(name, sizeof name, "%s%s", prefixes[trace_entries[i].in_layer][k],
                     trace_entries[i].name);
            if (!has_span(first, name))
                continue;
            write_axes(trace_entries[i].axes, axes);
            if (strcmp(name, "logits") == 0 && strcmp(axes, second) != 0)
                continue; /* of a text and of its tokens */
            ck_assert_msg(strcmp(axes, second) == 0, "%s has the shape%s, not%s", name, axes,
                          second);
            here++;
        }
    for (const char *at = first; (at = strchr(at, '`')); at++)
        spans++;
    ck_assert_msg(spans == 2 * here, "%s: not all of%sare in a trace", page->path, first);
    found += here;
}

TEST(tensors_are_those_of_a_trace)
{
    found = 0;
    page_each_row(page_named("numbers.md"), "| name | shape |", check_tensors);
    ck_assert_uint_eq(found, TRACE_NAMES);
}
