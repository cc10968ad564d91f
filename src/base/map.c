#include "base/map.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_ENTRIES 16

void tp_map_fini(struct tp_map *m)
{
    tp_free(m->entries);
    *m = (struct tp_map){0};
}

void tp_map_clear(struct tp_map *m)
{
    if (m->count > 0)
        memset(m->entries, 0, (m->mask + 1) * sizeof *m->entries);
    m->count = 0;
}

static void insert(struct tp_map *m, uint64_t id, uint32_t value)
{
    size_t at = tp_map_home(m, id);
    while (m->entries[at].value != TP_MAP_NONE)
        at = (at + 1) & m->mask;
    m->entries[at] = (struct tp_map_entry){id, value};
}

size_t tp_map_growth_bytes(const struct tp_map *m)
{
    // Keep the table at most five eighths full, so that probes stay short.
    if (m->entries != NULL && 8 * (m->count + 1) <= 5 * (m->mask + 1))
        return 0;
    return m->entries == NULL ? FIRST_ENTRIES * sizeof *m->entries : tp_map_bytes(m);
}

static bool grow(struct tp_map *m, size_t more)
{
    size_t old_count = m->entries == NULL ? 0 : m->mask + 1;
    size_t count = old_count + more;
    struct tp_map_entry *old = m->entries;
    // Zero by writing. If fresh memory is read first, the kernel maps a page twice: for the read
    // and for the first write, and the second time stops all threads.
    struct tp_map_entry *entries = tp_alloc_array(count, sizeof *entries);
    if (entries == NULL)
        return false;
    memset(entries, 0, count * sizeof *entries);
    m->entries = entries;
    m->mask = count - 1;
    m->shift = 64 - (unsigned)__builtin_ctzll(count);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].value != TP_MAP_NONE)
            insert(m, old[i].id, old[i].value);
    }
    tp_free(old);
    return true;
}

TP_NOINLINE bool tp_map_put(struct tp_map *m, uint64_t id, uint32_t value)
{
    size_t growth_bytes = tp_map_growth_bytes(m);
    if (growth_bytes > 0 && !grow(m, growth_bytes / sizeof *m->entries))
        return false;
    assert(value != TP_MAP_NONE);
    insert(m, id, value);
    m->count++;
    return true;
}

uint32_t tp_map_remove(struct tp_map *m, uint64_t id)
{
    if (m->count == 0)
        return TP_MAP_NONE;
    size_t hole = tp_map_home(m, id);
    while (m->entries[hole].value != TP_MAP_NONE && m->entries[hole].id != id)
        hole = (hole + 1) & m->mask;
    uint32_t value = m->entries[hole].value;
    if (value == TP_MAP_NONE)
        return TP_MAP_NONE;
    // Move into the hole each entry that a probe would no longer find beyond it.
    for (size_t at = (hole + 1) & m->mask; m->entries[at].value != TP_MAP_NONE;
         at = (at + 1) & m->mask) {
        size_t home = tp_map_home(m, m->entries[at].id);
        if (((at - home) & m->mask) >= ((at - hole) & m->mask)) {
            m->entries[hole] = m->entries[at];
            hole = at;
        }
    }
    m->entries[hole].value = TP_MAP_NONE;
    m->count--;
    return value;
}
