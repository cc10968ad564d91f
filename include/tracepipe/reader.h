// Reads the ordered events of one trace, block by block, for a loop of the program's
// own. Threads of the reader read, decompress and build the tables in the background; the
// thread that asks for a block puts the block's events in order, so that they are in the
// cache of its core. Nothing is copied.
//
//   struct tp_reader *reader;
//   struct tp_error err;
//   if (tp_reader_open("a.trace", NULL, &reader, &err) != 0)
//       ...
//   struct tp_event_block block;
//   enum tp_next next;
//   while ((next = tp_reader_next(reader, &block, &err)) == TP_NEXT_BLOCK)
//       for (size_t i = 0; i < block.event_count; i++)
//           look_at(&block.events[i], block.tables);
//   if (next == TP_NEXT_FAILED)
//       fprintf(stderr, "%s\n", err.text);
//   tp_reader_close(reader);
//
// Lifetimes: a block, its events, its tables, and the texts and stacks taken from
// them are valid until the next tp_reader_next or tp_reader_close of that reader.
// Events are plain values and may be copied; texts have to be copied to be kept.
//
// Threads: one thread at a time uses a reader, not necessarily always the same one.
// Different readers share nothing. Any number of threads may read a block while it is valid.
//
// Damage: the reader hands out the sound events of a damaged trace, in the order in which
// Go's reader would return them if the damaged bytes were absent. Missing events are no
// failure: messages and the report list them. With the option "strict" the events end
// where Go's reader stops, and tp_reader_next fails with the error of Go's reader.
//
// Spans: with the option "spans" a block has the spans of states that its events end, and with the option
// "intervals" the tasks, regions and other intervals (span.h). Blocks without events, which have those
// that the trace cuts, come last.
//
// A reader reads ahead of its caller and then waits; its memory stays within "max-memory".
#ifndef TRACEPIPE_READER_H
#define TRACEPIPE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepipe/api.h"
#include "tracepipe/error.h"
#include "tracepipe/event.h"
#include "tracepipe/span.h"
#include "tracepipe/tracepipe.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_reader;

// Name and value of one of TP_RUN_OPTIONS, both borrowed during the call that gets them.
// "recursive" and "zero-ended" have no effect: a reader has one input.
struct tp_option {
    const char *name;
    const char *value;
};

// Opens a trace, plain, compressed or in text form; "-" is stdin. `options` is an array whose
// last name is NULL; as a whole it may be NULL. Fails with TP_E_USAGE (an option is wrong),
// TP_E_OPEN (`path` does not exist, is a folder, or may not be read), TP_E_MEMORY or
// TP_E_KERNEL. err->path then borrows `path`, or the value of the option "binary" if that
// program is at fault. tp_reader_next, not this function, reports a file that is no trace.
// On success the caller owns the reader and gives it to tp_reader_close.
TP_API int tp_reader_open(const char *path, const struct tp_option *options,
                          struct tp_reader **ret_reader, struct tp_error *err);

// Frees the reader. May be called at any time, even before the end: stops the reader's threads and
// waits for them, which takes milliseconds. NULL is fine.
TP_API void tp_reader_close(struct tp_reader *reader);

enum tp_next {
    TP_NEXT_BLOCK,  // *ret_block is written
    TP_NEXT_END,    // the reader has handed out every event that it could order
    TP_NEXT_FAILED, // *err is written; all earlier blocks are sound
};

// Waits for the next block and ends the life of the previous one. After TP_NEXT_END or
// TP_NEXT_FAILED each later call returns the same.
//
// Fails with
//   TP_E_NOT_TRACE, TP_E_NEW_TRACE            before the first block
//   TP_E_READ, TP_E_CODEC, TP_E_TEXT,
//   TP_E_TOO_LARGE, TP_E_LIMIT                if the input ends too early
//   TP_E_INTERNAL                             if a check of the library's own work fails
//   TP_E_DAMAGED, TP_E_EVENT, TP_E_ORDER      with "strict" only; the text is the first line
//                                             of the message of Go's reader
//   TP_E_MEMORY, TP_E_KERNEL
//
// A plain file that becomes shorter during the reading loses events: a trace from before
// Go 1.22 loses all of them, if no block was handed out before. err->path lives as long as
// the reader.
TP_API enum tp_next tp_reader_next(struct tp_reader *reader, struct tp_event_block *ret_block,
                                   struct tp_error *err);

// A message for the user of a program: damage, loss, the guessed frequency of a clock.
// Nearly all messages come at the end, before TP_NEXT_END or TP_NEXT_FAILED.
struct tp_message {
    enum tp_message_level level;
    const char *text;        // lives as long as the reader
};

// Takes the oldest message that was not taken yet. False: there is none now. Never waits.
TP_API bool tp_reader_take_message(struct tp_reader *reader, struct tp_message *ret_message);

// The result of reading one input.
struct tp_reader_report {
    uint32_t go_minor;       // of the format: 26 is Go 1.26 and 1.27
    uint64_t stored_bytes;   // read from the file; reads of "reread" are not counted
    uint64_t read_count;     // reads that brought these bytes
    uint64_t stream_bytes;   // in wire form, after decompression and text encoding
    uint64_t event_count;    // handed out
    // With "from" and "to": to find the events of the time window, the reader also puts events
    // before and after the window in order. No event is invented: states in the window are those of
    // the whole trace, or not known.
    uint64_t before_count;   // events before the window that were put in order
    uint64_t behind_count;   // events after the window that were put in order
    uint64_t behind_bytes;   // of events after the window, in the last generation, never looked at
    uint64_t damage_count;   // places of damage in the stream
    uint64_t lost_bytes;     // bytes passed over at these places
    uint64_t incomplete_count; // generations of which events are missing
    uint64_t unordered_bytes;  // bytes of these missing events
};

// Copies the report. Before TP_NEXT_END or TP_NEXT_FAILED returns false and writes nothing.
TP_API bool tp_reader_report(const struct tp_reader *reader, struct tp_reader_report *ret_report);

#ifdef __cplusplus
}
#endif
#endif
