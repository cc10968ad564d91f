// Scripts of hand-written events of one generation, and checks that their totals are the same
// wherever the events are cut, and whoever follows them. One script at a time. All functions assert
// with cmocka, so only the thread of the test may call them.
#ifndef TP_TESTS_FULL_SCRIPT_H
#define TP_TESTS_FULL_SCRIPT_H

#include "full_tables.h"

#define SCRIPT_GENERATION 3
#define SCRIPT_P 2 // the P of all events

void script_begin(void);
// Does the same for a trace with this release in its header; the function above takes 26.
void script_begin_of(uint32_t minor);
// Notes that the events contradict each other in a way that no sound trace does, so that no speculative
// tracker is adopted.
void script_contradicts(void);
// Adds an event at this time, in the context of goroutine `g` (-1: none).
void script_event(int64_t time_ns, int64_t g, uint8_t type, const uint64_t args[static 4]);
// Sums the events up in one object of sums, in two for every place of the cut, and in one for each event;
// and with each part of them followed by a speculative tracker, which is adopted if that is possible. The
// totals must always equal `want`, in the short form of full_text. Ends the script.
void script_expect(const char *want);
// Like script_expect, but checks names: all goroutines must have this name, in the rows of
// durations and in the list of single goroutines.
void script_expect_one_name(const char *name);
// Does the same as script_expect, but `want` has the name of each group of TP_SPACE_WRAPPED, with a '>' for
// the zero byte, and the sum of its lifetimes.
void script_expect_wrapped(const char *want);
// Does the same as script_expect, but `want` is the part of full_pairs_text from the first line of
// evidence up to the first one that is not.
void script_expect_evidence(const char *want);
// Does the same as script_expect, but `want` is in the form of full_breakdown_text.
void script_expect_breakdown(const char *want);
// Does the same as script_expect, but `want` is in the form of full_slow_text.
void script_expect_slow(const char *want);
// Do the same as script_expect, but `want` is in the form of full_pairs_text, or full_time_text.
void script_expect_pairs(const char *want);
void script_expect_time(const char *want);

#define EV(time_ns, g, type, ...) \
    script_event(time_ns, g, TP_EV_##type, (const uint64_t[4]){__VA_ARGS__})
#define SYNC(time_ns) script_event(time_ns, -1, TP_EVENT_SYNC, (const uint64_t[4]){1, 1})
#define TEXT(name) full_string(SCRIPT_GENERATION, TEXT_##name)
#define STACK(name) full_stack(SCRIPT_GENERATION, STACK_##name)

#endif
