#include "merge/v1/cursor.h"

#include "base/alloc.h"
#include "decode/event_v1.h"
#include "decode/scan_v1.h"
#include "decode/varint.h"

// Returns the bits of a stack id to keep. Go's later reader keeps 32 bits of stack ids and of Ps;
// the parser of the trace's time kept all 64.
static uint64_t stack_mask_of(const struct tp_v1_trace *t)
{
    return t->is_legacy ? UINT64_MAX : UINT32_MAX;
}

static int64_t p_of(const struct tp_v1_trace *t, uint64_t p)
{
    return t->is_legacy ? (int64_t)p : (int32_t)(uint32_t)p;
}

void tp_v1_cursor_init(struct tp_v1_cursor *c, const struct tp_v1_trace *t,
                       const struct tp_m_run *run)
{
    *c = (struct tp_v1_cursor){.trace = t, .run = run, .p = run != NULL ? p_of(t, run->m) : -1,
                               .is_sequenced = tp_v1_is_sequenced(t),
                               .stack_mask = stack_mask_of(t)};
}

void tp_v1_cursor_fini(struct tp_v1_cursor *c)
{
    tp_free(c->window);
    c->window = NULL;
}

static enum tp_cursor_status take_sample(struct tp_v1_cursor *c)
{
    const struct tp_tables *tables = c->trace->tables;
    if (c->begun_count == tables->samples.count)
        return TP_CURSOR_END;
    const struct tp_sample *s = &tables->samples.items[c->begun_count++];
    c->next = (struct tp_v1_ordered){.ticks = s->time_ns,
                                     .key = s->time_ns,
                                     .g = (uint64_t)s->g,
                                     .args = {[TP_V1_ARG_CPUSample_p] = (uint64_t)s->p,
                                              [TP_V1_ARG_CPUSample_g] = (uint64_t)s->g},
                                     .stack = s->stack & c->stack_mask,
                                     .offset = s->offset,
                                     .p = p_of(c->trace, (uint64_t)s->p),
                                     .type = TP_V1_CPUSample,
                                     .wire_bytes = s->wire_bytes};
    return TP_CURSOR_EVENT;
}

enum tp_cursor_status tp_v1_cursor_open_run(struct tp_v1_cursor *c, struct tp_error *err)
{
    if (c->begun_count == c->run->batches.count) {
        tp_v1_cursor_fini(c);
        c->at = c->end = NULL;
        return TP_CURSOR_END;
    }
    const struct tp_batch_ref *ref = &c->run->batches.items[c->begun_count++];
    struct tp_batch_loader *loader = c->trace->loader;
    const unsigned char *body = ref->body;
    if (body == NULL) {
        // Allocates for the largest run of this P only: some Ps have few events.
        if (c->window == NULL)
            c->window = tp_alloc(tp_m_run_largest_bytes(c->run));
        if (c->window == NULL) {
            tp_fail(err, TP_E_MEMORY, "out of memory for the events of a P");
            return TP_CURSOR_BAD;
        }
        if (loader->load(loader, ref, 0, c->window, ref->body_bytes, err) != 0)
            return TP_CURSOR_BAD;
        body = c->window;
    }
    c->at = body;
    c->end = body + ref->body_bytes;
    c->end_offset = ref->offset + ref->header_bytes + ref->body_bytes;
    return TP_CURSOR_EVENT;
}

// The goroutine of the event, and the goroutine that runs on the P after it.
enum g_rule {
    G_STAYS,         // the running one; it goes on running
    G_RUNS_ARG,      // the one that the event names; it runs now
    G_LEAVES,        // the running one; none runs after it
    G_IS_ARG,        // the one that the event names; the running one goes on
};
static const uint8_t g_rules[TP_V1_CODES] = {
    [TP_V1_GoStart] = G_RUNS_ARG,
    [TP_V1_GoStartLocal] = G_RUNS_ARG,
    [TP_V1_GoStartLabel] = G_RUNS_ARG,
    [TP_V1_GoEnd ... TP_V1_GoBlock] = G_LEAVES,
    [TP_V1_GoBlockSend ... TP_V1_GoBlockNet] = G_LEAVES,
    [TP_V1_GoBlockGC] = G_LEAVES,
    [TP_V1_GoSysBlock] = G_LEAVES,
    [TP_V1_GoSysExit] = G_IS_ARG,
    [TP_V1_GoWaiting ... TP_V1_GoInSyscall] = G_IS_ARG,
};

// Sets all members of c->next except the arguments, which are set already.
TP_INLINE void make_next(struct tp_v1_cursor *c, uint8_t type, uint64_t dseq, uint64_t dt,
                         uint64_t stack, uint64_t offset)
{
    struct tp_v1_ordered *e = &c->next;
    e->p = c->p;
    e->type = type;
    e->stack = stack & c->stack_mask;
    e->offset = offset;
    e->ticks = c->last_ticks = (int64_t)((uint64_t)c->last_ticks + dt);
    e->key = e->ticks;
    if (c->is_sequenced)
        e->key = c->last_seq = (int64_t)((uint64_t)c->last_seq + dseq);
    uint8_t rule = g_rules[type];
    uint64_t runs = c->last_g, arg = tp_v1_arg(e, Named, g);
    e->g = rule == G_RUNS_ARG || rule == G_IS_ARG ? arg : runs;
    c->last_g = rule == G_RUNS_ARG ? arg : rule == G_LEAVES ? 0 : runs;
}

// Bytes of the longest event without a text.
#define NUMBERS_EVENT_MAX_BYTES (1 + (1 + TP_V1_MAX_ARGS) * TP_VARINT_MAX_BYTES)

// Decodes the next event if it is of the usual kind: timed, without a text, and not at the end of
// its run. False: advance_with_care must decode it.
TP_INLINE bool take_usual(struct tp_v1_cursor *c)
{
    const unsigned char *at = c->at;
    if (tp_unlikely(c->end - at < NUMBERS_EVENT_MAX_BYTES))
        return false;
    unsigned first = *at++;
    uint8_t type = first % TP_V1_CODES;
    const struct tp_v1_form *form = &c->trace->table->forms[type];
    uint64_t len_bytes, dseq = 0, dt, stack = 0;
    if (tp_unlikely(form->kind != TP_V1_KIND_EVENT))
        return false;
    // The scan has checked the length and the number of arguments.
    if (first / TP_V1_CODES == TP_V1_SIZED && !tp_varint_get_roomy_unchecked(&at, &len_bytes))
        return false;
    if (c->is_sequenced && !tp_varint_get_roomy_unchecked(&at, &dseq))
        return false;
    if (!tp_varint_get_roomy_unchecked(&at, &dt))
        return false;
    // Decodes into c->next directly: a copy would wait for numbers that have just been stored.
    struct tp_v1_ordered *e = &c->next;
    memset(e->args, 0, sizeof e->args);
    for (unsigned i = 0; i < form->text_arg_count; i++) {
        if (tp_unlikely(!tp_varint_get_roomy_unchecked(&at, &e->args[i])))
            return false;
    }
    if (form->has_stack && !tp_varint_get_roomy_unchecked(&at, &stack))
        return false;
    uint64_t offset = tp_v1_cursor_offset(c);
    e->wire_bytes = (uint32_t)(at - c->at);
    c->at = at;
    make_next(c, type, dseq, dt, stack, offset);
    return true;
}

// Copies an event that tp_v1_event_read has decoded to c->next.
static void take_read(struct tp_v1_cursor *c, const struct tp_wire_event *ev, uint64_t offset)
{
    const struct tp_v1_form *form = &c->trace->table->forms[ev->type];
    const uint64_t *prefix = ev->args; // dt, or dseq and dt
    const uint64_t *dt = prefix + c->trace->table->prefix_count - 1;
    memset(c->next.args, 0, sizeof c->next.args);
    memcpy(c->next.args, dt + 1, form->text_arg_count * sizeof *dt);
    make_next(c, ev->type, prefix[0], *dt, form->has_stack ? ev->args[ev->arg_count - 1] : 0,
              offset);
    c->next.message = ev->tail;
    c->next.wire_bytes = (uint32_t)(tp_v1_cursor_offset(c) - offset);
}

// A Batch event holds absolute ticks and sequence number; later events store deltas to them.
static void begin_batch(struct tp_v1_cursor *c, const struct tp_wire_event *ev)
{
    const uint64_t *ticks = &ev->args[ev->arg_count - 1];
    c->last_ticks = (int64_t)ticks[0];
    c->last_seq = (int64_t)ticks[-1]; // of Go 1.5 and 1.6 only
}

static TP_NOINLINE enum tp_cursor_status advance_with_care(struct tp_v1_cursor *c,
                                                           struct tp_error *err)
{
    if (c->run == NULL)
        return take_sample(c);
    for (;;) {
        while (c->at == c->end) {
            enum tp_cursor_status st = tp_v1_cursor_open_run(c, err);
            if (st != TP_CURSOR_EVENT)
                return st;
        }
        struct tp_wire_event ev;
        uint64_t offset = tp_v1_cursor_offset(c);
        if (tp_v1_event_read(&c->at, c->end, c->trace->table, &ev) != TP_V1_OK) {
            // The scan lets no such event pass, but the file may have been overwritten since.
            const char *name = tp_v1_type_names[ev.type];
            tp_fail(err, TP_E_EVENT, "%s has wrong number of arguments",
                    name != NULL ? name : "unknown event type");
            return TP_CURSOR_BAD;
        }
        if (ev.type == TP_V1_Batch) {
            begin_batch(c, &ev);
            continue;
        }
        // The scan lets only timed events pass, but the file may have been overwritten since.
        if (!tp_v1_type_is_timed(ev.type)) {
            tp_fail(err, TP_E_EVENT, "%s has no time", tp_v1_type_names[ev.type]);
            return TP_CURSOR_BAD;
        }
        take_read(c, &ev, offset);
        return TP_CURSOR_EVENT;
    }
}

enum tp_cursor_status tp_v1_cursor_advance(struct tp_v1_cursor *c, struct tp_error *err)
{
    return tp_likely(take_usual(c)) ? TP_CURSOR_EVENT : advance_with_care(c, err);
}

uint64_t tp_v1_cursor_left_bytes(const struct tp_v1_cursor *c)
{
    uint64_t left_bytes = (uint64_t)(c->end - c->at);
    for (size_t i = c->begun_count; c->run != NULL && i < c->run->batches.count; i++)
        left_bytes += c->run->batches.items[i].body_bytes;
    return left_bytes;
}

// Finds out for tp_v1_cursor_blocks whether the syscall blocked, if the event directly after the
// syscall does not show that: reads on with a copy of the cursor.
static TP_NOINLINE int find_block(const struct tp_v1_cursor *c, bool *ret_blocks,
                                  struct tp_error *err)
{
    struct tp_v1_cursor ahead = *c;
    enum tp_cursor_status st;
    ahead.window = NULL;
    do
        st = tp_v1_cursor_advance(&ahead, err);
    while (st == TP_CURSOR_EVENT && g_rules[ahead.next.type] == G_IS_ARG);
    *ret_blocks = st == TP_CURSOR_EVENT && ahead.next.type == TP_V1_GoSysBlock;
    tp_v1_cursor_fini(&ahead);
    return st == TP_CURSOR_BAD ? err->code : 0;
}

int tp_v1_cursor_blocks(const struct tp_v1_cursor *c, bool *ret_blocks, struct tp_error *err)
{
    unsigned type = c->at < c->end ? *c->at % TP_V1_CODES : TP_V1_NONE;
    if (tp_unlikely(type == TP_V1_NONE || g_rules[type] == G_IS_ARG))
        return find_block(c, ret_blocks, err);
    *ret_blocks = type == TP_V1_GoSysBlock;
    return 0;
}
