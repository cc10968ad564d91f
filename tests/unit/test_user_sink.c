// Sinks that a program registers: which hooks come when, with what, and what their
// failures do.
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "reader_lab.h"
#include "scratch.h"
#include "tracepipe/sink.h"

#define TRACE(name) TP_TRACES "/" name
#define HANGS_AFTER_MS 120000
#define LINE_BYTES 32

// THE SINK
//
// It prints the time of every event, one a line, in `work`; its other hooks check what
// they are handed and count. Where one is told to fail, it does.

enum place { NOWHERE, IN_CONFIGURE, IN_WORK, IN_OPEN, IN_COMMIT, IN_FINISH, IN_RUN_END };

struct lab {
    enum place fails_in;
    int code;                  // of the failure
    bool is_silent;            // prints nothing
    const char *words;         // of the options
    char seen[128];            // "key=value;" of each
    pthread_mutex_t mu;        // guards what follows
    const char *broken;        // the first promise that was not kept
    size_t open_count, finish_count, fini_count, run_end_count;
    uint64_t total_events;
    uint64_t checksum;         // of the last input that was finished
};

struct unit_state {
    uint64_t zero;
    uint64_t event_count;
    int64_t first_ns;
};

struct input_state {
    uint64_t zero;
    bool is_open;
    uint64_t event_count;
    uint64_t checksum;
    int64_t last_ns;
    char filler[1000];
};

struct run_state {
    uint64_t event_count;
    uint64_t input_count;
};

// Workers may not jump out of the test: what they find is asserted later.
static void expect(struct lab *lab, bool is_so, const char *what)
{
    pthread_mutex_lock(&lab->mu);
    if (!is_so && lab->broken == NULL)
        lab->broken = what;
    pthread_mutex_unlock(&lab->mu);
}

static int result(const struct lab *lab, enum place here, struct tp_error *err)
{
    if (lab->fails_in != here)
        return 0;
    // Whether the hook writes the error itself should not matter.
    return lab->code == TP_E_EVENT ? lab->code : tp_error_set(err, lab->code, "told to fail");
}

static int configure(void *ctx, const char *key, const char *value, struct tp_error *err)
{
    struct lab *lab = ctx;
    size_t used = strlen(lab->seen);
    snprintf(lab->seen + used, sizeof lab->seen - used, "%s=%s;", key, value);
    return result(lab, IN_CONFIGURE, err);
}

static int work(void *ctx, const struct tp_event_block *block, void *unit_state,
                struct tp_output *out, struct tp_error *err)
{
    struct lab *lab = ctx;
    struct unit_state *u = unit_state;
    expect(lab, u->zero == 0 && u->event_count == 0 && u->first_ns == 0, "unit state is zero");
    expect(lab, block->event_count > 0 && block->event_count <= 512, "block has events");
    u->zero = 1;
    u->event_count = block->event_count;
    u->first_ns = block->events[0].time_ns;
    for (size_t i = 0; i < block->event_count && !lab->is_silent; i++) {
        int rc = tp_output_printf(out, err, "%" PRId64 "\n", block->events[i].time_ns);
        if (rc != 0)
            return rc;
    }
    return result(lab, IN_WORK, err);
}

static int open_input(void *ctx, const struct tp_sink_input *input, void *input_state,
                      struct tp_output *out, struct tp_error *err)
{
    struct lab *lab = ctx;
    struct input_state *s = input_state;
    expect(lab, s->zero == 0 && s->filler[999] == 0 && !s->is_open, "input state is zero");
    expect(lab, (uintptr_t)s % 16 == 0, "input state is aligned");
    expect(lab, input->go_minor >= 22 && input->path[0] != '\0', "input is known");
    *s = (struct input_state){.zero = 1, .is_open = true, .last_ns = INT64_MIN};
    memset(s->filler, 1, sizeof s->filler);
    pthread_mutex_lock(&lab->mu);
    lab->open_count++;
    pthread_mutex_unlock(&lab->mu);
    int rc = lab->is_silent ? 0 : tp_output_write(out, "begin\n", 6, err);
    return rc != 0 ? rc : result(lab, IN_OPEN, err);
}

static int commit(void *ctx, const struct tp_event_block *block, void *unit_state,
                  void *input_state, struct tp_output *out, struct tp_error *err)
{
    struct lab *lab = ctx;
    const struct unit_state *u = unit_state;
    struct input_state *s = input_state;
    (void)out;
    expect(lab, s->is_open, "open comes before commit");
    expect(lab, u->event_count == block->event_count && u->first_ns == block->events[0].time_ns,
           "commit gets the block and the state of its work");
    expect(lab, u->first_ns > s->last_ns, "blocks come in order");
    s->last_ns = block->events[block->event_count - 1].time_ns;
    s->event_count += block->event_count;
    s->checksum = lab_checksum(s->checksum, block->events, block->event_count);
    return result(lab, IN_COMMIT, err);
}

static int finish(void *ctx, const struct tp_sink_report *report, void *input_state,
                  void *run_state, struct tp_output *out, struct tp_error *err)
{
    struct lab *lab = ctx;
    const struct input_state *s = input_state;
    expect(lab, s->is_open, "open comes before finish");
    expect(lab, report->stored_bytes > 0 && report->stream_bytes > 0, "report is complete");
    pthread_mutex_lock(&lab->mu);
    lab->finish_count++;
    lab->total_events += s->event_count;
    lab->checksum = s->checksum;
    pthread_mutex_unlock(&lab->mu);
    if (run_state != NULL) {
        ((struct run_state *)run_state)->event_count += s->event_count;
        ((struct run_state *)run_state)->input_count++;
    }
    int rc = lab->is_silent ? 0 : tp_output_printf(out, err, "end of %" PRIu64 "\n", s->event_count);
    return rc != 0 ? rc : result(lab, IN_FINISH, err);
}

static void input_fini(void *ctx, void *input_state)
{
    struct lab *lab = ctx;
    expect(lab, ((const struct input_state *)input_state)->is_open, "only what was opened ends");
    pthread_mutex_lock(&lab->mu);
    lab->fini_count++;
    pthread_mutex_unlock(&lab->mu);
}

static int run_end(void *ctx, void *run_state, struct tp_output *out, struct tp_error *err)
{
    struct lab *lab = ctx;
    const struct run_state *r = run_state;
    lab->run_end_count++;
    expect(lab, r->event_count == lab->total_events && r->input_count == lab->finish_count,
           "run state has all inputs");
    int rc = lab->is_silent ? 0
                            : tp_output_printf(out, err, "all %" PRIu64 " of %" PRIu64 "\n",
                                               r->event_count, r->input_count);
    return rc != 0 ? rc : result(lab, IN_RUN_END, err);
}

static const struct tp_sink_ops times = {
    .name = "times",
    .suffix = ".times",
    .unit_state_bytes = sizeof(struct unit_state),
    .input_state_bytes = sizeof(struct input_state),
    .run_state_bytes = sizeof(struct run_state),
    .max_output_bytes = 512 * LINE_BYTES,
    .configure = configure,
    .work = work,
    .open = open_input,
    .commit = commit,
    .finish = finish,
    .input_fini = input_fini,
    .run_end = run_end,
};

// RUNS

struct outcome {
    int rc;                    // of describing and starting
    int status;
    struct tp_error err;       // of whatever failed first
};

static struct lab new_lab(void)
{
    return (struct lab){.mu = PTHREAD_MUTEX_INITIALIZER};
}

static int describe(struct tp_run *run, const struct tp_sink_ops *ops, struct lab *lab,
                    const char *jobs, const char *output, const char *const *paths,
                    struct tp_error *err)
{
    char spec[128];
    const char *words = lab->words;
    snprintf(spec, sizeof spec, "%s%s%s", ops->name, words != NULL ? ":" : "",
             words != NULL ? words : "");
    int rc = tp_run_set(run, "jobs", jobs, err);
    if (rc == 0)
        rc = tp_run_register_sink(run, ops, lab, err);
    if (rc == 0)
        rc = tp_run_add_sink(run, spec, output, err);
    for (; *paths != NULL && rc == 0; paths++)
        rc = tp_run_add_path(run, *paths, err);
    return rc == 0 ? tp_run_start(run, err) : rc;
}

static struct outcome go(const struct tp_sink_ops *ops, struct lab *lab, const char *jobs,
                         const char *output, const char *const *paths)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct outcome o = {0};
    struct tp_run *run = NULL;
    o.rc = tp_run_create(&run, &o.err);
    if (o.rc == 0)
        o.rc = describe(run, ops, lab, jobs, output, paths, &o.err);
    if (o.rc == 0) {
        assert_true(tp_run_wait(run, HANGS_AFTER_MS));
        o.status = tp_run_exit_status(run);
        if (tp_run_error(run) != NULL)
            o.err = *tp_run_error(run);
    }
    tp_run_destroy(run);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    if (lab->broken != NULL)
        fail_msg("not so: %s", lab->broken);
    return o;
}

// Asserts that the file at `path` is the sink's output for one trace.
static void assert_output(const char *path, const char *trace, const struct reading *want)
{
    struct lab_trace got = lab_load(path);
    char tail[64];
    int tail_bytes = snprintf(tail, sizeof tail, "end of %" PRIu64 "\n", want->event_count);
    size_t lines = 0;
    int64_t last_ns = INT64_MIN;
    got.bytes[got.len_bytes] = '\0';
    char *text = (char *)got.bytes, *save = NULL;
    assert_true(got.len_bytes > (size_t)tail_bytes && memcmp(text, "begin\n", 6) == 0);
    assert_string_equal(text + got.len_bytes - tail_bytes, tail);
    text[got.len_bytes - (size_t)tail_bytes] = '\0';
    for (char *line = strtok_r(text + 6, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        int64_t ns = strtoll(line, NULL, 10);
        assert_true(ns > last_ns);
        last_ns = ns;
        lines++;
    }
    if (lines != want->event_count)
        fail_msg("%s: %zu lines", trace, lines);
    lab_drop(&got);
}

static void test_hooks_see_every_event_in_order(void **state)
{
    (void)state;
    struct lab_trace t = lab_generate(3, 20000);
    lab_write("a.trace", t.bytes, t.len_bytes);
    lab_drop(&t);
    struct reading want = lab_read("a.trace", "");
    static const char *const jobs[] = {"1", "2", "5"};
    for (size_t i = 0; i < TP_ARRAY_LEN(jobs); i++) {
        struct lab lab = new_lab();
        struct outcome o = go(&times, &lab, jobs[i], "out", (const char *[]){"a.trace", NULL});
        assert_int_equal(o.rc, 0);
        assert_int_equal(o.status, 0);
        assert_int_equal(lab.open_count, 1);
        assert_int_equal(lab.finish_count, 1);
        assert_int_equal(lab.fini_count, 1);
        assert_int_equal(lab.run_end_count, 0);
        assert_int_equal(lab.checksum, want.checksum);
        assert_output("out", "a.trace", &want);
        assert_int_equal(remove("out"), 0);
    }
}

static const char *const three[] = {TRACE("go126-gens.trace"), TRACE("go122-gc.trace"),
                                    TRACE("go125-http.trace"), NULL};

static void test_several_inputs_have_outputs_of_their_own(void **state)
{
    (void)state;
    struct lab lab = new_lab();
    struct outcome o = go(&times, &lab, "3", "out", three);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.status, 0);
    assert_int_equal(count_entries("out"), 3);
    struct reading want = lab_read(three[1], "");
    assert_output("out/go122-gc.trace.times", three[1], &want);
    assert_int_equal(lab.fini_count, 3);
}

static uint64_t events_of(const char *const *paths)
{
    uint64_t total = 0;
    for (; *paths != NULL; paths++)
        total += lab_read(*paths, "").event_count;
    return total;
}

static void test_one_for_all_ends_the_run(void **state)
{
    (void)state;
    struct tp_sink_ops ops = times;
    ops.one_for_all = true;
    struct lab lab = new_lab();
    lab.is_silent = true;
    struct outcome o = go(&ops, &lab, "3", "out", three);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.status, 0);
    assert_int_equal(lab.run_end_count, 1);
    assert_int_equal(lab.total_events, events_of(three));
}

// One output for all inputs has the bytes of one output for each input, input by input.
static void test_one_for_all_may_write_in_turn(void **state)
{
    (void)state;
    struct tp_sink_ops ops = times;
    struct lab lab = new_lab();
    struct outcome o = go(&ops, &lab, "3", "out", three);
    assert_int_equal(o.status, 0);
    ops.one_for_all = true;
    lab = new_lab();
    o = go(&ops, &lab, "3", "all", three);
    assert_int_equal(o.status, 0);
    struct lab_trace all = lab_load("all");
    size_t at_bytes = 0;
    static const char *const names[] = {"out/go126-gens.trace.times", "out/go122-gc.trace.times",
                                        "out/go125-http.trace.times"};
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        struct lab_trace one = lab_load(names[i]);
        assert_true(all.len_bytes - at_bytes > one.len_bytes);
        assert_memory_equal(all.bytes + at_bytes, one.bytes, one.len_bytes);
        at_bytes += one.len_bytes;
        lab_drop(&one);
    }
    char tail[64];
    int n = snprintf(tail, sizeof tail, "all %" PRIu64 " of 3\n", lab.total_events);
    assert_int_equal(all.len_bytes - at_bytes, n);
    assert_memory_equal(all.bytes + at_bytes, tail, (size_t)n);
    lab_drop(&all);
    // Without saying so it may not.
    ops.max_output_bytes = 0;
    ops.work = NULL;
    ops.commit = NULL;
    lab = new_lab();
    o = go(&ops, &lab, "1", "none", three);
    assert_int_equal(o.status, 2);
    assert_non_null(strstr(o.err.text, "before finish"));
}

static void test_sink_without_outputs(void **state)
{
    (void)state;
    struct tp_sink_ops ops = times;
    ops.suffix = NULL;
    ops.max_output_bytes = 0;
    struct lab lab = new_lab();
    lab.is_silent = true;
    struct outcome o = go(&ops, &lab, "2", NULL, three);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.status, 0);
    assert_int_equal(lab.total_events, events_of(three));
    // It has nowhere to write, so none may be given, and it cannot.
    lab = new_lab();
    o = go(&ops, &lab, "2", "out", three);
    assert_int_equal(o.rc, TP_E_USAGE);
    lab = new_lab();
    lab.is_silent = false;
    ops.work = NULL;
    ops.commit = NULL;
    o = go(&ops, &lab, "2", NULL, three);
    assert_int_equal(o.status, 2);
    assert_int_equal(o.err.code, TP_E_USAGE);
}

static void test_hooks_may_be_missing(void **state)
{
    (void)state;
    static const struct tp_sink_ops nothing = {.name = "nothing", .suffix = ".nothing"};
    struct lab lab = new_lab();
    struct outcome o = go(&nothing, &lab, "2", "out", three);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.status, 0);
    assert_int_equal(count_entries("out"), 3);
}

static void test_sinks_of_ours_and_theirs_share_a_reading(void **state)
{
    (void)state;
    struct lab lab = new_lab(), other = new_lab();
    struct tp_sink_ops second = times;
    second.name = "again";
    struct tp_run *run;
    struct tp_error err;
    assert_int_equal(tp_run_create(&run, &err), 0);
    assert_int_equal(tp_run_register_sink(run, &times, &lab, &err), 0);
    assert_int_equal(tp_run_register_sink(run, &second, &other, &err), 0);
    assert_int_equal(tp_run_add_sink(run, "spans", "spans", &err), 0); // has a block without events
    assert_int_equal(tp_run_add_sink(run, "times", "times", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "again", "again", &err), 0);
    assert_int_equal(tp_run_add_path(run, three[0], &err), 0);
    assert_int_equal(tp_run_start(run, &err), 0);
    assert_true(tp_run_wait(run, HANGS_AFTER_MS));
    assert_int_equal(tp_run_exit_status(run), 0);
    tp_run_destroy(run);
    assert_true(lab.total_events > 0);
    assert_int_equal(lab.checksum, other.checksum);
    assert_null(lab.broken);
}

// DESCRIBING

static void assert_refused(const struct tp_sink_ops *ops, const char *words)
{
    struct lab lab = new_lab();
    struct outcome o = go(ops, &lab, "1", "out", three);
    assert_int_equal(o.rc, TP_E_USAGE);
    if (strstr(o.err.text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", o.err.text, words);
}

static void test_names_that_cannot_be(void **state)
{
    (void)state;
    struct tp_sink_ops ops = times;
    static const char *const bad[] = {"", "a:b", "a,b", "a=b", NULL};
    for (size_t i = 0; i < TP_ARRAY_LEN(bad); i++) {
        struct tp_error err;
        struct tp_run *run;
        ops.name = bad[i];
        assert_int_equal(tp_run_create(&run, &err), 0);
        assert_int_equal(tp_run_register_sink(run, &ops, NULL, &err), TP_E_USAGE);
        tp_run_destroy(run);
    }
    ops.name = "stats";
    assert_refused(&ops, "already");
    ops = times;
    ops.suffix = NULL;
    assert_refused(&ops, "max_output_bytes");
}

static void test_a_sink_is_added_once(void **state)
{
    (void)state;
    struct lab lab = new_lab();
    struct tp_run *run;
    struct tp_error err;
    assert_int_equal(tp_run_create(&run, &err), 0);
    assert_int_equal(tp_run_add_sink(run, "times", "out", &err), TP_E_USAGE);
    assert_int_equal(tp_run_register_sink(run, &times, &lab, &err), 0);
    assert_int_equal(tp_run_register_sink(run, &times, &lab, &err), TP_E_USAGE);
    assert_int_equal(tp_run_add_sink(run, "times", "out", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "times", "other", &err), TP_E_USAGE);
    tp_run_destroy(run);
}

// Sinks of the registry and of the program that could not be added are not of the run, and may be
// added once more.
static void test_a_run_goes_on_after_a_sink_was_refused(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct lab lab = new_lab();
    lab.is_silent = true;
    struct tp_run *run;
    struct tp_error err;
    assert_int_equal(tp_run_create(&run, &err), 0);
    assert_int_equal(tp_run_register_sink(run, &times, &lab, &err), 0);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(tp_run_add_sink(run, "text:nosuch=1", "text", &err), TP_E_USAGE);
        assert_int_equal(tp_run_add_sink(run, "stats:level=counts,keep=no", "stats", &err), TP_E_USAGE);
        assert_int_equal(tp_run_add_sink(run, "times:key", "times", &err), TP_E_USAGE);
    }
    assert_int_equal(tp_run_add_sink(run, "times:key=1", "times", &err), 0);
    assert_int_equal(tp_run_add_path(run, three[0], &err), 0);
    assert_int_equal(tp_run_start(run, &err), 0);
    assert_true(tp_run_wait(run, HANGS_AFTER_MS));
    assert_int_equal(tp_run_exit_status(run), 0);
    tp_run_destroy(run);
    assert_string_equal(lab.seen, "key=1;");
    assert_int_equal(count_entries("."), 1);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

static void test_options_reach_the_hook(void **state)
{
    (void)state;
    struct lab lab = new_lab();
    lab.words = "from=1,to=a b,empty=";
    struct outcome o = go(&times, &lab, "1", "out", three);
    assert_int_equal(o.rc, 0);
    assert_string_equal(lab.seen, "from=1;to=a b;empty=;");
    lab = new_lab();
    lab.words = "key";
    o = go(&times, &lab, "1", "other", three);
    assert_int_equal(o.rc, TP_E_USAGE);
    lab = new_lab();
    lab.words = "key=1";
    lab.fails_in = IN_CONFIGURE;
    lab.code = TP_E_USAGE;
    o = go(&times, &lab, "1", "other", three);
    assert_int_equal(o.rc, TP_E_USAGE);
    assert_string_equal(o.err.text, "told to fail");
    struct tp_sink_ops ops = times;
    ops.configure = NULL;
    lab = new_lab();
    lab.words = "key=1";
    o = go(&ops, &lab, "1", "other", three);
    assert_int_equal(o.rc, TP_E_USAGE);
    assert_non_null(strstr(o.err.text, "takes no options"));
}

// FAILURES

static void test_failures_end_the_input_or_the_run(void **state)
{
    (void)state;
    static const enum place places[] = {IN_WORK, IN_OPEN, IN_COMMIT, IN_FINISH, IN_RUN_END};
    static const struct {
        int code, status;
    } rows[] = {{TP_E_EVENT, 1}, {TP_E_DAMAGED, 1}, {TP_E_WRITE, 3},
                {TP_E_MEMORY, 3}, {TP_E_USAGE, 2}, {-12345, 3}, {7, 3}};
    struct tp_sink_ops ops = times;
    ops.one_for_all = true;
    for (size_t i = 0; i < TP_ARRAY_LEN(places); i++) {
        for (size_t k = 0; k < TP_ARRAY_LEN(rows); k++) {
            struct lab lab = new_lab();
            lab.fails_in = places[i];
            lab.code = rows[k].code;
            struct outcome o = go(&ops, &lab, "2", "out", three);
            int want = rows[k].status;
            // A failure at the end of the run's output cannot be the fault of one input alone.
            if (places[i] != IN_RUN_END || want != 1)
                assert_int_equal(o.status, want);
            if (want != 1)
                assert_int_equal(o.err.code, rows[k].code);
            assert_int_equal(lab.fini_count, lab.open_count);
            (void)remove("out");
        }
    }
}

static void test_too_much_output_spoils_the_input_only(void **state)
{
    (void)state;
    struct tp_sink_ops ops = times;
    ops.max_output_bytes = 4096;
    struct lab lab = new_lab();
    const char *const paths[] = {TRACE("hand.trace"), TRACE("go123-files.trace"), NULL};
    struct outcome o = go(&ops, &lab, "2", "out", paths);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.status, 1);
    struct reading want = lab_read(paths[0], "");
    assert_output("out/hand.trace.times", paths[0], &want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_hooks_see_every_event_in_order),
        SCRATCH_TEST(test_several_inputs_have_outputs_of_their_own),
        SCRATCH_TEST(test_one_for_all_ends_the_run),
        SCRATCH_TEST(test_one_for_all_may_write_in_turn),
        SCRATCH_TEST(test_sink_without_outputs),
        SCRATCH_TEST(test_hooks_may_be_missing),
        SCRATCH_TEST(test_sinks_of_ours_and_theirs_share_a_reading),
        SCRATCH_TEST(test_names_that_cannot_be),
        SCRATCH_TEST(test_a_sink_is_added_once),
        SCRATCH_TEST(test_a_run_goes_on_after_a_sink_was_refused),
        SCRATCH_TEST(test_options_reach_the_hook),
        SCRATCH_TEST(test_failures_end_the_input_or_the_run),
        SCRATCH_TEST(test_too_much_output_spoils_the_input_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
