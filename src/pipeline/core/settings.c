#include "pipeline/core/settings.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "io/chunk.h"
#include "pipeline/core/page_pool.h"

// Smallest number of pages: with fewer, every generation would be written to a spill and read back.
#define PAGES_LEAST 16
// Memory that units and decoders get before pages do, up to half of the budget.
#define OTHERS_BYTES TP_MIB(8)

#define FIELD(f) offsetof(struct tp_settings, f)

// The options, named as in TP_RUN_OPTIONS, without those for paths and times (tp_settings_set).
static const struct tp_opt_spec options[] = {
    {"jobs", TP_OPT_INT, FIELD(jobs), 0, 1024, NULL, NULL},
    {"io", TP_OPT_ENUM, FIELD(io), 0, 0, "auto|uring|pread", NULL},
    {"chunk-size", TP_OPT_BYTES, FIELD(chunk_bytes), 4096, 4 << 20, NULL, NULL},
    {"max-memory", TP_OPT_BYTES, FIELD(max_memory_bytes), 0, INT64_MAX, NULL, NULL},
    {"strict", TP_OPT_BOOL, FIELD(strict), 0, 0, NULL, NULL},
    {"force", TP_OPT_BOOL, FIELD(force), 0, 0, NULL, NULL},
    {"skip-existing", TP_OPT_BOOL, FIELD(skips_existing), 0, 0, NULL, NULL},
    {"read-back", TP_OPT_BOOL, FIELD(reads_back), 0, 0, NULL, NULL},
    {"fail-fast", TP_OPT_BOOL, FIELD(fails_fast), 0, 0, NULL, NULL},
    {"on-clash", TP_OPT_ENUM, FIELD(on_clash), 0, 0, "fail|skip|rename", NULL},
    {"rehash", TP_OPT_BOOL, FIELD(rehash), 0, 0, NULL, NULL},
    {"verbose", TP_OPT_BOOL, FIELD(verbose), 0, 0, NULL, NULL},
    {"color", TP_OPT_ENUM, FIELD(color), 0, 0, "auto|always|never", NULL},
    {"all", TP_OPT_BOOL, FIELD(wants_all), 0, 0, NULL, NULL},
    {"recursive", TP_OPT_BOOL, FIELD(recursive), 0, 0, NULL, NULL},
    {"zero-ended", TP_OPT_BOOL, FIELD(zero_ended), 0, 0, NULL, NULL},
    {"salvage", TP_OPT_ENUM, FIELD(salvage), 0, 0, "prefix|generation", NULL},
    {"exact", TP_OPT_BOOL, FIELD(window.is_exact), 0, 0, NULL, NULL},
    {"spans", TP_OPT_BOOL, FIELD(spans), 0, 0, NULL, NULL},
    {"intervals", TP_OPT_BOOL, FIELD(intervals), 0, 0, NULL, NULL},
    {"reread", TP_OPT_ENUM, FIELD(reread), 0, 0, "auto|always|never", NULL},
    {"group", TP_OPT_TEXT, FIELD(group), 0, 0, NULL, NULL},
    {"tz", TP_OPT_TEXT, FIELD(tz), 0, 0, NULL, NULL},
    {"runs", TP_OPT_ENUM, FIELD(runs), 0, 0, "auto|lazy|decoded", NULL},
    {"speculate", TP_OPT_ENUM, FIELD(speculate), 0, 0, "auto|always|never", NULL},
    {"frequency", TP_OPT_INT, FIELD(frequency), 0, INT64_MAX, NULL, NULL},
    {NULL, TP_OPT_BOOL, 0, 0, 0, NULL, NULL},
};

// Returns how often tests want a speculation refuted (tests/README.md), because real traces hardly
// ever refute one.
static uint64_t speculations_to_refute(void)
{
    const char *every = getenv("TRACEPIPE_TEST_REFUTE");
    return every != NULL ? strtoull(every, NULL, 10) : 0;
}

void tp_settings_init(struct tp_settings *s)
{
    *s = (struct tp_settings){
        .chunk_bytes = TP_KIB(256),
        .tz = "local",
        .refute_every = speculations_to_refute(),
    };
}

void tp_settings_fini(struct tp_settings *s)
{
    tp_free(s->manifest);
    tp_free(s->junit);
    tp_free(s->known);
    tp_free(s->resume);
    tp_free(s->binary);
    s->manifest = s->junit = s->known = s->resume = s->binary = NULL;
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT; i++) {
        tp_free(s->reading[i]);
        s->reading[i] = NULL;
    }
    tp_zone_fini(&s->zone);
    tp_path_group_fini(&s->path_group);
}

static int set_time_arg(struct tp_time_arg *m, const char *name, const char *value,
                        struct tp_error *err)
{
    struct tp_time_arg given = {0};
    if (value[0] != '\0' && !tp_time_arg_parse(value, &given))
        return tp_fail(err, TP_E_USAGE, "option '%s' must be " TP_TIME_ARG_FORMS ", not '%s'", name,
                       value);
    *m = given;
    return 0;
}

static int set_timeout(int64_t *timeout_ns, const char *value, struct tp_error *err)
{
    struct tp_time_arg given = {0};
    bool is_given = value[0] != '\0';
    if (is_given && (!tp_time_arg_parse(value, &given) || given.kind != TP_TIME_ARG_SINCE ||
                     given.since_ns <= 0))
        return tp_fail(err, TP_E_USAGE, "option 'timeout' must be a duration (90s, 5m), not '%s'",
                       value);
    *timeout_ns = given.since_ns;
    return 0;
}

static int set_screen(struct tp_screen *screen, const char *value, struct tp_error *err)
{
    *screen = (struct tp_screen){0};
    if (strcmp(value, "auto") == 0 || tp_screen_parse(value, screen))
        return 0;
    return tp_fail(err, TP_E_USAGE, "option 'screen' must be auto or COLUMNSxROWS, not '%s'",
                   value);
}

static int set_text(char **text, const char *value, struct tp_error *err)
{
    tp_free(*text);
    *text = NULL;
    if (value[0] == '\0')
        return 0;
    *text = tp_strdup(value);
    return *text != NULL ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory");
}

// Keeps what was given for an option that decides what is read.
static int keep_as_given(struct tp_settings *s, const char *name, const char *value,
                         struct tp_error *err)
{
    static const char *const names[TP_READING_OPTION_COUNT] = {
#define TP_X(option, text, is_of_window) text,
        TP_READING_OPTIONS(TP_X)
#undef TP_X
    };
    unsigned i = 0;
    while (i < TP_READING_OPTION_COUNT && strcmp(name, names[i]) != 0)
        i++;
    return i < TP_READING_OPTION_COUNT ? set_text(&s->reading[i], value, err) : 0;
}

static int set(struct tp_settings *s, const char *name, const char *value, struct tp_error *err)
{
    if (strcmp(name, "from") == 0)
        return set_time_arg(&s->window.from, name, value, err);
    if (strcmp(name, "to") == 0)
        return set_time_arg(&s->window.to, name, value, err);
    if (strcmp(name, "timeout") == 0)
        return set_timeout(&s->timeout_ns, value, err);
    if (strcmp(name, "screen") == 0)
        return set_screen(&s->screen, value, err);
    if (strcmp(name, "manifest") == 0)
        return set_text(&s->manifest, value, err);
    if (strcmp(name, "junit") == 0)
        return set_text(&s->junit, value, err);
    if (strcmp(name, "known") == 0)
        return set_text(&s->known, value, err);
    if (strcmp(name, "resume") == 0)
        return set_text(&s->resume, value, err);
    if (strcmp(name, "binary") == 0)
        return set_text(&s->binary, value, err);
    int rc = tp_opt_set(options, s, name, value, err);
    return rc == 0 && strcmp(name, "group") == 0 ? tp_path_group_set(&s->path_group, s->group, err) : rc;
}

int tp_settings_set(struct tp_settings *s, const char *name, const char *value,
                    struct tp_error *err)
{
    int rc = set(s, name, value, err);
    return rc == 0 ? keep_as_given(s, name, value, err) : rc;
}

// Whether `a` is before `b`, as far as that can be told without a trace.
static bool is_before(const struct tp_time_arg *a, const struct tp_time_arg *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TP_TIME_ARG_SINCE: return a->since_ns < b->since_ns;
    case TP_TIME_ARG_WALL:
        return a->wall_sec != b->wall_sec ? a->wall_sec < b->wall_sec : a->wall_nsec < b->wall_nsec;
    default: return false;
    }
}

int tp_settings_load_zone(struct tp_settings *s, struct tp_error *err)
{
    tp_zone_fini(&s->zone);
    int rc = tp_zone_load(&s->zone, s->tz, err);
    if (rc == TP_E_USAGE)
        return tp_fail(err, rc,
                       "option 'tz' must be UTC, local or a time zone like Asia/Tokyo, "
                       "not '%.48s'",
                       s->tz);
    if (rc != 0)
        return rc;
    struct tp_time_arg from = s->window.from, to = s->window.to;
    tp_time_arg_set_zone(&from, &s->zone);
    tp_time_arg_set_zone(&to, &s->zone);
    return is_before(&to, &from)
               ? tp_fail(err, TP_E_USAGE, "the time window ends before it begins")
               : 0;
}

static unsigned processor_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

uint64_t tp_limit_bytes(const struct tp_settings *s)
{
    return s->max_memory_bytes > 0 ? s->max_memory_bytes : TP_DEFAULT_LIMIT_BYTES;
}

// A decompressor gets one sixth of the limit: with 1 GiB, the window of `zstd --long` (128 MiB)
// fits.
#define INFLATE_SHARE 6

uint64_t tp_inflate_limit(const struct tp_settings *s)
{
    return tp_limit_bytes(s) / INFLATE_SHARE;
}

// Estimates the memory of the process besides chunks and units: code and libraries, thread stacks,
// rings and the structs of active inputs.
static uint64_t base_bytes(unsigned threads)
{
    return TP_MIB(4) + (uint64_t)threads * TP_KIB(192);
}

static size_t chunk_total_bytes(const struct tp_memory_plan *p)
{
    return p->chunk_count * ((tp_chunk_buf_bytes(p->chunk_bytes) + 4095) & ~(size_t)4095);
}

// Chooses how far inputs read ahead, and number and size of the chunks. If the chunks do not fit
// into `most_bytes`, lets inputs read ahead less; if that does not suffice, halves the size of the
// chunks and begins again. Takes the smallest plan even if it does not fit.
static void plan_chunks(struct tp_memory_plan *p, uint64_t most_bytes)
{
    for (p->stored_per_input = 6;; p->stored_per_input--) {
        p->chunk_reserved_count = p->stored_per_input + TP_CHUNKS_BEYOND_READ;
        p->chunk_count = p->chunk_reserved_count + 4 + 5 * (size_t)p->worker_count;
        while (chunk_total_bytes(p) > most_bytes && p->chunk_count > p->chunk_reserved_count + 2)
            p->chunk_count--;
        if (chunk_total_bytes(p) <= most_bytes)
            return;
        if (p->stored_per_input == 2) {
            if (p->chunk_bytes <= TP_KIB(32))
                return;
            p->chunk_bytes /= 2;
            p->stored_per_input = 7;
        }
    }
}

// Gives the pages for pending generations two thirds of the budget that remains after OTHERS_BYTES
// for units and decoders, or `least_bytes` if that is more.
static void plan_pages(struct tp_memory_plan *p, uint64_t least_bytes)
{
    uint64_t others = p->budget_bytes / 2 < OTHERS_BYTES ? p->budget_bytes / 2 : OTHERS_BYTES;
    others = others > least_bytes ? others : least_bytes;
    p->page_max = (size_t)((p->budget_bytes - others) / 3 * 2 / TP_PAGE_BYTES);
    if (p->page_max < PAGES_LEAST)
        p->page_max = PAGES_LEAST;
    p->budget_bytes -= p->page_max * TP_PAGE_BYTES;
    p->order_state_bytes = p->limit_bytes / 4;
}

int tp_memory_plan_make(const struct tp_settings *s, uint64_t units_bytes, bool has_order,
                        struct tp_memory_plan *ret_plan, struct tp_error *err)
{
    struct tp_memory_plan p = {.chunk_bytes = s->chunk_bytes};
    p.worker_count = s->jobs > 0 ? (unsigned)s->jobs : processor_count();
    p.limit_bytes = tp_limit_bytes(s);
    p.io_thread_count = 1 + (p.worker_count - 1) / 4;
    uint64_t base = base_bytes(p.worker_count + p.io_thread_count);
    uint64_t least_bytes = units_bytes + units_bytes / 8;
    uint64_t fixed = base + least_bytes;
    if (has_order)
        fixed += PAGES_LEAST * TP_PAGE_BYTES;
    // Chunks take at most a quarter of the limit.
    uint64_t left = p.limit_bytes > fixed ? p.limit_bytes - fixed : 0;
    plan_chunks(&p, left < p.limit_bytes / 4 ? left : p.limit_bytes / 4);
    if (chunk_total_bytes(&p) > left) {
        uint64_t least = fixed + chunk_total_bytes(&p);
        return tp_fail(err, TP_E_USAGE,
                       "max-memory is too small: these sinks need at least %llu MiB",
                       (unsigned long long)((least + TP_MIB(1) - 1) >> 20));
    }
    p.budget_bytes = p.limit_bytes - base - chunk_total_bytes(&p);
    if (has_order)
        plan_pages(&p, least_bytes);
    *ret_plan = p;
    return 0;
}
