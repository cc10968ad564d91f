// Findings of stops of the world, of those that the program asks for and of those of the collector.
#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/evidence_walk.h"

#define LEAST_STOPS 2
#define LEAST_OFTEN 10
// The world stands still for at least this part of the time: benchmarks and monitors that read the
// memory statistics stop it for less.
#define LEAST_STOPPED_PPM 20000
// The collector stops the world twice in each cycle, and a late machine makes some of these stops
// long. So its stops weigh less: the second longest 5/8, the longest 1/8 instead of 1/2. But they
// weigh as much as the program's if a function delays stops again and again.
#define LEAST_DELAYS 2
#define COLLECTOR_PART 8
#define COLLECTOR_SECOND_PARTS 5
#define PROGRAM_LONGEST_PART 2
#define NS_PER_SECOND 1000000000

// All stops of one evidence. stops_fini frees what it owns.
struct stops {
    struct tp_dist all;             // owned
    struct tp_source_place longest; // who asked for the longest
    uint64_t longest_ns;
};

static bool is_longer(const struct stops *stops, const struct tp_totals *s, uint64_t ns,
                      const struct tp_source_place *place)
{
    return (tp_compare_u64(stops->longest_ns, ns) ?: tp_source_place_compare(s, place, &stops->longest)) < 0;
}

static bool collect(struct stops *stops, const struct tp_totals *s, enum tp_evidence evidence)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = evidence};
    bool fits = true;
    *stops = (struct stops){.longest = TP_SOURCE_PLACE_NONE};
    while (fits && tp_evidence_next(&walk)) {
        struct tp_source_place place = tp_source_place_of(s, walk.stack, TP_STACK_SCHED);
        fits = tp_dist_merge(&stops->all, walk.dist);
        if (is_longer(stops, s, walk.dist->max_ns, &place)) {
            stops->longest = place;
            stops->longest_ns = walk.dist->max_ns;
        }
    }
    return fits;
}

// Returns the least duration of the bucket that has the second longest one; 0: there are fewer than
// two.
static uint64_t second_longest_ns(const struct tp_dist *d)
{
    if (d->count < LEAST_STOPS)
        return 0;
    unsigned bucket = tp_hist_bucket_of_rank(&d->hist, d->count - 1);
    return bucket < TP_HIST_BUCKETS ? tp_hist_bucket_low(bucket) : 0;
}

// Returns what each second loses by so many stops, in ns; 0: there are too few to say so.
static uint64_t each_second_ns(uint64_t count, tp_wide stopped_ns, const struct tp_file_row *row)
{
    uint64_t ppm = tp_ppm_of(stopped_ns, row->figures[TP_FILE_DURATION]);
    if (count < LEAST_OFTEN || ppm < LEAST_STOPPED_PPM)
        return 0;
    return ppm < 1000000 ? ppm * (NS_PER_SECOND / 1000000) : NS_PER_SECOND;
}

// Sets the value in ns: what the world is stopped for again and again. Of the program's stops that
// is the second longest, half of the longest, or what each second loses.
static void set_value_of_program(struct tp_found *found, const struct stops *stops,
                                 const struct tp_file_row *row)
{
    uint64_t again_ns = tp_greater(second_longest_ns(&stops->all),
                                stops->longest_ns / PROGRAM_LONGEST_PART);
    uint64_t each_ns = each_second_ns(stops->all.count, stops->all.total_ns, row);
    found->value_ppm = tp_greater(again_ns, each_ns); // a millionth of a millisecond
    found->detail[0] = each_ns > again_ns;
}

// Returns the same for the collector's stops. is_delayed: a function makes them long, not the machine.
static uint64_t value_of_collector(const struct stops *stops, bool is_delayed)
{
    uint64_t second_ns = second_longest_ns(&stops->all);
    return is_delayed ? tp_greater(second_ns, stops->longest_ns / PROGRAM_LONGEST_PART)
                      : tp_greater(second_ns / COLLECTOR_PART * COLLECTOR_SECOND_PARTS,
                                stops->longest_ns / COLLECTOR_PART);
}

// WHO DELAYED A STOP

// The function that delayed the longest of some stops.
struct delay {
    uint64_t least_ns;            // a run as long as this may have delayed it
    struct tp_source_place place; // none: nobody is known
    uint64_t longest_ns;          // run of the function
    bool is_usual;                // nearly all long runs of the function, and two, are as long
};

// Whether the runtime could interrupt a run only after a time that shows that the machine was late.
static bool is_late(const struct tp_totals *s)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = TP_EVIDENCE_LONG_RUN_PREEMPTED};
    while (tp_evidence_next(&walk)) {
        if (walk.dist->max_ns >= TP_LATE_INTERRUPT_NS && tp_run_is_interrupted(s, walk.stack))
            return true;
    }
    return false;
}

// Judges the long runs of a function. If the runtime interrupted one, it could stop the function.
static bool judge_delay(struct tp_judging *j, const struct tp_blamed *of, void *ctx)
{
    (void)j;
    struct delay *delay = ctx;
    struct tp_long_runs runs;
    if (of->interrupted_ns > 0 || of->all.max_ns < delay->least_ns ||
        of->all.max_ns <= delay->longest_ns)
        return true;
    delay->place = of->culprit;
    delay->longest_ns = of->all.max_ns;
    delay->is_usual = tp_runs_are_long(&of->all, delay->least_ns, &runs) &&
                      runs.count >= LEAST_DELAYS;
    return true;
}

// Finds the function with the longest run that may have delayed a stop, if stacks show it; of equal
// ones the first by name. A goroutine that did not stop ran at least for as long as it was waited
// for. Three quarters, because the stop has other parts. False: out of memory.
static bool find_delay(struct tp_judging *j, const struct stops *stops, struct delay *ret)
{
    struct tp_blames blames = {0};
    struct tp_evidence_walk walk = {.s = j->s, .evidence = TP_EVIDENCE_LONG_RUN_PREEMPTED};
    bool fits = true;
    *ret = (struct delay){.least_ns = stops->longest_ns - stops->longest_ns / 4,
                          .place = TP_SOURCE_PLACE_NONE};
    if (stops->all.count == 0)
        return true;
    while (fits && tp_evidence_next(&walk)) {
        struct tp_source_place place = tp_run_place_if_shown(&walk);
        fits = tp_blames_add(&blames, &place, &walk);
    }
    fits = fits && tp_blames_judge(&blames, j, judge_delay, ret);
    tp_free(blames.items);
    return fits;
}

// Judges the stops that the program requests. The culprit is the function that requests them, or the
// one that delays such stops again and again.
static bool judge_program(struct tp_judging *j)
{
    struct tp_found found = tp_found_of(TP_FINDS_STOP_THE_WORLD);
    struct stops stops;
    struct delay delay;
    bool fits = collect(&stops, j->s, TP_EVIDENCE_STOP) && find_delay(j, &stops, &delay);
    if (fits && stops.all.count > 0) {
        tp_found_set_times(&found, &stops.all);
        set_value_of_program(&found, &stops, j->row);
        found.culprit = delay.is_usual ? delay.place : stops.longest;
        if (delay.is_usual)
            found.other = stops.longest;
        fits = tp_judging_add(j, &found, TP_HOLDS);
    }
    tp_dist_fini(&stops.all);
    return fits;
}

// Judges the stops of the collector, if a function of the program delays them. The goroutine at which
// a cycle begins only happens to allocate then, and pressure alone makes no stop long.
static bool judge_collector(struct tp_judging *j)
{
    struct tp_found found = tp_found_of(TP_FINDS_STOP_THE_WORLD);
    struct stops stops;
    struct delay delay;
    bool fits = collect(&stops, j->s, TP_EVIDENCE_STOP_GC) && find_delay(j, &stops, &delay);
    bool is_delayed = delay.place.function != TP_INTERN_NONE && (delay.is_usual || !is_late(j->s));
    if (fits && stops.all.count > 0 && is_delayed) {
        tp_found_set_times(&found, &stops.all);
        found.value_ppm = value_of_collector(&stops, delay.is_usual);
        found.culprit = found.other = delay.place;
        fits = tp_judging_add(j, &found, TP_HOLDS);
    }
    tp_dist_fini(&stops.all);
    return fits;
}

bool tp_judge_stop_the_world(struct tp_judging *j)
{
    tp_judging_note(j, TP_FINDS_STOP_THE_WORLD);
    return judge_program(j) && judge_collector(j);
}
