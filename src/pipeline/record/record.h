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

// A line as it was read.
struct tp_record_line {
    enum tp_record_kind kind;
    size_t at;            // of its first byte in the record
    struct tp_span text;  // without the end of the line
    struct tp_span input; // what the manifest says of the input; empty: it is about none
    struct tp_span owner; // of `intent` and `done`: the object that has the "path": input or output
};

// Lines wait in one of two queues, and those of a queue are written together.
enum tp_record_queue { TP_RECORD_LINES, TP_RECORD_GROUP, TP_RECORD_QUEUES };

// A record. The lines that it had when it was opened are in `text` until tp_record_drop_text.
struct tp_record {
    char *path; // owned
    int fd;     // locked; -1: not open
    struct tp_buf text;
    pthread_mutex_t mu; // guards the following
    struct tp_buf pending[TP_RECORD_QUEUES]; // lines that are not written yet
    int failed_errno;   // of a write that failed; no line follows it
};

// Opens and locks a record, or begins an empty one, and reads its lines. TP_E_USAGE: the file is no
// record, or another run has it open. TP_E_LIMIT: it has more than `most_bytes`. TP_E_WRITE,
// TP_E_KERNEL, TP_E_MEMORY. tp_record_close is due in any case.
int tp_record_open(struct tp_record *r, const char *path, uint64_t most_bytes, struct tp_error *err)
    TP_MUST_USE;
// Reads the lines of a record without opening it for a run; then as tp_record_open.
int tp_record_read(struct tp_record *r, const char *path, struct tp_error *err) TP_MUST_USE;
// Closes the record. Lines that were not written are lost.
void tp_record_close(struct tp_record *r);
// Frees the lines that were read.
void tp_record_drop_text(struct tp_record *r);

// Takes the next line that was read; *at is 0 at first. Skips lines that are damaged, and counts them
// in *skipped_count. False: there is none.
bool tp_record_next(const struct tp_record *r, size_t *at, uint64_t *skipped_count,
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
int tp_record_reread(const struct tp_record *r, size_t at, void *ret_bytes, size_t len_bytes,
                     struct tp_error *err) TP_MUST_USE;

#endif
