// Compressed samples, made by the libraries themselves, and a driver that runs a
// decoder over one of them. Everything asserts with cmocka, so only the thread of
// the test may call it.
#ifndef TP_TESTS_INFLATE_SAMPLES_H
#define TP_TESTS_INFLATE_SAMPLES_H

#include "io/inflate.h"

struct bytes {
    unsigned char *ptr;
    size_t len_bytes;
};

void bytes_append(struct bytes *to, const void *ptr, size_t len_bytes);
void bytes_drop(struct bytes *b);

// The same bytes for the same length; half noise, half not, so that all kinds of
// blocks occur. Whoever asks drops it.
struct bytes make_content(size_t len_bytes);

struct zstd_choice {
    int level;
    int window_log; // 0: as the level says
    int checksum;
    int content_size; // written into the header
    size_t flush_every_bytes; // 0: never; makes many small blocks
};

// Each appends one member or frame.
void append_gzip(struct bytes *to, const void *ptr, size_t len_bytes);
void append_zstd(struct bytes *to, const void *ptr, size_t len_bytes,
                 const struct zstd_choice *choice);
void append_skippable(struct bytes *to, const char *text);

// The content compressed in all shapes; each twice in a row, so that every sample
// also has a border between two parts.
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
struct bytes make_sample(enum sample_shape shape, struct bytes content);

// More than any sample needs that is not about memory.
#define ROOMY_BYTES TP_MIB(64)

// What a whole run over `stored` gave.
struct inflate_result {
    int rc;
    struct tp_error err;
    struct bytes made;
    size_t left_bytes; // of the input
};

// Hands the input over in pieces of `in_piece` and takes it in pieces of
// `out_piece` bytes; checks on the way that every step gets on, and that the end,
// good or bad, is final. The caller drops `made`.
struct inflate_result inflate_all(enum tp_codec codec, struct tp_span stored, size_t in_piece,
                                  size_t out_piece, size_t max_bytes);

// The run succeeded, used all input and gave `want`. Drops `made`.
void expect_content(struct inflate_result *r, struct tp_span want);

#endif
