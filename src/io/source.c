#include "io/source.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/source_engine.h"

static int create_uring(const struct tp_source_config *cfg, const struct tp_source_host *host,
                        struct tp_source **ret_src, struct tp_error *err)
{
#ifdef TP_WITH_URING
    return tp_source_uring.create(cfg, host, ret_src, err);
#else
    (void)cfg, (void)host, (void)ret_src;
    return tp_fail(err, TP_E_KERNEL, "this program was built without io_uring");
#endif
}

// Creates the pread engine if io_uring, which has failed with `refused`, was not asked for by name;
// else fails as io_uring did.
static int do_without(enum tp_io_kind kind, const struct tp_source_config *cfg,
                      const struct tp_source_host *host, const struct tp_error *refused,
                      struct tp_source **ret_src, char ret_why[TP_SOURCE_WHY_BYTES],
                      struct tp_error *err)
{
    if (refused->code == TP_E_KERNEL && kind == TP_IO_AUTO) {
        snprintf(ret_why, TP_SOURCE_WHY_BYTES, "pread, because of %.120s", refused->text);
        return tp_source_pread.create(cfg, host, ret_src, err);
    }
    if (err != NULL)
        *err = *refused;
    if (err != NULL && refused->code == TP_E_KERNEL)
        snprintf(err->text, sizeof err->text, "%.160s (--io auto does without io_uring)",
                 refused->text);
    return refused->code;
}

int tp_source_create(enum tp_io_kind kind, const struct tp_source_config *cfg,
                     const struct tp_source_host *host, struct tp_source **ret_src,
                     char ret_why[TP_SOURCE_WHY_BYTES], struct tp_error *err)
{
    assert(cfg->chunk_bytes > 0 && cfg->reads_per_file > 0 && cfg->max_files > 0 &&
           cfg->threads > 0);
    if (kind == TP_IO_PREAD) {
        snprintf(ret_why, TP_SOURCE_WHY_BYTES, "pread, as requested");
        return tp_source_pread.create(cfg, host, ret_src, err);
    }
    struct tp_error refused = {0};
    int rc = create_uring(cfg, host, ret_src, &refused);
    if (rc != 0)
        return do_without(kind, cfg, host, &refused, ret_src, ret_why, err);
    snprintf(ret_why, TP_SOURCE_WHY_BYTES, "io_uring");
    return 0;
}

int tp_source_start(enum tp_io_kind kind, const struct tp_source_config *cfg,
                    const struct tp_source_host *host, struct tp_source **src,
                    char why[TP_SOURCE_WHY_BYTES], struct tp_error *err)
{
    struct tp_error refused = {0};
    bool is_pread = (*src)->ops == &tp_source_pread;
    int rc = (*src)->ops->start(*src, is_pread ? err : &refused);
    if (rc == 0)
        return 0;
    tp_source_destroy(*src);
    *src = NULL;
    if (is_pread)
        return rc;
    rc = do_without(kind, cfg, host, &refused, src, why, err);
    return rc != 0 ? rc : tp_source_start(TP_IO_PREAD, cfg, host, src, why, err);
}

void tp_source_add(struct tp_source *src, struct tp_source_file *f)
{
    src->ops->add(src, f);
}

void tp_source_kick(struct tp_source *src)
{
    src->ops->kick(src);
}

void tp_source_destroy(struct tp_source *src)
{
    if (src != NULL)
        src->ops->destroy(src);
}

int tp_source_inspect(struct tp_source_file *f, int fd, uint64_t *ret_start)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    // Some character devices accept lseek and then ignore it, and some regular
    // files of the kernel's own file systems refuse it.
    off_t at = S_ISREG(st.st_mode) || S_ISBLK(st.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
    f->seekable = at >= 0;
    f->stat_bytes = S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    *ret_start = at >= 0 ? (uint64_t)at : 0;
    return 0;
}

void tp_source_error(const struct tp_source_file *f, int code, int sys_errno, uint64_t offset,
                     struct tp_error *ret_err)
{
    bool is_of_machine = sys_errno == EMFILE || sys_errno == ENFILE || sys_errno == ENOMEM;
    tp_fail_errno(ret_err, is_of_machine ? TP_E_KERNEL : code, sys_errno,
                  code == TP_E_OPEN ? "cannot open" : "cannot read");
    ret_err->offset = offset;
    ret_err->path = f->path;
}

bool tp_source_tries_again(int sys_errno, unsigned *tries)
{
    enum { TRIES_MOST = 3, FIRST_PAUSE_NS = 1000 * 1000 };
    long pause_ns = FIRST_PAUSE_NS;
    bool may_pass = sys_errno == EIO || sys_errno == ETIMEDOUT || sys_errno == EREMOTEIO ||
                    sys_errno == ENOBUFS || sys_errno == EBUSY;
    if (!may_pass || *tries == TRIES_MOST)
        return false;
    for (unsigned i = 0; i < *tries; i++)
        pause_ns *= 10;
    nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    ++*tries;
    return true;
}

int tp_source_start_thread(pthread_t *ret_thread, void *(*body)(void *), void *arg,
                           struct tp_error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(ret_thread, NULL, body, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0)
        return tp_fail_errno(err, TP_E_KERNEL, rc, "cannot start a thread for reading");
    return 0;
}

int tp_source_make_wake_fd(struct tp_error *err)
{
    int fd = eventfd(0, EFD_CLOEXEC);
    if (fd < 0)
        tp_fail_errno(err, TP_E_KERNEL, errno, "eventfd");
    return fd;
}

void tp_source_ring_wake_fd(int wake_fd)
{
    uint64_t one = 1;
    ssize_t n;
    do {
        n = write(wake_fd, &one, sizeof one);
    } while (n < 0 && errno == EINTR);
    // The write could only block at the counter's maximum. Each wake drains the counter, so
    // it never comes near.
    assert(n == (ssize_t)sizeof one);
}
