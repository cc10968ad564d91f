// Which engine is chosen, and what becomes of files where the kernel refuses io_uring, in
// processes of their own.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/source.h"
#include "refuse_call.h"
#include "source_lab.h"

#ifdef TP_WITH_URING
struct refusal {
    long call;
    int sys_errno;
    const char *words;
};

static const struct refusal REFUSALS[] = {
    {__NR_io_uring_setup, EPERM, "io_uring_setup: Operation not permitted"},
    {__NR_io_uring_enter, EPERM, "io_uring_enter: Operation not permitted"},
    {__NR_io_uring_enter, ENOSYS, "io_uring_enter: Function not implemented"},
    {__NR_io_uring_enter, EACCES, "io_uring_enter: Permission denied"},
    {__NR_io_uring_enter, EAGAIN, "io_uring_enter: Resource temporarily unavailable"},
    {__NR_io_uring_enter, EINTR, "io_uring_enter: Interrupted system call"},
    {__NR_io_uring_register, EPERM,
     "io_uring cannot say what it supports: Operation not permitted"},
};

// In the child: 0 if all is as promised, else the number of the broken promise.
static int refused_child(const struct refusal *refusal)
{
    const struct tp_source_config cfg = {
        .chunk_bytes = CHUNK, .reads_per_file = 1, .max_files = 1, .threads = 1};
    struct tp_source *src = NULL;
    struct tp_error err = {0};
    char why[TP_SOURCE_WHY_BYTES] = "";
    if (!refuse_call(refusal->call, refusal->sys_errno))
        return 77;
    if (lab_open(TP_IO_URING, &cfg, &src, why, &err) != TP_E_KERNEL)
        return 1;
    if (src != NULL || err.code != TP_E_KERNEL || err.sys_errno != refusal->sys_errno)
        return 2;
    if (strncmp(err.text, refusal->words, strlen(refusal->words)) != 0)
        return 3;
    if (lab_open(TP_IO_AUTO, &cfg, &src, why, &err) != 0)
        return 5;
    if (src->ops != &tp_source_pread || strstr(why, refusal->words) == NULL)
        return 6;
    tp_source_destroy(src);
    return 0;
}

// The exit status of a child, or 128 + the signal that it died of.
static int status_of_child(pid_t child)
{
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void test_a_refused_io_uring_falls_back_to_pread(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(REFUSALS); i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(refused_child(&REFUSALS[i]));
        int status = status_of_child(child);
        if (status == 77)
            skip();
        if (status != 0)
            fail_msg("%s: %d", REFUSALS[i].words, status);
    }
}

// As lab_wait_refused and lab_wait_ended, for a child, which must not assert.
static bool child_waits(const unsigned *what, unsigned count)
{
    for (unsigned tries = 0; tries < 20000; tries++) {
        pthread_mutex_lock(&g_lab.mu);
        unsigned now = *what;
        struct tp_chunk *c = what == &g_lab.ended ? g_lab.deferred : NULL;
        if (c != NULL)
            g_lab.deferred = c->next;
        pthread_mutex_unlock(&g_lab.mu);
        if (c != NULL)
            tp_chunk_release(c);
        if (now >= count)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    }
    return false;
}

static unsigned open_fd_count(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

// In the child: the ring is refused while one file waits for a chunk, another for bytes of
// a pipe, and a third is not known yet.
static int broken_child(long also_refused, int sys_errno)
{
    struct setup s = {.kind = TP_IO_URING, .threads = 1, .reads_per_file = 2, .files = 3,
                      .chunk_count = 2};
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    unsigned fd_count = open_fd_count();
    lab_start(&s);
    g_lab.defer = true;
    make_file(&g_lab.readings[0], 9 * CHUNK);
    g_lab.readings[1].file.given_fd = ends[0];
    make_file(&g_lab.readings[2], 9 * CHUNK);
    tp_source_add(g_lab.src, &g_lab.readings[0].file);
    tp_source_add(g_lab.src, &g_lab.readings[1].file);
    if (!child_waits(&g_lab.refused, 1))
        return 6;
    if (also_refused != 0 && !refuse_call(also_refused, EPERM))
        return 77;
    if (!refuse_call(__NR_io_uring_enter, sys_errno))
        return 77;
    tp_source_add(g_lab.src, &g_lab.readings[2].file);
    if (!child_waits(&g_lab.ended, 3))
        return 7;
    for (unsigned i = 0; i < 3; i++) {
        const struct reading *rd = &g_lab.readings[i];
        if (!rd->failed || rd->err.code != TP_E_KERNEL || rd->err.sys_errno != sys_errno)
            return 2;
        if (strstr(rd->err.text, "io_uring_enter") == NULL || rd->err.path != rd->file.path)
            return 3;
    }
    if (g_lab.readings[0].len_bytes > 2 * CHUNK || g_lab.readings[1].len_bytes > 0)
        return 4;
    tp_source_destroy(g_lab.src);
    if (open_fd_count() != fd_count)
        return 8;
    return g_lab.broken != NULL ? 5 : 0;
}

static void test_a_ring_that_breaks_fails_its_files(void **state)
{
    (void)state;
    static const struct {
        long also_refused;
        int sys_errno;
    } CASES[] = {{0, EPERM}, {__NR_io_uring_register, EPERM}, {0, EINTR}};
    struct tp_error err;
    if (try_uring(&err) != 0)
        skip();
    for (size_t i = 0; i < TP_ARRAY_LEN(CASES); i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(broken_child(CASES[i].also_refused, CASES[i].sys_errno));
        int status = status_of_child(child);
        if (status == 77)
            skip();
        assert_int_equal(status, 0);
    }
}
#endif

static void test_the_choice_of_an_engine_is_explained(void **state)
{
    (void)state;
    const struct tp_source_config cfg = {
        .chunk_bytes = CHUNK, .reads_per_file = 1, .max_files = 1, .threads = 1};
    struct tp_source *src = NULL;
    char why[TP_SOURCE_WHY_BYTES] = "";
    assert_int_equal(lab_open(TP_IO_PREAD, &cfg, &src, why, NULL), 0);
    assert_ptr_equal(src->ops, &tp_source_pread);
    assert_string_equal(why, "pread, as requested");
    tp_source_destroy(src);
    assert_int_equal(lab_open(TP_IO_AUTO, &cfg, &src, why, NULL), 0);
    const char *name = src->ops == &tp_source_pread ? "pread" : "io_uring";
    assert_memory_equal(why, name, strlen(name));
    tp_source_destroy(src);
    tp_source_destroy(NULL);
}

int main(void)
{
    if (mkdtemp(g_lab_dir) == NULL)
        return 1;
    const struct CMUnitTest tests[] = {
#ifdef TP_WITH_URING
        cmocka_unit_test(test_a_refused_io_uring_falls_back_to_pread),
        cmocka_unit_test(test_a_ring_that_breaks_fails_its_files),
#endif
        cmocka_unit_test(test_the_choice_of_an_engine_is_explained),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[PATH_BYTES];
    snprintf(command, sizeof command, "rm -rf %s", g_lab_dir);
    return system(command) != 0 || failed != 0;
}
