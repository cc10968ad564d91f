#include "io/file_digest.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define READ_BYTES TP_KIB(256)
#define OPEN_FLAGS (O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

bool tp_is_regular(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int read_into(struct tp_digest *d, int fd, unsigned char *buf)
{
    for (;;) {
        ssize_t got = read(fd, buf, READ_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 ? 0 : errno;
        tp_digest_add(d, tp_span_of(buf, (size_t)got));
    }
}

// Computes the digest of an open file, and closes it. `fd` is -1 with errno if it could not be opened.
static int digest_and_close(int fd, char ret_text[TP_DIGEST_TEXT_BYTES])
{
    if (fd < 0)
        return errno;
    struct tp_digest *d = tp_digest_create();
    unsigned char *buf = tp_alloc(READ_BYTES);
    int sys_errno = d != NULL && buf != NULL ? read_into(d, fd, buf) : ENOMEM;
    if (sys_errno == 0)
        tp_digest_text(d, ret_text);
    tp_free(buf);
    tp_digest_destroy(d);
    close(fd);
    return sys_errno;
}

int tp_file_digest(const char *path, char ret_text[TP_DIGEST_TEXT_BYTES])
{
    return digest_and_close(open(path, OPEN_FLAGS), ret_text);
}

int tp_file_digest_stored(int folder_fd, const char *name, char ret_text[TP_DIGEST_TEXT_BYTES])
{
    int fd = openat(folder_fd, name, OPEN_FLAGS);
    if (fd >= 0)
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return digest_and_close(fd, ret_text);
}
