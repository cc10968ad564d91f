#include "pipeline/window_find.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode/spec.h"
#include "pipeline/state.h"

// The most that is looked at of one batch; no sync batch is longer.
#define PIECE_BYTES 256
// After this many batches it shows whether hopping is cheaper than reading: not if
// more than one byte in four is one of those looked at.
#define BATCHES_TO_TRY 1024
#define READ_SHARE_MAX 4

struct search {
    struct tp_input_run *in;
    int fd;
    uint64_t file_bytes;
    uint64_t piece_offset;
    size_t piece_bytes;
    struct tp_format format;
    struct tp_scan scan;
    uint64_t hop_count;
    struct tp_generation open;
    uint64_t last_frequency;
    struct tp_scan begin;    // where reading shall begin; offset 0: where the file does
    uint64_t begin_frequency; // of the generation before it
    uint64_t passed_count;   // generations before it
    bool is_inside;          // all this is settled
    uint64_t end_offset;     // where it shall end; 0: not found
    unsigned char piece[PIECE_BYTES];
};

// BYTES

static bool read_piece(struct search *s, uint64_t offset, size_t len_bytes)
{
    s->piece_offset = offset;
    s->piece_bytes = 0;
    while (s->piece_bytes < len_bytes) {
        ssize_t n = pread(s->fd, s->piece + s->piece_bytes, len_bytes - s->piece_bytes,
                          (off_t)(offset + s->piece_bytes));
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        s->piece_bytes += n > 0 ? (size_t)n : 0;
    }
    s->in->ordering->header_bytes += len_bytes;
    return true;
}

// The bytes at `offset`, which is never before that of the last call: `len_bytes`, or
// all up to the end of the file. None if they cannot be read; whoever reads the file
// then says why.
static struct tp_span peek(struct search *s, uint64_t offset, size_t len_bytes)
{
    uint64_t left_bytes = s->file_bytes - offset;
    if (len_bytes > left_bytes)
        len_bytes = (size_t)left_bytes;
    if (offset + len_bytes > s->piece_offset + s->piece_bytes &&
        !read_piece(s, offset, len_bytes))
        return tp_span_of(NULL, 0);
    return tp_span_of(s->piece + (offset - s->piece_offset), len_bytes);
}

// GENERATIONS

static bool has_end_marks(const struct search *s)
{
    return s->format.minor >= TP_FIRST_WITH_END_MARK;
}

// The open generation is complete, and `next` is where another may begin. False: all is
// known.
static bool judge(struct search *s, const struct tp_scan *next)
{
    struct tp_ordering *o = s->in->ordering;
    const struct tp_window_wish *wish = &s->in->run->settings.window;
    const struct tp_generation *g = &s->open;
    uint64_t frequency;
    struct tp_error err;
    if (tp_collect_clock(s->in, g, s->last_frequency, &frequency) == TP_CLOCK_OWN)
        s->last_frequency = frequency;
    if (!o->window.is_set && tp_window_resolve(wish, g, frequency, &o->window, &err) != 0)
        return false;
    if (tp_window_ends_before(&o->window, g, frequency)) {
        s->end_offset = g->begin_offset;
        return false;
    }
    // Without an end mark a file that still grows may go on with the same generation.
    bool is_over = has_end_marks(s) || next->offset < s->file_bytes;
    bool is_passed = !s->is_inside && !wish->is_exact && is_over &&
                     tp_window_begins_after(&o->window, g, frequency);
    if (is_passed) {
        s->begin = *next;
        s->begin_frequency = s->last_frequency;
        s->passed_count++;
    }
    s->is_inside = !is_passed;
    return is_passed || o->window.to_ns != INT64_MAX;
}

// What needs more than headers, and no sound trace has: an experiment without a number,
// an end mark as an event (see held.c, collect.c), a sync batch of many bytes.
static bool is_odd(const struct tp_extent *x, struct tp_span head)
{
    switch (x->batch_kind) {
    case TP_BATCH_EXPERIMENTAL: return head.ptr[1] == 0;
    case TP_BATCH_EVENTS:
        return x->len_bytes > x->header_bytes &&
               head.ptr[x->header_bytes] == TP_EV_EndOfGeneration;
    case TP_BATCH_SYNC: return x->len_bytes > PIECE_BYTES;
    default: return false;
    }
}

static bool add(struct search *s, const struct tp_extent *x, struct tp_span head)
{
    struct tp_error err;
    if (x->kind == TP_EXTENT_BATCH && is_odd(x, head))
        return false;
    if (x->kind == TP_EXTENT_BATCH && x->batch_kind == TP_BATCH_SYNC)
        head = peek(s, x->offset, x->len_bytes);
    return head.len_bytes > 0 && tp_generation_add(&s->open, x, head, s->format.minor, &err) == 0;
}

static bool is_worth_it(struct search *s)
{
    return ++s->hop_count < BATCHES_TO_TRY ||
           s->in->ordering->header_bytes < s->scan.offset / READ_SHARE_MAX;
}

// One extent further. False: no further.
static bool hop(struct search *s)
{
    struct tp_scan before = s->scan;
    struct tp_span head = peek(s, before.offset, TP_SCAN_HEAD_BYTES);
    struct tp_extent x;
    if (!tp_scan_hop(&s->scan, head, s->file_bytes - before.offset, &x)) {
        if (before.offset == s->file_bytes && s->open.number != 0 && !has_end_marks(s))
            (void)judge(s, &before);
        return false;
    }
    if (tp_generation_is_closed_by(&s->open, &x)) {
        if (!judge(s, &before))
            return false;
        tp_generation_reset(&s->open);
    }
    if (!add(s, &x, head))
        return false;
    if (x.ends_generation) {
        if (!judge(s, &s->scan))
            return false;
        tp_generation_reset(&s->open);
    }
    return is_worth_it(s) && !tp_run_is_stopping(s->in->run);
}

static void search(struct search *s)
{
    struct tp_span head = peek(s, 0, TP_SCAN_HEAD_BYTES);
    if (tp_format_detect(head, false, &s->format) != TP_FORMAT_TOLD ||
        s->format.family != TP_FORMAT_V2)
        return;
    tp_scan_init(&s->scan, s->format.minor, s->format.header_bytes);
    tp_generation_init(&s->open, TP_BATCH_LISTS_MAX_BYTES);
    while (hop(s)) {
    }
    tp_generation_fini(&s->open);
}

// THE FILE

static int open_file(const char *path, uint64_t *ret_bytes)
{
    struct stat st;
    // Never waits: O_NONBLOCK is for what is no regular file.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
        fcntl(fd, F_SETFL, 0) != 0) {
        close(fd);
        return -1;
    }
    *ret_bytes = (uint64_t)st.st_size;
    return fd;
}

// As if the front had read all before `begin`.
static void begin_at(struct tp_input_run *in, const struct search *s)
{
    struct tp_ordering *o = in->ordering;
    o->opened_count = o->passed_count = s->passed_count;
    o->last_frequency = s->begin_frequency;
    in->scan = s->begin;
    in->info.format = s->format;
    in->report.passed_bytes = in->report.stream_bytes = s->begin.offset;
    in->stream.codec_known = in->stream.text_known = true;
    atomic_fetch_add_explicit(&in->run->stat_total_bytes, s->file_bytes - s->begin.offset,
                              memory_order_relaxed);
    atomic_store_explicit(&in->info_known, true, memory_order_release);
}

static bool is_of_use(const struct tp_input_run *in)
{
    const struct tp_window_wish *wish = &in->run->settings.window;
    bool is_part = wish->to.kind != TP_MOMENT_NONE ||
                   (wish->from.kind != TP_MOMENT_NONE && !wish->is_exact);
    bool has_generations = in->ordering != NULL && !in->run->shows_originals;
    return has_generations && is_part && !in->input->is_stdin && tp_collect_is_alone(in);
}

// The engine begins where the descriptor stands.
static bool hand_over(struct tp_input_run *in, struct search *s)
{
    if (s->begin.offset == 0 && s->end_offset == 0)
        return false;
    (void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_NORMAL);
    if (lseek(s->fd, (off_t)s->begin.offset, SEEK_SET) < 0)
        return false;
    in->file.given_fd = in->own_fd = s->fd;
    return true;
}

bool tp_window_find(struct tp_input_run *in)
{
    struct search s = {.in = in};
    if (!is_of_use(in))
        return true;
    s.fd = open_file(in->input->path, &s.file_bytes);
    if (s.fd < 0)
        return true;
    // A page of each batch, not what readahead makes of it.
    (void)posix_fadvise(s.fd, 0, 0, POSIX_FADV_RANDOM);
    search(&s);
    if (!hand_over(in, &s)) {
        close(s.fd);
        return true;
    }
    if (s.begin.offset > 0)
        begin_at(in, &s);
    if (s.end_offset > 0) {
        in->ordering->is_bounded = true;
        in->file.end_bytes = s.end_offset - s.begin.offset;
    }
    return s.end_offset == 0 || in->file.end_bytes > 0;
}

void tp_window_close(struct tp_input_run *in)
{
    if (in->own_fd >= 0)
        close(in->own_fd);
    in->own_fd = -1;
}
