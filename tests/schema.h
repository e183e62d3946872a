/* schema.h: whether JSON is what its schema says: the keywords of JSON Schema 2020-12 that
 * assets/schema has. A keyword that isn't known fails the test. */
#pragma once

#include "headlight/base/json.h"

/* The schema that the program prints; the caller's. */
cJSON *schema_of_exports(void);

/* Whether a document follows a schema; if not, `why` says where it doesn't first. */
bool schema_holds(const cJSON *schema, const cJSON *document, char *why, size_t size);

/* Fails the running test unless it follows the exports' schema. */
void assert_is_export(const cJSON *document);

/* An exported object, which is a single line and follows the schema; the caller's. */
cJSON *export_of_text(const char *text, size_t length);
cJSON *export_of_file(const char *path);
struct output;
cJSON *export_made(const struct output *output);

/* The answers of a kind, by their place; NULL past the last. */
const cJSON *export_answer(const cJSON *document, const char *kind, size_t index);
