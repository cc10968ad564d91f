// Reads the text form one line at a time: the header, an event, one frame of its stack, or its
// data. Takes whole lines; tp_wiretext, the owner, assembles them from its input. The reader is
// plain memory, used by one thread at a time, and allocates nothing.
#ifndef TP_DECODE_TEXT_LINE_H
#define TP_DECODE_TEXT_LINE_H

#include "base/err.h"
#include "base/span.h"
#include "decode/text/names.h"

// The kind that the next line must have, unless it is blank or a comment.
enum tp_wireline_state {
    TP_WIRELINE_HEADER,
    TP_WIRELINE_EVENT,
    TP_WIRELINE_FRAME,
    TP_WIRELINE_DATA,
};

// The state of reading one text. tp_wiretext owns it.
struct tp_wireline {
    uint64_t line_no; // the owner sets number and offset of the line, for refusals
    uint64_t line_offset;
    struct tp_error refusal; // code != 0: the text ends here

    // The event being read. When it is whole, the owner hands it out, clears is_whole, and only
    // then passes the next line.
    unsigned char *event; // TP_WIRETEXT_EVENT_BYTES of the owner
    size_t event_bytes;
    size_t numbers_at; // offset of the arguments in `event`
    bool is_whole;

    enum tp_wireline_state state;
    unsigned code; // of the event being read
    uint64_t args[TP_MAX_EVENT_ARGS]; // of the event's line, or of its last frame's line
    uint64_t frames_left;
    uint64_t pad_bytes;     // of the length of a stack from before Go 1.22
    struct tp_span current; // the line being read

    // Set by the header.
    enum tp_dialect dialect;
    const struct tp_v1_table *old; // NULL: Go 1.22 and later
    struct tp_wirenames names;
};

// Prepares for the first line of a text. Borrows `event`, of TP_WIRETEXT_EVENT_BYTES; `dialect` is
// that of wiretext.h.
void tp_wireline_init(struct tp_wireline *w, enum tp_dialect dialect, unsigned char *event);

// Returns the maximum length of the next line, without its newline.
size_t tp_wireline_limit_bytes(const struct tp_wireline *w);

// Reads a line without its newline, no longer than the limit. Afterwards there is a whole event, a
// refusal, or neither.
void tp_wireline_read(struct tp_wireline *w, struct tp_span line);

// Refuses the text because a line is longer than the limit.
void tp_wireline_refuse_long(struct tp_wireline *w);
// Ends the text at the end of the input. Refuses it only if it must have another line.
void tp_wireline_end(struct tp_wireline *w);

#endif
