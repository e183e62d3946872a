/* fuzz.h: the doors through which bytes of strangers come in, each as a function of any bytes.
 *
 * tests/fuzz/fuzz_NAME.c defines fuzz_NAME, tests/fuzz/corpus/NAME/ holds inputs worth starting
 * from and those that once found something, tests/fuzz/NAME.dict the words of its format.
 * `make fuzz` looks for more of them with libFuzzer; check_fuzz.c goes through what is there.
 *
 * A target returns whatever the bytes are. That nothing crashes, leaks, hangs or leaves its memory
 * is watched by the sanitizers; what a door promises of what it lets through is a promise(). */
#pragma once

#include "headlight/model/checkpoint.h"
#include "headlight/session/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_VOCABULARY "tests/vectors/tiny-bert/vocab.txt"
#define FUZZ_CONFIG     "tests/vectors/tiny-bert/config.json"

typedef void fuzz_target(const uint8_t *data, size_t size);

struct fuzz_target {
    const char *name;
    fuzz_target *run;
};

#define TARGET(name) fuzz_target fuzz_##name;
#include "targets.inc"
#undef TARGET

/* All of them; the last one's name is NULL. */
extern const struct fuzz_target targets[];

/* Says what was promised and aborts unless it is kept. */
#define promise(kept) ((kept) ? (void)0 : promise_broken(#kept, __FILE__, __LINE__))
void promise_broken(const char *what, const char *file, int line);

/* Valid UTF-8 that holds no control and no mark of direction. */
bool is_fit_to_print(const char *text, size_t length);

/* A folder of this process's own, in memory if there is such a place; removed at the end. */
const char *fuzz_folder(void);

/* The path of the file NAME in it, until the next call. */
const char *fuzz_path(const char *name);

/* Puts a file there. */
void fuzz_write(const char *name, const void *bytes, size_t size);

/* Puts a checkpoint there: config.json, vocab.txt, model.safetensors. */
void fuzz_write_model(void);

/* That checkpoint, written and opened once. */
const struct checkpoint *fuzz_checkpoint(void);

/* The bytes as a string, cut at the first NUL; the caller's to free. */
char *fuzz_string(const uint8_t *data, size_t size);

/* A text, or a pair of them with a line end between; returns how many. */
size_t fuzz_texts(const char *bytes, size_t size, struct text texts[2]);

/* Draws the session's screen, at a size that the byte chooses, and looks at every cell. The canvas
 * is the caller's; fuzz_draw frees it. */
struct canvas *fuzz_canvas(struct session *session, uint8_t size);
void fuzz_draw(struct session *session, uint8_t size);
