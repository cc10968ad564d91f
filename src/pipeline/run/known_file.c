#include "pipeline/run/known_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/spill/read_at.h"
#include "pipeline/commit/overlap.h"
#include "pipeline/run/run_life.h"

static int parse(struct tp_run *run, struct tp_span bytes, struct tp_error *err)
{
    const char *path = tp_overlap_shown(run->settings.known);
    struct tp_error why;
    tp_news_entries_fini(&run->life->news.entries);
    int rc = tp_news_read(&run->life->news.entries, bytes, run->settings.group, &why);
    return rc == 0 ? 0 : tp_fail(err, rc, "--known '%s': %s", path, why.text);
}

static int read_open(struct tp_run *run, int fd, struct tp_error *err)
{
    const char *path = tp_overlap_shown(run->settings.known);
    struct stat st;
    int sys_errno = 0;
    if (fstat(fd, &st) != 0)
        return tp_fail_errno(err, TP_E_KERNEL, errno, "cannot read '%s'", path);
    if ((uint64_t)st.st_size > TP_NEWS_FILE_MAX_BYTES)
        return tp_fail(err, TP_E_USAGE, "--known '%s' is larger than any such file", path);
    size_t len_bytes = (size_t)st.st_size;
    unsigned char *bytes = tp_alloc(len_bytes + 1);
    if (bytes == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for '%s'", path);
    int rc = tp_read_at(fd, 0, bytes, len_bytes, &sys_errno) == len_bytes
                 ? parse(run, tp_span_of(bytes, len_bytes), err)
                 : tp_fail_errno(err, TP_E_KERNEL, sys_errno != 0 ? sys_errno : EIO, "cannot read '%s'", path);
    tp_free(bytes);
    return rc;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int tp_known_file_plan(struct tp_run *run, struct tp_error *err)
{
    const char *path = run->settings.known;
    struct tp_input_list *l = &run->inputs;
    struct stat its, st;
    uint32_t kept = 0;
    if (path != NULL && strcmp(path, "-") == 0)
        return tp_fail(err, TP_E_USAGE, "--known needs a file, not standard output");
    if (path == NULL || lstat(path, &its) != 0)
        return 0;
    // A rename would replace what leads to the file, or to a device.
    if (!S_ISREG(its.st_mode))
        return tp_fail(err, TP_E_USAGE, "--known '%s' is not a regular file", tp_overlap_shown(path));
    for (uint32_t i = 0; i < l->count; i++) {
        const struct tp_input *input = &l->items[i];
        bool is_it = input->is_found && strcmp(name_of(input->path), name_of(path)) == 0 &&
                     lstat(input->path, &st) == 0 && st.st_dev == its.st_dev && st.st_ino == its.st_ino;
        if (is_it)
            tp_free(input->path);
        else
            l->items[kept++] = *input;
    }
    l->count = kept;
    return 0;
}

int tp_known_file_read(struct tp_run *run, struct tp_error *err)
{
    const char *path = run->settings.known;
    if (path == NULL)
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0)
        return tp_fail_errno(err, TP_E_KERNEL, errno, "cannot open '%s'", tp_overlap_shown(path));
    int rc = read_open(run, fd, err);
    close(fd);
    return rc;
}

void tp_known_file_begin(struct tp_run *run)
{
    struct tp_error err;
    const char *path = run->settings.known;
    if (path != NULL && tp_output_open(run, path, 0, true, &run->life->known, &err) != 0)
        tp_run_fail(run, &err);
}

// Warns if silence does not mean that no host differs.
static void say_not_compared(struct tp_run *run)
{
    uint32_t count = run->life->news.host_count;
    if (run->settings.group[0] == '\0' || run->life->news.are_compared)
        return;
    if (count >= TP_HOSTS_LEAST)
        tp_run_message(run, TP_MSG_WARNING, "hosts are not compared: fewer than half of them share a task, a region or "
                       "a function that waits");
    else
        tp_run_message(run, TP_MSG_WARNING, "%" PRIu32 " host%s analysed: fewer than %d are not compared", count,
                       count == 1 ? " was" : "s were", TP_HOSTS_LEAST);
}

void tp_known_file_end(struct tp_run *run)
{
    struct tp_outfile *out = run->life->known;
    const struct tp_buf *next = &run->life->news.next;
    struct tp_error err;
    run->life->known = NULL;
    if (tp_run_is_stopping(run) || atomic_load(&run->outcome.ends_pipes)) {
        tp_out_abandon(out);
        return;
    }
    if (out == NULL)
        return;
    int rc = tp_out_write(out, next->ptr, next->len_bytes, &err);
    if (rc == 0)
        rc = tp_out_commit(out, &err);
    else
        tp_out_abandon(out);
    if (rc != 0)
        tp_run_fail(run, &err);
    say_not_compared(run);
}

void tp_known_file_fini(struct tp_run *run)
{
    tp_news_entries_fini(&run->life->news.entries);
    tp_buf_fini(&run->life->news.next);
    tp_out_abandon(run->life->known);
}
