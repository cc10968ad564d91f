#include "synth_wire.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

#define EVENT_BYTES_MAX (1 + 10 * TP_MAX_EVENT_ARGS)
#define FIRST_WITH_SYNC 25
#define WALL_CLOCK_START_SEC 1700000000
// Number of threads up to which Go's sort is stable; the events of no thread take one cursor more.
#define STABLE_THREADS 11
#define MAX_READER_NS 4e18

int synth_wire_init(struct synth_wire *w, const struct synth_config *config, synth_write_fn write,
                    void *ctx, struct synth_totals *totals, struct tp_error *err)
{
    *w = (struct synth_wire){.config = config, .totals = totals, .last_m = SYNTH_NO_ID};
    w->now_ticks = config->start_ticks;
    w->rand.state = synth_mix(config->seed + 1);
    w->factor = 1.0 / ((double)config->freq / 1e9);
    w->crowded = config->threads > STABLE_THREADS;
    w->stride = w->crowded && config->skew_ticks > 0 ? config->threads + 1 : 1;
    if (w->stride > 1 && w->factor != floor(w->factor))
        return tp_fail(err, TP_E_USAGE,
                       "more than %d threads whose clocks differ need whole nanoseconds",
                       STABLE_THREADS);
    if ((double)config->start_ticks * w->factor > MAX_READER_NS)
        return tp_fail(err, TP_E_USAGE, "the first event is later than 64 bits can tell");
    return synth_damage_init(&w->damage, config, write, ctx, err);
}

void synth_wire_fini(struct synth_wire *w)
{
    synth_damage_fini(&w->damage);
}

int synth_batch_init(struct synth_batch *b, uint64_t m, uint64_t skew_ticks, struct tp_error *err)
{
    *b = (struct synth_batch){.m = m, .skew_ticks = skew_ticks};
    b->body = tp_alloc(SYNTH_BODY_BYTES);
    if (!b->body)
        return tp_fail(err, TP_E_MEMORY, "no memory for a batch");
    return 0;
}

void synth_batch_fini(struct synth_batch *b)
{
    tp_free(b->body);
    b->body = NULL;
}

static unsigned char *put_number(unsigned char *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    return to;
}

static unsigned char *put_padded(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 9; i++) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    return to;
}

static void put_batch(struct synth_wire *w, struct synth_batch *b, enum tp_event_type code,
                      unsigned experiment)
{
    unsigned char *to = w->unit;
    *to++ = (unsigned char)code;
    if (code == TP_EV_ExperimentalBatch)
        *to++ = (unsigned char)experiment;
    to = put_number(to, w->gen);
    to = put_number(to, b->m);
    to = put_number(to, b->start_ticks + b->skew_ticks);
    to = w->config->pad_sizes ? put_padded(to, b->len_bytes) : put_number(to, b->len_bytes);
    memcpy(to, b->body, b->len_bytes);
    to += b->len_bytes;
    w->totals->batch_count++;
    w->totals->code_counts[code]++;
    w->gen_bytes += (size_t)(to - w->unit) - b->counted_bytes;
    synth_damage_put(&w->damage, SYNTH_UNIT_BATCH, w->unit, (size_t)(to - w->unit));
    b->len_bytes = b->counted_bytes = 0;
    b->open = false;
}

// Writes a batch without any event, or with the event that announces a table but no entries.
// Readers accept both; the runtime writes neither.
static void put_empty_batch(struct synth_wire *w)
{
    static const enum tp_event_type marks[] = {TP_EV_NONE, TP_EV_Strings, TP_EV_Stacks,
                                               TP_EV_CPUSamples};
    enum tp_event_type mark = marks[synth_below(&w->rand, TP_ARRAY_LEN(marks))];
    unsigned char body = (unsigned char)mark;
    struct synth_batch b = {
        .body = &body,
        .len_bytes = mark == TP_EV_NONE ? 0 : 1,
        .m = mark == TP_EV_NONE ? 7 : SYNTH_NO_ID,
        .start_ticks = w->now_ticks,
    };
    w->totals->code_counts[mark] += b.len_bytes;
    put_batch(w, &b, TP_EV_EventBatch, 0);
}

void synth_wire_flush(struct synth_wire *w, struct synth_batch *b)
{
    if (!b->open)
        return;
    put_batch(w, b, TP_EV_EventBatch, 0);
    if (synth_permille(&w->rand, w->config->empty_permille))
        put_empty_batch(w);
}

void synth_wire_flush_experiment(struct synth_wire *w, struct synth_batch *b, unsigned experiment)
{
    if (b->open)
        put_batch(w, b, TP_EV_ExperimentalBatch, experiment);
}

// Returns nanoseconds as readers compute them: they round each time difference down.
static uint64_t reader_ns(const struct synth_wire *w, uint64_t ticks)
{
    return (uint64_t)((double)ticks * w->factor);
}

// Begins a batch. The first event must be later than the batch, and the batch later than all
// earlier events of its thread.
static void open_batch(struct synth_wire *w, struct synth_batch *b)
{
    if (w->now_ticks <= b->last_ticks)
        w->now_ticks = b->last_ticks + 1;
    b->start_ticks = b->last_ticks = w->now_ticks;
    b->reader_ns = reader_ns(w, b->start_ticks + b->skew_ticks);
    b->len_bytes = b->counted_bytes = 0;
    b->open = true;
}

void synth_wire_header(struct synth_wire *w)
{
    unsigned char header[17];
    snprintf((char *)header, sizeof(header), "go 1.%u trace%c%c%c",
             (unsigned)w->config->version, 0, 0, 0);
    synth_damage_put(&w->damage, SYNTH_UNIT_HEADER, header, 16);
}

void synth_wire_end_mark(struct synth_wire *w)
{
    static const unsigned char mark = TP_EV_EndOfGeneration;
    w->totals->code_counts[mark]++;
    w->gen_bytes++;
    synth_damage_put(&w->damage, SYNTH_UNIT_END_MARK, &mark, 1);
}

void synth_wire_sync(struct synth_wire *w)
{
    unsigned char body[64];
    struct synth_batch b = {.body = body, .m = SYNTH_NO_ID, .open = true};
    b.start_ticks = w->now_ticks;
    if (w->config->version >= FIRST_WITH_SYNC)
        synth_wire_code(w, &b, TP_EV_Sync);
    synth_wire_code(w, &b, TP_EV_Frequency);
    synth_wire_number(&b, w->config->zero_freq ? 0 : w->config->freq);
    if (w->config->version >= FIRST_WITH_SYNC) {
        uint64_t mono_ns = (w->now_ticks / w->config->freq) * 1000000000 +
                           (w->now_ticks % w->config->freq) * 1000000000 / w->config->freq;
        synth_wire_code(w, &b, TP_EV_ClockSnapshot);
        synth_wire_number(&b, 1);
        synth_wire_number(&b, mono_ns);
        synth_wire_number(&b, WALL_CLOCK_START_SEC + mono_ns / 1000000000);
        synth_wire_number(&b, mono_ns % 1000000000);
    }
    synth_wire_flush(w, &b);
}

// Returns whether readers may have to hold the event back until an event of another thread.
static bool may_wait(enum tp_event_type type)
{
    switch (type) {
    case TP_EV_ProcStart:
    case TP_EV_ProcSteal:
    case TP_EV_GoStart:
    case TP_EV_GoUnblock:
    case TP_EV_GoSwitch:
    case TP_EV_GoSwitchDestroy:
    case TP_EV_GoSyscallEndBlocked:
    case TP_EV_GCActive:
    case TP_EV_GCBegin:
    case TP_EV_GCEnd:
        return true;
    default:
        return false;
    }
}

// Returns the time of the next event of thread `b`. If the generator chooses
// a tie, that is the time of the latest event of another thread.
static uint64_t next_ticks(struct synth_wire *w, struct synth_batch *b, enum tp_event_type type)
{
    bool tie = b->m != w->last_m && synth_percent(&w->rand, w->config->tie_percent) &&
               !(w->crowded && may_wait(type));
    uint64_t t = w->now_ticks;
    if (!tie)
        t += 1 + synth_below(&w->rand, 2 * w->config->step_ticks - 1);
    if (t <= b->last_ticks)
        t = b->last_ticks + 1;
    if (w->stride > 1) {
        // No two threads share a time.
        t += (b->residue + w->stride - t % w->stride) % w->stride;
    } else if (w->crowded) {
        // The rounding of readers must not make two times equal.
        uint64_t least_ns = w->reader_ns + !tie;
        while (b->reader_ns + reader_ns(w, t - b->last_ticks) < least_ns)
            t++;
    }
    b->reader_ns += reader_ns(w, t - b->last_ticks);
    if (b->reader_ns > w->reader_ns)
        w->reader_ns = b->reader_ns;
    w->now_ticks = t;
    w->last_m = b->m;
    return t;
}

void synth_wire_event(struct synth_wire *w, struct synth_batch *b, enum tp_event_type type,
                      uint64_t *args, size_t arg_count)
{
    assert(arg_count >= 1 && arg_count <= TP_MAX_EVENT_ARGS);
    if (b->open &&
        b->len_bytes + EVENT_BYTES_MAX + SYNTH_HEADER_BYTES > w->config->batch_bytes)
        synth_wire_flush(w, b);
    if (!b->open)
        open_batch(w, b);
    uint64_t t = next_ticks(w, b, type);
    args[0] = t - b->last_ticks;
    b->last_ticks = t;
    synth_wire_code(w, b, type);
    for (size_t i = 0; i < arg_count; i++)
        synth_wire_number(b, args[i]);
    w->totals->event_count++;
    w->gen_events++;
    w->gen_bytes += b->len_bytes - b->counted_bytes;
    b->counted_bytes = b->len_bytes;
}

void synth_wire_table_room(struct synth_wire *w, struct synth_batch *b, enum tp_event_type mark,
                           size_t len_bytes)
{
    assert(len_bytes < SYNTH_BODY_BYTES);
    if (b->open && b->len_bytes + len_bytes > SYNTH_BODY_BYTES)
        synth_wire_flush(w, b);
    if (!b->open) {
        open_batch(w, b);
        synth_wire_code(w, b, mark);
    }
}

void synth_wire_code(struct synth_wire *w, struct synth_batch *b, enum tp_event_type type)
{
    w->totals->code_counts[type]++;
    b->body[b->len_bytes++] = (unsigned char)type;
}

void synth_wire_number(struct synth_batch *b, uint64_t value)
{
    b->len_bytes = (size_t)(put_number(b->body + b->len_bytes, value) - b->body);
}

void synth_wire_bytes(struct synth_batch *b, const void *bytes, size_t len_bytes)
{
    memcpy(b->body + b->len_bytes, bytes, len_bytes);
    b->len_bytes += len_bytes;
}
