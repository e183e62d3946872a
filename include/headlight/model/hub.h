/* hub.h: where a model lies: in a folder, or, by its name, in the Hugging Face hub's local cache,
 * to which other programs download. Nothing is ever fetched.
 *
 *     CACHE/models--org--name/refs/main                    holds the name of a commit
 *     CACHE/models--org--name/snapshots/COMMIT/config.json leads to ../../blobs/…
 *
 * CACHE is HF_HUB_CACHE, else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else
 * HOME/.cache/huggingface/hub; a variable that is empty counts as unset. */
#pragma once

#include "headlight/model/family.h"

/* The models that are linked into the program; the first is the one that runs where none is named.
 * Their names are of no model of the hub, and a folder of that name is ./built-in. */
#define BUILT_IN  "built-in"
#define BUILT_INS 2
extern const struct built_in {
    const char *name, *about, *example; /* a text, where it needs one of its own; or NULL */
} built_in[BUILT_INS];

struct hub_location {
    char *folder; /* has the checkpoint's files */
    char *name;   /* "org/name" or "name", with "@revision" if one was given; the last part of a
                     folder outside a cache */
};

/* Finds a model. A folder of that name comes first, then a file, which stands for its folder; else
 * "name", "org/name" and either with "@revision" (a branch, a tag, refs/pr/N or a commit) are
 * looked up in the cache. A name without an organisation stands for the only ORG/name there, a
 * repository's folder for its "main". Anything that can't be a hub name, such as a path, is
 * returned as a folder, and opening it reports the problem. STATUS_IO, with the command that
 * downloads it, for a missing or incomplete model; STATUS_UNSUPPORTED for one in another form
 * (GGUF, ONNX …); STATUS_USAGE for an ambiguous name. */
enum status hub_find(const char *name, struct hub_location *location, struct error *error);

/* Accepts a place that was not found. */
void hub_location_free(struct hub_location *location);

/* A model of the cache, at its main revision. Names and reasons may quote files: make them safe
 * before showing them (draw/text.h). */
struct hub_model {
    char *name;
    const char *family; /* from here on only if it can be opened */
    struct config config;
    size_t bytes;  /* of its weights, on disk */
    char why[256]; /* the reason why it can't be opened; empty if it can, judging without its
                      tensors */
};

struct hub_list {
    char *cache;
    size_t count; /* 0 also if there is no cache */
    struct hub_model *model;
};

/* The models of the cache, by name. STATUS_IO when it can't be read. Free with hub_list_free,
 * also after an error. */
enum status hub_list(struct hub_list *list, struct error *error);

void hub_list_free(struct hub_list *list);
