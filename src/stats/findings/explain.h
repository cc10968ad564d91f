// Drops findings that another finding of the same input explains, so that one fault is one finding.
// The manual tracepipe-stats(7), section FINDINGS, has the table.
#ifndef TP_STATS_FINDINGS_EXPLAIN_H
#define TP_STATS_FINDINGS_EXPLAIN_H

#include "stats/findings/judging.h"

// Removes the findings that are doubtful or that others explain, and adds their kinds to `also` of the finding that
// explains them: the first one in the list if there are several. Keeps the order.
void tp_judging_explain(struct tp_judging *j);

#endif
