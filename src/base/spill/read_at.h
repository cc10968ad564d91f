// Reads of a file at any place, which the file's position has nothing to do with.
#ifndef TP_BASE_SPILL_READ_AT_H
#define TP_BASE_SPILL_READ_AT_H

#include <stddef.h>
#include <stdint.h>

// Goes on where a read was short or interrupted. How many bytes there are now; if fewer, *ret_errno
// says why, and 0 that the file ends there.
size_t tp_read_at(int fd, uint64_t offset, unsigned char *to, size_t len_bytes, int *ret_errno);

#endif
