// The files of the io_uring engine: what each file waits for, the chunks being filled, and
// the chunks ready for delivery. One set of files per ring; only the ring's thread uses it.
// This unit knows nothing of liburing: it calls the tp_uring_submit_* functions below, and
// the ring calls tp_uring_complete.
//
//   file   NEW ─▶ OPENING ─▶ READING ─▶ ENDING (until nothing is in flight)
//   piece  one chunk being filled; a file's pieces are listed in file order and
//          finish in any order
//
// Only tp_uring_advance_ready calls the host. tp_uring_complete only changes state and makes
// the file ready, so the ring may reap completions at any time, even while it prepares a
// request.
#ifndef TP_IO_URING_FILE_H
#define TP_IO_URING_FILE_H

#include "io/source.h"

struct tp_uring_ring; // in source_uring.c
struct tp_uring_file;

// Kinds of requests to the kernel.
enum tp_uring_req_kind {
    TP_URING_REQ_WAKE,
    TP_URING_REQ_OPEN,
    TP_URING_REQ_POLL,
    TP_URING_REQ_END_PROBE,
    TP_URING_REQ_READ
};

// A request. The kernel holds its address while it is in flight, so it must not move.
struct tp_uring_req {
    enum tp_uring_req_kind kind;
    bool in_flight;
    struct tp_uring_file *file; // NULL for WAKE
};

// A chunk that reads fill.
struct tp_uring_piece {
    struct tp_uring_req req; // first: a READ is cast to its piece
    struct tp_chunk *chunk;
    uint64_t offset;   // in the stream
    size_t want_bytes; // upper limit
    size_t got_bytes;  // read so far
    bool finished; // full, at the end of the file, failed, or (of a stream) some bytes came
    bool at_end;   // a read found the end of the file
    int sys_errno; // errno of the failed read; 0: none failed
    bool kernel_writes; // the ring broke during the read: the chunk is never released
    struct tp_uring_piece *next;
};

// States of a file, in the order of the diagram above.
enum tp_uring_state {
    TP_URING_FILE_NEW,
    TP_URING_FILE_OPENING,
    TP_URING_FILE_READING,
    TP_URING_FILE_ENDING
};

// The list that a file is in, or the state of being in none: READY files can advance, PARKED files
// wait for a kick.
enum tp_uring_queue { TP_URING_QUEUE_NONE, TP_URING_QUEUE_READY, TP_URING_QUEUE_PARKED };

// A file that the ring reads. Lies in the table of its struct tp_uring_files.
struct tp_uring_file {
    struct tp_source_file *pub; // the host's struct of the file
    enum tp_uring_state state;
    enum tp_uring_queue queue;
    struct tp_uring_req ctl; // the open, poll or end probe in flight; at most one is
    int fd;
    int open_flags;
    uint64_t start;       // position in the file where the stream begins
    uint64_t next_offset; // of the next piece, in the stream
    uint64_t known_bytes; // expected length of the stream
    bool readable;        // a stream: poll has reported that a read will not block
    bool force_async;     // the kernel returned EAGAIN for a file that can seek
    bool cancel_sent;
    unsigned tries;       // reads in a row that failed
    unsigned char beyond; // the byte that the end probe reads
    struct tp_uring_piece *first;
    struct tp_uring_piece **last;
    unsigned piece_count;
    unsigned reads_in_flight;
    // How the file ends: 0 without an error, or TP_E_OPEN or TP_E_READ.
    int code;
    int sys_errno;
    uint64_t error_offset; // place of the error in the stream; TP_NO_OFFSET for TP_E_OPEN
    struct tp_uring_file *ready_prev, *ready_next;
    struct tp_uring_file *active_prev, *active_next; // also the list of idle files
};

// All files of one ring.
struct tp_uring_files {
    struct tp_uring_ring *ring;
    const struct tp_source_host *host;
    unsigned reads_per_file;
    int ring_errno; // errno that broke the ring; 0: the ring works
    unsigned parked_count; // files that wait for a kick
    unsigned stream_count; // open files that cannot seek
    struct tp_uring_file *table; // memory of all files, owned
    struct tp_uring_file *idle;  // files of the table that are not in use
    struct tp_uring_file *active_first, *active_last; // in the order of adding
    struct tp_uring_file *ready_first, *ready_last; // ascending by rank
    struct tp_uring_piece *piece_table; // memory of all pieces, owned
    struct tp_uring_piece *free_pieces; // pieces of the table that are not in use
};

// ---- uring_file.c -----------------------------------------------------------

// Makes an empty set for at most `max_files` files and `max_pieces` pieces. Borrows the ring and
// the host until fini. Fails with TP_E_MEMORY only; fini accepts a zeroed or half-built object. No
// other function fails.
int tp_uring_files_init(struct tp_uring_files *fs, struct tp_uring_ring *ring,
                        const struct tp_source_host *host, unsigned max_files,
                        unsigned reads_per_file, unsigned max_pieces,
                        struct tp_error *err) TP_MUST_USE;
// Frees all memory. Every file must have ended, which is asserted.
void tp_uring_files_fini(struct tp_uring_files *fs);

// Takes a file that the host has added, and makes it ready. Asserts that there are fewer than
// max_files. While no piece is free, files wait like those for which the host has no chunk.
void tp_uring_accept(struct tp_uring_files *fs, struct tp_source_file *pub);
// Notes that a request has ended with the kernel's result `res`. Never calls the host.
void tp_uring_complete(struct tp_uring_files *fs, struct tp_uring_req *req, int res);

// For a ring that broke: makes all requests in flight, and all later ones, fail with `sys_errno`.
// `kernel_writes`: the kernel may still write to the memory of the requests in flight.
void tp_uring_fail_all(struct tp_uring_files *fs, int sys_errno, bool kernel_writes);

// Advances every ready file as far as possible, files of lower rank first. Calls the host.
void tp_uring_advance_ready(struct tp_uring_files *fs);

// Call after a kick: makes parked files ask for a chunk again, and cancelled streams stop waiting.
// Has an effect only while tp_uring_cares_for_kicks returns true.
void tp_uring_look_around(struct tp_uring_files *fs);
// Returns whether a kick has to be acted on: whether there is a parked file or a stream.
bool tp_uring_cares_for_kicks(const struct tp_uring_files *fs);

// ---- source_uring.c ---------------------------------------------------------
// These functions prepare requests, which the ring sends with its next io_uring_enter. Their
// arguments are borrowed until tp_uring_complete gets the request. On a broken ring a request
// completes at once, with an error.

// Opens the file, with its `ctl` request.
void tp_uring_submit_open(struct tp_uring_ring *r, struct tp_uring_file *f);
// Waits for readable bytes of a stream, with the file's `ctl` request.
void tp_uring_submit_poll(struct tp_uring_ring *r, struct tp_uring_file *f);
// Reads one byte at the known end of the file, with its `ctl` request.
void tp_uring_submit_end_probe(struct tp_uring_ring *r, struct tp_uring_file *f);
// Reads the rest of a piece.
void tp_uring_submit_read(struct tp_uring_ring *r, struct tp_uring_file *f,
                          struct tp_uring_piece *p);
// Cancels a request in flight. That request still completes; the cancel itself reports nothing.
void tp_uring_submit_cancel(struct tp_uring_ring *r, struct tp_uring_req *victim);
// Closes a descriptor, and reports nothing.
void tp_uring_submit_close(struct tp_uring_ring *r, int fd);

// Kicks all rings, this one included: a chunk may be free for a file of any ring.
void tp_uring_kick_all(struct tp_uring_ring *r);

#endif
