// The pieces of a trace of Go 1.22 or later read back as what they were written as.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "decode/decoder.h"
#include "decode/event_v2.h"
#include "decode/put_v2.h"

static void test_header(void **state)
{
    (void)state;
    unsigned char header[TP_PUT_V2_HEADER_BYTES];
    struct tp_format f;
    assert_ptr_equal(tp_put_v2_header(header, 26), header + sizeof header);
    assert_int_equal(tp_format_detect(tp_span_of(header, sizeof header), true, &f),
                     TP_FORMAT_KNOWN);
    assert_ptr_equal(f.decoder, &tp_decoder_v2);
    assert_int_equal(f.minor, 26);
    assert_int_equal(f.header_bytes, sizeof header);
}

static struct tp_wire_event read_back(const unsigned char *from, const unsigned char *end)
{
    struct tp_wire_event e;
    const unsigned char *p = from;
    assert_int_equal(tp_event_read(&p, end, tp_arg_table(26, TP_DIALECT_LENIENT), &e),
                     TP_EVENT_OK);
    assert_ptr_equal(p, end);
    return e;
}

static void test_events(void **state)
{
    (void)state;
    const uint64_t args[TP_MAX_EVENT_ARGS] = {0, 1, UINT64_MAX, 127, 128};
    unsigned char bytes[TP_PUT_V2_EVENT_MAX_BYTES];
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        if (spec->name == NULL || spec->kind == TP_WIRE_STACK || spec->kind == TP_WIRE_DATA)
            continue;
        struct tp_wire_event e = read_back(bytes, tp_put_v2_event(bytes, (uint8_t)code, args));
        assert_int_equal(e.type, code);
        assert_int_equal(e.arg_count, spec->arg_count);
        assert_memory_equal(e.args, args, spec->arg_count * sizeof *args);
    }
}

static void test_batch(void **state)
{
    (void)state;
    unsigned char bytes[TP_PUT_V2_BATCH_MAX_BYTES];
    struct tp_wire_event e = read_back(bytes, tp_put_v2_batch(bytes, 3, -1, UINT64_MAX, 65536));
    assert_int_equal(e.type, TP_EV_EventBatch);
    assert_int_equal(tp_wire_arg(&e, EventBatch, gen), 3);
    assert_int_equal(tp_wire_arg(&e, EventBatch, m), UINT64_MAX);
    assert_int_equal(tp_wire_arg(&e, EventBatch, time), UINT64_MAX);
    assert_int_equal(tp_wire_arg(&e, EventBatch, size), 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
