#include "bench.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SAMPLES_MAX 1000
// A sample is long beside the resolution of the clock and short beside a time
// slice, so that some samples are never interrupted.
#define SAMPLE_NS 2000000u

static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void bench_require(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "benchmark: %s\n", what);
    exit(1);
}

static double positive(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    bench_require(end != text && *end == '\0' && value > 0, "a positive number is wanted");
    return value;
}

void bench_options_init(struct bench_options *o, int argc, char **argv)
{
    static const struct option known[] = {{"seconds", required_argument, NULL, 's'},
                                          {"mib", required_argument, NULL, 'm'},
                                          {NULL, 0, NULL, 0}};
    *o = (struct bench_options){.seconds = 0.5, .trace_bytes = TP_MIB(16)};
    for (int opt; (opt = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (opt) {
        case 's': o->seconds = positive(optarg); break;
        case 'm': o->trace_bytes = (size_t)(positive(optarg) * (double)TP_MIB(1)); break;
        default: exit(2);
        }
    }
    bench_require(optind == argc, "options are --seconds S and --mib N");
    bench_require(o->trace_bytes <= TP_MIB(1024), "at most 1024 MiB");
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_print_head(const char *items)
{
    printf("%-34s %12s %9s %9s %9s  %s\n", items, "count", "ns each", "median", "GB/s", "samples");
}

// Nanoseconds for `calls` calls.
static uint64_t sample(uint64_t calls, bench_fn fn, void *ctx, uint64_t expected)
{
    uint64_t begin_ns = cpu_ns();
    for (uint64_t i = 0; i < calls; i++) {
        bench_require(fn(ctx) == expected, "the same work gave different results");
        // Or a compiler that sees into `fn` could do the work once for all calls.
        __asm__ volatile("" : : "r"(ctx) : "memory");
    }
    return cpu_ns() - begin_ns;
}

void bench_run(const struct bench_options *o, const char *name, struct bench_work work,
               bench_fn fn, void *ctx)
{
    static double call_ns[SAMPLES_MAX];
    bench_require(work.item_count > 0, name);
    uint64_t expected = fn(ctx), calls = 1, spent_ns = 0;
    while (sample(calls, fn, ctx, expected) < SAMPLE_NS)
        calls *= 2;
    size_t count = 0;
    uint64_t budget_ns = (uint64_t)(o->seconds * 1e9);
    do {
        uint64_t ns = sample(calls, fn, ctx, expected);
        spent_ns += ns;
        call_ns[count++] = (double)ns / (double)calls;
    } while (spent_ns < budget_ns && count < SAMPLES_MAX);
    qsort(call_ns, count, sizeof call_ns[0], compare);
    double items = (double)work.item_count;
    printf("%-34s %12" PRIu64 " %9.2f %9.2f %9.2f  %zu x %" PRIu64 "\n", name, work.item_count,
           call_ns[0] / items, call_ns[count / 2] / items,
           (double)work.byte_count / call_ns[0], count, calls);
    fflush(stdout);
}
