// Engines that read many files at once into chunks. An engine owns its threads
// (one per ring, or a few that block in pread) and talks to its host, the
// pipeline, through three callbacks. It never looks at the bytes.
//
//   host ── add(file) ─▶ engine ── take() a free chunk, read ──▶ deliver(chunk)...
//        ── kick() ────▶ (a chunk is free again)            ──▶ ended(error or none)
//
// For one file the callbacks come one after the other, chunks in file order,
// `ended` exactly once and last. Callbacks for different files may come from
// different threads. A callback must not block.
//
// Every engine keeps these rules, and tests/unit/test_source.c checks all engines for them.
// The engine handles short reads and EINTR/EAGAIN. Every chunk of a file but the last is
// full, unless the file cannot seek (pipes deliver the bytes that came). The engine opens a
// file with O_RDONLY|O_CLOEXEC, calls fstat, reads to end_bytes or the end of the file
// (which may differ from the size of fstat: a file may grow or shrink), and closes it. A
// folder fails with EISDIR. The engine submits reads of files with a lower `rank` first.
#ifndef TP_IO_SOURCE_H
#define TP_IO_SOURCE_H

#include <stdatomic.h>

#include "base/err.h"
#include "io/chunk.h"

// Choice of the engine.
enum tp_io_kind { TP_IO_AUTO, TP_IO_URING, TP_IO_PREAD };

// One input. The host owns it, from before tp_source_add until after `ended`.
struct tp_source_file {
    // Set by the host before tp_source_add.
    const char *path;
    int given_fd;      // >= 0: read this and do not close it (stdin); -1: open path
    uint64_t rank;     // position in the input list; lower is more urgent
    // Stream position at which reading stops, for a file that can seek; 0: at its end.
    uint64_t end_bytes;
    // Written by the engine before its first callback about the file.
    uint64_t stat_bytes;   // size by fstat; 0 if not a regular file
    bool seekable;         // pread works; false for pipes and terminals
    uint64_t read_count;   // reads that brought bytes; only the engine uses it until `ended`
    // The host may set this at any time and must then kick, to wake an engine that waits for a pipe
    // or a chunk. Reading stops, and `ended` follows soon, without an error.
    _Atomic bool cancelled;
    void *engine; // the engine's own data
};

// The host's callbacks. They run on threads of the engine.
struct tp_source_host {
    void *ctx;
    // Returns a chunk for the file, on which tp_chunk_reset was just called. NULL: no chunk is
    // free, and the engine asks again after a kick. The engine owns the hold of the chunk until it
    // delivers the chunk; it releases a chunk that it does not deliver.
    struct tp_chunk *(*take)(void *ctx, struct tp_source_file *f);
    // Hands the engine's hold of the chunk to the host; c->len_bytes > 0.
    void (*deliver)(void *ctx, struct tp_source_file *f, struct tp_chunk *c);
    // `err` is NULL at a clean end of the file. Else it is TP_E_OPEN or TP_E_READ with
    // sys_errno and, for reads, the offset, or TP_E_KERNEL if the machine lacks descriptors
    // or memory. Borrowed for the call.
    void (*ended)(void *ctx, struct tp_source_file *f, const struct tp_error *err);
};

// Sizes of an engine, each at least 1; constant after its creation.
struct tp_source_config {
    size_t chunk_bytes;      // capacity of the chunks that `take` gives
    unsigned reads_per_file; // reads in flight for one file
    unsigned max_files;      // limit of files added and not yet ended
    unsigned threads;        // threads of the pread engine, or rings of the uring engine
};

struct tp_source;

// An engine. The comments of tp_source_add and of the functions after it describe its hooks.
struct tp_source_ops {
    // Fails with TP_E_KERNEL and the reason in words ("io_uring_setup: Operation not permitted")
    // if this kernel does not serve the engine. Cheap enough for every start.
    int (*create)(const struct tp_source_config *cfg, const struct tp_source_host *host,
                  struct tp_source **ret_src, struct tp_error *err);
    // Fails as `create` does; the engine can then only be destroyed.
    int (*start)(struct tp_source *src, struct tp_error *err);
    void (*add)(struct tp_source *src, struct tp_source_file *f);
    void (*kick)(struct tp_source *src);
    void (*destroy)(struct tp_source *src);
};

// First member of every engine's own struct.
struct tp_source {
    const struct tp_source_ops *ops;
};

// The engines. tp_source_create chooses one of them.
extern const struct tp_source_ops tp_source_pread;
#ifdef TP_WITH_URING
extern const struct tp_source_ops tp_source_uring;
#endif

// Room for the text of tp_source_create and tp_source_start.
#define TP_SOURCE_WHY_BYTES 160

// Creates an engine, which the caller destroys: its rings, but no thread, so that the caller can
// restrict the process between this call and tp_source_start. If the kernel refuses io_uring,
// TP_IO_AUTO takes pread, and TP_IO_URING fails with TP_E_KERNEL. `ret_why` receives one line for
// -v: the name of the engine, and the reason why it is not the other one. Copies `cfg` and `host`;
// host->ctx must outlive the engine. Also fails with TP_E_MEMORY.
int tp_source_create(enum tp_io_kind kind, const struct tp_source_config *cfg,
                     const struct tp_source_host *host, struct tp_source **ret_src,
                     char ret_why[TP_SOURCE_WHY_BYTES], struct tp_error *err) TP_MUST_USE;

// Starts the threads of an engine, with the arguments of its creation. A kernel may create rings
// and refuse to serve them: for TP_IO_AUTO, *src and the text `why` are then replaced by those of
// a pread engine. Fails as tp_source_create does; *src is then destroyed and NULL.
int tp_source_start(enum tp_io_kind kind, const struct tp_source_config *cfg,
                    const struct tp_source_host *host, struct tp_source **src,
                    char why[TP_SOURCE_WHY_BYTES], struct tp_error *err) TP_MUST_USE;

// Starts to read a file; never blocks or fails. At most max_files may be added and not yet ended,
// which is asserted. The caller keeps `f` alive until `ended` returns. Any thread.
void tp_source_add(struct tp_source *src, struct tp_source_file *f);

// Tells the engine that `take` may succeed again, or that a file was cancelled. Any thread; cheap
// if no file waits; never blocks or fails.
void tp_source_kick(struct tp_source *src);

// Joins the threads and frees the engine. Every added file must have ended (cancel them
// first). NULL is fine.
void tp_source_destroy(struct tp_source *src);

#endif
