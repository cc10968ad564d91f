// The footprint sink: Go's table to the byte, counts against the generator's own,
// and --strict against reading the whole input flat.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "decode/event_v2.h"
#include "decode/varint.h"
#include "sink_drive.h"
#include "synth.h"

extern const struct tp_sink_def tp_sink_footprint;

#define HEADER_BYTES 16
#define TRACE_MAX_BYTES TP_MIB(8)

struct counts {
    uint64_t count[TP_EVENT_CODES];
    uint64_t bytes[TP_EVENT_CODES];
};

static struct sink_drive drive; // one for all tests: its buffers are mappings

static int set_up(void **state)
{
    (void)state;
    return sink_drive_init(&drive, &tp_sink_footprint) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    sink_drive_fini(&drive);
    return 0;
}

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    return tp_buf_put(ctx, bytes, len_bytes) ? 0 : TP_E_WRITE;
}

static struct synth_totals generate(struct tp_buf *trace, const struct synth_config *config)
{
    struct synth_totals totals;
    struct tp_error err = {0};
    assert_true(tp_buf_init(trace, TRACE_MAX_BYTES));
    int rc = synth_generate(config, collect, trace, &totals, &err);
    if (rc != 0)
        fail_msg("%s", err.text);
    return totals;
}

static int run(struct tp_span trace, bool strict, size_t unit_bytes, struct tp_error *err)
{
    drive.strict = strict;
    drive.unit_bytes = unit_bytes;
    return sink_drive_run(&drive, trace, err);
}

static void run_well(struct tp_span trace, bool strict, size_t unit_bytes)
{
    struct tp_error err = {0};
    if (run(trace, strict, unit_bytes, &err) != 0)
        fail_msg("%s", err.text);
}

// The code of a row: its name, or the number in "<unknown (N)>"; codes without a
// name cannot be told apart and count as code 0.
static unsigned code_of(const char *name, size_t len_bytes)
{
    unsigned code;
    if (sscanf(name, "<unknown (%u)>", &code) == 1)
        return code;
    for (code = 1; code < TP_EVENT_CODES && len_bytes > 0; code++) {
        const char *known = tp_event_specs[code].name;
        if (known != NULL && strlen(known) == len_bytes && memcmp(known, name, len_bytes) == 0)
            return code;
    }
    assert_int_equal(len_bytes, 0);
    return 0;
}

// Reads the table back. Rows must come by falling bytes.
static void parse(struct counts *c)
{
    *c = (struct counts){0};
    assert_true(tp_buf_put(&drive.out, "", 1));
    char *line = (char *)drive.out.ptr;
    size_t bytes_at = (size_t)(strstr(line, "Bytes") - line);
    uint64_t before = UINT64_MAX;
    unsigned line_count = 0;
    for (char *next; (next = strchr(line, '\n')) != NULL; line = next + 1) {
        *next = '\0';
        if (line_count++ < 2)
            continue;
        uint64_t bytes, count;
        assert_int_equal(sscanf(line + bytes_at, "%" SCNu64 " %*s %" SCNu64, &bytes, &count), 2);
        assert_true(bytes <= before);
        before = bytes;
        size_t name_bytes = bytes_at;
        while (name_bytes > 0 && line[name_bytes - 1] == ' ')
            name_bytes--;
        unsigned code = code_of(line, name_bytes);
        c->count[code] += count;
        c->bytes[code] += bytes;
    }
    assert_int_equal(line_count, 2 + TP_EVENT_CODES);
    assert_int_equal(*line, '\0');
}

// Go's raw reader, written down once more.
static enum tp_event_status count_flat(struct counts *c, uint32_t minor, struct tp_span bytes)
{
    const struct tp_arg_table *table = tp_arg_table(minor, TP_DIALECT_GO_RAW);
    const unsigned char *p = bytes.ptr, *const end = p + bytes.len_bytes;
    struct tp_wire_event event;
    enum tp_event_status st;
    *c = (struct counts){0};
    while ((st = tp_event_read(&p, end, table, &event)) == TP_EVENT_OK) {
        unsigned code = tp_event_specs[event.type].name != NULL ? event.type : 0;
        c->count[code]++;
        c->bytes[code] += tp_event_canonical_bytes(&event);
    }
    return st;
}

static void assert_begins_with(const char *want)
{
    assert_true(drive.out.len_bytes > strlen(want));
    assert_memory_equal(drive.out.ptr, want, strlen(want));
}

// Printed by Go 1.26 for the same bytes.
static void test_table_without_events_is_go_s(void **state)
{
    (void)state;
    run_well(tp_span_of("go 1.22 trace\0\0", HEADER_BYTES), false, 0);
    assert_begins_with("Event                Bytes  %      Count  %\n"
                       "-                    -      -      -      -\n"
                       "                     0      0.00%  0      NaN%\n"
                       "EventBatch           0      0.00%  0      NaN%\n"
                       "Stacks               0      0.00%  0      NaN%\n");
    const char tail[] = "<unknown (255)>      0      0.00%  0      NaN%\n";
    assert_memory_equal(drive.out.ptr + drive.out.len_bytes - (sizeof(tail) - 1), tail,
                        sizeof(tail) - 1);
}

// As well; the ties show Go's unstable sort.
static void test_table_with_ties_is_go_s(void **state)
{
    (void)state;
    static const char trace[] = "go 1.25 trace\0\0\0"
                                "\x27\x01\x02" "\x1c\x01\x02" "\x1e\x01\x02"
                                "\x0b\x01" "\x0b\x01" "\x0b\x01" "\x0b\x01"
                                "\x05\x01\x03" "abc" "\x11\x81\x00"
                                "\x2b\x01\x01\x01\x01" "\x2b\x01\x01\x01\x01";
    run_well(tp_span_of(trace, sizeof(trace) - 1), true, 0);
    assert_begins_with("Event                Bytes  %       Count  %\n"
                       "-                    -      -       -      -\n"
                       "UserRegionEnd        10     19.23%  2      18.18%\n"
                       "ProcStop             8      15.38%  4      36.36%\n"
                       "String               6      11.54%  1      9.09%\n"
                       "GoLabel              3      5.77%   1      9.09%\n"
                       "GCActive             3      5.77%   1      9.09%\n"
                       "GCEnd                3      5.77%   1      9.09%\n"
                       "GoDestroy            2      3.85%   1      9.09%\n"
                       "<unknown (128)>      0      0.00%   0      0.00%\n"
                       "<unknown (204)>      0      0.00%   0      0.00%\n"
                       "<unknown (131)>      0      0.00%   0      0.00%\n"
                       "CPUSamples           0      0.00%   0      0.00%\n");
}

static void test_counts_are_those_of_the_trace(void **state)
{
    (void)state;
    static const uint64_t versions[] = {22, 23, 25, 26};
    for (size_t v = 0; v < TP_ARRAY_LEN(versions); v++) {
        struct synth_config config;
        synth_config_init(&config);
        config.version = versions[v];
        config.alloc_free = versions[v] >= 23;
        config.generations = 3;
        struct tp_buf trace;
        struct synth_totals totals = generate(&trace, &config);
        struct tp_span bytes = tp_span_of(trace.ptr, trace.len_bytes);
        run_well(bytes, false, 0);
        struct counts c;
        parse(&c);
        assert_memory_equal(c.count, totals.code_counts, sizeof(c.count));
        // Events of the experiment are what Go's raw reader refuses below 26.
        struct tp_error err = {0};
        int rc = run(bytes, true, 0, &err);
        bool go_refuses = config.alloc_free && versions[v] < 26;
        assert_int_equal(rc, go_refuses ? TP_E_EVENT : 0);
        if (go_refuses) {
            assert_int_equal(drive.out.len_bytes, 0);
            assert_non_null(strstr(err.text, "invalid event type: 1"));
        }
        tp_buf_fini(&trace);
    }
}

static void test_size_of_units_changes_nothing(void **state)
{
    (void)state;
    static const size_t unit_bytes[] = {1, 5000, TP_MIB(64)};
    struct synth_config config;
    synth_config_init(&config);
    config.batch_bytes = 2000;
    config.drop_batch = 7;
    config.overwrite_at = 30000;
    config.overwrite_len = 40;
    config.overwrite_byte = 0xff;
    struct tp_buf trace;
    generate(&trace, &config);
    struct tp_span bytes = tp_span_of(trace.ptr, trace.len_bytes);
    run_well(bytes, false, 0);
    size_t len_bytes = drive.out.len_bytes;
    unsigned char *want = tp_alloc(len_bytes);
    assert_non_null(want);
    memcpy(want, drive.out.ptr, len_bytes);
    for (size_t i = 0; i < TP_ARRAY_LEN(unit_bytes); i++) {
        run_well(bytes, false, unit_bytes[i]);
        assert_int_equal(drive.out.len_bytes, len_bytes);
        assert_memory_equal(drive.out.ptr, want, len_bytes);
    }
    tp_free(want);
    tp_buf_fini(&trace);
}

static void assert_strict_is_flat(uint32_t minor, struct tp_span bytes, size_t unit_bytes)
{
    struct counts want, got;
    enum tp_event_status st = count_flat(&want, minor, tp_span_skip(bytes, HEADER_BYTES));
    struct tp_error err = {0};
    int rc = run(bytes, true, unit_bytes, &err);
    if (st != TP_EVENT_CUT) {
        assert_int_equal(rc, TP_E_EVENT);
        assert_non_null(strstr(err.text, tp_event_status_text(st)));
        assert_int_equal(drive.out.len_bytes, 0);
        return;
    }
    assert_int_equal(rc, 0);
    parse(&got);
    assert_memory_equal(&got, &want, sizeof(got));
}

// Whatever is broken, and wherever units end.
static void test_strict_equals_flat_reading_of_damage(void **state)
{
    (void)state;
    static const uint64_t versions[] = {22, 23, 25, 26};
    unsigned refused_count = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct synth_config config;
        synth_config_init(&config);
        config.seed = seed;
        config.version = versions[seed % 4];
        config.gen_events = 300;
        config.batch_bytes = 300 + seed * 20;
        uint64_t place = HEADER_BYTES + seed * 61 % 9000;
        switch (seed / 4 % 5) {
        case 0: config.flip_bit_at = 8 * place + seed % 8; break;
        case 1: config.truncate_at = place; break;
        case 2: config.insert_at = place, config.insert_len = 1 + seed % 50; break;
        case 3:
            config.overwrite_at = place, config.overwrite_len = 1 + seed % 20;
            config.overwrite_byte = seed % 3 != 0 ? seed % 60 : 0x80;
            break;
        case 4: config.dup_batch = seed % 20; break;
        }
        struct tp_buf trace;
        generate(&trace, &config);
        struct tp_span bytes = tp_span_of(trace.ptr, trace.len_bytes);
        assert_strict_is_flat((uint32_t)config.version, bytes, 1 + seed * 37 % 4000);
        refused_count += drive.out.len_bytes == 0;
        tp_buf_fini(&trace);
    }
    // Otherwise only one of the two outcomes was looked at.
    assert_in_range(refused_count, 10, 150);
}

static unsigned char *put_experiment(unsigned char *to, unsigned char number)
{
    *to++ = TP_EV_ExperimentalBatch;
    *to++ = number;
    *to++ = 1;                          // generation
    *to++ = 2;                          // M
    *to++ = 3;                          // time
    memcpy(to, "\x82\x80\x00" "xy", 5); // a length in more bytes than it needs
    return to + 5;
}

// One byte for the full reader, a varint for the raw one.
static void test_large_number_of_an_experiment(void **state)
{
    (void)state;
    unsigned char trace[HEADER_BYTES + 64] = "go 1.25 trace";
    unsigned char *end = put_experiment(trace + HEADER_BYTES, 0x7f);
    end = put_experiment(end, 0x80);
    struct tp_span bytes = tp_span_of(trace, (size_t)(end - trace));
    struct counts c;
    run_well(bytes, false, 0);
    parse(&c);
    assert_int_equal(c.count[TP_EV_ExperimentalBatch], 2);
    assert_int_equal(c.bytes[TP_EV_ExperimentalBatch], 8 + 9);
    for (size_t unit_bytes = 1; unit_bytes < 64; unit_bytes++)
        assert_strict_is_flat(25, bytes, unit_bytes);
}

static void test_no_memory_is_reported(void **state)
{
    (void)state;
    static const char trace[] = "go 1.26 trace\0\0\0\x0b\x01\x0b";
    for (uint64_t nth = 1;; nth++) {
        struct tp_error err = {0};
        tp_alloc_fail_at(nth, false);
        int rc = run(tp_span_of(trace, sizeof(trace) - 1), true, 0, &err);
        tp_alloc_fail_at(0, false);
        if (rc == 0)
            break;
        assert_int_equal(rc, TP_E_MEMORY);
        assert_in_range(nth, 1, 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_without_events_is_go_s),
        cmocka_unit_test(test_table_with_ties_is_go_s),
        cmocka_unit_test(test_counts_are_those_of_the_trace),
        cmocka_unit_test(test_size_of_units_changes_nothing),
        cmocka_unit_test(test_strict_equals_flat_reading_of_damage),
        cmocka_unit_test(test_large_number_of_an_experiment),
        cmocka_unit_test(test_no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
