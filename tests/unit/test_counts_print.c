// The outputs of `stats:level=counts`: what is printed of traces that tell little, odd names,
// and errors of the output.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sink/counts/print.h"

// Keeps what is written; refuses once `fail_after` writes were done.
struct capture {
    struct tp_out out;
    char text[1 << 20];
    size_t len_bytes;
    unsigned write_count;
    unsigned fail_after;
};

static int capture_write(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct capture *c = (struct capture *)out;
    if (c->write_count == c->fail_after)
        return tp_fail(err, TP_E_WRITE, "disk full");
    c->write_count++;
    assert_true(bytes.len_bytes < sizeof c->text - c->len_bytes);
    memcpy(c->text + c->len_bytes, bytes.ptr, bytes.len_bytes);
    c->len_bytes += bytes.len_bytes;
    c->text[c->len_bytes] = '\0';
    return 0;
}

static struct capture capture;

static void begin_capture(void)
{
    capture.out.write = capture_write;
    capture.len_bytes = 0;
    capture.text[0] = '\0';
    capture.write_count = 0;
    capture.fail_after = UINT32_MAX;
}

// An input to print.
struct file {
    const char *path;
    uint32_t minor;
    bool is_text_form;
    const struct tp_inventory *stats;
    struct tp_inventory_range range;
    const struct tp_input_report *report;
};

static int print_file(const struct tp_sink_call *call, const struct file *f)
{
    static struct tp_inventory_input found;
    struct tp_error err;
    const struct tp_input_info input = {
        .path = f->path, .format.minor = f->minor, .is_text_form = f->is_text_form};
    found = (struct tp_inventory_input){
        .format = input.format, .all = *f->stats, .range = f->range};
    return tp_inventory_print(call, &input, f->report, &found, &err);
}

// Everything the printer says about `files`, and their total.
// Refused inputs come last.
static const char *print(const struct tp_inventory_printer *p, const struct file *files,
                         size_t file_count, uint64_t refused_count)
{
    static const struct tp_error why = {.code = TP_E_NOT_TRACE, .text = "a \"letter\""};
    static const struct tp_error wordless = {.code = TP_E_OPEN};
    const struct tp_input_info refused = {.path = "a\tb"};
    const struct tp_run_figures figures = {0};
    struct tp_inventory_run run = {.printer = p};
    const struct tp_sink_call call = {.run_state = &run, .out = &capture.out};
    struct tp_error err;
    begin_capture();
    assert_int_equal(tp_inventory_begin(&call, &err), 0);
    for (size_t i = 0; i < file_count; i++)
        assert_int_equal(print_file(&call, &files[i]), 0);
    for (size_t i = 0; i < refused_count; i++)
        assert_int_equal(tp_inventory_refuse(&call, &refused, i == 0 ? &why : &wordless, &err), 0);
    assert_int_equal(tp_inventory_end(&call, &figures, &err), 0);
    return capture.text;
}

static const struct tp_input_report no_damage;

// A header and nothing behind it.
static const struct tp_inventory bare_stats = {.stored_bytes = 16,
                                           .stream_bytes = 16,
                                           .complete_count = 1,
                                           .version_counts = {[TP_VERSION_22] = 1}};
static const struct file bare = {
    .path = "bare.trace", .minor = 22, .stats = &bare_stats, .report = &no_damage};

static struct tp_inventory full_stats(void)
{
    struct tp_inventory s = {.stored_bytes = 1234,
                         .stream_bytes = 123456,
                         .lost_bytes = 1000,
                         .damage_count = 18,
                         .undecoded_bytes = 1,
                         .undecoded_batch_count = 1,
                         .generation_count = 2,
                         .batch_count = 7,
                         .m_count = 3,
                         .p_count = 4,
                         .goroutine_count = 5,
                         .duration_ns = 2000000001,
                         .timed_file_count = 1,
                         .rated_event_count = 1000,
                         .damaged_count = 1,
                         .version_counts = {[TP_VERSION_26] = 1}};
    tp_inventory_range_add(&s.wall_start, 1700000000000000005);
    s.tally.count[TP_EV_GoStart] = 990;
    s.tally.bytes[TP_EV_GoStart] = 3000;
    s.tally.count[TP_EV_GoStop] = 10;
    s.tally.bytes[TP_EV_GoStop] = 40;
    s.tally.count[TP_EV_String] = 2;
    s.tally.bytes[TP_EV_String] = 40;
    return s;
}

static struct tp_input_report full_report(void)
{
    struct tp_input_report r = {.damage_count = 18};
    for (uint64_t i = 0; i < TP_DAMAGE_KEPT; i++)
        r.damage[i] = (struct tp_damage){TP_LOSS_BATCH_HEADER, 5000 + i, i % 2, 1};
    tp_fail(&r.error, TP_E_READ, "input/output error");
    return r;
}

static struct file full_file(const char *path, const struct tp_inventory *stats,
                                      const struct tp_input_report *report)
{
    return (struct file){.path = path,
                                  .minor = 26,
                                  .is_text_form = true,
                                  .stats = stats,
                                  .range = {true, 100, 2000000101},
                                  .report = report};
}

static void test_text_of_a_bare_header(void **state)
{
    (void)state;
    assert_string_equal(
        print(&tp_counts_print_text, &bare, 1, 0),
        "bare.trace\n"
        "  Go 1.22, duration unknown\n"
        "  bytes                        16    events                        0\n"
        "  generations                   0    timed                         0\n"
        "  batches                       0    timed/s                 unknown\n"
        "  goroutines                    0    strings                       0\n"
        "  Ms                            0    stacks                        0\n"
        "  Ps                            0    CPU samples                   0\n");
}

static void test_text_of_nothing_but_refusals(void **state)
{
    (void)state;
    assert_string_equal(print(&tp_counts_print_text, NULL, 0, 1),
                        "\"a\\tb\"\n  refused: a \"letter\"\n\n"
                        "total of 1 input: 0 complete, 0 damaged, 1 refused\n");
    assert_string_equal(print(&tp_counts_print_text, NULL, 0, 2),
                        "\"a\\tb\"\n  refused: a \"letter\"\n\n"
                        "\"a\\tb\"\n  refused: input cannot be opened\n\n"
                        "total of 2 inputs: 0 complete, 0 damaged, 2 refused\n");
    assert_string_equal(print(&tp_counts_print_text, NULL, 0, 0),
                        "total of 0 inputs: 0 complete, 0 damaged, 0 refused\n");
}

// Words of errors may have parts of what was read in them.
static void test_text_of_words_that_a_terminal_obeys(void **state)
{
    struct tp_input_report report = {0};
    struct file file = bare;
    struct tp_emit e;
    (void)state;
    tp_fail(&report.error, TP_E_READ, "found \033[2J\xc2\x9b");
    begin_capture();
    tp_emit_init(&e, &capture.out, NULL);
    tp_counts_print_text.refused(&e, NULL, "a", &report.error);
    assert_int_equal(tp_emit_end(&e), 0);
    assert_string_equal(capture.text, "a\n  refused: \"found \\x1b[2J\\u009b\"\n");
    file.report = &report;
    assert_non_null(strstr(print(&tp_counts_print_text, &file, 1, 0),
                           "  reading ended early: \"found \\x1b[2J\\u009b\"\n"));
}

static void test_text_of_a_damaged_input(void **state)
{
    struct tp_inventory stats = full_stats();
    struct tp_input_report report = full_report();
    struct file file = full_file("a.txt", &stats, &report);
    (void)state;
    const char *text = print(&tp_counts_print_text, &file, 1, 0);
    static const char *const parts[] = {
        "a.txt\n  Go 1.26/1.27 as text, 2.000000001 s from 2023-11-14T22:13:20.000000005Z\n"
        "  bytes                   123,456    events                    1,002\n",
        "timed/s                     499\n",
        "  stored bytes              1,234\n"
        "  undecodable: 1 byte in 1 batch\n"
        "  damaged in 18 places, 1,000 bytes lost\n"
        "    at 5,000: batch header cannot be read\n"
        "    at 5,001: batch header cannot be read (1 byte)\n",
        "    at 5,015: batch header cannot be read (1 byte)\n"
        "    and 2 more\n"
        "  reading ended early: input/output error\n"
        "\n"
        "  events by type                    count              bytes   share\n"
        "  GoStart                             990              3,000   97.4%\n"
        // Equal bytes: by code.
        "  String                                2                 40    1.3%\n"
        "  GoStop                               10                 40    1.3%\n"
        "  all                               1,002              3,080  100.0%\n",
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(parts); i++) {
        if (strstr(text, parts[i]) == NULL)
            fail_msg("part %zu is missing in:\n%s", i, text);
    }
    assert_null(strstr(text, "total of"));
}

static void test_text_has_a_total_of_several(void **state)
{
    struct tp_inventory stats = full_stats();
    struct file files[] = {bare, full_file("b", &stats, &no_damage)};
    (void)state;
    const char *text = print(&tp_counts_print_text, files, 2, 3);
    static const char total[] =
        "\ntotal of 5 inputs: 1 complete, 1 damaged, 3 refused\n"
        "  1 Go 1.22, 1 Go 1.26/1.27\n"
        "  2.000000001 s in all (known for 1 input), started from "
        "2023-11-14T22:13:20.000000005Z\n"
        "  to 2023-11-14T22:13:20.000000005Z\n"
        "  bytes                   123,472    events                    1,002\n";
    assert_non_null(strstr(text, total));
    assert_non_null(strstr(text, "CPU samples                   0\n\nb\n"));
    assert_non_null(strstr(print(&tp_counts_print_text, &bare, 1, 1), "\ntotal of 2 inputs"));
}

static void test_json_of_a_bare_header(void **state)
{
    static const char figures[] =
        "\"stored_bytes\":16,\"stream_bytes\":16,\"lost_bytes\":0,\"damage_count\":0,"
        "\"undecoded_bytes\":0,\"undecoded_batch_count\":0,\"generation_count\":0,\"batch_count\":0,"
        "\"thread_count\":0,\"proc_count\":0,\"goroutine_count\":0,\"events\":0,\"timed_events\":0,"
        "\"event_bytes\":0,\"string_count\":0,\"stack_count\":0,\"cpu_samples\":0,";
    char expected[4096] =
        "{\"schema\":\"tracepipe.stats/4\",\"traces\":[\n"
        "{\"trace\":\"bare.trace\",\"status\":\"complete\",\"complete\":true,"
        "\"version\":\"Go 1.22\",\"go_minor\":22,";
    (void)state;
    strcat(expected, figures);
    strcat(expected, "\"begin_ns\":null,\"end_ns\":null,\"duration_ns\":null,"
                     "\"wall_start_ns\":null,\"wall_start\":null,"
                     "\"timed_events_per_second\":null,\"damage\":[],\"error\":null,"
                     "\"events_by_type\":[]},\n"
                     "{\"trace\":\"a\\tb\",\"status\":\"refused\",\"complete\":false,"
                     "\"error\":{\"code\":-12,\"text\":\"a \\\"letter\\\"\"}},\n"
                     "{\"trace\":\"a\\tb\",\"status\":\"refused\",\"complete\":false,"
                     "\"error\":{\"code\":-10,\"text\":\"input cannot be opened\"}}\n"
                     "],\"total\":{\"trace_count\":1,\"complete_count\":1,"
                     "\"damaged_count\":0,\"refused_count\":2,"
                     "\"versions\":[{\"version\":\"Go 1.22\",\"count\":1},"
                     "{\"version\":\"Go 1.23/1.24\",\"count\":0},"
                     "{\"version\":\"Go 1.25\",\"count\":0},"
                     "{\"version\":\"Go 1.26/1.27\",\"count\":0}],");
    strcat(expected, figures);
    strcat(expected, "\"duration_ns\":0,\"traces_with_duration\":0,"
                     "\"timed_events_with_duration\":0,"
                     "\"wall_start_first_ns\":null,\"wall_start_first\":null,"
                     "\"wall_start_last_ns\":null,\"wall_start_last\":null,"
                     "\"timed_events_per_second\":null,\"events_by_type\":[]}}\n");
    assert_string_equal(print(&tp_counts_print_json, &bare, 1, 2), expected);
}

static void test_json_of_a_damaged_input(void **state)
{
    struct tp_inventory stats = full_stats();
    struct tp_input_report report = full_report();
    struct file file = full_file("a", &stats, &report);
    (void)state;
    report.damage_count = 1;
    const char *text = print(&tp_counts_print_json, &file, 1, 0);
    static const char *const parts[] = {
        "\"complete\":false,",
        "\"begin_ns\":100,\"end_ns\":2000000101,\"duration_ns\":2000000001,"
        "\"wall_start_ns\":1700000000000000005,"
        "\"wall_start\":\"2023-11-14T22:13:20.000000005Z\",\"timed_events_per_second\":499,"
        "\"damage\":[{\"kind\":\"batch_header\",\"offset\":5000,\"lost_bytes\":0,"
        "\"generation\":1}],\"error\":{\"code\":-11,\"text\":\"input/output error\"},"
        "\"events_by_type\":[{\"type\":\"String\",\"count\":2,\"bytes\":40},"
        "{\"type\":\"GoStart\",\"count\":990,\"bytes\":3000},"
        "{\"type\":\"GoStop\",\"count\":10,\"bytes\":40}]}\n",
        "\"wall_start_last_ns\":1700000000000000005,",
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(parts); i++) {
        if (strstr(text, parts[i]) == NULL)
            fail_msg("part %zu is missing in:\n%s", i, text);
    }
}

// Of one name: one row. Codes are not the same.
static void test_types_of_old_and_new_formats_are_told_by_name(void **state)
{
    struct tp_inventory stats = full_stats(), old_stats = bare_stats;
    struct file files[] = {bare, full_file("b", &stats, &no_damage)};
    (void)state;
    old_stats.version_counts[TP_VERSION_22] = 0;
    old_stats.version_counts[TP_VERSION_0] = 1;
    old_stats.tally.count[TP_TALLY_V1 + TP_V1_GoStart] = 5;
    old_stats.tally.bytes[TP_TALLY_V1 + TP_V1_GoStart] = 20;
    old_stats.tally.count[TP_TALLY_V1 + TP_V1_Batch] = 1;
    old_stats.tally.bytes[TP_TALLY_V1 + TP_V1_Batch] = 9;
    files[0].stats = &old_stats;
    files[0].minor = 0;
    const char *json = print(&tp_counts_print_json, files, 2, 0);
    assert_non_null(strstr(json, "\"version\":\"before Go 1.5\",\"go_minor\":0,"));
    assert_non_null(strstr(json, "\"events_by_type\":[{\"type\":\"Batch\",\"count\":1,\"bytes\":9},"
                                 "{\"type\":\"GoStart\",\"count\":5,\"bytes\":20}]}"));
    assert_non_null(strstr(json, "\"versions\":[{\"version\":\"before Go 1.5\",\"count\":1},"
                                 "{\"version\":\"Go 1.22\",\"count\":0},"));
    assert_non_null(strstr(json, "{\"type\":\"GoStart\",\"count\":995,\"bytes\":3020},"
                                 "{\"type\":\"GoStop\",\"count\":10,\"bytes\":40},"
                                 "{\"type\":\"Batch\",\"count\":1,\"bytes\":9}]}}"));
    const char *csv = print(&tp_counts_print_csv, files, 2, 0);
    assert_non_null(strstr(csv, "\n,versions,before Go 1.5,1\n,versions,Go 1.22,0\n"));
    assert_non_null(strstr(csv, "\n,event_count,GoStart,995\n"));
    const char *text = print(&tp_counts_print_text, files, 2, 0);
    assert_non_null(strstr(text, "\n  1 before Go 1.5, 1 Go 1.26/1.27\n"));
    static const char rows[] =
        "  GoStop                               10                 40    1.3%\n"
        "  Batch                                 1                  9    0.3%\n"
        "  all                               1,008              3,109  100.0%\n";
    assert_non_null(strstr(text, rows));
}

static void test_names_are_data(void **state)
{
    struct file file = bare;
    (void)state;
    file.path = "a \"b\\c\",\td\xff\n\xc3\xa9";
    assert_non_null(strstr(print(&tp_counts_print_json, &file, 1, 0),
                           "{\"trace\":\"a \\\"b\\\\c\\\",\\td\\udcff\\n\xc3\xa9\","));
    assert_non_null(strstr(print(&tp_counts_print_csv, &file, 1, 0),
                           "\n\"a \"\"b\\c\"\",\td\xff\n\xc3\xa9\",go_minor,,22\n"));
    assert_int_equal(strncmp(print(&tp_counts_print_text, &file, 1, 0),
                             "\"a \\\"b\\\\c\\\",\\td\\xff\\n\xc3\xa9\"\n", 25),
                     0);
    file.path = "traces/\xc3\xa9 1.trace";
    assert_non_null(strstr(print(&tp_counts_print_csv, &file, 1, 0), "\ntraces/\xc3\xa9 1.trace,"));
    assert_int_equal(
        strncmp(print(&tp_counts_print_text, &file, 1, 0), "traces/\xc3\xa9 1.trace\n", 18), 0);
}

static void test_long_names_are_whole(void **state)
{
    // Longer than any buffer inside, and with runes across all borders.
    enum { RUNE_COUNT = 5000 };
    static char path[3 * RUNE_COUNT + 2] = "x";
    struct file file = bare;
    static const struct tp_inventory_printer *const printers[] = {
        &tp_counts_print_text, &tp_counts_print_json, &tp_counts_print_csv};
    (void)state;
    for (size_t i = 0; i < RUNE_COUNT; i++)
        memcpy(path + 1 + 3 * i, "\xe2\x82\xac", 3);
    file.path = path;
    for (size_t i = 0; i < TP_ARRAY_LEN(printers); i++)
        assert_non_null(strstr(print(printers[i], &file, 1, 0), path));
    // The same with a name that has to be quoted.
    path[sizeof path - 2] = '\n';
    path[sizeof path - 3] = path[sizeof path - 4] = 'y';
    const char *text = print(&tp_counts_print_text, &file, 1, 0);
    assert_int_equal(text[0], '"');
    assert_int_equal(strncmp(text + 1, path, sizeof path - 2), 0);
    assert_int_equal(strncmp(text + sizeof path - 1, "\\n\"\n", 4), 0);
}

static void test_csv_of_a_bare_header(void **state)
{
    (void)state;
    const char *text = print(&tp_counts_print_csv, &bare, 1, 2);
    static const char head[] = "trace,metric,key,value\n"
                               "bare.trace,version,,Go 1.22\n"
                               "bare.trace,go_minor,,22\n"
                               "bare.trace,status,,complete\n"
                               "bare.trace,complete,,yes\n"
                               "bare.trace,stored_bytes,,16\n";
    assert_int_equal(strncmp(text, head, strlen(head)), 0);
    // What is not known has no row.
    assert_null(strstr(text, "wall"));
    assert_null(strstr(text, "bare.trace,duration_ns"));
    assert_null(strstr(text, "per_second"));
    assert_non_null(strstr(text, "\na\tb,status,,refused\na\tb,complete,,no\n"
                                 "a\tb,error,,\"a \"\"letter\"\"\"\n"
                                 "a\tb,status,,refused\na\tb,complete,,no\n"
                                 "a\tb,error,,input cannot be opened\n"
                                 ",trace_count,,1\n"));
    assert_non_null(strstr(text, "\n,trace_count,,1\n,complete_count,,1\n,damaged_count,,0\n"
                                 ",refused_count,,2\n"
                                 ",versions,Go 1.22,1\n"));
}

static void test_csv_of_a_damaged_input(void **state)
{
    struct tp_inventory stats = full_stats();
    struct tp_input_report report = full_report();
    struct file file = full_file("a", &stats, &report);
    (void)state;
    const char *text = print(&tp_counts_print_csv, &file, 1, 0);
    static const char *const rows[] = {
        "\na,complete,,no\n",
        "\na,begin_ns,,100\na,end_ns,,2000000101\na,duration_ns,,2000000001\n"
        "a,wall_start_ns,,1700000000000000005\na,wall_start,,2023-11-14T22:13:20.000000005Z\n"
        "a,timed_events_per_second,,499\na,damage,batch_header@5000,0\n"
        "a,damage,batch_header@5001,1\n",
        "\na,error,,input/output error\na,event_count,String,2\na,event_bytes,String,40\n",
        "\n,event_count,GoStart,990\n",
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        if (strstr(text, rows[i]) == NULL)
            fail_msg("rows %zu are missing in:\n%s", i, text);
    }
}

static void test_times_of_all_64_bits(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000000Z"},
        {-1, "1969-12-31T23:59:59.999999999Z"},
        {951827696000000789, "2000-02-29T12:34:56.000000789Z"},
        {INT64_MAX, "2262-04-11T23:47:16.854775807Z"},
        {INT64_MIN, "1677-09-21T00:12:43.145224192Z"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_inventory stats = {
            .complete_count = 1, .wall_start = {true, cases[i].ns, cases[i].ns}};
        struct file file = bare;
        char part[64];
        file.stats = &stats;
        snprintf(part, sizeof part, "duration unknown from %s\n", cases[i].text);
        assert_non_null(strstr(print(&tp_counts_print_text, &file, 1, 0), part));
        snprintf(part, sizeof part, "\"wall_start\":\"%s\",", cases[i].text);
        assert_non_null(strstr(print(&tp_counts_print_json, &file, 1, 0), part));
    }
}

static void test_first_error_of_the_output_stays(void **state)
{
    static char long_text[20000];
    (void)state;
    memset(long_text, 'x', sizeof long_text - 1);
    for (unsigned fail_after = 0; fail_after < 4; fail_after++) {
        struct tp_error err = {0};
        struct tp_emit e;
        begin_capture();
    tp_emit_init(&e, &capture.out, NULL);
        e.err = &err;
        capture.fail_after = fail_after;
        tp_emit_text(&e, long_text);
        capture.fail_after = UINT32_MAX; // would work again, but a piece is missing
        tp_emit_text(&e, long_text);
        assert_int_equal(tp_emit_end(&e), TP_E_WRITE);
        assert_int_equal(err.code, TP_E_WRITE);
        assert_string_equal(err.text, "disk full");
        assert_int_equal(capture.write_count, fail_after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of_a_bare_header),
        cmocka_unit_test(test_text_of_nothing_but_refusals),
        cmocka_unit_test(test_text_of_words_that_a_terminal_obeys),
        cmocka_unit_test(test_text_of_a_damaged_input),
        cmocka_unit_test(test_text_has_a_total_of_several),
        cmocka_unit_test(test_json_of_a_bare_header),
        cmocka_unit_test(test_json_of_a_damaged_input),
        cmocka_unit_test(test_types_of_old_and_new_formats_are_told_by_name),
        cmocka_unit_test(test_names_are_data),
        cmocka_unit_test(test_long_names_are_whole),
        cmocka_unit_test(test_csv_of_a_bare_header),
        cmocka_unit_test(test_csv_of_a_damaged_input),
        cmocka_unit_test(test_times_of_all_64_bits),
        cmocka_unit_test(test_first_error_of_the_output_stays),
    };
    // Times must not depend on where the user lives.
    setenv("TZ", "America/St_Johns", 1);
    return cmocka_run_group_tests_name("counts_print", tests, NULL, NULL);
}
