// The events of one thread in one generation, one after the other: a per-M run.
// Decodes lazily from the wire bytes of the thread's batches, in file order, or
// walks an array that somebody decoded before; both give the same events, times
// and errors (internal/trace/batchcursor.go).
//
// A batch is read where it lies in memory, or through a window of the cursor that
// is filled piece by piece (see struct tp_batch_loader).
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_CURSOR_H
#define TP_MERGE_CURSOR_H

#include "decode/spec.h"
#include "decode/varint.h"
#include "merge/generation.h"
#include "merge/tables.h"

// Brings bytes of batches that are not in memory.
struct tp_batch_loader {
    int (*load)(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err);
    uint32_t window_bytes;  // of each cursor; at least TP_CURSOR_WINDOW_MIN_BYTES
};

// The longest event: a code and five numbers; and a piece worth a read.
#define TP_CURSOR_EVENT_MAX_BYTES 51
#define TP_CURSOR_WINDOW_MIN_BYTES 4096

enum tp_cursor_status {
    TP_CURSOR_EVENT, // `next` is the next event
    TP_CURSOR_END,
    TP_CURSOR_BAD,   // it cannot be decoded; the error says why
};

// A run that was decoded before it is walked.
struct tp_decoded_run {
    struct tp_event *events;
    size_t event_count;
    enum tp_cursor_status last;  // what comes behind them: END or BAD
    struct tp_error error;       // BAD
};

struct tp_cursor {
    // Type, time and arguments of the next event, and its thread; p and g are set
    // when it is ordered. Arguments the type does not have are left over.
    struct tp_event next;
    const unsigned char *at;     // of the current batch
    const unsigned char *end;
    uint32_t beyond_bytes;       // of its body, behind `end`: not yet in the window
    uint32_t m_slot;             // for order.c
    uint8_t next_bytes;          // of `next` on the wire
    int64_t last_ns;
    const struct tp_m_run *run;
    size_t batch_count;          // begun
    unsigned char *window;       // owned; NULL until needed
    const struct tp_decoded_run *decoded; // NULL: lazy
    size_t decoded_idx;
};

// `run` and what it points to must outlive the cursor.
void tp_cursor_init(struct tp_cursor *c, const struct tp_m_run *run);
void tp_cursor_fini(struct tp_cursor *c);

// Numbers of a timed event, dt included; 0 for codes that may not stand in a batch of
// events.
extern const uint8_t tp_timed_arg_counts[TP_EVENT_CODES];

// Any next event, from any place.
enum tp_cursor_status tp_cursor_advance_slow(struct tp_cursor *c, const struct tp_tables *t,
                                             struct tp_batch_loader *loader,
                                             struct tp_error *err);

// The event at c->at if it is like most: in the middle of a batch, sound, followed by
// more bytes than the longest event has. False: it is not, and nothing has changed.
TP_INLINE bool tp_cursor_try_advance(struct tp_cursor *c, const struct tp_tables *t)
{
    const unsigned char *p = c->at;
    if (tp_unlikely(c->end - p < TP_CURSOR_EVENT_MAX_BYTES || c->last_ns == 0))
        return false;
    uint64_t dt_ticks = 0, *arg = c->next.args;
    unsigned code = *p++;
    if (tp_unlikely(!tp_varint_get_roomy_unchecked(&p, &dt_ticks)))
        return false;
    switch (tp_timed_arg_counts[code]) {
    case 5:
        if (tp_unlikely(!tp_varint_get_roomy_unchecked(&p, arg++)))
            return false;
        // fallthrough
    case 4:
        if (tp_unlikely(!tp_varint_get_roomy_unchecked(&p, arg++)))
            return false;
        // fallthrough
    case 3:
        if (tp_unlikely(!tp_varint_get_roomy_unchecked(&p, arg++)))
            return false;
        // fallthrough
    case 2:
        if (tp_unlikely(!tp_varint_get_roomy_unchecked(&p, arg++)))
            return false;
        // fallthrough
    case 1: break;
    default: return false;
    }
    c->next.type = (uint8_t)code;
    c->next_bytes = (uint8_t)(p - c->at);
    c->at = p;
    c->last_ns = (int64_t)((uint64_t)c->last_ns + (uint64_t)tp_tables_ns(t, dt_ticks));
    c->next.time_ns = c->last_ns;
    return true;
}

// Moves on to the next event. After END or BAD it must not be called again.
// BAD with TP_E_EVENT (Go's words) or what the loader failed with.
TP_INLINE enum tp_cursor_status tp_cursor_advance(struct tp_cursor *c, const struct tp_tables *t,
                                                  struct tp_batch_loader *loader,
                                                  struct tp_error *err)
{
    return tp_likely(tp_cursor_try_advance(c, t)) ? TP_CURSOR_EVENT
                                                  : tp_cursor_advance_slow(c, t, loader, err);
}

// Bytes of the run's bodies behind the last event before `next`; lazy cursors only.
uint64_t tp_cursor_left_bytes(const struct tp_cursor *c);

// Decodes a whole run. TP_E_MEMORY.
int tp_run_decode(const struct tp_m_run *run, const struct tp_tables *t,
                  struct tp_batch_loader *loader, struct tp_decoded_run *ret_run,
                  struct tp_error *err) TP_MUST_USE;
void tp_decoded_run_fini(struct tp_decoded_run *r);

#endif
