// Code that both engines share, so that they treat a file alike and report the same messages.
// Only source.c and the engines include this header.
#ifndef TP_IO_SOURCE_ENGINE_H
#define TP_IO_SOURCE_ENGINE_H

#include <fcntl.h>
#include <pthread.h>

#include "io/source.h"

// O_NONBLOCK keeps the open of a FIFO from waiting for a writer, which no cancel
// could end. An open that answers EAGAIN (a lease is being broken) is repeated
// without it.
#define TP_SOURCE_OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

// Limit of a single read request. A test makes it small, so that every read is short.
#ifndef TP_SOURCE_READ_MAX_BYTES
#define TP_SOURCE_READ_MAX_BYTES ((size_t)1 << 30)
#endif

// Calls fstat and fills the members of `f` that the engine must write before the first
// callback. *ret_start is the position in the file where the stream begins: 0, or the
// position of a given descriptor. Returns 0 or the errno that makes the file unreadable
// (EISDIR and others).
int tp_source_inspect(struct tp_source_file *f, int fd, uint64_t *ret_start) TP_MUST_USE;

// Fills TP_E_OPEN about this file; TP_E_KERNEL if the machine lacks descriptors or memory.
void tp_source_open_error(const struct tp_source_file *f, int sys_errno, struct tp_error *ret_err);
// As tp_source_open_error, with TP_E_READ. `offset` counts from the start of the stream.
void tp_source_read_error(const struct tp_source_file *f, int sys_errno, uint64_t offset,
                          struct tp_error *ret_err);

// Starts a thread that blocks all signals: they belong to the host's threads. The caller
// joins it. Fails with TP_E_KERNEL.
int tp_source_start_thread(pthread_t *ret_thread, const char *name, void *(*body)(void *),
                           void *arg, struct tp_error *err) TP_MUST_USE;

// Makes an eventfd on which reads block; the caller closes it. -1 with `err` on failure.
int tp_source_make_wake_fd(struct tp_error *err) TP_MUST_USE;
// Wakes the thread that reads or polls the eventfd. Never blocks; any thread.
void tp_source_ring_wake_fd(int wake_fd);

#endif
