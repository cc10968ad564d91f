// Records evidence for findings in the totals.
#include "stats/input/input.h"

bool tp_stats_record_sum(struct tp_stats_input *c, unsigned evidence, uint32_t left, uint32_t right,
                         uint64_t count, tp_wide ns)
{
    uint32_t pair = left != TP_INTERN_NONE && right != TP_INTERN_NONE
                        ? tp_totals_seek_pair(&c->totals, TP_SPACE_EVIDENCE, left, right)
                        : TP_INTERN_NONE;
    return pair != TP_INTERN_NONE &&
           tp_totals_record_pair_sum(&c->totals, TP_SPACE_EVIDENCE, pair, evidence, count, ns);
}

bool tp_stats_record_pair(struct tp_stats_input *c, unsigned evidence, uint32_t left,
                          uint32_t right, uint64_t ns, int64_t begin_ns)
{
    uint32_t pair = left != TP_INTERN_NONE && right != TP_INTERN_NONE
                        ? tp_totals_seek_pair(&c->totals, TP_SPACE_EVIDENCE, left, right)
                        : TP_INTERN_NONE;
    return pair != TP_INTERN_NONE &&
           tp_totals_record_pair(&c->totals, TP_SPACE_EVIDENCE, pair, evidence, ns,
                                 (uint64_t)begin_ns);
}

uint32_t tp_stats_empty_stack(struct tp_stats_input *c)
{
    if (c->empty_stack == 0)
        c->empty_stack = tp_totals_add_stack(&c->totals, NULL, 0) + 1;
    return c->empty_stack - 1;
}

bool tp_stats_record(struct tp_stats_input *c, unsigned evidence, uint32_t stack, uint64_t ns,
                     int64_t begin_ns)
{
    return tp_stats_record_pair(c, evidence, stack, tp_stats_empty_stack(c), ns, begin_ns);
}

bool tp_stats_count_evidence(struct tp_stats_input *c, unsigned evidence, uint32_t stack,
                             uint64_t count)
{
    return tp_stats_record_sum(c, evidence, stack, tp_stats_empty_stack(c), count, 0);
}
