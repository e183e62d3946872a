/* near.c: names in a list, and the distance between two names, for "did you mean". */
#include "headlight/base/near.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"

#include <string.h>

struct near near_to(const char *wanted)
{
    return (struct near){.wanted = wanted, .distance = 1 + size_min(strlen(wanted) / 3, 3)};
}

static bool same_letter(char a, char b)
{
    const bool letter = (a | 0x20) >= 'a' && (a | 0x20) <= 'z';
    return a == b || (letter && (a ^ b) == 0x20);
}

/* The optimal string alignment: the three rows are those of the last prefixes of `a`, of which
 * rows[i % 3][j] is the distance from the first j letters of `b`. Both fit into NEAR_LETTERS. */
static size_t distance_between(const char *a, const char *b)
{
    size_t rows[3][NEAR_LETTERS + 1];
    const size_t m = strlen(a), n = strlen(b);
    for (size_t i = 0; i <= m; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            if (i == 0) {
                row[j] = j;
                continue;
            }
            row[j] = size_min(size_min(above[j], row[j - 1]) + 1,
                              above[j - 1] + !same_letter(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                row[j] = size_min(row[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

void near_offer(struct near *near, const char *name)
{
    near->last = strlen(near->names);
    format_add(near->names, NEAR_NAMES, "%s%s", near->last > 0 ? ", " : "", name);
    if (strlen(near->wanted) > NEAR_LETTERS || strlen(name) > NEAR_LETTERS)
        return;
    const size_t distance = distance_between(near->wanted, name);
    if (distance >= near->distance)
        return;
    near->distance = distance;
    strcpy(near->best, name);
}

const char *near_names(struct near *near)
{
    const char between[] = {' ', 'o', 'r', ' '};
    char *last = near->names + near->last;
    if (near->last > 0 && strlen(last) > 1) {
        memmove(last + sizeof between, last + 2, strlen(last + 2) + 1);
        memcpy(last, between, sizeof between);
    }
    return near->names;
}

enum status near_add(const struct near *near, struct error *error)
{
    if (*near->best)
        format_add(error->message, sizeof error->message, " (did you mean \"%s\"?)", near->best);
    return error->status;
}
