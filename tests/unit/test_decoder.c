// The rows of formats: what code above decode calls without a look at the format.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/decoder.h"
#include "merge/orderer.h"

static const struct tp_decoder *const all[] = {&tp_decoder_none,  &tp_decoder_unknown,
                                               &tp_decoder_state, &tp_decoder_v0,
                                               &tp_decoder_v1,    &tp_decoder_v2};

static struct tp_format format_of(const struct tp_decoder *decoder)
{
    uint32_t minor = decoder == &tp_decoder_v1 ? 11 : decoder == &tp_decoder_v2 ? 26 : 0;
    return (struct tp_format){.decoder = decoder, .minor = minor, .header_bytes = 16};
}

static void test_every_row_can_scan_and_refuse(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(all); i++) {
        struct tp_format f = format_of(all[i]);
        struct tp_scan scan;
        struct tp_error err;
        struct tp_extent x;
        assert_int_not_equal(tp_format_refuse(&f, &err), 0);
        assert_int_not_equal(err.text[0], '\0');
        tp_scan_begin(&scan, &f, NULL);
        assert_int_equal(scan.offset, tp_format_is_trace(&f) ? f.header_bytes : 0);
        assert_false(tp_scan_next(&scan, tp_span_of(NULL, 0), true, &x));
    }
}

static void test_every_row_of_a_trace_is_full(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(all); i++) {
        const struct tp_decoder *d = all[i];
        struct tp_format f = format_of(d);
        if (!tp_format_is_trace(&f))
            continue;
        assert_true(d->fault != NULL && d->end_empty != NULL && d->tally != NULL);
        assert_true(d->code_name != NULL && d->read != NULL && d->text_begin != NULL);
        assert_true(d->put_text != NULL && d->batch_owner != NULL);
        assert_true(d->code_count > 0 && d->first_code + d->code_count <= TP_TALLY_CODES);
        assert_non_null(tp_orderer_of(&f, TP_MODEL_EVENTS));
    }
}

static void test_legacy_events_are_of_older_traces(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(all); i++) {
        struct tp_format f = format_of(all[i]);
        bool is_older = all[i]->kind == TP_KIND_V1;
        assert_int_equal(tp_orderer_of(&f, TP_MODEL_LEGACY) != NULL, is_older);
    }
}

// Bytes that are no trace are cut into extents that are not examined.
static void test_opaque_extents_cover_all_bytes(void **state)
{
    enum { ALL_BYTES = 2 * TP_SCAN_OPAQUE_BYTES + 7 };
    unsigned char *bytes = calloc(1, ALL_BYTES);
    struct tp_format f = format_of(&tp_decoder_none);
    struct tp_scan scan;
    struct tp_extent x;
    size_t count = 0, offset = 0;
    (void)state;
    assert_non_null(bytes);
    tp_scan_begin(&scan, &f, NULL);
    for (; tp_scan_next(&scan, tp_span_of(bytes + offset, ALL_BYTES - offset), false, &x); count++) {
        assert_int_equal(x.kind, TP_EXTENT_OPAQUE);
        assert_int_equal(x.offset, offset);
        assert_true(x.len_bytes <= TP_SCAN_OPAQUE_BYTES);
        offset += x.len_bytes;
    }
    assert_int_equal(count, 3);
    assert_int_equal(offset, ALL_BYTES);
    assert_int_equal(scan.offset, ALL_BYTES);
    free(bytes);
}

static void test_an_older_trace_with_damage_shows_nothing(void **state)
{
    struct tp_error err = {0};
    (void)state;
    assert_int_equal(tp_decoder_v1.fault(TP_LOSS_EVENT, tp_span_of(NULL, 0), 11, true, &err),
                     TP_FAULT_VOIDS);
    assert_int_equal(err.code, TP_E_EVENT);
    assert_string_equal(err.text, tp_loss_sentence(TP_LOSS_EVENT));
}

static void test_a_trace_without_batches_ends_in_words_of_its_reader(void **state)
{
    struct tp_error err = {0};
    (void)state;
    assert_int_equal(tp_decoder_v0.end_empty(0, false, &err), TP_E_EVENT);
    assert_string_equal(err.text, "no EvFrequency event");
    assert_int_equal(tp_decoder_v1.end_empty(11, true, &err), TP_E_EVENT);
    assert_string_equal(err.text, "trace is empty");
    assert_int_equal(tp_decoder_v2.end_empty(25, true, &err), TP_E_ORDER);
    assert_string_equal(err.text, "no frequency event found");
    assert_int_equal(tp_decoder_v2.end_empty(25, false, &err), 0);
    assert_int_equal(tp_decoder_v2.end_empty(26, true, &err), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_can_scan_and_refuse),
        cmocka_unit_test(test_every_row_of_a_trace_is_full),
        cmocka_unit_test(test_legacy_events_are_of_older_traces),
        cmocka_unit_test(test_opaque_extents_cover_all_bytes),
        cmocka_unit_test(test_an_older_trace_with_damage_shows_nothing),
        cmocka_unit_test(test_a_trace_without_batches_ends_in_words_of_its_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
