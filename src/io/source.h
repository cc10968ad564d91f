// Engines that read many files at once into chunks. An engine owns its threads
// (one per ring, or a few that block in pread) and talks to its host, the
// pipeline, through four callbacks. It never looks at the bytes.
//
//   host ── add(file) ─▶ engine ── take() a free chunk, read ──▶ deliver(chunk)...
//        ── kick() ────▶ (a chunk is free again)            ──▶ ended(error or none)
//
// For one file the callbacks come one after the other, chunks in file order,
// `ended` exactly once and last. Callbacks for different files may come from
// different threads. A callback must not block.
//
// Rules an engine keeps, and the suite of tests/unit/test_source.c checks for
// all of them: short reads and EINTR/EAGAIN are finished inside; every chunk but
// the last of a file is full unless the file cannot seek (pipes deliver what
// came); files are opened O_RDONLY|O_CLOEXEC, fstat'ed, read to end_bytes or the
// end of file (which may differ from the size stat gave: the file may grow or
// shrink), closed; a directory fails with EISDIR; files with a lower `rank` get
// their reads submitted first.
#ifndef TP_IO_SOURCE_H
#define TP_IO_SOURCE_H

#include <stdatomic.h>
#include <time.h>

#include "base/err.h"
#include "io/chunk.h"

enum tp_io_kind { TP_IO_AUTO, TP_IO_URING, TP_IO_PREAD };

struct tp_source_file {
    // Set by the host before tp_source_add.
    const char *path;
    int given_fd;      // >= 0: read this and do not close it (stdin); -1: open path
    uint64_t rank;     // position in the input list; lower is more urgent
    // Of the stream; a file that can seek is read as if it ended there. 0: to its end.
    uint64_t end_bytes;
    // Written by the engine before the first callback about the file.
    uint64_t stat_bytes;   // size by fstat; 0 if not a regular file
    struct timespec stat_mtime;
    bool seekable;         // pread works; false for pipes and terminals
    uint64_t read_count;   // that brought bytes; the engine's until `ended`
    // Set by the host at any time: reading stops, `ended` follows soon and without
    // an error. A kick after it reaches an engine that waits for a pipe or a chunk.
    _Atomic bool cancelled;
    // Guarded by the engine.
    void *engine;
};

struct tp_source_host {
    void *ctx;
    // A fresh chunk for the file, or NULL: the engine asks again after a kick.
    struct tp_chunk *(*take)(void *ctx, struct tp_source_file *f);
    // The chunk is the host's from here on; len_bytes > 0.
    void (*deliver)(void *ctx, struct tp_source_file *f, struct tp_chunk *c);
    // `err` is NULL at a clean end of file, else TP_E_OPEN or TP_E_READ with
    // sys_errno and, for reads, the offset; TP_E_KERNEL if the machine lacks what
    // opening or reading takes. Borrowed for the call.
    void (*ended)(void *ctx, struct tp_source_file *f, const struct tp_error *err);
};

struct tp_source_config {
    size_t chunk_bytes;      // what `take` gives out
    unsigned reads_per_file; // reads in flight for one file, at least 1
    unsigned max_files;      // most files added and not yet ended
    unsigned threads;        // of the pread engine; rings for uring
};

struct tp_source;

struct tp_source_ops {
    const char *name;
    // 0, or TP_E_KERNEL with the reason in words ("io_uring_setup: Operation
    // not permitted"). Cheap enough for every start.
    int (*probe)(struct tp_error *err);
    int (*create)(const struct tp_source_config *cfg, const struct tp_source_host *host,
                  struct tp_source **ret_src, struct tp_error *err);
    void (*add)(struct tp_source *src, struct tp_source_file *f);
    void (*kick)(struct tp_source *src);
    void (*destroy)(struct tp_source *src);
};

// First member of every engine's own struct.
struct tp_source {
    const struct tp_source_ops *ops;
};

extern const struct tp_source_ops tp_source_pread;
#ifdef TP_WITH_URING
extern const struct tp_source_ops tp_source_uring;
#endif

// Picks the engine and creates it. With TP_IO_AUTO a refusal of io_uring falls
// back to pread; with TP_IO_URING it is an error. `ret_why` (may be NULL)
// receives one line for -v: which engine, and why not the other.
int tp_source_create(enum tp_io_kind kind, const struct tp_source_config *cfg,
                     const struct tp_source_host *host, struct tp_source **ret_src,
                     char ret_why[160], struct tp_error *err) TP_MUST_USE;

// Starts reading a file; never blocks. The caller keeps at most max_files
// between add and ended, and keeps `f` alive until ended returns. Any thread.
void tp_source_add(struct tp_source *src, struct tp_source_file *f);

// A take that answered NULL may succeed now. Any thread, cheap when idle.
void tp_source_kick(struct tp_source *src);

// Joins the threads. Every added file must have ended (cancel them first).
// NULL is fine.
void tp_source_destroy(struct tp_source *src);

#endif
