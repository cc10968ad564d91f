// The file of entries: JSON lines, the first of which has the schema, the pattern of hosts and the number
// of entries. They are sorted, so that a file has one form, and two files can be compared by diff.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "base/text/json_read.h"
#include "sink/news/news.h"
#include "sink/print/fields.h"

int tp_news_compare_keys(const struct tp_news_entry *a, const struct tp_news_entry *b)
{
    return a->is_of_host - b->is_of_host
        ?: (a->is_of_host ? strcmp(a->host, b->host) : 0)
        ?: tp_compare_u64(a->measure, b->measure)
        ?: (a->is_of_host ? strcmp(a->name, b->name) : strcmp(a->function, b->function))
        ?: (a->is_of_host ? a->is_below - b->is_below : strcmp(a->file, b->file));
}

static void free_FLAG(bool *member) { (void)member; }
static void free_NUMBER(uint64_t *member) { (void)member; }
static void free_MEASURE(enum tp_host_measure *member) { (void)member; }
static void free_TEXT(char **member) { tp_free(*member); }

static void free_entry(struct tp_news_entry *entry)
{
#define TP_X(type, member) free_##type(&entry->member);
    TP_NEWS_FIELDS(TP_X)
#undef TP_X
}

void tp_news_entries_fini(struct tp_news_entries *entries)
{
    for (uint32_t i = 0; i < entries->count; i++)
        free_entry(&entries->items[i]);
    tp_free(entries->items);
    *entries = (struct tp_news_entries){0};
}

// READ

// Set a member. Return 0, TP_E_USAGE if the value has another type, or TP_E_MEMORY.
static int read_FLAG(bool *member, struct tp_span value)
{
    *member = tp_span_is(value, "true");
    return *member || tp_span_is(value, "false") ? 0 : TP_E_USAGE;
}

static int read_NUMBER(uint64_t *member, struct tp_span value)
{
    return tp_json_u64(value, member) ? 0 : TP_E_USAGE;
}

static int read_TEXT(char **member, struct tp_span value)
{
    *member = tp_json_strdup(value);
    return *member != NULL ? 0 : tp_json_is_text(value) ? TP_E_MEMORY : TP_E_USAGE;
}

static int read_MEASURE(enum tp_host_measure *member, struct tp_span value)
{
    unsigned i = 0;
    while (i < TP_HOST_MEASURE_COUNT &&
           !tp_json_equals(value, tp_measure_info((enum tp_host_measure)i).key))
        i++;
    *member = (enum tp_host_measure)i;
    return i < TP_HOST_MEASURE_COUNT ? 0 : TP_E_USAGE;
}

// Whether the last entry is one, and has its place.
static bool is_sound(const struct tp_news_entries *entries)
{
    const struct tp_news_entry *entry = &entries->items[entries->count - 1];
    if (entry->is_of_host ? entry->host[0] == '\0' : !tp_is_of_finding(entry->measure))
        return false;
    return entries->count == 1 || tp_news_compare_keys(entry - 1, entry) < 0;
}

// Adds the entry that a line has. Returns 0, TP_E_USAGE if it has none, or TP_E_MEMORY.
static int read_entry(struct tp_news_entries *entries, struct tp_span line)
{
    if (!tp_json_is_object(line))
        return TP_E_USAGE;
    if (!TP_LIST_ADD(entries, (struct tp_news_entry){.value = 0}))
        return TP_E_MEMORY;
    struct tp_news_entry *entry = &entries->items[entries->count - 1];
    int rc = 0;
#define TP_X(type, member) rc = rc == 0 ? read_##type(&entry->member, tp_json_member(line, #member)) : rc;
    TP_NEWS_FIELDS(TP_X)
#undef TP_X
    return rc != 0 || is_sound(entries) ? rc : TP_E_USAGE;
}

// Takes the next line, without its end, from *rest. False: there is none, or it has no end.
static bool take_line(struct tp_span *rest, struct tp_span *ret_line)
{
    const unsigned char *end = rest->len_bytes > 0 ? memchr(rest->ptr, '\n', rest->len_bytes) : NULL;
    if (end == NULL)
        return false;
    *ret_line = tp_span_of(rest->ptr, (size_t)(end - rest->ptr));
    *rest = tp_span_skip(*rest, ret_line->len_bytes + 1);
    return true;
}

static int fail_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for known findings");
}

static int check_group(struct tp_span value, const char *group, struct tp_error *err)
{
    char *of_file = tp_json_strdup(value);
    int rc = 0;
    if (of_file == NULL && tp_json_is_text(value))
        rc = fail_memory(err);
    else if (of_file == NULL)
        rc = tp_fail(err, TP_E_USAGE, "line 1 is damaged");
    else if (of_file[0] == '\0' && group[0] != '\0')
        rc = tp_fail(err, TP_E_USAGE, "made without --group, so it knows no hosts");
    else if (strcmp(of_file, group) != 0)
        rc = tp_fail(err, TP_E_USAGE, "made with --group '%.256s', which names its hosts", of_file);
    tp_free(of_file);
    return rc;
}

static int read_lines(struct tp_news_entries *entries, struct tp_span rest, const char *group,
                      struct tp_error *err)
{
    struct tp_span line;
    uint64_t count;
    if (!take_line(&rest, &line) || !tp_json_is_object(line) ||
        !tp_json_equals(tp_json_member(line, "schema"), TP_NEWS_SCHEMA))
        return tp_fail(err, TP_E_USAGE, "not a file that --known of this version has written");
    if (!tp_json_u64(tp_json_member(line, "entry_count"), &count))
        return tp_fail(err, TP_E_USAGE, "line 1 is damaged");
    int rc = check_group(tp_json_member(line, "group"), group, err);
    while (rc == 0 && take_line(&rest, &line)) {
        rc = read_entry(entries, line);
        if (rc == TP_E_MEMORY)
            rc = fail_memory(err);
        else if (rc != 0)
            rc = tp_fail(err, rc, "line %" PRIu32 " is damaged", entries->count + 1);
    }
    if (rc == 0 && (rest.len_bytes > 0 || entries->count != count))
        rc = tp_fail(err, TP_E_USAGE, "its end is missing, or lines of it");
    return rc;
}

int tp_news_read(struct tp_news_entries *ret_entries, struct tp_span bytes, const char *group,
                 struct tp_error *err)
{
    struct tp_news_entries entries = {0};
    int rc = read_lines(&entries, bytes, group, err);
    if (rc != 0)
        tp_news_entries_fini(&entries);
    *ret_entries = entries;
    return rc;
}

// WRITE

static void write_FLAG(struct tp_emit *e, const char *key, bool member)
{
    tp_field_bool(e, key, member);
}

static void write_NUMBER(struct tp_emit *e, const char *key, uint64_t member)
{
    tp_field_wide(e, key, member);
}

static void write_TEXT(struct tp_emit *e, const char *key, const char *member)
{
    tp_field_text(e, key, member);
}

static void write_MEASURE(struct tp_emit *e, const char *key, enum tp_host_measure member)
{
    tp_field_text(e, key, tp_measure_info(member).key);
}

int tp_news_write(const struct tp_news_entries *entries, const char *group, struct tp_out *out,
                  struct tp_error *err)
{
    struct tp_emit e;
    tp_emit_init(&e, out, err);
    tp_fields_open(&e, NULL, '{');
    tp_field_text(&e, "schema", TP_NEWS_SCHEMA);
    tp_field_text(&e, "group", group);
    tp_field_wide(&e, "entry_count", entries->count);
    tp_fields_end(&e);
    for (uint32_t i = 0; i < entries->count; i++) {
        const struct tp_news_entry *entry = &entries->items[i];
        tp_fields_open(&e, NULL, '{');
#define TP_X(type, member) write_##type(&e, #member, entry->member);
        TP_NEWS_FIELDS(TP_X)
#undef TP_X
        tp_fields_end(&e);
    }
    return tp_emit_end(&e);
}
