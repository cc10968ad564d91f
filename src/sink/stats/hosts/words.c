#include "sink/stats/hosts/words.h"

#include <inttypes.h>

#include "sink/stats/findings/words.h"

// Labels of the kinds of findings. X(KIND, label, words)
#define FINDING_LABELS(X)                                                                      \
    X(LOCK, "LOCK", "waiting")                                                         \
    X(GC, "GC", "of CPU")                                                                      \
    X(SYSCALL, "SYSCALL", "waiting")                                                   \
    X(FEW_PS, "FEW PS", "queued per P")                                                    \
    X(LEAK, "LEAK", "goroutines/s")                                                            \
    X(P_HOG, "P HOG", "without a break")                                                       \
    X(SCHED_LATENCY, "LATENCY", "to run")                                      \
    X(CHANNEL, "CHANNEL", "waiting")                                                   \
    X(STOP_THE_WORLD, "STOPPED", "stopped")                                             \
    X(SLOW_TASK, "SLOW TAIL", "times the median")                                              \
    X(POOL, "POOL", "waiting")

static const struct {
    const char *label, *words;
} of_findings[TP_FINDS_COUNT] = {
#define TP_X(kind, label, words) [TP_FINDS_##kind] = {label, words},
    FINDING_LABELS(TP_X)
#undef TP_X
};

const char *const tp_versus_words[TP_VERSUS_VERDICT_COUNT] = {
#define TP_X(verdict, key) key,
    TP_VERSUS_VERDICTS(TP_X)
#undef TP_X
};

const char *tp_measure_label(enum tp_host_measure measure)
{
    return tp_is_of_finding(measure) ? of_findings[measure].label : tp_measure_info(measure).label;
}

const char *tp_class_words(enum tp_class class)
{
    static const char *const words[] = {
#define TP_X(class, key, word) word,
        TP_CLASSES(TP_X)
#undef TP_X
    };
    return words[class];
}

const char *tp_measure_words(enum tp_host_measure measure)
{
    switch (measure) {
    case TP_HOST_WAIT: return "waiting";
    case TP_HOST_BLOCKED: return "blocked in all";
    case TP_HOST_RUNNABLE: return "goroutines queued";
    case TP_HOST_GROWTH: return "more blocked";
    case TP_HOST_HEAP: return "of heap";
    case TP_HOST_PROCS: return "GOMAXPROCS";
    case TP_HOST_START_RUNNING:
    case TP_HOST_PS_USED: return "Ps in use";
    case TP_HOST_EVENT_RATE:
    case TP_HOST_EVENTS: return "events/s";
    case TP_HOST_START_RATE: return "goroutines/s";
    case TP_HOST_TASK_RATE: return "per second";
    case TP_HOST_TASK_MEAN:
    case TP_HOST_REGION_MEAN: return "mean";
    case TP_HOST_TASK_P50:
    case TP_HOST_REGION_P50: return "p50";
    case TP_HOST_TASK_P99:
    case TP_HOST_REGION_P99: return "p99";
    default: return of_findings[measure].words;
    }
}

static struct tp_human human_thousandths(uint64_t value)
{
    if (value < 10)
        return tp_human_printf("0.00%" PRIu64, value);
    if (value >= 10000)
        return tp_human_ratio(value, 1000);
    return tp_human_printf("%" PRIu64 ".%02" PRIu64, (value + 5) / 1000, (value + 5) % 1000 / 10);
}

struct tp_human tp_measure_human(enum tp_host_measure measure, uint64_t value)
{
    if (measure == TP_HOST_PROCS && value % 1000 == 0)
        return tp_human_count(value / 1000);
    switch (tp_measure_info(measure).unit) {
    case TP_UNIT_NS: return tp_human_ns(value);
    case TP_UNIT_BYTES: return tp_human_bytes(value);
    case TP_UNIT_PER_SECOND: return tp_human_count(value);
    case TP_UNIT_OF_FINDING: return tp_finding_human((enum tp_finding_kind)measure, value);
    default: return human_thousandths(value);
    }
}
