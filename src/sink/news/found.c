// Lists what a run has found, as entries.
#include <string.h>

#include "base/alloc.h"
#include "sink/news/news.h"
#include "sink/stats/findings/words.h"
#include "stats/findings/fleet.h"

// Returns a copy of a name up to its first NUL, which the file cannot have. NULL: out of memory.
static char *copy_text(const struct tp_totals *s, uint32_t name)
{
    struct tp_span text = tp_totals_text(s, name);
    const unsigned char *end = text.len_bytes > 0 ? memchr(text.ptr, '\0', text.len_bytes) : NULL;
    size_t len_bytes = end != NULL ? (size_t)(end - text.ptr) : text.len_bytes;
    char *copy = tp_alloc(len_bytes + 1);
    if (copy == NULL)
        return NULL;
    if (len_bytes > 0)
        memcpy(copy, text.ptr, len_bytes);
    copy[len_bytes] = '\0';
    return copy;
}

// Adds an entry whose texts are not set yet, with these. False: out of memory.
static bool add(struct tp_news_run *run, const struct tp_news_found *found, uint32_t host, uint32_t name,
                const struct tp_source_place *culprit)
{
    if (!TP_LIST_ADD(run, *found))
        return false;
    struct tp_news_found *added = &run->items[run->count - 1];
    struct tp_news_entry *entry = &added->entry;
    bool has_place = culprit->function != TP_INTERN_NONE;
    entry->value = entry->value < TP_NEWS_VALUE_MAX ? entry->value : TP_NEWS_VALUE_MAX;
    entry->host = copy_text(run->totals, host);
    entry->name = copy_text(run->totals, name);
    entry->function = copy_text(run->totals, culprit->function);
    entry->file = copy_text(run->totals, has_place ? culprit->file : TP_INTERN_NONE);
    added->line = has_place ? culprit->line : 0;
    return entry->host != NULL && entry->name != NULL && entry->function != NULL && entry->file != NULL;
}

// Returns by path the name of the host with this input; TP_INTERN_NONE: none has it, or hosts have no names. NULL:
// out of memory; the caller frees it with tp_free.
static uint32_t *names_of_hosts(const struct tp_news_run *run)
{
    const struct tp_hosts *hosts = &run->differs.hosts;
    uint32_t count = run->totals->names.count;
    uint32_t *names = tp_alloc_array((size_t)count + 1, sizeof *names);
    for (uint32_t i = 0; i < count && names != NULL; i++)
        names[i] = TP_INTERN_NONE;
    for (uint32_t i = 0; i < hosts->count && run->has_groups && names != NULL; i++) {
        for (uint32_t k = 0; k < hosts->items[i].row_count; k++)
            names[hosts->items[i].rows[k]->path] = hosts->items[i].name;
    }
    return names;
}

// Whether a finding is a slow tail of some hosts only: of many hosts one has a tail by chance every night, so a
// host is held against the others by its 99th percentile (differ.h).
static bool is_tail_of_few(const struct tp_news_run *run, const struct tp_fleet_row *row)
{
    return row->kind == TP_FINDS_SLOW_TASK && run->differs.is_compared &&
           2 * (uint64_t)row->file_count <= run->totals->files.count;
}

static bool add_findings(struct tp_news_run *run, const struct tp_fleet *fleet)
{
    uint32_t *hosts = names_of_hosts(run);
    bool fits = hosts != NULL;
    for (uint32_t i = 0; i < fleet->count && fits; i++) {
        const struct tp_fleet_row *row = &fleet->items[i];
        if (is_tail_of_few(run, row))
            continue;
        const struct tp_news_found found = {
            .entry = {.measure = (enum tp_host_measure)row->kind, .value = row->value_ppm},
            .label = tp_finding_culprit_label(row)};
        fits = add(run, &found, hosts[row->worst_path], TP_INTERN_NONE, &row->culprit);
    }
    tp_free(hosts);
    return fits;
}

static bool add_difference(struct tp_news_run *run, const struct tp_difference *d)
{
    const struct tp_source_place culprit = tp_measure_culprit(d->measure, d->found, d->top);
    struct tp_news_found found = {.entry = {.is_of_host = true,
                                            .measure = d->measure,
                                            .is_below = d->value < d->fleet_value,
                                            .value = d->value},
                                  .fleet_value = d->fleet_value,
                                  .label = "in"};
    if (d->found != NULL)
        found.label = tp_found_culprit_label(d->found);
    return add(run, &found, run->differs.hosts.items[d->host].name, d->name, &culprit);
}

// Adds the differences of a host. Those without a finding that are less severe than its worst finding are
// taken for effects of that.
static bool add_host(struct tp_news_run *run, const struct tp_differing_host *host)
{
    const struct tp_difference *all = &run->differs.differences.items[host->first];
    bool fits = true;
    for (uint32_t i = 0; i < host->count && fits; i++) {
        bool is_effect = all[i].found == NULL && all[0].found != NULL &&
                         all[i].severity_ppm < all[0].severity_ppm;
        fits = is_effect || add_difference(run, &all[i]);
    }
    return fits;
}

static int compare_found(const void *left, const void *right)
{
    const struct tp_news_found *a = left, *b = right;
    return tp_news_compare_keys(&a->entry, &b->entry)
        ?: (a->entry.value < b->entry.value) - (a->entry.value > b->entry.value);
}

static void free_texts(struct tp_news_found *found)
{
    tp_free(found->entry.host);
    tp_free(found->entry.name);
    tp_free(found->entry.function);
    tp_free(found->entry.file);
}

// Sorts by key. Of equal keys, which names with a NUL may have, the greatest value stays.
static void sort(struct tp_news_run *run)
{
    uint32_t kept = 0;
    TP_LIST_SORT(run, compare_found);
    for (uint32_t i = 0; i < run->count; i++) {
        if (kept > 0 && tp_news_compare_keys(&run->items[kept - 1].entry, &run->items[i].entry) == 0)
            free_texts(&run->items[i]);
        else
            run->items[kept++] = run->items[i];
    }
    run->count = kept;
}

// Notes which kinds of findings each path has.
static bool note_kinds(struct tp_news_run *run)
{
    const struct tp_totals *s = run->totals;
    run->kinds_of = tp_alloc_zero(((size_t)s->names.count + 1) * sizeof *run->kinds_of);
    for (uint32_t i = 0; i < s->found.count && run->kinds_of != NULL; i++)
        run->kinds_of[s->found.items[i].path] |= 1u << s->found.items[i].kind;
    return run->kinds_of != NULL;
}

static bool make_watches(struct tp_news_run *run, const struct tp_news_entries *entries)
{
    run->watches = tp_alloc_zero(((size_t)entries->count + 1) * sizeof *run->watches);
    for (uint32_t i = 0; i < entries->count && run->watches != NULL; i++) {
        const struct tp_news_entry *entry = &entries->items[i];
        run->watches[i] = (struct tp_host_watch){.host_name = tp_span_of_text(entry->host),
                                                 .measure = entry->measure,
                                                 .name = tp_span_of_text(entry->name),
                                                 .is_below = entry->is_below};
    }
    return run->watches != NULL;
}

int tp_news_find(struct tp_news_run *ret_run, const struct tp_news_entries *entries,
                 const struct tp_totals *totals, bool has_groups, struct tp_error *err)
{
    struct tp_news_run run = {.has_groups = has_groups, .totals = totals};
    struct tp_fleet fleet = {0};
    bool fits = note_kinds(&run) && make_watches(&run, entries);
    int rc = fits ? tp_fleet_make(totals, &fleet, err) : 0;
    if (rc == 0 && fits)
        rc = tp_differs_make_watching(totals, run.watches, has_groups ? entries->count : 0, &run.differs, err);
    if (rc == 0 && fits) {
        fits = add_findings(&run, &fleet);
        for (uint32_t i = 0; i < run.differs.count && fits && has_groups; i++)
            fits = add_host(&run, &run.differs.items[i]);
    }
    if (rc == 0 && !fits)
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for known findings");
    tp_fleet_fini(&fleet);
    if (rc == 0)
        sort(&run);
    else
        tp_news_run_fini(&run);
    *ret_run = run;
    return rc;
}

void tp_news_run_fini(struct tp_news_run *run)
{
    for (uint32_t i = 0; i < run->count; i++)
        free_texts(&run->items[i]);
    tp_free(run->items);
    tp_differs_fini(&run->differs);
    tp_free(run->watches);
    tp_free(run->kinds_of);
    *run = (struct tp_news_run){0};
}
