// Logs of spans: each holds what was added to it, whatever the others do, and gives its chunks
// back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "stats/fold/span_log.h"

static void expect_spans(const struct tp_span_logs *l, uint32_t log,
                         const struct tp_logged_span *want, size_t count)
{
    enum { MOST = 1000 };
    bool is_found[MOST] = {false};
    struct tp_span_log_walk walk = {l, log, 0};
    struct tp_logged_span span;
    size_t seen = 0;
    assert_true(count <= MOST);
    for (; tp_span_log_next(&walk, &span); seen++) {
        size_t i = 0;
        while (i < count && (is_found[i] || want[i].ns != span.ns ||
                             want[i].measure != span.measure || want[i].is_cut != span.is_cut))
            i++;
        assert_true(i < count);
        is_found[i] = true;
    }
    assert_int_equal(seen, count);
}

static const struct tp_logged_span narrow = {1234, 3, false};

static void test_an_empty_one_has_nothing(void **state)
{
    struct tp_span_logs l = {0};
    uint32_t log = 0;
    (void)state;
    expect_spans(&l, log, NULL, 0);
    assert_false(tp_span_log_add_here(&l, log, narrow));
    assert_int_equal(tp_span_log_chunk_count(&l, log), 0);
    tp_span_log_free(&l, &log);
    tp_free(l.words.items);
}

// The largest of what a word holds, and what needs two, at every place of a chunk.
static void test_spans_of_any_size(void **state)
{
    static const struct tp_logged_span odd[] = {
        {0, 0, false},
        {(UINT64_C(1) << 48) - 1, TP_SPAN_MEASURE_WIDE - 1, true},
        {UINT64_C(1) << 48, 0, false},
        {1, TP_SPAN_MEASURE_WIDE, true},
        {UINT64_MAX, UINT32_MAX, false},
        {7, UINT32_MAX - 1, true},
    };
    struct tp_span_logs l = {0};
    (void)state;
    for (size_t first = 0; first < TP_SPAN_FIRST_WORDS + TP_SPAN_OTHER_WORDS; first++) {
        struct tp_logged_span want[TP_SPAN_FIRST_WORDS + TP_SPAN_OTHER_WORDS + TP_ARRAY_LEN(odd)];
        uint32_t log = 0;
        size_t count = 0;
        for (size_t i = 0; i < first; i++)
            want[count++] = narrow;
        for (size_t i = 0; i < TP_ARRAY_LEN(odd); i++)
            want[count++] = odd[i];
        for (size_t i = 0; i < count; i++)
            assert_true(tp_span_log_add_here(&l, log, want[i]) ||
                        tp_span_log_add(&l, &log, want[i]));
        expect_spans(&l, log, want, count);
        tp_span_log_free(&l, &log);
        assert_int_equal(log, 0);
    }
    tp_free(l.words.items);
}

static void test_many_in_turn(void **state)
{
    enum { LOGS = 7, CHUNKS = 5 };
    enum { SPANS = TP_SPAN_FIRST_WORDS + (CHUNKS - 1) * TP_SPAN_OTHER_WORDS - 2 };
    struct tp_span_logs l = {0};
    uint32_t logs[LOGS] = {0};
    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < LOGS * SPANS; i++) {
            struct tp_logged_span span = {i / LOGS, i % LOGS, round == 1};
            assert_true(tp_span_log_add(&l, &logs[i % LOGS], span));
        }
        for (unsigned k = 0; k < LOGS; k++) {
            struct tp_logged_span want[SPANS];
            for (unsigned i = 0; i < SPANS; i++)
                want[i] = (struct tp_logged_span){i, k, round == 1};
            expect_spans(&l, logs[k], want, SPANS);
            assert_int_equal(tp_span_log_chunk_count(&l, logs[k]), CHUNKS);
        }
        // The next round must use the freed words again.
        for (unsigned k = 0; k < LOGS; k++)
            tp_span_log_free(&l, &logs[k]);
    }
    assert_int_equal(l.words.count, 1 + LOGS * (SPANS + 2 + CHUNKS));
    l.words.count = l.free_first = l.free_other = 0;
    assert_int_equal(l.words.count, 0);
    tp_free(l.words.items);
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    struct tp_span_logs l = {0};
    uint32_t log = 0;
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    tp_alloc_fail_at(1, false);
    assert_false(tp_span_log_add(&l, &log, narrow));
    assert_int_equal(log, 0);
    assert_true(tp_span_log_add(&l, &log, narrow));
    expect_spans(&l, log, &narrow, 1);
    tp_free(l.words.items);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_one_has_nothing),
        cmocka_unit_test(test_spans_of_any_size),
        cmocka_unit_test(test_many_in_turn),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
