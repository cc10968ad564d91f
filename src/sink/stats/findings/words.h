// The words in which text tells findings. Constant; any thread may use them.
#ifndef TP_SINK_STATS_FINDINGS_WORDS_H
#define TP_SINK_STATS_FINDINGS_WORDS_H

#include "sink/stats/report/command.h"
#include "sink/stats/report/when.h"

// The sink that shows all that is known of the findings.
#define TP_FULL_VIEW_SINK "stats:by=finding"
// The sink that shows the events around its worst instance.
#define TP_FULL_EVENTS_SINK "events:format=line,time=relative"

// The name by which the command `next` filters its table.
enum tp_finding_filter {
    TP_FINDING_FILTER_NOBODY,
    TP_FINDING_FILTER_CULPRIT,
    TP_FINDING_FILTER_VICTIM,
};
// A row of sentences.def.
struct tp_finding_sentence {
    const char *unit, *count, *culprit, *victims, *other, *worst, *sink;
    enum tp_finding_filter filter;
};
// Indexed by enum tp_finding_kind.
extern const struct tp_finding_sentence tp_finding_sentences[TP_FINDS_COUNT];

// Whether several inputs were judged, so that text says in how many each finding is.
TP_INLINE bool tp_finding_is_of_fleet(const struct tp_full_report *r)
{
    return r->fleet.judgements[TP_JUDGEMENT_JUDGED] > 1;
}

// Returns a value of the kind, with as many decimals as make three digits.
struct tp_human tp_finding_human(enum tp_finding_kind kind, uint64_t ppm);
// Returns what is said of the damaged inputs of a row, behind its value: that it holds as far as
// they could be read, or that they are damaged if `is_short`. Empty if there are none.
struct tp_human tp_finding_damage(const struct tp_full_report *r, const struct tp_fleet_row *row,
                                  bool is_short);
// Returns what a row is about, in one phrase with its main figure, which follows the title.
struct tp_human tp_finding_headline(const struct tp_fleet_row *row);
// Returns GOMAXPROCS and how busy the Ps were, of a row of few_ps.
struct tp_human tp_finding_ps(const struct tp_fleet_row *row);
// Returns the label of the culprit of a finding of one input.
const char *tp_found_culprit_label(const struct tp_found *found);
// Returns the label of the culprit of a row, and that of its other function; NULL: it is not printed.
const char *tp_finding_culprit_label(const struct tp_fleet_row *row);
const char *tp_finding_other_label(const struct tp_full_report *r, const struct tp_fleet_row *row);
// Whether a row is of few_ps whose Ps are not in use for half of the time: a queue is of many goroutines at once then.
bool tp_finding_is_of_bursts(const struct tp_fleet_row *row);
// Returns when the worst instance of a row was, in its worst input; not known: the kind has none.
struct tp_when tp_finding_when(const struct tp_fleet_row *row);
// Returns what the worst instance is, with its length; of few_ps the peak, which is a mean, with the time that it
// covers if all of that has no more than `columns`.
struct tp_human tp_finding_worst(const struct tp_fleet_row *row, unsigned columns);
// Returns the window of the worst instance, whose time since the trace began must be known, with a margin
// of a quarter of its length on both sides, 100 us at least, because who is to blame acts before or
// after it.
struct tp_full_window tp_finding_window(const struct tp_fleet_row *row);
// Returns the bytes of the word for so many: those of the plural without its "s" for one.
int tp_finding_word_bytes(const char *plural, uint64_t count);

#endif
