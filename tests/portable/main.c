/* main.c: the suites of what is written for each processor. */
#include "faults.h"
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/thread_pool.h"
#include "suites.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* There is no BLAS, and QEMU does not outlive a fork of a process with threads. */
static const char *const skipped[] = {"a_blas_is_found", "a_forked_child_has_a_pool_of_its_own"};

static int checks;

void check_run(const char *name, void (*test)(int run), int first, int end)
{
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
        if (strcmp(name, skipped[i]) == 0) {
            printf("skipped: %s\n", name);
            return;
        }
    for (int run = first; run < end; run++, checks++) {
        kernels_choose(NULL); /* Check would begin each in a process of its own */
        pool_set_size(0);
        test(run);
    }
}

void check_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

/* No call is made to fail here. */
bool faults_work(void)
{
    return false;
}

void faults_begin(const struct fault *fault)
{
    (void)fault;
}

size_t faults_end(void)
{
    return 0;
}

int main(void)
{
    suite_tensor_kernels();
    suite_tensor_matmul();
    suite_tensor_matrix();
    suite_tensor_thread_pool();
    printf("%s: %d checks passed\n", kernels_at(0)->name, checks);
    return EXIT_SUCCESS;
}
