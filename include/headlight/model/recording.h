/* recording.h: attention that any program recorded, read from a safetensors file; the reverse of
 * export_trace. It stands on this floor because it joins numbers (model/trace_read.h, which lists
 * the tensors) with text.
 *
 *     struct recording *recording;
 *     if (recording_open("t5.safetensors", &recording, &error) == STATUS_OK) … recording->encoded …
 *     recording_close(recording);
 *
 * In Python: safetensors.numpy.save_file(tensors, path, metadata={"tokens": json.dumps(tokens)}).
 * The metadata's values are strings; those that hold a list hold it as a JSON text:
 *
 * A file of an encoder–decoder has up to three attentions, each with its site before its tensors'
 * names (trace_read.h): encoder, decoder, and cross, from the decoder to the encoder. Its tokens
 * are encoder_tokens and decoder_tokens, in place of tokens and tokens_right, and what is inferred
 * from segments is read off these.
 *
 *     tokens            the T attending tokens, as they shall be shown (required)
 *     tokens_right      the S attended ones, when they are another text (cross-attention)
 *     tokens_shown      the T attending tokens as they shall be shown, where the file says in
 * tokens how the vocabulary spells them ("ĠcafÃ©" is shown as "Ġcafé"); not for cross-attention
 *     segments          T numbers, as in the tensor "segments", which goes before it unless its
 *                       numbers are all the same
 *     segments_right    S numbers, for tokens_right
 *     model             the model's name
 *     family            which kind of model it is, such as "RoBERTa"
 *     bits              what its last digits depend on, as --version says it
 *     texts             the one or two texts that the tokens were made from
 *     changes           in words, what was changed in the network
 *     unscaled          "true" where scores are q·k, without the division by √D
 *     temperature       what scores are divided by besides, such as "0.5"
 *
 * Where the first of two sentences ends is where the segment first changes. Without segments it is
 * read off the tokens when they have the form of BERT's or RoBERTa's pairs:
 *
 *     [CLS] A [SEP] B [SEP]         and any number of [PAD]: B begins after the first [SEP]
 *     <s> A </s></s> B </s>         and any number of <pad>: B begins at the second </s>
 *
 * Any other row of tokens is one sentence, so a file with more separators than these needs
 * segments. */
#pragma once

#include "headlight/model/encoded.h"

/* Its numbers may lie in the file's memory: they are read-only. Tokens are as in the file ("Ġ" and
 * "▁" too), but valid UTF-8; each site's note says that rows of weights don't sum to 1, or that
 * there is no start token. */
struct recording {
    struct encoded *encoded;  /* of its first site, with those of the others; freed with it alone */
    char *model;              /* from the file, else the file's base name without extension */
    char *family;             /* the model's, or NULL */
    char *bits;               /* of its numbers (kernels.h), or NULL */
    char *changes;            /* or NULL */
    struct safetensors *file; /* in which numbers and texts lie */
};

/* Opens a file. Errors are those of trace_read and: STATUS_IO; STATUS_FORMAT when the tokens are
 * missing or metadata is malformed. Close with recording_close. */
enum status recording_open(const char *path, struct recording **recording, struct error *error);

/* The same for a file's bytes in memory, which must outlive the recording. */
enum status recording_from_memory(const char *source, const void *bytes, size_t size,
                                  struct recording **recording, struct error *error);

/* What it has of a site, or of its first if it hasn't that. */
struct encoded *recording_at(const struct recording *recording, enum site site);

/* Accepts NULL. */
void recording_close(struct recording *recording);
