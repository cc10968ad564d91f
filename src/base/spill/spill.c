#include "base/spill/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/spill/read_at.h"

#define FOLDER_MAX_BYTES 4000

const char *tp_spill_folder(void)
{
    const char *name = getenv("TMPDIR");
    return name != NULL && name[0] != '\0' && strlen(name) < FOLDER_MAX_BYTES ? name : "/tmp";
}

// For file systems without O_TMPFILE: creates a file and removes its name at once.
static int open_named(void)
{
    char path[FOLDER_MAX_BYTES + 32];
    snprintf(path, sizeof path, "%s/tracepipe-XXXXXX", tp_spill_folder());
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static int make_file(struct tp_spill *s, struct tp_error *err)
{
    int fd = open(tp_spill_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        fd = open_named();
    if (fd < 0)
        return tp_fail_errno(err, TP_E_WRITE, errno, "cannot create a temporary file in %s",
                             tp_spill_folder());
    s->fd = fd;
    s->has_file = true;
    return 0;
}

int tp_spill_append(struct tp_spill *s, struct tp_span bytes, uint64_t *ret_offset,
                    struct tp_error *err)
{
    if (!s->has_file) {
        int rc = make_file(s, err);
        if (rc != 0)
            return rc;
    }
    uint64_t begin = s->len_bytes;
    while (bytes.len_bytes > 0) {
        ssize_t n = pwrite(s->fd, bytes.ptr, bytes.len_bytes, (off_t)s->len_bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return tp_fail_errno(err, TP_E_WRITE, n < 0 ? errno : ENOSPC,
                                 "cannot write a temporary file in %s", tp_spill_folder());
        bytes = tp_span_skip(bytes, (size_t)n);
        s->len_bytes += (uint64_t)n;
    }
    *ret_offset = begin;
    return 0;
}

int tp_spill_read(const struct tp_spill *s, uint64_t offset, unsigned char *to, size_t len_bytes,
                  struct tp_error *err)
{
    int sys_errno;
    if (tp_read_at(s->fd, offset, to, len_bytes, &sys_errno) == len_bytes)
        return 0;
    return tp_fail_errno(err, TP_E_KERNEL, sys_errno != 0 ? sys_errno : EIO,
                         "cannot read a temporary file back");
}

void tp_spill_fini(struct tp_spill *s)
{
    if (s->has_file)
        close(s->fd);
    *s = (struct tp_spill){0};
}
