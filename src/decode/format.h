// Chooses the decoder by the file header. Recognises every header a Go release ever
// wrote, and the spellings Go's scanning reader also accepts ("go  1.026 trace":
// more blanks, leading zeros), where the body starts right after the third zero
// byte instead of at 16. Pure.
#ifndef TP_DECODE_FORMAT_H
#define TP_DECODE_FORMAT_H

#include "base/span.h"

enum tp_format_family {
    TP_FORMAT_NONE,    // not a trace
    TP_FORMAT_V2,      // Go 1.22 and later, readable here
    TP_FORMAT_V1,      // Go 1.5 to 1.21
    TP_FORMAT_V0,      // before Go 1.5 ("gotrace")
    TP_FORMAT_UNKNOWN, // a trace header with a minor release that no Go release wrote
    TP_FORMAT_STATE,   // not a trace: a state file of this program (stats/state/state.h)
};

struct tp_format {
    enum tp_format_family family;
    uint32_t minor;      // as written: 23 for a trace of Go 1.24 too; 0 for V0
    size_t header_bytes; // where the body starts; V0, V1 and V2
};

// Whether its events are those of events_v1.def.
TP_INLINE bool tp_format_is_old(const struct tp_format *f)
{
    return f->family == TP_FORMAT_V1 || f->family == TP_FORMAT_V0;
}

// Whether its events can be put in order.
TP_INLINE bool tp_format_has_order(const struct tp_format *f)
{
    return f->family == TP_FORMAT_V2 || tp_format_is_old(f);
}

#define TP_FORMAT_V0_MAGIC "gotrace"
#define TP_FORMAT_V0_MAGIC_BYTES sizeof TP_FORMAT_V0_MAGIC // with its zero byte
#define TP_FORMAT_STATE_MAGIC "tpstats"
#define TP_FORMAT_STATE_MAGIC_BYTES sizeof TP_FORMAT_STATE_MAGIC // with its zero byte

// Headers longer than this (absurd white space) are not recognised.
#define TP_FORMAT_HEADER_MAX_BYTES 256

// TP_FORMAT_MORE: `head` is too short to tell, and more bytes may follow
// (!at_end).
enum tp_format_verdict { TP_FORMAT_TOLD, TP_FORMAT_MORE };
enum tp_format_verdict tp_format_detect(struct tp_span head, bool at_end,
                                        struct tp_format *ret_format);

#endif
