#include "summary_lab.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "table_build.h"

#define OUTPUT_BYTES (16 << 20)
#define INNERMOST_PC 0x77

static const char *const texts[LAB_STRING_END] = {
    [LAB_FOREVER] = "forever",
    [LAB_CHAN] = "chan receive",
    [LAB_SYSCALL] = "syscall",
    [LAB_MAIN] = "main.work",
    [LAB_RUNTIME] = "runtime.gc",
    [LAB_KIND] = "GC mark",
    [LAB_REGION] = "region",
    [LAB_INNER] = "inner",
    [LAB_BAD] = "bad\xff",
    [LAB_ODD] = "a\"\\\b\f\x7f\xe2\x80\xa8<",
};

struct tp_tables *lab_tables_make(void)
{
    // Static, because the tables point into these bodies.
    static struct table_body strings, stacks;
    table_begin(&strings, TP_BATCH_STRINGS);
    table_begin(&stacks, TP_BATCH_STACKS);
    for (uint64_t id = 1; id < LAB_STRING_END; id++) {
        struct table_frame frames[] = {{INNERMOST_PC, LAB_REGION, LAB_REGION, 1},
                                       {0x100 + id, id, id, 2}};
        table_put_string(&strings, id, texts[id]);
        table_put_stack(&stacks, id, frames, 2);
    }
    struct tp_tables *t = table_create(26);
    table_add_sync(t, 1700000000, 5);
    assert_int_equal(table_add(t, TP_BATCH_STRINGS, &strings, NULL), 0);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &stacks, NULL), 0);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    return t;
}

int lab_set_up(void **state)
{
    struct lab *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->tables = lab_tables_make();
    l->repeats = 1;
    l->output = malloc(OUTPUT_BYTES);
    assert_non_null(l->output);
    *state = l;
    return 0;
}

int lab_tear_down(void **state)
{
    struct lab *l = *state;
    tp_tables_release(l->tables);
    free(l->output);
    free(l);
    return 0;
}

// THE TRACE

void lab_add(struct lab *l, uint8_t type, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    assert_true(l->event_count < TP_ARRAY_LEN(l->events));
    l->events[l->event_count++] = (struct tp_event){.time_ns = l->now_ns,
                                                    .m = 1,
                                                    .p = l->p,
                                                    .g = l->g,
                                                    .args = {a, b, c, d},
                                                    .type = type};
}

void lab_at(struct lab *l, int64_t time_ns, int64_t p, int64_t g)
{
    l->now_ns = time_ns;
    l->p = p;
    l->g = g;
}

void lab_sync_at(struct lab *l, int64_t time_ns)
{
    lab_at(l, time_ns, -1, -1);
    lab_add(l, TP_EVENT_SYNC, 1, 1, 0, 0);
}

void lab_begin_usual(struct lab *l)
{
    l->event_count = 0;
    lab_sync_at(l, 100);
    lab_at(l, 110, 0, -1);
    lab_status(l, 1, TP_STATE_UNDETERMINED, LAB_RUNNING, LAB_MAIN);
}

void lab_status(struct lab *l, uint64_t g, enum tp_state before, unsigned state, uint64_t stack)
{
    lab_add(l, TP_EV_GoStatusStack, g, 1, (uint64_t)before << 32 | state, stack);
}

void lab_create(struct lab *l, uint64_t g, uint64_t stack)
{
    lab_add(l, TP_EV_GoCreate, g, stack, 0, 0);
}

void lab_start(struct lab *l, uint64_t g)
{
    lab_add(l, TP_EV_GoStart, g, 1, 0, 0);
}

void lab_block(struct lab *l, uint64_t reason)
{
    lab_add(l, TP_EV_GoBlock, reason, 0, 0, 0);
}

void lab_unblock(struct lab *l, uint64_t g)
{
    lab_add(l, TP_EV_GoUnblock, g, 1, 0, 0);
}

void lab_destroy(struct lab *l)
{
    lab_add(l, TP_EV_GoDestroy, 0, 0, 0, 0);
}

void lab_syscall_begin(struct lab *l)
{
    lab_add(l, TP_EV_GoSyscallBegin, 1, 0, 0, 0);
}

void lab_syscall_end(struct lab *l)
{
    lab_add(l, TP_EV_GoSyscallEnd, 0, 0, 0, 0);
}

void lab_steal(struct lab *l, uint64_t p)
{
    lab_add(l, TP_EV_ProcSteal, p, 1, 1, 0);
}

void lab_region_begin(struct lab *l, uint64_t task, uint64_t name)
{
    lab_add(l, TP_EV_UserRegionBegin, task, name, 0, 0);
}

void lab_region_end(struct lab *l, uint64_t task, uint64_t name)
{
    lab_add(l, TP_EV_UserRegionEnd, task, name, 0, 0);
}

void lab_task_begin(struct lab *l, uint64_t task, uint64_t parent, uint64_t name)
{
    lab_add(l, TP_EV_UserTaskBegin, task, parent, name, 0);
}

void lab_task_end(struct lab *l, uint64_t task)
{
    lab_add(l, TP_EV_UserTaskEnd, task, 0, TP_NO_TASK, 0);
}

void lab_log(struct lab *l, uint64_t task, uint64_t category, uint64_t message)
{
    lab_add(l, TP_EV_UserLog, task, category, message, 0);
}

// THE SUMMARY

const struct tp_sorter_memory lab_plenty = {.most_bytes = TP_MIB(16)};
const struct tp_sorter_memory lab_little = {.most_bytes = TP_SORTER_LEAST_BYTES};

struct lab_out {
    struct tp_out out; // first: the hook gets a pointer to it
    struct lab *lab;
};

static int keep(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct lab *l = ((struct lab_out *)out)->lab;
    (void)err;
    assert_true(bytes.len_bytes < OUTPUT_BYTES - l->output_bytes);
    memcpy(l->output + l->output_bytes, bytes.ptr, bytes.len_bytes);
    l->output_bytes += bytes.len_bytes;
    l->output[l->output_bytes] = '\0';
    return 0;
}

// Adds all events in blocks of various sizes.
static int add_all(const struct lab *l, struct tp_summary *s, struct tp_error *err)
{
    int rc = 0;
    for (size_t i = 0, size = 1; i < l->event_count * l->repeats && rc == 0; size = size % 7 + 1) {
        size_t first = i % l->event_count, left = l->event_count - first;
        struct tp_block b = {.tables = l->tables,
                             .events = l->events + first,
                             .event_count = left < size ? left : size};
        rc = tp_summary_add(s, &b, err);
        i += b.event_count;
    }
    return rc;
}

int lab_sum_up_with(struct lab *l, bool fixes, const struct tp_sorter_memory *memory,
                    struct tp_error *err)
{
    struct lab_out out = {{keep}, l};
    struct tp_emit e;
    static struct tp_summary s;
    l->output_bytes = 0;
    l->output[0] = '\0';
    tp_emit_init(&e, &out.out, err);
    int rc = tp_summary_init(&s, fixes, memory, err);
    if (rc == 0)
        rc = add_all(l, &s, err);
    if (rc == 0)
        rc = tp_summary_finish(&s, err);
    if (rc == 0)
        rc = tp_summary_print(&s, true, &e, err);
    if (rc == 0)
        rc = tp_emit_end(&e);
    tp_summary_fini(&s);
    return rc;
}

void lab_sum_up(struct lab *l, bool fixes)
{
    struct tp_error err;
    assert_int_equal(lab_sum_up_with(l, fixes, &lab_plenty, &err), 0);
}

char *lab_line(const struct lab *l, const char *kind, int64_t id)
{
    char head[40], number[40];
    snprintf(head, sizeof head, "{\"%s\":", kind);
    snprintf(number, sizeof number, ",\"id\":%" PRId64 ",", id);
    for (const char *at = l->output; *at != '\0'; at = strchr(at, '\n') + 1) {
        char *line = strndup(at, strcspn(at, "\n"));
        assert_non_null(line);
        if (strncmp(line, head, strlen(head)) == 0 && strstr(line, number) != NULL)
            return line;
        free(line);
    }
    return NULL;
}

static void expect(const struct lab *l, const char *kind, int64_t id, const char *part)
{
    char *line = lab_line(l, kind, id);
    if (line == NULL || strstr(line, part) == NULL)
        fail_msg("%s %" PRId64 ": no '%s' in %s", kind, id, part, line != NULL ? line : "nothing");
    free(line);
}

void expect_g(const struct lab *l, int64_t id, const char *part)
{
    expect(l, "goroutine", id, part);
}

void expect_task(const struct lab *l, int64_t id, const char *part)
{
    expect(l, "task", id, part);
}
