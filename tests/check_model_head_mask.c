/* Sets of heads as bits and as lists. */
#include "model_helpers.h"
#include "rows.h"
#include "suites.h"

#include "headlight/model/head_mask.h"

#include <string.h>

static struct error error;

TEST(heads_as_bits)
{
    ck_assert(head_mask_all(1) == 1);
    ck_assert(head_mask_all(12) == 0xFFF);
    ck_assert(head_mask_all(64) == UINT64_MAX);
    for (size_t head = 0; head < HEAD_MASK_MAX; head++) {
        const head_mask all = head_mask_all(HEAD_MASK_MAX), one = head_mask_of(head);
        const head_mask rest = (all ^ head_mask_of(head));
        ck_assert_uint_eq(head_mask_first(one), head);
        ck_assert_uint_eq(head_mask_count(one), 1);
        ck_assert_uint_eq(head_mask_count(rest), HEAD_MASK_MAX - 1);
        ck_assert_uint_eq(head_mask_first(rest), head == 0);
        ck_assert((rest ^ head_mask_of(head)) == all);
        for (size_t other = 0; other < HEAD_MASK_MAX; other++) {
            ck_assert_int_eq(head_mask_has(one, other), other == head);
            ck_assert_int_eq(head_mask_has(rest, other), other != head);
        }
    }
    ck_assert_uint_eq(head_mask_count(0), 0);
}

TEST(lists_of_heads)
{
    static const struct {
        const char *list;
        size_t count;
        head_mask mask;
        const char *written;
    } good[] = {
        {"all", 12, 0xFFF, "all"},
        {"all", 64, UINT64_MAX, "all"},
        {"all", 1, 1, "all"},
        {"none", 8, 0, "none"},
        {"0,2,5-7", 8, 0xE5, "0,2,5-7"},
        {"7,5,6,2,0,0", 8, 0xE5, "0,2,5-7"},
        {"0-7", 8, 0xFF, "all"},
        {"63", 64, UINT64_C(1) << 63, "63"},
        {"0-62", 64, UINT64_MAX >> 1, "0-62"},
#ifdef __SIZEOF_INT128__
        {"0,63-65,95", 96, (head_mask)1 << 95 | (head_mask)7 << 63 | 1, "0,63-65,95"},
        {"0-127", 128, ~(head_mask)0, "all"},
#endif
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        head_mask mask;
        char list[HEAD_MASK_LIST];
        assert_ok(head_mask_read(good[i].list, good[i].count, &mask, &error), error);
        ck_assert(mask == good[i].mask);
        head_mask_write(mask, good[i].count, list, sizeof list);
        ck_assert_str_eq(list, good[i].written);
    }
}

ROW_TEST(bad_lists_of_heads, "head_mask")
{
    head_mask mask;
    assert_fails(head_mask_read(row[0], 8, &mask, &error), STATUS_USAGE,
                 "--heads: expected heads from 0 to 7", error);
}

/* The longest list there is; a shorter room cuts it, no more. */
TEST(a_long_list_of_heads)
{
    head_mask mask, odd = 0;
    for (size_t head = 1; head < HEAD_MASK_MAX; head += 2)
        odd |= head_mask_of(head);
    char list[HEAD_MASK_LIST];
    head_mask_write(odd, HEAD_MASK_MAX, list, sizeof list);
    assert_ok(head_mask_read(list, HEAD_MASK_MAX, &mask, &error), error);
    ck_assert(mask == odd);
    char room[8];
    head_mask_write(odd, HEAD_MASK_MAX, room, sizeof room);
    ck_assert_uint_eq(strlen(room), sizeof room - 1);
    ck_assert_int_eq(strncmp(room, list, sizeof room - 1), 0);
}

TEST(a_range_without_room_is_cut)
{
    static const char whole[] = "10-11,20-30";
    const head_mask mask = UINT64_C(3) << 10 | UINT64_C(0x7FF) << 20;
    for (size_t size = 1; size <= sizeof whole; size++) {
        char room[16] = "***************";
        head_mask_write(mask, 64, room, size);
        ck_assert_uint_eq(strlen(room), size - 1);
        ck_assert_int_eq(strncmp(room, whole, size - 1), 0);
        ck_assert_uint_eq(strspn(room + size, "*"), sizeof room - 1 - size);
    }
}
