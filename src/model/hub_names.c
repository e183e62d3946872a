/* hub_names.c: names of the hub's models as users write them, and what is said of one that is not
 * in the cache. Names come from the command line and become paths, so names that could lead out of
 * the cache are rejected. */
#include "headlight/base/format.h"
#include "headlight/base/memory.h"
#include "headlight/model/hub_parts.h"

#include <string.h>

/* ---- Names -------------------------------------------------------------------------------- */

bool hub_is_plain_part(const char *text, size_t length, const char *marks)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i], before = i > 0 ? text[i - 1] : '/';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        bool mark = c != '\0' && strchr(marks, c);
        if (!letter && (!mark || (before == '/' && c != '_') || (before == '.' && c == '.')))
            return false;
    }
    return length > 0 && text[length - 1] != '/';
}

/* Whether it is "name" or "org/name" and can't lead out of a folder. "--" stands for the slash in
 * folder names, so no name contains it. */
bool hub_is_name(const char *name, size_t length)
{
    size_t slashes = 0;
    if (!hub_is_plain_part(name, length, "-_./"))
        return false;
    for (size_t i = 0; i < length; i++) {
        slashes += name[i] == '/';
        if (i > 0 && name[i] == '-' && name[i - 1] == '-')
            return false;
    }
    return slashes <= 1;
}

/* ---- What is asked for --------------------------------------------------------------------- */

/* "name@revision": no name of the hub has an @, so the first one ends it. */
struct hub_query hub_query_of(const char *text, struct error *error)
{
    const size_t length = strcspn(text, "@");
    return (struct hub_query){text, length, text[length] ? text + length + 1 : NULL, error};
}

/* Whether it may be looked up. A revision becomes a path too: refs/pr/3 has slashes, but may not
 * begin with one or contain "..". */
bool hub_is_query(const struct hub_query *query)
{
    const char *revision = query->revision;
    return hub_is_name(query->text, query->length) &&
           (!revision || hub_is_plain_part(revision, strlen(revision), "-_./"));
}

char *hub_repository_of(const struct hub_query *query)
{
    const char *slash = memchr(query->text, '/', query->length);
    const int first = (int)(slash ? (size_t)(slash - query->text) : query->length);
    const int rest = slash ? (int)query->length - first - 1 : 0;
    return memory_print(query->error, HUB_REPOSITORY "%.*s%s%.*s", first, query->text,
                        slash ? "--" : "", rest, slash ? slash + 1 : "");
}

char *hub_title_of(const char *repository, const char *revision, struct error *error)
{
    const char *name = repository + strlen(HUB_REPOSITORY), *mark = strstr(name, "--");
    return memory_print(error, "%.*s%s%s%s%s", (int)(mark ? (size_t)(mark - name) : strlen(name)),
                        name, mark ? "/" : "", mark ? mark + 2 : "", revision ? "@" : "",
                        revision ? revision : "");
}

/* ---- Other forms of a name ----------------------------------------------------------------- */

/* What follows a text where it begins so. */
static const char *behind(const char *text, const char *begin)
{
    return text + (strncmp(text, begin, strlen(begin)) == 0 ? strlen(begin) : 0);
}

/* "org/name/tree/main/…" of a page's address: the name, and the revision of these pages. */
static char *name_of_page(const char *path, struct error *error)
{
    static const char *const pages[] = {"/tree/", "/blob/", "/resolve/"};
    const char *slash = strchr(path, '/'), *revision = NULL;
    const char *last = slash ? slash + 1 : path, *end = last + strcspn(last, "/?#");
    for (size_t i = 0; i < sizeof pages / sizeof *pages && !revision; i++)
        if (behind(end, pages[i]) != end)
            revision = behind(end, pages[i]);
    return memory_print(error, "%.*s%s%.*s", (int)(end - path), path, revision ? "@" : "",
                        revision ? (int)strcspn(revision, "/?#") : 0, revision ? revision : "");
}

char *hub_name_in(const char *text, struct error *error)
{
    const char *host = behind(behind(text, "https://"), "http://");
    const char *path = behind(behind(behind(host, "www."), "huggingface.co/"), "hf.co/");
    const char *slash = strrchr(text, '/'), *last = slash ? slash + 1 : text;
    if (path != host || (path = behind(text, "hf://")) != text)
        return name_of_page(path, error);
    return behind(last, HUB_REPOSITORY) != last ? hub_title_of(last, NULL, error)
                                                : memory_print(error, "%s", text);
}

/* ---- A name that is not there -------------------------------------------------------------- */

/* Without allocating: a question is not worth an error of its own. */
void hub_offer(struct near *near, const char *repository)
{
    const char *name = repository + strlen(HUB_REPOSITORY), *mark = strstr(name, "--");
    char title[NEAR_LETTERS + 2];
    format_cut(title, sizeof title, "%.*s%s%s", mark ? (int)(mark - name) : (int)strlen(name), name,
               mark ? "/" : "", mark ? mark + 2 : "");
    near_offer(near, title);
    if (mark && !strchr(near->asked, '/'))
        near_offer(near, mark + 2);
}

/* Fetches only what is needed, since a repository may hold the same weights in many formats; where
 * weights lack, those that can be converted too. A name has no characters that mean something to a
 * shell, so the command can be copied as it stands; the oldest models have no owner. */
enum status hub_report(const struct hub_query *query, const struct hub_lack *lack)
{
    const bool owned = memchr(query->text, '/', query->length) || lack->there;
    const int length = (int)query->length;
    struct error question = {0};
    if (lack->near)
        near_add(lack->near, &question);
    return error_set(query->error, STATUS_IO,
                     "%s: expected %s in %s, found none%s; %s: hf download %.*s%s%s --include "
                     "\"*.json\" --include \"*.txt\" --include \"*.model\" --include "
                     "\"*.safetensors\"%s",
                     query->text, lack->what, lack->where, question.message,
                     owned ? "to fetch it"
                           : "if it is a model of the hub, this fetches it (most need an owner, "
                             "ORG/NAME)",
                     length, query->text, query->revision ? " --revision " : "",
                     query->revision ? query->revision : "",
                     lack->weights ? " --include \"*.bin\"" : "");
}
