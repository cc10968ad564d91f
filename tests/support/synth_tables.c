// Indices of strings: fixed texts, then functions, then files, then user strings. A PC is an
// index too: it belongs to function pc / LINES_PER_FUNCTION.
#include "synth_tables.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

#define LINES_PER_FUNCTION 8
#define FUNCTIONS_PER_FILE 10
#define ENTRY_STACKS 16 // stacks of one frame; their indices come before all others
#define FIRST_PC 0x401000
#define PC_STEP 0x23

#define STOP_TEXTS(X) X("unspecified") X("runtime.Gosched") X("preempted")
#define BLOCK_TEXTS(X)                                                                        \
    X("unspecified") X("forever") X("network") X("select") X("sync.(*Cond).Wait") X("sync")   \
    X("chan send") X("chan receive") X("GC mark assist wait for work")                        \
    X("GC background sweeper wait") X("system goroutine wait") X("preempted")                 \
    X("wait for debug call") X("wait until GC ends") X("sleep")
#define STW_TEXTS(X)                                                                          \
    X("unknown") X("GC mark termination") X("GC sweep termination") X("write heap dump")      \
    X("goroutine profile") X("goroutine profile cleanup") X("all goroutines stack trace")     \
    X("read mem stats") X("AllThreadsSyscall") X("GOMAXPROCS") X("start trace")               \
    X("stop trace")
#define LABEL_TEXTS(X) X("GC (dedicated)") X("GC (fractional)") X("GC (idle)")

#define TEXT(text) text,
#define ONE(text) +1
static const char *const texts[] = {
    STOP_TEXTS(TEXT) BLOCK_TEXTS(TEXT) STW_TEXTS(TEXT) LABEL_TEXTS(TEXT)
};
static const uint32_t group_counts[SYNTH_TEXT_GROUPS] = {
    0 STOP_TEXTS(ONE), 0 BLOCK_TEXTS(ONE), 0 STW_TEXTS(ONE), 0 LABEL_TEXTS(ONE)
};

// Texts that careless readers get wrong. The index follows each text, so that no two strings are
// equal.
static const struct {
    const char *bytes;
    size_t len_bytes;
} odd_texts[] = {
#define ODD(text) {text, sizeof(text) - 1},
    ODD("\0nul\0")
    ODD("\xff\xfe not utf-8 \x80")
    ODD("cut \xe2\x82")
    ODD("\xed\xa0\x80 surrogate")
    ODD("quotes \" ' ` and \\ ")
    ODD("\t\n\r\v\f\a\b\x1b")
    ODD("\xef\xbb\xbf mark")
    ODD("e\xcc\x81 \xf0\x9f\x90\xb9 \xe2\x80\xa8 \xc2\xa0")
    ODD("data=\"x\" # no comment")
    ODD("\x7f\xc2\x85\xef\xbf\xbd\xf4\x8f\xbf\xbf")
#undef ODD
};

static uint32_t function_count(const struct synth_tables *t)
{
    return (uint32_t)t->config->functions;
}

static uint32_t first_user_string(const struct synth_tables *t)
{
    return (uint32_t)TP_ARRAY_LEN(texts) + function_count(t) +
           function_count(t) / FUNCTIONS_PER_FILE + 1;
}

static int ids_init(struct synth_ids *ids, uint32_t capacity)
{
    ids->capacity = capacity;
    ids->stamp = tp_alloc_zero((size_t)capacity * sizeof(*ids->stamp));
    ids->id = tp_alloc_array(capacity, sizeof(*ids->id));
    ids->used = tp_alloc_array(capacity, sizeof(*ids->used));
    return ids->stamp && ids->id && ids->used ? 0 : TP_E_MEMORY;
}

static void ids_fini(struct synth_ids *ids)
{
    tp_free(ids->stamp);
    tp_free(ids->id);
    tp_free(ids->used);
    *ids = (struct synth_ids){0};
}

// Gives `index` an id. True: it is used for the first time in this generation.
static bool take_id(struct synth_tables *t, struct synth_ids *ids, uint32_t index)
{
    if (ids->stamp[index] == t->stamp)
        return false;
    ids->stamp[index] = t->stamp;
    ids->used[ids->used_count++] = index;
    ids->id[index] = ids->used_count;
    return true;
}

int synth_tables_init(struct synth_tables *t, const struct synth_config *config,
                      struct synth_wire *wire, struct tp_error *err)
{
    *t = (struct synth_tables){.config = config, .wire = wire};
    t->rand.state = synth_mix(config->seed + 2);
    int rc = synth_batch_init(&t->string_batch, SYNTH_NO_ID, 0, err);
    if (!rc)
        rc = synth_batch_init(&t->stack_batch, SYNTH_NO_ID, 0, err);
    if (!rc)
        rc = synth_batch_init(&t->sample_batch, SYNTH_NO_ID, 0, err);
    if (rc)
        return rc;
    if (ids_init(&t->strings, first_user_string(t) + (uint32_t)config->strings) ||
        ids_init(&t->stacks, ENTRY_STACKS + (uint32_t)config->stacks))
        return tp_fail(err, TP_E_MEMORY, "no memory for the tables of a trace");
    return 0;
}

void synth_tables_fini(struct synth_tables *t)
{
    ids_fini(&t->strings);
    ids_fini(&t->stacks);
    synth_batch_fini(&t->string_batch);
    synth_batch_fini(&t->stack_batch);
    synth_batch_fini(&t->sample_batch);
}

void synth_tables_begin(struct synth_tables *t)
{
    t->stamp++;
    t->strings.used_count = 0;
    t->stacks.used_count = 0;
}

static size_t odd_string(const struct synth_tables *t, uint32_t user_index, uint64_t hash,
                         char *to)
{
    size_t kind = (size_t)(hash % (TP_ARRAY_LEN(odd_texts) + 2));
    if (user_index == 0)
        return 0; // the one string of length 0
    if (kind >= TP_ARRAY_LEN(odd_texts)) {
        size_t len_bytes = TP_MAX_STRING_BYTES - (kind - TP_ARRAY_LEN(odd_texts));
        for (size_t i = 0; i < len_bytes; i++)
            to[i] = (char)synth_mix(t->config->seed + user_index * UINT64_C(2048) + i);
        int digits = snprintf(NULL, 0, "%u", user_index);
        snprintf(to, (size_t)digits + 1, "%u", user_index);
        return len_bytes;
    }
    memcpy(to, odd_texts[kind].bytes, odd_texts[kind].len_bytes);
    return odd_texts[kind].len_bytes +
           (size_t)snprintf(to + odd_texts[kind].len_bytes, 16, "%u", user_index);
}

// Writes the bytes of a string; `to` has room for TP_MAX_STRING_BYTES + 1. Returns their number.
static size_t string_bytes(const struct synth_tables *t, uint32_t index, char *to)
{
    const size_t room = TP_MAX_STRING_BYTES + 1;
    if (index < TP_ARRAY_LEN(texts))
        return (size_t)snprintf(to, room, "%s", texts[index]);
    index -= (uint32_t)TP_ARRAY_LEN(texts);
    if (index < function_count(t))
        return (size_t)snprintf(to, room, index % 3 ? "main.(*work%u).run" : "example.org/pkg%u.f",
                                index);
    index -= function_count(t);
    if (index <= function_count(t) / FUNCTIONS_PER_FILE)
        return (size_t)snprintf(to, room, "example.org/src/file%u.go", index);
    index -= function_count(t) / FUNCTIONS_PER_FILE + 1;
    uint64_t hash = synth_mix(t->config->seed * 31 + index);
    if (hash % 100 < t->config->odd_percent)
        return odd_string(t, index, hash / 100, to);
    return (size_t)snprintf(to, room, "user %u %0*u", index, (int)(hash / 100 % 24) + 1, index);
}

static uint64_t use_string(struct synth_tables *t, uint32_t index)
{
    if (take_id(t, &t->strings, index)) {
        char bytes[TP_MAX_STRING_BYTES + 1];
        size_t len_bytes = string_bytes(t, index, bytes);
        synth_wire_table_room(t->wire, &t->string_batch, TP_EV_Strings, len_bytes + 16);
        synth_wire_code(t->wire, &t->string_batch, TP_EV_String);
        synth_wire_number(&t->string_batch, t->strings.id[index]);
        synth_wire_number(&t->string_batch, len_bytes);
        synth_wire_bytes(&t->string_batch, bytes, len_bytes);
    }
    return t->strings.id[index];
}

uint64_t synth_pick_text(struct synth_tables *t, enum synth_text_group group)
{
    uint32_t index = synth_below(&t->rand, group_counts[group]);
    for (int g = 0; g < (int)group; g++)
        index += group_counts[g];
    return use_string(t, index);
}

uint64_t synth_user_string(struct synth_tables *t, uint32_t index)
{
    return use_string(t, first_user_string(t) + index);
}

uint64_t synth_pick_user_string(struct synth_tables *t)
{
    return synth_user_string(t, synth_below(&t->rand, t->config->strings));
}

static uint64_t use_stack(struct synth_tables *t, uint32_t index)
{
    take_id(t, &t->stacks, index);
    return t->stacks.id[index];
}

uint64_t synth_entry_stack(struct synth_tables *t, uint64_t key)
{
    return use_stack(t, (uint32_t)(synth_mix(key) % ENTRY_STACKS));
}

// Uses the lower of two random indices, so that low ones are more frequent.
uint64_t synth_pick_stack(struct synth_tables *t)
{
    if (synth_percent(&t->rand, t->config->no_stack_percent))
        return 0;
    uint32_t a = synth_below(&t->rand, t->config->stacks);
    uint32_t b = synth_below(&t->rand, t->config->stacks);
    return use_stack(t, ENTRY_STACKS + (a < b ? a : b));
}

static void write_stack(struct synth_tables *t, uint32_t index)
{
    uint64_t hash = synth_mix(t->config->seed * 17 + index);
    uint64_t frame_count = index < ENTRY_STACKS ? 1 : 1 + hash % t->config->stack_depth;
    struct synth_batch *b = &t->stack_batch;
    synth_wire_table_room(t->wire, b, TP_EV_Stacks, 16 + 24 * (size_t)frame_count);
    synth_wire_code(t->wire, b, TP_EV_Stack);
    synth_wire_number(b, t->stacks.id[index]);
    synth_wire_number(b, frame_count);
    for (uint64_t i = 0; i < frame_count; i++) {
        uint64_t pc = synth_mix(hash + i) % ((uint64_t)function_count(t) * LINES_PER_FUNCTION);
        uint32_t function = (uint32_t)(pc / LINES_PER_FUNCTION);
        uint32_t texts_end = (uint32_t)TP_ARRAY_LEN(texts);
        synth_wire_number(b, FIRST_PC + pc * PC_STEP);
        synth_wire_number(b, use_string(t, texts_end + function));
        synth_wire_number(b, use_string(t, texts_end + function_count(t) +
                                               function / FUNCTIONS_PER_FILE));
        synth_wire_number(b, 10 + pc % (LINES_PER_FUNCTION * FUNCTIONS_PER_FILE) * 3);
    }
}

void synth_tables_end_stacks(struct synth_tables *t)
{
    synth_wire_flush(t->wire, &t->sample_batch);
    for (uint32_t i = 0; i < t->stacks.used_count; i++)
        write_stack(t, t->stacks.used[i]);
    synth_wire_flush(t->wire, &t->stack_batch);
}

void synth_tables_end_strings(struct synth_tables *t)
{
    synth_wire_flush(t->wire, &t->string_batch);
}

void synth_sample(struct synth_tables *t, uint64_t m, uint64_t p, uint64_t g)
{
    struct synth_batch *b = &t->sample_batch;
    uint64_t stack = synth_pick_stack(t);
    synth_wire_table_room(t->wire, b, TP_EV_CPUSamples, 64);
    synth_wire_code(t->wire, b, TP_EV_CPUSample);
    synth_wire_number(b, t->wire->now_ticks);
    synth_wire_number(b, m);
    synth_wire_number(b, p);
    synth_wire_number(b, g);
    synth_wire_number(b, stack);
}
