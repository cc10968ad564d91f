// Code that both engines share, so that they treat a file alike and report the same messages.
// Only source.c and the engines include this header.
#ifndef TP_IO_SOURCE_ENGINE_H
#define TP_IO_SOURCE_ENGINE_H

#include <fcntl.h>
#include <pthread.h>

#include "io/source.h"

// Flags for the opening of inputs. O_NONBLOCK keeps the open of a FIFO from waiting for a writer,
// because no cancel could end that wait. If an open with O_NONBLOCK fails with EAGAIN, because
// another process holds a lease on the file, it is repeated without the flag.
#define TP_SOURCE_OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

// Limit of a single read request. A test makes it small, so that every read is short.
#ifndef TP_SOURCE_READ_MAX_BYTES
#define TP_SOURCE_READ_MAX_BYTES ((size_t)1 << 30)
#endif

// Calls fstat and fills the members of `f` that the engine must write before the first
// callback. *ret_start becomes the position in the file where the stream begins: 0, or the
// position of a given descriptor. Returns 0, or the errno that makes the file unreadable (such as
// EISDIR). Blocks.
int tp_source_inspect(struct tp_source_file *f, int fd, uint64_t *ret_start) TP_MUST_USE;

// Fills *ret_err with `code`, which is TP_E_OPEN or TP_E_READ, about this file; with TP_E_KERNEL if
// `sys_errno` says that the machine lacks descriptors or memory, which is no fault of the file.
// `offset` counts from the beginning of the stream; TP_NO_OFFSET: none. The error borrows f->path.
void tp_source_error(const struct tp_source_file *f, int code, int sys_errno, uint64_t offset,
                     struct tp_error *ret_err);

// Returns whether a failed read of a file is to be tried again, because its cause may pass: a network or
// a user-space file system that has no answer just now. Then waits first, ten times as long each time,
// and counts in *tries; three tries in a row that fail are the end. A read that succeeds sets *tries to 0.
bool tp_source_tries_again(int sys_errno, unsigned *tries) TP_MUST_USE;

// Starts a thread that blocks all signals, because signals belong to the host's threads. The
// caller joins the thread. Fails with TP_E_KERNEL; there is no thread then. The thread gives itself
// its name: to name another one means to write a file of /proc, which a sandbox refuses.
int tp_source_start_thread(pthread_t *ret_thread, void *(*body)(void *), void *arg,
                           struct tp_error *err) TP_MUST_USE;

// Creates an eventfd on which reads block, and returns it; the caller closes it. On failure returns
// -1 and fills `err`.
int tp_source_make_wake_fd(struct tp_error *err) TP_MUST_USE;
// Wakes the thread that reads or polls the eventfd. Never blocks or fails; any thread.
void tp_source_ring_wake_fd(int wake_fd);

#endif
