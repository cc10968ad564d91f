// Whole runs where the kernel refuses io_uring, each in a process of its own.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault_lab.h"
#include "refuse_call.h"
#include "scratch.h"

enum { NO_FILTERS = 77 };

static const long CALLS[] = {__NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register};
static const int ERRNOS[] = {EPERM, ENOSYS, EACCES};

static struct fault_run run_with(const char *engine, const char *output)
{
    return (struct fault_run){
        .options = {"io", engine},
        .sinks = {"text", output},
        .inputs = {"a.trace", "a.gz", "b.trace"},
    };
}

// In the child. The status of a run, and what it said, if it failed, on `say_fd`.
static int child_run(const char *engine, long call, int sys_errno, int say_fd)
{
    if (!refuse_call(call, sys_errno))
        return NO_FILTERS;
    const struct fault_run what = run_with(engine, "out");
    struct fault_result r = fault_go(&what);
    ssize_t n = write(say_fd, r.err.text, strlen(r.err.text));
    return n < 0 ? 100 : r.status;
}

// The exit status, or 128 + the signal the process died of.
static int go(const char *engine, long call, int sys_errno, char ret_said[512])
{
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(child_run(engine, call, sys_errno, ends[1]));
    close(ends[1]);
    ssize_t n = read(ends[0], ret_said, 511);
    ret_said[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void test_every_refusal_of_io_uring_falls_back_to_pread(void **state)
{
    (void)state;
    char said[512];
    fault_make_inputs();
    const struct fault_run sound = run_with("pread", "out");
    assert_int_equal(fault_go(&sound).status, 0);
    fault_keep_reference();
    for (size_t c = 0; c < sizeof CALLS / sizeof CALLS[0]; c++) {
        for (size_t e = 0; e < sizeof ERRNOS / sizeof ERRNOS[0]; e++) {
            int status = go("auto", CALLS[c], ERRNOS[e], said);
            if (status == NO_FILTERS)
                skip();
            assert_int_equal(status, 0);
            fault_check_outputs("refused io_uring", true);
        }
    }
}

static void test_a_refusal_of_io_uring_that_was_asked_for_is_told(void **state)
{
    (void)state;
    char said[512];
    fault_make_inputs();
    for (size_t c = 0; c < sizeof CALLS / sizeof CALLS[0]; c++) {
        int status = go("uring", CALLS[c], EPERM, said);
        if (status == NO_FILTERS)
            skip();
        assert_int_equal(status, 3);
        assert_non_null(strstr(said, "io_uring"));
        assert_non_null(strstr(said, "--io auto"));
    }
}

int main(void)
{
    fault_set_up();
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_every_refusal_of_io_uring_falls_back_to_pread),
        SCRATCH_TEST(test_a_refusal_of_io_uring_that_was_asked_for_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
