#include "pipeline/read/reread_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/spill/read_at.h"
#include "pipeline/core/state.h"

// Smaller files are read once, through memory already in use, which costs less than reading them
// again.
#define LEAST_BYTES TP_MIB(1)

static bool does_reread_pay(const struct tp_input_run *in, uint64_t file_bytes)
{
    int reread = in->run->settings.reread;
    return reread == TP_REREAD_ALWAYS || (reread == TP_REREAD_AUTO && file_bytes >= LEAST_BYTES);
}

static bool is_wanted(const struct tp_input_run *in, uint64_t file_bytes)
{
    return tp_window_is_wished(&in->run->settings.window) || does_reread_pay(in, file_bytes);
}

static bool is_regular(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_size > 0;
}

void tp_reread_file_open(struct tp_input_run *in)
{
    struct stat st;
    const char *path = in->input->path;
    // A pipe must not be opened twice: its writer would see a reader leave.
    if (in->ordering == NULL || in->input->is_stdin || stat(path, &st) != 0 || !is_regular(&st) ||
        !is_wanted(in, (uint64_t)st.st_size))
        return;
    // The path may name another kind of file by now, and open() must not block on it.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return;
    if (fstat(fd, &st) != 0 || !is_regular(&st) || fcntl(fd, F_SETFL, 0) != 0) {
        close(fd);
        return;
    }
    in->file.given_fd = in->reread_fd = fd;
    in->reread_bytes = (uint64_t)st.st_size;
}

void tp_reread_file_close(struct tp_input_run *in)
{
    if (in->reread_fd >= 0)
        close(in->reread_fd);
    in->reread_fd = -1;
}

bool tp_reread_file_has_stream(const struct tp_input_run *in)
{
    const struct tp_stream *s = &in->stream;
    return in->reread_fd >= 0 && s->codec == TP_CODEC_PLAIN && !s->is_text &&
           does_reread_pay(in, in->reread_bytes);
}

int tp_reread_file_read(const struct tp_input_run *in, uint64_t offset, unsigned char *to,
                        size_t len_bytes, struct tp_error *err)
{
    int sys_errno;
    size_t done_bytes = tp_read_at(in->reread_fd, offset, to, len_bytes, &sys_errno);
    if (done_bytes == len_bytes)
        return 0;
    // A lack of memory is no fault of the file.
    if (sys_errno != 0)
        tp_fail_errno(err, sys_errno == ENOMEM ? TP_E_KERNEL : TP_E_READ, sys_errno, "cannot read");
    else
        tp_fail(err, TP_E_READ, "the file has become shorter meanwhile");
    err->offset = offset + done_bytes;
    return err->code;
}

bool tp_reread_file_seek(struct tp_input_run *in, uint64_t offset)
{
    in->engine_begin = offset;
    return lseek(in->reread_fd, (off_t)offset, SEEK_SET) >= 0;
}
