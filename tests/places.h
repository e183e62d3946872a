/* places.h: where a test was when it crashed, without a message at each assertion. */
#pragma once

/* Before the first test runs in a process of its own. */
void places_begin(void);
