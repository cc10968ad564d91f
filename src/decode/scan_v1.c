#include "decode/scan_v1.h"

#include "base/little.h"
#include "decode/event_v1.h"
#include "decode/varint.h"

// Maximum P of a Batch event after damage, as in Go's later reader.
#define BELIEVED_P_MAX INT32_MAX
#define NO_P UINT64_MAX
// The scan resumes at a Batch only if the next RESUME_EVENTS events, or all events in the next
// RESUME_BYTES bytes, can be read.
#define RESUME_EVENTS 8
#define RESUME_BYTES 1024

// How the scan steps over an event. READ: tp_v1_event_read must read the event. NUMBERS: the
// event's numbers follow the first byte. SIZED: the length of the numbers comes before them.
enum way { WAY_READ, WAY_NUMBERS, WAY_SIZED };

enum event_class { CLASS_BATCH, CLASS_TABLES, CLASS_EVENTS };

static enum event_class class_of(unsigned type)
{
    switch (type) {
    case TP_V1_Batch: return CLASS_BATCH;
    case TP_V1_String:
    case TP_V1_Stack:
    case TP_V1_Frequency:
    case TP_V1_TimerGoroutine:
    case TP_V1_CPUSample: return CLASS_TABLES;
    default: return CLASS_EVENTS;
    }
}

static bool is_looked_for(unsigned type)
{
    return type == TP_V1_GoSysExit || type == TP_V1_UserLog;
}

static struct tp_v1_skip skip_of(const struct tp_v1_table *t, unsigned first)
{
    unsigned type = first % TP_V1_CODES;
    const struct tp_v1_form *form = &t->forms[type];
    unsigned n = first / TP_V1_CODES;
    if ((form->kind != TP_V1_KIND_EVENT && form->kind != TP_V1_KIND_PLAIN) || is_looked_for(type))
        return (struct tp_v1_skip){.way = WAY_READ};
    if (n == TP_V1_SIZED)
        return (struct tp_v1_skip){.way = WAY_SIZED, .number_count = form->arg_count};
    bool fits = n + t->prefix_count == form->arg_count;
    return (struct tp_v1_skip){.way = fits ? WAY_NUMBERS : WAY_READ,
                               .number_count = form->arg_count};
}

void tp_scan_v1_init(struct tp_scan_v1 *s, const struct tp_v1_table *table, uint64_t offset)
{
    *s = (struct tp_scan_v1){.table = table, .offset = offset};
    for (unsigned first = 0; first < TP_ARRAY_LEN(s->skips); first++) {
        s->skips[first] = skip_of(table, first);
        s->skips[first].class = (uint8_t)class_of(first % TP_V1_CODES);
    }
}

// WALKING OVER EVENTS

enum step { STEP_OK, STEP_CUT, STEP_BAD };

// Number of bytes that the fast path reads of an event: its first byte, a length, and sixteen bytes
// of numbers.
#define USUAL_BYTES 18

// Skips numbers that have at most eight bytes together; false: they have more. Finds their end with
// one load of eight bytes, because the next event waits for this result and no other chain of
// instructions is shorter.
TP_INLINE bool skip_short_numbers(const unsigned char **p, unsigned count)
{
    uint64_t ends = ~tp_load_le64(*p + 1) & TP_VARINT_HIGH_BITS;
    for (unsigned i = 1; i < count; i++)
        ends &= ends - 1;
    if (tp_unlikely(ends == 0))
        return false;
    *p += 2 + (unsigned)__builtin_ctzll(ends) / 8;
    return true;
}

// Skips numbers that have at most ten bytes together. False: they have more, which includes every
// case of a single number of more than ten bytes.
TP_INLINE bool skip_usual_numbers(const unsigned char **p, unsigned count)
{
    if (tp_likely(skip_short_numbers(p, count)))
        return true;
    unsigned ends = ~tp_varint_high_bits(*p + 1) & 0xffff;
    for (unsigned i = 1; i < count; i++)
        ends &= ends - 1;
    if (tp_unlikely((ends & 0x3ff) == 0))
        return false;
    *p += 2 + (unsigned)__builtin_ctz(ends);
    return true;
}

// Skips numbers after a length, which states the end of the last number. The length is too small
// for any of these numbers to have more than ten bytes.
TP_INLINE bool skip_usual_sized(const unsigned char **p, unsigned count)
{
    unsigned len_bytes = (*p)[1];
    if (tp_unlikely(len_bytes < count || len_bytes >= count + TP_VARINT_MAX_BYTES))
        return false;
    unsigned ends = ~tp_varint_high_bits(*p + 2) & ((1u << len_bytes) - 1);
    for (unsigned i = 1; i < count; i++)
        ends &= ends - 1;
    if (tp_unlikely(ends != 1u << (len_bytes - 1)))
        return false;
    *p += 2 + len_bytes;
    return true;
}

TP_INLINE bool skip_usual(const struct tp_scan_v1 *s, const unsigned char **p,
                          const unsigned char *end)
{
    const struct tp_v1_skip *skip = &s->skips[**p];
    if (tp_unlikely(end - *p < USUAL_BYTES))
        return false;
    if (tp_likely(skip->way == WAY_NUMBERS))
        return skip_usual_numbers(p, skip->number_count);
    return skip->way == WAY_SIZED && skip_usual_sized(p, skip->number_count);
}

// Reads the event at *p and moves *p past it. After BAD and CUT *p stays.
static enum step read_event(const struct tp_scan_v1 *s, const unsigned char **p,
                            const unsigned char *end, struct tp_wire_event *ret_event)
{
    switch (tp_v1_event_read(p, end, s->table, ret_event)) {
    case TP_V1_OK: return STEP_OK;
    case TP_V1_CUT: return STEP_CUT;
    default: return STEP_BAD;
    }
}

static enum step skip_event(const struct tp_scan_v1 *s, const unsigned char **p,
                            const unsigned char *end)
{
    struct tp_wire_event ev;
    if (*p < end && tp_likely(skip_usual(s, p, end)))
        return STEP_OK;
    return read_event(s, p, end, &ev);
}

bool tp_scan_v1_find(const struct tp_scan_v1 *s, const unsigned char **p,
                     const unsigned char *end)
{
    while (*p < end && !is_looked_for(**p % TP_V1_CODES)) {
        // No event after an unreadable one is marked.
        if (skip_event(s, p, end) != STEP_OK)
            *p = end;
    }
    return *p < end;
}

static void mark(struct tp_scan_marks *marks, size_t at)
{
    if (marks != NULL && marks->count < TP_SCAN_MARKS_MAX)
        marks->offsets[marks->count++] = (uint16_t)at;
}

static void unmark_from(struct tp_scan_marks *marks, size_t at)
{
    if (marks != NULL && marks->count > 0 && marks->offsets[marks->count - 1] == at)
        marks->count--;
}

// Skips an event of the run that begins at `run`, and marks the event if the prescan looks for it.
static enum step skip_event_of_run(struct tp_scan_v1 *s, const unsigned char **p,
                                   const unsigned char *end, const unsigned char *run)
{
    struct tp_wire_event ev;
    if (tp_likely(skip_usual(s, p, end)))
        return STEP_OK;
    size_t at = (size_t)(*p - run);
    enum step st = read_event(s, p, end, &ev);
    if (st == STEP_OK && is_looked_for(ev.type))
        mark(s->marks, at);
    return st;
}

// BATCHES

static bool is_batch(const unsigned char *p)
{
    return *p % TP_V1_CODES == TP_V1_Batch;
}

// Returns whether the scan may resume at `p`. There must be enough bytes after `p` to decide.
static bool can_resume(const struct tp_scan_v1 *s, const unsigned char *p,
                       const unsigned char *end)
{
    struct tp_wire_event batch;
    if (!is_batch(p) || read_event(s, &p, end, &batch) != STEP_OK ||
        (tp_v1_arg(&batch, Batch, p) > BELIEVED_P_MAX && tp_v1_arg(&batch, Batch, p) != NO_P))
        return false;
    for (unsigned i = 0; i < RESUME_EVENTS && p < end; i++) {
        switch (skip_event(s, &p, end)) {
        case STEP_OK: break;
        case STEP_CUT: return true; // cut off by `end`
        case STEP_BAD: return false;
        }
    }
    return true;
}

// Returns the number of bytes to skip up to a place to resume, or up to a place that needs more
// bytes to decide.
static size_t skip_bytes(const struct tp_scan_v1 *s, struct tp_span bytes, bool at_end,
                         bool *ret_found)
{
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    *ret_found = false;
    for (; p < end; p++) {
        size_t left_bytes = (size_t)(end - p);
        if (left_bytes < RESUME_BYTES && !at_end)
            break;
        *ret_found = can_resume(s, p, left_bytes < RESUME_BYTES ? end : p + RESUME_BYTES);
        if (*ret_found)
            break;
    }
    return (size_t)(p - bytes.ptr);
}

// EXTENTS

// Returns the run at the beginning of `bytes`. If the run has no bytes, *ret_step is the reason.
static struct tp_extent next_run(struct tp_scan_v1 *s, struct tp_span bytes,
                                 enum step *ret_step)
{
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    struct tp_extent x = {.offset = s->offset, .kind = TP_EXTENT_BATCH, .generation = 1,
                          .batch_kind = TP_BATCH_EVENTS, .first_of_generation = !s->has_begun};
    *ret_step = STEP_OK;
    if (s->marks != NULL)
        s->marks->count = 0;
    if (is_batch(p)) {
        struct tp_wire_event batch;
        *ret_step = read_event(s, &p, end, &batch);
        if (*ret_step != STEP_OK)
            return x;
        s->p = tp_v1_arg(&batch, Batch, p);
        s->time_ticks = batch.args[batch.arg_count - 1];
        x.header_bytes = (uint32_t)(p - bytes.ptr);
    }
    const unsigned char *events = p, *last = p;
    unsigned class = p < end ? s->skips[*p].class : CLASS_EVENTS;
    // If table events follow the Batch event, the Batch event becomes a run of its own, which is no
    // run of tables: events after the tables count their time from the Batch event.
    if (class == CLASS_TABLES && x.header_bytes > 0)
        class = CLASS_BATCH;
    // No event of the run begins at or after `stop`. A run of only a header has no event.
    const unsigned char *stop = end;
    if (bytes.len_bytes > TP_V1_RUN_BYTES)
        stop = bytes.ptr + TP_V1_RUN_BYTES;
    if (class == CLASS_BATCH)
        stop = p;
    while (p < stop && s->skips[*p].class == class) {
        last = p;
        *ret_step = skip_event_of_run(s, &p, end, bytes.ptr);
        if (tp_unlikely(*ret_step != STEP_OK))
            break;
    }
    // A long event begins a new run; a run of a header and one event always fits.
    if ((size_t)(p - bytes.ptr) > TP_V1_RUN_MAX_BYTES) {
        assert(last > events);
        p = last;
        unmark_from(s->marks, (size_t)(last - bytes.ptr));
    }
    if (class == CLASS_TABLES && p > events)
        x.batch_kind = TP_BATCH_STACKS;
    x.len_bytes = (uint32_t)(p - bytes.ptr);
    x.m = s->p;
    x.time_ticks = s->time_ticks;
    s->has_begun = s->has_begun || x.len_bytes > 0;
    return x;
}

bool tp_scan_v1_next(struct tp_scan_v1 *s, struct tp_span bytes, bool at_end,
                     struct tp_extent *ret_extent)
{
    struct tp_extent x = {0};
    if (bytes.len_bytes == 0)
        return false;
    if (s->resuming) {
        bool found;
        x = tp_lost_extent(s->offset, skip_bytes(s, bytes, at_end, &found), TP_LOSS_NONE, 0);
        s->resuming = !found;
        if (x.len_bytes == 0 && !found)
            return false;
    }
    if (x.len_bytes == 0) {
        enum step st;
        x = next_run(s, bytes, &st);
        if (x.len_bytes == 0 && st == STEP_CUT && !at_end)
            return false;
        if (x.len_bytes == 0) {
            s->resuming = true;
            x = tp_lost_extent(s->offset, 0, st == STEP_CUT ? TP_LOSS_EVENT_CUT : TP_LOSS_EVENT, 0);
        }
    }
    s->offset += x.len_bytes;
    *ret_extent = x;
    return true;
}
