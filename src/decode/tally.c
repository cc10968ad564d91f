#include "decode/tally.h"

struct tp_tally_code tp_tally_code(unsigned code)
{
    if (code >= TP_TALLY_V1) {
        unsigned type = code - TP_TALLY_V1;
        return (struct tp_tally_code){tp_v1_type_names[type], tp_v1_type_is_timed(type)};
    }
    const struct tp_event_spec *spec = &tp_event_specs[code];
    return (struct tp_tally_code){spec->name, tp_event_is_timed(spec)};
}

void tp_tally_add(struct tp_tally *into, const struct tp_tally *from)
{
    for (size_t i = 0; i < TP_TALLY_CODES; i++) {
        into->count[i] += from->count[i];
        into->bytes[i] += from->bytes[i];
    }
}

uint64_t tp_tally_strings(const struct tp_tally *t)
{
    return t->count[TP_EV_String] + t->count[TP_TALLY_V1 + TP_V1_String];
}

uint64_t tp_tally_stacks(const struct tp_tally *t)
{
    return t->count[TP_EV_Stack] + t->count[TP_TALLY_V1 + TP_V1_Stack];
}

uint64_t tp_tally_samples(const struct tp_tally *t)
{
    return t->count[TP_EV_CPUSample] + t->count[TP_TALLY_V1 + TP_V1_CPUSample];
}
