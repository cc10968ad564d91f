// Outputs that cannot be made, written or completed: full and closed ones, refused
// names, folders in the way. The run fails with status 3 and says why; other
// outputs are whole or not there.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault_lab.h"
#include "scratch.h"

// Sinks with options of theirs, then each sink without. NULL: there are no more.
static const char *sink_spec(size_t idx)
{
    static const char *const with_options[] = {
        "stats:level=counts,format=json", "stats:level=counts,format=csv", "stats:format=state",
        "stats:format=flamegraph"};
    if (idx < sizeof with_options / sizeof with_options[0])
        return with_options[idx];
    const struct tp_sink_help *help =
        tp_sink_help(idx - sizeof with_options / sizeof with_options[0]);
    return help != NULL ? help->name : NULL;
}

static void expect(const struct fault_result *got, const char *what, int code, int sys_errno)
{
    if (got->err.code != code || got->err.sys_errno != sys_errno || got->status != 3)
        fail_msg("%s: code %d, errno %d, status %d: %s", what, got->err.code, got->err.sys_errno,
                 got->status, got->err.text);
}

// An error of an output of one input fails this output only.
static void expect_own(const struct fault_result *got, const char *what)
{
    expect(got, what, 0, 0);
}

// ---- what takes no bytes ----------------------------------------------------------

static void test_full_device(void **state)
{
    (void)state;
    fault_make_inputs();
    for (size_t i = 0; sink_spec(i) != NULL; i++) {
        const struct fault_run run = {.sinks = {sink_spec(i), "/dev/full", "raw", "out/r"},
                                      .inputs = {"a.trace", "a.gz", "b.trace"}};
        const struct fault_result got = fault_go(&run);
        expect(&got, sink_spec(i), TP_E_WRITE, ENOSPC);
        // Outputs completed before the failure are still there; remove them.
        assert_int_equal(system("rm -rf out"), 0);
    }
}

static void test_full_device_for_the_manifest(void **state)
{
    (void)state;
    fault_make_inputs();
    const struct fault_run run = {.options = {"manifest", "/dev/full"},
                                  .sinks = {"stats", "/dev/null"},
                                  .inputs = {"a.trace"}};
    const struct fault_result got = fault_go(&run);
    expect(&got, "manifest", TP_E_WRITE, ENOSPC);
}

// Reads a little of the FIFO `f` and goes away.
static void *read_little(void *arg)
{
    (void)arg;
    char bytes[10];
    int fd = open("f", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && read(fd, bytes, sizeof bytes) < 0 && errno == EINTR) {
    }
    close(fd);
    return NULL;
}

static void test_reader_goes_away(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(mkfifo("f", 0666), 0);
    static const char *const jobs[] = {"1", "8"};
    for (size_t i = 0; i < 8; i++) {
        // Far more than a pipe holds.
        const struct fault_run run = {.options = {"jobs", jobs[i % 2]},
                                      .sinks = {i % 4 < 2 ? "text" : "raw", "f"},
                                      .inputs = {"a.trace", "a.zst", "b.txt"},
                                      .repeat_count = 30};
        pthread_t reader;
        assert_int_equal(pthread_create(&reader, NULL, read_little, NULL), 0);
        const struct fault_result got = fault_go(&run);
        pthread_join(reader, NULL);
        expect(&got, "closed pipe", TP_E_PIPE, EPIPE);
    }
}

// The same on the standard output, which is never opened.
static void test_standard_output_is_closed_by_its_reader(void **state)
{
    (void)state;
    fault_make_inputs();
    int fds[2], before = dup(STDOUT_FILENO);
    fflush(stdout);
    assert_true(before >= 0 && pipe(fds) == 0);
    dup2(fds[1], STDOUT_FILENO);
    close(fds[0]);
    close(fds[1]);
    const struct fault_run run = {.sinks = {"text", "-"}, .inputs = {"b.trace"}};
    const struct fault_result got = fault_go(&run);
    dup2(before, STDOUT_FILENO);
    close(before);
    expect(&got, "standard output", TP_E_PIPE, EPIPE);
}

// ---- no room ------------------------------------------------------------------------

static void test_file_size_limit(void **state)
{
    (void)state;
    fault_make_inputs();
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 20000;
    // Outputs of many bytes for each input.
    static const char *const sinks[] = {"text", "raw", "zstd:level=1"};
    for (size_t i = 0; i < sizeof sinks / sizeof sinks[0]; i++) {
        const struct fault_run run = {.sinks = {sinks[i], "out"}, .inputs = {"a.trace", "b.trace"}};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        struct fault_result got = fault_go(&run);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        expect_own(&got, sinks[i]);
        // Small outputs may be there; temporary files are not.
        assert_int_equal(system("! ls -A out | grep -q tmp && rm -r out"), 0);
    }
}

// In a child, because the mount is for a name space of its own.
static int fill_a_file_system(void)
{
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mkdir("small", 0777) != 0 ||
        mount("tmpfs", "small", "tmpfs", 0, "size=64k") != 0)
        return 77;
    for (int i = 0; i < 2; i++) {
        const struct fault_run run = {.options = {"jobs", i == 0 ? "1" : "8"},
                                      .sinks = {"text", "small/t", "raw", "small/r"},
                                      .inputs = {"a.trace", "b.trace", "a.gz"}};
        const struct fault_result got = fault_go(&run);
        if (got.err.code != 0 || got.status != 3) {
            fprintf(stderr, "code %d, errno %d: %s\n", got.err.code, got.err.sys_errno,
                    got.err.text);
            return 1;
        }
        if (system("! find small | grep -q 'tmp$' && rm -rf small/*") != 0)
            return 2;
    }
    return 0;
}

static void test_full_file_system(void **state)
{
    (void)state;
    fault_make_inputs();
    pid_t child = fork();
    if (child == 0)
        _exit(fill_a_file_system());
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

// `names`, each with a space behind, are all there is in `out`. Removes it.
static void expect_left(const char *names)
{
    char line[200];
    snprintf(line, sizeof line, "ls -A out | tr '\\n' ' ' | grep -qx '%s'", names);
    assert_int_equal(system(line), 0);
    assert_int_equal(system("rm -rf out"), 0);
}

// ---- names ----------------------------------------------------------------------------

static void test_folder_that_may_not_be_written(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); // may write everywhere
    fault_make_inputs();
    assert_int_equal(mkdir("locked", 0555), 0);
    const struct fault_run run = {.sinks = {"text", "locked/t"}, .inputs = {"a.trace"}};
    const struct fault_result got = fault_go(&run);
    expect_own(&got, "locked folder");
}

static void test_file_where_a_folder_should_be(void **state)
{
    (void)state;
    fault_make_inputs();
    const struct fault_run run = {.sinks = {"text", "a.trace/t", "raw", "out/r"},
                                  .inputs = {"b.trace"}};
    const struct fault_result got = fault_go(&run);
    expect_own(&got, "file as folder");
    expect_left("r ");
}

// A run that waits for the FIFO `feed` with its output begun; `meanwhile` is done,
// and then the input goes on and ends.
static struct fault_result go_with(const char *force, const char *meanwhile)
{
    const struct fault_run run = {.options = {"force", force},
                                  .sinks = {"raw", "out/r", "text", "out/t"},
                                  .inputs = {"feed"}};
    size_t len_bytes;
    unsigned char *bytes = fault_read("b.trace", &len_bytes);
    if (access("feed", F_OK) != 0)
        assert_int_equal(mkfifo("feed", 0666), 0);
    struct fault_live live;
    fault_begin(&live, &run);
    int fd = open("feed", O_WRONLY | O_CLOEXEC);
    assert_int_equal(write(fd, bytes, len_bytes / 2), len_bytes / 2);
    // Both outputs are there, under temporary names.
    assert_int_equal(system("for i in $(seq 600); do"
                            "  [ $(ls -A out 2>/dev/null | wc -l) = 2 ] && exit 0; sleep 0.1;"
                            "done; exit 1"),
                     0);
    assert_int_equal(system(meanwhile), 0);
    assert_int_equal(write(fd, bytes + len_bytes / 2, len_bytes - len_bytes / 2),
                     len_bytes - len_bytes / 2);
    close(fd);
    free(bytes);
    return fault_end(&live);
}

static void test_name_is_taken_meanwhile(void **state)
{
    (void)state;
    fault_make_inputs();
    struct fault_result got = go_with("no", "mkdir out/r");
    expect_own(&got, "folder");
    expect_left("r t ");
    got = go_with("no", "echo mine > out/r");
    expect_own(&got, "file");
    expect_file("out/r", "mine\n");
    expect_left("r t ");
    got = go_with("yes", "mkdir out/r");
    expect_own(&got, "folder, by force");
    expect_left("r t ");
    got = go_with("yes", "echo mine > out/r");
    assert_int_equal(got.status, 0);
    expect_left("r t ");
}

static void test_folder_goes_away_meanwhile(void **state)
{
    (void)state;
    fault_make_inputs();
    struct fault_result got = go_with("no", "rm -r out");
    expect_own(&got, "folder removed");
    assert_int_equal(access("out", F_OK), -1);
}

// A caller that gives up: nothing is left, whatever state the run is in.
static void test_run_is_destroyed_before_its_end(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(mkfifo("silent", 0666), 0);
    for (int i = 0; i < 12; i++) {
        const struct fault_run run = {
            .options = {"io", i % 2 == 0 ? "auto" : "pread", "jobs", i % 3 == 0 ? "1" : "8"},
            .sinks = {"text", "out"},
            .inputs = {"a.trace", "a.gz", "silent", "b.txt", NULL},
        };
        struct fault_live live;
        fault_begin(&live, &run);
        assert_int_equal(live.result.err.code, 0);
        usleep((useconds_t)(i * 2000));
        tp_run_destroy(live.run);
        assert_int_equal(system("! ls -A out 2>/dev/null | grep -q tmp && rm -rf out"), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_full_device),
        SCRATCH_TEST(test_full_device_for_the_manifest),
        SCRATCH_TEST(test_reader_goes_away),
        SCRATCH_TEST(test_standard_output_is_closed_by_its_reader),
        SCRATCH_TEST(test_file_size_limit),
        SCRATCH_TEST(test_full_file_system),
        SCRATCH_TEST(test_folder_that_may_not_be_written),
        SCRATCH_TEST(test_file_where_a_folder_should_be),
        SCRATCH_TEST(test_name_is_taken_meanwhile),
        SCRATCH_TEST(test_folder_goes_away_meanwhile),
        SCRATCH_TEST(test_run_is_destroyed_before_its_end),
    };
    fault_set_up();
    // Turn these signals into errors, as programs may do.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests_name("outputs", tests, NULL, NULL);
}
