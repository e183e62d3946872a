/* modes.h: the private modes (CSI ? n h and l) that a program has set and not reset. libvterm
 * tells of some of them only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MODES_MAX 16

struct modes {
    int set[MODES_MAX]; /* their numbers; 0: a free place */
    enum { MODES_TEXT, MODES_ESCAPE, MODES_CSI, MODES_PRIVATE } state;
    int numbers[4]; /* of the sequence that is coming: CSI ? n ; n … */
    size_t count;
    bool bracketed_frame; /* mode 2026 was set at any time */
};

/* Takes what the program writes; a sequence may come in parts. */
void modes_take(struct modes *modes, const char *bytes, size_t length);

bool modes_has(const struct modes *modes, int number);
