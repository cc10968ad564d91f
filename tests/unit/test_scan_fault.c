// What Go's full reader says where the scan finds damage: every text, and what
// becomes of the generation that is open there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/scan_fault.h"
#include "decode/spec.h"
#include "wire_build.h"

#define KEEPS TP_FAULT_KEEPS
#define DROPS TP_FAULT_DROPS
#define IS_END TP_FAULT_IS_END

#define LONG_NUMBER 255, 255, 255, 255, 255, 255, 255, 255, 255, 2

// Some rows say both of formats with end marks and without.
static const struct {
    enum tp_loss_kind loss;
    uint32_t minor;
    bool has_events;
    size_t len_bytes;
    unsigned char rest[24];
    enum tp_fault_effect effect;
    const char *text; // NULL with IS_END
} cases[] = {
    // Something else than a batch.
    {TP_LOSS_NOT_A_BATCH, 22, true, 2, {16, 1}, KEEPS, "expected batch event, got event 16"},
    {TP_LOSS_NOT_A_BATCH, 26, true, 1, {0}, DROPS, "expected batch event, got event 0"},
    {TP_LOSS_NOT_A_BATCH, 25, false, 1, {255}, KEEPS, "expected batch event, got event 255"},

    // Headers that end too early; the first byte of a number decides between the
    // two ends.
    {TP_LOSS_BATCH_HEADER, 22, true, 1, {1}, KEEPS, "error reading batch gen: EOF"},
    {TP_LOSS_BATCH_HEADER, 26, true, 1, {1}, DROPS, "error reading batch gen: EOF"},
    {TP_LOSS_BATCH_HEADER, 22, true, 2, {1, 0x80}, KEEPS,
     "error reading batch gen: unexpected EOF"},
    {TP_LOSS_BATCH_HEADER, 22, true, 2, {1, 1}, KEEPS, "error reading batch M ID: EOF"},
    {TP_LOSS_BATCH_HEADER, 22, true, 3, {1, 1, 0x80}, KEEPS,
     "error reading batch M ID: unexpected EOF"},
    {TP_LOSS_BATCH_HEADER, 23, true, 3, {1, 1, 2}, KEEPS, "error reading batch timestamp: EOF"},
    {TP_LOSS_BATCH_HEADER, 23, true, 4, {1, 1, 2, 0x80}, KEEPS,
     "error reading batch timestamp: unexpected EOF"},
    {TP_LOSS_BATCH_HEADER, 26, true, 4, {1, 1, 2, 3}, DROPS, "error reading batch size: EOF"},
    {TP_LOSS_BATCH_HEADER, 26, true, 5, {1, 1, 2, 3, 0x80}, DROPS,
     "error reading batch size: unexpected EOF"},
    {TP_LOSS_BATCH_HEADER, 22, true, 2, {49, 1}, KEEPS, "error reading batch gen: EOF"},
    {TP_LOSS_BATCH_HEADER, 22, true, 3, {49, 1, 1}, KEEPS, "error reading batch M ID: EOF"},
    {TP_LOSS_BATCH_HEADER, 22, true, 14, {1, 1, LONG_NUMBER, 3, 4}, KEEPS,
     "error reading batch M ID: binary: varint overflows a 64-bit integer"},

    // The end in place of an experiment's number is the end of the trace.
    {TP_LOSS_BATCH_HEADER, 23, true, 1, {49}, IS_END, NULL},
    {TP_LOSS_BATCH_HEADER, 26, false, 1, {49}, IS_END, NULL},
    {TP_LOSS_BATCH_HEADER, 26, true, 1, {49}, DROPS,
     "incomplete generation found; trace likely truncated"},

    // Bodies.
    {TP_LOSS_BATCH_SIZE, 22, true, 7, {1, 1, 2, 3, 0x81, 0x80, 4}, KEEPS,
     "invalid batch size 65537, maximum is 65536"},
    {TP_LOSS_BATCH_SIZE, 26, true, 8, {49, 1, 1, 2, 3, 0x81, 0x80, 4}, DROPS,
     "invalid batch size 65537, maximum is 65536"},
    {TP_LOSS_BATCH_CUT, 22, true, 5, {1, 1, 2, 3, 100}, KEEPS,
     "failed to read full batch: read 0 but wanted 100"},
    {TP_LOSS_BATCH_CUT, 26, true, 7, {1, 1, 2, 3, 100, 9, 9}, DROPS,
     "failed to read full batch: read 2 but wanted 100"},
    {TP_LOSS_BATCH_CUT, 26, true, 9, {49, 1, 1, 2, 3, 100, 9, 9, 9}, DROPS,
     "failed to read full batch: read 3 but wanted 100"},

    // Generations.
    {TP_LOSS_GENERATION, 22, true, 5, {1, 9, 2, 3, 0}, DROPS, "generations out of order"},
    {TP_LOSS_GENERATION, 22, true, 5, {1, 0, 2, 3, 0}, DROPS, "invalid generation number 0"},
    {TP_LOSS_GENERATION, 26, true, 6, {49, 1, 0, 2, 3, 0}, DROPS, "invalid generation number 0"},
    {TP_LOSS_GENERATION, 26, true, 5, {1, 1, 2, 3, 0}, DROPS,
     "broken trace: missing end-of-generation event, or generations are interleaved"},
    {TP_LOSS_END_MARK, 26, true, 6, {49, 1, 7, 2, 3, 0}, DROPS,
     "broken trace: missing end-of-generation event, or generations are interleaved"},
    {TP_LOSS_END_MARK, 26, true, 0, {0}, DROPS,
     "incomplete generation found; trace likely truncated"},
    {TP_LOSS_END_MARK, 26, false, 0, {0}, IS_END, NULL},
    {TP_LOSS_STRAY_MARK, 26, false, 1, {52}, DROPS, "no frequency event found"},

    // Input that ends early for a reason of its own.
    {TP_LOSS_INPUT, 22, true, 0, {0}, KEEPS, "unexpected EOF"},
    {TP_LOSS_INPUT, 26, true, 0, {0}, DROPS, "unexpected EOF"},
};

static void test_every_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_error err = {0};
        // In a block of just that size, so that a sanitizer sees what is read too far.
        unsigned char *copy = wire_copy(tp_span_of(cases[i].rest, cases[i].len_bytes));
        enum tp_fault_effect effect =
            tp_scan_fault(cases[i].loss, tp_span_of(copy, cases[i].len_bytes), cases[i].minor,
                          cases[i].has_events, &err);
        free(copy);
        assert_string_equal(err.text, cases[i].text != NULL ? cases[i].text : "");
        assert_int_equal(err.code, cases[i].text != NULL ? TP_E_ORDER : 0);
        assert_int_equal(effect, cases[i].effect);
    }
}

// Before Go 1.26 the mark is no event that may stand there.
static void test_end_mark_in_older_formats(void **state)
{
    const unsigned char mark[] = {TP_EV_EndOfGeneration};
    struct tp_error err = {0};
    (void)state;
    enum tp_fault_effect effect =
        tp_scan_fault(TP_LOSS_NOT_A_BATCH, tp_span_of(mark, 1), 25, true, &err);
    assert_int_equal(effect, TP_FAULT_DROPS);
    assert_int_equal(err.code, TP_E_ORDER);
    assert_string_equal(err.text, "invalid generation number 0");
}

// Whatever the bytes and the loss, there is an answer, and a text unless it is the
// end.
static void test_any_bytes(void **state)
{
    uint64_t seed = 9;
    (void)state;
    for (unsigned n = 0; n < 100000; n++) {
        unsigned char bytes[40];
        struct tp_error err = {0};
        size_t len_bytes = wire_random(&seed) % sizeof bytes;
        for (size_t i = 0; i < len_bytes; i++)
            bytes[i] = (unsigned char)(wire_random(&seed) >> (wire_random(&seed) % 2 * 5));
        bool is_batch = wire_random(&seed) % 2 == 0;
        if (is_batch)
            bytes[0] = wire_random(&seed) % 2 == 0 ? TP_EV_EventBatch : TP_EV_ExperimentalBatch;
        enum tp_loss_kind loss =
            1 + (enum tp_loss_kind)(wire_random(&seed) % (TP_LOSS_KINDS - 1));
        unsigned char *copy = wire_copy(tp_span_of(bytes, len_bytes));
        enum tp_fault_effect effect =
            tp_scan_fault(loss, tp_span_of(copy, len_bytes),
                          wire_versions[wire_random(&seed) % 4], wire_random(&seed) % 2 == 0, &err);
        free(copy);
        assert_int_equal(err.code, effect == TP_FAULT_IS_END ? 0 : TP_E_ORDER);
        assert_int_equal(err.text[0] == '\0', effect == TP_FAULT_IS_END);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_text),
        cmocka_unit_test(test_end_mark_in_older_formats),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests_name("scan_fault", tests, NULL, NULL);
}
