/* foreign.c: for MemorySanitizer, which sees what this program and the C library write, but not
 * what other libraries do. The linker leads the calls by which they write to us through here
 * (checks.mk); what they are given must have been written before, what they wrote counts as
 * written. */
#ifdef __has_feature
#if __has_feature(memory_sanitizer)

#include <sanitizer/msan_interface.h>
#include <stddef.h>

#define NCURSES_NOMACROS
#include <cjson/cJSON.h>
#include <curses.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <sys/stat.h>
#include <term.h>
#include <utf8proc.h>
#include <zlib.h>

/* The linker's names: __real_NAME is the library's, __wrap_NAME is what calls of NAME reach. */
#define WRAPPED(type, name, parameters)                                                            \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters

/* ---- cJSON: all that it writes lies in memory that it got here ---- */

static cJSON_Hooks given;

static void *allocate(size_t size)
{
    void *block = given.malloc_fn(size);
    if (block)
        __msan_unpoison(block, size);
    return block;
}

WRAPPED(void, cJSON_InitHooks, (cJSON_Hooks * hooks))
{
    cJSON_Hooks ours = {.malloc_fn = allocate, .free_fn = hooks->free_fn};
    given = *hooks;
    __real_cJSON_InitHooks(&ours);
}

WRAPPED(cJSON *, cJSON_ParseWithLengthOpts,
        (const char *text, size_t length, const char **end, cJSON_bool whole))
{
    __msan_check_mem_is_initialized(text, length);
    return __real_cJSON_ParseWithLengthOpts(text, length, end, whole);
}

/* ---- utf8proc ---- */

WRAPPED(utf8proc_ssize_t, utf8proc_iterate,
        (const utf8proc_uint8_t *bytes, utf8proc_ssize_t length, utf8proc_int32_t *code))
{
    if (length > 0)
        __msan_check_mem_is_initialized(bytes, length < 4 ? (size_t)length : 4);
    utf8proc_ssize_t used = __real_utf8proc_iterate(bytes, length, code);
    __msan_unpoison(code, sizeof *code);
    return used;
}

WRAPPED(utf8proc_ssize_t, utf8proc_encode_char, (utf8proc_int32_t code, utf8proc_uint8_t *bytes))
{
    utf8proc_ssize_t used = __real_utf8proc_encode_char(code, bytes);
    __msan_unpoison(bytes, (size_t)used);
    return used;
}

WRAPPED(utf8proc_ssize_t, utf8proc_decompose_char,
        (utf8proc_int32_t code, utf8proc_int32_t *out, utf8proc_ssize_t room,
         utf8proc_option_t options, int *boundary))
{
    utf8proc_ssize_t used = __real_utf8proc_decompose_char(code, out, room, options, boundary);
    if (used > 0)
        __msan_unpoison(out, (size_t)(used < room ? used : room) * sizeof *out);
    return used;
}

WRAPPED(utf8proc_ssize_t, utf8proc_normalize_utf32,
        (utf8proc_int32_t * codes, utf8proc_ssize_t length, utf8proc_option_t options))
{
    __msan_check_mem_is_initialized(codes, (size_t)length * sizeof *codes);
    return __real_utf8proc_normalize_utf32(codes, length, options);
}

WRAPPED(utf8proc_bool, utf8proc_grapheme_break_stateful,
        (utf8proc_int32_t before, utf8proc_int32_t after, utf8proc_int32_t *state))
{
    __msan_check_mem_is_initialized(state, sizeof *state);
    return __real_utf8proc_grapheme_break_stateful(before, after, state);
}

/* ---- nettle: what it makes of bytes; its contexts only it looks at ---- */

WRAPPED(void, nettle_base64_encode_raw, (char *text, size_t count, const uint8_t *bytes))
{
    __msan_check_mem_is_initialized(bytes, count);
    __real_nettle_base64_encode_raw(text, count, bytes);
    __msan_unpoison(text, BASE64_ENCODE_RAW_LENGTH(count));
}

WRAPPED(int, nettle_base64_decode_update,
        (struct base64_decode_ctx * context, size_t *count, uint8_t *bytes, size_t length,
         const char *text))
{
    __msan_check_mem_is_initialized(text, length);
    int result = __real_nettle_base64_decode_update(context, count, bytes, length, text);
    __msan_unpoison(count, sizeof *count);
    __msan_unpoison(bytes, result ? *count : 0);
    return result;
}

WRAPPED(void, nettle_sha256_digest, (struct sha256_ctx * context, size_t count, uint8_t *digest))
{
    __real_nettle_sha256_digest(context, count, digest);
    __msan_unpoison(digest, count);
}

/* ---- Check: its own allocations, since the C library's functions look at what it hands them ----
 */

WRAPPED(void *, emalloc, (size_t size))
{
    void *block = __real_emalloc(size);
    __msan_unpoison(block, size);
    return block;
}

WRAPPED(void *, erealloc, (void *block, size_t size))
{
    void *grown = __real_erealloc(block, size);
    __msan_unpoison(grown, size);
    return grown;
}

/* ---- The C library, where it has come to export what MemorySanitizer knows by an older name ----
 */

WRAPPED(int, stat64, (const char *path, struct stat *status))
{
    int result = __real_stat64(path, status);
    __msan_unpoison(status, result == 0 ? sizeof *status : 0);
    return result;
}

WRAPPED(int, fstat64, (int fd, struct stat *status))
{
    int result = __real_fstat64(fd, status);
    __msan_unpoison(status, result == 0 ? sizeof *status : 0);
    return result;
}

WRAPPED(int, lstat64, (const char *path, struct stat *status))
{
    int result = __real_lstat64(path, status);
    __msan_unpoison(status, result == 0 ? sizeof *status : 0);
    return result;
}

/* ---- zlib and curses ---- */

WRAPPED(int, compress2, (Bytef * packed, uLongf *size, const Bytef *bytes, uLong length, int level))
{
    __msan_check_mem_is_initialized(bytes, length);
    int result = __real_compress2(packed, size, bytes, length, level);
    __msan_unpoison(packed, *size);
    return result;
}

/* From here on the C library's functions don't look at what they are handed, by curses or by us. */
WRAPPED(int, setupterm, (const char *term, int fd, int *result))
{
    __msan_scoped_disable_interceptor_checks();
    int status = __real_setupterm(term, fd, result);
    __msan_unpoison(result, sizeof *result);
    return status;
}

WRAPPED(int, getmouse, (MEVENT * event))
{
    int result = __real_getmouse(event);
    __msan_unpoison(event, sizeof *event);
    return result;
}

#endif
#endif

/* A source has something in it. */
typedef int foreign;
