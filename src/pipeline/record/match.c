#include "pipeline/record/match.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/text/json_read.h"
#include "io/file_digest.h"

enum tp_match tp_match_output(struct tp_span output, char **ret_path)
{
    struct tp_span digest = tp_json_member(output, "xxh3_128");
    char found[TP_DIGEST_TEXT_BYTES];
    struct stat st;
    uint64_t len_bytes;
    *ret_path = NULL;
    if (digest.len_bytes == 0 || tp_json_member(output, "path").len_bytes == 0)
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

bool tp_outputs_are_there(struct tp_span owner)
{
    struct tp_span outputs = tp_json_items(tp_json_member(owner, "outputs")), output;
    bool all = true;
    while (all && tp_json_next(&outputs, &output)) {
        char *path;
        enum tp_match match = tp_match_output(output, &path);
        all = match == TP_MATCH_SAME || match == TP_MATCH_NONE;
        tp_free(path);
    }
    return all;
}

bool tp_outputs_have_path(struct tp_span owner, const char *path)
{
    struct tp_span outputs = tp_json_items(tp_json_member(owner, "outputs")), output;
    bool has = false;
    while (!has && tp_json_next(&outputs, &output)) {
        char *name = tp_json_strdup(tp_json_member(output, "path"));
        has = name != NULL && strcmp(name, path) == 0;
        tp_free(name);
    }
    return has;
}

struct tp_wall_text tp_record_mtime(struct timespec mtime)
{
    return tp_wall_text((struct tp_wall){mtime.tv_sec, mtime.tv_nsec}, 9, NULL);
}
