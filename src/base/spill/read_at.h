// Reads a file at any offset, without using or moving the file position.
#ifndef TP_BASE_SPILL_READ_AT_H
#define TP_BASE_SPILL_READ_AT_H

#include <stddef.h>
#include <stdint.h>

// Reads `len_bytes` bytes, and goes on after a short or interrupted read. Returns the number of
// bytes read. If it is less, *ret_errno is the errno of the failure, or 0 at the end of the file.
// Blocks. Any thread.
size_t tp_read_at(int fd, uint64_t offset, unsigned char *to, size_t len_bytes, int *ret_errno);

#endif
