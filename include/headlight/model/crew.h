/* crew.h: threads that go through one piece of work together.
 *
 * Every member carries out the same function. Between two waits each takes units of the work, in
 * whatever order they come, so that a member that the machine holds up holds up no other:
 *
 *     static void halve(const struct member *member, void *context)
 *     {
 *         for (size_t row = member_claim(member); row < ROWS; row = member_claim(member))
 *             …;
 *         member_wait(member); // all rows are halved, for everyone
 *     }
 *     crew_run(crew_size(), halve, &context);
 *
 * There is one crew in a process. Its threads are started when they are first wanted, sleep between
 * two pieces of work and block all signals. */
#ifndef HEADLIGHT_MODEL_CREW_H
#define HEADLIGHT_MODEL_CREW_H

#include <stddef.h>

#define CREW_MAX 64

struct crew_round;

struct member {
    struct crew_round *round;
    size_t index, count; /* index 0 is the caller of crew_run */
};

/* How many members a piece of work may have: the processors that this process may use, or what
 * crew_set_size said; 1 … CREW_MAX. */
size_t crew_size(void);

/* 0 is the number of processors again. */
void crew_set_size(size_t members);

/* Returns when every member has returned from `work`. There are `members` of them or fewer: one
 * alone when the crew is busy with another caller's work, or when no thread can be started. */
void crew_run(size_t members, void (*work)(const struct member *member, void *context),
              void *context);

/* The next unit, from 0, that no member has claimed since the last wait. */
size_t member_claim(const struct member *member);

/* Returns when all members have come to this call; units count from 0 again. */
void member_wait(const struct member *member);

#endif
