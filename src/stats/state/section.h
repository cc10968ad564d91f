// The sections of a state (state.h). A section is a table of rows. One function visits the fields of
// a row, whether the row is written or read, so a new figure is one more line there.
//
// The section `totals` is one row: members of struct tp_totals. All others have a row for each item
// of a list, and the number of rows before them.
//
// Texts, frames, stacks and pairs are written once, in sections of their own; fields of other
// sections refer to such a row by its number in its section. A row to which no field refers is left
// out. Rows are sorted by their fields, the first field first; so equal totals give equal bytes.
//
// Failures stick: from the first failure on, what is written is incomplete, and what is read is 0
// or an empty text. The caller checks for failure only at the end. Code that allocates memory or
// loops as often as a number from the file demands must check that number first.
//
// One thread at a time uses a writer or a reader.
#ifndef TP_STATS_STATE_SECTION_H
#define TP_STATS_STATE_SECTION_H

#include <stddef.h>

#include "base/digest.h"
#include "base/list.h"
#include "base/writer.h"
#include "stats/state/state.h"

// The sections in the order in which they are written: each stands behind those to which it refers.
// Spaces, measures, types, classes and levels are written as their numbers in their tables (X-macros
// of stats), so a change of these tables changes the version. X(name)
#define TP_SECTIONS(X)                                                                  \
    X(totals)                                                                           \
    X(names)                                                                            \
    X(reasons) /* of blocking */                                                        \
    X(kinds) /* of findings, by their keys */                                           \
    X(frames)                                                                           \
    X(stacks)                                                                           \
    X(pairs) /* of stacks */                                                            \
    X(durations) /* with their distributions */                                         \
    X(breakdown) /* where the time of tasks and regions went */                         \
    X(waits) /* and CPU samples, by stack */                                            \
    X(files) /* the figures of each input */                                            \
    X(refused) /* inputs that no other section counts, and why */                       \
    X(found) /* findings, one by one */                                                 \
    X(gs) /* goroutines that ran longest */                                             \
    X(slow_tasks) /* the slowest ones */                                                \
    X(slow_regions)                                                                     \
    X(time) /* levels over time */                                                      \
    X(wall_time) /* levels by the wall clock */

enum tp_section_id {
#define TP_X(name) TP_SECTION_##name,
    TP_SECTIONS(TP_X)
#undef TP_X
    TP_SECTION_COUNT
};

struct tp_state_writer;
struct tp_state_reader;
struct tp_state_visit;

// References of rows in memory. A zeroed one is empty; its owner frees `items` with tp_free.
struct tp_state_refs {
    TP_LIST(uint64_t);
};

// A section. A row has a reference in memory: its index in the list, or what `list` says. Constant.
struct tp_section {
    // Visits the fields of a row, in the order of the file.
    void (*visit)(struct tp_state_visit *v, void *row);
    size_t row_bytes;   // of the struct of a row; 0: it is struct tp_totals, and there is one row
    // A row is written only if fields refer to it; `item` is what messages call it. NULL: each row is
    // written.
    const char *item;
    bool is_sequence;   // rows keep the order of the list
    size_t list_at;     // offset of the TP_LIST of the rows in struct tp_totals, or 0
    uint32_t row_count; // of rows that are in no list
    // Adds the references of all rows if they are in no list. NULL: the first numbers. False: out of
    // memory.
    bool (*list)(const struct tp_totals *s, struct tp_state_refs *refs);
    // Stores a row. NULL: a copy of the item of the list.
    void (*load)(const struct tp_totals *s, uint64_t ref, void *row);
    uint32_t most;      // limit of the number of rows; 0: none
    // Adds an `item` that was read to the totals and returns its number there, which must be that of
    // the row in the file. TP_INTERN_NONE: no memory.
    uint32_t (*intern)(struct tp_totals *s, const void *row);
    // Checks a row that was read, and completes it.
    void (*check_row)(struct tp_state_reader *r, void *row);
    // Adds a row that was read to the totals, and may read what follows its fields. NULL, as `intern`:
    // the row becomes an item of the list.
    void (*add)(struct tp_state_reader *r, const void *row);
    // Checks the totals after all sections were read.
    void (*check)(struct tp_state_reader *r);
};
// Initializers: rows of struct `type`, and those that are in the list `member` of the totals.
#define TP_STATE_LIST(member) .list_at = offsetof(struct tp_totals, member.as_list)
#define TP_STATE_ROWS(type, member) .row_bytes = sizeof(type), TP_STATE_LIST(member)

#define TP_X(name) extern const struct tp_section tp_section_##name;
TP_SECTIONS(TP_X)
#undef TP_X

// FIELDS

// The purpose of a visit. USE marks the rows to which a row refers as used; SORT lists the fields of a
// row as columns, by which rows are sorted; PUT writes a row, and GET reads one.
enum tp_state_mode { TP_STATE_USE, TP_STATE_SORT, TP_STATE_PUT, TP_STATE_GET };

// The greatest number of columns: a row of a file has more than the deepest stack.
#define TP_STATE_COLUMNS (TP_TOTALS_FRAMES_MAX + 256)

// A visit of the fields of a row. Only a reader may change the row; a writer has a copy.
struct tp_state_visit {
    enum tp_state_mode mode;
    struct tp_state_writer *w; // NULL: TP_STATE_GET
    struct tp_state_reader *r; // of TP_STATE_GET
    struct tp_span text;       // of TP_STATE_SORT: the text of a row, of which there is one at most
    unsigned column_count;     // of TP_STATE_SORT
    tp_wide columns[TP_STATE_COLUMNS];
};

// These visit a number, a signed number (written modulo 2^64), and one below `end`: a reader refuses
// others with "there is no such WHAT".
void tp_visit_wide(struct tp_state_visit *v, tp_wide *value);
void tp_visit_u64(struct tp_state_visit *v, uint64_t *value);
void tp_visit_i64(struct tp_state_visit *v, int64_t *value);
void tp_visit_below(struct tp_state_visit *v, uint32_t *value, uint64_t end, const char *what);
void tp_visit_flag(struct tp_state_visit *v, bool *value, const char *what);
// Visits a moment by the wall clock: seconds of Unix time, and nanoseconds.
void tp_visit_wall(struct tp_state_visit *v, struct tp_wall *value);
// Visits a text. A reader borrows it from the bytes of the file, until the row is added.
void tp_visit_text(struct tp_state_visit *v, struct tp_intern_text *text);
// Visit the number of a row of another section; the second one writes it plus 1, and 0 for
// TP_INTERN_NONE and TP_TOTALS_OTHERS, of which a reader makes TP_INTERN_NONE.
void tp_visit_row(struct tp_state_visit *v, uint32_t *ref, enum tp_section_id of);
void tp_visit_any(struct tp_state_visit *v, uint32_t *ref, enum tp_section_id of);
// Visit a set of kinds of findings, 1 << kind each, and values by kind: for each row of the section
// `kinds` whether the set has it, and its value plus 1, 0 for TP_VALUE_NONE.
void tp_visit_kinds(struct tp_state_visit *v, uint32_t *set);
void tp_visit_values(struct tp_state_visit *v, uint64_t values[TP_FINDS_COUNT]);

// WRITING

// Where the bytes of a file go. Borrows the output.
struct tp_state_stream {
    struct tp_out *out;           // NULL: bytes are only counted
    struct tp_digest *digest;     // of the bytes that left the buffer; owned
    unsigned char *buf;           // bytes on their way to `out`; owned
    size_t buf_bytes;
    uint64_t len_bytes;           // of all bytes that left the buffer
    int code;                     // of the first failure of `out`; 0: none
    struct tp_error *err;         // gets that failure
};

// The writer of the sections of totals, which it borrows.
struct tp_state_writer {
    const struct tp_section *const *sections; // all, by enum tp_section_id
    const struct tp_totals *totals;
    struct tp_state_stream *to;
    struct tp_state_order {
        struct tp_state_refs rows; // in the order of the file
        uint32_t *number_of;       // of items: row in the file by reference; UINT32_MAX: unused
    } orders[TP_SECTION_COUNT];
};

// Bytes of the buffer.
#define TP_STATE_BUF_BYTES TP_KIB(64)
// Counts the bytes in the buffer, and hands them on to the output and the digest.
void tp_state_flush(struct tp_state_stream *to);

// These put a number as a varint, and bytes as they are. After a failure of the output they put
// nothing.
void tp_state_put(struct tp_state_stream *to, tp_wide value);
void tp_state_put_bytes(struct tp_state_stream *to, struct tp_span bytes);

// Finds the rows of all sections, and sorts them. The caller must call fini in the end, also after a
// failure. False: out of memory.
bool tp_state_orders_init(struct tp_state_writer *w) TP_MUST_USE;
void tp_state_orders_fini(struct tp_state_writer *w);
// Puts a section.
void tp_state_put_section(struct tp_state_writer *w, enum tp_section_id id);

// READING

// The reader of one file, which borrows the file's bytes. A row to which others refer has the same
// number in the file as in the totals that are read, because the file has no row twice; only kinds
// of findings have numbers of their own.
struct tp_state_reader {
    const struct tp_section *const *sections; // all, by enum tp_section_id
    struct tp_totals *all;        // the totals read so far; empty in the beginning
    struct tp_totals *totals;     // `all`, or all->doubtful
    const struct tp_state_terms *terms;
    const unsigned char *given_back; // end of the bytes that were given back
    const unsigned char *file_end;
    const unsigned char *begin;   // of the file
    const unsigned char *at, *end; // the unread bytes; none after a failure
    uint32_t row_counts[TP_SECTION_COUNT]; // read so far
    uint32_t kind_of[TP_FINDS_COUNT]; // enum tp_finding_kind by row of section `kinds`
    int code;                     // of the first failure; 0: none
    struct tp_error *err;         // gets the first failure
};

// Reads a section.
void tp_state_get_section(struct tp_state_reader *r, enum tp_section_id id);
// Gives back what was read, and fails with TP_E_LIMIT once more memory is taken than the terms allow;
// called before each row, and code borrows no bytes from the row before.
void tp_state_turn_row(struct tp_state_reader *r);

// Read the next number. Return 0 and fail with TP_E_STATE if the file ends early or the number
// is too large.
uint64_t tp_state_get(struct tp_state_reader *r);
tp_wide tp_state_get_wide(struct tp_state_reader *r);
// Reads a number, which must be below `end`; otherwise returns 0 and fails with TP_E_STATE: "there
// is no such WHAT".
uint64_t tp_state_get_below(struct tp_state_reader *r, uint64_t end, const char *what);
// Reads the next text, borrowed from the bytes of the file. Fails with TP_E_STATE if the file is too
// short for it.
struct tp_span tp_state_get_text(struct tp_state_reader *r);
// Reads the number of the items that follow, each of at least `item_bytes`. Fails with TP_E_STATE
// if the file has too few bytes for them.
uint32_t tp_state_get_count(struct tp_state_reader *r, size_t item_bytes);
// HISTOGRAMS

// Facts that follow from the buckets of a histogram: the number of durations, and the bounds of
// their sum. The number may overflow its 64 bits; the bounds have 128 bits.
struct tp_state_contents {
    uint64_t count;
    bool has_overflow; // `count` has exceeded 64 bits
    tp_wide least_ns;
    tp_wide most_ns;
    unsigned last_bucket;
};
// Puts a histogram. Reads one into an empty histogram, adds to *hist_bytes by how much it grows, and
// returns what follows from it.
void tp_state_put_hist(struct tp_state_stream *to, const struct tp_hist *h);
void tp_state_get_hist(struct tp_state_reader *r, struct tp_hist *h, size_t *hist_bytes,
                       struct tp_state_contents *ret_contents);
// Whether count, sum and maximum of a distribution agree with its histogram; if not, the reader fails.
bool tp_state_hist_fits(struct tp_state_reader *r, const struct tp_dist *d,
                        const struct tp_state_contents *c);

// Makes the reader fail with TP_E_STATE, unless it has failed already, and skips the rest of the
// file. The text names the contradiction in the file, for example "more waits than events".
void tp_state_refuse(struct tp_state_reader *r, const char *format, ...) TP_PRINTF(2, 3);
// Does the same with TP_E_MEMORY.
void tp_state_lack_memory(struct tp_state_reader *r);

#endif
