/* check_fuzz.c: every target of tests/fuzz with its corpus, and with inputs made from it by the
 * same small changes in every run. */
#include "fuzz/fuzz.h"
#include "suites.h"

#include "headlight/base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES 40 /* of each input */

static uint64_t state;

/* Marsaglia 2003, "Xorshift RNGs"; below `limit`. */
static size_t random_below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state >> 11) % limit;
}

/* An input with room for as many bytes again. */
struct input {
    uint8_t *bytes;
    size_t size, room;
};

static void flip_bit(struct input *input)
{
    input->bytes[random_below(input->size)] ^= (uint8_t)(1u << random_below(8));
}

static void set_byte(struct input *input)
{
    static const uint8_t bytes[] = {0, 0xFF, 0x80, 0x7F, 0x1B, '"', '[', '{', '-', '9', '\n', ' '};
    input->bytes[random_below(input->size)] = bytes[random_below(sizeof bytes)];
}

static void cut_out(struct input *input)
{
    size_t start = random_below(input->size), end = start + random_below(input->size - start) + 1;
    memmove(input->bytes + start, input->bytes + end, input->size - end);
    input->size -= end - start;
}

static void repeat(struct input *input)
{
    size_t start = random_below(input->size), count = random_below(input->size - start) + 1;
    count = count < input->room - input->size ? count : input->room - input->size;
    memmove(input->bytes + start + count, input->bytes + start, input->size - start);
    input->size += count;
}

static void change(struct input *input)
{
    static void (*const changes[])(struct input *) = {flip_bit, set_byte, cut_out, repeat};
    for (size_t n = random_below(4) + 1; n > 0 && input->size > 0; n--)
        changes[random_below(sizeof changes / sizeof *changes)](input);
}

/* The target gets memory of exactly the input's size, so that a sanitizer sees a read past it. */
static void run(const struct fuzz_target *target, const struct input *input)
{
    uint8_t *exact = malloc(input->size > 0 ? input->size : 1);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, input->bytes, input->size);
    target->run(exact, input->size);
    free(exact);
}

static void run_file(const struct fuzz_target *target, const char *path)
{
    struct error error;
    char *text;
    size_t length;
    ck_assert_msg(file_read(path, 1 << 20, &text, &length, &error) == STATUS_OK, "%s",
                  error.message);
    struct input input = {malloc(2 * length + 1), 0, 2 * length};
    ck_assert_ptr_nonnull(input.bytes);
    for (size_t i = 0; i <= CHANGES; i++) {
        memcpy(input.bytes, text, length);
        input.size = length;
        if (i > 0)
            change(&input);
        run(target, &input);
    }
    free(input.bytes);
    free(text);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int target_count(void)
{
    int count = 0;
    while (targets[count].name)
        count++;
    return count;
}

/* In the order of their names: the same inputs in every run. */
TEST(inputs_from_strangers_do_no_harm, .times = target_count())
{
    const struct fuzz_target *target = &targets[_i];
    struct dirent **entries;
    char folder[64];
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", target->name);
    int count = scandir(folder, &entries, is_file, alphasort);
    ck_assert_msg(count > 0, "%s: expected inputs to start from, found none", folder);
    state = UINT64_C(88172645463325252);
    for (int i = 0; i < count; i++) {
        char *path = path_join(folder, entries[i]->d_name);
        run_file(target, path);
        free(path);
        free(entries[i]);
    }
    free(entries);
}
