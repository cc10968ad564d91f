// The text form of a trace as an input: text in, wire bytes out, incrementally.
// The wire bytes equal those of Go's raw writer (internal/trace/raw), events
// appear only when complete, and everything Go's text reader accepts is
// accepted. Differences to Go: the data line of an ExperimentalBatch may be up
// to 1 MiB long (Go stops at 65,535 bytes for every line), so that the text of
// any trace can be read back; one event may not exceed TP_WIRETEXT_EVENT_BYTES.
//
// Go's reader has no text of traces from before Go 1.22: it takes the headers of
// 1.11, 1.19 and 1.21, and then refuses every event. Here the form that the sink
// `text` gives them (sink/text/raw_v1.h) becomes the runtime's bytes again, under the
// header of any release that had a format, and of "Go1.4" for the time before. Go's
// reader accepts no such text, so this extension conflicts with none of its results;
// TP_DIALECT_GO_RAW (--strict) still refuses, as Go does. Numbers are written in their
// shortest form, and lengths where the runtime has them, so a damaged or hand-made
// trace that had other forms does not round-trip exactly.
//
// Pure: no files, no threads; one object per file.
#ifndef TP_DECODE_WIRETEXT_H
#define TP_DECODE_WIRETEXT_H

#include "base/err.h"
#include "base/span.h"
#include "decode/spec.h"

#define TP_WIRETEXT_EVENT_BYTES TP_MIB(1)
// The release in the header of a text whose trace is from before Go 1.5.
#define TP_WIRETEXT_BEFORE_1_5 4

// Whether the file's first line is that of the text form. Looks at the first
// bytes of the file: comments and blank lines may come before "Trace".
// TP_WIRETEXT_MORE: too few bytes to tell (`at_end` makes it decide). Must not
// mistake a binary trace ("go 1.") for text. Looks at no more than 64 KiB.
enum tp_wiretext_verdict { TP_WIRETEXT_NO, TP_WIRETEXT_YES, TP_WIRETEXT_MORE };
enum tp_wiretext_verdict tp_wiretext_detect(struct tp_span head, bool at_end);

struct tp_wiretext;

int tp_wiretext_create(struct tp_wiretext **ret_text, enum tp_dialect dialect,
                       struct tp_error *err) TP_MUST_USE;
void tp_wiretext_destroy(struct tp_wiretext *text); // NULL is fine
// Memory the object may come to use, for reservations.
size_t tp_wiretext_need_bytes(void);

// Reads from *in (advanced by what was used) and writes wire bytes to `out`.
// Makes progress unless *in is empty or out is full; whole events that do not
// fit wait inside. `at_end`: no input follows *in. ret_done: all text was read
// and all bytes handed out.
// On TP_E_TEXT everything made before was handed out (call with a larger or
// empty `out` first returns the bytes, then the error): `text` is Go's sentence
// without a prefix, `line` and `column` count from 1 (column in bytes), offset is
// that of the line's first byte.
int tp_wiretext_step(struct tp_wiretext *text, struct tp_span *in, bool at_end,
                     unsigned char *out, size_t out_bytes, size_t *ret_made, bool *ret_done,
                     struct tp_error *err) TP_MUST_USE;

#endif
