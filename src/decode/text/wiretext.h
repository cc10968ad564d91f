// Converts the text form of a trace to wire bytes, incrementally. The wire bytes equal those of
// Go's raw writer (internal/trace/raw), and only whole events come out. The converter accepts every
// text that Go's reader accepts, with two differences: the data line of an ExperimentalBatch may
// have up to 1 MiB (Go stops at 65,535 bytes for every line), so that the text of any trace can be
// read back; one event may not exceed TP_WIRETEXT_EVENT_BYTES.
//
// Go's reader has no text of traces from before Go 1.22: it takes the headers of 1.11, 1.19
// and 1.21, and then refuses every event. This unit converts the text that the sink `text`
// makes of such traces (raw_text.h) back to the runtime's bytes. The header names the
// release, "Go1.4" for the time before 1.5. Go's reader accepts no such text, so this
// extension conflicts with none of its results; TP_DIALECT_GO_RAW (--strict) refuses it, as
// Go does. The result has numbers in the shortest form, and lengths only if the runtime writes
// them, so a damaged or hand-made trace with other forms does not round-trip exactly.
//
// Pure: no files, no threads; one object per file.
#ifndef TP_DECODE_TEXT_WIRETEXT_H
#define TP_DECODE_TEXT_WIRETEXT_H

#include "base/buf.h"
#include "base/err.h"
#include "decode/spec.h"

#define TP_WIRETEXT_EVENT_BYTES TP_MIB(1)

// Detects by its first bytes whether a file is in the text form: comments and blank lines may come
// before "Trace". TP_WIRETEXT_MORE: there are too few bytes to decide; this is never the result
// with `at_end`. Never takes a binary trace ("go 1.") for text. Examines no more than 64 KiB.
enum tp_wiretext_verdict { TP_WIRETEXT_NO, TP_WIRETEXT_YES, TP_WIRETEXT_MORE };
enum tp_wiretext_verdict tp_wiretext_detect(struct tp_span head, bool at_end);

struct tp_wiretext;

// Creates a converter for one text, which the caller owns. Fails with TP_E_MEMORY.
int tp_wiretext_create(struct tp_wiretext **ret_text, enum tp_dialect dialect,
                       struct tp_error *err) TP_MUST_USE;
// Frees the object and its buffers, at any time. NULL is fine.
void tp_wiretext_destroy(struct tp_wiretext *text);
// Returns the maximum memory of one object, for reservations.
size_t tp_wiretext_need_bytes(void);

// Reads text from *in, moves *in past the used bytes, and adds wire bytes to `out`. Makes
// progress unless *in is empty or `out` is full; a whole event that does not fit waits
// inside. `at_end`: no input follows *in. *ret_done: all text was read and all bytes were
// handed out. Fails with TP_E_TEXT, but only after earlier calls have handed out all bytes
// before the fault. Then err->text is Go's sentence without a prefix, `line` and `column`
// count from 1 (columns in bytes), and `offset` is that of the line's first byte. Each
// later step fails with the same error.
int tp_wiretext_step(struct tp_wiretext *text, struct tp_span *in, bool at_end,
                     struct tp_buf *out, bool *ret_done, struct tp_error *err) TP_MUST_USE;

#endif
