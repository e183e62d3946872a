#include "hangs.h"

#ifdef __linux__

#include "headlight/app/program.h"
#include "headlight/export/export.h"
#include "headlight/session/act.h"
#include "headlight/session/request.h"
#include "headlight/session/screen.h"
#include "headlight/terminal/curses.h"

#include <check.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct hang hang;
static atomic_bool *hung; /* shared with the program's process */

void hangs_begin(const struct hang *wanted)
{
    hang = *wanted;
    hung = mmap(NULL, sizeof *hung, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(hung, MAP_FAILED);
}

bool hangs_now(void)
{
    return atomic_load(hung);
}

static void pass(const char *function, enum request_kind kind)
{
    if (!hang.function || strcmp(function, hang.function) != 0 || kind != hang.kind)
        return;
    atomic_store(hung, true);
    for (;;)
        if (!hang.busy)
            pause();
}

/* The linker's names: __real_NAME is the program's, __wrap_NAME is what calls of NAME reach. */
#define HANGS(result, type, name, parameters, arguments)                                           \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        pass(#name, REQUEST_NONE);                                                                 \
        result __real_##name arguments;                                                            \
    }

enum status __real_request_run(void *context, const struct watch *watch, struct error *error);
enum status __wrap_request_run(void *context, const struct watch *watch, struct error *error);
enum status __wrap_request_run(void *context, const struct watch *watch, struct error *error)
{
    pass("request_run", ((struct request *)context)->kind);
    return __real_request_run(context, watch, error);
}

HANGS(return, enum status, program_load,
            (struct program * program, const struct watch *watch, struct error *error),
            (program, watch, error))
HANGS(return, enum status, request_pass,
            (struct session * session, struct request *request, struct error *error),
            (session, request, error))
HANGS(return, enum status, request_besides,
            (const struct session *session, struct request *request, struct error *error),
            (session, request, error))
HANGS(return, enum status, request_take,
            (struct session * session, struct request *request, double milliseconds,
             struct error *error),
            (session, request, milliseconds, error))
HANGS(return, enum status, program_begin_interactive,
            (struct program * program, struct error *error), (program, error))
HANGS(return, enum status, screen_draw,
            (struct session * session, struct canvas *canvas, struct error *error),
            (session, canvas, error))
HANGS(return, unsigned, input_key, (struct session * session, uint32_t key), (session, key))
HANGS(return, unsigned, input_paste, (struct session * session, const char *text, size_t length),
            (session, text, length))
HANGS(return, unsigned, session_click, (struct session * session, struct hit hit), (session, hit))
HANGS(return, unsigned, session_hover, (struct session * session, struct hit hit), (session, hit))
HANGS(, void, export_screen, (struct session * session, enum format format, int columns, int rows),
      (session, format, columns, rows))
HANGS(, void, state_file_save, (struct session * session), (session))
HANGS(return, enum status, curses_open,
            (struct curses * *curses, const char *term, FILE *output, FILE *input,
             const struct curses_wish *wish, struct error *error),
            (curses, term, output, input, wish, error))
HANGS(, void, curses_draw,
      (struct curses * curses, const struct canvas *canvas, const struct theme *theme,
       bool repaint),
      (curses, canvas, theme, repaint))
HANGS(, void, curses_close, (struct curses * curses), (curses))

#endif
