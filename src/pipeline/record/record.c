#include "pipeline/record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/spill/read_at.h"
#include "base/text/json_read.h"
#include "io/folder.h"

// The longest line: the remarks on an input of the longest path take 2 MiB.
#define LINE_MAX_BYTES TP_MIB(8)
// Room for lines that are not written yet.
#define PENDING_MAX_BYTES (2 * LINE_MAX_BYTES)
#define READ_BYTES TP_KIB(256)
#define SHOWN_BYTES 80

const char *const tp_record_words[TP_RECORD_KIND_COUNT] = {
#define TP_X(name, word) [TP_RECORD_##name] = (word),
    TP_RECORD_KINDS(TP_X)
#undef TP_X
};

static const char *shown(const struct tp_record *r)
{
    size_t n = strlen(r->path);
    return n > SHOWN_BYTES ? r->path + n - SHOWN_BYTES : r->path;
}

static int fail_system(const struct tp_record *r, int code, const char *what, struct tp_error *err)
{
    return tp_fail_errno(err, code, errno, "cannot %s record '%s'", what, shown(r));
}

// READING

int tp_record_reread(const struct tp_record *r, uint64_t at, void *ret_bytes, size_t len_bytes,
                     struct tp_error *err)
{
    int sys_errno;
    if (tp_read_at(r->fd, at, ret_bytes, len_bytes, &sys_errno) == len_bytes)
        return 0;
    errno = sys_errno != 0 ? sys_errno : EIO;
    return fail_system(r, TP_E_KERNEL, "read", err);
}

int tp_record_reader_init(struct tp_record_reader *reader, const struct tp_record *r,
                          struct tp_error *err)
{
    *reader = (struct tp_record_reader){.record = r};
    return tp_buf_init(&reader->buf, LINE_MAX_BYTES)
               ? 0
               : tp_fail(err, TP_E_MEMORY, "out of memory for record '%s'", shown(r));
}

void tp_record_reader_fini(struct tp_record_reader *reader)
{
    tp_buf_fini(&reader->buf);
}

static bool parse(struct tp_span text, struct tp_record_line *ret_line)
{
    if (!tp_json_is_object(text))
        return false;
    struct tp_span kind = tp_json_member(text, "kind"), outputs;
    size_t i = 0;
    while (i < TP_RECORD_KIND_COUNT && !tp_json_equals(kind, tp_record_words[i]))
        i++;
    if (i == TP_RECORD_KIND_COUNT)
        return false;
    ret_line->kind = (enum tp_record_kind)i;
    ret_line->text = text;
    ret_line->owner = ret_line->input = tp_json_member(text, "input");
    if (i != TP_RECORD_INTENT && i != TP_RECORD_DONE)
        return true;
    outputs = tp_json_items(tp_json_member(text, "outputs"));
    if (ret_line->input.len_bytes == 0 && !tp_json_next(&outputs, &ret_line->owner))
        return false;
    return tp_json_member(ret_line->owner, "path").len_bytes > 0;
}

// Fills the buffer from the line that is next. Returns the bytes that came, or TP_E_KERNEL.
static int refill(struct tp_record_reader *reader, struct tp_error *err)
{
    struct tp_buf *b = &reader->buf;
    const struct tp_record *r = reader->record;
    b->len_bytes -= reader->used_bytes;
    memmove(b->ptr, b->ptr + reader->used_bytes, b->len_bytes);
    reader->at += reader->used_bytes;
    reader->used_bytes = 0;
    uint64_t from = reader->at + b->len_bytes, left = r->len_bytes - from;
    size_t wanted = left < READ_BYTES ? (size_t)left : READ_BYTES;
    if (wanted > tp_buf_room(b))
        wanted = tp_buf_room(b);
    int rc = wanted > 0 ? tp_record_reread(r, from, b->ptr + b->len_bytes, wanted, err) : 0;
    b->len_bytes += rc == 0 ? wanted : 0;
    return rc != 0 ? rc : (int)wanted;
}

// Finds the end of the line that is next. Returns its length with its end; 0: it has none; TP_E_KERNEL.
// Of a line that is longer than any of this program all bytes but the last ones are passed over.
static int find_end(struct tp_record_reader *reader, struct tp_error *err)
{
    size_t looked_bytes = 0;
    for (;;) {
        if (looked_bytes == reader->buf.max_bytes) {
            reader->used_bytes = looked_bytes;
            looked_bytes = 0;
        }
        const unsigned char *begin = reader->buf.ptr + reader->used_bytes;
        size_t has_bytes = reader->buf.len_bytes - reader->used_bytes;
        const unsigned char *end =
            has_bytes > looked_bytes ? memchr(begin + looked_bytes, '\n', has_bytes - looked_bytes) : NULL;
        if (end != NULL)
            return (int)(end - begin) + 1;
        looked_bytes = has_bytes;
        int got = refill(reader, err);
        if (got <= 0)
            return got;
    }
}

int tp_record_next(struct tp_record_reader *reader, struct tp_record_line *ret_line,
                   struct tp_error *err)
{
    for (;;) {
        int len_bytes = find_end(reader, err);
        if (len_bytes <= 0)
            return len_bytes;
        struct tp_span text = tp_span_of(reader->buf.ptr + reader->used_bytes, (size_t)len_bytes - 1);
        ret_line->place = (struct tp_record_place){reader->at + reader->used_bytes, (uint32_t)len_bytes - 1};
        reader->used_bytes += (size_t)len_bytes;
        if (parse(text, ret_line))
            return 1;
        reader->skipped_count++;
    }
}

bool tp_record_line_at(struct tp_record_reader *reader, struct tp_record_place place,
                       struct tp_record_line *ret_line)
{
    struct tp_error unasked;
    ret_line->place = place;
    return place.len_bytes > 0 && place.len_bytes <= reader->buf.max_bytes &&
           tp_record_reread(reader->record, place.at, reader->buf.ptr, place.len_bytes, &unasked) == 0 &&
           parse(tp_span_of(reader->buf.ptr, place.len_bytes), ret_line);
}

// Sets the length of the record to that up to the end of its last line that is not damaged, and fails
// unless it is empty or begins as a record does. A killed machine may leave a line without its end, or
// zeroes in place of lines.
static int find_whole_lines(struct tp_record *r, struct tp_error *err)
{
    struct tp_record_reader reader;
    struct tp_record_line line;
    uint64_t whole_bytes = 0;
    int rc = tp_record_reader_init(&reader, r, err);
    if (rc == 0 && r->len_bytes > 0)
        rc = tp_record_next(&reader, &line, err);
    if (rc == 0 || (rc == 1 && (line.place.at > 0 || line.kind != TP_RECORD_RUN ||
                                !tp_json_equals(tp_json_member(line.text, "schema"), TP_RECORD_SCHEMA))))
        rc = r->len_bytes == 0 ? 0
                               : tp_fail(err, TP_E_USAGE,
                                         "'%s' is not a record of tracepipe (" TP_RECORD_SCHEMA ")", shown(r));
    while (rc == 1) {
        whole_bytes = line.place.at + line.place.len_bytes + 1;
        rc = tp_record_next(&reader, &line, err);
    }
    r->len_bytes = whole_bytes;
    tp_record_reader_fini(&reader);
    return rc;
}

static int open_file(struct tp_record *r, const char *path, int flags, struct stat *ret_st,
                     struct tp_error *err)
{
    *r = (struct tp_record){.fd = -1, .mu = PTHREAD_MUTEX_INITIALIZER};
    r->path = tp_strdup(path);
    if (r->path == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory");
    r->fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (r->fd < 0 || fstat(r->fd, ret_st) != 0)
        return fail_system(r, (flags & O_CREAT) != 0 ? TP_E_WRITE : TP_E_KERNEL, "open", err);
    if (!S_ISREG(ret_st->st_mode))
        return tp_fail(err, TP_E_USAGE, "record '%s' is not a regular file", shown(r));
    return 0;
}

// Makes the name of a new record survive a crash.
static int sync_folder_of(const struct tp_record *r, struct tp_error *err)
{
    char *folder = tp_folder_of(r->path);
    if (folder == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tp_free(folder);
    errno = fd < 0 ? 0 : tp_folder_sync_and_close(fd);
    return errno == 0 ? 0 : fail_system(r, TP_E_WRITE, "sync", err);
}

// Locks the record, or waits a moment for a process that is ending. False: another run has it.
static bool lock(int fd)
{
    enum { TRIES = 40, PAUSE_NS = 50 * 1000 * 1000 };
    for (int i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return false;
}

int tp_record_open(struct tp_record *r, const char *path, struct tp_error *err)
{
    struct stat st;
    int rc = open_file(r, path, O_RDWR | O_CREAT | O_APPEND, &st, err);
    if (rc != 0)
        return rc;
    if (!lock(r->fd))
        return tp_fail(err, TP_E_USAGE, "another run has the record '%s' open", shown(r));
    if (!tp_buf_init(&r->pending[TP_RECORD_LINES], PENDING_MAX_BYTES) ||
        !tp_buf_init(&r->pending[TP_RECORD_GROUP], PENDING_MAX_BYTES))
        return tp_fail(err, TP_E_MEMORY, "out of memory for record '%s'", shown(r));
    // Another run may have appended before this one had the lock.
    if (fstat(r->fd, &st) != 0)
        return fail_system(r, TP_E_KERNEL, "read", err);
    r->len_bytes = (uint64_t)st.st_size;
    if (st.st_size == 0)
        return sync_folder_of(r, err);
    rc = find_whole_lines(r, err);
    if (rc == 0 && r->len_bytes < (uint64_t)st.st_size && ftruncate(r->fd, (off_t)r->len_bytes) != 0)
        return fail_system(r, TP_E_WRITE, "write", err);
    return rc;
}

int tp_record_open_to_read(struct tp_record *r, const char *path, struct tp_error *err)
{
    struct stat st;
    int rc = open_file(r, path, O_RDONLY, &st, err);
    r->len_bytes = rc == 0 ? (uint64_t)st.st_size : 0;
    if (rc == 0 && r->len_bytes == 0)
        return tp_fail(err, TP_E_USAGE, "record '%s' is empty", shown(r));
    return rc == 0 ? find_whole_lines(r, err) : rc;
}

void tp_record_close(struct tp_record *r)
{
    for (enum tp_record_queue queue = 0; queue < TP_RECORD_QUEUES; queue++)
        tp_buf_fini(&r->pending[queue]);
    if (r->fd >= 0)
        close(r->fd);
    tp_free(r->path);
    *r = (struct tp_record){.fd = -1};
}

// WRITING

struct queue_out {
    struct tp_out out;
    const struct tp_record *record;
    struct tp_buf *to;
};

static int write_to_queue(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct queue_out *q = (struct queue_out *)out;
    return tp_buf_put(q->to, bytes.ptr, bytes.len_bytes)
               ? 0
               : tp_fail(err, TP_E_LIMIT, "too many bytes for record '%s'", shown(q->record));
}

int tp_record_add(struct tp_record *r, enum tp_record_queue queue, tp_record_put_fn *put,
                  const void *ctx, struct tp_error *err)
{
    struct queue_out to = {{write_to_queue}, r, &r->pending[queue]};
    pthread_mutex_lock(&r->mu);
    size_t before = to.to->len_bytes;
    int rc = put(&to.out, ctx, err);
    if (rc == 0)
        rc = write_to_queue(&to.out, tp_span_of_text("\n"), err);
    if (rc != 0)
        to.to->len_bytes = before;
    pthread_mutex_unlock(&r->mu);
    return rc;
}

bool tp_record_is_full(struct tp_record *r, enum tp_record_queue queue)
{
    pthread_mutex_lock(&r->mu);
    bool is_full = r->pending[queue].len_bytes > PENDING_MAX_BYTES / 2;
    pthread_mutex_unlock(&r->mu);
    return is_full;
}

// Writes bytes behind the record. Returns 0 or the errno. The caller holds the lock.
static int append(struct tp_record *r, struct tp_span left)
{
    while (left.len_bytes > 0 && r->failed_errno == 0) {
        ssize_t put = write(r->fd, left.ptr, left.len_bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            r->failed_errno = put < 0 ? errno : EIO;
        else
            left = tp_span_skip(left, (size_t)put);
    }
    return r->failed_errno;
}

int tp_record_write(struct tp_record *r, enum tp_record_queue queue, bool is_durable,
                    struct tp_error *err)
{
    struct tp_buf *from = &r->pending[queue];
    pthread_mutex_lock(&r->mu);
    int sys_errno = append(r, tp_span_of(from->ptr, from->len_bytes));
    tp_buf_reset(from);
    pthread_mutex_unlock(&r->mu);
    if (sys_errno == 0 && is_durable)
        sys_errno = tp_sync_shared(r->fd);
    errno = sys_errno;
    return sys_errno == 0 ? 0 : fail_system(r, TP_E_WRITE, "write", err);
}
