/* state_file.h: a session's state as a JSON file.
 *
 *     {"headlight": "1.2.3",
 *      "model": "bert-base-uncased", "texts": ["the cat", "it sat"], "special": true,
 *      "changes": {"unscaled": false, "causal": false, "off": "0.1,2.3", …},
 *      "settings": {"view": "matrix", "layer": "3", …}}
 *
 * "corpus" is the file of texts that was shown, if there was one, "columns" those of its texts if
 * they were named, "corpus_number" the text's place in it, and "sample", "seed", "shard" and
 * "shards" which texts were wanted. "model" is a folder or a name of the hub, or null for the
 * built-in one; "family" its family, where that was said by hand; "against" another model, where
 * two are compared; "survey" a survey; "recording", a recorded trace, takes the place of model,
 * texts and changes. Settings have the names and values of the command line's options (fields.h),
 * as strings; numbers, true and false are accepted as well. Changes of the network are true, false,
 * strings or null. */
#pragma once

#include "headlight/session/fields.h"

struct saved_state {
    cJSON *json;                   /* as it was parsed: the strings lie in it */
    const char *model, *recording; /* NULL: the built-in model; none */
    const char *survey;            /* NULL: none */
    const char *against;           /* NULL: none */
    const char *family;            /* the model's, said by hand; NULL: as it says itself */
    const char *texts[2];
    size_t text_count;
    const char *corpus;              /* a file of which the text is one; NULL: none, */
    const char *columns;             /* the texts' columns in it; NULL: they aren't named, */
    size_t corpus_number;            /* its number there, */
    struct corpus_choice choice;     /* and which texts of it are wanted */
    const char *values[FIELD_COUNT]; /* NULL: the default */
    const char *source;              /* the file's name, for messages; borrowed */
};

/* Whether there is a file to read: an empty one is a new state, as an interrupted save may leave
 * one (writer.h). */
bool state_file_exists(const char *path);

/* Reads a file, or a text that comes from somewhere, such as "standard input". STATUS_IO,
 * STATUS_MEMORY; STATUS_FORMAT for a file that is no state. Free with state_file_free, also after
 * an error. */
enum status state_file_read(const char *path, struct saved_state *state, struct error *error);
enum status state_file_parse(const char *text, size_t length, const char *source,
                             struct saved_state *state, struct error *error);

void state_file_free(struct saved_state *state);

/* Writes the session's state, with the model and the recording's file named as on the command
 * line. */
enum status state_file_write(const struct session *session, const char *path, struct error *error);

/* "changes", those of the network: {"unscaled": false, "off": "0.1,2.3", …}, null for what is none.
 */
void state_file_write_network(struct json_writer *json, const struct session *session);

/* Writes it to the session's state_path or, without one, to headlight-N.json in the working
 * folder; the session's message says where, or why not. */
void state_file_save(struct session *session);
