/* The same bits on every processor: sums that are kept in 80 bits would round otherwise. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "headlight computes in exactly double precision: compile with -msse2 -mfpmath=sse"
#endif

/* forward_double.c: the pass once more, in double precision. The order of its sums is fixed. */
#define PRECISE 1
#include "forward_pass.c" /* NOLINT(bugprone-suspicious-include) */
