#include "merge/cursor.h"

#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "decode/spec.h"
#include "decode/varint.h"

void tp_cursor_init(struct tp_cursor *c, const struct tp_m_run *run)
{
    *c = (struct tp_cursor){.run = run, .m_slot = TP_MAP_NONE};
    c->next.m = (int64_t)run->m;
}

void tp_cursor_fini(struct tp_cursor *c)
{
    tp_free(c->window);
    c->window = NULL;
}

static const struct tp_batch_ref *current_batch(const struct tp_cursor *c)
{
    return &c->run->batches[c->batch_count - 1];
}

// Fills the window with what follows; the bytes at hand move to its front.
static int fill_window(struct tp_cursor *c, struct tp_batch_loader *loader, struct tp_error *err)
{
    const struct tp_batch_ref *ref = current_batch(c);
    if (c->window == NULL) {
        c->window = tp_alloc(loader->window_bytes);
        if (c->window == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for a window of a batch");
    }
    uint32_t kept_bytes = (uint32_t)(c->end - c->at);
    if (kept_bytes > 0)
        memmove(c->window, c->at, kept_bytes);
    uint32_t n = loader->window_bytes - kept_bytes;
    n = n < c->beyond_bytes ? n : c->beyond_bytes;
    int rc = loader->load(loader, ref, ref->body_bytes - c->beyond_bytes, c->window + kept_bytes, n,
                          err);
    if (rc != 0)
        return rc;
    c->at = c->window;
    c->end = c->window + kept_bytes + n;
    c->beyond_bytes -= n;
    return 0;
}

static void open_batch(struct tp_cursor *c)
{
    const struct tp_batch_ref *ref = &c->run->batches[c->batch_count++];
    c->last_ns = 0;
    c->at = c->end = ref->body;
    c->beyond_bytes = ref->body_bytes;
    if (ref->body != NULL) {
        c->end = ref->body + ref->body_bytes;
        c->beyond_bytes = 0;
    }
}

static enum tp_cursor_status bad(const struct tp_cursor *c, struct tp_error *err, const char *text)
{
    tp_fail_at(err, TP_E_EVENT, current_batch(c)->offset, "%s", text);
    return TP_CURSOR_BAD;
}

static enum tp_cursor_status bad_code(const struct tp_cursor *c, struct tp_error *err)
{
    unsigned code = *c->at;
    tp_fail_at(err, TP_E_EVENT, current_batch(c)->offset,
               code >= TP_EV_EXPERIMENTAL_END ? "found invalid event type: %u"
                                              : "found event without a timestamp: type=%u",
               code);
    return TP_CURSOR_BAD;
}

static enum tp_cursor_status decode_careful(struct tp_cursor *c, unsigned arg_count,
                                            uint64_t *ret_dt, struct tp_error *err)
{
    const unsigned char *p = c->at + 1;
    if (tp_varint_get(&p, c->end, ret_dt) != TP_VARINT_OK)
        return bad(c, err, "found invalid uvarint for timestamp");
    for (unsigned i = 0; i + 1 < arg_count; i++) {
        if (tp_varint_get(&p, c->end, &c->next.args[i]) != TP_VARINT_OK)
            return bad(c, err, "found invalid uvarint");
    }
    c->next_bytes = (uint8_t)(p - c->at);
    c->at = p;
    return TP_CURSOR_EVENT;
}

// Numbers of a timed event, dt included; 0 for codes that may not stand in a
// batch of events. Go does not look at the version of the file here, and takes
// clock snapshots for timed until it has to order one.
const uint8_t tp_timed_arg_counts[TP_EVENT_CODES] = {
#define TIMED(code, n) (n)
#define EXP(code, n) (n)
#define STRUCT(code, n) ((code) == TP_EV_ClockSnapshot ? (n) : 0)
#define STACK(code, n) 0
#define DATA(code, n) 0
#define COUNT_ARGS(...) (sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *))
#define TP_EV(code, name, since, kind, ...) [code] = kind(code, COUNT_ARGS(__VA_ARGS__)),
#include "decode/events_v2.def"
#undef TIMED
#undef EXP
#undef STRUCT
#undef STACK
#undef DATA
};

static enum tp_cursor_status advance_decoded(struct tp_cursor *c, struct tp_error *err)
{
    const struct tp_decoded_run *d = c->decoded;
    if (c->decoded_idx < d->event_count) {
        c->next = d->events[c->decoded_idx++];
        return TP_CURSOR_EVENT;
    }
    if (d->last == TP_CURSOR_BAD)
        *err = d->error;
    return d->last;
}

enum tp_cursor_status tp_cursor_advance_slow(struct tp_cursor *c, const struct tp_tables *t,
                                             struct tp_batch_loader *loader,
                                             struct tp_error *err)
{
    if (c->decoded != NULL)
        return advance_decoded(c, err);
    while (c->at == c->end && c->beyond_bytes == 0) {
        if (c->batch_count == c->run->batch_count) {
            c->next_bytes = 0;
            return TP_CURSOR_END;
        }
        open_batch(c);
    }
    // Not "at the batch's first event": Go asks whether the last time is 0, too.
    if (c->last_ns == 0)
        c->last_ns = tp_tables_ns(t, current_batch(c)->time_ticks);
    if (c->beyond_bytes > 0 && c->end - c->at < TP_CURSOR_EVENT_MAX_BYTES) {
        if (fill_window(c, loader, err) != 0)
            return TP_CURSOR_BAD;
    }
    unsigned arg_count = tp_timed_arg_counts[*c->at];
    if (arg_count == 0)
        return bad_code(c, err);
    c->next.type = *c->at;
    uint64_t dt_ticks = 0;
    enum tp_cursor_status st = decode_careful(c, arg_count, &dt_ticks, err);
    if (st != TP_CURSOR_EVENT)
        return st;
    c->last_ns = (int64_t)((uint64_t)c->last_ns + (uint64_t)tp_tables_ns(t, dt_ticks));
    c->next.time_ns = c->last_ns;
    return TP_CURSOR_EVENT;
}

uint64_t tp_cursor_left_bytes(const struct tp_cursor *c)
{
    uint64_t left_bytes = (uint64_t)(c->end - c->at) + c->beyond_bytes + c->next_bytes;
    for (size_t i = c->batch_count; i < c->run->batch_count; i++)
        left_bytes += c->run->batches[i].body_bytes;
    return left_bytes;
}

static bool grow_decoded(struct tp_decoded_run *r, size_t *capacity)
{
    size_t count = *capacity == 0 ? TP_KIB(1) : 2 * *capacity;
    struct tp_event *events = tp_realloc(r->events, count * sizeof *events);
    if (events == NULL)
        return false;
    r->events = events;
    *capacity = count;
    return true;
}

int tp_run_decode(const struct tp_m_run *run, const struct tp_tables *t,
                  struct tp_batch_loader *loader, struct tp_decoded_run *ret_run,
                  struct tp_error *err)
{
    struct tp_decoded_run r = {0};
    struct tp_cursor c;
    size_t capacity = 0;
    int rc = 0;
    tp_cursor_init(&c, run);
    while ((r.last = tp_cursor_advance(&c, t, loader, &r.error)) == TP_CURSOR_EVENT) {
        if (r.event_count == capacity && !grow_decoded(&r, &capacity)) {
            rc = tp_fail(err, TP_E_MEMORY, "out of memory for the events of a thread");
            break;
        }
        r.events[r.event_count++] = c.next;
    }
    tp_cursor_fini(&c);
    if (rc != 0) {
        tp_decoded_run_fini(&r);
        return rc;
    }
    *ret_run = r;
    return 0;
}

void tp_decoded_run_fini(struct tp_decoded_run *r)
{
    tp_free(r->events);
    *r = (struct tp_decoded_run){0};
}
