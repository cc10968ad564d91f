// Which sink writes where: names, shapes, clashes, and what exists.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/outputs_plan.h"
#include "scratch.h"
#include "sink/stats/level.h"

static struct tp_run run;
static struct tp_run_outputs outputs; // of the run
static struct tp_input inputs[4];
static struct tp_error err;

// Starts anew: no sink, no input.
static void fresh(void)
{
    memset(&run, 0, sizeof run);
    outputs = (struct tp_run_outputs){0};
    memset(inputs, 0, sizeof inputs);
    run.outputs = &outputs;
    run.inputs = (struct tp_input_list){.items = inputs, .capacity = TP_ARRAY_LEN(inputs)};
}

static void add_input(const char *path, const char *below)
{
    inputs[run.inputs.count++] =
        (struct tp_input){.path = (char *)path, .below = below, .is_stdin = path[0] == '-'};
    run.needs.folders = run.inputs.count > 1;
}

static void add_sink(const char *name, const char *output)
{
    struct tp_run_sink *s = &run.sinks[run.sink_count++];
    static const unsigned char config[1024]; // no options; larger than any
    s->def = tp_sink_find(name, strlen(name));
    assert_non_null(s->def);
    assert_true(s->def->config_bytes <= sizeof config);
    s->def->plan(config, &s->plan);
    s->output = (char *)output;
}

static int check_outputs(void)
{
    int rc = tp_outputs_plan(&run, &err);
    if (rc == 0)
        rc = tp_outputs_check(&run, &err);
    tp_outputs_forget_names(&outputs);
    return rc;
}

static void assert_planned(void)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    int rc = check_outputs();
    if (rc != 0)
        fail_msg("%s", err.text);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

static void assert_refused(int want, const char *words)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    assert_int_equal(check_outputs(), want);
    assert_int_equal(err.code, want);
    if (strstr(err.text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

static void assert_name(size_t sink, size_t input, const char *want)
{
    char *path = tp_output_path(&run, sink, &inputs[input]);
    assert_non_null(path);
    assert_string_equal(path, want);
    tp_free(path);
}

// SHAPES

static void test_one_input_goes_to_the_path_itself(void **state)
{
    (void)state;
    fresh();
    add_input("x/a.trace", "a.trace");
    add_sink("text", "new/place.txt");
    assert_planned();
    assert_false(run.sinks[0].is_shared || run.sinks[0].is_folder || run.needs.commit_turn);
    assert_name(0, 0, "new/place.txt");
}

static void test_several_inputs_go_to_a_folder(void **state)
{
    (void)state;
    fresh();
    add_input("r/a.trace", "a.trace");
    add_input("r/sub/b.trace", "sub/b.trace");
    add_sink("text", "out");
    assert_planned();
    assert_true(run.sinks[0].is_folder);
    assert_false(run.sinks[0].is_shared);
    assert_name(0, 0, "out/a.trace.txt");
    assert_name(0, 1, "out/sub/b.trace.txt");
}

static void test_folder_that_exists_takes_one_input_too(void **state)
{
    (void)state;
    fresh();
    assert_int_equal(mkdir("out", 0777), 0);
    add_input("a.trace", "a.trace");
    add_sink("text", "out");
    assert_planned();
    assert_true(run.sinks[0].is_folder);
    assert_name(0, 0, "out/a.trace.txt");
}

static void test_names_drop_the_codec_and_spare_slashes(void **state)
{
    (void)state;
    static const struct {
        const char *output, *below, *want;
    } rows[] = {
        {"out", "a.trace.gz", "out/a.trace.txt"}, {"out", "a.trace.zst", "out/a.trace.txt"},
        {"out/", "a", "out/a.txt"},               {"out///", "s/t/a", "out/s/t/a.txt"},
        {"out", "a.gz.gz", "out/a.gz.txt"},       {"out", ".gz", "out/.gz.txt"},
        {"out", "gz", "out/gz.txt"},              {"out", "a.GZ", "out/a.GZ.txt"},
        {"out", "\xff\n", "out/\xff\n.txt"},      {"/", "a", "//a.txt"},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        fresh();
        add_input("a", rows[i].below);
        add_sink("text", rows[i].output);
        run.sinks[0].is_folder = true;
        assert_name(0, 0, rows[i].want);
    }
    fresh();
    add_input("-", "-");
    add_sink("text", "out");
    run.sinks[0].is_folder = true;
    assert_name(0, 0, "out/stdin.txt");
}

static void test_standard_output_is_shared(void **state)
{
    (void)state;
    fresh();
    add_input("a", "a");
    add_input("b", "b");
    add_sink("text", "-");
    assert_planned();
    assert_true(run.sinks[0].is_shared);
    assert_true(run.needs.commit_turn); // inputs write one after the other
}

static void test_device_is_shared(void **state)
{
    (void)state;
    fresh();
    add_input("a", "a");
    add_input("b", "b");
    add_sink("text", "/dev/null");
    add_sink("footprint", "/dev/null"); // no clash: nothing is replaced
    assert_planned();
    assert_true(run.sinks[0].is_shared && run.sinks[1].is_shared);
}

static void test_sink_with_one_output_for_all_takes_a_file(void **state)
{
    (void)state;
    fresh();
    add_input("a", "a");
    add_input("b", "b");
    add_sink("stats", "report");
    assert_planned();
    assert_true(run.sinks[0].is_shared);
    assert_false(run.needs.commit_turn);
    assert_int_equal(mkdir("folder", 0777), 0);
    run.sinks[0].output = (char *)"folder";
    assert_refused(TP_E_USAGE, "'folder' is a folder");
}

// CLASHES

static void test_standard_output_has_room_for_one_sink(void **state)
{
    (void)state;
    fresh();
    add_input("a", "a");
    add_sink("text", "-");
    add_sink("stats", "-");
    assert_refused(TP_E_USAGE, "only one sink may write to standard output");
}

static void test_two_sinks_cannot_share_a_name(void **state)
{
    (void)state;
    fresh();
    add_input("a", "a");
    add_sink("text", "out");
    add_sink("footprint", "out");
    assert_refused(TP_E_USAGE, "'out'");
    run.sinks[1].output = (char *)"other";
    assert_planned();
}

static void test_two_sinks_may_share_a_folder(void **state)
{
    (void)state;
    fresh();
    add_input("a", "a");
    add_input("b", "b");
    add_sink("text", "out");
    add_sink("footprint", "out");
    assert_planned();
    run.sinks[1].plan = run.sinks[0].plan; // but not with the same suffix
    assert_refused(TP_E_USAGE, "'out/a.txt'");
}

static void test_inputs_that_would_share_a_name_are_told(void **state)
{
    (void)state;
    fresh();
    add_input("x/a", "a");
    add_input("y/a", "a");
    add_sink("text", "out");
    assert_refused(TP_E_USAGE, "two outputs would be named 'out/a.txt'");
    inputs[1].below = "a.gz"; // the codec is no difference
    assert_refused(TP_E_USAGE, "two outputs would be named 'out/a.txt'");
    inputs[1].below = "b";
    assert_planned();
}

static void test_manifest_is_an_output_too(void **state)
{
    (void)state;
    fresh();
    add_input("a", "a");
    add_sink("text", "out");
    run.settings.manifest = (char *)"out";
    assert_refused(TP_E_USAGE, "two outputs would be named 'out'");
    run.settings.manifest = (char *)"manifest.json";
    assert_planned();
    make_file("manifest.json", "{}");
    assert_refused(TP_E_EXISTS, "'manifest.json' exists");
}

static void test_output_that_exists_is_kept_unless_forced(void **state)
{
    (void)state;
    fresh();
    make_file("out", "precious");
    add_input("a", "a");
    add_sink("text", "out");
    assert_refused(TP_E_EXISTS, "'out' exists");
    run.settings.force = true;
    assert_planned();
    expect_file("out", "precious"); // planning touches nothing
}

static void test_a_trace_is_replaced_by_traces_only_even_if_forced(void **state)
{
    (void)state;
    make_file("trace", "gotrace"); // its magic number ends with a zero byte
    assert_int_equal(truncate("trace", 8), 0);
    assert_int_equal(symlink("trace", "link"), 0);
    static const struct {
        const char *sink;
        int rc;
    } cases[] = {{"text", TP_E_EXISTS}, {"stats", TP_E_EXISTS}, {"list", TP_E_EXISTS},
                 {"raw", 0}, {"zstd", 0}};
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        fresh();
        run.settings.force = true;
        add_input("a", "a");
        add_sink(cases[i].sink, "trace");
        if (cases[i].rc != 0)
            assert_refused(cases[i].rc, "'trace' is a trace");
        else
            assert_planned();
        run.settings.manifest = (char *)"trace";
        run.sinks[0].output = (char *)"link"; // is replaced itself
        assert_refused(TP_E_EXISTS, "'trace' is a trace");
        run.settings.manifest = NULL;
        assert_planned();
    }
    run.settings.force = false;
    run.sinks[0].output = (char *)"trace";
    assert_refused(TP_E_EXISTS, "'trace' exists (-f replaces it)");
}

static void test_an_output_that_is_an_input_is_refused_even_if_forced(void **state)
{
    (void)state;
    make_file("a", "precious");
    assert_int_equal(link("a", "hard"), 0);
    assert_int_equal(symlink("a", "soft"), 0);
    static const char *const names[] = {"a", "./a", "hard", "soft"};
    for (size_t i = 0; i < 2 * TP_ARRAY_LEN(names); i++) {
        const char *name = names[i / 2];
        fresh();
        run.settings.force = i % 2 == 1;
        add_input("a", "a");
        add_sink("text", name);
        assert_refused(TP_E_USAGE, "is the input 'a'");
        assert_non_null(strstr(err.text, name));
        run.sinks[0].output = (char *)"other";
        assert_planned();
        run.settings.manifest = (char *)name;
        assert_refused(TP_E_USAGE, "is the input 'a'");
    }
    expect_file("a", "precious");
}

static void test_an_output_in_a_folder_that_is_another_input_is_refused(void **state)
{
    (void)state;
    fresh();
    run.settings.force = true;
    make_file("a", "");
    make_file("b.gz", "");
    make_file("b.txt", "");
    add_input("a", "a");
    add_input("b.gz", "b.gz");
    add_input("b.txt", "b.txt");
    add_sink("text", ".");
    assert_refused(TP_E_USAGE, "the output './b.txt' is the input 'b.txt'");
    run.inputs.count = 2;
    assert_planned();
}

static void test_devices_that_are_input_and_output_are_no_overlap(void **state)
{
    (void)state;
    fresh();
    run.settings.force = true;
    add_input("/dev/null", "null");
    add_sink("text", "/dev/null");
    assert_planned();
}

static void test_file_in_the_place_of_a_folder_is_refused(void **state)
{
    (void)state;
    fresh();
    make_file("out", "");
    add_input("a", "a");
    add_input("b", "b");
    add_sink("text", "out");
    assert_refused(TP_E_USAGE, "'out' must be a folder");
}

static void test_output_in_the_folder_is_kept_unless_forced(void **state)
{
    (void)state;
    fresh();
    assert_int_equal(mkdir("out", 0777), 0);
    make_file("out/b.txt", "precious");
    add_input("a", "a");
    add_input("b", "b");
    add_sink("text", "out");
    assert_refused(TP_E_EXISTS, "'out/b.txt' exists");
    run.settings.force = true;
    assert_planned();
}

static void test_each_lack_of_memory_is_reported(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (uint64_t nth = 1; nth < 12; nth++) {
        fresh();
        add_input("a", "a");
        add_input("b", "b");
        add_sink("text", "out");
        run.settings.manifest = (char *)"m";
        uint64_t live_bytes = tp_alloc_live_bytes();
        tp_alloc_fail_at(nth, false);
        int rc = check_outputs();
        tp_alloc_fail_at(0, false);
        failures += rc != 0;
        assert_true(rc == 0 || rc == TP_E_MEMORY);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_int_equal(failures, 10); // the list, three names, two steps to what each means
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_one_input_goes_to_the_path_itself),
        SCRATCH_TEST(test_several_inputs_go_to_a_folder),
        SCRATCH_TEST(test_folder_that_exists_takes_one_input_too),
        SCRATCH_TEST(test_names_drop_the_codec_and_spare_slashes),
        SCRATCH_TEST(test_standard_output_is_shared),
        SCRATCH_TEST(test_device_is_shared),
        SCRATCH_TEST(test_sink_with_one_output_for_all_takes_a_file),
        SCRATCH_TEST(test_standard_output_has_room_for_one_sink),
        SCRATCH_TEST(test_two_sinks_cannot_share_a_name),
        SCRATCH_TEST(test_two_sinks_may_share_a_folder),
        SCRATCH_TEST(test_inputs_that_would_share_a_name_are_told),
        SCRATCH_TEST(test_manifest_is_an_output_too),
        SCRATCH_TEST(test_output_that_exists_is_kept_unless_forced),
        SCRATCH_TEST(test_a_trace_is_replaced_by_traces_only_even_if_forced),
        SCRATCH_TEST(test_an_output_that_is_an_input_is_refused_even_if_forced),
        SCRATCH_TEST(test_an_output_in_a_folder_that_is_another_input_is_refused),
        SCRATCH_TEST(test_devices_that_are_input_and_output_are_no_overlap),
        SCRATCH_TEST(test_file_in_the_place_of_a_folder_is_refused),
        SCRATCH_TEST(test_output_in_the_folder_is_kept_unless_forced),
        SCRATCH_TEST(test_each_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
