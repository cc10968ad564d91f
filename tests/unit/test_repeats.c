// Messages of one kind about many inputs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/commit/repeats.h"
#include "pipeline/core/run.h"

static struct tp_run run;
static char said[1024];

static void keep(void *ctx, enum tp_message_level level, const char *text)
{
    (void)ctx;
    size_t at = strlen(said);
    snprintf(said + at, sizeof said - at, "%d: %s\n", (int)level, text);
}

static void expect_said(const struct tp_repeats *r, const char *want)
{
    said[0] = '\0';
    run.messages.fn = keep;
    tp_repeats_say(r, &run);
    assert_string_equal(said, want);
}

static void test_inputs_count_and_not_their_messages(void **state)
{
    (void)state;
    struct tp_repeats r = {0};
    for (size_t input = 0; input < TP_REPEATS_SENT + 2; input++) {
        for (unsigned message = 0; message < 3; message++)
            assert_int_equal(tp_repeats_take(&r, input, TP_MSG_WARNING, "damage", "batch_cut"),
                             input < TP_REPEATS_SENT);
        if (input == TP_REPEATS_SENT - 1)
            expect_said(&r, "");
    }
    expect_said(&r, "1: 2 more inputs with the damage 'batch_cut' (-v shows each, --manifest FILE "
                    "keeps them)\n");
}

static void test_kinds_are_counted_apart(void **state)
{
    (void)state;
    struct tp_repeats r = {0};
    for (size_t input = 0; input <= TP_REPEATS_SENT; input++) {
        bool is_sent = input < TP_REPEATS_SENT;
        assert_int_equal(tp_repeats_take(&r, input, TP_MSG_WARNING, "loss", "event"), is_sent);
        assert_int_equal(tp_repeats_take(&r, input, TP_MSG_WARNING, "damage", "event"), is_sent);
        assert_int_equal(tp_repeats_take(&r, input, TP_MSG_ERROR, "loss", "event"), is_sent);
        // Has no kind and no line of its own, and is sent no longer than others.
        assert_int_equal(tp_repeats_take(&r, input, TP_MSG_WARNING, "loss", NULL), is_sent);
    }
    assert_true(tp_repeats_take(&r, 99, TP_MSG_WARNING, "loss", "order"));
    expect_said(&r, "1: 1 more input with the loss 'event' (-v shows each, --manifest FILE keeps "
                    "them)\n"
                    "1: 1 more input with the damage 'event' (-v shows each, --manifest FILE keeps "
                    "them)\n"
                    "2: 1 more input with the loss 'event' (-v shows each, --manifest FILE keeps "
                    "them)\n");
}

static void test_kinds_beyond_the_table_are_all_sent(void **state)
{
    (void)state;
    struct tp_repeats r = {0};
    char kinds[TP_REPEATS_KINDS + 1][8];
    for (unsigned k = 0; k <= TP_REPEATS_KINDS; k++)
        snprintf(kinds[k], sizeof kinds[k], "k%u", k);
    for (size_t input = 0; input <= TP_REPEATS_SENT; input++) {
        for (unsigned k = 0; k <= TP_REPEATS_KINDS; k++)
            assert_int_equal(tp_repeats_take(&r, input, TP_MSG_WARNING, "note", kinds[k]),
                             input < TP_REPEATS_SENT || k == TP_REPEATS_KINDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs_count_and_not_their_messages),
        cmocka_unit_test(test_kinds_are_counted_apart),
        cmocka_unit_test(test_kinds_beyond_the_table_are_all_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
