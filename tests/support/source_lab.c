#include "source_lab.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"

char g_lab_dir[] = "/tmp/tp-source-XXXXXX";
struct lab g_lab;

void broke(const char *rule)
{
    pthread_mutex_lock(&g_lab.mu);
    if (g_lab.broken == NULL)
        g_lab.broken = rule;
    pthread_mutex_unlock(&g_lab.mu);
}

static void enter_callback(struct reading *rd)
{
    if (pthread_mutex_trylock(&rd->inside) != 0) {
        broke("callbacks of one file overlap");
        pthread_mutex_lock(&rd->inside);
    }
    if (rd->ended)
        broke("a callback after the end");
}

static void chunk_free(struct tp_chunk *c, void *owner)
{
    struct lab *lab = owner;
    pthread_mutex_lock(&lab->mu);
    c->next = lab->pool;
    lab->pool = c;
    lab->in_pool++;
    pthread_mutex_unlock(&lab->mu);
    tp_source_kick(lab->src);
}

static struct tp_chunk *host_take(void *ctx, struct tp_source_file *f)
{
    struct lab *lab = ctx;
    struct reading *rd = (struct reading *)f;
    enter_callback(rd);
    pthread_mutex_lock(&lab->mu);
    struct tp_chunk *c = lab->pool;
    if (c != NULL) {
        lab->pool = c->next;
        lab->in_pool--;
        if (lab->take_count < READINGS_MAX)
            lab->take_order[lab->take_count++] = f->rank;
        rd->chunks_taken++;
    } else {
        lab->refused += !rd->refused;
        rd->refused = true;
        pthread_cond_broadcast(&lab->changed);
    }
    pthread_mutex_unlock(&lab->mu);
    if (c != NULL)
        tp_chunk_reset(c);
    pthread_mutex_unlock(&rd->inside);
    return c;
}

static void host_deliver(void *ctx, struct tp_source_file *f, struct tp_chunk *c)
{
    struct lab *lab = ctx;
    struct reading *rd = (struct reading *)f;
    enter_callback(rd);
    if (c->len_bytes == 0 || c->len_bytes > c->capacity_bytes)
        broke("a chunk without bytes, or with too many");
    if (c->offset != rd->len_bytes)
        broke("a chunk out of order");
    if (rd->last_was_short)
        broke("a chunk after one that was not full");
    rd->last_was_short = f->seekable && c->len_bytes < c->capacity_bytes;
    rd->bytes = realloc(rd->bytes, rd->len_bytes + c->len_bytes);
    memcpy(rd->bytes + rd->len_bytes, tp_chunk_data(c), c->len_bytes);
    rd->len_bytes += c->len_bytes;
    if (rd->chunks_delivered++ == 0 && rd->on_first != NULL)
        rd->on_first(rd);
    if (rd->cancel_at_bytes > 0 && rd->len_bytes >= rd->cancel_at_bytes)
        atomic_store(&f->cancelled, true);
    pthread_mutex_unlock(&rd->inside);
    if (!lab->defer) {
        tp_chunk_release(c);
        return;
    }
    pthread_mutex_lock(&lab->mu);
    c->next = lab->deferred;
    lab->deferred = c;
    pthread_cond_broadcast(&lab->changed);
    pthread_mutex_unlock(&lab->mu);
}

static void host_ended(void *ctx, struct tp_source_file *f, const struct tp_error *err)
{
    struct lab *lab = ctx;
    struct reading *rd = (struct reading *)f;
    enter_callback(rd);
    rd->failed = err != NULL;
    if (err != NULL)
        rd->err = *err;
    rd->ended = true;
    pthread_mutex_unlock(&rd->inside);
    pthread_mutex_lock(&lab->mu);
    struct reading *feed = lab->next < lab->feed_to ? &lab->readings[lab->next++] : NULL;
    struct tp_source *src = lab->src;
    pthread_mutex_unlock(&lab->mu);
    if (feed != NULL)
        tp_source_add(src, &feed->file);
    pthread_mutex_lock(&lab->mu);
    lab->ended++;
    pthread_cond_broadcast(&lab->changed);
    pthread_mutex_unlock(&lab->mu);
}

const struct tp_source_host LAB_HOST = {&g_lab, host_take, host_deliver, host_ended};

int lab_open(enum tp_io_kind kind, const struct tp_source_config *cfg, struct tp_source **ret_src,
             char ret_why[TP_SOURCE_WHY_BYTES], struct tp_error *err)
{
    int rc = tp_source_create(kind, cfg, &LAB_HOST, ret_src, ret_why, err);
    return rc != 0 ? rc : tp_source_start(kind, cfg, &LAB_HOST, ret_src, ret_why, err);
}

int try_uring(struct tp_error *err)
{
    const struct tp_source_config cfg = {
        .chunk_bytes = CHUNK, .reads_per_file = 1, .max_files = 1, .threads = 1};
    struct tp_source *src;
    char why[TP_SOURCE_WHY_BYTES];
    int rc = lab_open(TP_IO_URING, &cfg, &src, why, err);
    if (rc == 0)
        tp_source_destroy(src);
    return rc;
}

void lab_start(const struct setup *s)
{
    struct lab *lab = &g_lab;
    *lab = (struct lab){.chunk_count = s->chunk_count, .count = s->files};
    lab->chunk_bytes = s->chunk_bytes ? s->chunk_bytes : CHUNK;
    pthread_mutex_init(&lab->mu, NULL);
    pthread_cond_init(&lab->changed, NULL);
    size_t each_bytes = tp_chunk_buf_bytes(lab->chunk_bytes);
    lab->arena_bytes = each_bytes * (s->chunk_count + 1);
    lab->arena = tp_map(lab->arena_bytes);
    lab->chunks = calloc(s->chunk_count + 1, sizeof lab->chunks[0]);
    lab->readings = calloc(s->files, sizeof lab->readings[0]);
    assert_true(lab->arena && lab->chunks && lab->readings);
    for (unsigned i = 0; i < s->files; i++) {
        struct reading *rd = &lab->readings[i];
        rd->file.path = rd->path;
        rd->file.given_fd = -1;
        rd->file.rank = i;
        pthread_mutex_init(&rd->inside, NULL);
    }
    struct tp_source_config cfg = {
        .chunk_bytes = lab->chunk_bytes,
        .reads_per_file = s->reads_per_file,
        .max_files = s->max_files ? s->max_files : s->files,
        .threads = s->threads,
    };
    struct tp_error err = {0};
    char why[TP_SOURCE_WHY_BYTES];
    int rc = lab_open(s->kind, &cfg, &lab->src, why, &err);
    // With a low limit on locked memory, the rings of the previous test, which the kernel frees
    // late, can leave too little memory for this ring.
    if (rc == TP_E_KERNEL && err.sys_errno == ENOMEM)
        skip();
    assert_int_equal(rc, 0);
    for (unsigned i = 0; i < s->chunk_count; i++) {
        struct tp_chunk *c = &lab->chunks[i];
        tp_chunk_init(c, lab->arena + i * each_bytes, lab->chunk_bytes);
        c->free = chunk_free;
        c->owner = lab;
        c->next = lab->pool;
        lab->pool = c;
    }
    lab->in_pool = s->chunk_count;
}

static bool wait_a_moment(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    return pthread_cond_timedwait(&g_lab.changed, &g_lab.mu, &until) == 0;
}

// Waits until `count` files have ended, releasing deferred chunks.
void lab_wait_ended(unsigned count)
{
    pthread_mutex_lock(&g_lab.mu);
    bool in_time = true;
    while (in_time && (g_lab.ended < count || g_lab.deferred != NULL)) {
        struct tp_chunk *c = g_lab.deferred;
        if (c == NULL) {
            in_time = wait_a_moment();
            continue;
        }
        g_lab.deferred = c->next;
        pthread_mutex_unlock(&g_lab.mu);
        tp_chunk_release(c);
        pthread_mutex_lock(&g_lab.mu);
    }
    pthread_mutex_unlock(&g_lab.mu);
    assert_true(in_time);
}

void lab_wait_refused(unsigned count)
{
    pthread_mutex_lock(&g_lab.mu);
    bool in_time = true;
    while (in_time && g_lab.refused < count)
        in_time = wait_a_moment();
    pthread_mutex_unlock(&g_lab.mu);
    assert_true(in_time);
}

void lab_release_when_refused(unsigned count)
{
    pthread_mutex_lock(&g_lab.mu);
    bool in_time = true;
    while (in_time && (g_lab.refused < count || g_lab.deferred == NULL))
        in_time = wait_a_moment();
    struct tp_chunk *c = g_lab.deferred;
    if (c != NULL)
        g_lab.deferred = c->next;
    for (unsigned i = 0; i < g_lab.count; i++)
        g_lab.readings[i].refused = false;
    g_lab.refused = 0;
    pthread_mutex_unlock(&g_lab.mu);
    assert_true(in_time);
    tp_chunk_release(c);
}

void lab_add_all(void)
{
    for (unsigned i = 0; i < g_lab.count; i++)
        tp_source_add(g_lab.src, &g_lab.readings[i].file);
}

void lab_cancel(struct reading *rd)
{
    atomic_store(&rd->file.cancelled, true);
    tp_source_kick(g_lab.src);
}

// Ends the engine and checks the rules that hold after every run.
void lab_stop(void)
{
    struct lab *lab = &g_lab;
    tp_source_destroy(lab->src);
    assert_null(lab->broken);
    assert_int_equal(lab->in_pool, lab->chunk_count);
    for (unsigned i = 0; i < lab->count; i++) {
        pthread_mutex_destroy(&lab->readings[i].inside);
        free(lab->readings[i].bytes);
    }
    free(lab->readings);
    free(lab->chunks);
    tp_unmap(lab->arena, lab->arena_bytes);
    pthread_cond_destroy(&lab->changed);
    pthread_mutex_destroy(&lab->mu);
}

// ---- files ------------------------------------------------------------------

unsigned char byte_at(unsigned seed, size_t i)
{
    return (unsigned char)((i * 2654435761u >> 7) + i / 251 + seed * 31u);
}

void append_bytes(const char *path, unsigned seed, size_t from, size_t len_bytes)
{
    FILE *f = fopen(path, "ab");
    for (size_t i = from; f != NULL && i < from + len_bytes; i++)
        fputc(byte_at(seed, i), f);
    if (f == NULL || fclose(f) != 0)
        broke("the test cannot write its file");
}

void name_file(struct reading *rd, const char *name)
{
    snprintf(rd->path, sizeof rd->path, "%s/%s", g_lab_dir, name);
    unlink(rd->path);
}

void make_file(struct reading *rd, size_t len_bytes)
{
    char name[32];
    snprintf(name, sizeof name, "f%u", (unsigned)rd->file.rank);
    name_file(rd, name);
    append_bytes(rd->path, (unsigned)rd->file.rank, 0, len_bytes);
}

void assert_bytes(const struct reading *rd, unsigned seed, size_t from, size_t len_bytes)
{
    for (size_t i = 0; i < len_bytes && i < rd->len_bytes; i++)
        if (rd->bytes[i] != byte_at(seed, from + i))
            fail_msg("byte %zu differs", i);
    assert_int_equal(rd->len_bytes, len_bytes);
}

void assert_read(const struct reading *rd, size_t len_bytes)
{
    assert_true(rd->ended);
    assert_false(rd->failed);
    assert_bytes(rd, (unsigned)rd->file.rank, 0, len_bytes);
}

unsigned open_fds(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}
