/* locale.h: a thread's locale, for which POSIX has <locale.h>, and macOS a header of its own. */
#ifndef HEADLIGHT_BASE_LOCALE_H
#define HEADLIGHT_BASE_LOCALE_H

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#endif
