// Text of ordered events: a mix as schedulers make it, with and without stacks.
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "bench.h"
#include "sink/text/event_text.h"
#include "table_build.h"

#define STRINGS 200
#define REASONS 3         // the first strings
#define STACKS 150
#define EVENTS 4096
#define THREADS 8
#define GOROUTINES 3000

static const char *const reasons[REASONS] = {"chan receive", "select", "sync.(*Cond).Wait"};

struct job {
    struct table_body strings, stacks;
    struct tp_tables *tables;
    struct tp_event events[EVENTS];
    struct tp_event_text text;
    struct tp_buf buf;
    uint64_t text_bytes;
};

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed >> 11;
}

static void make_tables(struct job *job, unsigned depth)
{
    uint64_t seed = 88172645463325252u;
    table_begin(&job->strings, TP_BATCH_STRINGS);
    for (uint64_t i = 0; i < STRINGS; i++) {
        char name[64];
        snprintf(name, sizeof name, "internal/poll.(*FD).method%u.func%u",
                 (unsigned)(next_random(&seed) % 100000), (unsigned)i);
        table_put_string(&job->strings, i + 1, i < REASONS ? reasons[i] : name);
    }
    table_begin(&job->stacks, TP_BATCH_STACKS);
    for (uint64_t i = 0; i < STACKS; i++) {
        struct table_frame frames[TP_MAX_STACK_FRAMES];
        for (unsigned k = 0; k < depth; k++) {
            uint64_t at = next_random(&seed) % 800;
            frames[k] = (struct table_frame){0x400000 + 64 * at, REASONS + 1 + at % 150,
                                             REASONS + 1 + at % 40, at};
        }
        table_put_stack(&job->stacks, i + 1, frames, depth);
    }
    job->tables = table_create(26);
    table_add_sync(job->tables, 1700000000, 0);
    struct tp_error err = {0};
    bench_require(table_add(job->tables, TP_BATCH_STRINGS, &job->strings, &err) == 0 &&
                      table_add(job->tables, TP_BATCH_STACKS, &job->stacks, &err) == 0 &&
                      tp_tables_finish(job->tables, &err) == 0,
                  err.text);
}

// Returns a random event of a goroutine that waits for another one and makes system calls.
static struct tp_event make_event(uint64_t *seed, bool has_stack)
{
    static const uint8_t types[] = {
        TP_EV_GoStart,        TP_EV_GoStart,    TP_EV_GoStart,   TP_EV_GoBlock,
        TP_EV_GoBlock,        TP_EV_GoBlock,    TP_EV_GoUnblock, TP_EV_GoUnblock,
        TP_EV_GoSyscallBegin, TP_EV_GoSyscallEnd};
    struct tp_event e = {.type = types[next_random(seed) % TP_ARRAY_LEN(types)]};
    uint64_t m = next_random(seed) % THREADS;
    uint64_t stack = has_stack ? 1 + next_random(seed) % STACKS : 0;
    e.m = (int64_t)(31000 + m);
    e.p = (int64_t)m;
    e.g = e.type == TP_EV_GoStart ? -1 : (int64_t)(1 + next_random(seed) % GOROUTINES);
    e.args[0] = 1 + next_random(seed) % GOROUTINES;
    switch (e.type) {
    case TP_EV_GoBlock:
        e.args[0] = 1 + next_random(seed) % REASONS;
        e.args[1] = stack;
        break;
    case TP_EV_GoUnblock: e.args[2] = stack; break;
    case TP_EV_GoSyscallBegin: e.args[1] = stack; break;
    default: break;
    }
    return e;
}

static uint64_t print_all(void *ctx)
{
    struct job *job = ctx;
    bench_require(tp_event_text_use(&job->text, job->tables) == 0, "out of memory");
    job->text_bytes = 0;
    for (size_t done = 0; done < EVENTS;) {
        tp_buf_reset(&job->buf);
        done += tp_event_text_fill(&job->text, job->events + done, EVENTS - done, &job->buf);
        job->text_bytes += job->buf.len_bytes;
    }
    return job->text_bytes;
}

static void run(const struct bench_options *o, const char *name, unsigned depth)
{
    struct job *job = tp_alloc_zero(sizeof *job);
    uint64_t seed = 362436069u;
    int64_t time_ns = 3777044914112;
    bench_require(job != NULL && tp_buf_init(&job->buf, TP_MIB(1)), "out of memory");
    make_tables(job, depth);
    tp_event_text_init(&job->text, NULL);
    for (size_t i = 0; i < EVENTS; i++) {
        job->events[i] = make_event(&seed, depth > 0);
        time_ns += 1 + (int64_t)(next_random(&seed) % 500);
        job->events[i].time_ns = time_ns;
    }
    print_all(job);
    bench_run(o, name, (struct bench_work){EVENTS, job->text_bytes}, print_all, job);
    tp_buf_fini(&job->buf);
    tp_tables_release(job->tables);
    tp_free(job);
}

int main(int argc, char **argv)
{
    struct bench_options o;
    bench_options_init(&o, argc, argv);
    bench_print_head("events (GB/s of text)");
    run(&o, "without stacks", 0);
    run(&o, "stacks of 4 frames", 4);
    run(&o, "stacks of 16 frames", 16);
    return 0;
}
