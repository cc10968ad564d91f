// The table of events from before Go 1.22 against a list of every form of every event, as
// the runtimes and the parsers of these versions have them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "decode/spec_v1.h"

// Arguments behind dseq and dt, one column for each form there was: before Go 1.5, Go 1.5
// and 1.6, and from Go 1.7 on. "-" is none, "!" no such event.
static const struct {
    uint8_t code;
    const char *name;
    uint32_t since; // in which of the later versions it came up, if not in all
    const char *go4, *go5, *go7;
} known[] = {
    {1, "Batch", 7, "p ticks", "p seq ticks", "p ticks"},
    {2, "Frequency", 7, "freq", "freq unused", "freq"},
    {3, "Stack", 7, "id nframes", "id nframes", "id nframes"},
    {4, "Gomaxprocs", 7, "procs stack", "procs stack", "procs stack"},
    {5, "ProcStart", 7, "-", "thread", "thread"},
    {6, "ProcStop", 7, "-", "-", "-"},
    {7, "GCStart", 7, "stack", "stack", "seq stack"},
    {8, "GCDone", 7, "-", "-", "-"},
    {9, "STWStart", 7, "-", "-", "-"}, // of Go 1.10: `changed`
    {10, "STWDone", 7, "-", "-", "-"},
    {11, "GCSweepStart", 7, "stack", "stack", "stack"},
    {12, "GCSweepDone", 7, "-", "-", "-"}, // of Go 1.9: `changed`
    {13, "GoCreate", 7, "g pc stack", "g pc stack", "g new_stack stack"},
    {14, "GoStart", 7, "g", "g", "g seq"},
    {15, "GoEnd", 7, "-", "-", "-"},
    {16, "GoStop", 7, "stack", "stack", "stack"},
    {17, "GoSched", 7, "stack", "stack", "stack"},
    {18, "GoPreempt", 7, "stack", "stack", "stack"},
    {19, "GoSleep", 7, "stack", "stack", "stack"},
    {20, "GoBlock", 7, "stack", "stack", "stack"},
    {21, "GoUnblock", 7, "g stack", "g stack", "g seq stack"},
    {22, "GoBlockSend", 7, "stack", "stack", "stack"},
    {23, "GoBlockRecv", 7, "stack", "stack", "stack"},
    {24, "GoBlockSelect", 7, "stack", "stack", "stack"},
    {25, "GoBlockSync", 7, "stack", "stack", "stack"},
    {26, "GoBlockCond", 7, "stack", "stack", "stack"},
    {27, "GoBlockNet", 7, "stack", "stack", "stack"},
    {28, "GoSysCall", 7, "stack", "stack", "stack"},
    {29, "GoSysExit", 7, "g", "g seq ts", "g seq ts"},
    {30, "GoSysBlock", 7, "stack", "-", "-"},
    {31, "GoWaiting", 7, "g", "g", "g"},
    {32, "GoInSyscall", 7, "g", "g", "g"},
    {33, "HeapAlloc", 7, "mem", "mem", "mem"},
    {34, "HeapGoal", 7, "mem", "mem", "mem"},
    {35, "TimerGoroutine", 7, "g", "g unused", "g"},
    {36, "FutileWakeup", 7, "!", "-", "-"},
    {37, "String", 7, "!", "!", "id"},
    {38, "GoStartLocal", 7, "!", "!", "g"},
    {39, "GoUnblockLocal", 7, "!", "!", "g stack"},
    {40, "GoSysExitLocal", 7, "!", "!", "g ts"},
    {41, "GoStartLabel", 8, "!", "!", "g seq label_string"},
    {42, "GoBlockGC", 8, "!", "!", "stack"},
    {43, "GCMarkAssistStart", 9, "!", "!", "stack"},
    {44, "GCMarkAssistDone", 9, "!", "!", "-"},
    {45, "UserTaskCreate", 11, "!", "!", "task parent_task name_string stack"},
    {46, "UserTaskEnd", 11, "!", "!", "task stack"},
    {47, "UserRegion", 11, "!", "!", "task mode name_string stack"},
    {48, "UserLog", 11, "!", "!", "task key_string stack"},
    {49, "CPUSample", 19, "!", "!", "ts p g stack"},
};

// The two that got arguments later.
static const struct {
    uint8_t code;
    uint32_t since;
    const char *args;
} changed[] = {{9, 10, "kindid"}, {12, 9, "swept reclaimed"}};

static enum tp_v1_kind kind_of(uint8_t code)
{
    switch (code) {
    case 1: case 2: case 35: return TP_V1_KIND_PLAIN;
    case 3: return TP_V1_KIND_STACK;
    case 37: return TP_V1_KIND_STRING;
    case 48: return TP_V1_KIND_LOG;
    default: return TP_V1_KIND_EVENT;
    }
}

static const char *args_of(size_t i, uint32_t minor)
{
    if (minor < 7)
        return minor == 0 ? known[i].go4 : known[i].go5;
    for (size_t k = 0; k < TP_ARRAY_LEN(changed); k++) {
        if (changed[k].code == known[i].code && minor >= changed[k].since)
            return changed[k].args;
    }
    return minor < known[i].since ? "!" : known[i].go7;
}

static void join_args(const struct tp_v1_form *f, char *to, size_t to_bytes)
{
    to[0] = '\0';
    for (unsigned i = 0; i < f->arg_count; i++) {
        size_t used = strlen(to);
        snprintf(to + used, to_bytes - used, "%s%s", i > 0 ? " " : "", f->args[i]);
    }
}

static void check_form(uint32_t minor, size_t i, const struct tp_v1_form *f)
{
    const char *args = args_of(i, minor);
    if (strcmp(args, "!") == 0) {
        assert_null(f->name);
        assert_int_equal(f->kind, TP_V1_KIND_INVALID);
        return;
    }
    enum tp_v1_kind kind = kind_of(known[i].code);
    bool is_timed = kind == TP_V1_KIND_EVENT || kind == TP_V1_KIND_LOG;
    const char *prefix = !is_timed ? "" : minor == 5 ? "dseq dt" : "dt";
    const char *rest = strcmp(args, "-") == 0 ? "" : args;
    char got[200], want[200];
    join_args(f, got, sizeof got);
    snprintf(want, sizeof want, "%s%s%s", prefix, *prefix && *rest ? " " : "", rest);
    if (f->name == NULL || strcmp(f->name, known[i].name) != 0 || strcmp(got, want) != 0)
        fail_msg("Go 1.%u: %s(%s) is not %s(%s)", minor, f->name, got, known[i].name, want);
    assert_int_equal(f->kind, kind);
    const char *last = strrchr(args, ' ');
    assert_int_equal(f->has_stack, strcmp(last != NULL ? last + 1 : args, "stack") == 0);
}

static void test_every_form_of_every_version_stands_in_the_table(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        const struct tp_v1_table *t = tp_v1_table(tp_versions[v].minor);
        unsigned listed = 0, have = 0;
        for (size_t i = 0; i < TP_ARRAY_LEN(known); i++) {
            check_form(t->minor, i, &t->forms[known[i].code]);
            listed += t->forms[known[i].code].name != NULL;
        }
        for (unsigned code = 0; code < TP_V1_CODES; code++)
            have += t->forms[code].name != NULL;
        assert_int_equal(have, listed);
    }
}

static unsigned prefix_of(const struct tp_v1_table *t, unsigned code)
{
    return tp_v1_type_is_timed(code) ? t->prefix_count : 0;
}

// TP_V1_ARG_... are places in the newest form; code that reads older forms uses them, too.
static void test_arguments_keep_their_places_in_older_forms(void **state)
{
    (void)state;
    const struct tp_v1_table *newest = tp_v1_table(21);
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        const struct tp_v1_table *t = tp_v1_table(tp_versions[v].minor);
        for (unsigned code = 0; code < TP_V1_CODES; code++) {
            const struct tp_v1_form *f = &t->forms[code], *n = &newest->forms[code];
            unsigned prefix = prefix_of(t, code), n_prefix = prefix_of(newest, code);
            // The time is the last argument of a batch, a stack of all others.
            unsigned end = f->arg_count - (f->has_stack || code == TP_V1_Batch ? 1u : 0u);
            for (unsigned i = prefix; i < end; i++) {
                for (unsigned k = n_prefix; k < n->arg_count; k++) {
                    if (strcmp(f->args[i], n->args[k]) == 0)
                        assert_int_equal(i - prefix, k - n_prefix);
                }
            }
        }
    }
    assert_int_equal(TP_V1_ARG_Batch_p, 0);
    assert_int_equal(TP_V1_ARG_GoStartLabel_label_string, 2);
    assert_int_equal(TP_V1_ARGS_GoStartLabel, 3);
    assert_int_equal(TP_V1_ARGS_GoEnd, 0);
}

static void test_versions_are_those_that_were_written(void **state)
{
    (void)state;
    static const uint32_t minors[] = {0, 5, 7, 8, 9, 10, 11, 19, 21};
    assert_int_equal(TP_ARRAY_LEN(minors), TP_V1_VERSIONS);
    size_t found = 0;
    for (uint32_t minor = 0; minor < 1000; minor++) {
        const struct tp_v1_table *t = tp_v1_table(minor);
        assert_int_equal(t != NULL, found < TP_V1_VERSIONS && minors[found] == minor);
        if (t == NULL)
            continue;
        assert_int_equal(tp_versions[found++].minor, minor);
        assert_int_equal(t->minor, minor);
        assert_int_equal(t->prefix_count, minor == 5 ? 2 : 1);
        assert_int_equal(t->frame_args, minor < 7 ? 1 : 4);
    }
    assert_int_equal(found, TP_V1_VERSIONS);
    assert_null(tp_v1_table(UINT32_MAX));
}

// The text form names events by these, whatever the version.
static void test_names_are_unique(void **state)
{
    (void)state;
    for (unsigned a = 0; a < TP_V1_CODES; a++) {
        const char *name = tp_v1_type_names[a];
        for (unsigned b = 0; name != NULL && b < a; b++) {
            if (tp_v1_type_names[b] != NULL)
                assert_string_not_equal(name, tp_v1_type_names[b]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_of_every_version_stands_in_the_table),
        cmocka_unit_test(test_arguments_keep_their_places_in_older_forms),
        cmocka_unit_test(test_versions_are_those_that_were_written),
        cmocka_unit_test(test_names_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
