// What tests of the C interface share: traces in files of the current folder, and what a
// reader makes of one. Asserts with cmocka, so only for the thread of the test.
#ifndef TP_TESTS_READER_LAB_H
#define TP_TESTS_READER_LAB_H

#include "base/attr.h"
#include "tracepipe/reader.h"

#define LAB_OPTIONS_MAX 8

// Around each test, in a folder of its own: it leaves no memory behind.
int lab_set_up(void **state);
int lab_tear_down(void **state);

// All that a reader handed out. The checksum is over every field of every event, in order.
struct reading {
    struct tp_error open_error; // code 0: it was opened
    enum tp_next end;
    struct tp_error error;      // of FAILED
    uint64_t event_count;
    uint64_t block_count;
    uint64_t checksum;
    struct tp_reader_report report;
    size_t warning_count;
    bool has_read_warning; // of something that cannot be read
    size_t error_message_count;
};

// `options` is "name=value name=value".
void lab_options(const char *options, struct tp_option to[static LAB_OPTIONS_MAX]);
struct tp_reader *lab_open(const char *path, const char *options);
struct reading lab_read(const char *path, const char *options);
// The same for a reader that is open; closes it.
struct reading lab_drain(struct tp_reader *reader);
// Of the same events, and ended alike; fails the test called `name` otherwise.
void lab_assert_same(const char *name, const struct reading *got, const struct reading *want);
uint64_t lab_checksum(uint64_t sum, const struct tp_event *events, size_t event_count);

// Writes a generated trace of Go 1.26. What it is in bytes is the caller's to free.
struct lab_trace {
    unsigned char *bytes;
    size_t len_bytes;
};
struct lab_trace lab_generate(uint64_t generations, uint64_t gen_events);
struct lab_trace lab_load(const char *path);
void lab_write(const char *path, const void *bytes, size_t len_bytes);
void lab_drop(struct lab_trace *t);

#endif
