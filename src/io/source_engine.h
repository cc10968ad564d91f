// What the engines have in common, so that both say the same words and treat
// the same file in the same way. Seen by source.c and the engines only.
#ifndef TP_IO_SOURCE_ENGINE_H
#define TP_IO_SOURCE_ENGINE_H

#include <fcntl.h>
#include <pthread.h>

#include "io/source.h"

// O_NONBLOCK keeps the open of a FIFO from waiting for a writer, which no cancel
// could end. An open that answers EAGAIN (a lease is being broken) is repeated
// without it.
#define TP_SOURCE_OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

// A single request never asks for more than this. A test makes it small, and so
// every read a short one.
#ifndef TP_SOURCE_READ_MAX_BYTES
#define TP_SOURCE_READ_MAX_BYTES ((size_t)1 << 30)
#endif

// Fills what the engine writes into `f`; `ret_start` is the position in the file
// where the stream begins (not 0 only for a given descriptor that was moved).
// Returns 0 or the errno that makes the file unreadable (EISDIR and others).
int tp_source_inspect(struct tp_source_file *f, int fd, uint64_t *ret_start) TP_MUST_USE;

// TP_E_OPEN and TP_E_READ of this file; `offset` counts from the stream's start.
void tp_source_open_error(const struct tp_source_file *f, int sys_errno, struct tp_error *ret_err);
void tp_source_read_error(const struct tp_source_file *f, int sys_errno, uint64_t offset,
                          struct tp_error *ret_err);

// Starts a thread that takes no signals: those belong to the host's threads.
int tp_source_start_thread(pthread_t *ret_thread, const char *name, void *(*body)(void *),
                           void *arg, struct tp_error *err) TP_MUST_USE;

// An eventfd that blocks when read; -1 on failure.
int tp_source_make_wake_fd(struct tp_error *err) TP_MUST_USE;
void tp_source_ring_wake_fd(int wake_fd);

#endif
