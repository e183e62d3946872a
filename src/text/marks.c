/* marks.c: the marks of lessons, a run at a time: a few rules of Markdown, without a tree. Looking
 * ahead for the second mark is what decides whether the first one is a mark at all. */
#include "headlight/text/marks.h"

#include <string.h>

const char *marks_keys_end(const char *mark)
{
    size_t length = strcspn(mark + 1, "`\n");
    return length > 0 && mark[1 + length] == '`' ? mark + 1 + length : NULL;
}

bool marks_can_begin(const char *mark)
{
    return !strchr(" *\n", mark[1]); /* nor at the end of the text */
}

bool marks_can_end(const char *mark)
{
    return mark[-1] != ' ';
}

/* Looks for the closing asterisk in the same line, past keys, in which asterisks are plain text. */
static bool begins_emphasis(const char *mark)
{
    const char *at = mark + 1;
    if (!marks_can_begin(mark))
        return false;
    while (*at && *at != '\n' && !(*at == '*' && marks_can_end(at))) {
        const char *end = *at == '`' ? marks_keys_end(at) : NULL;
        at = end ? end + 1 : at + 1;
    }
    return *at == '*';
}

/* Marks are taken off first, so that each run has at least one letter. */
bool marks_next(struct marks *marks, const char *stops, struct marked_run *run)
{
    for (bool taken = true; taken; marks->next += taken) {
        const char *at = marks->next;
        if (at == marks->keys)
            marks->keys = NULL;
        else if (!marks->keys && *at == '`' && marks_keys_end(at))
            marks->keys = marks_keys_end(at);
        else if (!marks->keys && *at == '*' &&
                 (marks->strong ? marks_can_end : begins_emphasis)(at))
            marks->strong = !marks->strong;
        else
            taken = false;
    }
    const char *end = marks->next;
    *run = (struct marked_run){end, 0, marks->strong, marks->keys != NULL};
    if (strchr(stops, *end)) /* or the end */
        return false;
    do
        end++;
    while (!strchr(stops, *end) && /* a mark may still turn out to be plain text */
           (marks->keys ? end != marks->keys : *end != '*' && *end != '`'));
    run->length = (size_t)(end - run->text);
    marks->next = end;
    return true;
}
