// Prints the system calls that took long, with the stack from which they were made.
//
//   slow_syscalls MILLISECONDS FILE
//
// A call begins where a goroutine goes from Running to Syscall and ends where it leaves
// that state, for whichever other. Stacks belong to the block that they come with, so
// what may have to be printed later is copied.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tracepipe/reader.h>

#define BUCKETS 1024
#define STACK_TEXT_BYTES 4096

// A goroutine that is in a system call.
struct call {
    struct call *next;
    int64_t goroutine;
    int64_t begin_ns;
    char stack[STACK_TEXT_BYTES];
};

static struct call *calls[BUCKETS]; // by goroutine
static struct call *spare;          // for reuse

static struct call **find(int64_t goroutine)
{
    struct call **link = &calls[(uint64_t)goroutine % BUCKETS];
    while (*link != NULL && (*link)->goroutine != goroutine)
        link = &(*link)->next;
    return link;
}

// Copies the stack, one line for each frame, until STACK_TEXT_BYTES are used up.
static void copy_stack(char *to, const struct tp_event *e, const struct tp_tables *tables)
{
    struct tp_stack stack;
    size_t used = 0;
    to[0] = '\0';
    if (!tp_event_transition_stack(e, tables, &stack))
        return;
    for (uint32_t i = 0; i < stack.frame_count && used < STACK_TEXT_BYTES; i++) {
        struct tp_frame f = tp_stack_frame(&stack, i);
        // Texts are not ended by zero.
        used += (size_t)snprintf(to + used, STACK_TEXT_BYTES - used, "    %.*s (line %" PRIu64 ")\n",
                                 (int)f.function.len_bytes, f.function.ptr, f.line);
    }
}

static void begin_call(int64_t goroutine, const struct tp_event *e, const struct tp_tables *tables)
{
    struct call **link = find(goroutine), *c = *link;
    if (c == NULL) {
        c = spare != NULL ? spare : malloc(sizeof *c);
        if (c == NULL)
            abort();
        spare = c == spare ? c->next : spare;
        c->next = NULL;
        *link = c;
    }
    c->goroutine = goroutine;
    c->begin_ns = e->time_ns;
    copy_stack(c->stack, e, tables);
}

static void end_call(int64_t goroutine, const struct tp_event *e, int64_t least_ns)
{
    struct call **link = find(goroutine), *c = *link;
    if (c == NULL)
        return; // it began before the trace did
    int64_t ns = e->time_ns - c->begin_ns;
    if (ns >= least_ns)
        printf("goroutine %" PRId64 ": %.3f ms\n%s", goroutine, (double)ns / 1e6, c->stack);
    *link = c->next;
    c->next = spare;
    spare = c;
}

static void look_at(const struct tp_event *e, const struct tp_tables *tables, int64_t least_ns)
{
    struct tp_transition t;
    if (!tp_event_transition(e, tables, &t) || t.resource != TP_RESOURCE_GOROUTINE ||
        t.from == t.to)
        return;
    if (t.to == TP_STATE_SYSCALL && t.from == TP_STATE_RUNNING)
        begin_call(t.id, e, tables);
    else if (t.from == TP_STATE_SYSCALL)
        end_call(t.id, e, least_ns);
}

static void free_list(struct call *c)
{
    while (c != NULL) {
        struct call *next = c->next;
        free(c);
        c = next;
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: slow_syscalls MILLISECONDS FILE\n");
        return 2;
    }
    int64_t least_ns = (int64_t)(atof(argv[1]) * 1e6);
    struct tp_reader *reader;
    struct tp_error err;
    if (tp_reader_open(argv[2], NULL, &reader, &err) != 0) {
        fprintf(stderr, "%s: %s\n", argv[2], err.text);
        return 1;
    }
    struct tp_event_block block;
    enum tp_next next;
    while ((next = tp_reader_next(reader, &block, &err)) == TP_NEXT_BLOCK) {
        for (size_t i = 0; i < block.event_count; i++)
            look_at(&block.events[i], block.tables, least_ns);
    }
    if (next == TP_NEXT_FAILED)
        fprintf(stderr, "%s: %s\n", argv[2], err.text);
    tp_reader_close(reader);
    for (size_t i = 0; i < BUCKETS; i++)
        free_list(calls[i]);
    free_list(spare);
    return next == TP_NEXT_END ? 0 : 1;
}
