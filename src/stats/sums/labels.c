// Adds states and CPU samples by stack and labels.
#include "stats/sums/sums.h"

TP_INLINE uint32_t *recent_of(struct tp_sums *s, const struct tp_track_labelled *l)
{
    static_assert(TP_SUMS_LABELLED_SLOTS == 512, "9 bits");
    uint64_t all = l->stack + ((uint64_t)l->function << 32) +
                   (l->task + ((uint64_t)l->region << 16) + ((uint64_t)l->state << 40)) *
                       UINT64_C(0xc2b2ae3d27d4eb4f);
    return &s->labelled.recent[all * UINT64_C(0x9e3779b97f4a7c15) >> 55];
}

bool tp_sums_add_labelled(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->labelled.count && fits && tp_sums_wants(s, TP_PART_LABELS); i++) {
        const struct tp_track_labelled *l = &f->labelled.items[i];
        if (tp_labelled_type(l) != s->labelled.type)
            continue;
        uint32_t *recent = recent_of(s, l);
        if (*recent < s->labelled.of.count &&
            tp_track_labelled_join(&s->labelled.of.items[*recent], l))
            continue;
        *recent = s->labelled.of.count;
        fits = TP_LIST_ADD(&s->labelled.of, *l);
    }
    return fits;
}
