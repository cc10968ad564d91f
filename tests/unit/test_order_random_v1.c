// Traces of Go 1.7 and later made at random, with bursts of events on one P, equal times, and
// events that wait for those of other Ps: their order is that of a model of Go's reader, word
// for word (container/heap over the next event of each P).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

enum { PS_MAX = 17, EVENTS_MAX = 40, GS_MAX = 20 };

struct model_event {
    int64_t ticks;
    uint8_t type;          // TP_V1_HeapAlloc, or of `g`: TP_V1_GoCreate, before TP_V1_GoStart
    uint64_t g;
};

struct model {
    struct model_p {
        struct model_event events[EVENTS_MAX];
        unsigned next;
    } ps[PS_MAX];
    unsigned p_count;
    unsigned event_count;  // of each
    unsigned create_count, start_count; // in the trace
    bool is_created[GS_MAX];
    bool is_started[GS_MAX];
    unsigned available[PS_MAX], available_count;
    unsigned heap[PS_MAX], heap_count;
};

static const struct model_event *next_of(const struct model *m, unsigned p)
{
    const struct model_p *s = &m->ps[p];
    return s->next < m->event_count ? &s->events[s->next] : NULL;
}

static bool is_ready(const struct model *m, const struct model_event *e)
{
    switch (e->type) {
    case TP_V1_GoCreate: return !m->is_created[e->g];
    case TP_V1_GoStart: return m->is_created[e->g] && !m->is_started[e->g];
    default: return true;
    }
}

static bool is_less(const struct model *m, unsigned i, unsigned j)
{
    return next_of(m, m->heap[i])->ticks < next_of(m, m->heap[j])->ticks;
}

static void swap_in_heap(struct model *m, unsigned i, unsigned j)
{
    unsigned kept = m->heap[i];
    m->heap[i] = m->heap[j];
    m->heap[j] = kept;
}

static void push(struct model *m, unsigned p)
{
    unsigned j = m->heap_count++;
    m->heap[j] = p;
    for (; j > 0 && is_less(m, j, (j - 1) / 2); j = (j - 1) / 2)
        swap_in_heap(m, j, (j - 1) / 2);
}

static unsigned pop(struct model *m)
{
    unsigned n = --m->heap_count, i = 0;
    swap_in_heap(m, 0, n);
    for (;;) {
        unsigned j = 2 * i + 1;
        if (j >= n)
            break;
        if (j + 1 < n && is_less(m, j + 1, j))
            j++;
        if (!is_less(m, j, i))
            break;
        swap_in_heap(m, i, j);
        i = j;
    }
    return m->heap[n];
}

static void fill_heap(struct model *m)
{
    for (unsigned i = 0; i < m->available_count;) {
        unsigned p = m->available[i];
        const struct model_event *e = next_of(m, p);
        if (e != NULL && !is_ready(m, e)) {
            i++;
            continue;
        }
        m->available[i] = m->available[--m->available_count];
        if (e != NULL)
            push(m, p);
    }
}

// The next event and its P; NULL: there is none. BROKEN: it is not ready any more.
static const struct model_event *take(struct model *m, unsigned *ret_p, bool *ret_is_broken)
{
    fill_heap(m);
    if (m->heap_count == 0)
        return NULL;
    *ret_p = pop(m);
    const struct model_event *e = next_of(m, *ret_p);
    *ret_is_broken = !is_ready(m, e);
    if (e->type == TP_V1_GoCreate)
        m->is_created[e->g] = true;
    if (e->type == TP_V1_GoStart)
        m->is_started[e->g] = true;
    m->ps[*ret_p].next++;
    m->available[m->available_count++] = *ret_p;
    return e;
}

// Each goroutine is created once and started once, wherever.
static struct model_event any_event(struct model *m, uint64_t *seed, int64_t ticks)
{
    uint64_t choice = wire_random(seed) % 8;
    if (choice == 0 && m->create_count < GS_MAX)
        return (struct model_event){ticks, TP_V1_GoCreate, m->create_count++};
    if (choice == 1 && m->start_count < GS_MAX)
        return (struct model_event){ticks, TP_V1_GoStart, m->start_count++};
    return (struct model_event){ticks, TP_V1_HeapAlloc, 0};
}

// Bursts on one P, and many equal times.
static void make_model(struct model *m, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->p_count = 1 + (unsigned)(wire_random(&seed) % PS_MAX);
    m->event_count = EVENTS_MAX;
    unsigned most_dt = 1 + (unsigned)(wire_random(&seed) % 12);
    for (unsigned p = 0; p < m->p_count; p++) {
        int64_t ticks = (int64_t)(wire_random(&seed) % 8);
        for (unsigned i = 0; i < m->event_count; i++) {
            bool is_in_burst = wire_random(&seed) % 4 != 0;
            ticks += is_in_burst ? (int64_t)(wire_random(&seed) % 2)
                                 : (int64_t)(wire_random(&seed) % most_dt);
            m->ps[p].events[i] = any_event(m, &seed, ticks);
        }
        m->available[m->available_count++] = p;
    }
}

static void put_model(const struct model *m)
{
    script_v1_begin(11);
    for (unsigned p = 0; p < m->p_count; p++) {
        int64_t last_ticks = 0;
        P(p, 0);
        for (unsigned i = 0; i < m->event_count; i++) {
            const struct model_event *e = &m->ps[p].events[i];
            uint64_t dt = (uint64_t)(e->ticks - last_ticks);
            switch (e->type) {
            case TP_V1_GoCreate: EV(GoCreate, dt, 100 + e->g, 0, 0); break;
            case TP_V1_GoStart: EV(GoStart, dt, 100 + e->g, 1); break;
            default: EV(HeapAlloc, dt, i); break;
            }
            last_ticks = e->ticks;
        }
    }
}

static void test_any_trace_is_ordered_as_by_go(void **state)
{
    (void)state;
    size_t long_count = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        static struct model m;
        bool is_broken = false;
        make_model(&m, seed);
        put_model(&m);
        const struct order_v1_way way = {0};
        struct order_v1_result got = order_v1_walk(11, script_v1_bytes(), &way);
        size_t count = 0;
        const struct model_event *want;
        unsigned p;
        while ((want = take(&m, &p, &is_broken)) != NULL && !is_broken) {
            assert_true(count < got.count);
            const struct tp_v1_ordered *e = &got.ordered[count++];
            if (e->p != p || e->ticks != want->ticks || e->type != want->type)
                fail_msg("seed %llu, event %zu: P %lld, not %u", (unsigned long long)seed,
                         count - 1, (long long)e->p, p);
        }
        assert_int_equal(count, got.count);
        assert_int_equal(got.err.code == 0, count == (size_t)m.p_count * m.event_count);
        long_count += count > 100;
        order_v1_result_fini(&got);
    }
    // Most do not soon wait for ever.
    assert_true(long_count > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_trace_is_ordered_as_by_go),
    };
    return cmocka_run_group_tests_name("order_random_v1", tests, NULL, tear_down);
}
