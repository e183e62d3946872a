/* thread_pool.c: the threads of a pass. They wait between passes, claim units of work by a counter,
 * and meet at barriers, which spin for a moment first: layers are short. */
#include "headlight/tensor/thread_pool.h"

#include "headlight/base/signals.h"
#include "headlight/base/system.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* Waits are short, some microseconds: a thread spins this often, about 50 µs, before it sleeps.
 * A longer wait usually means that another process occupies the other thread's processor;
 * sleeping lets that thread run here. */
#define LOOKS 1000
/* The time, in nanoseconds, after which a sleeper lets all threads run on any processor. */
#define PATIENCE 2000000

/* State shared by the threads of one piece of work. `phase` counts completed waits; it is never
 * reset, so a thread that leaves the last wait late still leaves it. */
struct pool_round {
    void (*work)(const struct pool_thread *thread, void *context);
    void *context;
    size_t count;
    struct processors caller; /* where the thread of pool_run is, */
    pthread_t self;           /* which thread it is, */
    bool anew;                /* and whether the others were free last time */
    atomic_bool unpinned;
    _Alignas(64) atomic_size_t claimed;
    _Alignas(64) atomic_size_t arrived;
    _Alignas(64) atomic_size_t phase;
    atomic_size_t asleep;
};

static struct pool {
    pthread_mutex_t busy;        /* held during a piece of work */
    pthread_t started[POOL_MAX]; /* [threads], from 1 */
    struct pool_round round;
    pthread_mutex_t lock; /* for everything else */
    pthread_cond_t wake;
    size_t threads;    /* number started: threads 1 … threads */
    size_t generation; /* incremented for each piece of work */
} pool = {.busy = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER};

static atomic_size_t wanted; /* 0: the number of processors */

/* ---- Threads ------------------------------------------------------------------------------ */

/* The order of claims means nothing, so the addition need not order anything else either. */
size_t pool_claim(const struct pool_thread *thread)
{
    return atomic_fetch_add_explicit(&thread->round->claimed, 1, memory_order_relaxed);
}

static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t phase_over = PTHREAD_COND_INITIALIZER;

/* A thread that others wait for may get no time on its processor, beside a process of higher
 * priority: from then on all run on any processor. */
static void unpin(struct pool_round *round)
{
    if (round != &pool.round || atomic_exchange(&round->unpinned, true))
        return;
    system_roam(round->self, &round->caller, false);
    for (size_t i = 1; i < round->count; i++)
        system_roam(pool.started[i], &round->caller, false);
}

/* A sleeper registers before its last look at the phase, and the thread that ends the phase
 * checks for sleepers afterwards, so one sees the other. Both use an atomic addition: QEMU on
 * x86 lets the load behind a plain store of an arm64 program overtake it. */
static void sleep_until_over(struct pool_round *round, size_t phase)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += PATIENCE;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&sleep_lock);
    atomic_fetch_add(&round->asleep, 1);
    while (atomic_load(&round->phase) == phase)
        if (pthread_cond_timedwait(&phase_over, &sleep_lock, &end) != 0)
            break;
    if (atomic_load(&round->phase) == phase)
        unpin(round);
    while (atomic_load(&round->phase) == phase)
        pthread_cond_wait(&phase_over, &sleep_lock);
    atomic_fetch_sub(&round->asleep, 1);
    pthread_mutex_unlock(&sleep_lock);
}

/* The last thread to arrive resets the counters before the phase ends: afterwards others may
 * already be claiming. While it waits, a thread tells the processor that this is a loop of waiting,
 * so that the core's other hardware thread gets more of it. */
void pool_barrier(const struct pool_thread *thread)
{
    struct pool_round *round = thread->round;
    size_t phase = atomic_load(&round->phase);
    if (atomic_fetch_add(&round->arrived, 1) + 1 == thread->count) {
        atomic_store(&round->arrived, 0);
        atomic_store(&round->claimed, 0);
        atomic_fetch_add(&round->phase, 1);
        if (atomic_load(&round->asleep) == 0)
            return;
        pthread_mutex_lock(&sleep_lock);
        pthread_cond_broadcast(&phase_over);
        pthread_mutex_unlock(&sleep_lock);
        return;
    }
    for (unsigned looks = 0; looks < LOOKS; looks++) {
        if (atomic_load(&round->phase) != phase)
            return;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#endif
    }
    sleep_until_over(round, phase);
}

/* The wait at the end keeps pool_run from returning while some thread still works. */
static void take_part(struct pool_round *round, size_t index)
{
    struct pool_thread thread = {round, index, round->count};
    round->work(&thread, round->context);
    pool_barrier(&thread);
}

/* ---- The pool ----------------------------------------------------------------------------- */

/* A thread's life: it sleeps until the generation changes, and sits out work that wants fewer
 * threads. Its argument is its index.
 *
 * Left to the scheduler, threads that wake each other may end up on one processor: a virtual
 * machine's kernel wakes a thread there rather than on a processor that is halted. Then they take
 * turns, and after a pause a pass with two threads takes longer than with one. So the caller of
 * pool_run stays where it is, and the others keep off; `caller` is whom this thread keeps off. */
static void *live(void *argument)
{
    const size_t index = (size_t)(uintptr_t)argument;
    struct processors caller = {.own = 0};
    size_t seen = 0;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.generation == seen)
            pthread_cond_wait(&pool.wake, &pool.lock);
        seen = pool.generation;
        if (index >= pool.round.count)
            continue;
        pthread_mutex_unlock(&pool.lock);
        if (memcmp(&caller, &pool.round.caller, sizeof caller) != 0 || pool.round.anew) {
            caller = pool.round.caller;
            system_roam(pthread_self(), &caller, true);
            if (atomic_load(&pool.round.unpinned)) /* meanwhile, by who waits for this thread */
                system_roam(pthread_self(), &caller, false);
        }
        take_part(&pool.round, index);
        pthread_mutex_lock(&pool.lock);
    }
    return NULL;
}

/* A forked child has none of its parent's threads, and its locks may be in the wrong state. */
static void begin_anew(void)
{
    pthread_mutex_init(&pool.busy, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pthread_mutex_init(&sleep_lock, NULL);
    pthread_cond_init(&phase_over, NULL);
    atomic_store(&pool.round.asleep, 0);
    pool.threads = pool.generation = 0;
    atomic_store(&pool.round.arrived, 0);
    atomic_store(&pool.round.claimed, 0);
}

size_t pool_size(void)
{
    size_t size = atomic_load(&wanted);
    if (size == 0)
        size = system_processors();
    return size < POOL_MAX ? size : POOL_MAX;
}

void pool_set_size(size_t threads)
{
    atomic_store(&wanted, threads);
}

/* If the pool is busy, with another model's pass for example, this thread works alone rather than
 * wait. */
void pool_run(size_t threads, void (*work)(const struct pool_thread *thread, void *context),
              void *context)
{
    if (threads <= 1 || pthread_mutex_trylock(&pool.busy) != 0) {
        struct pool_round alone = {.work = work, .context = context, .count = 1};
        take_part(&alone, 0);
        return;
    }
    pthread_mutex_lock(&pool.lock);
    const size_t others = (threads < POOL_MAX ? threads : POOL_MAX) - 1;
    static bool handled;
    if (pool.threads < others && !handled)
        handled = pthread_atfork(NULL, NULL, begin_anew) == 0;
    while (pool.threads < others) { /* they end with the process */
        pthread_t thread;
        const size_t index = pool.threads + 1;
        if (signals_start_thread(&thread, live, (void *)(uintptr_t)index) != 0)
            break;
        pthread_detach(thread);
        pool.started[index] = thread;
        pool.threads = index;
    }
    pool.round.work = work;
    pool.round.context = context;
    pool.round.caller = system_stay();
    pool.round.self = pthread_self();
    pool.round.anew = atomic_exchange(&pool.round.unpinned, false);
    pool.round.count = threads < pool.threads + 1 ? threads : pool.threads + 1;
    pool.generation++;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    take_part(&pool.round, 0);
    system_roam(pthread_self(), &pool.round.caller, false);
    pthread_mutex_unlock(&pool.busy);
}
