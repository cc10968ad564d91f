// Lines on stderr: which are shown, how they look, and the text of the progress.
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/msg.h"

// stderr goes into an unlinked file between the two calls. Nothing may be
// asserted in between: a failing assertion has to reach the real one.
struct capture {
    FILE *file;
    int saved_fd;
};

static void capture_start(struct capture *capture)
{
    capture->file = tmpfile();
    capture->saved_fd = dup(STDERR_FILENO);
    assert_non_null(capture->file);
    dup2(fileno(capture->file), STDERR_FILENO);
}

static void capture_expect(struct capture *capture, const char *expected)
{
    char text[1024];

    dup2(capture->saved_fd, STDERR_FILENO);
    close(capture->saved_fd);
    rewind(capture->file);
    text[fread(text, 1, sizeof(text) - 1, capture->file)] = '\0';
    fclose(capture->file);
    assert_string_equal(text, expected);
}

static void show_all_levels(struct tp_msg *msg)
{
    tp_msg_show(msg, TP_MSG_DETAIL, "a detail");
    tp_msg_show(msg, TP_MSG_WARNING, "a loss");
    tp_msg_show(msg, TP_MSG_ERROR, "a.trace: a failure");
}

static void test_levels(void **state)
{
    static const struct {
        enum tp_message_level least;
        const char *expected;
    } cases[] = {
        {TP_MSG_DETAIL, "tracepipe: a detail\ntracepipe: warning: a loss\n"
                        "tracepipe: a.trace: a failure\n"},
        {TP_MSG_WARNING, "tracepipe: warning: a loss\ntracepipe: a.trace: a failure\n"},
        {TP_MSG_ERROR, "tracepipe: a.trace: a failure\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct capture capture;
        struct tp_msg msg;
        tp_msg_init(&msg);
        msg.least = cases[i].least;
        capture_start(&capture);
        show_all_levels(&msg);
        capture_expect(&capture, cases[i].expected);
        tp_msg_fini(&msg);
    }
}

static void test_errors_are_shown_however_quiet(void **state)
{
    static const struct {
        struct tp_error err;
        const char *expected;
    } cases[] = {
        {{.code = TP_E_WRITE, .path = "x/y", .text = "no space"}, "tracepipe: x/y: no space\n"},
        {{.code = TP_E_MEMORY, .text = "out of memory"}, "tracepipe: out of memory\n"},
        {{.code = TP_E_USAGE, .text = "no such sink"},
         "tracepipe: no such sink\nTry 'tracepipe --help' for more information.\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct capture capture;
        struct tp_msg msg;
        tp_msg_init(&msg);
        msg.least = TP_MSG_ERROR;
        capture_start(&capture);
        tp_msg_error(&msg, &cases[i].err);
        capture_expect(&capture, cases[i].expected);
        tp_msg_fini(&msg);
    }
}

// Names of files are anybody's bytes: in no message may they steer the terminal.
static void test_messages_are_printable(void **state)
{
    static const char name[] = "\x1b[31m \xc2\x9b" "31m \xe2\x80\xae \xff";
    static const struct tp_error err = {.code = TP_E_WRITE, .path = name, .text = "\xc2\x85"};
    struct capture capture;
    struct tp_msg msg;

    (void)state;
    tp_msg_init(&msg);
    capture_start(&capture);
    tp_msg_show(&msg, TP_MSG_WARNING, name);
    tp_msg_error(&msg, &err);
    capture_expect(&capture, "tracepipe: warning: \\x1b[31m \\u009b31m \\u202e \\xff\n"
                             "tracepipe: \\x1b[31m \\u009b31m \\u202e \\xff: \\u0085\n");
    tp_msg_fini(&msg);
}

static void test_messages_erase_the_progress_line_once(void **state)
{
    struct capture capture;
    struct tp_msg msg;

    (void)state;
    tp_msg_init(&msg);
    msg.line_shown = true;
    capture_start(&capture);
    tp_msg_show(&msg, TP_MSG_DETAIL, "not shown, erases nothing");
    tp_msg_show(&msg, TP_MSG_ERROR, "one");
    tp_msg_show(&msg, TP_MSG_ERROR, "two");
    tp_msg_clear(&msg);
    msg.line_shown = true;
    tp_msg_clear(&msg);
    tp_msg_clear(&msg);
    capture_expect(&capture, "\r\033[Ktracepipe: one\ntracepipe: two\n\r\033[K");
    tp_msg_fini(&msg);
}

static void test_log_lines_are_whole_lines(void **state)
{
    const struct tp_progress progress = {.file_count = 2};
    struct capture capture;
    struct tp_msg msg;

    (void)state;
    tp_msg_init(&msg);
    capture_start(&capture);
    tp_msg_start(&msg);
    tp_msg_paint(&msg, &progress); // off
    msg.style = TP_PROGRESS_LOG;
    tp_msg_start(&msg);
    tp_msg_paint(&msg, &progress);
    tp_msg_clear(&msg);
    capture_expect(&capture, "tracepipe: 0/2 files, 0 B, 0 B/s\n");
    tp_msg_fini(&msg);
}

// Somebody else holds `mu` for as long as a reader of stderr is stuck: painting
// and clearing must not wait for him.
static void test_painter_never_waits(void **state)
{
    const struct tp_progress progress = {.file_count = 2};
    struct tp_msg msg;
    int fds[2];
    int saved_stderr = dup(STDERR_FILENO);

    (void)state;
    tp_msg_init(&msg);
    msg.style = TP_PROGRESS_LOG;
    pthread_mutex_lock(&msg.mu);
    tp_msg_paint(&msg, &progress);
    tp_msg_clear(&msg);
    pthread_mutex_unlock(&msg.mu);

    assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    while (write(fds[1], "x", 1) == 1)
        ;
    fcntl(fds[1], F_SETFL, 0);
    dup2(fds[1], STDERR_FILENO);
    msg.line_shown = true;
    tp_msg_paint(&msg, &progress);
    tp_msg_clear(&msg);
    dup2(saved_stderr, STDERR_FILENO);
    assert_true(msg.line_shown);
    close(fds[0]);
    close(fds[1]);
    close(saved_stderr);
    tp_msg_fini(&msg);
}

static void test_progress_text(void **state)
{
    static const struct {
        struct tp_progress progress;
        uint64_t elapsed_ms;
        double rate_per_s;
        const char *expected;
    } cases[] = {
        // Nothing known yet; a pipe; sizes known.
        {{1, 0, 0, 0}, 0, -1, "0/1 files, 0 B"},
        {{1, 0, 0, 1023}, 100, 5000, "0/1 files, 1023 B, 4.9 KiB/s"},
        {{1, 0, 10240, 1024}, 100, 1024, "0/1 files, 1.0 KiB of 10.0 KiB, 1.0 KiB/s, 0:09 left"},
        {{1, 1, 10240, 10240}, 100, 1024, "1/1 files, 10.0 KiB of 10.0 KiB, 1.0 KiB/s"},
        // 99 files to go at a second each beats the little that is known in bytes.
        {{100, 1, 2048, 1024}, 1000, 1024, "1/100 files, 1.0 KiB of 2.0 KiB, 1.0 KiB/s, 1:39 left"},
        {{1, 0, 4000ull << 30, 0}, 9, 1 << 30,
         "0/1 files, 0 B of 3.9 TiB, 1.0 GiB/s, 1:06:40 left"},
        // Stalled: no end in sight, and none is claimed.
        {{1, 0, 2048, 1024}, 9, 0, "0/1 files, 1.0 KiB of 2.0 KiB, 0 B/s"},
        {{1, 0, 1ull << 60, 0}, 9, 1, "0/1 files, 0 B of 1.0 EiB, 1 B/s"},
        {{1, 0, UINT64_MAX, 1048300}, 9, 0, "0/1 files, 1.0 MiB of 16.0 EiB, 0 B/s"},
    };
    char text[128];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tp_msg_format_progress(text, sizeof(text), &cases[i].progress,
                               cases[i].elapsed_ms * 1000000, cases[i].rate_per_s);
        assert_string_equal(text, cases[i].expected);
    }
    tp_msg_format_progress(text, 8, &cases[0].progress, 0, -1);
    assert_string_equal(text, "0/1 fil");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_errors_are_shown_however_quiet),
        cmocka_unit_test(test_messages_are_printable),
        cmocka_unit_test(test_messages_erase_the_progress_line_once),
        cmocka_unit_test(test_log_lines_are_whole_lines),
        cmocka_unit_test(test_painter_never_waits),
        cmocka_unit_test(test_progress_text),
    };
    return cmocka_run_group_tests_name("msg", tests, NULL, NULL);
}
