/* places.h: where a test was when it crashed, without a message at each assertion. */
#ifndef HEADLIGHT_TESTS_PLACES_H
#define HEADLIGHT_TESTS_PLACES_H

/* Before the first test runs in a process of its own. */
void places_begin(void);

#endif
