#include "synth_play.h"

static const struct {
    bool (*act)(struct synth *s, uint32_t m);
    uint32_t since;
} actions[SYNTH_ACTION_COUNT] = {
#define SYNTH_ACTION(name, flag, weight, since, help) {synth_do_##name, since},
#include "synth_actions.def"
};

void synth_play_init(struct synth *s)
{
    uint32_t sum = 0;
    for (int i = 0; i < SYNTH_ACTION_COUNT; i++) {
        if (s->config->version >= actions[i].since)
            sum += s->config->weights[i];
        s->action_weights[i] = sum;
    }
}

// ---- a thread that runs a goroutine ----

static void run_goroutine(struct synth *s, uint32_t m)
{
    synth_announce_thread(s, m);
    synth_announce_gc(s, m);
    if (s->gs[s->ms[m].g].stopping_world) {
        if (synth_percent(&s->rand, 60))
            synth_do_stw(s, m);
        else
            synth_do_heap(s, m);
        return;
    }
    uint32_t sum = s->action_weights[SYNTH_ACTION_COUNT - 1];
    for (int tries = 0; sum > 0 && tries < 8; tries++) {
        uint32_t drawn = synth_below(&s->rand, sum);
        int i = 0;
        while (drawn >= s->action_weights[i])
            i++;
        if (actions[i].act(s, m))
            return;
    }
    synth_go_stop(s, m);
}

// ---- threads in other states ----

static void run_scheduler(struct synth *s, uint32_t m)
{
    if (s->ps[s->ms[m].p].sweeping && synth_percent(&s->rand, 50)) {
        synth_announce_thread(s, m);
        synth_do_sweep(s, m);
        return;
    }
    uint32_t g = synth_random_g(s, SYNTH_G_RUNNABLE);
    if (g != SYNTH_NONE && synth_percent(&s->rand, 90)) {
        synth_go_start(s, m, g);
        return;
    }
    uint32_t waiting = synth_random_g(s, SYNTH_G_WAITING);
    if (waiting != SYNTH_NONE && synth_percent(&s->rand, 60)) {
        synth_go_unblock(s, m, waiting);
        return;
    }
    // A goroutine that the runtime itself creates.
    if (synth_live_count(s) < s->config->goroutines && synth_percent(&s->rand, 30)) {
        synth_create(s, m, TP_EV_GoCreate);
        return;
    }
    if (s->ps[s->ms[m].p].sweeping) {
        synth_announce_thread(s, m);
        synth_do_sweep(s, m);
    }
    synth_proc_stop(s, m);
}

static bool wake_thread(struct synth *s, uint32_t m)
{
    if (synth_percent(&s->rand, s->config->c_percent) && synth_create_from_c(s, m) != SYNTH_NONE)
        return true;
    uint32_t p = synth_random_p(s, SYNTH_P_IDLE);
    if (p != SYNTH_NONE) {
        synth_proc_start(s, m, p);
        return true;
    }
    return synth_do_steal(s, m);
}

static bool leave_syscall(struct synth *s, uint32_t m)
{
    const struct synth_m *mp = &s->ms[m];
    bool from_c = s->gs[mp->g].from_c;
    uint32_t choice = synth_below(&s->rand, 100);
    if (synth_percent(&s->rand, s->config->linger_percent))
        return false;
    if (from_c && choice < 40) {
        synth_destroy_to_c(s, m);
    } else if (mp->p != SYNTH_NONE) {
        if (choice < 70)
            synth_syscall_end(s, m);
        else if (choice < 85)
            synth_proc_steal(s, m, mp->p);
        else
            synth_proc_stop(s, m);
    } else {
        uint32_t p = choice < 70 ? SYNTH_NONE : synth_random_p(s, SYNTH_P_IDLE);
        if (p != SYNTH_NONE)
            synth_proc_start(s, m, p);
        synth_syscall_end_blocked(s, m);
    }
    return true;
}

static bool step(struct synth *s, uint32_t m)
{
    const struct synth_m *mp = &s->ms[m];
    if (mp->g == SYNTH_NONE) {
        if (mp->p == SYNTH_NONE)
            return wake_thread(s, m);
        run_scheduler(s, m);
        return true;
    }
    if (s->gs[mp->g].status == SYNTH_G_SYSCALL)
        return leave_syscall(s, m);
    run_goroutine(s, m);
    return true;
}

void synth_play(struct synth *s)
{
    // Ends, because some thread can always act: it has a P, may take one, or may leave a
    // system call.
    for (;;) {
        if (s->turn_left == 0) {
            s->turn_m = synth_below(&s->rand, s->m_count);
            s->turn_left = 1 + synth_below(&s->rand, 2 * s->config->run_events - 1);
        }
        s->turn_left--;
        if (step(s, s->turn_m))
            break;
        s->turn_left = 0;
    }
    if (synth_permille(&s->rand, s->config->sample_permille)) {
        const struct synth_m *mp = &s->ms[synth_below(&s->rand, s->m_count)];
        synth_sample(&s->tables, mp->batch.m, mp->p == SYNTH_NONE ? SYNTH_NO_ID : mp->p,
                     mp->g == SYNTH_NONE ? 0 : s->gs[mp->g].id);
    }
}

// ---- both ends of a generation ----

// Running threads write their status at once, sleeping threads when they wake. The first
// running thread also writes the status of idle Ps.
void synth_play_begin(struct synth *s)
{
    bool idle_announced = false;
    s->gc_announced = false;
    for (uint32_t m = 0; m < s->m_count; m++) {
        const struct synth_m *mp = &s->ms[m];
        if (mp->p == SYNTH_NONE || s->ps[mp->p].status != SYNTH_P_RUNNING)
            continue;
        synth_announce_thread(s, m);
        for (uint32_t p = 0; !idle_announced && p < s->p_count; p++)
            if (s->ps[p].status == SYNTH_P_IDLE)
                synth_announce_p(s, m, p, SYNTH_P_IDLE);
        idle_announced = true;
    }
}

// Ends open world stops, because their kind is a string of this generation. Goroutines without a
// status event in this generation get one, in a batch that belongs to no thread.
void synth_play_end(struct synth *s)
{
    for (uint32_t m = 0; m < s->m_count; m++) {
        uint32_t g = s->ms[m].g;
        if (g != SYNTH_NONE && s->gs[g].stopping_world)
            synth_do_stw(s, m);
    }
    // If no goroutine ran to announce it, readers never learn of a collection that was in
    // progress when the trace started.
    if (s->gc_seq == 0)
        s->gc_running = false;
    for (uint32_t g = 0; g < s->g_count; g++)
        if (s->gs[g].status != SYNTH_G_DEAD)
            synth_announce_g(s, SYNTH_NONE, g);
}
