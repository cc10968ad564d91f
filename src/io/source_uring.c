// Implements the io_uring engine: one thread per ring; the rank of a file decides its ring. The
// thread owns everything in its ring except the inbox, the counter of kicks and
// the sleep state. The thread repeats:
//
//   inbox, kicks ─▶ advance what is ready: deliver, take chunks, prepare requests
//        ▲                                        │
//   completions only mark state, and     ◀── one io_uring_enter for all of
//   make their file ready                    them, which also waits
//
// uring_file.c has the states of a file; this file has the ring.
//
// No wake is missed: the thread writes `sleep`, then reads the inbox and kick_seq, then
// waits; add and kick write inbox and kick_seq first and read `sleep` afterwards. All these
// accesses are sequentially consistent.
#include <assert.h>
#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "io/source_engine.h"
#include "io/uring_file.h"

// Limits of the number of entries of the submission queue. A ring fills as many chunks at once as
// the queue has entries.
#define ENTRIES_MIN 64
#define ENTRIES_MAX 256

#define PROBE_OPS 256

// Limit of io_uring_enter calls in a row for which the kernel lacks memory, a millisecond apart, or
// that are interrupted. Only a filter of system calls interrupts so many.
#define VAIN_MAX 10000

// Which callers must write to the eventfd to wake the thread. AWAKE: none; DEAF_TO_KICKS: add;
// LIGHT: add and kick.
enum sleep { SLEEP_AWAKE, SLEEP_DEAF_TO_KICKS, SLEEP_LIGHT };

struct tp_uring_ring {
    // Shared with the callers of add, kick and destroy.
    _Atomic uint64_t kick_seq;
    _Atomic(struct tp_source_file *) inbox; // newest first, linked by `engine`
    _Atomic int sleep;                      // enum sleep
    _Atomic bool stopping;
    int wake_fd;

    struct uring_source *src;
    pthread_t thread;
    bool started;
    struct io_uring uring;
    bool made;
    bool disabled; // the kernel serves the ring only after the ring's thread has enabled it
    sem_t answered;     // posted once `start_err` says whether the kernel serves the ring
    struct tp_error start_err;
    int broken_errno;   // of the io_uring_enter that made the ring useless; 0: none did
    unsigned vain_count; // calls of io_uring_enter in a row that lacked memory or were interrupted
    bool kernel_writes; // requests of a broken ring may still write to its memory
    bool has_openat, has_close;
    struct tp_uring_files files;
    unsigned outstanding; // requests prepared and not yet completed
    struct tp_uring_req wake;
    uint64_t wake_value;
    uint64_t kicks_seen;
};

struct uring_source {
    struct tp_source base;
    struct tp_source_host host;
    struct tp_source_config cfg;
    unsigned ring_count;
    struct tp_uring_ring rings[];
};

// ---- waking -----------------------------------------------------------------

static void uring_add(struct tp_source *src, struct tp_source_file *f)
{
    struct uring_source *s = (struct uring_source *)src;
    struct tp_uring_ring *r = &s->rings[f->rank % s->ring_count];
    struct tp_source_file *head = atomic_load(&r->inbox);
    do {
        f->engine = head;
    } while (!atomic_compare_exchange_weak(&r->inbox, &head, f));
    if (atomic_exchange(&r->sleep, SLEEP_AWAKE) != SLEEP_AWAKE)
        tp_source_ring_wake_fd(r->wake_fd);
}

static void kick_ring(struct tp_uring_ring *r)
{
    atomic_fetch_add(&r->kick_seq, 1);
    // Change only LIGHT to AWAKE here. A change from DEAF_TO_KICKS to AWAKE without a write to the
    // eventfd would lose the next add.
    int expected = SLEEP_LIGHT;
    if (atomic_load(&r->sleep) == SLEEP_LIGHT &&
        atomic_compare_exchange_strong(&r->sleep, &expected, SLEEP_AWAKE))
        tp_source_ring_wake_fd(r->wake_fd);
}

static void uring_kick(struct tp_source *src)
{
    struct uring_source *s = (struct uring_source *)src;
    for (unsigned i = 0; i < s->ring_count; i++)
        kick_ring(&s->rings[i]);
}

void tp_uring_kick_all(struct tp_uring_ring *r)
{
    uring_kick(&r->src->base);
}

// ---- requests ---------------------------------------------------------------

static void reap(struct tp_uring_ring *r)
{
    struct io_uring_cqe *cqe;
    unsigned head, seen = 0;
    io_uring_for_each_cqe(&r->uring, head, cqe) {
        seen++;
        // A close or a cancel has no struct tp_uring_req: nothing waits for its completion.
        struct tp_uring_req *req = io_uring_cqe_get_data(cqe);
        if (req != NULL)
            tp_uring_complete(&r->files, req, cqe->res);
    }
    r->outstanding -= seen;
    io_uring_cq_advance(&r->uring, seen);
}

static void sleep_a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

// Closes descriptors whose close request is prepared but will not reach the kernel.
static void close_unsent(struct tp_uring_ring *r)
{
    const struct io_uring_sq *sq = &r->uring.sq;
    for (unsigned i = *sq->khead; i != sq->sqe_tail; i++) {
        const struct io_uring_sqe *sqe = &sq->sqes[i & *sq->kring_mask];
        if (sqe->opcode == IORING_OP_CLOSE)
            close(sqe->fd);
    }
}

// Returns the number of requests that the kernel has taken and not completed.
static unsigned in_kernel(struct tp_uring_ring *r)
{
    return r->outstanding - io_uring_sq_ready(&r->uring);
}

// Gives up the ring after the kernel has refused to take requests (because a filter of system calls
// came into force, or because the kernel dropped completions). Cancels the requests inside the
// kernel by another system call. If the kernel refuses that, too, the memory of these requests is
// never used again.
static void give_up_ring(struct tp_uring_ring *r, int sys_errno)
{
    enum { CANCEL_TRIES = 100 };

    r->broken_errno = sys_errno;
    for (int i = 0; i < CANCEL_TRIES && in_kernel(r) > 0; i++) {
        struct io_uring_sync_cancel_reg all = {
            .fd = -1,
            .flags = IORING_ASYNC_CANCEL_ALL | IORING_ASYNC_CANCEL_ANY,
            .timeout = {.tv_sec = -1, .tv_nsec = -1},
        };
        int rc = io_uring_register_sync_cancel(&r->uring, &all);
        reap(r);
        if (rc < 0 && rc != -ENOENT && rc != -EINTR)
            break;
    }
    r->kernel_writes = in_kernel(r) > 0;
    close_unsent(r);
    r->outstanding = 0;
    r->wake.in_flight = false;
    tp_uring_fail_all(&r->files, sys_errno, r->kernel_writes);
}

// Hands the prepared requests to the kernel and waits for `wait_count` completions.
static void enter(struct tp_uring_ring *r, unsigned wait_count)
{
    int rc = io_uring_submit_and_wait(&r->uring, wait_count);
    bool lacks_memory = rc == -EAGAIN || rc == -ENOMEM; // the kernel has none for requests
    r->vain_count = lacks_memory || rc == -EINTR ? r->vain_count + 1 : 0;
    if (rc >= 0 || rc == -EBUSY)
        return; // EBUSY: completions must be reaped first, which the caller does next
    if (r->vain_count == 0 || r->vain_count > VAIN_MAX)
        give_up_ring(r, -rc);
    else if (lacks_memory)
        sleep_a_moment();
}

// Copies a prepared request to the submission queue. When the kernel has finished the request, its
// result goes to `req`; NULL: nobody needs the result. False: the ring is broken; `req` has then
// been completed with an error.
static bool submit(struct tp_uring_ring *r, const struct io_uring_sqe *prepared,
                   struct tp_uring_req *req, bool force_async)
{
    struct io_uring_sqe *sqe = NULL;
    while (r->broken_errno == 0 && (sqe = io_uring_get_sqe(&r->uring)) == NULL) {
        enter(r, 0);
        if (r->broken_errno == 0)
            reap(r);
    }
    if (sqe == NULL) {
        if (req != NULL)
            tp_uring_complete(&r->files, req, -EIO);
        return false;
    }
    r->outstanding++;
    if (req != NULL)
        req->in_flight = true;
    *sqe = *prepared;
    io_uring_sqe_set_data(sqe, req);
    if (force_async)
        sqe->flags |= IOSQE_ASYNC;
    return true;
}

static void submit_wake(struct tp_uring_ring *r)
{
    struct io_uring_sqe sqe = {0};
    io_uring_prep_read(&sqe, r->wake_fd, &r->wake_value, sizeof r->wake_value, 0);
    submit(r, &sqe, &r->wake, false);
}

void tp_uring_submit_open(struct tp_uring_ring *r, struct tp_uring_file *f)
{
    f->ctl.kind = TP_URING_REQ_OPEN;
    if (!r->has_openat) {
        int fd = open(f->pub->path, f->open_flags);
        tp_uring_complete(&r->files, &f->ctl, fd >= 0 ? fd : -errno);
        return;
    }
    struct io_uring_sqe sqe = {0};
    io_uring_prep_openat(&sqe, AT_FDCWD, f->pub->path, f->open_flags, 0);
    submit(r, &sqe, &f->ctl, false);
}

void tp_uring_submit_poll(struct tp_uring_ring *r, struct tp_uring_file *f)
{
    f->ctl.kind = TP_URING_REQ_POLL;
    struct io_uring_sqe sqe = {0};
    io_uring_prep_poll_add(&sqe, f->fd, POLLIN);
    submit(r, &sqe, &f->ctl, false);
}

void tp_uring_submit_end_probe(struct tp_uring_ring *r, struct tp_uring_file *f)
{
    f->ctl.kind = TP_URING_REQ_END_PROBE;
    struct io_uring_sqe sqe = {0};
    io_uring_prep_read(&sqe, f->fd, &f->beyond, 1, f->start + f->next_offset);
    submit(r, &sqe, &f->ctl, f->force_async);
}

void tp_uring_submit_read(struct tp_uring_ring *r, struct tp_uring_file *f,
                          struct tp_uring_piece *p)
{
    unsigned char *to = tp_chunk_data(p->chunk) + p->got_bytes;
    size_t want = p->want_bytes - p->got_bytes;
    if (want > TP_SOURCE_READ_MAX_BYTES)
        want = TP_SOURCE_READ_MAX_BYTES;
    // The kernel takes the highest offset for "at the descriptor's own position".
    uint64_t at = f->pub->seekable ? f->start + p->offset + p->got_bytes : UINT64_MAX;
    f->reads_in_flight++;
    struct io_uring_sqe sqe = {0};
    io_uring_prep_read(&sqe, f->fd, to, (unsigned)want, at);
    submit(r, &sqe, &p->req, f->force_async);
}

void tp_uring_submit_cancel(struct tp_uring_ring *r, struct tp_uring_req *victim)
{
    struct io_uring_sqe sqe = {0};
    io_uring_prep_cancel(&sqe, victim, 0);
    submit(r, &sqe, NULL, false);
}

void tp_uring_submit_close(struct tp_uring_ring *r, int fd)
{
    struct io_uring_sqe sqe = {0};
    io_uring_prep_close(&sqe, fd);
    if (!r->has_close || !submit(r, &sqe, NULL, false))
        close(fd);
}

// ---- the thread -------------------------------------------------------------

static void take_in(struct tp_uring_ring *r)
{
    uint64_t kicks = atomic_load(&r->kick_seq);
    if (kicks != r->kicks_seen && tp_uring_cares_for_kicks(&r->files))
        tp_uring_look_around(&r->files);
    r->kicks_seen = kicks;
    struct tp_source_file *newest = atomic_exchange(&r->inbox, NULL), *oldest = NULL;
    while (newest != NULL) {
        struct tp_source_file *next = newest->engine;
        newest->engine = oldest;
        oldest = newest;
        newest = next;
    }
    while (oldest != NULL) {
        struct tp_source_file *next = oldest->engine;
        tp_uring_accept(&r->files, oldest);
        oldest = next;
    }
}

// Checks by a request without effect that the kernel serves the ring: a filter may permit
// the creation of a ring and refuse its use. Runs on the ring's thread.
static int try_ring(struct tp_uring_ring *r, struct tp_error *err)
{
    int rc = 0;
    // liburing 2.3 has io_uring_enable_rings, but its shared library does not
    // export it.
    if (r->disabled)
        rc = io_uring_register((unsigned)r->uring.ring_fd, IORING_REGISTER_ENABLE_RINGS, NULL, 0);
    if (rc < 0)
        return tp_fail_errno(err, TP_E_KERNEL, -rc, "io_uring_register");
    io_uring_prep_nop(io_uring_get_sqe(&r->uring));
    for (unsigned tries = 0; io_uring_cq_ready(&r->uring) == 0; tries++) {
        rc = io_uring_submit_and_wait(&r->uring, 1);
        if (rc < 0 && (rc != -EINTR || tries == VAIN_MAX))
            return tp_fail_errno(err, TP_E_KERNEL, -rc, "io_uring_enter");
    }
    io_uring_cq_advance(&r->uring, 1);
    return 0;
}

// Does what the ring's thread repeats: takes in new files and kicks, advances files, and waits for
// completions. False: the thread must end.
static bool turn(struct tp_uring_ring *r)
{
    if (!r->wake.in_flight && !atomic_load(&r->stopping))
        submit_wake(r);
    take_in(r);
    tp_uring_advance_ready(&r->files);
    if (r->broken_errno != 0) {
        sleep_a_moment(); // nothing else can be waited for
        return !atomic_load(&r->stopping);
    }
    if (r->outstanding == 0)
        return false; // the read of the eventfd is gone: destroy was called
    bool light = tp_uring_cares_for_kicks(&r->files);
    atomic_store(&r->sleep, light ? SLEEP_LIGHT : SLEEP_DEAF_TO_KICKS);
    bool news = atomic_load(&r->inbox) != NULL ||
                (light && atomic_load(&r->kick_seq) != r->kicks_seen);
    enter(r, news ? 0 : 1);
    atomic_store(&r->sleep, SLEEP_AWAKE);
    if (r->broken_errno == 0)
        reap(r);
    return true;
}

static void *ring_main(void *arg)
{
    struct tp_uring_ring *r = arg;
    pthread_setname_np(pthread_self(), "tp-io-uring");
    int rc = try_ring(r, &r->start_err);
    sem_post(&r->answered);
    while (rc == 0 && turn(r)) {
    }
    return NULL;
}

// ---- creating and ending ----------------------------------------------------

// Asks the kernel which operations the ring has. A kernel that is too old to answer lacks
// operations that we need.
static int probe_ops(struct tp_uring_ring *r, struct tp_error *err)
{
    union {
        struct io_uring_probe probe;
        unsigned char room[sizeof(struct io_uring_probe) +
                           PROBE_OPS * sizeof(struct io_uring_probe_op)];
    } u = {0};
    int rc = io_uring_register_probe(&r->uring, &u.probe, PROBE_OPS);
    if (rc != 0)
        return tp_fail_errno(err, TP_E_KERNEL, -rc, "io_uring cannot say what it supports");
    static const int needed[] = {IORING_OP_READ, IORING_OP_POLL_ADD,
                                 IORING_OP_ASYNC_CANCEL};
    for (size_t i = 0; i < TP_ARRAY_LEN(needed); i++)
        if (!io_uring_opcode_supported(&u.probe, needed[i]))
            return tp_fail(err, TP_E_KERNEL, "io_uring lacks operation %d", needed[i]);
    r->has_openat = io_uring_opcode_supported(&u.probe, IORING_OP_OPENAT);
    r->has_close = io_uring_opcode_supported(&u.probe, IORING_OP_CLOSE);
#ifdef TP_TSAN
    // ThreadSanitizer follows descriptors. If it does not see the close, it reports a race with the
    // next owner of the same descriptor number. So close by a system call.
    r->has_close = false;
#endif
    return 0;
}

// ThreadSanitizer does not see that liburing maps and unmaps memory, so it reports a race with the
// next owner of the same addresses. TELL_MAPPED and TELL_UNMAPPED tell ThreadSanitizer the order
// that the kernel ensures.
#ifdef TP_TSAN
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
#define TELL_MAPPED() __tsan_acquire((void *)&tp_source_uring)
#define TELL_UNMAPPED() __tsan_release((void *)&tp_source_uring)
#else
#define TELL_MAPPED() ((void)0)
#define TELL_UNMAPPED() ((void)0)
#endif

static void drop_uring(struct tp_uring_ring *r)
{
    if (!r->made)
        return;
    TELL_UNMAPPED();
    io_uring_queue_exit(&r->uring);
}

// Lets the ring take only the requests that this file prepares, so that bytes which take over the
// program cannot have the kernel connect or rename by requests that no filter of system calls sees.
static int restrict_ring(struct tp_uring_ring *r, struct tp_error *err)
{
    static const unsigned char ops[] = {IORING_OP_NOP,          IORING_OP_OPENAT,
                                        IORING_OP_READ,         IORING_OP_POLL_ADD,
                                        IORING_OP_ASYNC_CANCEL, IORING_OP_CLOSE};
    struct io_uring_restriction rules[TP_ARRAY_LEN(ops) + 3] = {
        {.opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED, .sqe_flags = IOSQE_ASYNC},
        {.opcode = IORING_RESTRICTION_REGISTER_OP, .register_op = IORING_REGISTER_ENABLE_RINGS},
        // Kernels before Linux 6.0 do not know this call and would refuse all rules.
        {.opcode = IORING_RESTRICTION_REGISTER_OP, .register_op = IORING_REGISTER_SYNC_CANCEL},
    };
    unsigned count = r->uring.flags & IORING_SETUP_DEFER_TASKRUN ? 3 : 2;
    for (size_t i = 0; i < TP_ARRAY_LEN(ops); i++)
        rules[count++] = (struct io_uring_restriction){.opcode = IORING_RESTRICTION_SQE_OP,
                                                       .sqe_op = ops[i]};
    // The shared library of liburing 2.3 does not export io_uring_register_restrictions.
    int rc = io_uring_register((unsigned)r->uring.ring_fd, IORING_REGISTER_RESTRICTIONS, rules,
                               count);
    return rc == 0 ? 0 : tp_fail_errno(err, TP_E_KERNEL, -rc, "io_uring cannot be restricted");
}

static int make_uring(struct tp_uring_ring *r, unsigned entries, struct tp_error *err)
{
    // With a single issuer that collects completions when it enters, the kernel needs neither
    // locks nor interrupts. The thread that enables the ring becomes the issuer.
    static const unsigned flags[] = {
        IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_R_DISABLED,
        IORING_SETUP_R_DISABLED, // before Linux 6.1
        0,                       // before Linux 5.10
    };
    int rc = -EINVAL;
    for (size_t i = 0; i < TP_ARRAY_LEN(flags) && rc == -EINVAL; i++) {
        rc = io_uring_queue_init(entries, &r->uring, flags[i]);
        r->disabled = (flags[i] & IORING_SETUP_R_DISABLED) != 0;
    }
    if (rc != 0)
        return tp_fail_errno(err, TP_E_KERNEL, -rc, "io_uring_setup");
    TELL_MAPPED();
    r->made = true;
    rc = probe_ops(r, err);
    return rc == 0 && r->disabled ? restrict_ring(r, err) : rc;
}

static unsigned entries_for(const struct tp_source_config *cfg)
{
    uint64_t wanted = (uint64_t)cfg->max_files * (cfg->reads_per_file + 1u);
    unsigned entries = ENTRIES_MIN;
    while (entries < ENTRIES_MAX && entries < wanted)
        entries *= 2;
    return entries;
}

static int ring_init(struct tp_uring_ring *r, struct uring_source *s, struct tp_error *err)
{
    unsigned entries = entries_for(&s->cfg);
    r->src = s;
    r->wake.kind = TP_URING_REQ_WAKE;
    int rc = tp_uring_files_init(&r->files, r, &s->host, s->cfg.max_files, s->cfg.reads_per_file,
                                 entries, err);
    if (rc != 0)
        return rc;
    r->wake_fd = tp_source_make_wake_fd(err);
    return r->wake_fd < 0 ? TP_E_KERNEL : make_uring(r, entries, err);
}

static void ring_fini(struct tp_uring_ring *r)
{
    if (r->started) {
        atomic_store(&r->stopping, true);
        tp_source_ring_wake_fd(r->wake_fd);
        pthread_join(r->thread, NULL);
    }
    assert(atomic_load(&r->inbox) == NULL);
    sem_destroy(&r->answered);
    drop_uring(r);
    if (r->wake_fd >= 0)
        close(r->wake_fd);
    if (!r->kernel_writes)
        tp_uring_files_fini(&r->files);
}

static int await_answer(struct tp_uring_ring *r, struct tp_error *err)
{
    while (sem_wait(&r->answered) != 0) { // EINTR
    }
    if (r->start_err.code != 0 && err != NULL)
        *err = r->start_err;
    return r->start_err.code;
}

static void uring_destroy(struct tp_source *src)
{
    struct uring_source *s = (struct uring_source *)src;
    bool kernel_writes = false;
    for (unsigned i = 0; i < s->ring_count; i++) {
        ring_fini(&s->rings[i]);
        kernel_writes |= s->rings[i].kernel_writes; // its thread is gone
    }
    if (!kernel_writes)
        tp_free(s);
}

static int uring_start(struct tp_source *src, struct tp_error *err)
{
    struct uring_source *s = (struct uring_source *)src;
    int rc = 0;
    for (unsigned i = 0; i < s->ring_count && rc == 0; i++) {
        struct tp_uring_ring *r = &s->rings[i];
        rc = tp_source_start_thread(&r->thread, ring_main, r, err);
        r->started = rc == 0;
    }
    for (unsigned i = 0; i < s->ring_count && rc == 0; i++)
        rc = await_answer(&s->rings[i], err);
    return rc;
}

static int uring_create(const struct tp_source_config *cfg, const struct tp_source_host *host,
                        struct tp_source **ret_src, struct tp_error *err)
{
    const unsigned ring_count = cfg->threads;
    struct uring_source *s = tp_alloc_zero(sizeof *s + ring_count * sizeof s->rings[0]);
    if (s == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for %u rings", ring_count);
    s->base.ops = &tp_source_uring;
    s->host = *host;
    s->cfg = *cfg;
    s->ring_count = ring_count;
    for (unsigned i = 0; i < ring_count; i++) {
        s->rings[i].wake_fd = -1;
        sem_init(&s->rings[i].answered, 0, 0);
    }
    int rc = 0;
    for (unsigned i = 0; i < ring_count && rc == 0; i++)
        rc = ring_init(&s->rings[i], s, err);
    if (rc != 0) {
        uring_destroy(&s->base);
        return rc;
    }
    *ret_src = &s->base;
    return 0;
}

const struct tp_source_ops tp_source_uring = {
    .create = uring_create,
    .start = uring_start,
    .add = uring_add,
    .kick = uring_kick,
    .destroy = uring_destroy,
};
