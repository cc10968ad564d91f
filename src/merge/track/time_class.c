#include "merge/track/time_class.h"

#include <string.h>

static bool contains(struct tp_span text, const char *word)
{
    return text.len_bytes > 0 && memmem(text.ptr, text.len_bytes, word, strlen(word)) != NULL;
}

enum tp_class tp_class_of_reason(struct tp_span reason)
{
    if (tp_span_is(reason, "network"))
        return TP_CLASS_NETWORK;
    if (tp_span_is(reason, "sleep"))
        return TP_CLASS_SLEEP;
    if (contains(reason, "chan"))
        return TP_CLASS_CHANNEL;
    if (contains(reason, "select"))
        return TP_CLASS_SELECT;
    return contains(reason, "sync") ? TP_CLASS_SYNC : TP_CLASS_OTHER;
}

uint8_t tp_wait_of_reason(struct tp_span reason)
{
    unsigned bits = (unsigned)(tp_class_of_reason(reason) - TP_CLASS_FIRST_BLOCK)
                    << TP_WAIT_CLASS_SHIFT;
    if (tp_span_is(reason, "forever"))
        bits |= TP_WAIT_FOREVER;
    if (tp_span_is(reason, "preempted"))
        bits |= TP_WAIT_IS_PREEMPTION;
    if (tp_span_is(reason, "sync"))
        bits |= TP_WAIT_FOR_LOCK;
    if (tp_span_is(reason, "network"))
        bits |= TP_WAIT_FOR_NETWORK;
    else if (contains(reason, "chan") || contains(reason, "sync") || contains(reason, "select"))
        bits |= TP_WAIT_FOR_OTHERS;
    return (uint8_t)bits;
}

struct tp_interval_parts tp_interval_elsewhere(uint64_t stopped_ns, uint64_t ns)
{
    return (struct tp_interval_parts){
        .ns = {[TP_CLASS_ELSEWHERE] = ns},
        .delay_ns = {[TP_DELAY_STOPPED] = stopped_ns < ns ? stopped_ns : ns}};
}

struct tp_interval_parts tp_interval_parts_of(const struct tp_class_clock *begin,
                                              const struct tp_class_clock *end,
                                              uint64_t stopped_ns, uint64_t ns)
{
    struct tp_interval_parts parts = {
        .delay_ns = {[TP_DELAY_ASSIST] = end->assist_ns - begin->assist_ns,
                       [TP_DELAY_STOPPED] = stopped_ns}};
    uint64_t left_ns = ns;
    for (unsigned i = 0; i < TP_CLASS_COUNTED; i++) {
        parts.ns[i] = end->ns[i] - begin->ns[i];
        if (parts.ns[i] > left_ns)
            return tp_interval_elsewhere(stopped_ns, ns);
        left_ns -= parts.ns[i];
    }
    parts.ns[TP_CLASS_ELSEWHERE] = left_ns;
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
        parts.delay_ns[i] = parts.delay_ns[i] < ns ? parts.delay_ns[i] : ns;
    return parts;
}
