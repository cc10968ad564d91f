#include "sink/inventory/inventory.h"

void tp_inventory_range_add(struct tp_inventory_range *range, int64_t ns)
{
    tp_inventory_range_merge(range, &(struct tp_inventory_range){true, ns, ns});
}

void tp_inventory_range_merge(struct tp_inventory_range *into,
                              const struct tp_inventory_range *from)
{
    if (!from->is_known)
        return;
    if (!into->is_known) {
        *into = *from;
        return;
    }
    if (from->least_ns < into->least_ns)
        into->least_ns = from->least_ns;
    if (from->greatest_ns > into->greatest_ns)
        into->greatest_ns = from->greatest_ns;
}

void tp_inventory_merge(struct tp_inventory *into, const struct tp_inventory *from)
{
#define TP_X(field, key) into->field += from->field;
    TP_INVENTORY_SUMS(TP_X)
#undef TP_X
    into->duration_ns = tp_wide_add(into->duration_ns, from->duration_ns);
    into->timed_file_count += from->timed_file_count;
    into->rated_event_count += from->rated_event_count;
    into->complete_count += from->complete_count;
    into->damaged_count += from->damaged_count;
    into->refused_count += from->refused_count;
    for (size_t i = 0; i < TP_VERSIONS; i++)
        into->version_counts[i] += from->version_counts[i];
    tp_inventory_range_merge(&into->wall_start, &from->wall_start);
    tp_tally_add(&into->tally, &from->tally);
}

uint64_t tp_inventory_file_count(const struct tp_inventory *all)
{
    return all->complete_count + all->damaged_count;
}

struct tp_inventory_events tp_inventory_events(const struct tp_inventory *all)
{
    struct tp_inventory_events sum = {0};
    for (unsigned code = 0; code < TP_TALLY_CODES; code++) {
        sum.count += all->tally.count[code];
        sum.timed_count += tp_tally_code(code).is_timed ? all->tally.count[code] : 0;
        sum.bytes += all->tally.bytes[code];
    }
    return sum;
}

bool tp_inventory_event_rate(const struct tp_inventory *all, uint64_t *ret_per_second)
{
    if (all->timed_file_count == 0 || all->duration_ns == 0)
        return false;
    *ret_per_second =
        tp_wide_limited((tp_wide)all->rated_event_count * TP_INVENTORY_NS_PER_S / all->duration_ns);
    return true;
}
