#include "merge/cursor_v1.h"

#include "base/alloc.h"
#include "decode/event_v1.h"
#include "decode/scan_v1.h"

void tp_v1_cursor_init(struct tp_v1_cursor *c, const struct tp_v1_trace *t,
                       const struct tp_m_run *run)
{
    *c = (struct tp_v1_cursor){.trace = t, .run = run};
}

void tp_v1_cursor_fini(struct tp_v1_cursor *c)
{
    tp_free(c->window);
    c->window = NULL;
}

static enum tp_cursor_status take_sample(struct tp_v1_cursor *c)
{
    const struct tp_tables *tables = c->trace->tables;
    if (c->begun_count == tables->sample_count)
        return TP_CURSOR_END;
    const struct tp_sample *s = &tables->samples[c->begun_count++];
    c->next = (struct tp_v1_ordered){.ticks = s->time_ns,
                                     .key = s->time_ns,
                                     .g = (uint64_t)s->g,
                                     .args = {0, (uint64_t)s->p, (uint64_t)s->g},
                                     .stack = (uint32_t)s->stack,
                                     .p = (int32_t)s->p,
                                     .type = TP_V1_CPUSample};
    return TP_CURSOR_EVENT;
}

static int open_run(struct tp_v1_cursor *c, struct tp_error *err)
{
    const struct tp_batch_ref *ref = &c->run->batches[c->begun_count++];
    struct tp_batch_loader *loader = c->trace->loader;
    const unsigned char *body = ref->body;
    if (body == NULL) {
        if (c->window == NULL)
            c->window = tp_alloc(TP_V1_RUN_MAX_BYTES);
        if (c->window == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for the events of a P");
        int rc = loader->load(loader, ref, 0, c->window, ref->body_bytes, err);
        if (rc != 0)
            return rc;
        body = c->window;
    }
    c->at = body;
    c->end = body + ref->body_bytes;
    return 0;
}

// Who the event belongs to, and who runs on the P behind it.
static void set_g(struct tp_v1_cursor *c, struct tp_v1_ordered *e)
{
    e->g = c->last_g;
    switch (e->type) {
    case TP_V1_GoStart:
    case TP_V1_GoStartLocal:
    case TP_V1_GoStartLabel: e->g = c->last_g = e->args[0]; break;
    case TP_V1_GoEnd:
    case TP_V1_GoStop:
    case TP_V1_GoSched:
    case TP_V1_GoPreempt:
    case TP_V1_GoSleep:
    case TP_V1_GoBlock:
    case TP_V1_GoBlockSend:
    case TP_V1_GoBlockRecv:
    case TP_V1_GoBlockSelect:
    case TP_V1_GoBlockSync:
    case TP_V1_GoBlockCond:
    case TP_V1_GoBlockNet:
    case TP_V1_GoBlockGC:
    case TP_V1_GoSysBlock: c->last_g = 0; break;
    case TP_V1_GoSysExit:
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall: e->g = e->args[0]; break;
    default: break;
    }
}

static void make_next(struct tp_v1_cursor *c, const struct tp_v1_event *ev)
{
    const struct tp_v1_form *form = &c->trace->table->forms[ev->type];
    unsigned arg_count = ev->arg_count - form->has_stack;
    unsigned prefix = c->trace->table->prefix_count;
    struct tp_v1_ordered *e = &c->next;
    *e = (struct tp_v1_ordered){.p = (int32_t)(uint32_t)c->run->m, .type = ev->type,
                                .message = ev->tail};
    for (unsigned i = prefix; i < arg_count; i++)
        e->args[i - prefix] = ev->args[i];
    if (form->has_stack)
        e->stack = (uint32_t)ev->args[arg_count];
    e->ticks = c->last_ticks = (int64_t)((uint64_t)c->last_ticks + ev->args[prefix - 1]);
    e->key = e->ticks;
    if (tp_v1_is_sequenced(c->trace))
        e->key = c->last_seq = (int64_t)((uint64_t)c->last_seq + ev->args[0]);
    set_g(c, e);
}

// The numbers of the events behind it count from its own.
static void begin_batch(struct tp_v1_cursor *c, const struct tp_v1_event *ev)
{
    c->last_ticks = (int64_t)ev->args[ev->arg_count - 1];
    c->last_seq = (int64_t)ev->args[1]; // if it has one
}

enum tp_cursor_status tp_v1_cursor_advance(struct tp_v1_cursor *c, struct tp_error *err)
{
    if (c->run == NULL)
        return take_sample(c);
    for (;;) {
        while (c->at == c->end) {
            if (c->begun_count == c->run->batch_count)
                return TP_CURSOR_END;
            if (open_run(c, err) != 0)
                return TP_CURSOR_BAD;
        }
        struct tp_v1_event ev;
        if (tp_v1_event_read(&c->at, c->end, c->trace->table, &ev) != TP_V1_OK) {
            tp_fail(err, TP_E_EVENT, "%s has wrong number of arguments",
                    tp_v1_type_names[ev.type]);
            return TP_CURSOR_BAD;
        }
        if (tp_likely(ev.type != TP_V1_Batch)) {
            make_next(c, &ev);
            return TP_CURSOR_EVENT;
        }
        begin_batch(c, &ev);
    }
}

uint64_t tp_v1_cursor_left_bytes(const struct tp_v1_cursor *c)
{
    uint64_t left_bytes = (uint64_t)(c->end - c->at);
    for (size_t i = c->begun_count; c->run != NULL && i < c->run->batch_count; i++)
        left_bytes += c->run->batches[i].body_bytes;
    return left_bytes;
}
