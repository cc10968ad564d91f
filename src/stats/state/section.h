// The sections of a state (state.h). Each has a number; they are written in the order below. A
// new section needs a file with its struct tp_section, a line below, and the next number. An empty
// section is left out. Spaces, measures and types are written as their numbers in their tables
// (X-macros of stats), so a change of these tables changes the version.
//
// Items (names, reasons, frames and stacks) are written once, in sections of their own; other
// sections refer to an item by its number there. Items that no section refers to are left out, so
// each section declares the items that it will refer to ("use") before any section is written.
//
// Failures stick: from the first failure on, what is written is incomplete, and what is read is 0
// or an empty text. The caller checks for failure only at the end. Code that allocates memory or
// loops as often as a number from the file demands must check that number first.
//
// One thread at a time uses a writer or a reader.
#ifndef TP_STATS_STATE_SECTION_H
#define TP_STATS_STATE_SECTION_H

#include "base/digest.h"
#include "base/list.h"
#include "base/writer.h"
#include "stats/state/state.h"

// X(number, name)
#define TP_SECTIONS(X)                                                                  \
    X(1, totals)                                                                        \
    X(2, names)                                                                         \
    X(3, reasons)                                                                       \
    X(4, groups) /* of the durations, with their distributions */                       \
    X(5, frames)                                                                        \
    X(6, stacks)                                                                        \
    X(7, waits) /* and CPU samples, by stack */                                         \
    X(8, files) /* the figures of each input */                                         \
    X(9, time) /* levels over time */                                                   \
    X(10, gc) /* mutator utilisation */                                                 \
    X(11, gs) /* goroutines that ran longest */                                         \
    X(12, refused) /* inputs that no other section counts, and why */                   \
    X(13, doubts) /* number of events believed against others (merge/order/doubt.h) */  \
    X(14, doubtful) /* a state of the files whose clock is in doubt */                  \
    X(15, taken) /* from when until when traces were taken */                           \
    X(16, pairs) /* of stacks */                                                        \
    X(17, found) /* findings, one by one */                                             \
    X(18, wakes) /* groups of TP_SPACE_WAKE, by pair */                                 \
    X(19, breakdown) /* where the time of tasks and regions went */                     \
    X(20, wall_time) /* levels by the wall clock */                                     \
    X(21, slow) /* the slowest tasks */                                                 \
    X(22, slow_regions)                                                                 \
    X(23, unordered) /* bytes of events that could not be put in order */

// The only version that is read and written. Raise it with any change of the bytes, also when rows
// get another number of columns: with each new kind of finding, figure of a file, or level.
#define TP_STATE_VERSION 6

struct tp_state_writer;
struct tp_state_reader;

// The functions of a section. Constant.
struct tp_section {
    // Declares the items that `put` will refer to. NULL: the section refers to none.
    void (*use)(struct tp_state_writer *w);
    // Writes the section.
    void (*put)(struct tp_state_writer *w);
    // Reads the whole section; bytes left over count as damage.
    void (*get)(struct tp_state_reader *r);
};
#define TP_X(number, name) extern const struct tp_section tp_section_##name;
TP_SECTIONS(TP_X)
#undef TP_X

// Kinds of items, which are written once and referred to by number. X(KIND, member of the totals)
#define TP_STATE_KINDS(X)                                                               \
    X(NAME, names) X(REASON, reasons) X(FRAME, frames) X(STACK, stacks.of) X(PAIR, pairs.of)
enum tp_state_kind {
#define TP_X(kind, field) TP_STATE_##kind,
    TP_STATE_KINDS(TP_X)
#undef TP_X
    TP_STATE_KIND_COUNT
};

// WRITING

// The writer of one file. Borrows the totals and the output. Every section is put twice: first its
// bytes are only counted, because its length is written before it; so a file of any length needs no
// memory but the buffer.
struct tp_state_writer {
    const struct tp_totals *totals;
    struct tp_out *out;           // NULL: bytes are only counted
    struct tp_digest *digest;     // of the bytes that left the buffer; owned
    unsigned char *buf;           // bytes on their way to `out`; owned
    size_t buf_bytes;
    uint64_t len_bytes;           // put since the owner set it to 0
    int code;                     // of the first failure of `out`; 0: none
    struct tp_error *err;         // gets that failure
    bool lacks_memory;            // set by the first failure for lack of memory
    bool has_numbers;             // false during `use`
    struct tp_state_order {
        uint32_t all_count;       // number of items in the totals
        uint32_t *number_of;      // number in the state by number in the totals; UINT32_MAX: unused
        uint32_t *sorted;         // number in the totals by number in the state
        uint32_t count;           // number of items in the state
    } orders[TP_STATE_KIND_COUNT];
};

// Bytes of the writer's buffer.
#define TP_STATE_BUF_BYTES TP_KIB(64)
// Hands the bytes in the buffer on to the output and the digest.
void tp_state_flush(struct tp_state_writer *w);

// These four put a number as a varint (also a wide one), bytes as they are, or a text. After a
// failure of the output they put nothing.
void tp_state_put(struct tp_state_writer *w, uint64_t value);
void tp_state_put_wide(struct tp_state_writer *w, tp_wide value);
void tp_state_put_bytes(struct tp_state_writer *w, struct tp_span bytes);
void tp_state_put_text(struct tp_state_writer *w, struct tp_span text); // with its length
// Declares that a section will refer to the item with this number in the totals; for a pair
// declares its stacks, too, for a stack its frames, and for a frame its names. Only during `use`, before any `put`.
void tp_state_use(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number);
// Returns the number that an item has in the state; `number` is its number in the totals. During
// `put` only; the item must have been declared.
TP_INLINE uint32_t tp_state_number(const struct tp_state_writer *w, enum tp_state_kind kind,
                                   uint32_t number)
{
    return w->orders[kind].number_of[number];
}
// Returns what stands for a stack of a pair in the state: its number plus 1, or 0 for no stack.
TP_INLINE uint64_t tp_state_pair_stack(const struct tp_state_writer *w, uint32_t stack)
{
    return stack != TP_INTERN_NONE ? (uint64_t)tp_state_number(w, TP_STATE_STACK, stack) + 1 : 0;
}
// Allocates memory for `count` items, which the caller frees with tp_free. NULL: out of memory, and
// lacks_memory is set.
void *tp_state_items(struct tp_state_writer *w, size_t count, size_t item_bytes) TP_MUST_USE;
// Returns the number that an item has in the state; `number` is its number in the totals. During
// `use` only declares the item, and the result is meaningless.
uint64_t tp_state_refer(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number);
// Does the same for an item that may not be there: returns its number in the state plus 1, or 0 for
// TP_INTERN_NONE.
uint64_t tp_state_refer_any(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number);

// Puts `count` rows of numbers, sorted by their columns, the first column first. `fill` stores the
// columns of row `i` to `row`, and gets the numbers of items by tp_state_refer only. A section of
// rows calls this function both as its `use` and as its `put`: during `use` it only fills rows.
void tp_state_put_rows(struct tp_state_writer *w, uint32_t count, unsigned columns,
                       void (*fill)(struct tp_state_writer *w, uint32_t i, tp_wide *row));

// Number the items (numbering.c). Call init before the first `use`, sort after the last `use`, and
// fini in the end, also after a failure of init. False: out of memory.
bool tp_state_orders_init(struct tp_state_writer *w) TP_MUST_USE;
void tp_state_orders_sort(struct tp_state_writer *w);
void tp_state_orders_fini(struct tp_state_writer *w);

// READING

// The reader of one file, which borrows the file's bytes. An item has the same number in the file
// as in the totals that are read, because the file has no item twice.
struct tp_state_reader {
    struct tp_totals *totals;     // the totals read so far; empty in the beginning
    struct tp_state_terms terms;
    const unsigned char *given_back; // end of the bytes that were given back
    const unsigned char *file_end;
    bool is_inner;                // the file is a section of another state
    const unsigned char *begin;   // of the file
    const unsigned char *at, *end; // the unread bytes of the section; none after a failure
    int code;                     // of the first failure; 0: none
    struct tp_error *err;         // gets the first failure
};

// Return whether the section has unread bytes, and how many. The first fails with TP_E_LIMIT once
// more memory is taken than the terms allow; sections call it before each item, and borrow no bytes
// from the item before.
bool tp_state_has_more(struct tp_state_reader *r);
TP_INLINE size_t tp_state_left_bytes(const struct tp_state_reader *r)
{
    return (size_t)(r->end - r->at);
}
// Like tp_totals_read, for a file that is a section of another state (state.c).
int tp_state_read_inner(struct tp_span file, struct tp_state_terms terms, struct tp_totals *ret_totals,
                        struct tp_error *err) TP_MUST_USE;

// Read the next number. Return 0 and fail with TP_E_STATE if the section ends early or the number
// is too large.
uint64_t tp_state_get(struct tp_state_reader *r);
tp_wide tp_state_get_wide(struct tp_state_reader *r);
// Reads a number, which must be below `end`; otherwise returns 0 and fails with TP_E_STATE: "there
// is no such WHAT".
uint32_t tp_state_get_below(struct tp_state_reader *r, uint64_t end, const char *what);
// Reads a number that tp_state_refer_any wrote, of one of `count` items; returns the number in the
// totals, or TP_INTERN_NONE for 0.
uint32_t tp_state_get_any(struct tp_state_reader *r, uint32_t count, const char *what);
// Reads the next text, borrowed from the bytes of the file. Fails with TP_E_STATE if the section is
// too short for it.
struct tp_span tp_state_get_text(struct tp_state_reader *r);
// Reads a moment by the wall clock: seconds of Unix time, and nanoseconds.
struct tp_wall tp_state_get_wall(struct tp_state_reader *r);
// Reads the number of the items that follow, each of at least `item_bytes`. Fails with TP_E_STATE
// if the section has too few bytes for them.
uint32_t tp_state_get_count(struct tp_state_reader *r, size_t item_bytes);
// Makes the reader fail with TP_E_STATE, unless it has failed already, and skips the rest of the
// section. `what` names the contradiction in the file, for example "more waits than events".
void tp_state_refuse(struct tp_state_reader *r, const char *what);
// Do the same with TP_E_MEMORY, and with TP_E_LIMIT.
void tp_state_lack_memory(struct tp_state_reader *r);
void tp_state_outgrow(struct tp_state_reader *r);
// Checks that the totals gave an item of the file the number `wanted`, its number in the file.
// Another number means that the file has the item twice: fails with TP_E_STATE and `what`, as
// tp_state_refuse does. TP_INTERN_NONE: fails with TP_E_MEMORY.
void tp_state_expect(struct tp_state_reader *r, uint32_t number, uint32_t wanted, const char *what);

#endif
