#include "base/spill/read_at.h"

#include <errno.h>
#include <unistd.h>

size_t tp_read_at(int fd, uint64_t offset, unsigned char *to, size_t len_bytes, int *ret_errno)
{
    size_t done = 0;
    *ret_errno = 0;
    while (done < len_bytes) {
        ssize_t n = pread(fd, to + done, len_bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            *ret_errno = n < 0 ? errno : 0;
            break;
        }
        done += (size_t)n;
    }
    return done;
}
