#include "sink/stats/findings/words.h"

#include <inttypes.h>
#include <string.h>

#include "stats/findings/place.h"

#define PPM UINT64_C(1000000)

const struct tp_finding_sentence tp_finding_sentences[TP_FINDS_COUNT] = {
#define TP_SENTENCE(kind, unit, count, culprit, victims, other, worst, sink, filter) \
    [TP_FINDS_##kind] = {unit, count, culprit, victims, other, worst, sink, TP_FINDING_FILTER_##filter},
#include "sink/stats/findings/sentences.def"
#undef TP_SENTENCE
};

struct tp_human tp_finding_human(enum tp_finding_kind kind, uint64_t ppm)
{
    switch (tp_finding_kinds[kind].unit) {
    case TP_FINDING_UNIT_MS: return tp_human_ns(ppm); // a millionth of a millisecond
    case TP_FINDING_UNIT_CPU_TIME: return tp_human_share(ppm, PPM);
    default: break;
    }
    if (ppm >= 10 * PPM)
        return tp_human_ratio(ppm, PPM);
    unsigned digits = ppm >= PPM ? 2 : 3;
    uint64_t parts = digits == 2 ? 100 : 1000, rounded = (ppm + PPM / parts / 2) / (PPM / parts);
    return tp_human_printf("%" PRIu64 ".%0*" PRIu64, rounded / parts, (int)digits,
                           rounded % parts);
}

struct tp_human tp_finding_ps(const struct tp_fleet_row *row)
{
    const struct tp_human busy = tp_human_share(row->detail[1], PPM);
    uint64_t hundredths = (row->detail[0] + 5) / 10, whole = hundredths / 100, rest = hundredths % 100;
    return rest == 0 ? tp_human_printf("GOMAXPROCS=%" PRIu64 ", %s busy", whole, busy.text)
                     : tp_human_printf("GOMAXPROCS=%" PRIu64 ".%02" PRIu64 ", %s busy", whole, rest,
                                       busy.text);
}

bool tp_finding_is_of_bursts(const struct tp_fleet_row *row)
{
    return row->kind == TP_FINDS_FEW_PS && row->detail[1] < PPM / 2;
}

struct tp_human tp_finding_headline(const struct tp_fleet_row *row)
{
    const struct tp_human value = tp_finding_human(row->kind, row->value_ppm);
    // The figure is that of the worst trace.
    const struct tp_human figure = tp_human_printf("%s%s", row->file_count > 1 ? "up to " : "", value.text);
    const char *text = figure.text;
    switch (row->kind) {
    case TP_FINDS_LOCK:
    case TP_FINDS_SYSCALL:
    case TP_FINDS_CHANNEL:
    case TP_FINDS_POOL: return tp_human_printf("%s goroutines waiting on average", text);
    case TP_FINDS_GC:
        return row->detail[0] == 0
                   ? tp_human_printf("%s of the CPU time", text)
                   : tp_human_printf("%s of the CPU time, the heap may grow by %s", text,
                                     tp_human_share(row->detail[0], PPM).text);
    case TP_FINDS_FEW_PS:
        return tp_human_printf(tp_finding_is_of_bursts(row) ? "%s queued per P, in bursts"
                                                            : "%s goroutines queued per P", text);
    case TP_FINDS_LEAK:
        return tp_human_printf("%s+%s goroutines/s", row->file_count > 1 ? "up to " : "", value.text);
    case TP_FINDS_P_HOG: return tp_human_printf("one run of %s", value.text);
    case TP_FINDS_SCHED_LATENCY: return tp_human_printf("%s until a goroutine runs", text);
    case TP_FINDS_STOP_THE_WORLD:
        return row->detail[0] != 0 ? tp_human_printf("%s of each second", text)
                                   : tp_human_printf("up to %s", tp_human_ns(row->max_ns).text);
    case TP_FINDS_SLOW_TASK:
        return tp_human_printf("1%% take %s or more, median %s", tp_human_ns(row->p99_ns).text,
                               tp_human_ns(row->detail[0]).text);
    case TP_FINDS_COUNT: break;
    }
    return figure;
}

// Whether the culprit delays stops that others request.
static bool delays(const struct tp_fleet_row *row)
{
    return row->kind == TP_FINDS_STOP_THE_WORLD && row->other.function != TP_INTERN_NONE;
}

const char *tp_finding_culprit_label(const struct tp_fleet_row *row)
{
    if (delays(row))
        return "delayed by";
    return row->kind == TP_FINDS_GC && row->other.function != TP_INTERN_NONE
               ? "forced by"
               : tp_finding_sentences[row->kind].culprit;
}

const char *tp_found_culprit_label(const struct tp_found *found)
{
    const struct tp_fleet_row row = {
        .kind = (enum tp_finding_kind)found->kind, .culprit = found->culprit, .other = found->other};
    return tp_finding_culprit_label(&row);
}

const char *tp_finding_other_label(const struct tp_full_report *r, const struct tp_fleet_row *row)
{
    bool is_same =
        tp_source_place_compare_functions(r->totals, &row->culprit, &row->other) == 0;
    return is_same ? NULL : tp_finding_sentences[row->kind].other;
}

struct tp_human tp_finding_damage(const struct tp_full_report *r, const struct tp_fleet_row *row,
                                  bool is_short)
{
    if (row->damaged_count == 0)
        return tp_human_printf("%s", "");
    if (!tp_finding_is_of_fleet(r))
        return tp_human_printf("%s", is_short ? " (damaged)" : ", as far as it could be read");
    return tp_human_printf(" (%s damaged%s)", tp_human_count(row->damaged_count).text,
                           is_short                  ? ""
                           : row->damaged_count == 1 ? ", as far as it could be read"
                                                     : ", as far as they could be read");
}

// THE WORST INSTANCE

#define MARGIN_PART 4
#define MARGIN_LEAST_NS 100000

struct tp_when tp_finding_when(const struct tp_fleet_row *row)
{
    const struct tp_worst *worst = &row->found[0]->worst;
    bool has_instance = tp_finding_sentences[row->kind].worst != NULL;
    return (struct tp_when){has_instance ? worst->since_ns : TP_NO_MOMENT,
                            has_instance ? worst->wall_ns : TP_NO_WALL_NS};
}

struct tp_human tp_finding_worst(const struct tp_fleet_row *row, unsigned columns)
{
    const struct tp_found *found = row->found[0];
    const char *words = tp_finding_sentences[row->kind].worst;
    const struct tp_human length = tp_human_ns(found->worst.ns);
    if (row->kind != TP_FINDS_FEW_PS)
        return tp_human_printf("%s %s", words, length.text);
    const struct tp_human peak = tp_human_printf("%s %s", words, tp_human_ratio(found->peak, 1000).text);
    const struct tp_human all = tp_human_printf("%s (mean of %s)", peak.text, length.text);
    return all.columns <= columns ? all : peak;
}

struct tp_full_window tp_finding_window(const struct tp_fleet_row *row)
{
    const struct tp_worst *worst = &row->found[0]->worst;
    uint64_t margin_ns = worst->ns / MARGIN_PART > MARGIN_LEAST_NS ? worst->ns / MARGIN_PART : MARGIN_LEAST_NS;
    uint64_t before_ns = worst->since_ns < margin_ns ? worst->since_ns : margin_ns;
    return tp_full_window_of((int64_t)(worst->since_ns - before_ns), before_ns + worst->ns + margin_ns);
}

int tp_finding_word_bytes(const char *plural, uint64_t count)
{
    size_t len_bytes = strlen(plural);
    return (int)(count == 1 && plural[len_bytes - 1] == 's' ? len_bytes - 1 : len_bytes);
}
