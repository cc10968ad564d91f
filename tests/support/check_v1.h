// Gives events of traces from before Go 1.22 to the check (merge/v1/validate.h), one by one. For a
// test that has one check, which is a static variable here.
#ifndef TP_TEST_CHECK_V1_H
#define TP_TEST_CHECK_V1_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "merge/v1/validate.h"
#include "script_v1.h"

#define NS 42
#define OFFSET 30
#define MAX_BYTES TP_MIB(1)

static struct tp_v1_check check;
static struct tp_v1_ordered last;

static void begin(uint32_t minor)
{
    tp_v1_check_fini(&check);
    check.minor = minor;
}

static int tear_down(void **state)
{
    (void)state;
    tp_v1_check_fini(&check);
    script_v1_fini();
    return 0;
}

static int put(uint8_t type, int32_t p, uint64_t g, const uint64_t *args, struct tp_error *err)
{
    last = (struct tp_v1_ordered){.p = p, .g = g, .offset = OFFSET, .type = type};
    memcpy(last.args, args, sizeof last.args);
    return tp_v1_check(&check, &last, NS, MAX_BYTES, err);
}

// Ends the region or goroutine that the event ends, as callers of the check do afterwards.
static void end(uint8_t type, uint64_t g, const uint64_t *args)
{
    if (type == TP_V1_UserRegion && args[1] == 1)
        tp_v1_check_end_region(&check, tp_v1_check_g(&check, g), g, check.ended_region);
    if (type == TP_V1_GoEnd)
        assert_true(tp_v1_check_end_g(&check, g));
}

static void take(uint8_t type, int32_t p, uint64_t g, const uint64_t *args)
{
    struct tp_error err;
    if (put(type, p, g, args, &err) != 0)
        fail_msg("%s: %s", tp_v1_type_names[type], err.text);
    end(type, g, args);
}

static void refuse(const char *text, uint8_t type, int32_t p, uint64_t g, const uint64_t *args)
{
    struct tp_error err;
    assert_int_equal(put(type, p, g, args, &err), TP_E_ORDER);
    assert_string_equal(err.text, text);
}

// TAKE(type, p, g, arguments...): the P and the goroutine of the event, and its arguments.
#define ARGS(...) (const uint64_t[TP_V1_EVENT_ARGS]){__VA_ARGS__}
#define TAKE(type, p, g, ...) take(TP_V1_##type, p, g, ARGS(__VA_ARGS__))
#define REFUSE(text, type, p, g, ...) refuse(text, TP_V1_##type, p, g, ARGS(__VA_ARGS__))

// Goroutine 7 runs on P 0, 8 is runnable.
static void begin_running(uint32_t minor)
{
    begin(minor);
    TAKE(GoCreate, 0, 0, 7);
    TAKE(GoCreate, 0, 0, 8);
    TAKE(GoStart, 0, 7, 7);
}
#endif
