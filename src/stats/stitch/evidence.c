// Records evidence for findings in the totals.
#include "stats/evidence.h"
#include "stats/stitch/stitch.h"

// Returns the number of the empty stack; TP_INTERN_NONE: out of memory.
static uint32_t empty_stack(struct tp_stitch *c)
{
    if (c->empty_stack == 0)
        c->empty_stack = tp_totals_add_stack(&c->totals, NULL, 0) + 1;
    return c->empty_stack - 1;
}

bool tp_stitch_record_evidence_sum(struct tp_stitch *c, unsigned evidence, uint32_t left,
                                   uint32_t right, uint64_t count, tp_wide ns)
{
    uint32_t pair = tp_totals_seek_pair(&c->totals, TP_SPACE_EVIDENCE, left, right);
    return pair != TP_INTERN_NONE &&
           tp_totals_record_pair_sum(&c->totals, TP_SPACE_EVIDENCE, pair, evidence, count, ns);
}

bool tp_stitch_record_evidence(struct tp_stitch *c, unsigned evidence, uint32_t stack, uint64_t ns)
{
    uint32_t none = empty_stack(c);
    return none != TP_INTERN_NONE &&
           tp_stitch_record_evidence_of_pair(c, evidence, stack, none, ns);
}

bool tp_stitch_record_evidence_of_pair(struct tp_stitch *c, unsigned evidence, uint32_t left,
                                       uint32_t right, uint64_t ns)
{
    uint32_t pair = tp_totals_seek_pair(&c->totals, TP_SPACE_EVIDENCE, left, right);
    return pair != TP_INTERN_NONE &&
           tp_totals_record_pair(&c->totals, TP_SPACE_EVIDENCE, pair, evidence, ns);
}

bool tp_stitch_count_evidence(struct tp_stitch *c, unsigned evidence, uint32_t stack,
                              uint64_t count)
{
    uint32_t none = empty_stack(c);
    return none != TP_INTERN_NONE &&
           tp_stitch_record_evidence_sum(c, evidence, stack, none, count, 0);
}

bool tp_stitch_record_idle_runs(struct tp_stitch *c, uint64_t count, tp_wide ns)
{
    if (count == 0)
        return true;
    uint32_t none = empty_stack(c);
    return none != TP_INTERN_NONE &&
           tp_stitch_record_evidence_sum(c, TP_EVIDENCE_IDLE_WORKER, none, none, count, ns);
}
