// Shared by tests of the C interface: traces in files of the current folder, and readings of them
// through a reader. All functions assert with cmocka, so only the thread of the test may call them.
#ifndef TP_TESTS_READER_LAB_H
#define TP_TESTS_READER_LAB_H

#include "base/attr.h"
#include "tracepipe/reader.h"

#define LAB_OPTIONS_MAX 8

// Set-up and tear-down of each test: gives it a folder of its own, and asserts that the test
// leaves no memory allocated.
int lab_set_up(void **state);
int lab_tear_down(void **state);

// Everything that a reader handed out. The checksum covers every field of every event, in order.
struct reading {
    struct tp_error open_error; // code 0: the reader was opened
    enum tp_next end;
    struct tp_error error;      // after TP_NEXT_FAILED
    uint64_t event_count;
    uint64_t block_count;
    uint64_t checksum;
    struct tp_reader_report report;
    size_t warning_count;
    bool has_read_warning; // a warning says that something cannot be read
    size_t error_message_count;
};

// Parses "name=value name=value".
void lab_options(const char *options, struct tp_option to[static LAB_OPTIONS_MAX]);
struct tp_reader *lab_open(const char *path, const char *options);
struct reading lab_read(const char *path, const char *options);
// Reads an open reader to its end and closes it.
struct reading lab_drain(struct tp_reader *reader);
// Asserts that both readings have the same events and end; a failure names the test `name`.
void lab_assert_same(const char *name, const struct reading *got, const struct reading *want);
uint64_t lab_checksum(uint64_t sum, const struct tp_event *events, size_t event_count);

// The bytes of a trace, which the caller frees with lab_drop.
struct lab_trace {
    unsigned char *bytes;
    size_t len_bytes;
};
// Generates a trace of Go 1.26.
struct lab_trace lab_generate(uint64_t generations, uint64_t gen_events);
struct lab_trace lab_load(const char *path);
void lab_write(const char *path, const void *bytes, size_t len_bytes);
void lab_drop(struct lab_trace *t);

#endif
