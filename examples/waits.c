// Prints the waits that took longer than 10 ms: when they began, who waited where, and who ended them.
//
//   waits FILE
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <tracepipe/reader.h>

// The latest Sync event that has clocks: the beginning of a generation, since Go 1.25.
static struct tp_sync sync_clock;

static void print_stack(const char *title, struct tp_stack stack)
{
    printf("  %s\n", title);
    for (uint32_t i = 0; i < stack.frame_count; i++) {
        struct tp_frame f = tp_stack_frame(&stack, i);
        // Texts are not ended by NUL.
        printf("    %.*s:%" PRIu64 "\n", (int)f.function.len_bytes, f.function.ptr, f.line);
    }
}

static void print_wait(const struct tp_state_span *s, const struct tp_tables *tables)
{
    struct tp_text function = tp_state_span_function(s, tables);
    struct tp_text reason = tp_state_span_reason(s, tables);
    int64_t wall_ns = sync_clock.wall_nsec + s->begin_ns - sync_clock.trace_ns;
    time_t second = (time_t)(sync_clock.wall_sec + wall_ns / 1000000000);
    char when[32] = "-";
    if (sync_clock.has_clock)
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&second));
    printf("%s goroutine %" PRId64 " (%.*s) waited %.1f ms: %.*s\n", when, s->goroutine,
           (int)function.len_bytes, function.ptr, (double)(s->end_ns - s->begin_ns) / 1e6,
           (int)reason.len_bytes, reason.ptr);
    print_stack("at", tp_state_span_stack(s, tables));
    if (s->waker != TP_NO_GOROUTINE)
        printf("  ended by goroutine %" PRId64 "\n", s->waker);
    print_stack("from", tp_state_span_waker_stack(s, tables));
}

int main(int argc, char **argv)
{
    const struct tp_option options[] = {{"spans", "yes"}, {NULL, NULL}};
    struct tp_reader *reader;
    struct tp_event_block block;
    struct tp_error err;
    enum tp_next next;
    if (argc != 2 || tp_reader_open(argv[1], options, &reader, &err) != 0) {
        fprintf(stderr, "%s\n", argc != 2 ? "usage: waits FILE" : err.text);
        return 1;
    }
    while ((next = tp_reader_next(reader, &block, &err)) == TP_NEXT_BLOCK) {
        // A generation begins with a Sync event, which is the first event of a block.
        struct tp_sync sync;
        if (block.event_count > 0 && tp_event_sync(&block.events[0], block.tables, &sync) &&
            sync.has_clock)
            sync_clock = sync;
        for (size_t i = 0; i < block.span_count; i++) {
            const struct tp_state_span *s = &block.spans[i];
            if (s->state == TP_STATE_WAITING && s->end_ns - s->begin_ns > 10000000)
                print_wait(s, block.tables);
        }
    }
    if (next == TP_NEXT_FAILED)
        fprintf(stderr, "%s: %s\n", argv[1], err.text);
    tp_reader_close(reader);
    return next == TP_NEXT_END ? 0 : 1;
}
