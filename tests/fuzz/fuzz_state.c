// A state of statistics: what is accepted is written again as the same bytes, adds up with itself
// to one that is accepted too, and takes memory in proportion. Each input comes as it is, and with
// version, length and checksum made right, or nothing would get behind them.
#include <string.h>

#include "base/alloc.h"
#include "decode/format.h"
#include "fuzz.h"
#include "state_lab.h"
#include "stats/state/section.h"

// Of the totals for each byte, and of what three kinds of names take at once.
#define BYTES_PER_BYTE 600
#define BYTES_AT_LEAST TP_MIB(1)

static bool read_state(const struct state_bytes *b, struct tp_totals *ret_totals)
{
    struct tp_error err;
    uint64_t before_bytes = tp_alloc_live_bytes();
    int rc = tp_totals_read(tp_span_of(b->ptr, b->len_bytes), ret_totals, &err);
    uint64_t taken_bytes = tp_alloc_live_bytes() - before_bytes;
    CHECK(rc == 0 || rc == TP_E_STATE);
    CHECK(rc == 0 || (taken_bytes == 0 && err.text[0] != '\0'));
    CHECK(rc == 0 || err.offset == TP_NO_OFFSET || err.offset <= b->len_bytes);
    CHECK(taken_bytes <= BYTES_AT_LEAST + BYTES_PER_BYTE * b->len_bytes);
    return rc == 0;
}

static void check_twice(struct tp_totals *s)
{
    struct tp_totals twice = {0};
    struct tp_error err;
    CHECK(tp_totals_merge(&twice, s, &err) == 0 && tp_totals_merge(&twice, s, &err) == 0);
    struct state_bytes b = state_of(&twice);
    tp_totals_fini(&twice);
    // Counts that no trace has may go beyond 64 bits, and what follows from them with them.
    if (read_state(&b, &twice)) {
        struct state_bytes again = state_of(&twice);
        CHECK(state_is_same(&again, &b));
        tp_free(again.ptr);
        tp_totals_fini(&twice);
    }
    tp_free(b.ptr);
}

static void check(const struct state_bytes *b)
{
    struct tp_totals s;
    if (!read_state(b, &s))
        return;
    struct state_bytes again = state_of(&s), report = state_report(&s);
    CHECK(state_is_same(&again, b));
    CHECK(report.len_bytes > 0);
    check_twice(&s);
    tp_free(again.ptr);
    tp_free(report.ptr);
    tp_totals_fini(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    struct state_bytes b = {0};
    state_append(&b, len_bytes > 0 ? data : (const uint8_t *)"", len_bytes);
    check(&b);
    if (len_bytes >= STATE_LEAST_BYTES) {
        state_set_version(&b, TP_FORMAT_STATE_VERSION);
        check(&b);
    }
    tp_free(b.ptr);
    return 0;
}
