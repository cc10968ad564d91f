// Counts which states goroutines go from and to.
//
//   transitions FILE
//
//         count  from          to
//         12345  Running       Waiting
#include <inttypes.h>
#include <stdio.h>

#include <tracepipe/reader.h>

static uint64_t counts[TP_STATES][TP_STATES];

static void count_block(const struct tp_event_block *block)
{
    for (size_t i = 0; i < block->event_count; i++) {
        struct tp_transition t;
        // Says no to events of any other kind.
        if (!tp_event_transition(&block->events[i], block->tables, &t))
            continue;
        // A generation begins with the states in which it finds goroutines: no news.
        if (t.resource == TP_RESOURCE_GOROUTINE && t.from != t.to)
            counts[t.from][t.to]++;
    }
}

static void print_counts(void)
{
    printf("%10s  %-12s  %s\n", "count", "from", "to");
    for (unsigned from = 0; from < TP_STATES; from++) {
        for (unsigned to = 0; to < TP_STATES; to++) {
            if (counts[from][to] > 0)
                printf("%10" PRIu64 "  %-12s  %s\n", counts[from][to],
                       tp_state_name((enum tp_state)from), tp_state_name((enum tp_state)to));
        }
    }
}

// Damage and loss, if there is some; details are for the curious.
static void print_messages(struct tp_reader *reader)
{
    struct tp_message m;
    while (tp_reader_take_message(reader, &m)) {
        if (m.level != TP_MSG_DETAIL)
            fprintf(stderr, "%s\n", m.text);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: transitions FILE\n");
        return 2;
    }
    struct tp_reader *reader;
    struct tp_error err;
    if (tp_reader_open(argv[1], NULL, &reader, &err) != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], err.text);
        return 1;
    }
    struct tp_event_block block;
    enum tp_next next;
    while ((next = tp_reader_next(reader, &block, &err)) == TP_NEXT_BLOCK)
        count_block(&block);
    print_messages(reader);
    if (next == TP_NEXT_FAILED)
        fprintf(stderr, "%s: %s\n", argv[1], err.text);
    tp_reader_close(reader);
    print_counts();
    return next == TP_NEXT_END ? 0 : 1;
}
