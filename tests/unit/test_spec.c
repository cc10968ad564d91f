// The table of events: what every row promises, and the limits of each format.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "decode/spec.h"
#include "wire_build.h"

// Every row as Go 1.26 lists it (internal/trace/tracev2), apart from the table. Only
// ClockSnapshot, which Go calls timed though no reader shows it, is STRUCT here.
static const struct {
    uint8_t code;
    const char *name;
    uint32_t since;
    enum tp_wire_kind kind;
    const char *args; // joined by blanks
} known[] = {
    {1, "EventBatch", 22, TP_WIRE_STRUCT, "gen m time size"},
    {2, "Stacks", 22, TP_WIRE_STRUCT, ""},
    {3, "Stack", 22, TP_WIRE_STACK, "id nframes"},
    {4, "Strings", 22, TP_WIRE_STRUCT, ""},
    {5, "String", 22, TP_WIRE_DATA, "id"},
    {6, "CPUSamples", 22, TP_WIRE_STRUCT, ""},
    {7, "CPUSample", 22, TP_WIRE_STRUCT, "time m p g stack"},
    {8, "Frequency", 22, TP_WIRE_STRUCT, "freq"},
    {9, "ProcsChange", 22, TP_WIRE_TIMED, "dt procs_value stack"},
    {10, "ProcStart", 22, TP_WIRE_TIMED, "dt p p_seq"},
    {11, "ProcStop", 22, TP_WIRE_TIMED, "dt"},
    {12, "ProcSteal", 22, TP_WIRE_TIMED, "dt p p_seq m"},
    {13, "ProcStatus", 22, TP_WIRE_TIMED, "dt p pstatus"},
    {14, "GoCreate", 22, TP_WIRE_TIMED, "dt new_g new_stack stack"},
    {15, "GoCreateSyscall", 22, TP_WIRE_TIMED, "dt new_g"},
    {16, "GoStart", 22, TP_WIRE_TIMED, "dt g g_seq"},
    {17, "GoDestroy", 22, TP_WIRE_TIMED, "dt"},
    {18, "GoDestroySyscall", 22, TP_WIRE_TIMED, "dt"},
    {19, "GoStop", 22, TP_WIRE_TIMED, "dt reason_string stack"},
    {20, "GoBlock", 22, TP_WIRE_TIMED, "dt reason_string stack"},
    {21, "GoUnblock", 22, TP_WIRE_TIMED, "dt g g_seq stack"},
    {22, "GoSyscallBegin", 22, TP_WIRE_TIMED, "dt p_seq stack"},
    {23, "GoSyscallEnd", 22, TP_WIRE_TIMED, "dt"},
    {24, "GoSyscallEndBlocked", 22, TP_WIRE_TIMED, "dt"},
    {25, "GoStatus", 22, TP_WIRE_TIMED, "dt g m gstatus"},
    {26, "STWBegin", 22, TP_WIRE_TIMED, "dt kind_string stack"},
    {27, "STWEnd", 22, TP_WIRE_TIMED, "dt"},
    {28, "GCActive", 22, TP_WIRE_TIMED, "dt gc_seq"},
    {29, "GCBegin", 22, TP_WIRE_TIMED, "dt gc_seq stack"},
    {30, "GCEnd", 22, TP_WIRE_TIMED, "dt gc_seq"},
    {31, "GCSweepActive", 22, TP_WIRE_TIMED, "dt p"},
    {32, "GCSweepBegin", 22, TP_WIRE_TIMED, "dt stack"},
    {33, "GCSweepEnd", 22, TP_WIRE_TIMED, "dt swept_value reclaimed_value"},
    {34, "GCMarkAssistActive", 22, TP_WIRE_TIMED, "dt g"},
    {35, "GCMarkAssistBegin", 22, TP_WIRE_TIMED, "dt stack"},
    {36, "GCMarkAssistEnd", 22, TP_WIRE_TIMED, "dt"},
    {37, "HeapAlloc", 22, TP_WIRE_TIMED, "dt heapalloc_value"},
    {38, "HeapGoal", 22, TP_WIRE_TIMED, "dt heapgoal_value"},
    {39, "GoLabel", 22, TP_WIRE_TIMED, "dt label_string"},
    {40, "UserTaskBegin", 22, TP_WIRE_TIMED, "dt task parent_task name_string stack"},
    {41, "UserTaskEnd", 22, TP_WIRE_TIMED, "dt task stack"},
    {42, "UserRegionBegin", 22, TP_WIRE_TIMED, "dt task name_string stack"},
    {43, "UserRegionEnd", 22, TP_WIRE_TIMED, "dt task name_string stack"},
    {44, "UserLog", 22, TP_WIRE_TIMED, "dt task key_string value_string stack"},
    {45, "GoSwitch", 23, TP_WIRE_TIMED, "dt g g_seq"},
    {46, "GoSwitchDestroy", 23, TP_WIRE_TIMED, "dt g g_seq"},
    {47, "GoCreateBlocked", 23, TP_WIRE_TIMED, "dt new_g new_stack stack"},
    {48, "GoStatusStack", 23, TP_WIRE_TIMED, "dt g m gstatus stack"},
    {49, "ExperimentalBatch", 23, TP_WIRE_DATA, "exp gen m time"},
    {50, "Sync", 25, TP_WIRE_STRUCT, ""},
    {51, "ClockSnapshot", 25, TP_WIRE_STRUCT, "dt mono sec nsec"},
    {52, "EndOfGeneration", 26, TP_WIRE_STRUCT, ""},
    {128, "Span", 23, TP_WIRE_EXP, "dt id npages_value kindclass"},
    {129, "SpanAlloc", 23, TP_WIRE_EXP, "dt id npages_value kindclass"},
    {130, "SpanFree", 23, TP_WIRE_EXP, "dt id"},
    {131, "HeapObject", 23, TP_WIRE_EXP, "dt id type"},
    {132, "HeapObjectAlloc", 23, TP_WIRE_EXP, "dt id type"},
    {133, "HeapObjectFree", 23, TP_WIRE_EXP, "dt id"},
    {134, "GoroutineStack", 23, TP_WIRE_EXP, "dt id order"},
    {135, "GoroutineStackAlloc", 23, TP_WIRE_EXP, "dt id order"},
    {136, "GoroutineStackFree", 23, TP_WIRE_EXP, "dt id"},
};

static void join_args(const struct tp_event_spec *s, char *to, size_t to_bytes)
{
    to[0] = '\0';
    for (unsigned i = 0; i < s->arg_count; i++) {
        if (i > 0)
            strncat(to, " ", to_bytes - strlen(to) - 1);
        strncat(to, s->args[i], to_bytes - strlen(to) - 1);
    }
}

static void test_every_row_stands_in_the_table(void **state)
{
    (void)state;
    unsigned have = 0;
    for (unsigned code = 0; code < TP_EVENT_CODES; code++)
        have += tp_event_specs[code].name != NULL;
    assert_int_equal(have, TP_ARRAY_LEN(known));
    for (size_t i = 0; i < TP_ARRAY_LEN(known); i++) {
        const struct tp_event_spec *s = &tp_event_specs[known[i].code];
        char args[200];
        assert_non_null(s->name);
        join_args(s, args, sizeof args);
        assert_string_equal(s->name, known[i].name);
        assert_string_equal(args, known[i].args);
        assert_int_equal(s->since, known[i].since);
        assert_int_equal(s->kind, known[i].kind);
    }
}

static void test_codes_are_those_of_the_wire(void **state)
{
    (void)state;
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        bool is_regular = code > TP_EV_NONE && code < TP_EV_REGULAR_END;
        bool is_experimental = code >= 128 && code < TP_EV_EXPERIMENTAL_END;
        const struct tp_event_spec *s = &tp_event_specs[code];
        if ((s->name != NULL) != (is_regular || is_experimental))
            fail_msg("code %u", code);
        assert_int_equal(s->kind == TP_WIRE_INVALID, s->name == NULL);
        assert_int_equal(s->kind == TP_WIRE_EXP, is_experimental);
    }
}

static void test_names_are_unique_and_plain(void **state)
{
    (void)state;
    for (unsigned a = 0; a < TP_EVENT_CODES; a++) {
        const char *name = tp_event_specs[a].name;
        for (unsigned b = 0; name != NULL && b < a; b++) {
            if (tp_event_specs[b].name != NULL)
                assert_string_not_equal(name, tp_event_specs[b].name);
        }
        // The text form splits at anything else.
        if (name != NULL)
            assert_int_equal(strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
                             strlen(name));
    }
}

static bool is_known_type(const char *arg)
{
    static const char *const types[] = {
        "dt", "gen", "m", "time", "size", "id", "nframes", "p", "g", "stack", "freq", "value",
        "seq", "pstatus", "gstatus", "string", "task", "exp", "mono", "sec", "nsec", "kindclass",
        "type", "order"};
    const char *underscore = strrchr(arg, '_');
    const char *type = underscore != NULL ? underscore + 1 : arg;
    for (size_t i = 0; i < TP_ARRAY_LEN(types); i++) {
        if (strcmp(types[i], type) == 0)
            return true;
    }
    return false;
}

static void test_arguments_are_five_at_most_with_the_delta_first(void **state)
{
    (void)state;
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        const struct tp_event_spec *s = &tp_event_specs[code];
        assert_in_range(s->arg_count, 0, TP_MAX_EVENT_ARGS);
        for (unsigned i = 0; i < TP_MAX_EVENT_ARGS; i++)
            assert_int_equal(s->args[i] != NULL, i < s->arg_count);
        for (unsigned i = 0; i < s->arg_count; i++) {
            if (!is_known_type(s->args[i]))
                fail_msg("%s: %s", s->name, s->args[i]);
            for (unsigned k = 0; k < i; k++)
                assert_string_not_equal(s->args[i], s->args[k]);
        }
        if (s->kind == TP_WIRE_TIMED || s->kind == TP_WIRE_EXP) {
            assert_true(s->arg_count >= 1);
            assert_string_equal(s->args[0], "dt");
        }
    }
    assert_int_equal(TP_WIRE_ARG_GoBlock_dt, TP_WIRE_ARG_DT);
    assert_int_equal(TP_WIRE_ARG_CPUSample_stack, 4);
    assert_int_equal(TP_WIRE_ARGS_CPUSample, 5);
    assert_int_equal(TP_WIRE_ARGS_Sync, 0);
    assert_string_equal(tp_frame_arg_names[0], "pc");
    assert_string_equal(tp_frame_arg_names[TP_FRAME_ARGS - 1], "line");
}

static void test_formats_are_the_four_that_exist(void **state)
{
    (void)state;
    for (uint32_t minor = 0; minor < 1000; minor++)
        assert_int_equal(tp_version_is_v2(minor),
                         minor == 22 || minor == 23 || minor == 25 || minor == 26);
    assert_false(tp_version_is_v2(UINT32_MAX));
}

static void test_lenient_tables_know_what_each_format_has(void **state)
{
    (void)state;
    static const struct {
        uint32_t minor;
        unsigned regular_end;
        bool has_experiments;
    } rows[] = {{22, 45, false}, {23, 50, true}, {25, 52, true}, {26, 53, true}};
    for (size_t v = 0; v < TP_ARRAY_LEN(rows); v++) {
        const struct tp_arg_table *t = tp_arg_table(rows[v].minor, TP_DIALECT_LENIENT);
        for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
            bool is_known = (code > 0 && code < rows[v].regular_end) ||
                            (code >= 128 && code < 137 && rows[v].has_experiments);
            if (is_known)
                assert_int_equal(t->count[code], tp_event_specs[code].arg_count);
            else
                assert_int_equal(t->count[code], TP_ARGS_INVALID);
        }
    }
}

// Go's raw reader ends its tables where the regular codes of a version end, but
// for 26, where it goes on to the experimental ones and has a hole between.
static void test_raw_tables_end_where_go_ends_them(void **state)
{
    (void)state;
    static const struct {
        uint32_t minor;
        unsigned end;
    } rows[] = {{22, 45}, {23, 50}, {25, 52}, {26, 137}};
    for (size_t v = 0; v < TP_ARRAY_LEN(rows); v++) {
        const struct tp_arg_table *t = tp_arg_table(rows[v].minor, TP_DIALECT_GO_RAW);
        for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
            unsigned want = code == 0 || code >= rows[v].end ? TP_ARGS_INVALID
                            : tp_event_specs[code].name == NULL ? 0
                                                                : tp_event_specs[code].arg_count;
            assert_int_equal(t->count[code], want);
        }
    }
}

static void test_narrower_tables_leave_out_what_they_say(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        for (int dialect = TP_DIALECT_LENIENT; dialect <= TP_DIALECT_GO_RAW; dialect++) {
            const struct tp_arg_table *t = tp_arg_table(wire_versions[v], (enum tp_dialect)dialect);
            for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
                uint8_t kind = tp_event_specs[code].kind, count = t->count[code];
                bool has_tail = kind == TP_WIRE_STACK || kind == TP_WIRE_DATA;
                bool is_timed = kind == TP_WIRE_TIMED || kind == TP_WIRE_EXP;
                assert_int_equal(t->plain[code], has_tail ? TP_ARGS_INVALID : count);
                assert_int_equal(t->timed[code], is_timed ? count : TP_ARGS_INVALID);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_stands_in_the_table),
        cmocka_unit_test(test_codes_are_those_of_the_wire),
        cmocka_unit_test(test_names_are_unique_and_plain),
        cmocka_unit_test(test_arguments_are_five_at_most_with_the_delta_first),
        cmocka_unit_test(test_formats_are_the_four_that_exist),
        cmocka_unit_test(test_lenient_tables_know_what_each_format_has),
        cmocka_unit_test(test_raw_tables_end_where_go_ends_them),
        cmocka_unit_test(test_narrower_tables_leave_out_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
