#include "pipeline/record/match.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text/json_read.h"

#define READ_BYTES TP_KIB(256)

static int read_into(struct tp_digest *d, int fd, unsigned char *buf)
{
    for (;;) {
        ssize_t got = read(fd, buf, READ_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 ? 0 : errno;
        tp_digest_add(d, tp_span_of(buf, (size_t)got));
    }
}

int tp_file_digest(const char *path, char ret_text[TP_DIGEST_TEXT_BYTES])
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return errno;
    struct tp_digest *d = tp_digest_create();
    unsigned char *buf = tp_alloc(READ_BYTES);
    int sys_errno = d != NULL && buf != NULL ? read_into(d, fd, buf) : ENOMEM;
    if (sys_errno == 0)
        tp_digest_text(d, ret_text);
    tp_free(buf);
    tp_digest_destroy(d);
    close(fd);
    return sys_errno;
}

enum tp_match tp_match_output(struct tp_span output, char **ret_path)
{
    struct tp_span digest = tp_json_member(output, "xxh3_128");
    char found[TP_DIGEST_TEXT_BYTES];
    struct stat st;
    uint64_t len_bytes;
    *ret_path = NULL;
    if (digest.len_bytes == 0)
        return TP_MATCH_NONE;
    *ret_path = tp_json_strdup(tp_json_member(output, "path"));
    if (*ret_path == NULL)
        return TP_MATCH_UNREADABLE;
    if (lstat(*ret_path, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR ? TP_MATCH_MISSING : TP_MATCH_UNREADABLE;
    if (!S_ISREG(st.st_mode) || !tp_json_u64(tp_json_member(output, "bytes"), &len_bytes) ||
        (uint64_t)st.st_size != len_bytes)
        return TP_MATCH_CHANGED;
    if (tp_file_digest(*ret_path, found) != 0)
        return TP_MATCH_UNREADABLE;
    return tp_json_equals(digest, found) ? TP_MATCH_SAME : TP_MATCH_CHANGED;
}

bool tp_outputs_have_digest(struct tp_span owner, const char *digest)
{
    struct tp_span outputs = tp_json_items(tp_json_member(owner, "outputs")), output;
    while (tp_json_next(&outputs, &output)) {
        if (tp_json_equals(tp_json_member(output, "xxh3_128"), digest))
            return true;
    }
    return false;
}

struct tp_wall_text tp_record_mtime(struct timespec mtime)
{
    return tp_wall_text((struct tp_wall){mtime.tv_sec, mtime.tv_nsec}, 9, NULL);
}
