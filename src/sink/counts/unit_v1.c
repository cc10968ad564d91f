// Counts a unit of a trace from before Go 1.22. Its extents are runs, parts of batches;
// goroutines, threads and the clock's frequency are found in its events.
#include "sink/counts/unit.h"
#include "sink/run_tally.h"

// P of batches that belong to no P.
#define NO_P UINT64_MAX

static void on_ident(void *ctx, uint8_t type, uint64_t number)
{
    struct tp_stats_unit *u = ctx;
    switch (type) {
    case TP_V1_GoCreate: tp_stats_unit_put_goroutine(u, number); break;
    case TP_V1_ProcStart: tp_stats_unit_put_thread(u, number); break;
    default: u->frequency = number; break;
    }
}

static void count_run(struct tp_stats_unit *u, const struct tp_unit *unit,
                      const struct tp_extent *run)
{
    struct tp_v1_tally_result r = tp_run_tally(&u->old_tally, unit, run, on_ident, u);
    if (run->header_bytes > 0) {
        u->batch_count++;
        tp_stats_batches_begin(&u->batches, run->time_ticks);
    }
    tp_stats_batches_add(&u->batches, &r);
    if (r.has_times && run->m != NO_P)
        tp_stats_unit_put_p(u, run->m);
}

void tp_stats_unit_count_runs(struct tp_stats_unit *u, const struct tp_unit *unit)
{
    for (size_t i = 0; i < unit->extent_count; i++) {
        if (unit->extents[i].kind == TP_EXTENT_BATCH)
            count_run(u, unit, &unit->extents[i]);
    }
}
