#include "sink/sum_files.h"

#include <string.h>

#include "sink/collector_name.h"
#include "sink/stretch.h"
#include "sink/sums.h"

// A lock's own functions are the innermost ones.
#define LOCK_FRAMES 8

static bool begins_with_any(struct tp_span text, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t prefix_bytes = strlen(prefixes[i]);
        if (text.len_bytes >= prefix_bytes && memcmp(text.ptr, prefixes[i], prefix_bytes) == 0)
            return true;
    }
    return false;
}
#define BEGINS_WITH_ANY(text, prefixes) begins_with_any(text, prefixes, TP_ARRAY_LEN(prefixes))

static struct tp_span function_of(const struct tp_sums *s, uint32_t frame)
{
    return tp_intern_text(&s->names, tp_sum_frame(s, frame)->function);
}

// PLACES

// Time by function, where a "stack" is a name.
static bool add_share(struct tp_stack_counts *shares, uint32_t function, uint64_t ns)
{
    return tp_stack_counts_add(shares, function, 0, 1, ns);
}

static uint32_t largest_share(const struct tp_sums *s, const struct tp_stack_counts *shares)
{
    uint32_t best = TP_INTERN_NONE;
    uint64_t best_ns = 0;
    for (uint32_t i = 0; i < shares->item_count; i++) {
        const struct tp_stack_count *c = &shares->items[i];
        uint32_t function = tp_stack_count_stack(c);
        if (c->total_ns == 0 || c->total_ns < best_ns ||
            (c->total_ns == best_ns && tp_span_compare(tp_intern_text(&s->names, function),
                                                       tp_intern_text(&s->names, best)) > 0))
            continue;
        best = function;
        best_ns = c->total_ns;
    }
    return best;
}

// The caller of all functions that begin like this; of a stack of nothing else its outermost.
static uint32_t caller_of(const struct tp_sums *s, const uint32_t *frames, size_t count,
                          const char *const *prefixes, size_t prefix_count)
{
    size_t at = 0;
    while (at + 1 < count && begins_with_any(function_of(s, frames[at]), prefixes, prefix_count))
        at++;
    return tp_sum_frame(s, frames[at])->function;
}

static const char *const lock_methods[] = {
    "sync.(*Mutex).", "sync.(*RWMutex).", "internal/sync.(*Mutex)."};
static const char *const sync_packages[] = {"sync.", "internal/sync.", "runtime."};

static bool is_lock(const struct tp_sums *s, const uint32_t *frames, size_t count)
{
    for (size_t i = 0; i < count && i < LOCK_FRAMES; i++) {
        if (BEGINS_WITH_ANY(function_of(s, frames[i]), lock_methods))
            return true;
    }
    return false;
}

static bool add_lock(struct tp_file_row *row, const struct tp_sums *s, struct tp_stack_counts *shares,
                     const struct tp_stack_count *c)
{
    const uint32_t *frames;
    size_t count = tp_sum_stack(s, tp_stack_count_stack(c), &frames);
    if (!is_lock(s, frames, count))
        return true;
    row->figures[TP_FILE_LOCKED] += c->total_ns;
    row->figures[TP_FILE_LOCKS] += c->count;
    return add_share(shares, caller_of(s, frames, count, sync_packages, TP_ARRAY_LEN(sync_packages)),
                     c->total_ns);
}

static bool add_syscall(const struct tp_sums *s, struct tp_stack_counts *shares,
                        const struct tp_stack_count *c)
{
    // What programs call to get into the system.
    static const char *const packages[] = {
        "syscall.", "internal/", "runtime.", "os.", "golang.org/x/sys/"};
    const uint32_t *frames;
    size_t count = tp_sum_stack(s, tp_stack_count_stack(c), &frames);
    if (count == 0)
        return true;
    return add_share(shares, caller_of(s, frames, count, packages, TP_ARRAY_LEN(packages)),
                     c->total_ns);
}

static bool add_stacks(struct tp_file_row *row, const struct tp_sums *s,
                       struct tp_stack_counts shares[TP_FINDING_COUNT])
{
    bool fits = true;
    for (uint32_t i = 0; i < s->by_stack.item_count && fits; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        switch ((enum tp_stack_type)tp_stack_count_type(c)) {
        case TP_STACK_SYNC:
        case TP_STACK_SYNC_OPEN: fits = add_lock(row, s, &shares[TP_FINDING_LOCK], c); break;
        case TP_STACK_SYSCALL:
        case TP_STACK_SYSCALL_OPEN: fits = add_syscall(s, &shares[TP_FINDING_SYSCALL], c); break;
        default: break;
        }
    }
    return fits;
}

// FIGURES

static bool add_goroutine(struct tp_file_row *row, const struct tp_sums *s,
                          struct tp_stack_counts shares[TP_FINDING_COUNT],
                          const struct tp_ledger_group *g, uint32_t measure)
{
    struct tp_span function = tp_intern_text(&s->names, g->name);
    const struct tp_dist *d = g->dists[measure];
    uint64_t ns = d->total_ns + d->cut_ns, count = d->count + d->cut_count;
    uint64_t *f = row->figures;
    switch (measure) {
    case TP_MEASURE_RUN:
        f[TP_FILE_RUNNING] += ns;
        if (tp_collector_part_of(function) != TP_COLLECTOR_PART_COUNT) {
            f[TP_FILE_COLLECTOR] += ns;
            return true;
        }
        return add_share(&shares[TP_FINDING_COLLECTOR], g->name, ns);
    case TP_MEASURE_SCHED:
        f[TP_FILE_SCHEDULING] += ns;
        f[TP_FILE_SCHEDULINGS] += count;
        return add_share(&shares[TP_FINDING_P], g->name, ns);
    case TP_MEASURE_SYSCALL:
        f[TP_FILE_SYSCALL] += ns;
        f[TP_FILE_SYSCALLS] += count;
        return true;
    case TP_MEASURE_LIFE: f[TP_FILE_GOROUTINES] += count; return true;
    default: f[TP_FILE_BLOCKED] += ns; return true;
    }
}

static void add_phase(struct tp_file_row *row, enum tp_ledger_space space,
                      const struct tp_dist *d)
{
    uint64_t ns = d->total_ns + d->cut_ns, count = d->count + d->cut_count;
    uint64_t *f = row->figures;
    switch (space) {
    case TP_SPACE_ASSIST: f[TP_FILE_ASSISTS] += ns; break;
    case TP_SPACE_MARK: f[TP_FILE_MARKS] += count; break;
    case TP_SPACE_PAUSE:
        f[TP_FILE_STOPPED] += ns;
        f[TP_FILE_STOPS] += count;
        break;
    default: break;
    }
}

static bool add_ledger(struct tp_file_row *row, const struct tp_sums *s,
                       struct tp_stack_counts shares[TP_FINDING_COUNT])
{
    bool fits = true;
    for (uint32_t i = 0; i < s->ledger.group_count; i++) {
        const struct tp_ledger_group *g = &s->ledger.groups[i];
        for (uint32_t k = 0; k < g->dist_count && fits; k++) {
            if (g->dists[k] == NULL)
                continue;
            if (g->space == TP_SPACE_GOROUTINE)
                fits = add_goroutine(row, s, shares, g, k);
            else
                add_phase(row, (enum tp_ledger_space)g->space, g->dists[k]);
        }
    }
    return fits;
}

static uint64_t procs_ns(const struct tp_sums *s)
{
    unsigned __int128 ns = 0;
    for (uint32_t i = 0; i < s->timeline.buckets.count; i++)
        ns += s->timeline.buckets.items[i].sums[TP_LEVEL_GOMAXPROCS];
    if (ns == 0)
        return s->duration_ns;
    return ns < UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

bool tp_sums_add_file(struct tp_sums *s, const char *path)
{
    struct tp_stack_counts shares[TP_FINDING_COUNT] = {0};
    struct tp_file_row row = {.path = tp_intern_put(&s->names, tp_span_of(path, strlen(path)))};
    row.figures[TP_FILE_EVENTS] = s->event_count;
    row.figures[TP_FILE_LOST_BYTES] = s->lost_bytes;
    row.figures[TP_FILE_DURATION] = s->duration_ns;
    row.figures[TP_FILE_PROCS] = procs_ns(s);
    row.figures[TP_FILE_COLLECTOR] = s->utilisation.assist_ns;
    bool fits = row.path != TP_INTERN_NONE && add_ledger(&row, s, shares) &&
                add_stacks(&row, s, shares) && TP_LIST_ROOM(&s->files);
    for (unsigned i = 0; i < TP_FINDING_COUNT; i++) {
        row.places[i] = fits ? largest_share(s, &shares[i]) : TP_INTERN_NONE;
        tp_stack_counts_fini(&shares[i]);
    }
    if (fits)
        s->files.items[s->files.count++] = row;
    return fits;
}
