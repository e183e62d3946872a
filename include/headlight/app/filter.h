/* filter.h: one text in, one line of JSON out: headlight in a pipe. Or all of them in one page. */
#ifndef HEADLIGHT_APP_FILTER_H
#define HEADLIGHT_APP_FILTER_H

#include "headlight/app/program.h"

/* `headlight run`: writes the texts to the file, an object a line (export.h), in their order, with
 * these members in front of the model's name:
 *
 *     id, line   of the text
 *     carried    what its line of JSON has besides, where it has
 *     truncated  how many tokens the whole text has, where it was cut
 *     window     {"number","of","start"}, where it is one of several
 *
 * A text that is passed over is {"id","line","error"}. Each line is written out at once.
 *
 * With --page all texts go into that file instead, one to choose among (export/page.h). Errors as
 * texts_run; STATUS_UNREAD when nobody reads any more. */
enum status filter_run(struct program *program, struct error *error);

#endif
