/* json.c: cJSON with headlight's errors: which line of which file is wrong. */
#include "headlight/base/json.h"

#include "headlight/base/nearest.h"

#include "headlight/base/format.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>
#include <utf8proc.h>

static size_t line_of(const char *text, size_t length, const char *at)
{
    size_t line = 1;
    for (size_t i = 0; i < length && text + i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* What Python writes for numbers that JSON lacks, where the text begins with it; else NULL. */
static const char *odd_number(const char *at, size_t left)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (left >= strlen(words[i]) && memcmp(at, words[i], strlen(words[i])) == 0)
            return words[i];
    return NULL;
}

/* What the parser stopped at, where that has a name. */
static const char *name_fault(const char *at, size_t left)
{
    const bool half = left > 2 && strncasecmp(at, "\\ud", 3) == 0;
    return half ? "half of a surrogate pair" : odd_number(at, left);
}

const char *json_fault(const char *text, size_t length)
{
    const char *at = NULL;
    cJSON *json = cJSON_ParseWithLengthOpts(text, length, &at, false);
    cJSON_Delete(json);
    return json || !at ? NULL : name_fault(at, (size_t)(text + length - at));
}

/* A copy of the text, which has no NUL, with U+FFFD in place of \u0000, as cJSON's strings end at
 * their first NUL and would lose the rest; and if wanted with empty lists in place of odd numbers,
 * which only a reader that needs a number refuses. NULL without memory. */
static char *repair(const char *text, size_t length, bool odd)
{
    bool inside = false;
    char *copy = strndup(text, length);
    for (char *at = copy; copy && *(at += strcspn(at, inside ? "\"\\" : "\"NI-")); at++) {
        const char *word = inside || !odd ? NULL : odd_number(at, length - (size_t)(at - copy));
        inside ^= *at == '"';
        if (word) {
            memset(at, ' ', strlen(word));
            memcpy(at, "[]", 2);
        } else if (*at == '\\' && at[1]) {
            if (strncmp(++at, "u0000", 5) == 0)
                memcpy(at, "ufffd", 5);
        }
    }
    return copy;
}

static enum status parse_text(const char *text, size_t length, const char *source, bool list,
                              cJSON **json, struct error *error)
{
    const char *end = NULL, *kind = list ? "array" : "object";
    errno = 0;
    *json = cJSON_ParseWithLengthOpts(text, length, &end, false);
    if (!*json && errno == ENOMEM) /* from malloc, of which cJSON says nothing */
        return error_memory(error, source, length);
    if (!*json) {
        const char *fault = end ? name_fault(end, (size_t)(text + length - end)) : NULL;
        return error_set(error, STATUS_FORMAT, "%s: expected JSON, found %s in line %zu", source,
                         fault ? fault : "an error", end ? line_of(text, length, end) : 1);
    }
    while (end < text + length && isspace((unsigned char)*end))
        end++;
    if (end != text + length)
        error_set(error, STATUS_FORMAT, "%s: expected one JSON %s, found more in line %zu", source,
                  kind, line_of(text, length, end));
    else if (!(list ? cJSON_IsArray : cJSON_IsObject)(*json))
        error_set(error, STATUS_FORMAT, "%s: expected a JSON %s, found another value", source,
                  kind);
    else
        return STATUS_OK;
    cJSON_Delete(*json);
    *json = NULL;
    return STATUS_FORMAT;
}

static enum status parse(const char *text, size_t length, size_t limit, bool list, bool odd,
                         const char *source, cJSON **json, struct error *error)
{
    const char *nul = length > 0 && length <= limit ? memchr(text, '\0', length) : NULL;
    *json = NULL;
    if (length > limit)
        return error_set(error, STATUS_LIMIT, "%s: expected at most %zu bytes of JSON, found %zu",
                         source, limit, length);
    if (nul)
        return error_set(error, STATUS_FORMAT, "%s: expected JSON, found a NUL byte in line %zu",
                         source, line_of(text, length, nul));
    char *repaired = repair(text, length, odd);
    const enum status status = repaired ? parse_text(repaired, length, source, list, json, error)
                                        : error_memory(error, source, length);
    free(repaired);
    return status;
}

enum status json_parse(const char *text, size_t length, size_t limit, bool list, const char *source,
                       cJSON **json, struct error *error)
{
    return parse(text, length, limit, list, false, source, json, error);
}

enum status json_parse_object(const char *text, size_t length, const char *source, cJSON **object,
                              struct error *error)
{
    return parse(text, length, JSON_BYTES_MAX, false, true, source, object, error);
}

const cJSON *json_member(const cJSON *object, const char *name)
{
    const cJSON *last = NULL;
    for (const cJSON *item = object ? object->child : NULL; item; item = item->next)
        if (item->string && strcmp(item->string, name) == 0)
            last = item;
    return last && !cJSON_IsNull(last) ? last : NULL;
}

bool json_refuse(const struct json_reader *in, enum status status, const char *format, ...)
{
    char what[768];
    va_list arguments;
    if (!json_is_fine(in))
        return false;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    error_write(in->error, status, "%s: %s", in->source, what);
    return false;
}

const cJSON *json_read(const struct json_reader *in, const char *name)
{
    const cJSON *item = json_is_fine(in) ? json_member(in->object, name) : NULL;
    struct json_marks *marks = in->marks;
    if (item && marks && marks->count < JSON_MARKS_MAX)
        marks->read[marks->count++] = item;
    return item;
}

bool json_was_read(const struct json_reader *in, const cJSON *item)
{
    size_t i = 0;
    while (i < in->marks->count && in->marks->read[i] != item)
        i++;
    return i < in->marks->count;
}

const cJSON *json_item(const struct json_reader *in, const char *name,
                       cJSON_bool (*is_kind)(const cJSON *), const char *kind)
{
    const cJSON *item = json_read(in, name);
    if (!item || is_kind(item))
        return item;
    json_refuse(in, STATUS_FORMAT, "expected %s for \"%s\", found another value", kind, name);
    return NULL;
}

bool json_bool(const struct json_reader *in, const char *name, bool otherwise)
{
    const cJSON *item = json_item(in, name, cJSON_IsBool, "true or false");
    return item ? cJSON_IsTrue(item) : otherwise;
}

double json_number(const struct json_reader *in, const char *name, double otherwise)
{
    const cJSON *item = json_item(in, name, cJSON_IsNumber, "a number");
    return item ? item->valuedouble : otherwise;
}

const char *json_string(const struct json_reader *in, const char *name, const char *otherwise)
{
    const cJSON *item = json_item(in, name, cJSON_IsString, "a string");
    return item ? item->valuestring : otherwise;
}

static cJSON_bool is_size(const cJSON *item)
{
    size_t value;
    return json_is_size(item, &value);
}

size_t json_size(const struct json_reader *in, const char *name, size_t otherwise)
{
    const cJSON *item = json_item(in, name, is_size, "a whole number");
    return item ? (size_t)item->valuedouble : otherwise;
}

struct json_reader json_inner(const struct json_reader *in, const char *name)
{
    const cJSON *object = json_item(in, name, cJSON_IsObject, "an object");
    return (struct json_reader){object, in->source, in->error, in->marks};
}

size_t json_choose(const struct json_reader *in, const char *name, const char *found,
                   const char *const *names, size_t count)
{
    struct nearest nearest = nearest_to(found);
    for (size_t i = 0; i < count; nearest_offer(&nearest, names[i++]))
        if (strcmp(found, names[i]) == 0)
            return i;
    if (json_is_fine(in)) {
        json_refuse(in, STATUS_UNSUPPORTED, "expected \"%s\" to be %s, found \"%.100s\"", name,
                    nearest_names(&nearest), found);
        nearest_suggest(&nearest, in->error);
    }
    return 0;
}

bool json_is_size(const cJSON *item, size_t *value)
{
    const double limit = 9007199254740992.0; /* 2^53: above it a double skips whole numbers */
    if (!cJSON_IsNumber(item))
        return false;
    double number = item->valuedouble;
    if (!(number >= 0 && number <= limit) || number != floor(number) || number > (double)SIZE_MAX)
        return false;
    *value = (size_t)number;
    return true;
}

/* Characters that could control a terminal are escaped, since people print JSON files there. */
static void write_code_point(FILE *stream, utf8proc_int32_t code, const char *bytes, size_t length)
{
    if (code == '"' || code == '\\')
        fprintf(stream, "\\%c", (char)code);
    else if (is_unseen(code) && code < 0x10000)
        fprintf(stream, "\\u%04x", (unsigned)code);
    else if (is_unseen(code)) /* two halves beyond the first plane */
        fprintf(stream, "\\u%04x\\u%04x", 0xD7C0u + ((unsigned)code >> 10),
                0xDC00u | ((unsigned)code & 0x3FF));
    else
        fwrite(bytes, 1, length, stream);
}

/* Of a string; or of JSON, in which what is unseen stays out between strings. No string can hold a
 * quote that isn't escaped. */
static void write_characters(FILE *stream, const char *text, size_t length, bool json)
{
    bool inside = !json, escaped = false;
    for (size_t i = 0, used; i < length; i += used) {
        utf8proc_int32_t code;
        const utf8proc_ssize_t taken = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
                                                        (utf8proc_ssize_t)(length - i), &code);
        used = taken > 0 ? (size_t)taken : 1;
        inside ^= json && text[i] == '"' && !escaped;
        escaped = text[i] == '\\' && !escaped;
        if (taken <= 0)
            fputs("\xEF\xBF\xBD", stream);
        else if (json && !is_unseen(code))
            fwrite(text + i, 1, used, stream);
        else if (inside)
            write_code_point(stream, code, text + i, used);
    }
}

void json_write_string(FILE *stream, const char *text, size_t length)
{
    fputc('"', stream);
    write_characters(stream, text, length, false);
    fputc('"', stream);
}

void json_write_text(FILE *stream, const char *text)
{
    if (text)
        json_write_string(stream, text, strlen(text));
    else
        fputs("null", stream);
}

void json_write_raw(FILE *stream, const char *json, size_t length)
{
    write_characters(stream, json, length, true);
}

/* By a power of ten that a double has exactly: the result is off by at most 2^-53 of it. */
static double scale(double number, int power)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9, 1e10,
                                  1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20};
    return power < 0 ? number / tens[-power] : number * tens[power];
}

/* The fewest digits, from 6 to 9, that read back as the same float; 0 if it is too large or small
 * for `scale`, or its error might decide. Printing and reading back takes three times as long. */
static int fewest_digits(double number)
{
    if (!(number >= 1e-11 && number < 1e15))
        return 0;
    int exponent = (int)floor(log10(number));
    exponent += scale(number, -exponent) >= 10;
    exponent -= scale(number, -exponent) < 1;
    for (int digits = 6; digits < 9; digits++) {
        const int power = digits - 1 - exponent;
        const double scaled = scale(number, power), whole = rint(scaled);
        const double read = scale(whole, -power);
        if (fabs(scaled - whole) > 0.499999 ||
            (float)(read * (1 - 1e-15)) != (float)(read * (1 + 1e-15)))
            return 0;
        if ((float)read == (float)number)
            return digits;
    }
    return 9;
}

void json_write_float(FILE *stream, float value)
{
    char digits[32];
    if (!isfinite(value)) {
        fputs("null", stream);
        return;
    }
    const int fewest = fewest_digits(fabs((double)value));
    for (int precision = fewest > 0 ? fewest : 6; precision <= 9; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
        if (fewest > 0 || strtof(digits, NULL) == value)
            break;
    }
    fputs(digits, stream);
}

/* ---- Objects and lists ---- */

static void begin_value(struct json_writer *json, const char *name)
{
    fprintf(json->stream, "%s%s", json->more ? "," : "", json->line && !json->csv ? "\n" : "");
    if (name)
        fprintf(json->stream, "\"%s\":", name);
    json->more = true;
    json->line = false;
}

/* In a table each has its place, given or not. */
void json_put_values(struct json_writer *json, const struct json_value *values, size_t count)
{
    for (const struct json_value *value = values; value < values + count; value++) {
        if (value->kind == JSON_NOTHING && !json->csv)
            continue;
        begin_value(json, json->csv ? NULL : value->name);
        if (value->kind == JSON_WHOLE)
            fprintf(json->stream, "%" PRId64, value->whole);
        else if (value->kind == JSON_BOOL)
            fputs(value->whole ? "true" : "false", json->stream);
        else if (value->kind == JSON_REAL && json->digits > 0 && isfinite(value->real))
            fprintf(json->stream, "%.*g", json->digits, value->real);
        else if (value->kind == JSON_REAL && json->csv && isinf(value->real))
            fprintf(json->stream, "%g", value->real);
        else if (value->kind == JSON_REAL && !(json->csv && isnan(value->real)))
            json_write_float(json->stream, (float)value->real);
        else if (value->text)
            (json->write_text ? json->write_text : json_write_string)(
                json->stream, value->text,
                value->length < SIZE_MAX ? value->length : strlen(value->text));
        else
            fputs(json->csv ? "" : "null", json->stream);
    }
}

void json_open(struct json_writer *json, const char *name, const char *brackets)
{
    begin_value(json, name);
    fputs(brackets, json->stream);
    json->more = false;
}

void json_close(struct json_writer *json, const char *brackets)
{
    fputs(brackets, json->stream);
    json->more = true;
}

void json_row(struct json_writer *json, size_t i, size_t columns)
{
    if (i > 0 && i % columns == 0)
        json->more = fputs("],[", json->stream) == EOF;
}

void json_put_object(struct json_writer *json, const char *name, const struct json_value *values,
                     size_t count)
{
    if (!json->csv)
        json_open(json, name, "{");
    json_put_values(json, values, count);
    if (!json->csv)
        json_close(json, "}");
    else
        json->more = fputc('\n', json->stream) == EOF;
}

void json_put_floats(struct json_writer *json, const char *name, const float *values, size_t count)
{
    begin_value(json, name);
    fputs(values ? "[" : "null", json->stream);
    for (size_t i = 0; values && i < count; i++) {
        fputs(i > 0 ? "," : "", json->stream);
        json_write_float(json->stream, values[i]);
    }
    fputs(values ? "]" : "", json->stream);
}

void json_put_raw(struct json_writer *json, const char *text)
{
    begin_value(json, NULL);
    fputs(text, json->stream);
}
