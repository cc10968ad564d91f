// By what the value of a finding of stops of the world was found. Its value is the greatest of
// several figures (stops.c), and text has to say which.
#ifndef TP_STATS_FINDINGS_STOPS_H
#define TP_STATS_FINDINGS_STOPS_H

#include "stats/file_rows.h"
#include "stats/found.h"

// The figures among which the value of a finding is the greatest.
enum tp_stop_measure {
    TP_STOP_SECOND_LONGEST, // the second longest stop, of the collector 5/8 of it
    TP_STOP_HALF_LONGEST,   // half of the longest stop of the program, or one that a function delayed
    TP_STOP_EIGHTH_LONGEST, // an eighth of the longest stop of the collector
    TP_STOP_EACH_SECOND     // the time stopped in each second
};

// Returns what the value of the finding is. `row` is the row of its input; NULL: it is not known. If
// two figures are equal, the later one of the list is returned. Changes nothing, cannot fail.
enum tp_stop_measure tp_stop_measure_of(const struct tp_found *found,
                                        const struct tp_file_row *row);

#endif
