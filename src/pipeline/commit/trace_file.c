#include "pipeline/commit/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "decode/decoder.h"
#include "io/inflate.h"
#include "pipeline/commit/overlap.h"

#define PIECE_BYTES 4096

// A file from its beginning, decompressed.
struct head {
    int fd;
    unsigned char stored[PIECE_BYTES];
    struct tp_span in; // stored bytes that were read and not decompressed
    bool is_read;      // `in` goes to the end of the file
    struct tp_buf plain;
};

// Reads the next stored bytes, fewer than a piece only at the end of the file. Returns an errno or
// 0.
static int read_piece(struct head *h)
{
    size_t len_bytes = 0;
    while (len_bytes < PIECE_BYTES) {
        ssize_t n = read(h->fd, h->stored + len_bytes, PIECE_BYTES - len_bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            break;
        len_bytes += (size_t)n;
    }
    h->is_read = len_bytes < PIECE_BYTES;
    h->in = tp_span_of(h->stored, len_bytes);
    return 0;
}

// Decompresses until `plain` is full, the file ends or is damaged. Returns an errno, or 0.
static int inflate(struct head *h, struct tp_inflate *inf)
{
    bool is_done = false;
    int sys_errno = 0;
    while (sys_errno == 0 && !is_done && tp_buf_room(&h->plain) > 0) {
        if (tp_inflate_step(inf, &h->in, h->is_read, &h->plain, &is_done, NULL) != 0)
            break;
        if (h->in.len_bytes == 0 && !h->is_read)
            sys_errno = read_piece(h);
    }
    return sys_errno;
}

// Sets h->plain to the first plain bytes of the open file. Returns an errno, or 0.
static int read_head(struct head *h, size_t inflate_bytes)
{
    struct tp_inflate *inf;
    struct tp_error err;
    if (!tp_buf_init(&h->plain, TP_FORMAT_HEADER_MAX_BYTES))
        return ENOMEM;
    int sys_errno = read_piece(h);
    enum tp_codec codec = sys_errno == 0 ? tp_codec_detect(h->in) : TP_CODEC_PLAIN;
    if (sys_errno != 0)
        return sys_errno;
    if (codec == TP_CODEC_PLAIN) {
        h->plain.len_bytes = h->in.len_bytes < h->plain.max_bytes ? h->in.len_bytes
                                                                  : h->plain.max_bytes;
        memcpy(h->plain.ptr, h->in.ptr, h->plain.len_bytes);
        return 0;
    }
    int rc = tp_inflate_create(codec, inflate_bytes, &inf, &err);
    if (rc != 0)
        return rc == TP_E_MEMORY ? ENOMEM : 0;
    sys_errno = inflate(h, inf);
    tp_inflate_destroy(inf);
    return sys_errno;
}

int tp_trace_file_refuse(const char *path, size_t inflate_bytes, struct tp_error *err)
{
    struct tp_format f = {.decoder = &tp_decoder_none};
    struct head h = {.fd = open(path, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)};
    int sys_errno = h.fd < 0 ? errno : read_head(&h, inflate_bytes);
    if (sys_errno == 0)
        (void)tp_format_detect(tp_span_of(h.plain.ptr, h.plain.len_bytes), true, &f);
    tp_buf_fini(&h.plain);
    if (h.fd >= 0)
        close(h.fd);
    const char *shown = tp_overlap_shown(path);
    if (sys_errno == ENOMEM)
        return tp_fail(err, TP_E_MEMORY, "out of memory for output names");
    if (sys_errno != 0)
        return tp_fail_errno(err, TP_E_EXISTS, sys_errno,
                             "'%s' exists and may be a trace: cannot read it", shown);
    if (!tp_format_is_trace(&f) && f.decoder != &tp_decoder_unknown)
        return 0;
    return tp_fail(err, TP_E_EXISTS, "'%s' is a trace, which only raw and zstd replace", shown);
}
