#include "io/reread_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/spill/read_at.h"

static bool is_regular(const struct stat *st, uint64_t least_bytes)
{
    return S_ISREG(st->st_mode) && st->st_size > 0 && (uint64_t)st->st_size >= least_bytes;
}

bool tp_reread_file_open(struct tp_reread_file *f, const char *path, uint64_t least_bytes)
{
    struct stat st;
    f->fd = -1;
    // Test with stat first: a pipe must not be opened here, because its writer would see this
    // reader leave.
    if (stat(path, &st) != 0 || !is_regular(&st, least_bytes))
        return false;
    // O_NONBLOCK: the path may name another kind of file by now, and open() must not block on it.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) != 0 || !is_regular(&st, 0) || fcntl(fd, F_SETFL, 0) != 0) {
        close(fd);
        return false;
    }
    *f = (struct tp_reread_file){fd, (uint64_t)st.st_size};
    return true;
}

void tp_reread_file_close(struct tp_reread_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

int tp_reread_file_read(const struct tp_reread_file *f, uint64_t offset, unsigned char *to,
                        size_t len_bytes, struct tp_error *err)
{
    int sys_errno;
    size_t done_bytes = tp_read_at(f->fd, offset, to, len_bytes, &sys_errno);
    if (done_bytes == len_bytes)
        return 0;
    // ENOMEM means that the kernel lacks memory, which is no fault of the file.
    if (sys_errno != 0)
        tp_fail_errno(err, sys_errno == ENOMEM ? TP_E_KERNEL : TP_E_READ, sys_errno, "cannot read");
    else
        tp_fail(err, TP_E_READ, "the file was truncated while it was read");
    err->offset = offset + done_bytes;
    return err->code;
}

void tp_reread_file_prefetch(const struct tp_reread_file *f, uint64_t offset, uint64_t len_bytes)
{
    (void)posix_fadvise(f->fd, (off_t)offset, (off_t)len_bytes, POSIX_FADV_WILLNEED);
}

void tp_reread_file_expect_jumps(const struct tp_reread_file *f, bool are_expected)
{
    (void)posix_fadvise(f->fd, 0, 0, are_expected ? POSIX_FADV_RANDOM : POSIX_FADV_NORMAL);
}
