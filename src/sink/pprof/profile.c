#include "sink/pprof/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "sink/proto/deflate.h"
#include "sink/proto/message.h"
#include "sink/proto/utf8.h"

// Fields of the messages of profile.proto.
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME_NS = 9,
    PROFILE_DURATION_NS = 10,
    PROFILE_COMMENT = 13
};
enum { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_TEXT = 2 };
enum { LOCATION_ID = 1, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };

static const struct kind {
    enum tp_stack_type type;
    const char *values[2][2]; // type and unit; NULL: there is no second one
} kinds[TP_PROFILE_KIND_COUNT] = {
#define TP_X(kind, type, first, first_unit, second, second_unit) \
    [TP_PROFILE_##kind] = {type, {{first, first_unit}, {second, second_unit}}},
    TP_PROFILE_KINDS(TP_X)
#undef TP_X
};

static const char *const label_keys[TP_STACK_LABEL_COUNT] = {
#define TP_X(label, key) key,
    TP_STACK_LABELS(TP_X)
#undef TP_X
};

// A profile that is written. Ids are 0 until first used.
struct profile {
    struct tp_gzip *gzip;
    const struct tp_totals *totals;
    bool has_pcs;
    unsigned value_count;
    uint32_t *strings;       // by number of name in the totals
    uint32_t *locations;     // by number of frame in the totals
    uint32_t keys[TP_STACK_LABEL_COUNT];
    struct tp_map functions; // by name and file, each a number of name in the totals
    uint32_t string_count, function_count, location_count;
    bool lacks_memory;
};

static void put(struct profile *p, unsigned field, const struct tp_message *m)
{
    struct tp_message head = {0};
    tp_message_sized(&head, field, m->len_bytes);
    tp_gzip_put(p->gzip, head.bytes, head.len_bytes);
    tp_gzip_put(p->gzip, m->bytes, m->len_bytes);
}

// STRINGS

// Returns the length of a text as UTF-8; with `gzip` also writes the text.
static size_t put_utf8(struct tp_gzip *gzip, struct tp_span text)
{
    size_t len_bytes = 0;
    while (text.len_bytes > 0) {
        struct tp_span piece = tp_utf8_take(&text);
        if (gzip != NULL)
            tp_gzip_put(gzip, piece.ptr, piece.len_bytes);
        len_bytes += piece.len_bytes;
    }
    return len_bytes;
}

// Adds a string and returns its id.
static uint32_t add_string(struct profile *p, struct tp_span text)
{
    struct tp_message head = {0};
    tp_message_sized(&head, PROFILE_STRING, put_utf8(NULL, text));
    tp_gzip_put(p->gzip, head.bytes, head.len_bytes);
    (void)put_utf8(p->gzip, text);
    return p->string_count++;
}

static uint32_t add_text(struct profile *p, const char *text)
{
    return add_string(p, tp_span_of_text(text));
}

static uint32_t name_id(struct profile *p, uint32_t name)
{
    struct tp_span text = tp_intern_text(&p->totals->names, name);
    if (p->strings[name] == 0 && text.len_bytes > 0)
        p->strings[name] = add_string(p, text);
    return p->strings[name];
}

// FUNCTIONS AND LOCATIONS

static uint32_t add_function(struct profile *p, uint32_t name_string, uint32_t file_string)
{
    struct tp_message m = {0};
    tp_message_field(&m, FUNCTION_ID, ++p->function_count);
    tp_message_field(&m, FUNCTION_NAME, name_string);
    tp_message_field(&m, FUNCTION_SYSTEM_NAME, name_string);
    tp_message_field(&m, FUNCTION_FILE, file_string);
    put(p, PROFILE_FUNCTION, &m);
    return p->function_count;
}

static uint32_t function_id(struct profile *p, const struct tp_totals_frame *frame)
{
    uint64_t key = (uint64_t)frame->function << 32 | frame->file;
    uint32_t id = tp_map_get(&p->functions, key);
    if (id != TP_MAP_NONE)
        return id;
    uint32_t name = name_id(p, frame->function), file = name_id(p, frame->file);
    id = add_function(p, name, file);
    p->lacks_memory = p->lacks_memory || !tp_map_put(&p->functions, key, id);
    return id;
}

static uint32_t add_location(struct profile *p, uint32_t function, uint64_t line, uint64_t pc)
{
    struct tp_message m = {0}, of_line = {0};
    tp_message_field(&of_line, LINE_FUNCTION, function);
    tp_message_field(&of_line, LINE_LINE, line);
    tp_message_field(&m, LOCATION_ID, ++p->location_count);
    tp_message_field(&m, LOCATION_ADDRESS, pc);
    tp_message_nested(&m, LOCATION_LINE, &of_line);
    put(p, PROFILE_LOCATION, &m);
    return p->location_count;
}

static uint32_t location_id(struct profile *p, uint32_t number)
{
    if (p->locations[number] == 0) {
        struct tp_totals_frame frame = tp_totals_frames_get(&p->totals->frames, number);
        p->locations[number] =
            add_location(p, function_id(p, &frame), frame.line, p->has_pcs ? frame.pc : 0);
    }
    return p->locations[number];
}

// Returns the location of a function of which no file or line is known.
static uint32_t location_of_name(struct profile *p, struct tp_span name)
{
    return add_location(p, add_function(p, add_string(p, name), 0), 0, 0);
}

// SAMPLES

// Adds a sample with these locations, packed, the innermost first, and the fields `labels`.
static void add_sample(struct profile *p, const struct tp_message *locations,
                       const struct tp_message *labels, uint64_t count, tp_wide total_ns)
{
    struct tp_message m = {0}, values = {0};
    tp_message_number(&values, count < INT64_MAX ? count : INT64_MAX);
    if (p->value_count > 1)
        tp_message_number(&values, total_ns < INT64_MAX ? (uint64_t)total_ns : INT64_MAX);
    if (locations->len_bytes > 0)
        tp_message_nested(&m, SAMPLE_LOCATIONS, locations);
    tp_message_nested(&m, SAMPLE_VALUES, &values);
    tp_message_append(&m, labels);
    put(p, PROFILE_SAMPLE, &m);
}

// Adds a label whose text is the function of a frame, unless that is empty.
static void add_label(struct profile *p, struct tp_message *labels, unsigned label, uint32_t frame)
{
    struct tp_message m = {0};
    uint32_t text = name_id(p, tp_totals_frames_get(&p->totals->frames, frame).function);
    if (text == 0)
        return;
    if (p->keys[label] == 0)
        p->keys[label] = add_text(p, label_keys[label]);
    tp_message_field(&m, LABEL_KEY, p->keys[label]);
    tp_message_field(&m, LABEL_TEXT, text);
    tp_message_nested(labels, SAMPLE_LABEL, &m);
}

static void add_stack(struct profile *p, const struct tp_full_stack *s)
{
    struct tp_message locations = {0}, labels = {0};
    static_assert((TP_TOTALS_FRAMES_MAX + 4 * TP_STACK_LABEL_COUNT) * TP_VARINT_MAX_BYTES <
                      sizeof locations.bytes - 64,
                  "all frames and labels fit");
    size_t own_count = s->frame_count - p->totals->stacks.label_count;
    for (size_t i = 0; i < own_count; i++)
        tp_message_number(&locations, location_id(p, s->frames[i]));
    for (unsigned i = 0; i < p->totals->stacks.label_count; i++)
        add_label(p, &labels, i, s->frames[own_count + i]);
    add_sample(p, &locations, &labels, s->count, s->total_ns);
}

static void add_named(struct profile *p, struct tp_span name, const struct tp_dist *d)
{
    struct tp_message location = {0}, labels = {0};
    if (name.len_bytes > 0)
        tp_message_number(&location, location_of_name(p, name));
    add_sample(p, &location, &labels, d->count, d->total_ns);
}

static void add_coarse(struct profile *p, const struct tp_full_report *r, enum tp_stack_type type)
{
    bool has_any = false;
    for (size_t i = 0; i < r->coarse_count; i++) {
        if (tp_coarse_type(r->coarse[i].measure) != type)
            continue;
        add_named(p, r->coarse[i].group, r->coarse[i].dist);
        has_any = true;
    }
    if (!has_any)
        return;
    char text[128];
    snprintf(text, sizeof text,
             "about %" PRIu64 " stacks beyond the limit of %d are joined by function",
             tp_totals_stacks_left_out(&r->totals->stacks), TP_TOTALS_STACKS_MAX);
    struct tp_message m = {0};
    tp_message_field(&m, PROFILE_COMMENT, add_text(p, text));
    tp_gzip_put(p->gzip, m.bytes, m.len_bytes);
}

static void add_samples(struct profile *p, const struct tp_full_report *r,
                        enum tp_profile_kind kind)
{
    enum tp_stack_type type = kinds[kind].type;
    if (type == TP_STACK_TYPE_NONE && p->totals->stacks.label_count > 0)
        type = TP_STACK_RUN;
    if (type == TP_STACK_TYPE_NONE) {
        for (size_t i = 0; i < r->goroutine_row_count; i++) {
            if (r->by_function[i]->measure == TP_MEASURE_RUN)
                add_named(p, r->by_function[i]->group, r->by_function[i]->dist);
        }
        return;
    }
    for (size_t i = 0; i < r->stacks[type].count; i++)
        add_stack(p, &r->stacks[type].items[i]);
    add_coarse(p, r, type);
}

// THE PROFILE

static void add_head(struct profile *p, enum tp_profile_kind kind)
{
    struct tp_message times = {0};
    const struct tp_totals *t = p->totals;
    int64_t first_ns;
    (void)add_text(p, ""); // the string 0
    for (unsigned i = 0; i < 2 && kinds[kind].values[i][0] != NULL; i++) {
        struct tp_message m = {0};
        tp_message_field(&m, VALUE_TYPE_TYPE, add_text(p, kinds[kind].values[i][0]));
        tp_message_field(&m, VALUE_TYPE_UNIT, add_text(p, kinds[kind].values[i][1]));
        put(p, PROFILE_SAMPLE_TYPE, &m);
        p->value_count++;
    }
    if (t->taken.file_count > 0 && tp_wall_ns(t->taken.first, &first_ns) && first_ns > 0)
        tp_message_field(&times, PROFILE_TIME_NS, (uint64_t)first_ns);
    if (t->duration_ns < INT64_MAX)
        tp_message_field(&times, PROFILE_DURATION_NS, (uint64_t)t->duration_ns);
    tp_gzip_put(p->gzip, times.bytes, times.len_bytes);
}

int tp_profile_write(const struct tp_full_report *r, enum tp_profile_kind kind, struct tp_out *out,
                     struct tp_error *err)
{
    const struct tp_totals *t = r->totals;
    struct profile p = {.totals = t, .has_pcs = r->has_pcs, .gzip = tp_gzip_begin(out, TP_GZIP_USUAL)};
    p.strings = tp_alloc_zero((t->names.count + (size_t)1) * sizeof *p.strings);
    p.locations = tp_alloc_zero((t->frames.count + (size_t)1) * sizeof *p.locations);
    p.lacks_memory = p.gzip == NULL || p.strings == NULL || p.locations == NULL;
    if (!p.lacks_memory) {
        add_head(&p, kind);
        add_samples(&p, r, kind);
    }
    int rc = p.gzip != NULL ? tp_gzip_end(p.gzip, err) : 0;
    tp_map_fini(&p.functions);
    tp_free(p.strings);
    tp_free(p.locations);
    return rc == 0 && p.lacks_memory ? tp_fail(err, TP_E_MEMORY, "out of memory for a profile") : rc;
}
