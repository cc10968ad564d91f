// Pull: the ordered events of one trace, block by block, for a loop of the program's
// own. Threads of the reader read and decompress meanwhile and build the tables; the
// thread that asks for a block puts its events in order, so that they come from the
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
// Threads: one thread at a time uses a reader, not necessarily always the same.
// Different readers have nothing in common. While a block is valid any number of
// threads may read it.
//
// Damage: what is sound comes, in the order in which Go's reader would hand it out if
// the rest were not there. What is missing is told by messages and the report, and is
// no failure. With the option "strict" the events end where Go's reader ends, with
// its error.
//
// A reader whose blocks are not taken waits; its memory stays within "max-memory".
#ifndef TRACEPIPE_READER_H
#define TRACEPIPE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepipe/api.h"
#include "tracepipe/error.h"
#include "tracepipe/event.h"
#include "tracepipe/tracepipe.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_reader;

// Name and value of TP_RUN_OPTIONS; "recursive" and "zero-ended" make no difference to
// a reader, which has one input.
struct tp_option {
    const char *name;
    const char *value;
};

// Opens a trace, plain, compressed or in text form; "-" is stdin. `options` ends with
// a name of NULL; NULL: none. Fails with TP_E_USAGE (an option), TP_E_OPEN (a name that
// cannot be one of a trace: nothing there, a folder, no permission), TP_E_MEMORY or
// TP_E_KERNEL; an error of the name borrows `path`, one of the option "binary" its value.
// That it is no trace is told by tp_reader_next. On success the caller owns the reader.
TP_API int tp_reader_open(const char *path, const struct tp_option *options,
                          struct tp_reader **ret_reader, struct tp_error *err);

// At any time, also in the middle: what is under way is stopped and waited for, which
// takes milliseconds. NULL is fine.
TP_API void tp_reader_close(struct tp_reader *reader);

enum tp_next {
    TP_NEXT_BLOCK,  // *ret_block is written
    TP_NEXT_END,    // all events that could be had were handed out
    TP_NEXT_FAILED, // *err is written; what came before is sound
};

// The next block; waits for it. Ends the life of the block before. TP_NEXT_END and
// TP_NEXT_FAILED are for ever: each later call gives the same.
//
// Fails with TP_E_NOT_TRACE, TP_E_NEW_TRACE: nothing was handed out;
// TP_E_READ, TP_E_CODEC, TP_E_TEXT, TP_E_TOO_LARGE, TP_E_LIMIT: the input ends too early;
// TP_E_INTERNAL: a check of our own work failed; with "strict" TP_E_DAMAGED, TP_E_EVENT,
// TP_E_ORDER and the first line of Go's words; TP_E_MEMORY, TP_E_KERNEL. A plain file that becomes shorter meanwhile loses events, and
// all of them if it is from before Go 1.22 and none was handed out yet. `err->path` lives as
// long as the reader.
TP_API enum tp_next tp_reader_next(struct tp_reader *reader, struct tp_event_block *ret_block,
                                   struct tp_error *err);

// What a program with a terminal would print: damage, loss, clocks that had to be
// guessed. Nearly all come at the end, before TP_NEXT_END or TP_NEXT_FAILED.
struct tp_message {
    enum tp_message_level level;
    const char *text;        // lives as long as the reader
};

// The oldest message not yet taken; false: there is none now. Never waits.
TP_API bool tp_reader_take_message(struct tp_reader *reader, struct tp_message *ret_message);

// What became of the input.
struct tp_reader_report {
    uint32_t go_minor;       // of the format: 26 is Go 1.26 and 1.27
    uint64_t stored_bytes;   // read from the file, what is read again ("reread") not counted,
    uint64_t read_count;     // by so many reads
    uint64_t stream_bytes;   // in wire form, after decompression and text encoding
    uint64_t event_count;    // handed out
    // With "from" and "to": events that were put in order to know those of the window, but lie
    // before or behind it, and the bytes of events behind it that nobody looked at, of the last
    // generation. None is invented: states are those of the whole trace, or not known.
    uint64_t before_count;
    uint64_t behind_count;
    uint64_t behind_bytes;
    uint64_t damage_count;   // places of damage in the stream,
    uint64_t lost_bytes;     // and the bytes passed over there
    uint64_t incomplete_count; // generations of which something is missing,
    uint64_t unordered_bytes;  // and the bytes of events left out there
};

// False, and nothing written, before TP_NEXT_END or TP_NEXT_FAILED.
TP_API bool tp_reader_report(const struct tp_reader *reader, struct tp_reader_report *ret_report);

#ifdef __cplusplus
}
#endif
#endif
