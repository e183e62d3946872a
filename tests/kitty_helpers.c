#include "kitty_helpers.h"

#include "suites.h"

#include "headlight/terminal/pixels.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned digit(char letter)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = memchr(digits, letter, 64);
    ck_assert_msg(found != NULL, "'%c' is not of Base64", letter);
    return (unsigned)(found - digits);
}

/* Four letters, or fewer before "=". Returns the bytes. */
static size_t read_four(const char *text, uint8_t *bytes)
{
    size_t letters = text[2] == '=' ? 2 : text[3] == '=' ? 3 : 4;
    unsigned bits = 0;
    for (size_t i = 0; i < 4; i++)
        bits = bits << 6 | (i < letters ? digit(text[i]) : 0);
    for (size_t i = 0; i < 3; i++)
        bytes[i] = (uint8_t)(bits >> (16 - 8 * i));
    return letters - 1;
}

size_t kitty_read_base64(const char **text, uint8_t *bytes)
{
    size_t count = 0;
    for (; **text != '\033'; *text += 4)
        count += read_four(*text, bytes + count);
    ck_assert_int_eq((*text)[1], '\\');
    *text += 2;
    return count;
}

const char *kitty_shared_name(const char **text)
{
    static uint8_t name[64];
    const char *found = strstr(*text, ",t=s,");
    const char *start = found ? strchr(found, ';') : NULL;
    name[0] = '\0';
    if (start) {
        *text = start + 1;
        ck_assert_uint_lt(strcspn(*text, "\033"), sizeof name);
        name[kitty_read_base64(text, name)] = '\0';
    }
    return (const char *)name;
}

uint8_t *kitty_take_shared(const char *name, size_t *size)
{
    struct stat status;
    int fd = shm_open(name, O_RDONLY, 0);
    if (fd < 0)
        return NULL;
    ck_assert_int_eq(fstat(fd, &status), 0);
    *size = (size_t)status.st_size;
    uint8_t *bytes = malloc(*size + 1);
    ck_assert_int_eq(read(fd, bytes, *size + 1), status.st_size);
    ck_assert_int_eq(status.st_mode & 0777, 0600);
    close(fd);
    shm_unlink(name);
    return bytes;
}

bool kitty_is_shared(const char *name)
{
    int fd = shm_open(name, O_RDONLY, 0);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool kitty_can_share(void)
{
    bool can = pixels_put(0, "", 1) != NULL;
    pixels_clear_shared();
    if (!can)
        skip("shared memory, which this machine doesn't have");
    return can;
}
