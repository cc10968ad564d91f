// Traces written by hand, event by event, and their summaries. One trace at a time, for the
// test's own thread; a failure ends the test.
#ifndef TP_TESTS_SUMMARY_LAB_H
#define TP_TESTS_SUMMARY_LAB_H

#include "sink/stats/summary_print.h"

// Ids of the strings of the tables. The outermost frame of stack N is in the function whose name is
// string N, at the PC 0x100 + N.
enum {
    LAB_FOREVER = 1,
    LAB_CHAN,      // "chan receive"
    LAB_SYSCALL,   // "syscall"
    LAB_MAIN,      // "main.work"
    LAB_RUNTIME,   // "runtime.gc"
    LAB_KIND,      // "GC mark"
    LAB_REGION,    // "region"
    LAB_INNER,     // "inner"
    LAB_BAD,       // not UTF-8
    LAB_ODD,       // characters that must be escaped, and some that need not
    LAB_STRING_END
};

// Returns the tables of all traces, with one hold for the caller.
struct tp_tables *lab_tables_make(void);

// THE TRACE

struct lab {
    struct tp_event events[4096];
    size_t event_count;
    int64_t now_ns;
    int64_t p, g;          // context of the next event; -1: none
    struct tp_tables *tables;
    size_t repeats;        // how many times the events are summed up in a row
    char *output;          // the last printed summary, ended by NUL
    size_t output_bytes;
};

int lab_set_up(void **state);  // for cmocka: *state becomes a lab with an empty trace
int lab_tear_down(void **state);

void lab_add(struct lab *l, uint8_t type, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
// Sets time and context of the next event.
void lab_at(struct lab *l, int64_t time_ns, int64_t p, int64_t g);
void lab_sync_at(struct lab *l, int64_t time_ns);
// Adds a Sync at 100 and a running goroutine 1 with the function "main.work".
void lab_begin_usual(struct lab *l);

// Goroutine states as on the wire.
enum { LAB_RUNNABLE = 1, LAB_RUNNING, LAB_IN_SYSCALL, LAB_WAITING };
// Adds a status event of a goroutine; `before` is its state before the event.
void lab_status(struct lab *l, uint64_t g, enum tp_state before, unsigned state, uint64_t stack);
void lab_create(struct lab *l, uint64_t g, uint64_t stack);
void lab_start(struct lab *l, uint64_t g);
void lab_block(struct lab *l, uint64_t reason);
void lab_unblock(struct lab *l, uint64_t g);
void lab_destroy(struct lab *l);
void lab_syscall_begin(struct lab *l);
void lab_syscall_end(struct lab *l);
void lab_steal(struct lab *l, uint64_t p); // P `p` goes idle while its goroutine is in a syscall
void lab_region_begin(struct lab *l, uint64_t task, uint64_t name);
void lab_region_end(struct lab *l, uint64_t task, uint64_t name);
void lab_task_begin(struct lab *l, uint64_t task, uint64_t parent, uint64_t name);
void lab_task_end(struct lab *l, uint64_t task);
void lab_log(struct lab *l, uint64_t task, uint64_t category, uint64_t message);

// THE SUMMARY

// Values of `fixes`.
#define LAB_AS_GO false
#define LAB_FIXED true
extern const struct tp_sorter_memory lab_plenty, lab_little;

int lab_sum_up_with(struct lab *l, bool fixes, const struct tp_sorter_memory *memory,
                    struct tp_error *err);
// Does the same as lab_sum_up_with, with plenty of memory; a failure ends the test.
void lab_sum_up(struct lab *l, bool fixes);

// Returns the line of a goroutine or task; the caller frees it. NULL: there is none.
char *lab_line(const struct lab *l, const char *kind, int64_t id);
// Asserts that the goroutine or task has a line that contains `part`.
void expect_g(const struct lab *l, int64_t id, const char *part);
void expect_task(const struct lab *l, int64_t id, const char *part);

#endif
