/* head_mask.c: reads and writes sets of heads such as "0,2,5-7", as they stand on the command line
 * and in state files. */
#include "headlight/model/head_mask.h"

#include "headlight/base/format.h"

#include <stdlib.h>
#include <string.h>

/* Numbers, and ranges such as "5-7". An empty list is none of the forms, so it is refused: "none"
 * says it. */
enum status head_mask_read(const char *list, size_t count, head_mask *mask, struct error *error)
{
    const bool all = strcmp(list, "all") == 0;
    *mask = all ? head_mask_all(count) : 0;
    if (all || strcmp(list, "none") == 0)
        return STATUS_OK;
    for (const char *at = list;; at++) {
        char *end;
        bool good = *at >= '0' && *at <= '9';
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (good && *end == '-') {
            at = end + 1;
            last = strtoul(at, &end, 10);
            good = *at >= '0' && *at <= '9';
        }
        at = end;
        if (!good || first > last || last >= count || (*at != ',' && *at != '\0'))
            break;
        for (; first <= last; first++)
            *mask |= head_mask_of(first);
        if (*at == '\0')
            return STATUS_OK;
    }
    return error_usage(
        error, "--heads: expected heads from 0 to %zu, such as 0,2,5-7, or all, found \"%s\"",
        count - 1, list);
}

/* Ranges are written as "5-7", also of two heads, so that reading them back gives the same list. */
void head_mask_write(head_mask mask, size_t count, char *list, size_t size)
{
    const bool some = mask != 0 && mask != head_mask_all(count);
    format_cut(list, size, "%s", some ? "" : mask == 0 ? "none" : "all");
    for (size_t first = 0, last; some && first < count; first = last + 1) {
        last = first;
        if (!head_mask_has(mask, first))
            continue;
        while (last + 1 < count && head_mask_has(mask, last + 1))
            last++;
        format_add(list, size, "%s%zu", *list ? "," : "", first);
        if (last > first)
            format_add(list, size, "-%zu", last);
    }
}
