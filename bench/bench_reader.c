// Pulls all ordered events of a trace through the C interface and prints how many there
// are, and a checksum over them: what a program pays that does next to nothing with the
// events. Meant to be timed from outside (bench/e2e), beside a loop over Go's reader.
//
//   bench_reader [NAME=VALUE...] FILE        options of a reader: jobs=1
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracepipe/reader.h"

#define OPTIONS_MAX 16

static void die(const char *what, const struct tp_error *err)
{
    fprintf(stderr, "bench_reader: %s: %s\n", what, err->text);
    exit(1);
}

static uint64_t checksum(uint64_t sum, const struct tp_event *e)
{
    return (sum ^ (uint64_t)e->time_ns) + (uint64_t)e->g + (uint64_t)tp_event_kind(e);
}

int main(int argc, char **argv)
{
    struct tp_option options[OPTIONS_MAX] = {{0}};
    int used = 0;
    for (; used + 2 < argc && used + 1 < OPTIONS_MAX; used++) {
        char *equals = strchr(argv[used + 1], '=');
        if (equals == NULL)
            break;
        *equals = '\0';
        options[used] = (struct tp_option){argv[used + 1], equals + 1};
    }
    if (used + 2 != argc) {
        fprintf(stderr, "usage: bench_reader [NAME=VALUE...] FILE\n");
        return 2;
    }
    const char *path = argv[used + 1];
    struct tp_reader *reader;
    struct tp_error err;
    if (tp_reader_open(path, options, &reader, &err) != 0)
        die(path, &err);
    struct tp_event_block block;
    enum tp_next next;
    uint64_t count = 0, sum = 0;
    while ((next = tp_reader_next(reader, &block, &err)) == TP_NEXT_BLOCK) {
        for (size_t i = 0; i < block.event_count; i++)
            sum = checksum(sum, &block.events[i]);
        count += block.event_count;
    }
    if (next == TP_NEXT_FAILED)
        die(path, &err);
    printf("%" PRIu64 " events, checksum %016" PRIx64 "\n", count, sum);
    tp_reader_close(reader);
    return 0;
}
