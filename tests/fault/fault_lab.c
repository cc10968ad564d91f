#include "fault_lab.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "inflate_samples.h"
#include "synth.h"

// Far more than any run here takes, under every sanitizer and on a busy machine.
#define HANGS_AFTER_MS 120000

void fault_set_up(void)
{
    if (access("/dev/shm", W_OK | X_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0);
}

// ---- runs -----------------------------------------------------------------------

static void on_message(void *ctx, enum tp_message_level level, const char *text)
{
    struct fault_result *r = ctx;
    if (level != TP_MSG_ERROR)
        return;
    if (r->error_count++ == 0)
        snprintf(r->first_error, sizeof r->first_error, "%s", text);
}

static int describe(struct tp_run *run, const struct fault_run *what, struct tp_error *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && what->options[i] != NULL; i += 2)
        rc = tp_run_set(run, what->options[i], what->options[i + 1], err);
    for (size_t i = 0; rc == 0 && what->sinks[i] != NULL; i += 2)
        rc = tp_run_add_sink(run, what->sinks[i], what->sinks[i + 1], err);
    if (rc == 0 && what->baseline != NULL)
        rc = tp_run_add_baseline(run, what->baseline, err);
    if (rc == 0 && what->check != NULL)
        rc = tp_run_add_check(run, what->check, err);
    for (size_t n = 0; n <= what->repeat_count; n++) {
        for (size_t i = 0; rc == 0 && what->inputs[i] != NULL; i++)
            rc = tp_run_add_path(run, what->inputs[i], err);
    }
    return rc;
}

void fault_begin(struct fault_live *live, const struct fault_run *what)
{
    *live = (struct fault_live){.live_bytes = tp_alloc_live_bytes()};
    assert_true(mkdir("out", 0777) == 0 || errno == EEXIST);
    struct tp_error *err = &live->result.err;
    int rc = tp_run_create(&live->run, err);
    if (rc == 0) {
        tp_run_on_message(live->run, on_message, &live->result);
        rc = describe(live->run, what, err);
    }
    if (rc == 0)
        rc = tp_run_start(live->run, err);
    if (rc == 0)
        err->code = 0;
}

static int status_of(int code)
{
    static const int statuses[] = {0, 1, 3, 2}; // by enum tp_error_class
    return statuses[tp_error_class_of(code)];
}

struct fault_result fault_end(struct fault_live *live)
{
    struct fault_result *r = &live->result;
    if (r->err.code == 0) {
        if (!tp_run_wait(live->run, HANGS_AFTER_MS)) {
            fprintf(stderr, "the run hangs\n");
            abort();
        }
        const struct tp_error *err = tp_run_error(live->run);
        if (err != NULL)
            r->err = *err;
        r->status = tp_run_exit_status(live->run);
    } else {
        r->status = status_of(r->err.code);
    }
    tp_run_destroy(live->run);
    live->run = NULL;
    assert_int_equal(tp_alloc_live_bytes(), live->live_bytes);
    return *r;
}

struct fault_result fault_go(const struct fault_run *what)
{
    struct fault_live live;
    fault_begin(&live, what);
    return fault_end(&live);
}

// ---- files ----------------------------------------------------------------------

unsigned char *fault_read(const char *path, size_t *ret_len_bytes)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0 && fstat(fd, &st) == 0);
    size_t len_bytes = (size_t)st.st_size;
    unsigned char *bytes = malloc(len_bytes + 1);
    assert_non_null(bytes);
    assert_int_equal(read(fd, bytes, len_bytes), len_bytes);
    close(fd);
    *ret_len_bytes = len_bytes;
    return bytes;
}

void fault_write(const char *path, const void *bytes, size_t len_bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len_bytes), len_bytes);
    assert_int_equal(close(fd), 0);
}

static int append(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    bytes_append(ctx, bytes, len_bytes);
    return 0;
}

static struct bytes make_trace(uint64_t version, uint64_t gen_events)
{
    struct synth_config config;
    struct synth_totals totals;
    struct tp_error err;
    struct bytes trace = {0};
    synth_config_init(&config);
    config.version = version;
    config.generations = 3;
    config.gen_events = gen_events;
    config.strings = 8;
    config.stacks = 30;
    assert_int_equal(synth_generate(&config, append, &trace, &totals, &err), 0);
    return trace;
}

static void write_bytes(const char *path, struct bytes *b)
{
    fault_write(path, b->ptr, b->len_bytes);
    bytes_drop(b);
}

void fault_make_inputs(void)
{
    struct bytes a = make_trace(26, 6000), b = make_trace(22, 1500), gz = {0}, zst = {0};
    append_gzip(&gz, a.ptr, a.len_bytes);
    const struct zstd_choice choice = {.level = 1, .checksum = 1};
    size_t part = a.len_bytes / 3;
    append_zstd(&zst, a.ptr, part, &choice);
    append_zstd(&zst, a.ptr + part, a.len_bytes - part, &choice);
    fault_write("cut.zst", zst.ptr, zst.len_bytes - zst.len_bytes / 5);
    write_bytes("a.zst", &zst);
    write_bytes("a.gz", &gz);
    fault_write("a.trace", a.ptr, a.len_bytes);
    memset(a.ptr + a.len_bytes / 4, 0xff, 300);
    memset(a.ptr + a.len_bytes / 2, 0, 40);
    write_bytes("hurt.trace", &a);
    write_bytes("b.trace", &b);
    fault_write("empty", "", 0);
    const struct fault_run to_text = {.sinks = {"text", "b.txt"}, .inputs = {"b.trace"}};
    assert_int_equal(fault_go(&to_text).status, 0);
}

// ---- outputs --------------------------------------------------------------------

void fault_keep_reference(void)
{
    assert_int_equal(rename("out", "want"), 0);
}

static const char *g_checking; // nftw has no context
static size_t g_file_count;

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), tail_n = strlen(tail);
    return n >= tail_n && strcmp(text + n - tail_n, tail) == 0;
}

static bool is_whole_manifest(const char *bytes)
{
    return strstr(bytes, "\"exit_status\":") != NULL && ends_with(bytes, "}\n");
}

static int check_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    if (type != FTW_F)
        return 0;
    g_file_count++;
    if (ends_with(path, ".tmp"))
        fail_msg("%s: a temporary file is left: %s", g_checking, path);
    size_t got_bytes, want_bytes;
    unsigned char *got = fault_read(path, &got_bytes);
    got[got_bytes] = '\0';
    if (strcmp(path + ftw->base, "manifest.json") == 0) {
        if (!is_whole_manifest((const char *)got))
            fail_msg("%s: the manifest is half-written", g_checking);
        free(got);
        return 0;
    }
    // A record says how far a run came, and has times; stress.resume looks at what it says.
    if (strncmp(path + ftw->base, "record", strlen("record")) == 0) {
        free(got);
        return 0;
    }
    char reference[4096];
    snprintf(reference, sizeof reference, "want%s", path + strlen("out"));
    unsigned char *want = fault_read(reference, &want_bytes);
    if (got_bytes != want_bytes || memcmp(got, want, got_bytes) != 0)
        fail_msg("%s: %s has %zu bytes, not the %zu of the sound run", g_checking, path, got_bytes,
                 want_bytes);
    free(got);
    free(want);
    return 0;
}

static int count_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)path, (void)st, (void)ftw;
    g_file_count += type == FTW_F;
    return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void fault_drop_reference(void)
{
    assert_int_equal(nftw("want", remove_entry, 8, FTW_PHYS | FTW_DEPTH), 0);
}

void fault_check_outputs(const char *name, bool all)
{
    g_checking = name;
    g_file_count = 0;
    struct stat st;
    bool any = stat("out", &st) == 0;
    if (any)
        assert_int_equal(nftw("out", check_file, 8, FTW_PHYS), 0);
    size_t got_count = g_file_count;
    g_file_count = 0;
    if (all)
        assert_int_equal(nftw("want", count_file, 8, FTW_PHYS), 0);
    if (got_count < g_file_count)
        fail_msg("%s: %zu outputs instead of %zu", name, got_count, g_file_count);
    if (any)
        assert_int_equal(nftw("out", remove_entry, 8, FTW_PHYS | FTW_DEPTH), 0);
}
