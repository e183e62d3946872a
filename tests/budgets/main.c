/* main.c: counts what each row of the table costs, and says which costs too much. Instructions are
 * counted by callgrind, which `make budgets` starts so that it writes a file for each call of
 * budget_run; memory by the functions here, which stand before the C library's own, so that what
 * libraries take is counted too. */
#include "budgets.h"

#include "headlight/tensor/thread_pool.h"

#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE   8192 /* bytes of the smaller input */
#define TIMES  8    /* the larger one is so many times as large */
#define SLACK  1.3
#define LEAST  8
#define COUNTS 3 /* of an input without repetitions, of the smaller one, and of the larger one */

/* ---- Memory ---- */

static size_t held, most_held;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static void *taken(void *block)
{
    held += block ? malloc_usable_size(block) : 0;
    most_held = held > most_held ? held : most_held;
    return block;
}

void *malloc(size_t size)
{
    return taken(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return taken(__libc_calloc(count, size));
}

void free(void *block)
{
    held -= block ? malloc_usable_size(block) : 0;
    __libc_free(block);
}

/* Where the block moves both are there for a moment. */
void *realloc(void *block, size_t size)
{
    size_t before = block ? malloc_usable_size(block) : 0;
    void *grown = taken(__libc_realloc(block, size));
    held -= grown || size == 0 ? before : 0;
    return grown;
}

/* ---- Counting ---- */

struct count {
    double bytes, instructions, memory;
};

/* What is counted: callgrind knows it by its name. */
void budget_run(fuzz_target *work, const struct input *input);
__attribute__((noinline)) void budget_run(fuzz_target *work, const struct input *input)
{
    work((const uint8_t *)input->bytes, input->size);
}

/* The sum in the file that callgrind wrote for this call. */
static double read_instructions(const char *prefix, unsigned call)
{
    char path[512], line[1024];
    double sum = -1;
    snprintf(path, sizeof path, "%s.%u", prefix, call);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "summary: %lf", &sum) == 1)
            break;
    if (file)
        fclose(file);
    if (sum < 0) {
        fprintf(stderr, "%s: expected what callgrind counted, found none; make budgets starts it\n",
                path);
        exit(EXIT_FAILURE);
    }
    return sum;
}

static struct count count_one(const struct budget *budget, size_t size, const char *prefix)
{
    static struct input input;
    static unsigned calls;
    input_make(&input, budget, size);
    size_t before = most_held = held;
    budget_run(budget->work, &input);
    return (struct count){(double)input.size, read_instructions(prefix, ++calls),
                          (double)(most_held - before)};
}

/* ---- Judging ---- */

/* How much more n log n is for the larger input. */
static double allowed_growth(const struct count *small, const struct count *large)
{
    return SLACK * large->bytes / small->bytes * log2(large->bytes) / log2(small->bytes);
}

/* What is the same for any input is taken off, unless the empty one took another way and cost more;
 * fewer than LEAST instructions, or bytes, for each byte count as so many. */
static double growth(double none, double small, double large, double bytes)
{
    const double same_for_all = none < small ? none : 0;
    return (large - same_for_all) / fmax(small - same_for_all, LEAST * bytes);
}

/* Prints the row; returns whether it keeps to its budget. */
static bool judge(const struct budget *budget, const struct count counts[COUNTS])
{
    const struct count *none = &counts[0], *small = &counts[1], *large = &counts[2];
    const double allowed = allowed_growth(small, large);
    const double work =
        growth(none->instructions, small->instructions, large->instructions, small->bytes);
    const double memory = growth(none->memory, small->memory, large->memory, small->bytes);
    const double instructions = large->instructions / large->bytes;
    const double bytes = large->memory / large->bytes;
    const bool fine = work <= allowed && memory <= allowed &&
                      instructions <= budget->instructions && bytes <= budget->memory;
    printf("%-32.32s %8.0f %8.0f of %5.0f %6.1f of %5.0f %6.1f %6.1f of %4.1f%s\n", budget->kind,
           large->bytes, instructions, budget->instructions, bytes, budget->memory, work, memory,
           allowed, fine ? "" : "  TOO MUCH");
    return fine;
}

static bool try_budget(const struct budget *budget, const char *prefix)
{
    const size_t size = budget->size > 0 ? budget->size : SIZE;
    struct count counts[COUNTS];
    count_one(budget, 0, prefix); /* what is opened once */
    counts[0] = count_one(budget, 0, prefix);
    counts[1] = count_one(budget, size, prefix);
    counts[2] = count_one(budget, TIMES * size, prefix);
    return judge(budget, counts);
}

/* ---- Whether too much is found ---- */

static size_t same;

/* Compares all with all, and keeps nothing. */
static void compare_all(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i += 64)
        for (size_t k = 0; k < size; k += 64)
            same += data[i] == *(const volatile uint8_t *)(data + k);
}

/* Keeps a block for each pair of stretches, until the end. */
static void keep_all(const uint8_t *data, size_t size)
{
    size_t pairs = size / 64 * (size / 64);
    void *volatile block = malloc(pairs + (size > 0 ? data[0] : 1));
    free(block);
}

static const struct budget planted[] = {
    {"(planted: pairs compared)", compare_all, "", "x", "", NULL, 0, 1e9, 1e9},
    {"(planted: memory of pairs)", keep_all, "", "x", "", NULL, 0, 1e9, 1e9},
};

int main(int argc, char **argv)
{
    size_t over = 0;
    const char *prefix = argc > 1 ? argv[1] : "", *only = argc > 2 ? argv[2] : "";
    setlocale(LC_CTYPE, "C.UTF-8");
    pool_set_size(1);
    printf("%-32s %8s %17s %15s %6s %6s\n", "", "bytes", "instructions/byte", "memory/byte",
           "growth", "growth");
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++)
        if (try_budget(&planted[i], prefix)) {
            fprintf(stderr, "%s: expected too much, found that it passes\n", planted[i].kind);
            return EXIT_FAILURE;
        }
    promise(same > 0);
    for (const struct budget *budget = budgets; budget->kind; budget++)
        over += strstr(budget->kind, only) && !try_budget(budget, prefix);
    printf("budgets: %s\n",
           over > 0 ? "TOO MUCH is more than n log n, or than the row allows" : "fine");
    return over > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
