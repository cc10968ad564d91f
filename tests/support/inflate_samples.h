// Compressed samples, made by zlib and libzstd, and a driver that runs tp_inflate over a
// sample. All functions assert with cmocka, so only the test's own thread may call them.
#ifndef TP_TESTS_INFLATE_SAMPLES_H
#define TP_TESTS_INFLATE_SAMPLES_H

#include "io/inflate.h"

struct bytes {
    unsigned char *ptr;
    size_t len_bytes;
};

void bytes_append(struct bytes *to, const void *ptr, size_t len_bytes);
void bytes_drop(struct bytes *b);

// Returns the same bytes for the same length: half noise, half repetitive, so that blocks of
// all kinds occur. The caller frees them with bytes_drop.
struct bytes make_content(size_t len_bytes);

struct zstd_choice {
    int level;
    int window_log; // 0: the library's choice for this level
    int checksum;
    int content_size; // 1: the header has the size of the content; 0: it does not
    size_t flush_every_bytes; // 0: never; makes many small blocks
};

// Each function appends one gzip member or zstd frame.
void append_gzip(struct bytes *to, const void *ptr, size_t len_bytes);
void append_zstd(struct bytes *to, const void *ptr, size_t len_bytes,
                 const struct zstd_choice *choice);
void append_skippable(struct bytes *to, const char *text);

// The shapes of samples. Every sample has the content compressed twice, one copy after the
// other, so that it has a border between two members or frames.
enum sample_shape {
    GZIP_TWO,
    GZIP_PADDED,
    ZSTD_PLAIN,
    ZSTD_NO_SIZE_NO_SUM,
    ZSTD_SUM_SMALL_BLOCKS,
    ZSTD_SKIPPABLE,
    SHAPE_COUNT
};

enum tp_codec codec_of(enum sample_shape shape);
// Returns a sample, which the caller frees with bytes_drop.
struct bytes make_sample(enum sample_shape shape, struct bytes content);

// Memory limit for tests that are not about memory: more than any sample needs.
#define ROOMY_BYTES TP_MIB(64)

// The result of running a decoder over a whole sample.
struct inflate_result {
    int rc;
    struct tp_error err;
    struct bytes made;
    size_t left_bytes; // input left over
};

// Decodes `stored`: gives input in pieces of `in_piece` bytes and takes output in pieces of
// `out_piece` bytes. Checks that every step makes progress and that the end, good or bad, is
// final. The caller frees `made` with bytes_drop.
struct inflate_result inflate_all(enum tp_codec codec, struct tp_span stored, size_t in_piece,
                                  size_t out_piece, size_t max_bytes);

// Asserts that the run succeeded, used all input and decoded `want`. Frees `made`.
void expect_content(struct inflate_result *r, struct tp_span want);

#endif
