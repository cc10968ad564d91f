// What the io_uring engine knows about its files: which wait for what, which
// chunks are being filled, what may be delivered. One set of files per ring,
// used by the ring's thread only. Knows nothing of liburing: it asks for
// requests by name, and hears of their completion.
//
//   file   NEW ─▶ OPENING ─▶ READING ─▶ ENDING (until nothing is in flight)
//   piece  one chunk being filled; a file's pieces are listed in file order and
//          finish in any order
//
// Only tp_uring_advance_ready calls the host. tp_uring_complete just marks state
// and makes the file ready, so completions may be reaped at any time, even in
// the middle of preparing a request.
#ifndef TP_IO_URING_FILE_H
#define TP_IO_URING_FILE_H

#include "io/source.h"

struct tp_uring_ring;
struct tp_uring_file;

enum tp_uring_req_kind {
    TP_URING_REQ_WAKE,
    TP_URING_REQ_OPEN,
    TP_URING_REQ_POLL,
    TP_URING_REQ_END_PROBE,
    TP_URING_REQ_READ
};

struct tp_uring_req {
    enum tp_uring_req_kind kind;
    bool in_flight;
    struct tp_uring_file *file; // NULL for WAKE
};

struct tp_uring_piece {
    struct tp_uring_req req; // first: a READ is cast to its piece
    struct tp_chunk *chunk;
    uint64_t offset; // in the stream
    size_t want_bytes; // at most
    size_t got_bytes;
    bool finished; // full, at the end, failed, or (streams) something came
    bool at_end;
    int sys_errno;
    bool kernel_writes; // the ring broke with its read under way: the chunk is never given back
    struct tp_uring_piece *next;
};

enum tp_uring_state {
    TP_URING_FILE_NEW,
    TP_URING_FILE_OPENING,
    TP_URING_FILE_READING,
    TP_URING_FILE_ENDING
};

enum tp_uring_queue { TP_URING_QUEUE_NONE, TP_URING_QUEUE_READY, TP_URING_QUEUE_PARKED };

struct tp_uring_file {
    struct tp_source_file *pub;
    enum tp_uring_state state;
    enum tp_uring_queue queue;
    struct tp_uring_req ctl; // open, poll or end probe: never two at once
    int fd;
    int open_flags;
    uint64_t start;       // position in the file where the stream begins
    uint64_t next_offset; // of the next piece, in the stream
    uint64_t known_bytes; // as far as the stream is believed to reach
    bool readable;        // a stream: poll said that a read will not wait
    bool force_async;     // the kernel said EAGAIN for a file that can seek
    bool cancel_sent;
    unsigned char beyond; // where the end probe reads to
    struct tp_uring_piece *first;
    struct tp_uring_piece **last;
    unsigned piece_count;
    unsigned reads_in_flight;
    // How it ends: 0, or TP_E_OPEN or TP_E_READ.
    int code;
    int sys_errno;
    uint64_t error_offset;
    struct tp_uring_file *ready_prev, *ready_next;
    struct tp_uring_file *active_prev, *active_next; // also the list of idle files
};

struct tp_uring_files {
    struct tp_uring_ring *ring;
    const struct tp_source_host *host;
    unsigned reads_per_file;
    int ring_errno; // why the ring broke; 0: it has not
    unsigned parked_count;
    unsigned stream_count; // open files that cannot seek
    struct tp_uring_file *table; // behind all lists of files
    struct tp_uring_file *idle;
    struct tp_uring_file *active_first, *active_last; // in the order of adding
    struct tp_uring_file *ready_first, *ready_last; // by rank
    struct tp_uring_piece *piece_table;
    struct tp_uring_piece *free_pieces;
};

// ---- uring_file.c -----------------------------------------------------------

// Borrows the host. TP_E_MEMORY is the only failure; fini accepts a zeroed or
// half-built object.
int tp_uring_files_init(struct tp_uring_files *fs, struct tp_uring_ring *ring,
                        const struct tp_source_host *host, unsigned max_files,
                        unsigned reads_per_file, unsigned max_pieces,
                        struct tp_error *err) TP_MUST_USE;
void tp_uring_files_fini(struct tp_uring_files *fs);

void tp_uring_accept(struct tp_uring_files *fs, struct tp_source_file *pub);
void tp_uring_complete(struct tp_uring_files *fs, struct tp_uring_req *req, int res);

// The ring broke: every request that is in flight has failed, and so will those to come.
// `kernel_writes`: the kernel may still write to the memory of those in flight.
void tp_uring_fail_all(struct tp_uring_files *fs, int sys_errno, bool kernel_writes);

// Does all that can be done now, files of lower rank first.
void tp_uring_advance_ready(struct tp_uring_files *fs);

// After a kick: parked files will ask for their chunk again, cancelled streams
// will stop waiting. Only worth a call while tp_uring_cares_for_kicks.
void tp_uring_look_around(struct tp_uring_files *fs);
bool tp_uring_cares_for_kicks(const struct tp_uring_files *fs);

// ---- source_uring.c: requests, prepared and sent with the next enter ---------
// On a broken ring they complete at once, with an error.

void tp_uring_submit_open(struct tp_uring_ring *r, struct tp_uring_file *f);
void tp_uring_submit_poll(struct tp_uring_ring *r, struct tp_uring_file *f);
void tp_uring_submit_end_probe(struct tp_uring_ring *r, struct tp_uring_file *f);
void tp_uring_submit_read(struct tp_uring_ring *r, struct tp_uring_file *f,
                          struct tp_uring_piece *p);
void tp_uring_submit_cancel(struct tp_uring_ring *r, struct tp_uring_req *victim);
void tp_uring_submit_close(struct tp_uring_ring *r, int fd);

// For whoever waits in any ring, this one included.
void tp_uring_kick_all(struct tp_uring_ring *r);

#endif
