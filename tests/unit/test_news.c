// The rule of --known on totals by hand, and the file between two runs. The golden cases have whole runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sink/buf_out.h"
#include "sink/news/news.h"
#include "sink/print/emit.h"

#define HOSTS 12
#define SECOND UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define PPM UINT64_C(1000000)
#define GROUP "host-.."
#define TEXT_BYTES 4096

// A run of HOSTS hosts, each with tasks of one type, and the file.
struct lab {
    struct tp_totals s;
    struct tp_buf file; // of the last run
    struct tp_buf text; // its news
    bool has_groups;
};

static uint32_t put_name(struct tp_totals *s, const char *text)
{
    uint32_t name = tp_intern_put(&s->names, tp_span_of_text(text));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

// Begins a run without findings, in which all hosts but the first `missing` ones are.
static void begin(struct lab *lab, unsigned missing)
{
    tp_totals_fini(&lab->s);
    lab->s = (struct tp_totals){0};
    for (unsigned i = missing; i < HOSTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "host-%02u/a.trace", i);
        struct tp_file_row row = {.path = put_name(&lab->s, name),
                                  .grouped_by = TP_INTERN_NONE,
                                  .judgement = TP_JUDGEMENT_JUDGED,
                                  .tops = {[TP_TOP_TASK] = {{.name = put_name(&lab->s, "checkout"),
                                                             .file = TP_INTERN_NONE,
                                                             .count = 50,
                                                             .total_ns = 100 * MS}}},
                                  .times = {[TP_TOP_TASK] = {{.p50_ns = 2 * MS, .p99_ns = 6 * MS}}},
                                  .top_counts = {[TP_TOP_TASK] = 1}};
        name[7] = '\0';
        row.host = put_name(&lab->s, name);
        row.figures[TP_FILE_DURATION] = SECOND;
        row.figures[TP_FILE_PROCS_USED] = 2 * SECOND;
        assert_true(TP_LIST_ADD(&lab->s.files, row));
    }
}

static struct tp_file_row *row_of(struct lab *lab, unsigned host)
{
    return &lab->s.files.items[lab->s.files.count - HOSTS + host];
}

static void find(struct lab *lab, unsigned host, enum tp_finding_kind kind, uint64_t ppm, const char *function)
{
    struct tp_file_row *row = row_of(lab, host);
    const struct tp_found found = {
        .path = row->path,
        .kind = kind,
        .is_first = true,
        .value_ppm = ppm,
        .culprit = {put_name(&lab->s, function), put_name(&lab->s, "shop/main.go"), 7},
        .victim = TP_SOURCE_PLACE_NONE,
        .other = TP_SOURCE_PLACE_NONE};
    row->values[kind] = row->values[kind] > ppm ? row->values[kind] : ppm;
    assert_true(TP_LIST_ADD(&lab->s.found, found));
}

// Ends the run, whose news must be these lines, without the columns.
static int end(struct lab *lab, struct tp_error *err)
{
    struct tp_news_entries entries = {0};
    struct tp_news_run run = {.has_groups = false};
    struct tp_news news = {0};
    const char *group = lab->has_groups ? GROUP : "";
    struct tp_buf_out text = {{tp_buf_out_put}, &lab->text}, next = {{tp_buf_out_put}, &lab->file};
    struct tp_emit e;
    int rc = lab->file.len_bytes == 0
                 ? 0
                 : tp_news_read(&entries, tp_span_of(lab->file.ptr, lab->file.len_bytes), group, err);
    if (rc == 0)
        rc = tp_news_find(&run, &entries, &lab->s, lab->has_groups, err);
    if (rc == 0)
        rc = tp_news_make(&news, &entries, &run, err);
    if (rc == 0) {
        tp_buf_reset(&lab->text);
        tp_buf_reset(&lab->file);
        tp_emit_init(&e, &text.out, err);
        tp_news_print(&e, &news, lab->has_groups);
        assert_int_equal(tp_emit_end(&e), 0);
        assert_int_equal(tp_news_write(&news.next, group, &next.out, err), 0);
    }
    tp_news_fini(&news);
    tp_news_run_fini(&run);
    tp_news_entries_fini(&entries);
    return rc;
}

static void expect(struct lab *lab, const char *lines)
{
    struct tp_error err;
    char joined[TEXT_BYTES];
    size_t n = 0;
    if (end(lab, &err) != 0)
        fail_msg("%s", err.text);
    // Columns are one space here.
    for (size_t i = 0; i < lab->text.len_bytes; i++) {
        if (lab->text.ptr[i] != ' ' || (n > 0 && joined[n - 1] != ' '))
            joined[n++] = (char)lab->text.ptr[i];
    }
    joined[n] = '\0';
    assert_string_equal(joined, lines);
}

static int set_up(void **state)
{
    struct lab *lab = tp_alloc_zero(sizeof *lab);
    *state = lab;
    return lab != NULL && tp_buf_init(&lab->file, TP_MIB(1)) && tp_buf_init(&lab->text, TEXT_BYTES) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct lab *lab = *state;
    tp_totals_fini(&lab->s);
    tp_buf_fini(&lab->file);
    tp_buf_fini(&lab->text);
    tp_free(lab);
    return 0;
}

// THE RULE

static void test_worse_is_by_half_and_by_the_least_effect(void **state)
{
    (void)state;
    const enum tp_host_measure lock = (enum tp_host_measure)TP_FINDS_LOCK; // 35,000
    assert_true(tp_news_is_worse(lock, false, 105000, 70000));
    assert_false(tp_news_is_worse(lock, false, 104999, 70000));
    assert_true(tp_news_is_worse(lock, false, 75000, 40000));
    assert_false(tp_news_is_worse(lock, false, 74999, 40000));
    assert_false(tp_news_is_worse(lock, false, 40000, 75000));
    assert_true(tp_news_is_worse(lock, false, TP_NEWS_VALUE_MAX, TP_NEWS_VALUE_MAX / 3 * 2));
    // Of values that are too small, 500 thousandths of Ps.
    assert_true(tp_news_is_worse(TP_HOST_PS_USED, true, 1000, 1500));
    assert_false(tp_news_is_worse(TP_HOST_PS_USED, true, 1001, 1500));
    assert_false(tp_news_is_worse(TP_HOST_PS_USED, true, 3000, 1500));
}

static void test_gone_is_below_two_thirds(void **state)
{
    (void)state;
    assert_true(tp_news_is_gone(0, 1));
    assert_true(tp_news_is_gone(1999, 3000));
    assert_false(tp_news_is_gone(2000, 3000));
    assert_false(tp_news_is_gone(UINT64_MAX, UINT64_MAX));
}

// FINDINGS

static void test_slow_growth_speaks_again_and_noise_does_not(void **state)
{
    struct lab *lab = *state;
    static const struct {
        uint64_t ppm;
        const char *lines;
    } nights[] = {
        {100000, "new LOCK 0.100 waiting (threshold 0.035) held by main.hold (main.go:7)\n"},
        {120000, ""},
        {90000, ""},
        {149999, ""},
        {151000, "worse LOCK 0.151 waiting, was 0.100 held by main.hold (main.go:7)\n"},
        {60000, ""},
        {170000, ""},
        {36000, ""},
        {227000, "worse LOCK 0.227 waiting, was 0.151 held by main.hold (main.go:7)\n"},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(nights); i++) {
        begin(lab, 0);
        find(lab, 3, TP_FINDS_LOCK, nights[i].ppm, "main.hold");
        expect(lab, nights[i].lines);
    }
}

static void test_what_is_near_its_threshold_stays_known(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0);
    find(lab, 3, TP_FINDS_LOCK, 100000, "main.hold");
    expect(lab, "new LOCK 0.100 waiting (threshold 0.035) held by main.hold (main.go:7)\n");
    // Near the threshold, and above it where another finding explains it.
    for (uint64_t ppm = 24000; ppm <= 44000; ppm += 20000) {
        begin(lab, 0);
        row_of(lab, 5)->values[TP_FINDS_LOCK] = ppm;
        expect(lab, "");
    }
    // Not judged anywhere.
    begin(lab, 0);
    for (unsigned i = 0; i < HOSTS; i++)
        row_of(lab, i)->values[TP_FINDS_LOCK] = TP_VALUE_NONE;
    expect(lab, "");
    begin(lab, 0);
    row_of(lab, 5)->values[TP_FINDS_LOCK] = 23000;
    expect(lab, "gone LOCK was 0.100 waiting held by main.hold (main.go)\n");
    begin(lab, 0);
    expect(lab, "");
}

// The value of another culprit is not that of the one which is gone.
static void test_another_culprit_is_new(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0);
    find(lab, 3, TP_FINDS_LOCK, 100000, "main.hold");
    expect(lab, "new LOCK 0.100 waiting (threshold 0.035) held by main.hold (main.go:7)\n");
    begin(lab, 0);
    find(lab, 4, TP_FINDS_LOCK, 100000, "main.keep");
    expect(lab, "new LOCK 0.100 waiting (threshold 0.035) held by main.keep (main.go:7)\n"
                "gone LOCK was 0.100 waiting held by main.hold (main.go)\n");
}

// HOSTS

static void slow(struct lab *lab, unsigned host, uint64_t p50_ns)
{
    row_of(lab, host)->times[TP_TOP_TASK][0].p50_ns = p50_ns;
}

static void test_a_slow_host_appears_grows_and_goes(void **state)
{
    struct lab *lab = *state;
    static const struct {
        uint64_t p50_ns;
        const char *lines;
    } nights[] = {
        {2 * MS, ""},
        {4 * MS, "new host-03 SLOW checkout p50 4.00 ms (fleet 2.00 ms)\n"},
        {3 * MS, ""},
        {5 * MS, ""},
        // The least distance is 1 ms, and two thirds of it are near.
        {2 * MS + 700000, ""},
        {5 * MS, ""},
        {6 * MS, "worse host-03 SLOW checkout p50 6.00 ms, was 4.00 ms\n"},
        {2 * MS + 600000, "gone host-03 SLOW checkout p50 2.60 ms, was 6.00 ms\n"},
        {2 * MS + 700000, ""},
    };
    lab->has_groups = true;
    for (size_t i = 0; i < TP_ARRAY_LEN(nights); i++) {
        begin(lab, 0);
        slow(lab, 3, nights[i].p50_ns);
        expect(lab, nights[i].lines);
    }
}

static void test_a_host_without_a_trace_is_not_gone(void **state)
{
    struct lab *lab = *state;
    static const char appears[] = "new host-01 LOCK 0.100 waiting (threshold 0.035) held by main.hold (main.go:7)\n"
                                  "new host-01 SLOW checkout p50 20.0 ms (fleet 2.00 ms)\n";
    lab->has_groups = true;
    begin(lab, 0);
    find(lab, 1, TP_FINDS_LOCK, 100000, "main.hold");
    slow(lab, 1, 20 * MS);
    expect(lab, appears);
    begin(lab, 2);
    expect(lab, "not seen host-01\n");
    begin(lab, 2);
    expect(lab, "");
    // So few hosts are not compared with each other.
    begin(lab, 3);
    expect(lab, "");
    begin(lab, 0);
    find(lab, 1, TP_FINDS_LOCK, 110000, "main.hold");
    slow(lab, 1, 21 * MS);
    expect(lab, "");
    begin(lab, 2);
    expect(lab, "not seen host-01\n");
    // A trace that was not analysed is none.
    begin(lab, 0);
    row_of(lab, 1)->judgement = TP_JUDGEMENT_SHORT;
    expect(lab, "");
    begin(lab, 0);
    expect(lab, "gone host-01 LOCK was 0.100 waiting held by main.hold (main.go)\n"
                "gone host-01 SLOW checkout p50 2.00 ms, was 20.0 ms\n");
}

// A measure that is less severe than the finding of its host is taken for its effect, until the finding goes.
static void test_effects_of_a_finding_are_silent(void **state)
{
    struct lab *lab = *state;
    lab->has_groups = true;
    begin(lab, 0);
    find(lab, 1, TP_FINDS_LOCK, 350000, "main.hold"); // 10 times the least effect
    slow(lab, 1, 11 * MS);                            // 9 times
    expect(lab, "new host-01 LOCK 0.350 waiting (threshold 0.035) held by main.hold (main.go:7)\n");
    begin(lab, 0);
    find(lab, 1, TP_FINDS_LOCK, 350000, "main.hold");
    slow(lab, 1, 13 * MS);
    expect(lab, "new host-01 SLOW checkout p50 13.0 ms (fleet 2.00 ms)\n");
    begin(lab, 0);
    find(lab, 1, TP_FINDS_LOCK, 350000, "main.hold");
    slow(lab, 1, 11 * MS);
    expect(lab, "");
    begin(lab, 0);
    slow(lab, 1, 11 * MS);
    expect(lab, "gone host-01 LOCK was 0.350 waiting held by main.hold (main.go)\n");
}

static void test_too_small_and_then_too_great(void **state)
{
    struct lab *lab = *state;
    lab->has_groups = true;
    begin(lab, 0);
    row_of(lab, 4)->figures[TP_FILE_PROCS_USED] = SECOND / 4;
    expect(lab, "new host-04 BUSY 0.25 Ps in use (fleet 2.00)\n");
    begin(lab, 0);
    row_of(lab, 4)->figures[TP_FILE_PROCS_USED] = SECOND * 9;
    expect(lab, "new host-04 BUSY 9.00 Ps in use (fleet 2.00)\n"
                "gone host-04 BUSY 9.00 Ps in use, was 0.25\n");
    begin(lab, 0);
    row_of(lab, 4)->figures[TP_FILE_PROCS_USED] = SECOND * 15;
    expect(lab, "worse host-04 BUSY 15.0 Ps in use, was 9.00\n");
}

// A finding of several hosts has a line of its own.
static void test_a_finding_of_the_fleet(void **state)
{
    struct lab *lab = *state;
    lab->has_groups = true;
    begin(lab, 0);
    for (unsigned i = 0; i < HOSTS; i++)
        find(lab, i, TP_FINDS_LEAK, (20 + i) * PPM, "main.leak");
    expect(lab, "new fleet LEAK 31.0 goroutines/s (threshold 8.00) blocked in main.leak (main.go:7)\n");
    begin(lab, 0);
    for (unsigned i = 0; i < HOSTS - 1; i++)
        find(lab, i, TP_FINDS_LEAK, 20 * PPM, "main.leak");
    expect(lab, "");
}

// THE FILE

// Among hosts that are compared a slow tail is news if more than half of the traces have it.
static void test_slow_tails_of_few_hosts(void **state)
{
    struct lab *lab = *state;
    for (unsigned has_groups = 0; has_groups < 2; has_groups++) {
        lab->has_groups = has_groups;
        tp_buf_reset(&lab->file);
        for (unsigned count = HOSTS / 2; count <= HOSTS / 2 + 1; count++) {
            begin(lab, 0);
            for (unsigned i = 0; i < count; i++)
                find(lab, i, TP_FINDS_SLOW_TASK, 6 * PPM, "main.slow");
            const char *line = has_groups ? "new fleet SLOW TAIL 6.00 times the median (threshold 5.00) in "
                                            "main.slow (main.go:7)\n"
                                          : "new SLOW TAIL 6.00 times the median (threshold 5.00) in "
                                            "main.slow (main.go:7)\n";
            expect(lab, count > HOSTS / 2 ? line : "");
        }
        // Fewer have it again: it is neither news nor gone.
        begin(lab, 0);
        find(lab, 3, TP_FINDS_SLOW_TASK, 6 * PPM, "main.slow");
        expect(lab, "");
    }
}

static void test_names_with_any_bytes_come_back(void **state)
{
    struct lab *lab = *state;
    static const char odd[] = "main.\xff\"\\\n\xe2\x82\xac[...]";
    begin(lab, 0);
    find(lab, 3, TP_FINDS_LOCK, 100000, odd);
    find(lab, 4, TP_FINDS_GC, UINT64_MAX - 1, "");
    struct tp_error err;
    assert_int_equal(end(lab, &err), 0);
    assert_true(lab->text.len_bytes > 0);
    expect(lab, "");
}

// Texts end at a NUL, which the file cannot have; what is then one key is one entry.
static void test_names_with_a_nul(void **state)
{
    struct lab *lab = *state;
    begin(lab, 0);
    find(lab, 3, TP_FINDS_LOCK, 100000, "main.a");
    find(lab, 4, TP_FINDS_LOCK, 200000, "main.b");
    uint32_t name = tp_intern_put(&lab->s.names, tp_span_of("main.a\0b", 8));
    assert_int_not_equal(name, TP_INTERN_NONE);
    lab->s.found.items[1].culprit.function = name;
    expect(lab, "new LOCK 0.200 waiting (threshold 0.035) held by main.a (main.go:7)\n");
    expect(lab, "");
}

static void test_a_lack_of_memory_is_no_damage(void **state)
{
    struct lab *lab = *state;
    struct tp_error err;
    lab->has_groups = true;
    begin(lab, 0);
    find(lab, 1, TP_FINDS_LOCK, 100000, "main.hold");
    slow(lab, 2, 20 * MS);
    assert_int_equal(end(lab, &err), 0);
    int rc = TP_E_MEMORY;
    for (uint64_t nth = 1; rc != 0; nth++) {
        tp_alloc_fail_at(nth, false);
        rc = end(lab, &err);
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || rc == TP_E_MEMORY);
        assert_true(nth < 1000);
    }
    expect(lab, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worse_is_by_half_and_by_the_least_effect),
        cmocka_unit_test(test_gone_is_below_two_thirds),
        TEST(test_slow_growth_speaks_again_and_noise_does_not),
        TEST(test_what_is_near_its_threshold_stays_known),
        TEST(test_another_culprit_is_new),
        TEST(test_a_slow_host_appears_grows_and_goes),
        TEST(test_a_host_without_a_trace_is_not_gone),
        TEST(test_effects_of_a_finding_are_silent),
        TEST(test_too_small_and_then_too_great),
        TEST(test_a_finding_of_the_fleet),
        TEST(test_slow_tails_of_few_hosts),
        TEST(test_names_with_any_bytes_come_back),
        TEST(test_names_with_a_nul),
        TEST(test_a_lack_of_memory_is_no_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
