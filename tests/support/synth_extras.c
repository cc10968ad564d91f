// Ranges, values, user annotations and the experiment: everything on a thread that does not
// change who runs where.
#include "synth_play.h"

#define ALLOC_FREE 1 // number of the experiment
#define ALLOC_TYPES 8
#define INFO_BATCH 1
#define TYPES_BATCH 0

// ---- user annotations ----

// Returns a random active task, or 0 for the background.
static uint64_t random_task(struct synth *s)
{
    return s->tasks[synth_below(&s->rand, SYNTH_TASKS)].id;
}

bool synth_do_task(struct synth *s, uint32_t m)
{
    struct synth_task *task = &s->tasks[synth_below(&s->rand, SYNTH_TASKS)];
    if (task->id == 0 && synth_percent(&s->rand, 5)) {
        // Ends a task that began before the trace.
        uint64_t ended_stack = synth_pick_stack(&s->tables);
        synth_emit(s, m, TP_EV_UserTaskEnd, s->next_task++, ended_stack);
        return true;
    }
    if (task->id != 0) {
        uint64_t end_stack = synth_pick_stack(&s->tables);
        synth_emit(s, m, TP_EV_UserTaskEnd, task->id, end_stack);
        task->id = 0;
        return true;
    }
    uint64_t parent = random_task(s);
    uint64_t name = synth_pick_user_string(&s->tables);
    uint64_t stack = synth_pick_stack(&s->tables);
    task->id = s->next_task++;
    synth_emit(s, m, TP_EV_UserTaskBegin, task->id, parent, name, stack);
    return true;
}

bool synth_do_region(struct synth *s, uint32_t m)
{
    struct synth_g *g = &s->gs[s->ms[m].g];
    bool end = g->region_count == SYNTH_REGION_DEPTH ||
               (g->region_count > 0 && synth_percent(&s->rand, 50));
    enum tp_event_type type = end ? TP_EV_UserRegionEnd : TP_EV_UserRegionBegin;
    if (!end) {
        struct synth_region *r = &g->regions[g->region_count++];
        r->task = random_task(s);
        r->name = synth_below(&s->rand, s->config->strings);
    }
    const struct synth_region *top = &g->regions[g->region_count - 1];
    uint64_t name = synth_user_string(&s->tables, top->name);
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, type, top->task, name, stack);
    if (end)
        g->region_count--;
    return true;
}

bool synth_do_log(struct synth *s, uint32_t m)
{
    uint64_t task = random_task(s);
    uint64_t key = synth_pick_user_string(&s->tables);
    uint64_t value = synth_pick_user_string(&s->tables);
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, TP_EV_UserLog, task, key, value, stack);
    return true;
}

// ---- values ----

bool synth_do_heap(struct synth *s, uint32_t m)
{
    uint64_t value = UINT64_C(4) << 20;
    value += synth_below(&s->rand, UINT32_MAX);
    if (synth_percent(&s->rand, 90))
        synth_emit(s, m, TP_EV_HeapAlloc, value);
    else
        synth_emit(s, m, TP_EV_HeapGoal, value & 1 ? value : 0); // 0: GC is off
    return true;
}

bool synth_do_procs_change(struct synth *s, uint32_t m)
{
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, TP_EV_ProcsChange, s->p_count, stack);
    return true;
}

bool synth_do_label(struct synth *s, uint32_t m)
{
    uint64_t label = synth_pick_text(&s->tables, SYNTH_TEXT_LABEL);
    synth_emit(s, m, TP_EV_GoLabel, label);
    return true;
}

// ---- ranges ----

// Returns the largest difference, in ticks, that readers may see between the clocks of two
// threads: the clocks differ, and times converted by readers are wrong by up to a nanosecond for
// each event of a batch.
static uint64_t disorder_ticks(const struct synth *s)
{
    return 4 * s->config->skew_ticks + UINT64_C(65536) * s->config->freq / 1000000000 + 1;
}

static void note_gc_event(struct synth *s)
{
    s->gc_announced = true;
    if (s->gc_seq++ == 0)
        s->gc_second_ticks = s->wire.now_ticks + disorder_ticks(s);
}

void synth_announce_gc(struct synth *s, uint32_t m)
{
    if (!s->gc_running || s->gc_announced)
        return;
    note_gc_event(s);
    synth_emit(s, m, TP_EV_GCActive, s->gc_seq);
}

bool synth_do_gc(struct synth *s, uint32_t m)
{
    if (s->gc_running) {
        note_gc_event(s);
        s->gc_running = false;
        synth_emit(s, m, TP_EV_GCEnd, s->gc_seq);
        return true;
    }
    if (s->wire.now_ticks < s->gc_second_ticks)
        return false;
    note_gc_event(s);
    s->gc_running = true;
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, TP_EV_GCBegin, s->gc_seq, stack);
    return true;
}

bool synth_do_stw(struct synth *s, uint32_t m)
{
    struct synth_g *g = &s->gs[s->ms[m].g];
    if (g->stopping_world) {
        synth_emit(s, m, TP_EV_STWEnd);
    } else {
        uint64_t kind = synth_pick_text(&s->tables, SYNTH_TEXT_STW);
        uint64_t stack = synth_pick_stack(&s->tables);
        synth_emit(s, m, TP_EV_STWBegin, kind, stack);
    }
    g->stopping_world = !g->stopping_world;
    return true;
}

bool synth_do_assist(struct synth *s, uint32_t m)
{
    struct synth_g *g = &s->gs[s->ms[m].g];
    if (g->assisting) {
        synth_emit(s, m, TP_EV_GCMarkAssistEnd);
    } else {
        if (!s->gc_running)
            return false;
        uint64_t stack = synth_pick_stack(&s->tables);
        synth_emit(s, m, TP_EV_GCMarkAssistBegin, stack);
    }
    g->assisting = !g->assisting;
    return true;
}

bool synth_do_sweep(struct synth *s, uint32_t m)
{
    struct synth_p *p = &s->ps[s->ms[m].p];
    if (p->sweeping) {
        uint64_t swept = 8192;
        swept *= 1 + synth_below(&s->rand, 100);
        synth_emit(s, m, TP_EV_GCSweepEnd, swept, swept / 3);
    } else {
        uint64_t stack = synth_pick_stack(&s->tables);
        synth_emit(s, m, TP_EV_GCSweepBegin, stack);
    }
    p->sweeping = !p->sweeping;
    return true;
}

// ---- the experiment ----

bool synth_do_alloc(struct synth *s, uint32_t m)
{
    // Kinds of objects: spans, heap objects, stacks. An object's id modulo their number is its
    // kind.
    static const struct {
        enum tp_event_type exists, alloc, free;
    } kinds[] = {
        {TP_EV_Span, TP_EV_SpanAlloc, TP_EV_SpanFree},
        {TP_EV_HeapObject, TP_EV_HeapObjectAlloc, TP_EV_HeapObjectFree},
        {TP_EV_GoroutineStack, TP_EV_GoroutineStackAlloc, TP_EV_GoroutineStackFree},
    };
    if (!s->config->alloc_free)
        return false;
    uint64_t *slot = &s->objects[synth_below(&s->rand, SYNTH_OBJECTS)];
    if (*slot != 0) {
        synth_emit(s, m, kinds[*slot % TP_ARRAY_LEN(kinds)].free, *slot);
        *slot = 0;
        return true;
    }
    uint64_t id = s->next_object;
    s->next_object += 1 + synth_below(&s->rand, 4);
    *slot = id;
    size_t kind = id % TP_ARRAY_LEN(kinds);
    enum tp_event_type type = kinds[kind].alloc;
    if (s->wire.gen == s->config->first_gen && synth_percent(&s->rand, 20))
        type = kinds[kind].exists;
    uint32_t detail = synth_below(&s->rand, ALLOC_TYPES + 1);
    if (kind == 0)
        synth_emit(s, m, type, id, detail + 1, detail & 1 ? 1 : detail);
    else
        synth_emit(s, m, type, id, kind == 1 ? detail : 12 + detail / 3);
    return true;
}

void synth_alloc_info(struct synth *s)
{
    unsigned char body[64];
    struct synth_batch b = {
        .body = body, .m = SYNTH_NO_ID, .start_ticks = s->wire.now_ticks, .open = true};
    body[b.len_bytes++] = INFO_BATCH;
    synth_wire_number(&b, UINT64_C(0xc000000000));
    synth_wire_number(&b, 8192);
    synth_wire_number(&b, 8);
    synth_wire_number(&b, 2048);
    synth_wire_flush_experiment(&s->wire, &b, ALLOC_FREE);
}

void synth_alloc_types(struct synth *s)
{
    static const char name[] = "example.org/pkg.Record";
    unsigned char body[64 * ALLOC_TYPES];
    struct synth_batch b = {
        .body = body, .m = SYNTH_NO_ID, .start_ticks = s->wire.now_ticks, .open = true};
    body[b.len_bytes++] = TYPES_BATCH;
    for (uint64_t id = 1; id <= ALLOC_TYPES; id++) {
        synth_wire_number(&b, id);
        synth_wire_number(&b, 0x4a0000 + 64 * id);
        synth_wire_number(&b, UINT64_C(8) << (id % 5));
        synth_wire_number(&b, id % 2 * 8);
        synth_wire_number(&b, sizeof(name) - 1);
        synth_wire_bytes(&b, name, sizeof(name) - 1);
    }
    synth_wire_flush_experiment(&s->wire, &b, ALLOC_FREE);
}
