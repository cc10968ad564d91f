#include "reader_lab.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "scratch.h"
#include "synth.h"

static uint64_t live_bytes; // allocated before the test

int lab_set_up(void **state)
{
    live_bytes = tp_alloc_live_bytes();
    return scratch_set_up(state);
}

int lab_tear_down(void **state)
{
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    return scratch_tear_down(state);
}

#define OPTION_TEXT_BYTES 256

// READING

void lab_options(const char *options, struct tp_option to[static LAB_OPTIONS_MAX])
{
    static char text[OPTION_TEXT_BYTES];
    size_t count = 0;
    assert_true(strlen(options) < sizeof text);
    strcpy(text, options);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        assert_true(equals != NULL && count + 1 < LAB_OPTIONS_MAX);
        *equals = '\0';
        to[count++] = (struct tp_option){word, equals + 1};
    }
    to[count] = (struct tp_option){NULL, NULL};
}

struct tp_reader *lab_open(const char *path, const char *options)
{
    struct tp_option list[LAB_OPTIONS_MAX];
    struct tp_reader *reader;
    struct tp_error err;
    lab_options(options, list);
    if (tp_reader_open(path, list, &reader, &err) != 0)
        fail_msg("%s: %s", path, err.text);
    return reader;
}

static uint64_t mix(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ (sum >> 29);
}

uint64_t lab_checksum(uint64_t sum, const struct tp_event *events, size_t event_count)
{
    for (size_t i = 0; i < event_count; i++) {
        const struct tp_event *e = &events[i];
        sum = mix(sum, (uint64_t)e->time_ns);
        sum = mix(sum, (uint64_t)e->m);
        sum = mix(sum, (uint64_t)e->p);
        sum = mix(sum, (uint64_t)e->g);
        for (unsigned k = 0; k < TP_EVENT_ARGS; k++)
            sum = mix(sum, e->args[k]);
        sum = mix(sum, e->type);
    }
    return sum;
}

static void count_messages(struct tp_reader *reader, struct reading *r)
{
    struct tp_message m;
    while (tp_reader_take_message(reader, &m)) {
        assert_non_null(m.text);
        r->warning_count += m.level == TP_MSG_WARNING;
        r->has_read_warning |= m.level == TP_MSG_WARNING && strstr(m.text, "cannot read") != NULL;
        r->error_message_count += m.level == TP_MSG_ERROR;
    }
}

struct reading lab_drain(struct tp_reader *reader)
{
    struct reading r = {0};
    struct tp_event_block block;
    while ((r.end = tp_reader_next(reader, &block, &r.error)) == TP_NEXT_BLOCK) {
        assert_true(block.event_count > 0);
        assert_true((block.tables != NULL) == (block.generation != 0));
        r.checksum = lab_checksum(r.checksum, block.events, block.event_count);
        r.event_count += block.event_count;
        r.block_count++;
    }
    assert_true(tp_reader_report(reader, &r.report));
    count_messages(reader, &r);
    // The end is final: the next call returns it again.
    struct tp_error again;
    assert_int_equal(tp_reader_next(reader, &block, &again), r.end);
    if (r.end == TP_NEXT_FAILED)
        assert_int_equal(again.code, r.error.code);
    r.error.path = NULL; // its memory was freed with the reader
    tp_reader_close(reader);
    return r;
}

struct reading lab_read(const char *path, const char *options)
{
    struct reading r = {0};
    struct tp_option list[LAB_OPTIONS_MAX];
    struct tp_reader *reader;
    lab_options(options, list);
    if (tp_reader_open(path, list, &reader, &r.open_error) != 0)
        return r;
    return lab_drain(reader);
}

// TRACES

static int append(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    struct lab_trace *t = ctx;
    t->bytes = realloc(t->bytes, t->len_bytes + len_bytes);
    assert_non_null(t->bytes);
    memcpy(t->bytes + t->len_bytes, bytes, len_bytes);
    t->len_bytes += len_bytes;
    return 0;
}

struct lab_trace lab_generate(uint64_t generations, uint64_t gen_events)
{
    struct synth_config config;
    struct synth_totals totals;
    struct tp_error err;
    struct lab_trace t = {0};
    synth_config_init(&config);
    config.generations = generations;
    config.gen_events = gen_events;
    assert_int_equal(synth_generate(&config, append, &t, &totals, &err), 0);
    return t;
}

struct lab_trace lab_load(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0 && fstat(fd, &st) == 0);
    struct lab_trace t = {malloc((size_t)st.st_size + 1), (size_t)st.st_size};
    assert_non_null(t.bytes);
    assert_int_equal(read(fd, t.bytes, t.len_bytes), st.st_size);
    close(fd);
    return t;
}

void lab_write(const char *path, const void *bytes, size_t len_bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len_bytes), len_bytes);
    assert_int_equal(close(fd), 0);
}

void lab_drop(struct lab_trace *t)
{
    free(t->bytes);
    *t = (struct lab_trace){0};
}

void lab_assert_same(const char *name, const struct reading *got, const struct reading *want)
{
    if (got->open_error.code != 0)
        fail_msg("%s: %s", name, got->open_error.text);
    if (got->end != want->end)
        fail_msg("%s: ends with %d: %s", name, (int)got->end, got->error.text);
    if (got->event_count != want->event_count || got->checksum != want->checksum)
        fail_msg("%s: %llu events, not %llu, or others", name,
                 (unsigned long long)got->event_count, (unsigned long long)want->event_count);
}
