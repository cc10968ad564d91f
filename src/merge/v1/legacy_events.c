#include "merge/v1/legacy_events.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/text/quote.h"
#include "merge/v1/named.h"
#include "merge/v1/resort_damaged.h"

// Size of the buffer in which far links are sorted before they spill to a file.
#define FAR_BYTES TP_MIB(2)
// Parsers up to Go 1.20 refuse kinds of STW from OLD_STW_KINDS on.
#define FIRST_WITH_MANY_STW_KINDS 21
#define OLD_STW_KINDS 2
// Bytes of a name that an error quotes; struct tp_error has no room for more.
#define NAME_MAX_BYTES 64
#define EVENT_WORDS_BYTES 512

// LINKS

// Called for each link, which leads from event `number`, counted from 1, to the event that the
// walk has just taken, o->last. The walk that hands out events stores the link in the ring; the
// earlier walk, which has no ring, adds the links that are too long for a ring to far_links.
static int found(void *ctx, uint64_t number, struct tp_error *err)
{
    struct tp_legacy_events *o = ctx;
    uint64_t earlier = number - 1;
    bool is_far = o->count - earlier >= TP_V1_RING_EVENTS;
    if (o->ring != NULL && !is_far) {
        struct tp_legacy_event *e = &o->ring[earlier % TP_V1_RING_EVENTS];
        e->link_offset = o->last.offset;
        e->link_ns = o->last.time_ns;
        e->has_link = true;
    }
    if (o->ring != NULL || !is_far)
        return 0;
    struct tp_v1_far far = {o->last.offset, o->last.time_ns};
    struct tp_sorter_key key = {{earlier}};
    struct tp_span bytes = tp_span_of((const unsigned char *)&far, sizeof far);
    return tp_sorter_put(o->far_links, &key, &bytes, 1, err);
}

static int next_far(struct tp_legacy_events *o, struct tp_error *err)
{
    struct tp_sorter_item item;
    int rc = tp_sorter_next(o->far_links, &item, &o->has_far, err);
    if (rc != 0 || !o->has_far)
        return rc;
    o->far_place = item.key.words[0];
    memcpy(&o->far, item.bytes.ptr, sizeof o->far);
    return 0;
}

// WORDS

// Returns the index of a string of the trace. Go takes a missing string for the empty one.
static uint32_t string_of(const struct tp_legacy_events *o, uint64_t id)
{
    // tp_v1_plan has added strings with ids above those of the trace.
    uint32_t idx = id < o->trace->first_message_id ? tp_tables_string_idx(o->trace->tables, id)
                                                   : TP_STRING_UNKNOWN;
    return tp_string_or_empty(idx);
}

// Writes an event of a task or of a region, with its name, in quotes to `to`, as Go prints it.
static void put_user_event(const struct tp_legacy_events *o, const struct tp_v1_open_event *e,
                           const uint64_t *args, bool is_task, char *to)
{
    char bare[EVENT_WORDS_BYTES];
    struct tp_span name =
        o->trace->tables->strings.items[string_of(o, args[TP_V1_ARG_Called_string])];
    if (name.len_bytes > NAME_MAX_BYTES)
        name.len_bytes = NAME_MAX_BYTES;
    int len = snprintf(
        bare, sizeof bare - NAME_MAX_BYTES,
        "%lld %s p=%lld g=%llu off=%llu taskid=%llu %s=%llu typeid=%llu name=", (long long)e->ns,
        is_task ? "UserTaskCreate" : "UserRegion", (long long)e->p, (unsigned long long)e->g,
        (unsigned long long)e->offset, (unsigned long long)args[TP_V1_ARG_User_task],
        is_task ? "pid" : "mode", (unsigned long long)args[TP_V1_ARG_User_parent_or_mode],
        (unsigned long long)args[TP_V1_ARG_Called_string]);
    if (name.len_bytes > 0)
        memcpy(bare + len, name.ptr, name.len_bytes);
    unsigned char *end = tp_quote((unsigned char *)to, tp_span_of((unsigned char *)bare,
                                                                  (size_t)len + name.len_bytes));
    *end = '\0';
}

// Replaces the check's error about a task or region by Go's, which quotes the events in conflict.
static void explain_user_event(struct tp_legacy_events *o, const struct tp_v1_ordered *e,
                               int64_t ns, struct tp_error *err)
{
    const struct tp_v1_open_event now = {.offset = e->offset, .ns = ns, .g = e->g, .p = e->p};
    char this_one[4 * EVENT_WORDS_BYTES], other_one[4 * EVENT_WORDS_BYTES];
    bool is_task = e->type == TP_V1_UserTaskCreate;
    put_user_event(o, &now, e->args, is_task, this_one);
    if (is_task) {
        // The check refuses the beginning of a task only if a task with its id is open.
        const uint64_t id = tp_v1_arg(e, UserTaskCreate, task);
        const struct tp_v1_legacy_task *task =
            (struct tp_v1_legacy_task *)tp_v1_check_task(&o->walk.check, id);
        const uint64_t args[] = {id, task->task.parent, task->task.name};
        put_user_event(o, &task->begin, args, true, other_one);
        tp_fail(err, TP_E_ORDER, "task id conflicts (id:%llu), %s vs %s", (unsigned long long)id,
                this_one, other_one);
    } else if (tp_v1_arg(e, UserRegion, mode) == 1) {
        // The check refuses the end of a region only if another region of the goroutine is open.
        const struct tp_v1_g *g = tp_v1_check_g(&o->walk.check, e->g);
        const struct tp_v1_legacy_region *region =
            (struct tp_v1_legacy_region *)tp_v1_check_region(&o->walk.check, g->region);
        const struct tp_nest_key *key = &region->region.nest.key;
        const uint64_t args[] = {key->task, 0, key->name};
        put_user_event(o, &region->begin, args, false, other_one);
        tp_fail(err, TP_E_ORDER, "misuse of region in goroutine %llu: span end %s when the "
                "inner-most active span start event is %s", (unsigned long long)e->g, this_one,
                other_one);
    } else {
        tp_fail(err, TP_E_ORDER, "invalid user region mode: %s", this_one);
    }
}

// THE WALK

// Takes the next event that is not part of a futile wake-up.
static enum tp_cursor_status take(struct tp_legacy_events *o, struct tp_v1_ordered **ret,
                                  int64_t *ret_ns, struct tp_error *err)
{
    struct tp_v1_ordered *e = NULL;
    enum tp_cursor_status st;
    bool drops = true;
    while (drops) {
        st = tp_v1_sequence_take(&o->walk, &e, ret_ns, err);
        if (st == TP_CURSOR_END && !o->walk.has_begun) {
            tp_fail(err, TP_E_EVENT, "trace is empty");
            return TP_CURSOR_BAD;
        }
        if (st != TP_CURSOR_EVENT)
            return st;
        struct tp_v1_legacy_g *g =
            (struct tp_v1_legacy_g *)tp_v1_check_g(&o->walk.check, tp_v1_wakeup_g(e));
        if (g == NULL) {
            tp_fail(err, TP_E_MEMORY, "out of memory for the wake-ups of a trace");
            return TP_CURSOR_BAD;
        }
        drops = tp_v1_wakeups_drop(&o->wakeups, o->trace, e, &g->wakeup);
    }
    if (tp_v1_is_of_collector(e->type))
        e->g = 0;
    uint64_t kind = tp_v1_arg(e, STWStart, kindid);
    if (e->type == TP_V1_STWStart && kind >= OLD_STW_KINDS &&
        o->trace->table->minor < FIRST_WITH_MANY_STW_KINDS) {
        tp_fail(err, TP_E_EVENT, "unknown STW kind %llu", (unsigned long long)kind);
        return TP_CURSOR_BAD;
    }
    *ret = e;
    return TP_CURSOR_EVENT;
}

static int check(struct tp_legacy_events *o, struct tp_v1_ordered *e, int64_t ns,
                 struct tp_error *err)
{
    int rc = tp_v1_check(&o->walk.check, e, ns, o->trace->max_bytes, err);
    if (rc == TP_E_ORDER && (e->type == TP_V1_UserTaskCreate || e->type == TP_V1_UserRegion))
        explain_user_event(o, e, ns, err);
    return rc;
}

static struct tp_legacy_event make(const struct tp_legacy_events *o, const struct tp_v1_ordered *e,
                                   int64_t ns)
{
    struct tp_legacy_event x = {.offset = e->offset, .time_ns = ns, .p = e->p, .g = e->g,
                                .stack = e->stack, .type = e->type};
    memcpy(x.args, e->args, sizeof x.args);
    unsigned string_count = tp_legacy_event_strings(e->type);
    if (string_count == 1)
        x.strings[0] = string_of(o, tp_v1_arg(e, Called, string));
    if (string_count == 2) {
        uint64_t message = tp_intern_find(&o->trace->tables->messages, e->message);
        x.strings[0] = string_of(o, tp_v1_arg(e, UserLog, key_string));
        uint32_t idx = tp_tables_string_idx(o->trace->tables,
                                            o->trace->first_message_id + message);
        // tp_v1_plan has not seen the message if the file was overwritten meanwhile.
        x.strings[1] = tp_string_or_empty(idx);
    }
    return x;
}

// Takes, checks and links the next event.
static enum tp_cursor_status step(struct tp_legacy_events *o, struct tp_error *err)
{
    struct tp_v1_ordered *e;
    int64_t ns;
    enum tp_cursor_status st = take(o, &e, &ns, err);
    if (st != TP_CURSOR_EVENT)
        return st;
    if (check(o, e, ns, err) != 0)
        return TP_CURSOR_BAD;
    o->last = make(o, e, ns);
    if (tp_v1_links_add(&o->links, e, o->count + 1, ns, err) != 0)
        return TP_CURSOR_BAD;
    o->last.stack = e->stack; // links.c sets that of a goroutine's first start
    if (o->ring != NULL)
        o->ring[o->count % TP_V1_RING_EVENTS] = o->last;
    o->count++;
    return TP_CURSOR_EVENT;
}

// BEGIN AND END

static int open_walk(struct tp_legacy_events *o, const struct tp_v1_trace *t, struct tp_error *err)
{
    *o = (struct tp_legacy_events){.trace = t, .far_links = t->far_links,
                                   .status = TP_CURSOR_EVENT};
    o->links = (struct tp_v1_links){.check = &o->walk.check, .found = found, .ctx = o};
    int rc = tp_v1_sequence_begin(&o->walk, t, err);
    o->walk.check.is_legacy = true;
    return rc;
}

void tp_legacy_events_fini(struct tp_legacy_events *o)
{
    tp_v1_sequence_fini(&o->walk);
    tp_free(o->ring);
    *o = (struct tp_legacy_events){0};
}

static int walk_once(const struct tp_v1_trace *t, struct tp_error *err)
{
    struct tp_legacy_events o;
    enum tp_cursor_status st = TP_CURSOR_BAD;
    if (open_walk(&o, t, err) == 0) {
        do
            st = step(&o, err);
        while (st == TP_CURSOR_EVENT);
    }
    tp_legacy_events_fini(&o);
    return st == TP_CURSOR_BAD ? err->code : 0;
}

int tp_legacy_events_plan(struct tp_v1_trace *t, bool must_be_sound, struct tp_error *err)
{
    struct tp_sorter_memory memory = {.most_bytes = FAR_BYTES};
    t->far_links = tp_alloc_zero(sizeof *t->far_links);
    if (t->far_links == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the links of a trace");
    int rc = tp_sorter_init(t->far_links, &memory, err);
    if (rc == 0)
        rc = tp_v1_sort_if_needed(t, err);
    if (rc == 0)
        rc = walk_once(t, err);
    // The walk that hands out events finds the same error, after the events before it.
    if (!must_be_sound && (rc == TP_E_ORDER || rc == TP_E_EVENT))
        rc = 0;
    return rc == 0 ? tp_sorter_sort(t->far_links, err) : rc;
}

int tp_legacy_events_begin(struct tp_legacy_events *o, const struct tp_v1_trace *t,
                           struct tp_error *err)
{
    int rc = open_walk(o, t, err);
    if (rc != 0)
        return rc;
    o->ring = tp_alloc_array(TP_V1_RING_EVENTS, sizeof *o->ring);
    if (o->ring == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for events that wait for their links");
    return next_far(o, err);
}

// HANDING OUT

static bool is_ring_full(const struct tp_legacy_events *o)
{
    return o->count - o->given_count == TP_V1_RING_EVENTS;
}

static void walk_on(struct tp_legacy_events *o)
{
    while (o->status == TP_CURSOR_EVENT && !is_ring_full(o))
        o->status = step(o, &o->error);
}

// Returns whether the event names a string or stack that the tables lack. The parser of that time
// takes a missing stack for no stack, and a missing string for the empty one.
static bool lacks_names(const struct tp_v1_trace *t, const struct tp_legacy_event *x)
{
    // A start has no stack of its own, but that of the goroutine's creation; GoCreate names it.
    uint64_t stack = t->table->forms[x->type].has_stack ? x->stack : 0;
    return tp_v1_lacks_names(t, x->type, x->args, stack);
}

// Hands out the earliest event of the ring.
static int give(struct tp_legacy_events *o, struct tp_legacy_event *ret, struct tp_error *err)
{
    *ret = o->ring[o->given_count % TP_V1_RING_EVENTS];
    int rc = 0;
    if (o->has_far && o->far_place == o->given_count) {
        ret->link_offset = o->far.offset;
        ret->link_ns = o->far.ns;
        ret->has_link = true;
        rc = next_far(o, err);
    }
    o->given_count++;
    if (!o->trace->is_strict && lacks_names(o->trace, ret))
        o->unknown_id_count++;
    return rc;
}

enum tp_fill_status tp_legacy_events_fill(struct tp_legacy_events *o,
                                          struct tp_legacy_event *events, size_t capacity,
                                          size_t *ret_count, struct tp_error *err)
{
    size_t count = 0;
    int rc = 0;
    while (rc == 0 && count < capacity) {
        walk_on(o);
        if (o->count == o->given_count)
            break;
        rc = give(o, &events[count], err);
        count += rc == 0;
    }
    *ret_count = count;
    if (rc != 0)
        return TP_FILL_BROKEN;
    if (count == capacity || o->status == TP_CURSOR_EVENT)
        return TP_FILL_MORE;
    if (o->status == TP_CURSOR_END)
        return TP_FILL_END;
    *err = o->error;
    return TP_FILL_BROKEN;
}
