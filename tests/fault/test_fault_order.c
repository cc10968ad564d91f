// Ordering with less memory than a generation takes, where files are not read again: what
// waits goes to a temporary file, and a file that cannot be made or written, or memory that is
// lacking on the way, fails the run and leaves nothing behind. So does memory that is lacking where
// generations are put in order before their turn, unless they can wait for it.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "fault_lab.h"
#include "scratch.h"
#include "synth.h"

#define LITTLE_MEMORY "16M"
#define SPILLS_BYTES 12000000
#define SPILLED_MIN_BYTES 1000000

static int append(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    return fwrite(bytes, 1, len_bytes, ctx) == len_bytes ? 0 : TP_E_WRITE;
}

static void make_trace(const char *path, uint64_t generation_count, uint64_t generation_bytes)
{
    struct synth_config config;
    struct synth_totals totals;
    struct tp_error err;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    synth_config_init(&config);
    config.version = 26;
    config.generations = generation_count;
    config.gen_events = 0;
    config.gen_bytes = generation_bytes;
    config.threads = 20;
    assert_int_equal(synth_generate(&config, append, f, &totals, &err), 0);
    assert_int_equal(fclose(f), 0);
}

// One generation that does not fit.
static void make_large(void)
{
    make_trace("large.trace", 1, SPILLS_BYTES);
    assert_int_equal(mkdir("tmp", 0777), 0);
}

static const struct fault_run large = {
    .name = "spilling",
    .options = {"jobs", "1", "io", "pread", "max-memory", LITTLE_MEMORY, "reread", "never"},
    .sinks = {"null:until=order", "/dev/null"},
    .inputs = {"large.trace"},
};

static struct fault_result go_with_tmpdir(const char *folder)
{
    const char *before = getenv("TMPDIR");
    char *kept = before != NULL ? strdup(before) : NULL;
    setenv("TMPDIR", folder, 1);
    struct fault_result r = fault_go(&large);
    if (kept != NULL)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
    return r;
}

static void expect_sound(void)
{
    struct fault_result r = go_with_tmpdir("tmp");
    if (r.err.code != 0 || r.status != 0)
        fail_msg("code %d, status %d: %s", r.err.code, r.status, r.err.text);
    assert_int_equal(count_entries("tmp"), 0);
}

static void test_no_folder_for_what_waits(void **state)
{
    (void)state;
    make_large();
    expect_sound();
    struct fault_result r = go_with_tmpdir("missing");
    assert_int_equal(r.err.code, TP_E_WRITE);
    assert_int_equal(r.err.sys_errno, ENOENT);
    assert_int_equal(r.status, 3);
    assert_non_null(strstr(r.err.text, "cannot create a temporary file in missing"));
    // An output that was begun does not stay.
    const struct fault_run to_file = {
        .options = {"max-memory", LITTLE_MEMORY, "reread", "never"},
        .sinks = {"events", "events.txt"},
        .inputs = {"large.trace"},
    };
    setenv("TMPDIR", "missing", 1);
    r = fault_go(&to_file);
    unsetenv("TMPDIR");
    assert_int_equal(r.status, 3);
    assert_int_equal(access("events.txt", F_OK), -1);
    assert_int_equal(count_entries("."), 3); // large.trace, out, tmp
}

static void test_no_room_for_what_waits(void **state)
{
    struct rlimit before, small;
    (void)state;
    make_large();
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (rlim_t limit = 0; limit < 3 * SPILLED_MIN_BYTES; limit += SPILLED_MIN_BYTES / 2 + 7) {
        small = before;
        small.rlim_cur = limit;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        struct fault_result r = go_with_tmpdir("tmp");
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (limit > SPILLED_MIN_BYTES && r.err.code == 0)
            continue; // it was enough
        assert_int_equal(r.err.code, TP_E_WRITE);
        assert_int_equal(r.err.sys_errno, EFBIG);
        assert_int_equal(r.status, 3);
        assert_int_equal(count_entries("tmp"), 0);
    }
    expect_sound();
}

// Each of the first, then ever fewer: goroutines ask for memory by the thousand.
static void fail_allocations_of(const struct fault_run *run)
{
    bool fired = true;
    size_t run_count = 0;
    for (uint64_t nth = 1; fired; nth += 1 + nth / 40, run_count++) {
        struct fault_live live;
        tp_alloc_fail_at(nth, run_count % 2 == 0);
        fault_begin(&live, run);
        if (live.result.err.code == 0)
            (void)tp_run_wait(live.run, -1);
        fired = tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        struct fault_result r = fault_end(&live);
        // Without a page for it, more goes to the file; without memory to assumption with,
        // what comes later waits for its turn.
        bool did_without = r.err.code == 0 && r.status == 0;
        if (!did_without && (r.err.code != TP_E_MEMORY || r.status != 3))
            fail_msg("request %llu: code %d, status %d: %s", (unsigned long long)nth, r.err.code,
                     r.status, r.first_error);
    }
    print_message("%s: %zu runs\n", run->name, run_count);
    assert_true(run_count > 30);
}

static void test_failing_allocations_while_spilling(void **state)
{
    (void)state;
    make_large();
    setenv("TMPDIR", "tmp", 1);
    fail_allocations_of(&large);
    unsetenv("TMPDIR");
    assert_int_equal(count_entries("tmp"), 0);
}

static void test_failing_allocations_while_speculating(void **state)
{
    (void)state;
    static const struct fault_run run = {
        .name = "speculating",
        .options = {"jobs", "1", "io", "pread", "speculate", "always"},
        .sinks = {"null:until=order", "/dev/null"},
        .inputs = {"several.trace"},
    };
    make_trace("several.trace", 4, 100000);
    fail_allocations_of(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_no_folder_for_what_waits),
        SCRATCH_TEST(test_no_room_for_what_waits),
        SCRATCH_TEST(test_failing_allocations_while_spilling),
        SCRATCH_TEST(test_failing_allocations_while_speculating),
    };
    // The folder of the test itself must not move with TMPDIR.
    fault_set_up();
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
