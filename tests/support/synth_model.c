#include "synth_model.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/err.h"

#define FIRST_THREAD_ID 100000
#define THREAD_ID_STEP 3
#define FIRST_WITH_STATUS_STACK 23

uint64_t synth_m_id(const struct synth *s, uint32_t m)
{
    return m == SYNTH_NONE ? SYNTH_NO_ID : s->ms[m].batch.m;
}

void synth_emit_args(struct synth *s, uint32_t m, enum tp_event_type type, uint64_t *args,
                     size_t arg_count)
{
    struct synth_batch *batch = m == SYNTH_NONE ? &s->orphans : &s->ms[m].batch;
    synth_wire_event(&s->wire, batch, type, args, arg_count);
}

// ---- sets ----

static void set_status(struct synth *s, uint32_t g, enum synth_g_status status)
{
    struct synth_g *gp = &s->gs[g];
    struct synth_set *from = &s->sets[gp->status];
    uint32_t last = from->members[--from->count];
    from->members[gp->set_pos] = last;
    s->gs[last].set_pos = gp->set_pos;

    struct synth_set *to = &s->sets[status];
    gp->status = (uint8_t)status;
    gp->set_pos = to->count;
    to->members[to->count++] = g;
}

uint32_t synth_random_g(struct synth *s, enum synth_g_status status)
{
    const struct synth_set *set = &s->sets[status];
    return set->count ? set->members[synth_below(&s->rand, set->count)] : SYNTH_NONE;
}

uint32_t synth_random_p(struct synth *s, enum synth_p_status status)
{
    uint32_t start = synth_below(&s->rand, s->p_count);
    for (uint32_t i = 0; i < s->p_count; i++) {
        uint32_t p = (start + i) % s->p_count;
        if (s->ps[p].status == status)
            return p;
    }
    return SYNTH_NONE;
}

static void run_on(struct synth *s, uint32_t m, uint32_t g, enum synth_g_status status)
{
    set_status(s, g, status);
    s->gs[g].m = m;
    s->ms[m].g = g;
}

// Takes the goroutine of thread `m` off the thread and gives it this state.
static void leave(struct synth *s, uint32_t m, enum synth_g_status status)
{
    uint32_t g = s->ms[m].g;
    set_status(s, g, status);
    s->gs[g].m = SYNTH_NONE;
    s->ms[m].g = SYNTH_NONE;
}

static uint32_t new_g(struct synth *s, enum synth_g_status status)
{
    const struct synth_set *dead = &s->sets[SYNTH_G_DEAD];
    if (dead->count == 0)
        return SYNTH_NONE;
    uint32_t g = dead->members[dead->count - 1];
    uint32_t set_pos = s->gs[g].set_pos;
    s->gs[g] = (struct synth_g){
        .id = s->next_goid, .m = SYNTH_NONE, .set_pos = set_pos, .traced_gen = s->wire.gen};
    s->next_goid += 1 + synth_below(&s->rand, 3);
    set_status(s, g, status);
    return g;
}

// ---- statuses ----

void synth_announce_p(struct synth *s, uint32_t m, uint32_t p, enum synth_p_status as)
{
    struct synth_p *pp = &s->ps[p];
    if (pp->traced_gen == s->wire.gen)
        return;
    pp->traced_gen = s->wire.gen;
    pp->seq = 0;
    synth_emit(s, m, TP_EV_ProcStatus, p, as);
    if (pp->sweeping)
        synth_emit(s, m, TP_EV_GCSweepActive, p);
}

void synth_announce_g(struct synth *s, uint32_t m, uint32_t g)
{
    struct synth_g *gp = &s->gs[g];
    if (gp->traced_gen == s->wire.gen)
        return;
    gp->traced_gen = s->wire.gen;
    gp->seq = 0;
    if (s->config->version >= FIRST_WITH_STATUS_STACK &&
        synth_percent(&s->rand, s->config->status_stack_percent)) {
        uint64_t stack = synth_pick_stack(&s->tables);
        synth_emit(s, m, TP_EV_GoStatusStack, gp->id, synth_m_id(s, gp->m), gp->status, stack);
    } else {
        synth_emit(s, m, TP_EV_GoStatus, gp->id, synth_m_id(s, gp->m), gp->status);
    }
    if (gp->assisting)
        synth_emit(s, m, TP_EV_GCMarkAssistActive, gp->id);
}

void synth_announce_thread(struct synth *s, uint32_t m)
{
    const struct synth_m *mp = &s->ms[m];
    if (mp->p != SYNTH_NONE)
        synth_announce_p(s, m, mp->p, s->ps[mp->p].status);
    if (mp->g != SYNTH_NONE)
        synth_announce_g(s, m, mp->g);
}

// ---- processors ----

void synth_proc_start(struct synth *s, uint32_t m, uint32_t p)
{
    struct synth_p *pp = &s->ps[p];
    assert(pp->status == SYNTH_P_IDLE && s->ms[m].p == SYNTH_NONE);
    synth_announce_p(s, m, p, SYNTH_P_IDLE);
    synth_announce_thread(s, m);
    synth_emit(s, m, TP_EV_ProcStart, p, ++pp->seq);
    pp->status = SYNTH_P_RUNNING;
    pp->m = m;
    s->ms[m].p = p;
}

void synth_proc_stop(struct synth *s, uint32_t m)
{
    synth_announce_thread(s, m);
    synth_emit(s, m, TP_EV_ProcStop);
    struct synth_p *pp = &s->ps[s->ms[m].p];
    pp->status = SYNTH_P_IDLE;
    pp->m = SYNTH_NONE;
    s->ms[m].p = SYNTH_NONE;
}

// Takes the P from its thread. A P without a status in this generation is announced as
// abandoned: its thread may be asleep and cannot announce it.
void synth_proc_steal(struct synth *s, uint32_t m, uint32_t p)
{
    struct synth_p *pp = &s->ps[p];
    uint32_t from = pp->m;
    assert(pp->status == SYNTH_P_SYSCALL || pp->status == SYNTH_P_ABANDONED);
    if (from == m && pp->status == SYNTH_P_SYSCALL)
        synth_announce_thread(s, m);
    synth_announce_p(s, m, p, SYNTH_P_ABANDONED);
    synth_announce_thread(s, m);
    synth_emit(s, m, TP_EV_ProcSteal, p, ++pp->seq, synth_m_id(s, from));
    if (pp->status == SYNTH_P_SYSCALL)
        s->ms[from].p = SYNTH_NONE;
    pp->status = SYNTH_P_IDLE;
    pp->m = SYNTH_NONE;
}

// ---- goroutines ----

void synth_go_start(struct synth *s, uint32_t m, uint32_t g)
{
    synth_announce_thread(s, m);
    synth_announce_g(s, m, g);
    synth_emit(s, m, TP_EV_GoStart, s->gs[g].id, ++s->gs[g].seq);
    run_on(s, m, g, SYNTH_G_RUNNING);
}

void synth_go_stop(struct synth *s, uint32_t m)
{
    synth_announce_thread(s, m);
    uint64_t reason = synth_pick_text(&s->tables, SYNTH_TEXT_STOP);
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, TP_EV_GoStop, reason, stack);
    leave(s, m, SYNTH_G_RUNNABLE);
}

void synth_go_block(struct synth *s, uint32_t m)
{
    synth_announce_thread(s, m);
    uint64_t reason = synth_pick_text(&s->tables, SYNTH_TEXT_BLOCK);
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, TP_EV_GoBlock, reason, stack);
    leave(s, m, SYNTH_G_WAITING);
}

void synth_go_destroy(struct synth *s, uint32_t m)
{
    synth_announce_thread(s, m);
    synth_emit(s, m, TP_EV_GoDestroy);
    leave(s, m, SYNTH_G_DEAD);
}

void synth_go_unblock(struct synth *s, uint32_t m, uint32_t g)
{
    synth_announce_thread(s, m);
    synth_announce_g(s, m, g);
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, TP_EV_GoUnblock, s->gs[g].id, ++s->gs[g].seq, stack);
    set_status(s, g, SYNTH_G_RUNNABLE);
}

void synth_go_switch(struct synth *s, uint32_t m, uint32_t to, enum tp_event_type type)
{
    synth_announce_thread(s, m);
    synth_announce_g(s, m, to);
    synth_emit(s, m, type, s->gs[to].id, ++s->gs[to].seq);
    leave(s, m, type == TP_EV_GoSwitch ? SYNTH_G_WAITING : SYNTH_G_DEAD);
    run_on(s, m, to, SYNTH_G_RUNNING);
}

uint32_t synth_create(struct synth *s, uint32_t m, enum tp_event_type type)
{
    synth_announce_thread(s, m);
    uint32_t g = new_g(s, type == TP_EV_GoCreate ? SYNTH_G_RUNNABLE : SYNTH_G_WAITING);
    if (g == SYNTH_NONE)
        return g;
    uint64_t entry = synth_entry_stack(&s->tables, s->gs[g].id);
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, type, s->gs[g].id, entry, stack);
    return g;
}

uint32_t synth_create_from_c(struct synth *s, uint32_t m)
{
    synth_announce_thread(s, m);
    uint32_t g = new_g(s, SYNTH_G_SYSCALL);
    if (g == SYNTH_NONE)
        return g;
    synth_emit(s, m, TP_EV_GoCreateSyscall, s->gs[g].id);
    s->gs[g].from_c = true;
    s->gs[g].m = m;
    s->ms[m].g = g;
    return g;
}

// Ends a goroutine from C. Its P, if any, is abandoned.
void synth_destroy_to_c(struct synth *s, uint32_t m)
{
    struct synth_m *mp = &s->ms[m];
    synth_announce_thread(s, m);
    synth_emit(s, m, TP_EV_GoDestroySyscall);
    if (mp->p != SYNTH_NONE)
        s->ps[mp->p].status = SYNTH_P_ABANDONED;
    mp->p = SYNTH_NONE;
    leave(s, m, SYNTH_G_DEAD);
}

void synth_syscall_begin(struct synth *s, uint32_t m)
{
    struct synth_m *mp = &s->ms[m];
    synth_announce_thread(s, m);
    uint64_t stack = synth_pick_stack(&s->tables);
    synth_emit(s, m, TP_EV_GoSyscallBegin, ++s->ps[mp->p].seq, stack);
    s->ps[mp->p].status = SYNTH_P_SYSCALL;
    set_status(s, mp->g, SYNTH_G_SYSCALL);
}

void synth_syscall_end(struct synth *s, uint32_t m)
{
    struct synth_m *mp = &s->ms[m];
    synth_announce_thread(s, m);
    synth_emit(s, m, TP_EV_GoSyscallEnd);
    s->ps[mp->p].status = SYNTH_P_RUNNING;
    set_status(s, mp->g, SYNTH_G_RUNNING);
}

void synth_syscall_end_blocked(struct synth *s, uint32_t m)
{
    synth_announce_thread(s, m);
    synth_emit(s, m, TP_EV_GoSyscallEndBlocked);
    leave(s, m, SYNTH_G_RUNNABLE);
}

// ---- the state a trace starts in ----

static void place_goroutines(struct synth *s)
{
    for (uint32_t i = 0; i < (uint32_t)s->config->goroutines; i++) {
        uint32_t g = new_g(s, synth_percent(&s->rand, 30) ? SYNTH_G_RUNNABLE : SYNTH_G_WAITING);
        s->gs[g].traced_gen = 0;
        // Regions that began before the trace: only their ends are in the trace.
        s->gs[g].region_count = (uint8_t)(synth_percent(&s->rand, 10) ? 1 : 0);
        s->gs[g].assisting = s->config->gc_at_start && synth_percent(&s->rand, 10);
    }
}

// Some threads run, some are in system calls with or without a P, some have neither P nor
// goroutine. The other Ps are idle.
static void place_threads(struct synth *s)
{
    uint32_t p = 0;
    for (uint32_t m = 0; m < s->m_count; m++) {
        uint32_t kind = synth_below(&s->rand, 6);
        bool with_p = p < s->p_count && kind != 0 && kind != 1;
        uint32_t g = kind == 0 || kind == 2 ? SYNTH_NONE : synth_random_g(s, SYNTH_G_RUNNABLE);
        bool in_syscall = g != SYNTH_NONE && (!with_p || kind == 3);
        if (g != SYNTH_NONE)
            run_on(s, m, g, in_syscall ? SYNTH_G_SYSCALL : SYNTH_G_RUNNING);
        if (with_p) {
            s->ps[p].status = in_syscall ? SYNTH_P_SYSCALL : SYNTH_P_RUNNING;
            s->ps[p].m = m;
            s->ms[m].p = p++;
        }
    }
}

static int allocate(struct synth *s, struct tp_error *err)
{
    s->ms = tp_alloc_zero(s->m_count * sizeof(*s->ms));
    s->ps = tp_alloc_zero(s->p_count * sizeof(*s->ps));
    s->gs = tp_alloc_zero(s->g_count * sizeof(*s->gs));
    if (!s->ms || !s->ps || !s->gs)
        return tp_fail(err, TP_E_MEMORY, "no memory for the scheduler");
    for (int i = 0; i < SYNTH_G_STATUSES; i++) {
        s->sets[i].members = tp_alloc_array(s->g_count, sizeof(uint32_t));
        if (!s->sets[i].members)
            return tp_fail(err, TP_E_MEMORY, "no memory for the scheduler");
    }
    for (uint32_t m = 0; m < s->m_count; m++) {
        uint64_t skew = synth_below(&s->rand, s->config->skew_ticks + 1);
        int rc = synth_batch_init(&s->ms[m].batch, FIRST_THREAD_ID + THREAD_ID_STEP * m, skew, err);
        if (rc)
            return rc;
        // Makes time + skew equal to m modulo the stride.
        s->ms[m].batch.residue = (m + s->wire.stride - skew % s->wire.stride) % s->wire.stride;
        s->ms[m].p = s->ms[m].g = SYNTH_NONE;
    }
    int rc = synth_batch_init(&s->orphans, SYNTH_NO_ID, 0, err);
    s->orphans.residue = s->wire.stride - 1;
    return rc;
}

int synth_model_init(struct synth *s, const struct synth_config *config, struct tp_error *err)
{
    s->config = config;
    s->m_count = (uint32_t)config->threads;
    s->p_count = (uint32_t)config->procs;
    // Room for fluctuation above the configured number, and for goroutines from C.
    s->g_count = (uint32_t)config->goroutines + (uint32_t)config->goroutines / 4 + s->m_count;
    s->next_goid = 1;
    s->next_task = 1;
    s->next_object = 1;
    s->turn_m = SYNTH_NONE;
    s->gc_running = config->gc_at_start != 0;
    s->rand.state = synth_mix(config->seed + 3);
    int rc = allocate(s, err);
    if (rc)
        return rc;
    struct synth_set *dead = &s->sets[SYNTH_G_DEAD];
    for (uint32_t g = 0; g < s->g_count; g++) {
        s->gs[g].set_pos = dead->count;
        dead->members[dead->count++] = g;
    }
    for (uint32_t p = 0; p < s->p_count; p++) {
        s->ps[p].status = SYNTH_P_IDLE;
        s->ps[p].m = SYNTH_NONE;
    }
    place_goroutines(s);
    place_threads(s);
    return 0;
}

void synth_model_fini(struct synth *s)
{
    for (uint32_t m = 0; s->ms && m < s->m_count; m++)
        synth_batch_fini(&s->ms[m].batch);
    synth_batch_fini(&s->orphans);
    for (int i = 0; i < SYNTH_G_STATUSES; i++)
        tp_free(s->sets[i].members);
    tp_free(s->gs);
    tp_free(s->ps);
    tp_free(s->ms);
}
