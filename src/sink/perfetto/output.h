// Writes packets, those of names and descriptions compressed together if that is wanted. One thread at a time.
#ifndef TP_SINK_PERFETTO_OUTPUT_H
#define TP_SINK_PERFETTO_OUTPUT_H

#include "base/list.h"
#include "base/writer.h"
#include "merge/tables/text.h"
#include "sink/proto/message.h"

// Texts longer than this are cut; so are stacks in arguments.
#define TP_PERFETTO_TEXT_MAX_BYTES 8192

// A zeroed object with `out` writes packets as they are. The owner frees `pending.items` with tp_free.
struct tp_perfetto_output {
    struct tp_out *out;
    bool compresses;
    TP_LIST(unsigned char) pending; // packets to be compressed together
    uint64_t written_bytes;  // before compression
    uint64_t cut_texts;
    size_t text_bytes;       // of the text that is made
    unsigned char text[TP_PERFETTO_TEXT_MAX_BYTES];
};

// Writes a packet. tp_perfetto_put_with_text writes one whose last field ends with the text that was made.
int tp_perfetto_put(struct tp_perfetto_output *o, const struct tp_message *packet,
                    struct tp_error *err) TP_MUST_USE;
int tp_perfetto_put_with_text(struct tp_perfetto_output *o, const struct tp_message *packet,
                              struct tp_error *err) TP_MUST_USE;
// Writes what is pending. Call before bytes are written to `out` by others, and at the end.
int tp_perfetto_flush(struct tp_perfetto_output *o, struct tp_error *err) TP_MUST_USE;

// Begins an empty text; then add to it a text of a trace, whose bytes that are not UTF-8 are replaced, and short
// formatted texts. What does not fit is cut.
TP_INLINE void tp_perfetto_begin_text(struct tp_perfetto_output *o) { o->text_bytes = 0; }
void tp_perfetto_add_text(struct tp_perfetto_output *o, struct tp_text text);
void tp_perfetto_add_printf(struct tp_perfetto_output *o, const char *fmt, ...) TP_PRINTF(2, 3);

#endif
