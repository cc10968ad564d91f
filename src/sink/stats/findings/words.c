#include "sink/stats/findings/words.h"

#include <inttypes.h>
#include <string.h>

#define PPM UINT64_C(1000000)

const struct tp_finding_sentence tp_finding_sentences[TP_FINDS_COUNT] = {
#define TP_SENTENCE(kind, before, after, count, culprit, victims, other, sink, filter)  \
    [TP_FINDS_##kind] = {before, after,   count, culprit,                               \
                         victims, other, sink, TP_FINDING_FILTER_##filter},
#include "sink/stats/findings/sentences.def"
#undef TP_SENTENCE
};

struct tp_human tp_finding_human(enum tp_finding_kind kind, uint64_t ppm)
{
    switch (tp_finding_kinds[kind].unit) {
    case TP_FINDING_UNIT_MS: return tp_human_ns(ppm); // a millionth of a millisecond
    case TP_FINDING_UNIT_CAPACITY: return tp_human_share(ppm, PPM);
    default: break;
    }
    if (ppm >= 10 * PPM)
        return tp_human_ratio(ppm, PPM);
    unsigned digits = ppm >= PPM ? 2 : 3;
    uint64_t parts = digits == 2 ? 100 : 1000, rounded = (ppm + PPM / parts / 2) / (PPM / parts);
    return tp_human_printf("%" PRIu64 ".%0*" PRIu64, rounded / parts, (int)digits,
                           rounded % parts);
}

const char *tp_finding_after(const struct tp_fleet_row *row)
{
    static const char *const measures[] = {
        [TP_STOP_SECOND_LONGEST] = " by the second longest stop",
        [TP_STOP_HALF_LONGEST] = ", half of the longest stop",
        [TP_STOP_EIGHTH_LONGEST] = ", an eighth of the longest stop",
        [TP_STOP_EACH_SECOND] = " of each second",
    };
    return row->kind == TP_FINDS_STOP_THE_WORLD ? measures[row->stop_measure]
                                                : tp_finding_sentences[row->kind].after;
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

const char *tp_finding_unit_words(enum tp_finding_kind kind)
{
    enum tp_finding_unit unit = tp_finding_kinds[kind].unit;
    if (unit == TP_FINDING_UNIT_CAPACITY)
        return "of capacity";
    return unit == TP_FINDING_UNIT_MS ? "" : tp_finding_unit_name(unit);
}

bool tp_finding_is_mean(enum tp_finding_kind kind)
{
    enum tp_finding_unit unit = tp_finding_kinds[kind].unit;
    return unit == TP_FINDING_UNIT_GOROUTINES || unit == TP_FINDING_UNIT_PER_P;
}

int tp_finding_word_bytes(const char *plural, uint64_t count)
{
    size_t len_bytes = strlen(plural);
    return (int)(count == 1 && plural[len_bytes - 1] == 's' ? len_bytes - 1 : len_bytes);
}
