// The words in which text says how a host differs.
#ifndef TP_SINK_STATS_HOSTS_WORDS_H
#define TP_SINK_STATS_HOSTS_WORDS_H

#include "sink/print/human.h"
#include "stats/hosts/versus.h"

// Returns a value of a measure with its unit.
struct tp_human tp_measure_human(enum tp_host_measure measure, uint64_t value);
// Returns what a measure is a figure of, after its value, or before it for tasks and regions; empty: the
// label says it.
const char *tp_measure_words(enum tp_host_measure measure);
// The words for changes, by enum tp_versus_verdict.
extern const char *const tp_versus_words[TP_VERSUS_VERDICT_COUNT];
// Returns the words for a class of time, a constant.
const char *tp_class_words(enum tp_class class);
// Returns words before the name of a measure that say of what it is; empty: of a task, or the other words say it.
TP_INLINE const char *tp_measure_name_words(enum tp_host_measure measure)
{
    return tp_measure_info(measure).of == TP_TOP_REGION ? "region " : "";
}
// Whether the figure of a measure begins with a name: that of a wait is its place.
TP_INLINE bool tp_measure_begins_with_name(enum tp_host_measure measure)
{
    return tp_is_top_measure(measure) && measure != TP_HOST_WAIT;
}
// Returns the label of a measure: short, in capitals.
const char *tp_measure_label(enum tp_host_measure measure);

#endif
