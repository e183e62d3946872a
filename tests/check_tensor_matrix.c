/* All 65,536 halves of both kinds. */
#include "headlight/tensor/kernels.h"
#include "headlight/tensor/matrix.h"
#include "numbers.h"
#include "suites.h"

#include <math.h>
#include <string.h>

#define HALVES 65536

static void widen_f16(const unsigned char *halves, size_t count, float *numbers)
{
    kernels_now()->widen_f16(halves, count, numbers);
}

static void widen_f16_plain(const unsigned char *halves, size_t count, float *numbers)
{
    kernels_plain.widen_f16(halves, count, numbers);
}

typedef void widen_function(const unsigned char *halves, size_t count, float *numbers);

static const struct {
    const char *name;
    widen_function *widen;
    double (*value)(uint16_t half);
} ways[] = {
    {"F16", widen_f16, value_of_f16},
    {"F16, plain C", widen_f16_plain, value_of_f16},
    {"BF16", widen_bf16, value_of_bf16},
};
#define WAYS (sizeof ways / sizeof *ways)

/* Of a number between two halves the nearest, of the one in the middle the even one; what is half
 * as far again as the largest is infinite. */
TEST(numbers_are_rounded_to_the_nearest_half)
{
    static const float odd[] = {65519.9f, 65520, INFINITY, NAN, 0x1p-25f, 0x1.8p-25f, 1e-30f};
    static const unsigned expected[] = {0x7BFF, 0x7C00, 0x7C00, 0x7E00, 0, 1, 0};
    unsigned char half[2];
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned i = 0; i < 0x7BFF; i++) {
            const double low = value_of_f16((uint16_t)i), high = value_of_f16((uint16_t)(i + 1));
            const double middle = (low + high) / 2, step = (high - low) / 8;
            const double numbers[] = {low, middle - step, middle, middle + step};
            const unsigned halves[] = {i, i, i + i % 2, i + 1};
            for (int k = 0; k < COUNT(numbers); k++) {
                const float number = (float)(sign ? -numbers[k] : numbers[k]);
                narrow_f16(&number, 1, half);
                ck_assert_uint_eq(half[0] + 256u * half[1], halves[k] | sign << 15);
            }
        }
    for (int i = 0; i < COUNT(odd); i++) {
        narrow_f16(&odd[i], 1, half);
        ck_assert_uint_eq(half[0] + 256u * half[1], expected[i]);
    }
}

TEST(every_half_keeps_its_value, .times = WAYS)
{
    static unsigned char bytes[2 * HALVES];
    static float numbers[HALVES];
    for (size_t i = 0; i < HALVES; i++) {
        bytes[2 * i] = (unsigned char)(i & 0xFF);
        bytes[2 * i + 1] = (unsigned char)(i >> 8);
    }
    ways[_i].widen(bytes, HALVES, numbers);
    for (size_t i = 0; i < HALVES; i++) {
        double expected = ways[_i].value((uint16_t)i), found = (double)numbers[i];
        bool same = isnan(expected) ? isnan(found)
                                    : found == expected && !signbit(found) == !signbit(expected);
        if (!same)
            ck_abort_msg("%s %04zX: expected %g, found %g", ways[_i].name, i, expected, found);
    }
}

/* No count and no place reads or writes beyond its ends. */
TEST(any_count_at_any_place, .times = WAYS)
{
    unsigned char bytes[2 * 150 + 1];
    float numbers[151];
    memset(bytes, 0x3C, sizeof bytes); /* 1.0586 and about 0.0115 */
    for (size_t shift = 0; shift < 2; shift++)
        for (size_t count = 0; count <= 150; count++) {
            memset(numbers, 0, sizeof numbers);
            ways[_i].widen(bytes + shift, count, numbers);
            for (size_t i = 0; i < count; i++)
                ck_assert_double_eq((double)numbers[i], ways[_i].value(0x3C3C));
            ck_assert_float_eq(numbers[count], 0);
        }
}
