#include "decode/tally.h"

#include <pthread.h>

static struct tp_tally_code codes[TP_TALLY_CODES];
static pthread_once_t codes_once = PTHREAD_ONCE_INIT;

static void make_codes(void)
{
    for (unsigned code = 0; code < TP_TALLY_V1; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        bool is_timed = spec->kind == TP_WIRE_TIMED || spec->kind == TP_WIRE_EXP;
        codes[code] = (struct tp_tally_code){spec->name, is_timed};
    }
    for (unsigned type = 0; type < TP_V1_CODES; type++)
        codes[TP_TALLY_V1 + type] =
            (struct tp_tally_code){tp_v1_type_names[type], tp_v1_type_is_timed(type)};
}

const struct tp_tally_code *tp_tally_code(unsigned code)
{
    pthread_once(&codes_once, make_codes);
    return &codes[code];
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
