#include "base/time/zone.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time/zone_rule.h"

void tp_zone_fini(struct tp_zone *z)
{
    tp_free(z->transitions);
    tp_free(z->types);
    *z = (struct tp_zone){0};
}

// The unread rest of a file. An attempt to take more than the rest takes nothing, empties the
// rest and sets `is_short`.
struct reader {
    struct tp_span left;
    bool is_short;
};

static const unsigned char *take(struct reader *r, size_t len_bytes)
{
    if (len_bytes > r->left.len_bytes) {
        r->is_short = true;
        r->left = tp_span_skip(r->left, r->left.len_bytes);
        return NULL;
    }
    const unsigned char *at = r->left.ptr;
    r->left = tp_span_skip(r->left, len_bytes);
    return at;
}

static uint64_t big_endian(const unsigned char *p, size_t len_bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < len_bytes; i++)
        value = value << 8 | p[i];
    return value;
}

// The counts in the header, of 32 bits each. Their sums do not overflow 64 bits.
enum { OF_UTC_MARKS, OF_STANDARD_MARKS, OF_LEAPS, OF_TRANSITIONS, OF_TYPES, OF_NAME_BYTES, COUNTS };

#define TYPE_BYTES 6
#define VERSION_BYTES 16 // one byte of version, and reserved ones

static bool take_header(struct reader *r, uint64_t counts[COUNTS], unsigned char *ret_version)
{
    const unsigned char *magic = take(r, 4);
    const unsigned char *version = take(r, VERSION_BYTES);
    const unsigned char *numbers = take(r, COUNTS * 4);
    if (r->is_short || memcmp(magic, "TZif", 4) != 0)
        return false;
    for (size_t i = 0; i < COUNTS; i++)
        counts[i] = big_endian(numbers + 4 * i, 4);
    *ret_version = version[0];
    return true;
}

static uint64_t data_bytes(const uint64_t counts[COUNTS], size_t time_bytes)
{
    return counts[OF_TRANSITIONS] * (time_bytes + 1) + counts[OF_TYPES] * TYPE_BYTES +
           counts[OF_NAME_BYTES] + counts[OF_LEAPS] * (time_bytes + 4) +
           counts[OF_STANDARD_MARKS] + counts[OF_UTC_MARKS];
}

static bool take_data(struct reader *r, const uint64_t counts[COUNTS], size_t time_bytes,
                      struct tp_zone *z)
{
    const unsigned char *times = take(r, (size_t)data_bytes(counts, time_bytes));
    if (r->is_short || counts[OF_TYPES] == 0)
        return false;
    size_t transition_count = (size_t)counts[OF_TRANSITIONS];
    const unsigned char *indices = times + transition_count * time_bytes;
    const unsigned char *types = indices + transition_count;
    z->transitions = tp_alloc_array(transition_count, sizeof *z->transitions);
    z->types = tp_alloc_array((size_t)counts[OF_TYPES], sizeof *z->types);
    if (z->transitions == NULL || z->types == NULL) {
        z->lacks_memory = true;
        return false;
    }
    z->transition_count = transition_count;
    z->type_count = (size_t)counts[OF_TYPES];
    for (size_t i = 0; i < z->type_count; i++) {
        const unsigned char *type = types + i * TYPE_BYTES;
        z->types[i] = (struct tp_zone_type){(int32_t)big_endian(type, 4), type[4] != 0};
    }
    for (size_t i = 0; i < transition_count; i++) {
        uint64_t bits = big_endian(times + i * time_bytes, time_bytes);
        int64_t sec = time_bytes == 4 ? (int32_t)bits : (int64_t)bits;
        if (indices[i] >= z->type_count)
            return false;
        z->transitions[i] = (struct tp_zone_transition){sec, indices[i]};
    }
    return true;
}

// Takes the rule: the rest of the file, between two newlines.
static bool take_rule(struct tp_span rest, struct tp_zone *z)
{
    if (rest.len_bytes <= 2 || rest.ptr[0] != '\n' || rest.ptr[rest.len_bytes - 1] != '\n')
        return true;
    size_t len_bytes = rest.len_bytes - 2;
    if (len_bytes > TP_ZONE_RULE_MAX_BYTES)
        return false;
    memcpy(z->rule, rest.ptr + 1, len_bytes);
    z->rule[len_bytes] = '\0';
    return true;
}

static bool parse(struct tp_zone *z, struct reader *r)
{
    uint64_t counts[COUNTS];
    unsigned char version;
    size_t time_bytes = 4;
    if (!take_header(r, counts, &version))
        return false;
    if (version != 0) {
        if (version < '2' || version > '4')
            return false;
        // From version 2 on all data come again, with times of 64 bits: skip to these.
        (void)take(r, (size_t)data_bytes(counts, time_bytes));
        time_bytes = 8;
        if (!take_header(r, counts, &version))
            return false;
    }
    return take_data(r, counts, time_bytes, z) && take_rule(r->left, z);
}

bool tp_zone_parse(struct tp_zone *z, struct tp_span file)
{
    struct reader r = {file, false};
    *z = (struct tp_zone){0};
    if (parse(z, &r))
        return true;
    bool lacks_memory = z->lacks_memory;
    tp_zone_fini(z);
    z->lacks_memory = lacks_memory;
    return false;
}

static const struct tp_zone_type *first_type(const struct tp_zone *z)
{
    bool is_used = false;
    for (size_t i = 0; i < z->transition_count; i++)
        is_used |= z->transitions[i].type == 0;
    if (!is_used)
        return &z->types[0];
    size_t first = z->transitions[0].type;
    for (size_t i = z->types[first].is_dst ? first : 0; i-- > 0;) {
        if (!z->types[i].is_dst)
            return &z->types[i];
    }
    for (size_t i = 0; i < z->type_count; i++) {
        if (!z->types[i].is_dst)
            return &z->types[i];
    }
    return &z->types[0];
}

int32_t tp_zone_offset_sec(const struct tp_zone *z, int64_t unix_sec)
{
    if (z == NULL || z->type_count == 0)
        return 0;
    size_t low = 0, high = z->transition_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (z->transitions[middle].unix_sec <= unix_sec)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 && z->transition_count > 0)
        return first_type(z)->offset_sec;
    int32_t offset_sec = z->types[low == 0 ? 0 : z->transitions[low - 1].type].offset_sec;
    int32_t by_rule_sec;
    if (low == z->transition_count && z->rule[0] != '\0' &&
        tp_zone_rule_offset(z->rule, unix_sec, &by_rule_sec))
        return by_rule_sec;
    return offset_sec;
}

// FILES

static bool load_file(struct tp_zone *z, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    unsigned char *bytes = tp_alloc(TP_ZONE_FILE_MAX_BYTES);
    bool is_good = false;
    if (bytes == NULL) {
        z->lacks_memory = true;
    } else {
        // Not by a stream of the C library: that needs fcntl, which a filter may refuse.
        size_t len_bytes = 0;
        ssize_t n = 1;
        while (n > 0 && len_bytes < TP_ZONE_FILE_MAX_BYTES) {
            n = read(fd, bytes + len_bytes, TP_ZONE_FILE_MAX_BYTES - len_bytes);
            len_bytes += n > 0 ? (size_t)n : 0;
        }
        is_good = n >= 0 && tp_zone_parse(z, tp_span_of(bytes, len_bytes));
    }
    tp_free(bytes);
    close(fd);
    return is_good;
}

// The folders in which Go looks for the database.
static const char *const folders[] = {"/usr/share/zoneinfo", "/usr/share/lib/zoneinfo",
                                      "/usr/lib/locale/TZ", "/etc/zoneinfo"};

static bool load_named(struct tp_zone *z, const char *name)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(folders); i++) {
        char path[PATH_MAX];
        int n = snprintf(path, sizeof path, "%s/%s", folders[i], name);
        if (n > 0 && (size_t)n < sizeof path && load_file(z, path))
            return true;
    }
    return false;
}

// Returns the local zone: a path, a name of the database, or ""; /etc/localtime if none is set.
static const char *local_name(void)
{
    const char *name = getenv("TZ");
    return name == NULL ? "/etc/localtime" : *name == ':' ? name + 1 : name;
}

const char *tp_zone_place(size_t idx)
{
    if (idx < TP_ARRAY_LEN(folders))
        return folders[idx];
    return idx == TP_ARRAY_LEN(folders) && *local_name() == '/' ? local_name() : NULL;
}

static void load_local(struct tp_zone *z)
{
    const char *name = local_name();
    if (*name == '/')
        (void)load_file(z, name);
    else if (*name != '\0' && strcmp(name, "UTC") != 0)
        (void)load_named(z, name);
}

int tp_zone_load(struct tp_zone *z, const char *name, struct tp_error *err)
{
    *z = (struct tp_zone){0};
    if (strcmp(name, "UTC") == 0)
        return 0;
    bool is_local = strcmp(name, "local") == 0;
    // Refuse names that lead out of the database's folder.
    bool is_name = *name != '\0' && *name != '/' && strstr(name, "..") == NULL;
    bool is_found = is_local;
    if (is_local)
        load_local(z);
    else if (is_name)
        is_found = load_named(z, name);
    if (is_found && (z->types != NULL || !z->lacks_memory))
        return 0;
    if (z->lacks_memory)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a time zone");
    return tp_fail(err, TP_E_USAGE, "unknown time zone '%.48s'", name);
}
