/* locale.h: a thread's locale, for which POSIX has <locale.h>, and macOS a header of its own. */
#pragma once

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif
