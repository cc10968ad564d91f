#include "sink/stats_unit.h"

#include <string.h>

#include "base/alloc.h"
#include "decode/varint.h"

// How often the lists can grow in one segment: the shortest event that introduces
// a goroutine has 3 bytes, one with a large P has 5, and so has the shortest batch.
#define GOROUTINES_MAX (TP_SEGMENT_MAX_BYTES / 3)
#define LARGE_PS_MAX (TP_SEGMENT_MAX_BYTES / 5)
#define PARTS_MAX (TP_SEGMENT_MAX_BYTES / 5)

static bool grow(void **array, size_t *capacity, size_t most, size_t each_bytes)
{
    size_t count = *capacity == 0 ? 16 : 2 * *capacity;
    if (count > most)
        count = most;
    if (count <= *capacity)
        return false;
    void *moved = tp_realloc(*array, count * each_bytes);
    if (moved == NULL)
        return false;
    *array = moved;
    *capacity = count;
    return true;
}

static bool put_id(struct tp_stats_ids *list, size_t most, uint64_t id)
{
    if (tp_unlikely(list->id_count == list->id_capacity)) {
        void *ids = list->ids;
        if (!grow(&ids, &list->id_capacity, most, sizeof *list->ids))
            return false;
        list->ids = ids;
    }
    list->ids[list->id_count++] = id;
    return true;
}

static void on_ident(void *ctx, uint8_t type, uint64_t id)
{
    struct tp_stats_unit *u = ctx;
    bool is_p = type == TP_EV_ProcStart || type == TP_EV_ProcStatus;
    if (is_p && tp_likely(id < TP_STATS_SMALL_PS))
        u->small_ps[id / 64] |= UINT64_C(1) << id % 64;
    else if (is_p ? !put_id(&u->large_ps, LARGE_PS_MAX, id)
                  : !put_id(&u->goroutines, GOROUTINES_MAX, id))
        u->out_of_memory = true;
}

static struct tp_stats_part *need_part(struct tp_stats_unit *u, const struct tp_extent *x)
{
    if (u->part_count > 0 && !x->first_of_generation)
        return &u->parts[u->part_count - 1];
    if (u->part_count == u->part_capacity) {
        void *parts = u->parts;
        if (!grow(&parts, &u->part_capacity, PARTS_MAX, sizeof *u->parts))
            return NULL;
        u->parts = parts;
    }
    if (u->part_count == 0)
        u->continues = !x->first_of_generation;
    u->parts[u->part_count] = (struct tp_stats_part){.offset = x->offset};
    return &u->parts[u->part_count++];
}

static void count_event(struct tp_tally *t, uint8_t type, uint64_t len_bytes)
{
    t->count[type]++;
    t->bytes[type] += len_bytes;
}

// A header counts in its shortest form, as the size field is always padded.
static uint64_t header_fields_bytes(const struct tp_extent *x, uint32_t body_bytes)
{
    return tp_varint_len(x->generation) + tp_varint_len(x->m) + tp_varint_len(x->time_ticks) +
           tp_varint_len(body_bytes);
}

static void count_batch(struct tp_stats_unit *u, const struct tp_extent *x,
                        const unsigned char *bytes, const struct tp_arg_table *table)
{
    uint32_t body_bytes = x->len_bytes - x->header_bytes;
    uint64_t fields_bytes = header_fields_bytes(x, body_bytes);
    struct tp_stats_part *part = need_part(u, x);
    u->batch_count++;
    if (part == NULL) {
        u->out_of_memory = true;
        return;
    }
    if (x->batch_kind == TP_BATCH_EXPERIMENTAL) {
        // Header and body are one event; the number of the experiment is a byte.
        count_event(&u->tally, TP_EV_ExperimentalBatch,
                    1 + tp_varint_len(bytes[1]) + fields_bytes + body_bytes);
        return;
    }
    count_event(&u->tally, TP_EV_EventBatch, 1 + fields_bytes);
    struct tp_tally_result r =
        tp_tally_events(&u->tally, tp_span_of(bytes + x->header_bytes, body_bytes), table,
                        on_ident, u);
    if (r.used_bytes < body_bytes) {
        tp_sink_notes_add(&u->notes,
                          &(struct tp_sink_notes){body_bytes - r.used_bytes, 1,
                                                  x->offset + x->header_bytes + r.used_bytes});
    }
    uint64_t last_ticks;
    if (x->batch_kind == TP_BATCH_EVENTS &&
        !__builtin_add_overflow(x->time_ticks, r.dt_ticks, &last_ticks) &&
        last_ticks > part->last_ticks)
        part->last_ticks = last_ticks;
}

static void reset(struct tp_stats_unit *u)
{
    memset(&u->tally, 0, sizeof u->tally);
    memset(u->small_ps, 0, sizeof u->small_ps);
    u->batch_count = 0;
    u->notes = (struct tp_sink_notes){0};
    u->large_ps.id_count = u->goroutines.id_count = u->part_count = 0;
    u->continues = u->out_of_memory = false;
}

int tp_stats_unit_count(struct tp_stats_unit *u, const struct tp_unit *unit, struct tp_error *err)
{
    const struct tp_arg_table *table =
        tp_arg_table(unit->input->format.minor, TP_DIALECT_LENIENT);
    size_t at_bytes = 0;
    reset(u);
    for (size_t i = 0; i < unit->extent_count; i++) {
        const struct tp_extent *x = &unit->extents[i];
        if (x->kind == TP_EXTENT_BATCH)
            count_batch(u, x, unit->bytes.ptr + at_bytes, table);
        else if (x->kind == TP_EXTENT_STRUCTURAL && x->ends_generation)
            count_event(&u->tally, TP_EV_EndOfGeneration, 1);
        at_bytes += x->len_bytes;
    }
    return u->out_of_memory ? tp_fail(err, TP_E_MEMORY, "no memory to count a segment") : 0;
}

void tp_stats_unit_fini(struct tp_stats_unit *u)
{
    tp_free(u->large_ps.ids);
    tp_free(u->goroutines.ids);
    tp_free(u->parts);
    *u = (struct tp_stats_unit){0};
}

size_t tp_stats_unit_extra_bytes(void)
{
    return (GOROUTINES_MAX + LARGE_PS_MAX) * sizeof(uint64_t) +
           PARTS_MAX * sizeof(struct tp_stats_part);
}
