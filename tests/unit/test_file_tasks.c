// Tasks by file: each input's apart, with limits and in states like all names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "stats/file_tasks.h"
#include "state_lab.h"

#define BYTES(text) text, sizeof(text) - 1

static void add_task(struct tp_totals *s, const char *name, uint64_t ns)
{
    uint32_t number;
    assert_true(tp_totals_name(s, TP_SPACE_TASK, tp_span_of_text(name), &number));
    assert_true(tp_durations_record(&s->durations, TP_SPACE_TASK, number, 0, ns, TP_NO_MOMENT, false));
}

// Returns the tasks with this name; NULL: there are none.
static const struct tp_dist *tasks_of(const struct tp_totals *s, struct tp_span text)
{
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_FILE_TASK && g->dist_count > 0 &&
            tp_span_compare(tp_totals_group_name(s, g), text) == 0)
            return g->dists[0];
    }
    return NULL;
}

static void expect_tasks(const struct tp_totals *s, struct tp_span text, uint64_t count,
                         uint64_t total_ns)
{
    const struct tp_dist *d = tasks_of(s, text);
    assert_non_null(d);
    assert_true(d->count == count && d->total_ns == total_ns);
}

// Moves the totals of an input with this path to those of the run.
static void end_input(struct tp_totals *run, struct tp_totals *input, const char *path)
{
    struct tp_error err;
    input->file_count = 1;
    assert_true(tp_totals_add_file(input, path));
    assert_int_equal(tp_totals_move(run, input, &err), 0);
    tp_totals_fini(input);
}

static void test_tasks_of_two_files(void **state)
{
    struct tp_totals run = {0}, a = {0}, b = {0};
    (void)state;
    add_task(&a, "t", 5);
    add_task(&a, "t", 7);
    add_task(&a, "", 1);
    end_input(&run, &a, "a");
    add_task(&b, "t", 100);
    end_input(&run, &b, "b");
    expect_tasks(&run, tp_span_of(BYTES("a\0t")), 2, 12);
    expect_tasks(&run, tp_span_of(BYTES("a\0")), 1, 1);
    expect_tasks(&run, tp_span_of(BYTES("b\0t")), 1, 100);
    assert_null(tasks_of(&run, tp_span_of(BYTES("b\0"))));
    // The same file again is no other one.
    struct tp_totals again = {0};
    add_task(&again, "t", 100);
    end_input(&run, &again, "b");
    expect_tasks(&run, tp_span_of(BYTES("b\0t")), 2, 200);
    // A state has them, and what is read is what was written.
    struct state_bytes bytes = state_of(&run);
    struct tp_totals copy;
    struct tp_error err;
    assert_int_equal(tp_totals_read(tp_span_of(bytes.ptr, bytes.len_bytes), &copy, &err), 0);
    expect_tasks(&copy, tp_span_of(BYTES("a\0t")), 2, 12);
    struct state_bytes written = state_of(&copy);
    assert_true(state_is_same(&bytes, &written));
    tp_free(bytes.ptr);
    tp_free(written.ptr);
    tp_totals_fini(&copy);
    tp_totals_fini(&run);
}

// Adds a file with this many names of tasks, one of 1 ns for each.
static void add_many(struct tp_totals *run, const char *path, unsigned count)
{
    struct tp_totals input = {0};
    for (unsigned i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "task %u", i);
        add_task(&input, name, 1);
    }
    end_input(run, &input, path);
}

static uint64_t kept_count(const struct tp_totals *s)
{
    return s->kept[TP_SPACE_FILE_TASK].count;
}

// Which ones are kept does not depend on the order; no data is lost.
static void test_more_than_are_kept(void **state)
{
    struct tp_totals run = {0}, other = {0};
    (void)state;
    add_many(&run, "a", TP_TOTALS_NAMES_MAX + 100);
    expect_tasks(&run, tp_span_of_text("(others)"), 100, 100);
    assert_int_equal(kept_count(&run), TP_TOTALS_NAMES_MAX);
    add_many(&run, "b", 1000);
    assert_int_equal(kept_count(&run), TP_TOTALS_NAMES_MAX);
    expect_tasks(&run, tp_span_of_text("(others)"), 1100, 1100);
    add_many(&other, "b", 1000);
    add_many(&other, "a", TP_TOTALS_NAMES_MAX + 100);
    struct state_bytes one = state_of(&run), two = state_of(&other);
    assert_true(state_is_same(&one, &two));
    tp_free(one.ptr);
    tp_free(two.ptr);
    tp_totals_fini(&run);
    tp_totals_fini(&other);
}

// STATES

// The only row of the durations, of this kind and name: one task of 5 ns.
#define GROUP(kind_and_name) TP_SECTION_durations, BYTES("\1" kind_and_name "\0\0\1\5\5\0\0\0\1\5\1")
static void expect_refused(struct state_section names, struct state_section groups,
                           const char *want)
{
    const struct state_section sections[] = {
        {TP_SECTION_totals, STATE_TOTALS("\1\0\0\0\0\0\1\5")}, names, groups};
    struct state_bytes b = state_of_sections(sections, TP_ARRAY_LEN(sections));
    struct tp_totals s = {0};
    struct tp_error err = {0};
    int rc = tp_totals_read(tp_span_of(b.ptr, b.len_bytes), &s, &err);
    if (want == NULL)
        assert_int_equal(rc, 0);
    else if (rc == 0 || strstr(err.text, want) == NULL)
        fail_msg("\"%s\", not \"%s\"", err.text, want);
    tp_totals_fini(&s);
    tp_free(b.ptr);
}

static void test_states_by_hand(void **state)
{
    const struct state_section names = {TP_SECTION_names, BYTES("\1\3a\0t")};
    (void)state;
    expect_refused(names, (struct state_section){GROUP("\xc\1")}, NULL);
    expect_refused(names, (struct state_section){GROUP("\x9\1")}, "no such pair of stacks");
    expect_refused(names, (struct state_section){GROUP("\xa\1")}, "no such kind");
    expect_refused(names, (struct state_section){GROUP("\xb\1")}, "no such kind");
    expect_refused(names, (struct state_section){GROUP("\xf\1")}, "no such kind");
    expect_refused((struct state_section){TP_SECTION_names, BYTES("\1\1a")},
                   (struct state_section){GROUP("\xd\1")}, "a wrapper of no function");
    expect_refused(names, (struct state_section){GROUP("\xc\2")}, "no such name");
    expect_refused(names, (struct state_section){GROUP("\xc\0")}, "fewer names than the limit");
    expect_refused((struct state_section){TP_SECTION_names, BYTES("\1\1a")},
                   (struct state_section){GROUP("\xc\1")}, "tasks without a file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks_of_two_files),
        cmocka_unit_test(test_more_than_are_kept),
        cmocka_unit_test(test_states_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
