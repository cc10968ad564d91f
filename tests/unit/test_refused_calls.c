// System calls that a filter refuses, as in containers: a message names the call, or the run does
// without it. Each case runs in a process of its own.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/time/zone.h"
#include "refuse_call.h"
#include "tracepipe/tracepipe.h"

// The exit status of a child that runs `promise`, which returns 0 or what is broken, where the
// kernel refuses the call. Skips the test if there are no filters.
static void expect_kept(long call, int (*promise)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(refuse_call(call, EPERM) ? promise() : 77);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int fails(const char *words)
{
    struct tp_error err;
    struct tp_run *run = NULL;
    if (tp_run_create(&run, &err) != 0 || tp_run_add_sink(run, "list", NULL, &err) != 0)
        return 1;
    (void)tp_run_start(run, &err);
    if (!tp_run_wait(run, -1))
        return 2;
    bool is_named = strcmp(tp_run_error(run)->text, words) == 0;
    int status = tp_run_exit_status(run);
    tp_run_destroy(run);
    return !is_named || status != 3;
}

static int without_poll(void)
{
    return fails("poll: Operation not permitted");
}

static int without_fcntl(void)
{
    return fails("standard output: fcntl: Operation not permitted");
}

// Time zones are read without it.
static int zone_without_fcntl(void)
{
    struct tp_zone z;
    struct tp_error err;
    if (tp_zone_load(&z, "local", &err) != 0)
        return 1;
    tp_zone_fini(&z);
    return tp_zone_load(&z, "No/Such_Zone", &err) != TP_E_USAGE;
}

static void test_poll(void **state)
{
    (void)state;
#ifdef __NR_poll
    expect_kept(__NR_poll, without_poll);
#else // younger machines have ppoll alone
    expect_kept(__NR_ppoll, without_poll);
#endif
}

static void test_fcntl(void **state)
{
    (void)state;
    expect_kept(__NR_fcntl, without_fcntl);
    expect_kept(__NR_fcntl, zone_without_fcntl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poll),
        cmocka_unit_test(test_fcntl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
