// Mutations of single events inside a batch, and of their numbers.
#include <string.h>

#include "decode/spec.h"
#include "decode/varint.h"
#include "mutate_lab.h"
#include "wire_build.h"

// The release whose event codes are read and written: the latest one, whatever the trace's
// header says, because Go's full reader ignores the header for this, too.
#define LATEST_MINOR 26
// Largest number of numbers in one event: its arguments, and four for each frame of a stack, or
// one for the length of data.
#define MAX_NUMBERS (TP_MAX_EVENT_ARGS + TP_FRAME_ARGS * TP_MAX_STACK_FRAMES)
// Limit of the batches searched for a place for a mutation.
#define BATCH_TRIES 8

enum number_class {
    NUMBER_ID,      // goroutines, Ps, threads, tasks, states, ...
    NUMBER_COUNTER, // sequence numbers
    NUMBER_TABLE,   // ids of strings and stacks
    NUMBER_TIME,
    NUMBER_VALUE,
    NUMBER_LENGTH,  // counts that follow in the event: frames, or bytes
};

struct number {
    size_t begin; // offset in the body
    size_t end;
    uint64_t value;
    const char *name;
};

struct item {
    size_t begin; // offset in the body
    size_t end;
    uint8_t code;
    unsigned number_count;
    struct number numbers[MAX_NUMBERS];
};

static bool has_tail(uint8_t code)
{
    return code == TP_EV_Stack || code == TP_EV_String || code == TP_EV_ExperimentalBatch;
}

// Reads the next number of the event and appends it to the item. False: there is none, or no room.
static bool read_number(struct tp_span body, struct item *item, const char *name)
{
    const unsigned char *p = body.ptr + item->end;
    uint64_t value = 0;
    if (item->number_count == MAX_NUMBERS ||
        tp_varint_get(&p, body.ptr + body.len_bytes, &value) != TP_VARINT_OK)
        return false;
    size_t end = (size_t)(p - body.ptr);
    item->numbers[item->number_count++] =
        (struct number){.begin = item->end, .end = end, .value = value, .name = name};
    item->end = end;
    return true;
}

static bool read_tail(struct tp_span body, struct item *item)
{
    if (item->code == TP_EV_Stack) {
        uint64_t frames = item->numbers[item->number_count - 1].value;
        if (frames > TP_MAX_STACK_FRAMES)
            return false;
        for (uint64_t i = 0; i < frames * TP_FRAME_ARGS; i++)
            if (!read_number(body, item, tp_frame_arg_names[i % TP_FRAME_ARGS]))
                return false;
        return true;
    }
    if (!read_number(body, item, "len"))
        return false;
    uint64_t len_bytes = item->numbers[item->number_count - 1].value;
    if (len_bytes > body.len_bytes - item->end)
        return false;
    item->end += len_bytes;
    return true;
}

// Reads the event at `begin`. False: the body ends there, or has no valid event.
static bool read_item(struct tp_span body, size_t begin, struct item *ret)
{
    if (begin >= body.len_bytes)
        return false;
    uint8_t code = body.ptr[begin];
    const struct tp_event_spec *spec = &tp_event_specs[code];
    if (spec->name == NULL)
        return false;
    ret->begin = begin;
    ret->end = begin + 1;
    ret->code = code;
    ret->number_count = 0;
    for (unsigned i = 0; i < spec->arg_count; i++)
        if (!read_number(body, ret, spec->args[i]))
            return false;
    return !has_tail(code) || read_tail(body, ret);
}

// Returns the type of an argument: the part of its name after the last '_'.
static const char *type_of(const char *name)
{
    const char *end = strrchr(name, '_');
    return end ? end + 1 : name;
}

static enum number_class class_of(const char *name)
{
    static const struct {
        const char *type;
        enum number_class class;
    } classes[] = {
        {"seq", NUMBER_COUNTER}, {"string", NUMBER_TABLE},   {"stack", NUMBER_TABLE},
        {"func", NUMBER_TABLE},  {"file", NUMBER_TABLE},     {"dt", NUMBER_TIME},
        {"time", NUMBER_TIME},   {"freq", NUMBER_TIME},      {"mono", NUMBER_TIME},
        {"sec", NUMBER_TIME},    {"nsec", NUMBER_TIME},      {"value", NUMBER_VALUE},
        {"line", NUMBER_VALUE},  {"nframes", NUMBER_LENGTH}, {"len", NUMBER_LENGTH},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(classes); i++)
        if (strcmp(type_of(name), classes[i].type) == 0)
            return classes[i].class;
    return NUMBER_ID;
}

// Chooses one of a series of unknown length with equal probability. Returns whether the next one
// replaces the one chosen so far. `seen` counts the calls.
static bool takes(struct mutate_lab *lab, uint32_t *seen)
{
    return synth_below(&lab->rand, ++*seen) == 0;
}

typedef bool (*accept_item_fn)(const struct item *item);

static bool accept_any(const struct item *item)
{
    (void)item;
    return true;
}

static bool accept_without_tail(const struct item *item)
{
    return !has_tail(item->code);
}

// Picks a random event that `accept` allows from a random batch, and sets begin, end and code
// of `ret`. Returns the batch. NULL: none was found.
static const struct tp_extent *any_item(struct mutate_lab *lab, accept_item_fn accept,
                                        struct item *ret)
{
    struct item item;
    for (unsigned i = 0; i < BATCH_TRIES && lab->batch_count > 0; i++) {
        const struct tp_extent *batch = mutate_any_batch(lab);
        struct tp_span body = mutate_body(lab, batch);
        uint32_t seen = 0;
        for (size_t at = 0; read_item(body, at, &item); at = item.end) {
            if (!accept(&item) || !takes(lab, &seen))
                continue;
            ret->begin = item.begin;
            ret->end = item.end;
            ret->code = item.code;
        }
        if (seen > 0)
            return batch;
    }
    return NULL;
}

// Picks at random, from a random batch, one of the events' numbers that have this class and, unless
// `type` is NULL, this type. Returns the batch. NULL: none was found.
static const struct tp_extent *any_number(struct mutate_lab *lab, enum number_class class,
                                          const char *type, struct number *ret)
{
    struct item item;
    for (unsigned i = 0; i < BATCH_TRIES && lab->batch_count > 0; i++) {
        const struct tp_extent *batch = mutate_any_batch(lab);
        struct tp_span body = mutate_body(lab, batch);
        uint32_t seen = 0;
        for (size_t at = 0; read_item(body, at, &item); at = item.end)
            for (unsigned k = 0; k < item.number_count; k++) {
                const struct number *number = &item.numbers[k];
                if (class_of(number->name) == class &&
                    (type == NULL || strcmp(type_of(number->name), type) == 0) &&
                    takes(lab, &seen))
                    *ret = *number;
            }
        if (seen > 0)
            return batch;
    }
    return NULL;
}

bool mutate_drop_event(struct mutate_lab *lab)
{
    struct item item;
    const struct tp_extent *batch = any_item(lab, accept_any, &item);
    if (batch == NULL)
        return false;
    mutate_edit_body(lab, batch, item.begin, item.end, tp_span_of("", 0));
    return true;
}

static struct tp_span item_bytes(struct tp_span body, const struct item *item)
{
    return tp_span_of(body.ptr + item->begin, item->end - item->begin);
}

bool mutate_double_event(struct mutate_lab *lab)
{
    struct item item;
    const struct tp_extent *batch = any_item(lab, accept_any, &item);
    if (batch == NULL)
        return false;
    mutate_edit_body(lab, batch, item.end, item.end, item_bytes(mutate_body(lab, batch), &item));
    return true;
}

// Swaps an event with the next one. Their time deltas move with them.
bool mutate_swap_events(struct mutate_lab *lab)
{
    unsigned char swapped[2 * TP_VARINT_MAX_BYTES * (TP_MAX_EVENT_ARGS + 1)];
    struct item item, next;
    const struct tp_extent *batch = any_item(lab, accept_without_tail, &item);
    if (batch == NULL)
        return false;
    struct tp_span body = mutate_body(lab, batch);
    if (!read_item(body, item.end, &next) || has_tail(next.code))
        return false;
    size_t first_bytes = item.end - item.begin;
    size_t next_bytes = next.end - next.begin;
    memcpy(swapped, body.ptr + next.begin, next_bytes);
    memcpy(swapped + next_bytes, body.ptr + item.begin, first_bytes);
    mutate_edit_body(lab, batch, item.begin, next.end,
                     tp_span_of(swapped, first_bytes + next_bytes));
    return true;
}

// Copies an event of one batch into another, which may belong to another thread or generation,
// or be a table.
bool mutate_move_event(struct mutate_lab *lab)
{
    struct item item, place;
    const struct tp_extent *from = any_item(lab, accept_any, &item);
    const struct tp_extent *to = any_item(lab, accept_any, &place);
    if (from == NULL || to == NULL)
        return false;
    mutate_edit_body(lab, to, place.begin, place.begin,
                     item_bytes(mutate_body(lab, from), &item));
    return true;
}

bool mutate_change_type(struct mutate_lab *lab)
{
    const struct tp_arg_table *table = tp_arg_table(LATEST_MINOR, TP_DIALECT_LENIENT);
    struct item item;
    const struct tp_extent *batch = any_item(lab, accept_without_tail, &item);
    if (batch == NULL)
        return false;
    uint8_t code = item.code;
    uint32_t seen = 0;
    for (unsigned i = 0; i < TP_EVENT_CODES; i++)
        if (i != item.code && table->count[i] == table->count[item.code] &&
            !has_tail((uint8_t)i) && takes(lab, &seen))
            code = (uint8_t)i;
    mutate_edit_body(lab, batch, item.begin, item.begin + 1, tp_span_of(&code, 1));
    return true;
}

static uint64_t other_value(struct mutate_lab *lab, enum number_class class,
                            const struct number *number)
{
    struct number other;
    switch (synth_below(&lab->rand, 8)) {
    case 0: return 0;
    case 1: return number->value - 1;
    case 2: return number->value + 1;
    case 3: return mutate_below(lab, 64);
    case 4: return synth_percent(&lab->rand, 50) ? UINT64_MAX : mutate_any_number(lab);
    default:
        return any_number(lab, class, type_of(number->name), &other) ? other.value
                                                                     : number->value + 1;
    }
}

static bool change(struct mutate_lab *lab, enum number_class class)
{
    unsigned char bytes[TP_VARINT_MAX_BYTES];
    struct number number;
    const struct tp_extent *batch = any_number(lab, class, NULL, &number);
    if (batch == NULL)
        return false;
    const unsigned char *end = tp_varint_put(bytes, other_value(lab, class, &number));
    mutate_edit_body(lab, batch, number.begin, number.end,
                     tp_span_of(bytes, (size_t)(end - bytes)));
    return true;
}

bool mutate_change_id(struct mutate_lab *lab)
{
    return change(lab, NUMBER_ID);
}

bool mutate_change_counter(struct mutate_lab *lab)
{
    return change(lab, NUMBER_COUNTER);
}

bool mutate_change_table_id(struct mutate_lab *lab)
{
    return change(lab, NUMBER_TABLE);
}

bool mutate_change_time(struct mutate_lab *lab)
{
    return change(lab, NUMBER_TIME);
}

bool mutate_change_value(struct mutate_lab *lab)
{
    return change(lab, NUMBER_VALUE);
}

bool mutate_change_length(struct mutate_lab *lab)
{
    return change(lab, NUMBER_LENGTH);
}
