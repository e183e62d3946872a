#include "e2e/modes.h"

bool modes_has(const struct modes *modes, int number)
{
    for (size_t i = 0; i < MODES_MAX; i++)
        if (modes->set[i] == number)
            return true;
    return false;
}

static void set(struct modes *modes, int number, bool on)
{
    modes->bracketed_frame |= number == 2026;
    if (on == modes_has(modes, number))
        return;
    for (size_t i = 0; i < MODES_MAX; i++)
        if (modes->set[i] == (on ? 0 : number)) {
            modes->set[i] = on ? number : 0;
            return;
        }
}

static void take_private(struct modes *modes, char byte)
{
    int *number = &modes->numbers[modes->count];
    if (byte >= '0' && byte <= '9') {
        *number = *number * 10 + (byte - '0');
        return;
    }
    if (byte == ';' && modes->count + 1 < sizeof modes->numbers / sizeof *modes->numbers) {
        modes->numbers[++modes->count] = 0;
        return;
    }
    for (size_t i = 0; i <= modes->count && (byte == 'h' || byte == 'l'); i++)
        set(modes, modes->numbers[i], byte == 'h');
    modes->state = MODES_TEXT;
}

static void take(struct modes *modes, char byte)
{
    if (byte == '\033') {
        modes->state = MODES_ESCAPE;
    } else if (modes->state == MODES_PRIVATE) {
        take_private(modes, byte);
    } else if (modes->state == MODES_ESCAPE && byte == '[') {
        modes->state = MODES_CSI;
    } else if (modes->state == MODES_CSI && byte == '?') {
        modes->state = MODES_PRIVATE;
        modes->numbers[modes->count = 0] = 0;
    } else {
        modes->state = MODES_TEXT;
    }
}

void modes_take(struct modes *modes, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        take(modes, bytes[i]);
}
