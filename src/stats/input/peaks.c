// Finds when most goroutines waited for a P at once (figures/peaks.h), and records that in the totals.
#include "merge/tables/text.h"
#include "stats/input/input.h"

// Functions looked up last, by the remainder of their references.
#define CACHE_SLOTS 64
struct cache {
    struct {
        uint32_t ref;
        uint32_t number; // + 1; 0: empty
    } slots[CACHE_SLOTS];
};

// Returns the number of a function in c->peak_names. TP_INTERN_NONE: out of memory.
static uint32_t number_of(struct tp_stats_step *step, struct cache *cache, uint32_t ref)
{
    uint32_t at = ref % CACHE_SLOTS;
    if (cache->slots[at].number == 0 || cache->slots[at].ref != ref) {
        struct tp_span text = tp_text_span(tp_fact_text(ref, step->s->tables));
        cache->slots[at].ref = ref;
        cache->slots[at].number = tp_intern_put(&step->c->peak_names, text) + 1;
    }
    return cache->slots[at].number - 1;
}

static bool add_wait(struct tp_stats_step *step, struct cache *cache, struct tp_peak_wait wait)
{
    wait.who = wait.is_unnamed ? tp_stats_life(step->s, wait.who)
                               : number_of(step, cache, wait.who);
    return (wait.is_unnamed || wait.who != TP_INTERN_NONE) && tp_peaks_add(&step->c->peaks, &wait);
}

static bool put_name(struct tp_stats_step *step, struct cache *cache, struct tp_map *functions,
                     uint32_t life, uint32_t name)
{
    uint32_t number = number_of(step, cache, name);
    return number != TP_INTERN_NONE && (tp_map_get(functions, life) != TP_MAP_NONE ||
                                        tp_map_put(functions, life, number + 1));
}

// Names the lives whose names the sums tell.
static bool name_lives(struct tp_stats_step *step, struct cache *cache)
{
    const struct tp_sums_lives *lives = &step->s->lives;
    struct tp_map functions = {0};
    bool fits = true;
    for (uint32_t i = 0; i < lives->of.count && fits; i++) {
        const struct tp_sums_life *life = &lives->of.items[i];
        if (life->name != TP_LIFE_NAME_UNKNOWN)
            fits = put_name(step, cache, &functions, tp_stats_life(step->s, lives->first + i),
                            life->name);
    }
    for (uint32_t i = 0; i < lives->older.count && fits; i++)
        fits = put_name(step, cache, &functions, lives->older.items[i].number,
                        lives->older.items[i].name);
    fits = fits && tp_peaks_name(&step->c->peaks, &functions);
    tp_map_fini(&functions);
    return fits;
}

bool tp_stats_add_peaks(struct tp_stats_step *step)
{
    struct cache cache = {0};
    bool fits = true;
    if (!tp_stats_wants(step->c, TP_PART_GOROUTINES))
        return true;
    for (uint32_t i = 0; i < step->s->long_waits.count && fits; i++)
        fits = add_wait(step, &cache, step->s->long_waits.items[i]);
    return fits && (step->c->peaks.lives.count == 0 || name_lives(step, &cache));
}

// THE END

static bool record(struct tp_stats_input *c, uint32_t who, enum tp_peak_measure measure,
                   uint64_t value, int64_t begin_ns)
{
    struct tp_totals *totals = &c->totals;
    uint32_t name;
    return tp_totals_name(totals, TP_SPACE_PEAK, tp_intern_text(&c->peak_names, who), &name) &&
           tp_durations_record(&totals->durations, TP_SPACE_PEAK, name, measure, value,
                               (uint64_t)begin_ns, false);
}

static bool record_function(void *ctx, const struct tp_peak *peak)
{
    return record(ctx, peak->who, TP_PEAK_OF_FUNCTION, peak->thousandths, peak->begin_ns);
}

static bool is_before(void *ctx, uint32_t a, uint32_t b)
{
    const struct tp_intern *names = &((const struct tp_stats_input *)ctx)->peak_names;
    return tp_span_compare(tp_intern_text(names, a), tp_intern_text(names, b)) < 0;
}

bool tp_stats_end_peaks(struct tp_stats_input *c)
{
    if (!c->peaks.has_waits)
        return true;
    uint32_t unknown = tp_intern_put(&c->peak_names, tp_span_of("", 0));
    if (unknown == TP_INTERN_NONE || !tp_peaks_name_rest(&c->peaks, unknown) ||
        !tp_peaks_by_function(&c->peaks, record_function, c))
        return false;
    const struct tp_peak all = tp_peaks_of_all(&c->peaks, is_before, c);
    bool fits = record(c, all.who, TP_PEAK_OF_ALL, all.thousandths, all.begin_ns) &&
                record(c, all.who, TP_PEAK_WIDTH, all.width_ns, all.begin_ns);
    tp_peaks_fini(&c->peaks);
    tp_intern_fini(&c->peak_names);
    return fits;
}
