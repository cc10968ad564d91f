// Makes whole frames of the bare PCs in traces up to Go 1.6: see trace.h. Looks up each PC once,
// and adds each name as one string, however many frames have this name.
#include <assert.h>

#include "base/alloc.h"
#include "base/check.h"
#include "decode/event_v1.h"
#include "merge/tables/read.h"
#include "merge/v1/trace.h"

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the names of frames");
}

// Adds a name to the messages. *ret_number is its number there; TP_INTERN_NONE: it is empty.
static int add_name(struct tp_v1_trace *t, struct tp_span name, uint32_t *ret_number,
                    struct tp_error *err)
{
    *ret_number = TP_INTERN_NONE;
    if (name.len_bytes == 0)
        return 0;
    *ret_number = tp_intern_put(&t->tables->messages, name);
    return *ret_number != TP_INTERN_NONE ? 0 : no_memory(err);
}

// Looks up PC - 1, as old versions of Go did: the PC of a frame is the one after a call, and the
// code there may belong to another line.
static int look_up(struct tp_v1_trace *t, uint64_t pc, uint32_t *ret_slot, struct tp_error *err)
{
    struct tp_v1_places *p = &t->places;
    struct tp_symbol symbol = {.line = 0};
    uint32_t slot = TP_SLAB_ADD(p, pc);
    if (slot == 0)
        return no_memory(err);
    *ret_slot = slot;
    struct tp_v1_place *place = &p->items[slot];
    p->known_count += tp_symbols_find(t->symbols, pc - 1, &symbol);
    place->line = symbol.line;
    int rc = add_name(t, symbol.function, &place->function, err);
    if (rc == 0)
        rc = add_name(t, symbol.file, &place->file, err);
    const struct tp_tables *tables = t->tables;
    if (rc == 0 && tp_v1_names_bytes(t) > tables->room_bytes)
        rc = tp_tables_refuse(tables, TP_E_LIMIT, err);
    return rc;
}

static uint64_t string_id(const struct tp_v1_trace *t, uint32_t number)
{
    return number != TP_INTERN_NONE ? t->first_message_id + number : 0;
}

static int frame_of(struct tp_v1_trace *t, uint64_t pc, struct tp_wire_frame *ret_frame,
                    struct tp_error *err)
{
    if (t->symbols == NULL) {
        *ret_frame = (struct tp_wire_frame){.pc = pc};
        return 0;
    }
    uint32_t slot = tp_map_get(&t->places.by_id, pc);
    if (slot == 0) {
        int rc = look_up(t, pc, &slot, err);
        if (rc != 0)
            return rc;
    }
    const struct tp_v1_place *place = &t->places.items[slot];
    *ret_frame = (struct tp_wire_frame){pc, string_id(t, place->function),
                                        string_id(t, place->file), place->line};
    return 0;
}

// Reads the frame at *p, and moves *p past it.
static int take_frame(struct tp_v1_trace *t, const unsigned char **p, const unsigned char *end,
                      struct tp_wire_frame *ret_frame, struct tp_error *err)
{
    uint64_t pc = 0;
    enum tp_v1_status st = tp_v1_number(p, end, &pc);
    int rc = TP_CHECK(st == TP_V1_OK, err); // tp_v1_event_read has accepted it
    return rc != 0 ? rc : frame_of(t, pc, ret_frame, err);
}

int tp_v1_frames_complete(struct tp_v1_trace *t, struct tp_stack_def *def, struct tp_error *err)
{
    struct tp_wire_frame f;
    size_t len_bytes = 1;
    const unsigned char *p = def->frames, *end = p + def->frames_bytes;
    while (p < end) {
        int rc = take_frame(t, &p, end, &f, err);
        if (rc != 0)
            return rc;
        len_bytes += tp_varint_len(f.pc) + tp_varint_len(f.function) + tp_varint_len(f.file) +
                     tp_varint_len(f.line);
    }
    unsigned char *to = tp_tables_own(t->tables, len_bytes, err);
    if (to == NULL)
        return err->code;
    // Readers of frames expect a byte before them that ends a number.
    *to++ = 0;
    p = def->frames;
    def->frames = to;
    while (p < end) {
        int rc = take_frame(t, &p, end, &f, err);
        if (rc != 0)
            return rc;
        to = tp_varint_put(tp_varint_put(to, f.pc), f.function);
        to = tp_varint_put(tp_varint_put(to, f.file), f.line);
    }
    static_assert(TP_V1_MAX_STACK_FRAMES * TP_FRAME_ARGS * TP_VARINT_MAX_BYTES <= UINT16_MAX,
                  "frames of a stack have room");
    def->frames_bytes = (uint16_t)(to - def->frames);
    return 0;
}
