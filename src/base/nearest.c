/* nearest.c: names in a list, and the distance between two names, for "did you mean". */
#include "headlight/base/nearest.h"

#include "headlight/base/format.h"
#include "headlight/base/size.h"

#include <string.h>

struct nearest nearest_to(const char *wanted)
{
    return (struct nearest){.wanted = wanted, .distance = 1 + size_min(strlen(wanted) / 3, 3)};
}

static bool same_letter(char a, char b)
{
    const bool letter = (a | 0x20) >= 'a' && (a | 0x20) <= 'z';
    return a == b || (letter && (a ^ b) == 0x20);
}

/* The optimal string alignment: the three rows are those of the last prefixes of `a`, of which
 * rows[i % 3][j] is the distance from the first j letters of `b`. Both fit into NEAREST_LETTERS. */
static size_t distance_between(const char *a, const char *b)
{
    size_t rows[3][NEAREST_LETTERS + 1];
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

void nearest_offer(struct nearest *nearest, const char *name)
{
    nearest->last = strlen(nearest->names);
    format_add(nearest->names, NEAREST_NAMES, "%s%s", nearest->last > 0 ? ", " : "", name);
    if (strlen(nearest->wanted) > NEAREST_LETTERS || strlen(name) > NEAREST_LETTERS)
        return;
    const size_t distance = distance_between(nearest->wanted, name);
    if (distance >= nearest->distance)
        return;
    nearest->distance = distance;
    strcpy(nearest->best, name);
}

const char *nearest_names(struct nearest *nearest)
{
    const char between[] = {' ', 'o', 'r', ' '};
    char *last = nearest->names + nearest->last;
    if (nearest->last > 0 && strlen(last) > 1) {
        memmove(last + sizeof between, last + 2, strlen(last + 2) + 1);
        memcpy(last, between, sizeof between);
    }
    return nearest->names;
}

enum status nearest_suggest(const struct nearest *nearest, struct error *error)
{
    if (*nearest->best)
        format_add(error->message, sizeof error->message, " (did you mean \"%s\"?)", nearest->best);
    return error->status;
}
