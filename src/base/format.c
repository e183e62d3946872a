/* format.c: text for people: cut to its buffer between characters, and with unseen characters
 * written out, so that nothing from a file can act on the terminal. */
#include "headlight/base/format.h"

#include "headlight/base/error.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define GAP " … "

/* A cut inside a UTF-8 sequence would leave an invalid tail. */
static void trim_partial_sequence(char *text)
{
    size_t end = strlen(text);
    size_t start = end;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t need = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    if (end - start < need)
        text[start - 1] = '\0';
}

void format_cut_list(char *text, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(text, size, format, arguments);
    if (length < 0)
        text[0] = '\0';
    else if ((size_t)length >= size)
        trim_partial_sequence(text);
}

/* A third of the room is for the end. */
void format_elide_list(char *text, size_t size, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *whole = length >= 0 && (size_t)length >= size ? malloc((size_t)length + 1) : NULL;
    if (whole) {
        vsnprintf(whole, (size_t)length + 1, format, again);
        const size_t end = size / 3, begin = size - end - sizeof GAP;
        const char *rest = whole + (size_t)length - end;
        while (((unsigned char)*rest & 0xC0) == 0x80) /* not in the middle of a UTF-8 sequence */
            rest++;
        memcpy(text, whole, begin);
        text[begin] = '\0';
        trim_partial_sequence(text);
        strcat(text, GAP);
        strcat(text, rest);
        free(whole);
    } else {
        format_cut_list(text, size, format, again);
    }
    va_end(again);
}

/* Messages are cut to their room, never refused: saying what went wrong must not fail itself. */
void error_write(struct error *error, enum status status, const char *format, ...)
{
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    format_elide_list(message, sizeof message, format, arguments);
    va_end(arguments);
    strcpy(error->message, message);
    error->status = status;
}

void format_cut(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_cut_list(text, size, format, arguments);
    va_end(arguments);
}

void format_add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    format_cut_list(text + used, size - used, format, arguments);
    va_end(arguments);
}

bool buffer_open(struct buffer *buffer)
{
    *buffer = (struct buffer){.stream = NULL};
    buffer->stream = open_memstream(&buffer->text, &buffer->length);
    return buffer->stream != NULL;
}

char *buffer_close(struct buffer *buffer)
{
    bool whole = buffer->stream && !ferror(buffer->stream);
    if (buffer->stream && fclose(buffer->stream) == 0 && whole)
        return buffer->text;
    free(buffer->text);
    return NULL;
}

struct counted format_count(int64_t number)
{
    struct counted count = {""};
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
    for (int i = 0, to = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            count.text[to++] = ',';
        count.text[to++] = digits[i];
    }
    return count;
}

void format_shape(char *text, size_t size, const size_t *numbers, size_t rank)
{
    format_cut(text, size, "[");
    for (size_t i = 0; i < rank; i++)
        format_add(text, size, i == 0 ? "%zu" : ",%zu", numbers[i]);
    format_add(text, size, "]");
}

void format_index(char *text, size_t size, const size_t *shape, size_t rank, size_t index)
{
    size_t indices[8] = {0};
    for (size_t axis = rank; axis-- > 0; index /= shape[axis])
        indices[axis] = index % shape[axis];
    format_shape(text, size, indices, rank);
}

void format_bytes(char *text, size_t size, double bytes)
{
    static const char prefixes[] = "kMGTPEZY";
    size_t prefix = 0;
    double number = bytes / 1e3;
    for (; number >= 999.95 && prefixes[prefix + 1]; prefix++)
        number /= 1e3;
    if (bytes < 1e3)
        snprintf(text, size, "%.0f bytes", bytes);
    else
        snprintf(text, size, number < 1e5 ? "%.1f %cB" : "%.2g %cB", number, prefixes[prefix]);
}

bool is_unseen(int32_t code)
{
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        return false;
    }
}
