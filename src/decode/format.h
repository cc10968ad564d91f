// Chooses the decoder by the header of the file. Recognizes every header that a Go release ever
// wrote, and the other spellings that Go's scanning reader accepts ("go  1.026 trace": more blanks,
// leading zeros), after which the body starts directly after the third zero byte instead of at 16.
// Pure; any thread may call it.
#ifndef TP_DECODE_FORMAT_H
#define TP_DECODE_FORMAT_H

#include "decode/foreign.h"

// A detected format; a plain value.
struct tp_format {
    const struct tp_decoder *decoder; // the row of the format (decode/decoder.h)
    uint32_t minor;      // as written: 23 for a trace of Go 1.24 too; 0 if the header has none
    size_t header_bytes; // offset at which the body starts; only of traces
    struct tp_foreign foreign; // what the file is instead of a trace; only with tp_decoder_none
};

// The first bytes of traces from before Go 1.5, and of states of statistics.
#define TP_FORMAT_V0_MAGIC "gotrace"
#define TP_FORMAT_V0_MAGIC_BYTES sizeof TP_FORMAT_V0_MAGIC // with its zero byte
#define TP_FORMAT_STATE_MAGIC "tpstats"
#define TP_FORMAT_STATE_MAGIC_BYTES sizeof TP_FORMAT_STATE_MAGIC // with its zero byte
// The only version that is read and written. Raise it with any change of the bytes, also when rows
// get another number of columns: with each new figure of a file, level, or class of time.
#define TP_FORMAT_STATE_VERSION 4

// Headers longer than this (absurd white space) are not recognized.
#define TP_FORMAT_HEADER_MAX_BYTES 256

// Detects the format by `head`, the first bytes of the stream; `at_end`: no bytes follow.
// TP_FORMAT_MORE: `head` is too short to decide, and more bytes may follow. The decoder is never
// NULL: bytes that are no trace get tp_decoder_none, traces of other releases tp_decoder_unknown.
enum tp_format_verdict { TP_FORMAT_KNOWN, TP_FORMAT_MORE };
enum tp_format_verdict tp_format_detect(struct tp_span head, bool at_end,
                                        struct tp_format *ret_format);

#endif
