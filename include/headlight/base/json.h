/* json.h: cJSON with headlight's errors. `source` is the file's name, for messages. */
#pragma once

#include "headlight/base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The most bytes of a text that is made a tree. A tree takes up to forty times its text, as a list
 * of digits does: 160 MB, and less than half a second. What headlight reads is smaller: some 2 MB
 * of config.json with 20,000 labels, 250 kB of index for 128 layers, 800 kB of state with two texts
 * of 64 kB, every byte escaped. */
#define JSON_BYTES_MAX ((size_t)4 << 20)

/* Parses a text that is one JSON object and, but for white space, nothing else; no NUL is needed
 * after its `length` bytes. The caller frees *object with cJSON_Delete. STATUS_FORMAT names the
 * line; STATUS_LIMIT for more than JSON_BYTES_MAX; STATUS_MEMORY. In strings U+FFFD takes the place
 * of \u0000. NaN, Infinity and -Infinity, which Python writes, are read as values of no use. */
enum status json_parse_object(const char *text, size_t length, const char *source, cJSON **object,
                              struct error *error);

/* The same for a text that may have up to `limit` bytes, and is JSON to the letter; or for a list.
 */
enum status json_parse(const char *text, size_t length, size_t limit, bool list, const char *source,
                       cJSON **json, struct error *error);

/* Of a text that isn't JSON what is wrong with it, where that has a name: "NaN"; else NULL. */
const char *json_fault(const char *text, size_t length);

/* A member by its exact name, or NULL when it is absent or null. Of several the last counts, as in
 * Python. */
const cJSON *json_member(const cJSON *object, const char *name);

/* An object of which members are read. The first fault is noted in the error, and from then on
 * every member reads as absent: who reads ten of them asks once, at the end, whether all went well.
 *
 *     const struct json_reader in = json_reader(object, "config.json", &error);
 *     config.layers = json_size(&in, "num_hidden_layers", 12);
 *     config.tied = json_bool(&in, "tie_word_embeddings", true);
 *     return error.status; */
struct json_reader {
    const cJSON *object; /* NULL: it has no members */
    const char *source;
    struct error *error;      /* of STATUS_OK as long as all is well */
    struct json_marks *marks; /* of members that were read, also of inner objects; or NULL */
};

/* Who wants to know what nobody has read gives a reader these. */
#define JSON_MARKS_MAX 256
struct json_marks {
    const cJSON *read[JSON_MARKS_MAX];
    size_t count;
};

static inline struct json_reader json_reader(const cJSON *object, const char *source,
                                             struct error *error)
{
    error->status = STATUS_OK;
    return (struct json_reader){object, source, error, NULL};
}

static inline bool json_is_fine(const struct json_reader *in)
{
    return in->error->status == STATUS_OK;
}

/* "SOURCE: …", unless there is a fault already; false. */
bool json_refuse(const struct json_reader *in, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A member that is absent or null is `otherwise`, which also stands for a faulty one. Another type
 * is STATUS_FORMAT. A string stays owned by the object; a size is a whole number in 0 … 2^53. */
bool json_bool(const struct json_reader *in, const char *name, bool otherwise);
double json_number(const struct json_reader *in, const char *name, double otherwise);
const char *json_string(const struct json_reader *in, const char *name, const char *otherwise);
size_t json_size(const struct json_reader *in, const char *name, size_t otherwise);

/* A member of any kind, and one of some kind, such as "a list"; NULL if it is absent. */
const cJSON *json_read(const struct json_reader *in, const char *name);
const cJSON *json_item(const struct json_reader *in, const char *name,
                       cJSON_bool (*is_kind)(const cJSON *), const char *kind);

/* Whether a member was read through a reader with marks. */
bool json_was_read(const struct json_reader *in, const cJSON *item);

/* A member that is an object; absent, it has no members. */
struct json_reader json_inner(const struct json_reader *in, const char *name);

/* The index of what was found for a member among the names it may have; STATUS_UNSUPPORTED, with
 * all of them, and 0, if it is none. */
size_t json_choose(const struct json_reader *in, const char *name, const char *found,
                   const char *const *names, size_t count);

/* Whether `item` is a whole number in 0 … 2^53 that fits a size_t; then *value is it. */
bool json_is_size(const cJSON *item, size_t *value);

/* Writes a JSON string with its quotes. Bytes that are not UTF-8 come out as U+FFFD, what is not
 * seen (format.h) as \uXXXX. */
void json_write_string(FILE *stream, const char *text, size_t length);

/* The same for a string that ends in NUL; NULL is written as null. */
void json_write_text(FILE *stream, const char *text);

/* Writes JSON that was parsed as it stands, but for what is not seen: as \uXXXX in strings, and not
 * at all between values. */
void json_write_raw(FILE *stream, const char *json, size_t length);

/* Writes the shortest decimal that reads back as the same float; null for infinities and NaN,
 * which JSON cannot express. */
void json_write_float(FILE *stream, float value);

/* ---- Objects and lists, whose commas are put here ----
 *
 *     struct json_writer json = {.stream = stream};
 *     json_open(&json, NULL, "{");
 *     json_put(&json, JSON("name", name), JSON_IF(known, "share", share));
 *     json_open(&json, "words", "[");
 *     json_put(&json, JSON(NULL, "flies"));
 *     json_close(&json, "]}"); */
struct json_writer {
    FILE *stream;
    bool more;  /* a comma comes before what is next, */
    bool line;  /* and a line feed */
    bool csv;   /* objects are lines of their values alone (text/csv.h) */
    int digits; /* of numbers; 0: as json_write_float has it */
    void (*write_text)(FILE *stream, const char *text, size_t length); /* NULL: json_write_string */
};

enum json_kind { JSON_NOTHING, JSON_TEXT, JSON_REAL, JSON_WHOLE, JSON_BOOL };

/* A member; without a name, one of a list. A text of NULL is null. */
struct json_value {
    const char *name;
    enum json_kind kind;
    const char *text;
    size_t length; /* of the text; SIZE_MAX: up to its NUL */
    double real;
    int64_t whole;
};

/* A value of that name, by its type (what is compared is an int: (bool)(a > b)), or of a text that
 * is so long; only if it is given; null. */
/* clang-format off */
#define JSON(is, value)                                                                            \
    ((struct json_value){                                                                          \
        is, _Generic((value), char *: JSON_TEXT, const char *: JSON_TEXT, bool: JSON_BOOL,         \
                     float: JSON_REAL, double: JSON_REAL, default: JSON_WHOLE),                    \
        _Generic((value), char *: (value), const char *: (value), default: NULL), SIZE_MAX,        \
        _Generic((value), float: (value), double: (value), default: 0),                            \
        _Generic((value), char *: 0, const char *: 0, float: 0, double: 0,                         \
                 default: (int64_t)(value))})
/* clang-format on */
#define JSON_OF(name, text, length) ((struct json_value){name, JSON_TEXT, text, length, 0, 0})
#define JSON_IF(given, name, value)                                                                \
    ((given) ? JSON(name, value) : (struct json_value){.kind = JSON_NOTHING})
#define JSON_NULL(name) JSON_OF(name, NULL, 0)

/* Writes values one after the other. */
void json_put_values(struct json_writer *json, const struct json_value *values, size_t count);
#define JSON_LIST(...)                                                                             \
    (const struct json_value[]){__VA_ARGS__},                                                      \
        sizeof((const struct json_value[]){__VA_ARGS__}) / sizeof(struct json_value)
#define json_put(json, ...) json_put_values(json, JSON_LIST(__VA_ARGS__))

/* Opens and closes lists or objects, "[[" … "]]"; in between begins the next list at every so many
 * values, before the i-th. */
void json_open(struct json_writer *json, const char *name, const char *brackets);
void json_close(struct json_writer *json, const char *brackets);
void json_row(struct json_writer *json, size_t i, size_t columns);

/* A list of so many values, each an expression of its index. */
#define json_list(json, name, index, count, value)                                                 \
    do {                                                                                           \
        json_open(json, name, "[");                                                                \
        for (size_t index = 0; index < (count); index++)                                           \
            json_put(json, value);                                                                 \
        json_close(json, "]");                                                                     \
    } while (0)

/* Writes an object that has these members. */
void json_put_object(struct json_writer *json, const char *name, const struct json_value *values,
                     size_t count);
#define json_object(json, name, ...) json_put_object(json, name, JSON_LIST(__VA_ARGS__))

/* A list of numbers; null of NULL. What is JSON already. */
void json_put_floats(struct json_writer *json, const char *name, const float *values, size_t count);
void json_put_raw(struct json_writer *json, const char *text);
