/* pager.h: the texts of a file, one of which is shown: from one to the next; and in a text from one
 * token that has what is looked for to the next. */
#pragma once

#include "headlight/session/session.h"

/* The session goes through `count` > 0 texts of a corpus that has been indexed, and which outlives
 * it with its path. */
void pager_begin(struct session *session, struct corpus *corpus, const char *path, size_t count);

/* The first that fits the model: texts[0 … *text_count - 1], valid until another is read.
 * STATUS_LIMIT when none does; errors as corpus_go and corpus_next. */
enum status pager_first(struct session *session, struct text texts[2], size_t *text_count,
                        struct error *error);

/* Goes on from the text with that number in the file, or from the first if it is no longer there;
 * what is shown stays. Errors likewise. */
enum status pager_resume(struct session *session, uint64_t number, struct error *error);

/* Whether there are such texts. */
static inline bool pager_is_open(const struct session *session)
{
    return session->pager.corpus != NULL;
}

/* The next text or the one before; while something is looked for, the next place where it stands,
 * in this text and then in others, round and round. Texts that are too long for the model are
 * passed over, and counted in the message. Returns the bits of session.h. */
unsigned pager_go(struct session *session, bool forward);

/* Within the text that is shown, round the ends, or says that there is none. */
unsigned pager_within(struct session *session, bool forward);

/* After Enter in the search prompt: goes on to the next text that has it, unless this one does. */
unsigned pager_find(struct session *session);

/* Once its trace is there, goes to what is looked for. */
void pager_arrive(struct session *session);

/* "12 of 2,001 · sent_id", or of a recording its side; false, with nothing written, where another
 * text is shown. */
bool pager_describe(const struct session *session, char *text, size_t size);
