// The record of runs that --resume names: JSON lines, appended. A line has one kind:
//
//   run      a run begins: version, options, sinks
//   intent   the outputs of an input are on the disk and get their names next
//   done     an input has ended, and all its outputs are on the disk under their names
//   sums     the inputs of the `done` lines just before it are in the states beside the record
//
// A line with an input has what the manifest says of it; `intent` and `done` without an input are
// about outputs of all inputs. A killed run may leave a last line without its end, which the next
// run cuts off. One run at a time has a record open, by a lock that ends with its process.
#ifndef TP_PIPELINE_RECORD_RECORD_H
#define TP_PIPELINE_RECORD_RECORD_H

#include <pthread.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/writer.h"

#define TP_RECORD_SCHEMA "tracepipe.record/1"
// X(NAME, word)
#define TP_RECORD_KINDS(X) X(RUN, "run") X(INTENT, "intent") X(DONE, "done") X(SUMS, "sums")
enum tp_record_kind {
#define TP_X(name, word) TP_RECORD_##name,
    TP_RECORD_KINDS(TP_X)
#undef TP_X
    TP_RECORD_KIND_COUNT
};
extern const char *const tp_record_words[TP_RECORD_KIND_COUNT];

// Where a line is in the record, without its end.
struct tp_record_place {
    uint64_t at;
    uint32_t len_bytes; // 0: there is no such line
};

// A line as it was read. Borrows its bytes from the reader.
struct tp_record_line {
    enum tp_record_kind kind;
    struct tp_record_place place;
    struct tp_span text;
    struct tp_span input; // what the manifest says of the input; empty: it is about none
    struct tp_span owner; // of `intent` and `done`: the object that has the "path": input or output
};

// Lines wait in one of two queues, and those of a queue are written together.
enum tp_record_queue { TP_RECORD_LINES, TP_RECORD_GROUP, TP_RECORD_QUEUES };

// A record.
struct tp_record {
    char *path; // owned
    int fd;     // locked by a run; -1: not open
    uint64_t len_bytes; // of its whole lines when it was opened
    pthread_mutex_t mu; // guards the following
    struct tp_buf pending[TP_RECORD_QUEUES]; // lines that are not written yet
    int failed_errno;   // of a write that failed; no line follows it
};

// Opens and locks a record, or begins an empty one, and cuts off what stands behind its last whole line.
// TP_E_USAGE: the file is not a record, or another run has it open. TP_E_WRITE, TP_E_KERNEL,
// TP_E_MEMORY. tp_record_close is due in any case.
int tp_record_open(struct tp_record *r, const char *path, struct tp_error *err) TP_MUST_USE;
// Opens a record to read it, without the lock; then as tp_record_open.
int tp_record_open_to_read(struct tp_record *r, const char *path, struct tp_error *err) TP_MUST_USE;
// Closes the record. Lines that were not written are lost.
void tp_record_close(struct tp_record *r);

// Reads the lines of a record one after the other, or one of them. Owns its buffer. One thread.
struct tp_record_reader {
    const struct tp_record *record;
    struct tp_buf buf;      // bytes of the record from `at` on
    uint64_t at;
    size_t used_bytes;      // of `buf`, by the lines so far
    uint64_t skipped_count; // damaged lines
};
// Begins to read; tp_record_reader_fini is due in any case. TP_E_MEMORY.
int tp_record_reader_init(struct tp_record_reader *reader, const struct tp_record *r,
                          struct tp_error *err) TP_MUST_USE;
void tp_record_reader_fini(struct tp_record_reader *reader);
// Takes the next line, which is valid until the next call. Skips lines that are damaged. Returns 1; 0:
// there is none; TP_E_KERNEL.
int tp_record_next(struct tp_record_reader *reader, struct tp_record_line *ret_line,
                   struct tp_error *err) TP_MUST_USE;
// Reads the line at a place. False: there is none, or it cannot be read.
bool tp_record_line_at(struct tp_record_reader *reader, struct tp_record_place place,
                       struct tp_record_line *ret_line);

// Prints a line, without its end, to `out`.
typedef int tp_record_put_fn(struct tp_out *out, const void *ctx, struct tp_error *err);
// Adds a line to a queue. Any thread. TP_E_LIMIT: the queue is full, and must be written first. Else
// fails as `put` does.
int tp_record_add(struct tp_record *r, enum tp_record_queue queue, tp_record_put_fn *put,
                  const void *ctx, struct tp_error *err) TP_MUST_USE;
// Returns whether a queue is so full that it should be written.
bool tp_record_is_full(struct tp_record *r, enum tp_record_queue queue);
// Writes the lines of a queue, one behind the other. With `is_durable` they, and all that were written
// before, are on the disk afterwards; threads share the sync. Any thread. TP_E_WRITE.
int tp_record_write(struct tp_record *r, enum tp_record_queue queue, bool is_durable,
                    struct tp_error *err) TP_MUST_USE;

// Reads bytes of the record again. TP_E_KERNEL.
int tp_record_reread(const struct tp_record *r, uint64_t at, void *ret_bytes, size_t len_bytes,
                     struct tp_error *err) TP_MUST_USE;

#endif
