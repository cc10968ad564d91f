#include "io/uring_file.h"

#include <assert.h>
#include <errno.h>

#include "base/alloc.h"
#include "io/source_engine.h"

int tp_uring_files_init(struct tp_uring_files *fs, struct tp_uring_ring *ring,
                        const struct tp_source_host *host, unsigned max_files,
                        unsigned reads_per_file, unsigned max_pieces, struct tp_error *err)
{
    *fs = (struct tp_uring_files){.ring = ring, .host = host, .reads_per_file = reads_per_file};
    fs->table = tp_alloc_array(max_files, sizeof fs->table[0]);
    fs->piece_table = tp_alloc_array(max_pieces, sizeof fs->piece_table[0]);
    if (fs->table == NULL || fs->piece_table == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for reading %u files", max_files);
    for (unsigned i = max_files; i-- > 0; fs->idle = &fs->table[i])
        fs->table[i].active_next = fs->idle;
    for (unsigned i = max_pieces; i-- > 0; fs->free_pieces = &fs->piece_table[i])
        fs->piece_table[i].next = fs->free_pieces;
    return 0;
}

void tp_uring_files_fini(struct tp_uring_files *fs)
{
    assert(fs->active_first == NULL);
    tp_free(fs->piece_table);
    tp_free(fs->table);
}

// ---- lists ------------------------------------------------------------------

static void make_ready(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    if (f->queue == TP_URING_QUEUE_READY)
        return;
    if (f->queue == TP_URING_QUEUE_PARKED)
        fs->parked_count--;
    f->queue = TP_URING_QUEUE_READY;
    // Search from the end of the list: files come mostly in the order of their ranks.
    struct tp_uring_file *after = fs->ready_last;
    while (after != NULL && after->pub->rank > f->pub->rank)
        after = after->ready_prev;
    f->ready_prev = after;
    f->ready_next = after != NULL ? after->ready_next : fs->ready_first;
    *(after != NULL ? &after->ready_next : &fs->ready_first) = f;
    *(f->ready_next != NULL ? &f->ready_next->ready_prev : &fs->ready_last) = f;
}

static struct tp_uring_file *pop_ready(struct tp_uring_files *fs)
{
    struct tp_uring_file *f = fs->ready_first;
    if (f == NULL)
        return NULL;
    fs->ready_first = f->ready_next;
    *(fs->ready_first != NULL ? &fs->ready_first->ready_prev : &fs->ready_last) = NULL;
    f->queue = TP_URING_QUEUE_NONE;
    return f;
}

static void park(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    if (f->queue != TP_URING_QUEUE_NONE)
        return; // a completion has made the file ready meanwhile, so it will ask again anyway
    f->queue = TP_URING_QUEUE_PARKED;
    fs->parked_count++;
}

void tp_uring_accept(struct tp_uring_files *fs, struct tp_source_file *pub)
{
    struct tp_uring_file *f = fs->idle;
    assert(f != NULL); // more than max_files
    fs->idle = f->active_next;
    *f = (struct tp_uring_file){
        .pub = pub, .fd = -1, .open_flags = TP_SOURCE_OPEN_FLAGS, .active_prev = fs->active_last};
    f->ctl.file = f;
    f->last = &f->first;
    *(fs->active_last != NULL ? &fs->active_last->active_next : &fs->active_first) = f;
    fs->active_last = f;
    make_ready(fs, f);
}

static void retire_file(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    *(f->active_prev != NULL ? &f->active_prev->active_next : &fs->active_first) = f->active_next;
    *(f->active_next != NULL ? &f->active_next->active_prev : &fs->active_last) = f->active_prev;
    f->active_next = fs->idle;
    fs->idle = f;
}

// Frees the file's first piece. Kicks if no piece was free, because a parked file may be waiting
// for one.
static void free_piece(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    struct tp_uring_piece *p = f->first;
    f->first = p->next;
    if (f->first == NULL)
        f->last = &f->first;
    f->piece_count--;
    if (fs->free_pieces == NULL)
        tp_uring_kick_all(fs->ring);
    p->next = fs->free_pieces;
    fs->free_pieces = p;
}

// Releases an unused chunk, and kicks, because another file may be waiting for one.
static void give_back(struct tp_uring_files *fs, struct tp_chunk *c)
{
    tp_chunk_release(c);
    tp_uring_kick_all(fs->ring);
}

// ---- completions: state only, no callbacks ----------------------------------

static void end_with(struct tp_uring_file *f, int code, int sys_errno, uint64_t offset)
{
    f->state = TP_URING_FILE_ENDING;
    f->code = code;
    f->sys_errno = sys_errno;
    f->error_offset = offset;
}

// Handles an opened file. Calls fstat directly, because the inode is in memory after the open,
// while a statx through the ring always costs a hand-over to a kernel thread.
static void opened(struct tp_uring_files *fs, struct tp_uring_file *f, int fd)
{
    f->fd = fd;
    int sys_errno = tp_source_inspect(f->pub, fd, &f->start);
    if (sys_errno != 0) {
        end_with(f, TP_E_OPEN, sys_errno, TP_NO_OFFSET);
        return;
    }
    f->state = TP_URING_FILE_READING;
    f->known_bytes = f->pub->stat_bytes > f->start ? f->pub->stat_bytes - f->start : 0;
    if (!f->pub->seekable) {
        fs->stream_count++;
        return;
    }
    // On a file system that cannot tell whether a read would block, a ring returns EAGAIN
    // for ever on descriptors with O_NONBLOCK.
    if (f->pub->given_fd < 0 && (f->open_flags & O_NONBLOCK))
        fcntl(fd, F_SETFL, 0);
}

static void open_done(struct tp_uring_files *fs, struct tp_uring_file *f, int res)
{
    if (res >= 0)
        opened(fs, f, res);
    else if (res == -EINTR)
        f->state = TP_URING_FILE_NEW;
    else if (res == -EAGAIN && (f->open_flags & O_NONBLOCK)) {
        f->open_flags &= ~O_NONBLOCK;
        f->state = TP_URING_FILE_NEW;
    } else
        end_with(f, TP_E_OPEN, -res, TP_NO_OFFSET);
}

// Whether the file is to be read again after this result.
static bool tries_again(const struct tp_uring_files *fs, struct tp_uring_file *f, int res)
{
    return fs->ring_errno == 0 && f->pub->seekable && tp_source_tries_again(-res, &f->tries);
}

static void end_probe_done(const struct tp_uring_files *fs, struct tp_uring_file *f, int res)
{
    if (f->state == TP_URING_FILE_ENDING)
        return;
    if (res > 0)
        f->known_bytes = f->next_offset + 1;
    else if (res == 0)
        end_with(f, 0, 0, 0);
    else if (res == -EAGAIN)
        f->force_async = true;
    else if (res != -EINTR && !tries_again(fs, f, res))
        end_with(f, TP_E_READ, -res, f->next_offset);
}

static void read_done(const struct tp_uring_files *fs, struct tp_uring_file *f,
                      struct tp_uring_piece *p, int res)
{
    f->reads_in_flight--;
    if (res > 0) {
        f->pub->read_count++;
        f->tries = 0;
        p->got_bytes += (size_t)res;
        p->finished = !f->pub->seekable || p->got_bytes == p->want_bytes;
        f->readable = false;
    } else if (res == 0) {
        p->finished = p->at_end = true;
    } else if (res == -EAGAIN) {
        f->readable = false;
        f->force_async = f->pub->seekable;
    } else if (res != -EINTR && !tries_again(fs, f, res)) {
        p->finished = true;
        p->sys_errno = -res;
    }
}

void tp_uring_complete(struct tp_uring_files *fs, struct tp_uring_req *req, int res)
{
    struct tp_uring_file *f = req->file;
    req->in_flight = false;
    switch (req->kind) {
    case TP_URING_REQ_WAKE: return; // the thread of the ring submits it again
    case TP_URING_REQ_OPEN: open_done(fs, f, res); break;
    case TP_URING_REQ_POLL: f->readable = true; break; // if poll failed, the read says why
    case TP_URING_REQ_END_PROBE: end_probe_done(fs, f, res); break;
    case TP_URING_REQ_READ: read_done(fs, f, (struct tp_uring_piece *)req, res); break;
    }
    make_ready(fs, f);
}

void tp_uring_fail_all(struct tp_uring_files *fs, int sys_errno, bool kernel_writes)
{
    fs->ring_errno = sys_errno;
    for (struct tp_uring_file *f = fs->active_first; f != NULL; f = f->active_next) {
        if (f->ctl.in_flight)
            tp_uring_complete(fs, &f->ctl, -EIO);
        for (struct tp_uring_piece *p = f->first; p != NULL; p = p->next) {
            if (!p->req.in_flight)
                continue;
            p->kernel_writes = kernel_writes;
            tp_uring_complete(fs, &p->req, -EIO);
        }
        make_ready(fs, f);
    }
}

// ---- advancing a file -------------------------------------------------------

static void begin_open(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    if (f->pub->given_fd >= 0) {
        opened(fs, f, f->pub->given_fd);
    } else {
        f->state = TP_URING_FILE_OPENING;
        tp_uring_submit_open(fs->ring, f);
    }
}

// Delivers the finished pieces at the front of the file's list, and detects the end of the file.
static void deliver_finished(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    const struct tp_source_host *host = fs->host;
    while (f->first != NULL && f->first->finished && f->state == TP_URING_FILE_READING) {
        struct tp_chunk *c = f->first->chunk;
        size_t got_bytes = f->first->got_bytes;
        uint64_t offset = f->first->offset;
        bool kernel_writes = f->first->kernel_writes;
        if (f->first->sys_errno != 0)
            end_with(f, TP_E_READ, f->first->sys_errno, offset + got_bytes);
        else if (f->first->at_end)
            end_with(f, 0, 0, 0);
        free_piece(fs, f);
        if (kernel_writes)
            continue;
        if (got_bytes == 0) {
            give_back(fs, c);
            continue;
        }
        if (!f->pub->seekable)
            f->next_offset = offset + got_bytes;
        c->offset = offset;
        c->len_bytes = got_bytes;
        host->deliver(host->ctx, f->pub, c);
        if (f->state == TP_URING_FILE_READING && atomic_load(&f->pub->cancelled))
            end_with(f, 0, 0, 0);
    }
}

static bool has_end(const struct tp_uring_file *f)
{
    return f->pub->seekable && f->pub->end_bytes != 0;
}

// Begins to fill one more chunk. False: no chunk or piece is free, and the file is parked.
static bool start_piece(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    const struct tp_source_host *host = fs->host;
    struct tp_chunk *c = fs->free_pieces != NULL ? host->take(host->ctx, f->pub) : NULL;
    if (c == NULL) {
        park(fs, f);
        return false;
    }
    struct tp_uring_piece *p = fs->free_pieces;
    fs->free_pieces = p->next;
    size_t want_bytes = c->capacity_bytes;
    if (has_end(f) && want_bytes > f->pub->end_bytes - f->next_offset)
        want_bytes = (size_t)(f->pub->end_bytes - f->next_offset);
    *p = (struct tp_uring_piece){.req = {.kind = TP_URING_REQ_READ, .file = f},
                                 .chunk = c,
                                 .offset = f->next_offset,
                                 .want_bytes = want_bytes};
    *f->last = p;
    f->last = &p->next;
    f->piece_count++;
    f->next_offset += want_bytes;
    tp_uring_submit_read(fs->ring, f, p);
    return true;
}

static void resume_reads(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    for (struct tp_uring_piece *p = f->first; p != NULL; p = p->next)
        if (!p->finished && !p->req.in_flight)
            tp_uring_submit_read(fs->ring, f, p);
}

static void go_on_file(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    resume_reads(fs, f);
    uint64_t end = has_end(f) ? f->pub->end_bytes : UINT64_MAX;
    while (f->next_offset < f->known_bytes && f->next_offset < end)
        if (f->piece_count >= fs->reads_per_file || !start_piece(fs, f))
            return;
    // The file is read to its known size. Probe for more with one byte of our own, so that no
    // chunk is taken in vain.
    if (f->piece_count > 0 || f->ctl.in_flight)
        return;
    if (f->next_offset < end)
        tp_uring_submit_end_probe(fs->ring, f);
    else
        end_with(f, 0, 0, 0);
}

// Advances a stream: waits without a chunk, and does one read when poll reports bytes.
static void go_on_stream(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    if (f->reads_in_flight > 0 || f->ctl.in_flight)
        return;
    if (!f->readable)
        tp_uring_submit_poll(fs->ring, f);
    else if (f->first != NULL)
        resume_reads(fs, f);
    else
        start_piece(fs, f);
}

// Ends the file. Frees its place in the table before it calls `ended`, because the host may add the
// next file inside that callback.
static void finish(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    struct tp_source_file *pub = f->pub;
    while (f->first != NULL) {
        struct tp_chunk *c = f->first->chunk;
        bool kernel_writes = f->first->kernel_writes;
        free_piece(fs, f);
        if (!kernel_writes)
            give_back(fs, c);
    }
    if (f->fd >= 0 && pub->given_fd < 0)
        tp_uring_submit_close(fs->ring, f->fd);
    if (f->fd >= 0 && f->code != TP_E_OPEN && !pub->seekable)
        fs->stream_count--;
    struct tp_error err;
    if (f->code != 0 && fs->ring_errno != 0) {
        tp_fail_errno(&err, TP_E_KERNEL, fs->ring_errno,
                      "cannot read: io_uring_enter (--io pread does without)");
        err.path = pub->path;
    } else if (f->code != 0) {
        tp_source_error(pub, f->code, f->sys_errno, f->error_offset, &err);
    }
    const struct tp_error *borrow_err = f->code != 0 ? &err : NULL;
    pub->engine = NULL;
    retire_file(fs, f);
    fs->host->ended(fs->host->ctx, pub, borrow_err);
}

static void advance_ending(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    if (f->reads_in_flight == 0 && !f->ctl.in_flight) {
        finish(fs, f);
        return;
    }
    // Cancel requests on a stream, which may wait without end; requests on other files end soon.
    if (f->cancel_sent || f->pub->seekable || f->fd < 0)
        return;
    f->cancel_sent = true;
    if (f->ctl.in_flight)
        tp_uring_submit_cancel(fs->ring, &f->ctl);
    if (f->reads_in_flight > 0)
        tp_uring_submit_cancel(fs->ring, &f->first->req);
}

static void advance(struct tp_uring_files *fs, struct tp_uring_file *f)
{
    if (f->state == TP_URING_FILE_OPENING)
        return;
    if (f->state != TP_URING_FILE_ENDING && atomic_load(&f->pub->cancelled))
        end_with(f, 0, 0, 0);
    if (f->state == TP_URING_FILE_NEW)
        begin_open(fs, f);
    if (f->state == TP_URING_FILE_READING)
        deliver_finished(fs, f);
    if (f->state == TP_URING_FILE_READING && fs->ring_errno != 0)
        end_with(f, TP_E_READ, EIO, f->next_offset);
    if (f->state == TP_URING_FILE_READING) {
        if (f->pub->seekable)
            go_on_file(fs, f);
        else
            go_on_stream(fs, f);
    }
    // If a completion has put the file into the ready list meanwhile, the file ends from there.
    if (f->state == TP_URING_FILE_ENDING && f->queue == TP_URING_QUEUE_NONE)
        advance_ending(fs, f);
}

void tp_uring_advance_ready(struct tp_uring_files *fs)
{
    for (struct tp_uring_file *f; (f = pop_ready(fs)) != NULL;)
        advance(fs, f);
}

void tp_uring_look_around(struct tp_uring_files *fs)
{
    for (struct tp_uring_file *f = fs->active_first; f != NULL; f = f->active_next) {
        bool waits = f->state == TP_URING_FILE_READING && !f->pub->seekable;
        if (f->queue == TP_URING_QUEUE_PARKED || (waits && atomic_load(&f->pub->cancelled)))
            make_ready(fs, f);
    }
}

bool tp_uring_cares_for_kicks(const struct tp_uring_files *fs)
{
    return fs->parked_count + fs->stream_count > 0;
}
