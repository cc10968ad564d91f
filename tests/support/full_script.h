// One generation of hand-written events, and checks of their totals for every cut into
// partials. One script at a time. Asserts with cmocka, so only for the test's own thread.
#ifndef TP_TESTS_FULL_SCRIPT_H
#define TP_TESTS_FULL_SCRIPT_H

#include "full_tables.h"

#define SCRIPT_GENERATION 3
#define SCRIPT_P 2 // of all events

void script_begin(void);
// Adds an event at this time, in the context of goroutine `g` (-1: none).
void script_event(int64_t time_ns, int64_t g, uint8_t type, const uint64_t args[static 4]);
// Adds up the events in one partial, in two partials for every place of the cut, and one by
// one. Each way must give `want`, in the short form of full_text. Ends the script.
void script_expect(const char *want);
// As script_expect, but expects that all goroutines have this name, both in the rows of
// `lifetime` and in the rows of their activities.
void script_expect_one_name(const char *name);
// As script_expect, for full_time_text.
void script_expect_time(const char *want);

#define EV(time_ns, g, type, ...) \
    script_event(time_ns, g, TP_EV_##type, (const uint64_t[4]){__VA_ARGS__})
#define SYNC(time_ns) script_event(time_ns, -1, TP_EVENT_SYNC, (const uint64_t[4]){1, 1})
#define TEXT(name) full_string(SCRIPT_GENERATION, TEXT_##name)
#define STACK(name) full_stack(SCRIPT_GENERATION, STACK_##name)

#endif
