#include "sink/perfetto/names.h"

#include <inttypes.h>

#include "base/alloc.h"

// The process of all CPU samples; the trace does not have its number.
#define PROCESS 1
// Go's profiler takes a sample each 10 ms of a thread's time.
#define SAMPLES_PER_SECOND 100
// The iid of the program's file, which every frame must have; the trace does not have its name.
#define MAPPING 1

// The sets of a generation.
#define GENERATION_SETS(n) {&(n)->names, &(n)->stacks, &(n)->stack_texts, &(n)->frames}

static void forget_names(struct tp_perfetto_names *n)
{
    struct tp_idset *const sets[] = GENERATION_SETS(n);
    for (size_t i = 0; i < TP_ARRAY_LEN(sets); i++) {
        size_t max_bytes = sets[i]->max_bytes;
        tp_idset_fini(sets[i]);
        tp_idset_init(sets[i], max_bytes);
    }
    tp_intern_fini(&n->functions);
    tp_intern_fini(&n->files);
}

void tp_perfetto_names_init(struct tp_perfetto_names *n, const struct tp_perfetto_config *config,
                            struct tp_out *out, uint64_t max_bytes)
{
    struct tp_idset *const sets[] = GENERATION_SETS(n);
    n->config = config;
    n->output.out = out;
    n->output.compresses = config->compress;
    for (size_t i = 0; i < TP_ARRAY_LEN(sets); i++)
        tp_idset_init(sets[i], max_bytes);
    tp_idset_init(&n->tracks, max_bytes);
    tp_idset_init(&n->used, max_bytes);
}

void tp_perfetto_names_fini(struct tp_perfetto_names *n)
{
    forget_names(n);
    tp_idset_fini(&n->tracks);
    tp_idset_fini(&n->used);
    tp_free(n->output.pending.items);
}

size_t tp_perfetto_names_bytes(const struct tp_perfetto_names *n)
{
    const struct tp_idset *const sets[] = GENERATION_SETS(n);
    size_t bytes = tp_idset_bytes(&n->tracks) + tp_idset_bytes(&n->used) +
                   tp_intern_bytes(&n->functions) + tp_intern_bytes(&n->files) +
                   n->output.pending.capacity;
    for (size_t i = 0; i < TP_ARRAY_LEN(sets); i++)
        bytes += tp_idset_bytes(sets[i]);
    return bytes;
}

// Writes a packet with `part` as its last field, which ends with the text that was made.
static int put_part_with_text(struct tp_perfetto_names *n, struct tp_message *packet, unsigned field,
                              const struct tp_message *part, struct tp_error *err)
{
    tp_message_sized(packet, field, part->len_bytes + n->output.text_bytes);
    tp_message_append(packet, part);
    return tp_perfetto_put_with_text(&n->output, packet, err);
}

// INTERNED DATA

// Begins an entry of interned data with this iid.
static void begin_entry(struct tp_message *entry, uint64_t iid)
{
    entry->len_bytes = 0;
    tp_message_value(entry, ENTRY_IID, iid);
}

// Writes an entry of interned data. With `has_text` the last field is the text that was made.
static int put_entry(struct tp_perfetto_names *n, unsigned field, struct tp_message *entry,
                     bool has_text, struct tp_error *err)
{
    struct tp_message packet, interned;
    if (!has_text)
        tp_perfetto_begin_text(&n->output);
    else
        tp_message_sized(entry, ENTRY_TEXT, n->output.text_bytes);
    interned.len_bytes = 0;
    tp_message_sized(&interned, field, entry->len_bytes + n->output.text_bytes);
    tp_message_append(&interned, entry);
    tp_packet_begin(&packet, n->sequence.number);
    return put_part_with_text(n, &packet, PACKET_INTERNED, &interned, err);
}

// Writes the text that was made as an entry with this iid.
static int put_text_entry(struct tp_perfetto_names *n, unsigned field, uint64_t iid,
                          struct tp_error *err)
{
    struct tp_message entry;
    begin_entry(&entry, iid);
    return put_entry(n, field, &entry, true, err);
}

// Adds an id to a set. *ret_is_new: the set lacked it.
static int add_id(struct tp_idset *set, uint64_t id, bool *ret_is_new, struct tp_error *err)
{
    uint64_t before = tp_idset_count(set);
    int rc = tp_idset_add(set, id, err);
    *ret_is_new = tp_idset_count(set) != before;
    return rc;
}

// Sets *ret_iid to the iid of a function or file, and writes the entry if it is new.
static int find_text(struct tp_perfetto_names *n, struct tp_intern *texts, unsigned field,
                     struct tp_text text, uint64_t *ret_iid, struct tp_error *err)
{
    uint32_t count = texts->count;
    uint32_t number = tp_intern_put(texts, tp_text_span(text));
    if (number == TP_INTERN_NONE)
        return tp_fail(err, TP_E_MEMORY, "out of memory for names of functions");
    *ret_iid = number + UINT64_C(1);
    if (number < count)
        return 0;
    tp_perfetto_begin_text(&n->output);
    tp_perfetto_add_text(&n->output, text);
    return put_text_entry(n, field, *ret_iid, err);
}

static int put_frame(struct tp_perfetto_names *n, uint64_t iid, const struct tp_frame *frame,
                     struct tp_error *err)
{
    struct tp_message entry;
    uint64_t function = 0, file = 0;
    int rc = find_text(n, &n->functions, INTERNED_FUNCTION, frame->function, &function, err);
    if (rc == 0)
        rc = find_text(n, &n->files, INTERNED_FILE, frame->file, &file, err);
    if (rc != 0)
        return rc;
    begin_entry(&entry, iid);
    tp_message_value(&entry, FRAME_FUNCTION, function);
    tp_message_value(&entry, FRAME_MAPPING, MAPPING);
    tp_message_value(&entry, FRAME_PC, frame->pc);
    tp_message_value(&entry, FRAME_FILE, file);
    tp_message_value(&entry, FRAME_LINE, frame->line);
    return put_entry(n, INTERNED_FRAME, &entry, false, err);
}

static int put_stack(struct tp_perfetto_names *n, const struct tp_block *b, uint32_t ref,
                     struct tp_error *err)
{
    struct tp_message entry;
    struct tp_stack stack = tp_fact_stack(ref, b->tables);
    uint32_t count = stack.frame_count < TP_PERFETTO_FRAMES_MAX ? stack.frame_count
                                                                : TP_PERFETTO_FRAMES_MAX;
    int rc = 0;
    n->output.cut_texts += count < stack.frame_count;
    begin_entry(&entry, ref);
    for (uint32_t i = 0; i < count && rc == 0; i++) {
        struct tp_frame frame = tp_stack_frame(&stack, i);
        uint64_t iid = stack.frames[i] + UINT64_C(1);
        bool is_new;
        rc = add_id(&n->frames, iid, &is_new, err);
        if (rc == 0 && is_new)
            rc = put_frame(n, iid, &frame, err);
        tp_message_value(&entry, STACK_FRAME, iid);
    }
    return rc == 0 ? put_entry(n, INTERNED_STACK, &entry, false, err) : rc;
}

// Writes a stack as a text, a line for each frame, the innermost first.
static int put_stack_text(struct tp_perfetto_names *n, const struct tp_block *b, uint32_t ref,
                          struct tp_error *err)
{
    struct tp_stack stack = tp_fact_stack(ref, b->tables);
    uint64_t cut_texts = n->output.cut_texts;
    tp_perfetto_begin_text(&n->output);
    for (uint32_t i = 0; i < stack.frame_count && n->output.cut_texts == cut_texts; i++) {
        struct tp_frame frame = tp_stack_frame(&stack, i);
        tp_perfetto_add_printf(&n->output, "%s", i == 0 ? "" : "\n");
        tp_perfetto_add_text(&n->output, frame.function);
        tp_perfetto_add_printf(&n->output, " (");
        tp_perfetto_add_text(&n->output, frame.file);
        tp_perfetto_add_printf(&n->output, ":%" PRIu64 ")", frame.line);
    }
    if (n->output.cut_texts > cut_texts)
        n->output.cut_texts = cut_texts + 1; // it is one text
    return put_text_entry(n, INTERNED_ARG_TEXT, ref, err);
}

static int put_name(struct tp_perfetto_names *n, const struct tp_block *b, uint64_t iid,
                    uint32_t ref, struct tp_error *err)
{
    uint64_t id;
    tp_perfetto_begin_text(&n->output);
    switch (tp_perfetto_name_of(iid, &id)) {
    case TP_PERFETTO_NAME_PROC: tp_perfetto_add_printf(&n->output, "P %" PRIu64, id); break;
    case TP_PERFETTO_NAME_UNNAMED: tp_perfetto_add_printf(&n->output, "G%" PRIu64, id); break;
    case TP_PERFETTO_NAME_NAMED: tp_perfetto_add_printf(&n->output, "G%" PRIu64 " ", id); // fall through
    default: tp_perfetto_add_text(&n->output, tp_fact_text(ref, b->tables)); break;
    }
    return put_text_entry(n, INTERNED_NAME, iid, err);
}

// Writes a name that every trace has.
static int put_word(struct tp_perfetto_names *n, unsigned field, uint64_t iid, const char *word,
                    struct tp_error *err)
{
    tp_perfetto_begin_text(&n->output);
    tp_perfetto_add_printf(&n->output, "%s", word);
    return put_text_entry(n, field, iid, err);
}

static int put_words(struct tp_perfetto_names *n, struct tp_error *err)
{
    static const struct {
        unsigned field;
        uint64_t iid;
        const char *text;
    } words[] = {
#define TP_X(word, text) {INTERNED_NAME, TP_PERFETTO_IID(TP_PERFETTO_WORD_##word), text},
        TP_PERFETTO_WORDS(TP_X)
#undef TP_X
#define TP_X(category, text) {INTERNED_CATEGORY, TP_PERFETTO_IID(TP_PERFETTO_CATEGORY_##category), text},
        TP_PERFETTO_CATEGORIES(TP_X)
#undef TP_X
#define TP_X(arg, text) {INTERNED_ARG_NAME, TP_PERFETTO_IID(TP_PERFETTO_ARG_##arg), text},
        TP_PERFETTO_ARGS(TP_X)
#undef TP_X
#define TP_X(cut, text) {INTERNED_ARG_TEXT, TP_PERFETTO_CUT_IID + TP_PERFETTO_CUT_##cut, text},
        TP_PERFETTO_CUTS(TP_X)
#undef TP_X
    };
    int rc = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(words) && rc == 0; i++)
        rc = put_word(n, words[i].field, words[i].iid, words[i].text, err);
    return rc;
}

// Begins the sequence of a generation.
static int begin_generation(struct tp_perfetto_names *n, const struct tp_tables *tables,
                            struct tp_error *err)
{
    struct tp_message packet, part, samples, timebase;
    forget_names(n);
    n->sequence = tp_perfetto_sequence_of(tables);
    timebase.len_bytes = samples.len_bytes = part.len_bytes = 0;
    tp_message_value(&timebase, TIMEBASE_FREQUENCY, SAMPLES_PER_SECOND);
    tp_message_value(&timebase, TIMEBASE_COUNTER, COUNTER_CPU_CLOCK);
    tp_message_nested(&samples, SAMPLE_TIMEBASE, &timebase);
    tp_message_value(&part, DEFAULTS_CLOCK, CLOCK_OF_GENERATION);
    tp_message_nested(&part, DEFAULTS_CPU_SAMPLE, &samples);
    tp_packet_begin(&packet, n->sequence.number);
    tp_message_value(&packet, PACKET_FLAGS, FLAG_BEGINS_NAMES);
    tp_message_nested(&packet, PACKET_DEFAULTS, &part);
    int rc = tp_perfetto_put(&n->output, &packet, err);
    part.len_bytes = 0;
    tp_snapshot_put(&part, CLOCK_OF_GENERATION, 0);
    tp_snapshot_put(&part, CLOCK_OF_TRACE, n->sequence.base_ns);
    tp_packet_begin(&packet, n->sequence.number);
    tp_message_nested(&packet, PACKET_CLOCK_SNAPSHOT, &part);
    if (rc == 0)
        rc = tp_perfetto_put(&n->output, &packet, err);
    begin_entry(&part, MAPPING);
    if (rc == 0)
        rc = put_entry(n, INTERNED_MAPPING, &part, false, err);
    return rc == 0 ? put_words(n, err) : rc;
}

// TRACKS

// The tracks that need only an id.
static const struct {
    uint8_t group; // enum tp_perfetto_group
    uint8_t below; // enum tp_perfetto_track: of the track with the same id to which it belongs; 0: none
    const char *name;
    bool has_id;   // the name ends with the id
} tracks[TP_PERFETTO_TRACK_COUNT] = {
    [TP_PERFETTO_MARK] = {TP_PERFETTO_GROUP_COLLECTOR, 0, "mark", false},
    [TP_PERFETTO_PAUSE] = {TP_PERFETTO_GROUP_COLLECTOR, 0, "stop-the-world", false},
    [TP_PERFETTO_PROC] = {TP_PERFETTO_GROUP_PROCS, 0, "P ", true},
    [TP_PERFETTO_SWEEP] = {TP_PERFETTO_GROUP_PROCS, TP_PERFETTO_PROC, "sweep", false},
    [TP_PERFETTO_TASK] = {TP_PERFETTO_GROUP_TASKS, 0, "task ", true},
    [TP_PERFETTO_THREAD] = {TP_PERFETTO_GROUP_THREADS, 0, "M ", true},
    [TP_PERFETTO_ASSIST] = {TP_PERFETTO_GROUP_GOROUTINES, TP_PERFETTO_GOROUTINE, "mark assist", false},
};

// Writes the description of a track, named by the text that was made.
static int put_track(struct tp_perfetto_names *n, uint64_t uuid, uint64_t parent, int64_t rank,
                     const struct tp_message *more, struct tp_error *err)
{
    struct tp_message packet, track;
    track.len_bytes = 0;
    tp_message_value(&track, TRACK_UUID, uuid);
    tp_message_field(&track, TRACK_PARENT, parent);
    tp_message_field(&track, TRACK_RANK, (uint64_t)(rank < INT32_MAX ? rank : INT32_MAX));
    if (more != NULL)
        tp_message_append(&track, more);
    tp_message_sized(&track, TRACK_NAME, n->output.text_bytes);
    tp_packet_begin(&packet, TP_PERFETTO_SEQUENCE);
    return put_part_with_text(n, &packet, PACKET_TRACK, &track, err);
}

int tp_perfetto_put_track(struct tp_perfetto_names *n, uint64_t uuid, uint64_t parent, int64_t rank,
                          const struct tp_message *more, const char *name, struct tp_error *err)
{
    tp_perfetto_begin_text(&n->output);
    tp_perfetto_add_printf(&n->output, "%s", name);
    return put_track(n, uuid, parent, rank, more, err);
}

int tp_perfetto_put_groups(struct tp_perfetto_names *n, struct tp_error *err)
{
    static const char *const names[TP_PERFETTO_GROUP_COUNT] = {
#define TP_X(group, name) [TP_PERFETTO_GROUP_##group] = name,
        TP_PERFETTO_GROUPS(TP_X)
#undef TP_X
    };
    struct tp_message order;
    order.len_bytes = 0;
    tp_message_value(&order, TRACK_CHILD_ORDER, TRACK_ORDER_BY_RANK);
    int rc = 0;
    for (unsigned i = 0; i < TP_PERFETTO_GROUP_COUNT && rc == 0; i++)
        rc = tp_perfetto_put_track(n, tp_perfetto_uuid(TP_PERFETTO_GROUP, i), 0, i, &order, names[i],
                                   err);
    return rc;
}

static int put_plain_track(struct tp_perfetto_names *n, const struct tp_perfetto_need *need,
                           struct tp_error *err)
{
    enum tp_perfetto_track kind = tp_perfetto_kind_of(need->id);
    tp_perfetto_begin_text(&n->output);
    tp_perfetto_add_printf(&n->output, "%s", tracks[kind].name);
    if (tracks[kind].has_id)
        tp_perfetto_add_printf(&n->output, "%" PRId64, need->other);
    uint64_t parent = tracks[kind].below != 0
                          ? tp_perfetto_uuid(tracks[kind].below, need->other)
                          : tp_perfetto_uuid(TP_PERFETTO_GROUP, tracks[kind].group);
    return put_track(n, need->id, parent, need->other, NULL, err);
}

// Writes the description of a goroutine's track, unless it has been written. `function` may be empty.
static int put_goroutine(struct tp_perfetto_names *n, int64_t goroutine, struct tp_text function,
                         struct tp_error *err)
{
    uint64_t uuid = tp_perfetto_uuid(TP_PERFETTO_GOROUTINE, goroutine);
    bool is_new;
    int rc = add_id(&n->tracks, uuid, &is_new, err);
    if (rc != 0 || !is_new)
        return rc;
    tp_perfetto_begin_text(&n->output);
    tp_perfetto_add_printf(&n->output, "G%" PRId64 "%s", goroutine,
                           function.len_bytes > 0 ? " " : "");
    tp_perfetto_add_text(&n->output, function);
    return put_track(n, uuid, tp_perfetto_uuid(TP_PERFETTO_GROUP, TP_PERFETTO_GROUP_GOROUTINES),
                     goroutine, NULL, err);
}

// Describes the track of a goroutine that ends, if the track has something: at the end its function is known
// best.
static int put_life(struct tp_perfetto_names *n, const struct tp_block *b, uint32_t idx,
                    struct tp_error *err)
{
    const struct tp_interval *i = &b->facts->lasting.items[idx];
    return tp_idset_has(&n->used, (uint64_t)i->goroutine)
               ? put_goroutine(n, i->goroutine, tp_interval_name(i, b->tables), err)
               : 0;
}

int tp_perfetto_put_rest(struct tp_perfetto_names *n, struct tp_error *err)
{
    struct tp_idset_at at = {0};
    uint64_t goroutine;
    int rc = 0;
    while (rc == 0 && tp_idset_next(&n->used, &at, &goroutine))
        rc = put_goroutine(n, (int64_t)goroutine, (struct tp_text){0}, err);
    return rc;
}

static int put_regions(struct tp_perfetto_names *n, const struct tp_perfetto_need *need,
                       struct tp_error *err)
{
    enum tp_perfetto_track parent = tp_perfetto_kind_of(need->id) == TP_PERFETTO_TASK_REGION
                                        ? TP_PERFETTO_TASK
                                        : TP_PERFETTO_GOROUTINE;
    return tp_perfetto_put_track(n, need->id, tp_perfetto_uuid(parent, need->other), 0, NULL,
                                 "regions", err);
}

// EVENTS

static int put_log(struct tp_perfetto_names *n, const struct tp_event *e, const struct tp_log *log,
                   struct tp_error *err)
{
    struct tp_message packet, event;
    tp_perfetto_begin_text(&n->output);
    tp_perfetto_add_text(&n->output, log->category);
    tp_perfetto_add_printf(&n->output, "%s", log->category.len_bytes > 0 ? ": " : "");
    tp_perfetto_add_text(&n->output, log->message);
    tp_track_event_begin(&event, EVENT_IS_INSTANT, tp_perfetto_uuid(TP_PERFETTO_GOROUTINE, e->g));
    tp_message_value(&event, EVENT_CATEGORY, TP_PERFETTO_IID(TP_PERFETTO_CATEGORY_LOG));
    if (n->config->args && log->task != 0)
        tp_perfetto_put_arg(&event, TP_PERFETTO_ARG_TASK, ARG_UINT, log->task);
    tp_message_sized(&event, EVENT_NAME_TEXT, n->output.text_bytes);
    tp_packet_begin_at(&packet, &n->sequence, e->time_ns);
    return put_part_with_text(n, &packet, PACKET_TRACK_EVENT, &event, err);
}

static int put_sample(struct tp_perfetto_names *n, const struct tp_event *e, uint64_t stack,
                      struct tp_error *err)
{
    struct tp_message packet, sample;
    sample.len_bytes = 0;
    if (e->p >= 0)
        tp_message_value(&sample, SAMPLE_CPU, (uint32_t)e->p);
    tp_message_value(&sample, SAMPLE_PROCESS, PROCESS);
    tp_message_value(&sample, SAMPLE_THREAD, (uint32_t)e->m);
    tp_message_field(&sample, SAMPLE_STACK, stack);
    tp_packet_begin_at(&packet, &n->sequence, e->time_ns);
    tp_message_nested(&packet, PACKET_CPU_SAMPLE, &sample);
    return tp_perfetto_put(&n->output, &packet, err);
}

static int put_event(struct tp_perfetto_names *n, const struct tp_block *b,
                     const struct tp_perfetto_need *need, struct tp_error *err)
{
    struct tp_log log;
    const struct tp_event *e = &b->events[need->ref];
    return tp_event_log(e, b->tables, &log) ? put_log(n, e, &log, err)
                                            : put_sample(n, e, need->id, err);
}

// ALL NEEDS

static int put_new(struct tp_perfetto_names *n, const struct tp_block *b,
                   const struct tp_perfetto_need *need, struct tp_error *err)
{
    struct tp_idset *const sets[] = {[TP_PERFETTO_NEEDS_NAME] = &n->names,
                                     [TP_PERFETTO_NEEDS_STACK] = &n->stacks,
                                     [TP_PERFETTO_NEEDS_STACK_TEXT] = &n->stack_texts,
                                     [TP_PERFETTO_NEEDS_TRACK] = &n->tracks,
                                     [TP_PERFETTO_NEEDS_USED] = &n->used};
    bool is_new;
    int rc = add_id(sets[need->kind], need->id, &is_new, err);
    if (rc != 0 || !is_new)
        return rc;
    switch (need->kind) {
    case TP_PERFETTO_NEEDS_NAME: return put_name(n, b, need->id, need->ref, err);
    case TP_PERFETTO_NEEDS_STACK: return put_stack(n, b, need->ref, err);
    case TP_PERFETTO_NEEDS_STACK_TEXT: return put_stack_text(n, b, need->ref, err);
    case TP_PERFETTO_NEEDS_TRACK: return put_plain_track(n, need, err);
    default: return 0;
    }
}

static int put_need(struct tp_perfetto_names *n, const struct tp_block *b,
                    const struct tp_perfetto_need *need, struct tp_error *err)
{
    switch (need->kind) {
    case TP_PERFETTO_NEEDS_REGIONS: return put_regions(n, need, err);
    case TP_PERFETTO_NEEDS_LIFE: return put_life(n, b, need->ref, err);
    case TP_PERFETTO_NEEDS_EVENT: return put_event(n, b, need, err);
    default: return put_new(n, b, need, err);
    }
}

int tp_perfetto_put_needs(struct tp_perfetto_names *n, const struct tp_block *b,
                          const struct tp_perfetto_unit *u, struct tp_error *err)
{
    int rc = 0;
    if (u->all_bytes + u->need_count > 0 &&
        n->sequence.number != tp_perfetto_sequence_of(b->tables).number)
        rc = begin_generation(n, b->tables, err);
    for (uint32_t i = 0; i < u->need_count && rc == 0; i++)
        rc = put_need(n, b, &u->needs[i], err);
    return rc;
}
