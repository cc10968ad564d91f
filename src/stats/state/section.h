// The sections of a state (state.h). Each has a number; they are written in the order below. A
// new section needs a file with its table, a line below, and the next number. An empty section
// is left out. Spaces, measures and types are written as their numbers in their tables, so new
// ones must be appended to these tables.
//
// Names, reasons, frames and stacks are written once, in sections of their own; other sections
// refer to them by their numbers there. Those that no section uses are left out, so a section
// declares each number ("use") before any section writes one.
//
// Failures stick: values written or read after the first failure are meaningless, and the
// caller checks only at the end. Code that allocates or loops by a number from the file must
// check before that.
//
// One thread at a time uses a writer or a reader.
#ifndef TP_STATS_STATE_SECTION_H
#define TP_STATS_STATE_SECTION_H

#include "base/list.h"
#include "stats/totals.h"

// X(number, name, first version that has it)
#define TP_SECTIONS(X)                                                                  \
    X(1, totals, 1)                                                                     \
    X(2, names, 1)                                                                      \
    X(3, reasons, 1)                                                                    \
    X(4, groups, 1)   /* of the durations, with their distributions */                  \
    X(5, frames, 1)                                                                     \
    X(6, stacks, 1)                                                                     \
    X(7, waits, 1)    /* and CPU samples, by stack */                                   \
    X(8, files, 1)    /* the figures of each input */                                   \
    X(9, time, 1)     /* levels over time */                                            \
    X(10, gc, 1)      /* mutator utilisation */                                         \
    X(11, gs, 1)      /* goroutines that ran longest */                                 \
    X(12, refused, 2) /* inputs that no other section counts, and why */                \
    X(13, doubts, 2)  /* how many events were believed against others */                \
    X(14, doubtful, 2) /* a state of the files whose clock is in doubt */

// Since version 2 totals of nanoseconds may exceed 64 bits; version 1 has them modulo 2^64.
// Also since version 2, all names and stacks have limits (stats/totals.h), and there are
// groups of coarse stacks.
#define TP_STATE_VERSION 2
#define TP_STATE_VERSION_WIDE 2
#define TP_STATE_VERSION_LIMITED 2
#define TP_STATE_VERSION_COARSE 2

struct tp_state_writer;
struct tp_state_reader;

// The functions of a section, constant.
struct tp_section {
    void (*use)(struct tp_state_writer *w); // NULL: the section refers to no other
    void (*put)(struct tp_state_writer *w);
    // Reads the whole section; bytes left over count as damage.
    void (*get)(struct tp_state_reader *r);
};
#define TP_X(number, name, since) extern const struct tp_section tp_section_##name;
TP_SECTIONS(TP_X)
#undef TP_X

// Items that are written once and referred to by number. X(KIND, list of the totals)
#define TP_STATE_KINDS(X) X(NAME, names) X(REASON, reasons) X(FRAME, frames) X(STACK, stacks.of)
enum tp_state_kind {
#define TP_X(kind, field) TP_STATE_##kind,
    TP_STATE_KINDS(TP_X)
#undef TP_X
    TP_STATE_KIND_COUNT
};

// WRITING

// A growing buffer, owned by the writer; freed with tp_free.
struct tp_state_bytes {
    unsigned char *ptr;
    size_t len_bytes;
    size_t capacity_bytes;
};

// The state of the writing of one file.
struct tp_state_writer {
    const struct tp_totals *totals;
    unsigned version;             // of the file
    struct tp_state_bytes bytes;  // of the file; during a section's `put`, of that section
    bool lacks_memory;
    bool has_numbers;             // false during `use`
    struct tp_state_order {
        uint32_t all_count;       // number of items in the totals
        uint32_t *number_of;      // number in the state by number in the totals; UINT32_MAX: unused
        uint32_t *sorted;         // number in the totals by number in the state
        uint32_t count;
    } orders[TP_STATE_KIND_COUNT];
};

// Put a number as a varint, bytes as they are, or a text. Out of memory sets lacks_memory.
void tp_state_put(struct tp_state_writer *w, uint64_t value);
void tp_state_put_wide(struct tp_state_writer *w, tp_wide value);
void tp_state_put_bytes(struct tp_state_writer *w, struct tp_span bytes);
void tp_state_put_text(struct tp_state_writer *w, struct tp_span text); // with its length
// Declares that a section will write this number of the totals, and with a stack its frames,
// and with a frame its names. Only during `use`, before any `put`.
void tp_state_use(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number);
// The number in the state of a number of the totals that was declared.
TP_INLINE uint32_t tp_state_number(const struct tp_state_writer *w, enum tp_state_kind kind,
                                   uint32_t number)
{
    return w->orders[kind].number_of[number];
}
// Returns memory for `count` items, which the caller frees with tp_free. NULL: there is no
// memory; sets lacks_memory.
void *tp_state_items(struct tp_state_writer *w, size_t count, size_t item_bytes) TP_MUST_USE;
// Returns the number in the state of an item of the totals. During `use` declares the item
// instead; the result is then meaningless.
uint64_t tp_state_refer(struct tp_state_writer *w, enum tp_state_kind kind, uint32_t number);

// Puts `count` rows of numbers, sorted by their columns, the first column first. `fill` stores the
// columns of row `i`; it refers to other sections by tp_state_refer only. The function is both
// `use` and `put` of such a section: during `use` it only fills rows.
void tp_state_put_rows(struct tp_state_writer *w, uint32_t count, unsigned columns,
                       void (*fill)(struct tp_state_writer *w, uint32_t i, tp_wide *row));

// Implemented in numbering.c. Init comes before any `use`, sort after the last one. False: no
// memory.
bool tp_state_orders_init(struct tp_state_writer *w) TP_MUST_USE;
void tp_state_orders_sort(struct tp_state_writer *w);
void tp_state_orders_fini(struct tp_state_writer *w);

// Builds a whole file; the caller frees ret_file->ptr with tp_free. TP_E_MEMORY. In state.c.
int tp_state_make(const struct tp_totals *s, unsigned version, struct tp_state_bytes *ret_file,
                  struct tp_error *err) TP_MUST_USE;

// READING

// Reading a file. Numbers in the file are those in the totals: the file has no item twice.
struct tp_state_reader {
    struct tp_totals *totals;     // empty in the beginning
    unsigned version;             // of the file
    bool is_inner;                // the file is a section of another state
    const unsigned char *begin;   // of the file
    const unsigned char *at, *end; // of the section
    int code;                     // of the first failure; 0: none
    struct tp_error *err;
};

// Whether the section has unread bytes, and how many.
TP_INLINE bool tp_state_has_more(const struct tp_state_reader *r)
{
    return r->at < r->end;
}
TP_INLINE size_t tp_state_left_bytes(const struct tp_state_reader *r)
{
    return (size_t)(r->end - r->at);
}
// Like tp_totals_read, for a file that is a section of another state. In state.c.
int tp_state_read_inner(struct tp_span file, struct tp_totals *ret_totals,
                        struct tp_error *err) TP_MUST_USE;

// Read the next number; it is meaningless after a failure.
uint64_t tp_state_get(struct tp_state_reader *r);
tp_wide tp_state_get_wide(struct tp_state_reader *r);
// Reads a number and refuses it if it is not below `end`. The error names `what`, like "frame".
uint32_t tp_state_get_below(struct tp_state_reader *r, uint64_t end, const char *what);
// Gets the next text, borrowed from the bytes of the file.
struct tp_span tp_state_get_text(struct tp_state_reader *r);
// Reads the number of items that follow, each of at least `item_bytes`; refuses it if the
// section has too few bytes for them.
uint32_t tp_state_get_count(struct tp_state_reader *r, size_t item_bytes);
// Fails with TP_E_STATE. `what` says what the file cannot have, like "more waits than events".
void tp_state_refuse(struct tp_state_reader *r, const char *what);
// Fails with TP_E_MEMORY.
void tp_state_lack_memory(struct tp_state_reader *r);

#endif
