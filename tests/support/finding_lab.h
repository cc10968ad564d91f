// Totals of one input by hand, for tests of findings. All functions end the test on failure.
#ifndef TP_TESTS_FINDING_LAB_H
#define TP_TESTS_FINDING_LAB_H

#include "stats/evidence.h"
#include "stats/findings/judge.h"
#include "stats/totals.h"

#define FINDING_MS UINT64_C(1000000)

// The number of a name, which is added if it is new.
uint32_t finding_name(struct tp_totals *s, const char *text);
// The number of a stack of these functions, from the innermost on, NULL at the end. Its frames are
// in the file "x.go"; the first is in line 1, the next in line 2, and so on.
uint32_t finding_stack(struct tp_totals *s, const char *const *functions);
// Does the same, but the first frame is in line `line`.
uint32_t finding_stack_at(struct tp_totals *s, const char *const *functions, uint64_t line);
#define FINDING_STACK(s, ...) finding_stack((s), (const char *const[]){__VA_ARGS__, NULL})
// Adds a time of a group.
void finding_time(struct tp_totals *s, enum tp_durations_space space, const char *name,
                  uint32_t measure, uint64_t ns);
// Adds `count` pieces of evidence of `ns` each under a stack.
void finding_evidence(struct tp_totals *s, enum tp_evidence evidence, uint32_t stack,
                      unsigned count, uint64_t ns);
// Adds `count` waits of `ns` each for a pair of stacks, for the last of which the waker is to blame
// with `blamed_ns`.
void finding_wake(struct tp_totals *s, uint32_t left, uint32_t right, const char *reason,
                  unsigned count, uint64_t ns, uint64_t blamed_ns);
// Totals of an input that lasts so long, on `procs` Ps, in which one goroutine ran for 1 ns; with
// `runnable` goroutines that wait for a P in its only bucket of time.
struct tp_totals finding_input(uint64_t duration_ns, uint64_t procs, uint64_t runnable);
// Adds the row of the input, judges it, and returns the row; `input` of the second function is what
// is known of the input, else it is sound.
const struct tp_file_row *finding_judge(struct tp_totals *s);
const struct tp_file_row *finding_judge_input(struct tp_totals *s, const struct tp_judged_input *input);
// Returns the finding of this kind; NULL: there is none. Fails if there are several.
const struct tp_found *finding_of(const struct tp_totals *s, enum tp_finding_kind kind);
// Fails if the place is not this function in this line of x.go. "-": there is no place. Line 0: a
// place without a file.
void finding_expect_place(const struct tp_totals *s, const struct tp_source_place *place,
                          const char *function, uint64_t line);

#endif
