/* export.h: a session's numbers as files.
 *
 * JSON: {"headlight", "model", "texts", "tokens", "ids", "segments", "spans", "changes", "layers":
 * [{"layer", "heads": [{"head", "weights": [T][S], …}], …}]}. A span is a pair of byte offsets into
 * the text of its segment, null for a token that the tokenizer added. Numbers read back as the same
 * floats; a masked score (-inf) is null. Of a recording: "tokens_right" [S] comes after "tokens"
 * where the attended tokens are others; "spans" and "predictions" are null, and so is whatever it
 * lacks of "ids", "segments", and of what --include asks for.
 *
 * CSV: the maps that are on screen, a line a weight: layer, head, from, attending, to, attended,
 * weight. From and to count the tokens shown; of a mean, "mean" stands for what it is over.
 *
 * Trace: a safetensors file with the tensors of DESIGN's trace (trace.h names them), F32 and, for
 * ids and segments, I64; its metadata holds model, changes, and, as JSON texts, tokens, texts and,
 * where no tensor tells them, segments. recording.h reads it back. */
#ifndef HEADLIGHT_EXPORT_EXPORT_H
#define HEADLIGHT_EXPORT_EXPORT_H

#include "headlight/session/session.h"

/* What --include adds to the JSON. */
enum {
    INCLUDE_QUERY = 1,
    INCLUDE_KEY = 2,
    INCLUDE_VALUE = 4,
    INCLUDE_SCORES = 8,
    INCLUDE_HIDDEN = 16,      /* embedding, and each layer's context, attention_output, output */
    INCLUDE_PREDICTIONS = 32, /* likeliest pieces at each [MASK], next sentence; null without heads
                                 for them */
};

/* Reads a list such as "query,scores" (or "all"). STATUS_USAGE names an unknown word. */
enum status export_parse_include(const char *list, unsigned *include, struct error *error);

/* Writes a file, or standard output for "-". The session's trace must be computed. STATUS_IO,
 * STATUS_MEMORY. */
enum status export_json(const struct session *session, unsigned include, const char *path,
                        struct error *error);

/* The same with a line for each pair of tokens. In their texts \u{…} stands for what is not seen
 * (unseen.h) and the first sign of what a spreadsheet would compute. */
enum status export_csv(const struct session *session, const char *path, struct error *error);
enum status export_trace(const struct session *session, const char *path, struct error *error);

#endif
