// Implements the plain engine: a few threads, the workers, that block in pread. It is the reference
// for the behaviour of engines, and the fallback if the kernel or a container refuses io_uring.
//
//   add ─▶ ready (by rank) ─▶ one worker at a time: open, then chunk after chunk
//             ▲                  │ take answered NULL
//             └────── kick ── parked
//
// A worker keeps its file until the file ends, the file waits for a chunk, or a more urgent
// file becomes ready. So the engine reads `threads` files at once, and issues the reads of
// one file one after the other, whatever reads_per_file is. A pipe occupies its worker, in
// poll() and without a chunk, until bytes arrive: while `threads` pipes are silent, the engine
// reads nothing else, which is the price of having no thread for polling.
//
// No kick is missed: a worker that is about to wait first announces the wait (parked_count,
// polling) and then checks that kick_seq has not changed since before its last `take`; a kick
// changes kick_seq first and then looks for announced waits. All these accesses are sequentially
// consistent.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "io/source_engine.h"

struct file {
    struct tp_source_file *pub;
    int fd;             // -1 until opened
    uint64_t start;     // position in the file where the stream begins
    uint64_t offset;    // stream bytes read so far
    uint64_t known_bytes; // expected length of the stream
    bool readable;      // a stream: poll has reported that a read will not block
    unsigned tries;     // in a row that failed
    struct tp_chunk *spare; // taken from the host; the read into it has brought no bytes yet
    struct file *next;  // in the list `ready`, `parked` or `idle`
};

struct worker {
    struct pread_source *src;
    pthread_t thread;
    bool started;
    int wake_fd;
    _Atomic bool polling; // the worker waits in poll, and a kick must wake it
};

struct pread_source {
    struct tp_source base;
    struct tp_source_host host;
    size_t chunk_bytes;
    _Atomic uint64_t kick_seq;
    _Atomic unsigned parked_count; // written under mu
    _Atomic uint64_t ready_rank;   // of the first ready file, UINT64_MAX if none; written under mu

    pthread_mutex_t mu; // guards all members below except the workers
    pthread_cond_t work;
    struct file *ready;  // by rank
    struct file *parked;
    struct file *idle;
    bool stopping;

    struct file *files;
    unsigned worker_count;
    struct worker workers[];
};

enum outcome { OUTCOME_ENDED, OUTCOME_PARK, OUTCOME_YIELD };

// Result of one reading step. ON: take another step. LATER: no bytes came; the state of the file
// decides on the next step.
enum step { STEP_ON, STEP_LATER, STEP_NO_CHUNK, STEP_ENDED };

static void ready_insert(struct pread_source *s, struct file *f)
{
    struct file **at = &s->ready;
    while (*at != NULL && (*at)->pub->rank <= f->pub->rank)
        at = &(*at)->next;
    f->next = *at;
    *at = f;
    atomic_store_explicit(&s->ready_rank, s->ready->pub->rank, memory_order_relaxed);
}

static struct file *ready_pop(struct pread_source *s)
{
    struct file *f = s->ready;
    if (f == NULL)
        return NULL;
    s->ready = f->next;
    atomic_store_explicit(&s->ready_rank, s->ready ? s->ready->pub->rank : UINT64_MAX,
                          memory_order_relaxed);
    return f;
}

// Moves all parked files to the ready ones. The caller holds mu.
static void unpark_all(struct pread_source *s)
{
    while (s->parked != NULL) {
        struct file *f = s->parked;
        s->parked = f->next;
        ready_insert(s, f);
    }
    atomic_store(&s->parked_count, 0);
    pthread_cond_broadcast(&s->work);
}

static void pread_kick(struct tp_source *src)
{
    struct pread_source *s = (struct pread_source *)src;
    atomic_fetch_add(&s->kick_seq, 1);
    if (atomic_load(&s->parked_count) > 0) {
        pthread_mutex_lock(&s->mu);
        unpark_all(s);
        pthread_mutex_unlock(&s->mu);
    }
    for (unsigned i = 0; i < s->worker_count; i++) {
        struct worker *w = &s->workers[i];
        if (atomic_load(&w->polling) && atomic_exchange(&w->polling, false))
            tp_source_ring_wake_fd(w->wake_fd);
    }
}

static void pread_add(struct tp_source *src, struct tp_source_file *pub)
{
    struct pread_source *s = (struct pread_source *)src;
    pthread_mutex_lock(&s->mu);
    struct file *f = s->idle;
    assert(f != NULL); // more than max_files
    s->idle = f->next;
    *f = (struct file){.pub = pub, .fd = -1};
    pub->engine = f;
    ready_insert(s, f);
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->mu);
    // Kick, because all workers may be waiting for pipes of less urgent files.
    pread_kick(src);
}

// Releases an unused chunk, and kicks, because another file may be waiting for one.
static void give_back(struct pread_source *s, struct tp_chunk *c)
{
    tp_chunk_release(c);
    pread_kick(&s->base);
}

// Ends the file. Frees its place before it calls `ended`, because the host may add the next file
// inside that callback.
static enum step end_file(struct pread_source *s, struct file *f, const struct tp_error *err)
{
    struct tp_source_file *pub = f->pub;
    if (f->spare != NULL)
        give_back(s, f->spare);
    if (f->fd >= 0 && pub->given_fd < 0)
        close(f->fd);
    pub->engine = NULL;
    pthread_mutex_lock(&s->mu);
    f->next = s->idle;
    s->idle = f;
    pthread_mutex_unlock(&s->mu);
    s->host.ended(s->host.ctx, pub, err);
    return STEP_ENDED;
}

static enum step end_unreadable(struct pread_source *s, struct file *f, int sys_errno)
{
    struct tp_error err;
    tp_source_error(f->pub, TP_E_READ, sys_errno, f->offset, &err);
    return end_file(s, f, &err);
}

static int open_path(const char *path)
{
    int flags = TP_SOURCE_OPEN_FLAGS;
    for (;;) {
        int fd = open(path, flags);
        if (fd >= 0)
            return fd;
        if (errno == EAGAIN && (flags & O_NONBLOCK))
            flags &= ~O_NONBLOCK;
        else if (errno != EINTR)
            return -1;
    }
}

static enum step open_file(struct pread_source *s, struct file *f)
{
    struct tp_source_file *pub = f->pub;
    f->fd = pub->given_fd >= 0 ? pub->given_fd : open_path(pub->path);
    int sys_errno = f->fd >= 0 ? tp_source_inspect(pub, f->fd, &f->start) : errno;
    if (sys_errno != 0) {
        struct tp_error err;
        tp_source_error(pub, TP_E_OPEN, sys_errno, TP_NO_OFFSET, &err);
        return end_file(s, f, &err);
    }
    f->known_bytes = pub->stat_bytes > f->start ? pub->stat_bytes - f->start : 0;
    // Ask for wider readahead, which is worth the call only if the file has more than one chunk.
    if (f->known_bytes > s->chunk_bytes)
        posix_fadvise(f->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return STEP_ON;
}

// Reads until `len_bytes` bytes have come, the file ends, or a read fails, which sets
// *ret_errno. Returns the number of bytes.
static size_t read_fully(struct file *f, void *to, size_t len_bytes, int *ret_errno)
{
    size_t got = 0;
    while (got < len_bytes) {
        size_t want = len_bytes - got;
        if (want > TP_SOURCE_READ_MAX_BYTES)
            want = TP_SOURCE_READ_MAX_BYTES;
        ssize_t n = pread(f->fd, (char *)to + got, want, (off_t)(f->start + f->offset + got));
        if (n > 0) {
            got += (size_t)n;
            f->pub->read_count++;
            f->tries = 0;
        } else if (n == 0) {
            break;
        } else if (errno == EAGAIN) {
            // No regular file should return EAGAIN, and poll() cannot wait for one.
            nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
        } else if (errno != EINTR && !tp_source_tries_again(errno, &f->tries)) {
            *ret_errno = errno;
            break;
        }
    }
    return got;
}

static struct tp_chunk *take_chunk(struct pread_source *s, struct file *f)
{
    struct tp_chunk *c = f->spare;
    f->spare = NULL;
    return c != NULL ? c : s->host.take(s->host.ctx, f->pub);
}

static void deliver(struct pread_source *s, struct file *f, struct tp_chunk *c, size_t len_bytes)
{
    if (len_bytes == 0) {
        give_back(s, c);
        return;
    }
    c->offset = f->offset;
    c->len_bytes = len_bytes;
    f->offset += len_bytes;
    s->host.deliver(s->host.ctx, f->pub, c);
}

// Reads one chunk of a file that can seek. When all bytes of the known size have been read, first
// tries to read one byte into a local variable, so that no chunk is taken in vain at the end.
static enum step step_file(struct pread_source *s, struct file *f)
{
    int sys_errno = 0;
    uint64_t end = f->pub->end_bytes;
    if (end != 0 && f->offset >= end)
        return end_file(s, f, NULL);
    if (f->offset >= f->known_bytes) {
        unsigned char beyond;
        if (read_fully(f, &beyond, 1, &sys_errno) == 0)
            return sys_errno != 0 ? end_unreadable(s, f, sys_errno) : end_file(s, f, NULL);
        f->known_bytes = f->offset + 1;
    }
    struct tp_chunk *c = take_chunk(s, f);
    if (c == NULL)
        return STEP_NO_CHUNK;
    size_t want = c->capacity_bytes;
    if (end != 0 && want > end - f->offset)
        want = (size_t)(end - f->offset);
    size_t got = read_fully(f, tp_chunk_data(c), want, &sys_errno);
    deliver(s, f, c, got);
    if (sys_errno != 0)
        return end_unreadable(s, f, sys_errno);
    return got < want ? end_file(s, f, NULL) : STEP_ON;
}

// Waits until the stream is readable or a kick comes.
static void wait_readable(struct worker *w, struct file *f, uint64_t kicks_seen)
{
    struct pread_source *s = w->src;
    atomic_store(&w->polling, true);
    struct pollfd fds[] = {{.fd = f->fd, .events = POLLIN}, {.fd = w->wake_fd, .events = POLLIN}};
    int n = 0;
    if (atomic_load(&s->kick_seq) == kicks_seen)
        n = poll(fds, 2, -1);
    // If the flag is clear, a kick has cleared it and has written to the eventfd, or is about to.
    bool drain = !atomic_exchange(&w->polling, false);
    if (drain) {
        uint64_t rings;
        while (read(w->wake_fd, &rings, sizeof rings) < 0 && errno == EINTR)
            continue;
    }
    // A hang-up or an error counts as readable: the read will report it.
    f->readable = n > 0 && fds[0].revents != 0;
}

// Does one read of a pipe, a terminal or a socket.
static enum step step_stream(struct pread_source *s, struct file *f)
{
    struct tp_chunk *c = take_chunk(s, f);
    if (c == NULL)
        return STEP_NO_CHUNK;
    size_t want = c->capacity_bytes;
    if (want > TP_SOURCE_READ_MAX_BYTES)
        want = TP_SOURCE_READ_MAX_BYTES;
    ssize_t n = read(f->fd, tp_chunk_data(c), want);
    int sys_errno = n < 0 ? errno : 0;
    f->readable = false;
    if (sys_errno == EINTR || sys_errno == EAGAIN) {
        f->spare = c;
        return STEP_LATER;
    }
    f->pub->read_count += n > 0;
    deliver(s, f, c, n > 0 ? (size_t)n : 0);
    if (sys_errno != 0)
        return end_unreadable(s, f, sys_errno);
    return n == 0 ? end_file(s, f, NULL) : STEP_ON;
}

static enum outcome work_on(struct worker *w, struct file *f, uint64_t *ret_kicks_seen)
{
    struct pread_source *s = w->src;
    uint64_t rank = f->pub->rank;
    for (;;) {
        uint64_t kicks_seen = atomic_load(&s->kick_seq);
        enum step step = STEP_ON;
        if (atomic_load(&f->pub->cancelled))
            step = end_file(s, f, NULL);
        else if (f->fd < 0)
            step = open_file(s, f);
        else if (f->pub->seekable)
            step = step_file(s, f);
        else if (f->readable)
            step = step_stream(s, f);
        else
            wait_readable(w, f, kicks_seen);
        if (step == STEP_ENDED)
            return OUTCOME_ENDED;
        if (step == STEP_NO_CHUNK) {
            *ret_kicks_seen = kicks_seen;
            return OUTCOME_PARK;
        }
        if (atomic_load_explicit(&s->ready_rank, memory_order_relaxed) < rank)
            return OUTCOME_YIELD;
    }
}

// Parks the file, which waits for a chunk. The caller holds mu. `kicks_seen` is kick_seq from
// before the file's `take` that failed. If a kick has come since, wakes all parked files, because
// the most urgent of them must be the first to ask again.
static void park(struct pread_source *s, struct file *f, uint64_t kicks_seen)
{
    f->next = s->parked;
    s->parked = f;
    atomic_fetch_add(&s->parked_count, 1);
    if (atomic_load(&s->kick_seq) != kicks_seen)
        unpark_all(s);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct pread_source *s = w->src;
    pthread_setname_np(pthread_self(), "tp-pread");
    pthread_mutex_lock(&s->mu);
    for (;;) {
        struct file *f;
        while ((f = ready_pop(s)) == NULL && !s->stopping)
            pthread_cond_wait(&s->work, &s->mu);
        if (f == NULL)
            break;
        pthread_mutex_unlock(&s->mu);
        uint64_t kicks_seen = 0;
        enum outcome outcome = work_on(w, f, &kicks_seen);
        pthread_mutex_lock(&s->mu);
        if (outcome == OUTCOME_PARK)
            park(s, f, kicks_seen);
        else if (outcome == OUTCOME_YIELD)
            ready_insert(s, f);
    }
    pthread_mutex_unlock(&s->mu);
    return NULL;
}

static void pread_destroy(struct tp_source *src)
{
    struct pread_source *s = (struct pread_source *)src;
    pthread_mutex_lock(&s->mu);
    s->stopping = true;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->mu);
    for (unsigned i = 0; i < s->worker_count; i++)
        if (s->workers[i].started)
            pthread_join(s->workers[i].thread, NULL);
    assert(s->ready == NULL && s->parked == NULL);
    for (unsigned i = 0; i < s->worker_count; i++)
        if (s->workers[i].wake_fd >= 0)
            close(s->workers[i].wake_fd);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->mu);
    tp_free(s->files);
    tp_free(s);
}

static int pread_start(struct tp_source *src, struct tp_error *err)
{
    struct pread_source *s = (struct pread_source *)src;
    int rc = 0;
    for (unsigned i = 0; i < s->worker_count && rc == 0; i++) {
        struct worker *w = &s->workers[i];
        w->wake_fd = tp_source_make_wake_fd(err);
        rc = w->wake_fd < 0
                 ? TP_E_KERNEL
                 : tp_source_start_thread(&w->thread, worker_main, w, err);
        w->started = rc == 0;
    }
    return rc;
}

static int pread_create(const struct tp_source_config *cfg, const struct tp_source_host *host,
                        struct tp_source **ret_src, struct tp_error *err)
{
    const unsigned worker_count = cfg->threads;
    struct pread_source *s = tp_alloc_zero(sizeof *s + worker_count * sizeof s->workers[0]);
    struct file *files = tp_alloc_array(cfg->max_files, sizeof files[0]);
    if (s == NULL || files == NULL) {
        tp_free(files);
        tp_free(s);
        return tp_fail(err, TP_E_MEMORY, "out of memory for reading %u files", cfg->max_files);
    }
    s->base.ops = &tp_source_pread;
    s->host = *host;
    s->chunk_bytes = cfg->chunk_bytes;
    s->ready_rank = UINT64_MAX;
    s->files = files;
    for (unsigned i = cfg->max_files; i-- > 0;) {
        files[i] = (struct file){.next = s->idle};
        s->idle = &files[i];
    }
    pthread_mutex_init(&s->mu, NULL);
    pthread_cond_init(&s->work, NULL);
    s->worker_count = worker_count;
    for (unsigned i = 0; i < worker_count; i++)
        s->workers[i] = (struct worker){.src = s, .wake_fd = -1};
    *ret_src = &s->base;
    return 0;
}

const struct tp_source_ops tp_source_pread = {
    .create = pread_create,
    .start = pread_start,
    .add = pread_add,
    .kick = pread_kick,
    .destroy = pread_destroy,
};
