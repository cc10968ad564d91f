// Events written by hand, one generation of them, and what they come to wherever they are
// cut. Asserts with cmocka.
#ifndef TP_TESTS_FULL_SCRIPT_H
#define TP_TESTS_FULL_SCRIPT_H

#include "full_tables.h"

#define SCRIPT_GENERATION 3
#define SCRIPT_P 2 // of all events

void script_begin(void);
// At this time, in the context of this goroutine (-1: none).
void script_event(int64_t time_ns, int64_t g, uint8_t type, const uint64_t args[static 4]);
// Adds up the events in one partial, in two with any place for the cut, and one by one: all
// must come to `want`, which is full_text's short form. Ends the script.
void script_expect(const char *want);
// The same, but all goroutines are of this name, in `lifetime` as in what they did.
void script_expect_one_name(const char *name);
// The same for full_time_text.
void script_expect_time(const char *want);

#define EV(time_ns, g, type, ...) \
    script_event(time_ns, g, TP_EV_##type, (const uint64_t[4]){__VA_ARGS__})
#define SYNC(time_ns) script_event(time_ns, -1, TP_EVENT_SYNC, (const uint64_t[4]){1, 1})
#define TEXT(name) full_string(SCRIPT_GENERATION, TEXT_##name)
#define STACK(name) full_stack(SCRIPT_GENERATION, STACK_##name)

#endif
