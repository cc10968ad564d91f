// Steps of a running goroutine that change the states of goroutines, Ps or threads.
#include "synth_play.h"

uint32_t synth_live_count(const struct synth *s)
{
    return s->g_count - s->sets[SYNTH_G_DEAD].count;
}

bool synth_do_block(struct synth *s, uint32_t m)
{
    synth_go_block(s, m);
    return true;
}

bool synth_do_stop(struct synth *s, uint32_t m)
{
    synth_go_stop(s, m);
    return true;
}

bool synth_do_unblock(struct synth *s, uint32_t m)
{
    uint32_t g = synth_random_g(s, SYNTH_G_WAITING);
    if (g == SYNTH_NONE)
        return false;
    synth_go_unblock(s, m, g);
    return true;
}

// Keeps the number of goroutines near the configured one.
bool synth_do_create(struct synth *s, uint32_t m)
{
    if (synth_live_count(s) > s->config->goroutines && synth_percent(&s->rand, 70))
        return false;
    return synth_create(s, m, TP_EV_GoCreate) != SYNTH_NONE;
}

bool synth_do_create_blocked(struct synth *s, uint32_t m)
{
    return synth_create(s, m, TP_EV_GoCreateBlocked) != SYNTH_NONE;
}

// A goroutine that came from C must return there instead.
static bool may_end(struct synth *s, uint32_t m)
{
    if (s->gs[s->ms[m].g].from_c)
        return false;
    return synth_live_count(s) >= s->config->goroutines || synth_percent(&s->rand, 30);
}

bool synth_do_destroy(struct synth *s, uint32_t m)
{
    if (!may_end(s, m))
        return false;
    synth_go_destroy(s, m);
    return true;
}

bool synth_do_coswitch(struct synth *s, uint32_t m)
{
    uint32_t to = synth_random_g(s, SYNTH_G_WAITING);
    if (to == SYNTH_NONE)
        return false;
    bool end = synth_percent(&s->rand, 25) && may_end(s, m);
    synth_go_switch(s, m, to, end ? TP_EV_GoSwitchDestroy : TP_EV_GoSwitch);
    return true;
}

bool synth_do_syscall(struct synth *s, uint32_t m)
{
    if (s->ps[s->ms[m].p].sweeping)
        synth_do_sweep(s, m);
    synth_syscall_begin(s, m);
    return true;
}

bool synth_do_steal(struct synth *s, uint32_t m)
{
    uint32_t p = synth_random_p(s, SYNTH_P_SYSCALL);
    if (p == SYNTH_NONE)
        p = synth_random_p(s, SYNTH_P_ABANDONED);
    if (p == SYNTH_NONE)
        return false;
    synth_proc_steal(s, m, p);
    return true;
}
