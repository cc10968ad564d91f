#include "finding_lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

uint32_t finding_name(struct tp_totals *s, const char *text)
{
    uint32_t name = tp_intern_put(&s->names, tp_span_of_text(text));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

uint32_t finding_stack(struct tp_totals *s, const char *const *functions)
{
    return finding_stack_at(s, functions, 1);
}

uint32_t finding_stack_at(struct tp_totals *s, const char *const *functions, uint64_t line)
{
    uint32_t frames[16], count = 0;
    for (; functions[count] != NULL; count++) {
        struct tp_totals_frame frame = {.line = line + count,
                                        .function = finding_name(s, functions[count]),
                                        .file = finding_name(s, "x.go")};
        frames[count] = tp_totals_frames_put(&s->frames, &s->names, &frame);
        assert_int_not_equal(frames[count], TP_INTERN_NONE);
    }
    uint32_t stack = tp_totals_add_stack(s, frames, count);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    return stack;
}

void finding_time(struct tp_totals *s, enum tp_durations_space space, const char *name,
                  uint32_t measure, uint64_t ns)
{
    uint32_t number = finding_name(s, name);
    assert_true(tp_durations_record(&s->durations, space, number, measure, ns, TP_NO_MOMENT, false));
}

void finding_evidence(struct tp_totals *s, enum tp_evidence evidence, uint32_t stack,
                      unsigned count, uint64_t ns)
{
    uint32_t none = tp_totals_add_stack(s, NULL, 0);
    assert_int_not_equal(none, TP_INTERN_NONE);
    uint32_t pair = tp_totals_put_pair(s, stack, none);
    assert_int_not_equal(pair, TP_INTERN_NONE);
    for (unsigned i = 0; i < count; i++)
        assert_true(tp_totals_record_pair(s, TP_SPACE_EVIDENCE, pair, evidence, ns, TP_NO_MOMENT));
}

void finding_wake(struct tp_totals *s, uint32_t left, uint32_t right, const char *reason,
                  unsigned count, uint64_t ns, uint64_t blamed_ns)
{
    uint32_t number = tp_intern_put(&s->reasons, tp_span_of_text(reason));
    uint32_t pair = tp_totals_put_pair(s, left, right);
    assert_true(number != TP_INTERN_NONE && pair != TP_INTERN_NONE);
    for (unsigned i = 0; i < count; i++)
        assert_true(tp_totals_record_pair(s, TP_SPACE_WAKE, pair, TP_MEASURE_FIRST_BLOCK + number,
                                          ns, TP_NO_MOMENT));
    assert_true(
        tp_totals_record_pair_sum(s, TP_SPACE_WAKE, pair, TP_WAKE_BLAMED, 1, blamed_ns));
}

struct tp_totals finding_input(uint64_t duration_ns, uint64_t procs, uint64_t runnable)
{
    struct tp_totals s = {.file_count = 1, .duration_ns = duration_ns, .stream_bytes = 100};
    struct tp_timeline_bucket bucket = {{0}};
    bucket.totals[TP_LEVEL_GOMAXPROCS] = (tp_wide)procs * duration_ns;
    bucket.totals[TP_LEVEL_GOMAXPROCS_KNOWN] = bucket.totals[TP_LEVEL_COVERED] = duration_ns;
    bucket.totals[TP_LEVEL_RUNNABLE] = (tp_wide)runnable * duration_ns;
    assert_true(TP_LIST_ADD(&s.timeline.buckets, bucket));
    finding_time(&s, TP_SPACE_GOROUTINE, "main.main", TP_MEASURE_RUN, 1);
    return s;
}

const struct tp_file_row *finding_judge(struct tp_totals *s)
{
    return finding_judge_input(s, &(struct tp_judged_input){0});
}

const struct tp_file_row *finding_judge_input(struct tp_totals *s,
                                              const struct tp_judged_input *input)
{
    assert_true(tp_totals_add_file(s, "t.trace"));
    assert_true(tp_findings_judge(s, input));
    return &s->files.items[s->files.count - 1];
}

const struct tp_found *finding_of(const struct tp_totals *s, enum tp_finding_kind kind)
{
    const struct tp_found *found = NULL;
    for (uint32_t i = 0; i < s->found.count; i++) {
        if (s->found.items[i].kind != (uint32_t)kind)
            continue;
        assert_null(found);
        found = &s->found.items[i];
    }
    return found;
}

void finding_expect_place(const struct tp_totals *s, const struct tp_source_place *place,
                          const char *function, uint64_t line)
{
    if (strcmp(function, "-") == 0) {
        assert_int_equal(place->function, TP_INTERN_NONE);
        return;
    }
    assert_int_not_equal(place->function, TP_INTERN_NONE);
    struct tp_span text = tp_intern_text(&s->names, place->function);
    if (!tp_span_is(text, function))
        fail_msg("%.*s, not %s", (int)text.len_bytes, (const char *)text.ptr, function);
    assert_int_equal(place->line, line);
    assert_true((line > 0) == (place->file != TP_INTERN_NONE));
}
