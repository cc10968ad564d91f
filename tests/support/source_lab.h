// A host for the engines that read files: a pool of chunks, files that keep what was read from
// them, and the first rule that an engine breaks. Functions that assert may be called only by
// the thread of the test; callbacks run on the engine's threads.
#ifndef TP_TESTS_SOURCE_LAB_H
#define TP_TESTS_SOURCE_LAB_H

#include <pthread.h>

#include "io/source.h"

// Capacity of a chunk unless the setup says otherwise.
#define CHUNK 4096u
#define READINGS_MAX 400
#define PATH_BYTES 128

// A file of the engine, and the bytes that were read from it.
struct reading {
    struct tp_source_file file; // first: callbacks cast
    char path[PATH_BYTES];
    pthread_mutex_t inside; // held during a callback about this file
    unsigned char *bytes;
    size_t len_bytes;
    unsigned chunks_taken, chunks_delivered;
    bool refused; // `take` gave NULL since the last release of a chunk; guarded by lab.mu
    bool last_was_short;
    size_t cancel_at_bytes; // 0: never
    void (*on_first)(struct reading *); // called in the callback of the first chunk
    bool ended, failed;
    struct tp_error err;
};

struct lab {
    struct tp_source *src;
    size_t chunk_bytes;
    pthread_mutex_t mu; // guards the fields below
    pthread_cond_t changed;
    struct tp_chunk *chunks;
    unsigned char *arena;
    size_t arena_bytes;
    struct tp_chunk *pool;
    struct tp_chunk *deferred; // delivered chunks that the test will release
    bool defer;
    unsigned chunk_count, in_pool;
    unsigned refused; // number of files whose `refused` is set
    struct reading *readings;
    unsigned count, next, ended, feed_to; // an ended file adds the next while next < feed_to
    uint64_t take_order[READINGS_MAX];
    unsigned take_count;
    const char *broken;
};

struct setup {
    enum tp_io_kind kind;
    unsigned threads, reads_per_file, chunk_count, files;
    unsigned max_files; // 0: as many as files
    size_t chunk_bytes; // 0: CHUNK
};


extern struct lab g_lab;
extern char g_lab_dir[]; // folder of the test files: a template for mkdtemp, then its result
extern const struct tp_source_host LAB_HOST;

// Notes a broken rule, which lab_stop reports by an assertion. Any thread.
void broke(const char *rule);

// Creates and starts an engine of the lab. Fails as these functions do.
int lab_open(enum tp_io_kind kind, const struct tp_source_config *cfg, struct tp_source **ret_src,
             char ret_why[TP_SOURCE_WHY_BYTES], struct tp_error *err);

// Returns 0 if this kernel serves io_uring, else the code with which creating the engine fails.
int try_uring(struct tp_error *err);

// Creates the engine, the chunks and s->files readings, which hold no bytes yet; the `rank` of a
// reading's file is the index of the reading. Skips the test if the kernel has no memory for the
// engine.
void lab_start(const struct setup *s);
void lab_add_all(void);
void lab_cancel(struct reading *rd);

// The next three wait for at most a minute. lab_wait_ended waits until `count` files have
// ended, and releases deferred chunks meanwhile.
void lab_wait_ended(unsigned count);
// Waits until `take` has returned NULL for `count` different files.
void lab_wait_refused(unsigned count);
// Waits as lab_wait_refused does, and for a deferred chunk; then releases that chunk, and counts
// refused files from 0 again.
void lab_release_when_refused(unsigned count);

// Ends the engine, asserts the rules that hold after every run, and frees the readings.
void lab_stop(void);

// Returns byte `i` of the test file with this seed.
unsigned char byte_at(unsigned seed, size_t i);
void append_bytes(const char *path, unsigned seed, size_t from, size_t len_bytes);

// name_file sets the path of a reading. make_file names the file of a reading after its rank, and
// writes the file with the rank as seed.
void name_file(struct reading *rd, const char *name);
void make_file(struct reading *rd, size_t len_bytes);

// assert_bytes asserts that the reading has exactly `len_bytes` bytes of the contents from `from`
// on. assert_read asserts that the reading ended without error and has all of a file that make_file
// wrote.
void assert_bytes(const struct reading *rd, unsigned seed, size_t from, size_t len_bytes);
void assert_read(const struct reading *rd, size_t len_bytes);

unsigned open_fds(void);

#endif
