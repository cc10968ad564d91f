#include "out_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct tp_outfile *must_open(const char *path, enum tp_out_clash clash)
{
    struct tp_outfile *out = NULL;
    struct tp_error err = {0};
    if (tp_out_open(path, 0, clash, &out, &err) != 0)
        fail_msg("%s", err.text);
    return out;
}

struct tp_outfile *must_start(const char *path, enum tp_out_clash clash, const char *text)
{
    struct tp_outfile *out = must_open(path, clash);
    assert_int_equal(tp_out_write(out, text, strlen(text), NULL), 0);
    return out;
}

void expect_refusal(const char *path, enum tp_out_clash clash, int code, int sys_errno)
{
    struct tp_outfile *out = NULL;
    struct tp_error err = {0};
    assert_int_equal(tp_out_open(path, 0, clash, &out, &err), code);
    assert_null(out);
    assert_int_equal(err.code, code);
    assert_int_equal(err.sys_errno, sys_errno);
    assert_true(strlen(err.text) > 0);
}

void expect_commit(struct tp_outfile *out, int code, int sys_errno)
{
    struct tp_error err = {0};
    assert_int_equal(tp_out_commit(out, &err), code);
    assert_int_equal(err.code, code);
    assert_int_equal(err.sys_errno, sys_errno);
}
