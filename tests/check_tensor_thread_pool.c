/* Threads claim each unit once, wait for each other, and survive a fork. */
#include "headlight/base/system.h"
#include "headlight/tensor/thread_pool.h"
#include "suites.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNITS  97
#define PHASES 50

struct tally {
    atomic_uint claimed[PHASES][UNITS];
    atomic_size_t threads, late;
    size_t count;
};

static void count_units(const struct pool_thread *thread, void *context)
{
    struct tally *tally = context;
    atomic_fetch_add(&tally->threads, 1);
    if (thread->index == 0)
        tally->count = thread->count;
    for (size_t phase = 0; phase < PHASES; phase++) {
        for (size_t unit = pool_claim(thread); unit < UNITS; unit = pool_claim(thread))
            atomic_fetch_add(&tally->claimed[phase][unit], 1);
        pool_barrier(thread);
        for (size_t unit = 0; unit < UNITS; unit++)
            if (atomic_load(&tally->claimed[phase][unit]) != 1)
                atomic_fetch_add(&tally->late, 1);
    }
}

static void check_tally(const struct tally *tally)
{
    ck_assert_uint_eq(tally->late, 0);
    ck_assert_uint_eq(tally->threads, tally->count);
}

TEST(every_unit_is_claimed_once)
{
    for (size_t threads = 1; threads <= 9; threads++) {
        struct tally tally = {.count = 0};
        pool_run(threads, count_units, &tally);
        check_tally(&tally);
        ck_assert_uint_eq(tally.count, threads);
    }
}

TEST(the_pool_works_again_and_again)
{
    for (int run = 0; run < 200; run++) {
        struct tally tally = {.count = 0};
        pool_run((size_t)run % 4 + 1, count_units, &tally);
        check_tally(&tally);
    }
}

static void *run_alone(void *context)
{
    for (int run = 0; run < 50; run++) {
        struct tally tally = {.count = 0};
        pool_run(3, count_units, &tally);
        if (tally.late == 0 && tally.threads == tally.count)
            atomic_fetch_add((atomic_int *)context, 1);
    }
    return NULL;
}

/* Who comes while the pool is busy goes through the work alone. */
TEST(several_may_call_it)
{
    pthread_t threads[3];
    atomic_int right = 0;
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_alone, &right), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(atomic_load(&right), 150);
}

TEST(a_forked_child_has_a_pool_of_its_own,
     .skipped = skip_if(is_emulated(), "a forked child's pool: the emulator runs no threads there"))
{
    struct tally tally = {.count = 0};
    int status;
    pool_run(3, count_units, &tally);
    pid_t child = fork();
    if (child == 0) {
        struct tally own = {.count = 0};
        pool_run(3, count_units, &own);
        _exit(own.late == 0 && own.threads == 3 ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void look_at_mask(const struct pool_thread *thread, void *context)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    static const int asks[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGTSTP, SIGWINCH, SIGCONT};
    atomic_int *right = context;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    for (size_t i = 0; thread->index > 0 && i < sizeof crashes / sizeof *crashes; i++)
        if (!sigismember(&mask, crashes[i]) && sigismember(&mask, asks[i]))
            atomic_fetch_add(right, 1);
}

struct whereabouts {
    struct processors at[3];
};

/* Where each thread may run while it works. */
static void look_around(const struct pool_thread *thread, void *context)
{
    struct whereabouts *whereabouts = context;
    struct processors *at = &whereabouts->at[thread->index];
    *at = system_stay();
    system_roam(pthread_self(), at, false);
    pool_barrier(thread);
}

/* Whether the others keep off the caller's processor. Who was waited for, on a busy machine, may
 * run on all. */
static bool are_apart(const struct whereabouts *during, const struct processors *all)
{
    for (size_t i = 0; i < 3; i++)
        if (memcmp(during->at[i].set, all->set, sizeof all->set) == 0)
            return false;
    for (size_t i = 1; i < 3; i++)
        ck_assert(during->at[i].own != during->at[0].own);
    return true;
}

/* Sooner or later none is waited for that long; nothing can be told where there is but one, or the
 * system has no such call. */
static void check_apart(void)
{
    static const struct processors unknown;
    struct whereabouts during;
    const struct processors all = system_stay();
    system_roam(pthread_self(), &all, false);
    bool apart = system_processors() == 1 || memcmp(&all, &unknown, sizeof all) == 0;
    for (int run = 0; run < 2000 && !apart; run++) {
        pool_run(3, look_around, &during);
        apart = are_apart(&during, &all);
    }
    ck_assert(apart);
    const struct processors after = system_stay();
    system_roam(pthread_self(), &after, false);
    ck_assert_mem_eq(all.set, after.set, sizeof all.set);
}

/* Else they would take turns instead of working at once. */
TEST(the_others_keep_off_the_callers_processor)
{
    for (int time = 0; time < 5; time++)
        check_apart();
}

/* On how many processors each thread may run after one of them was waited for, which goes on when
 * it may run on all. */
struct freedom {
    size_t all, during[3];
};

static void wait_until_free(const struct pool_thread *thread, void *context)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    struct freedom *freedom = context;
    for (int i = 0; thread->index == 1 && i < 10000 && system_processors() < freedom->all; i++)
        nanosleep(&moment, NULL);
    pool_barrier(thread);
    freedom->during[thread->index] = system_processors();
    pool_barrier(thread);
}

/* It may be kept from its processor by a process of higher priority. The next work begins as ever.
 */
TEST(who_is_waited_for_may_run_anywhere)
{
    struct freedom freedom = {.all = system_processors()};
    pool_run(3, wait_until_free, &freedom);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(freedom.during[i], freedom.all);
    check_apart();
}

/* A blocked signal that comes of what the thread itself does ends the program without a handler. */
TEST(a_crash_in_a_thread_reaches_its_handler_and_what_asks_does_not)
{
    atomic_int right = 0;
    pool_run(3, look_at_mask, &right);
    ck_assert_int_eq(atomic_load(&right), 2 * 7);
}

TEST(its_size_can_be_set)
{
    size_t all = pool_size();
    ck_assert_uint_ge(all, 1);
    pool_set_size(3);
    ck_assert_uint_eq(pool_size(), 3);
    pool_set_size(100000);
    ck_assert_uint_eq(pool_size(), POOL_MAX);
    pool_set_size(0);
    ck_assert_uint_eq(pool_size(), all);
}
