// Logs the spans, which are durations, of goroutines whose names are not settled yet. Adding a span
// to its goroutine's log touches one cache line, whereas a histogram for each goroutine would be
// scattered over memory.
//
// Many logs share one list of words. A log is identified by the index of its last chunk in that
// list, which the goroutine's record keeps; 0 is an empty log.
//
// One thread at a time uses a struct tp_span_logs. A zeroed one has no logs.
#ifndef TP_STATS_FOLD_SPAN_LOG_H
#define TP_STATS_FOLD_SPAN_LOG_H

#include "base/list.h"

// A log is a chain of chunks; the first chunk is small, because many logs have only one or two
// spans. A chunk is a head followed by words. Each word is a span: nanoseconds, measure, and
// whether the span is cut. A span that does not fit into one word takes two: the first word has the
// measure and whether the span is cut, the second word has the nanoseconds.
#define TP_SPAN_FIRST_WORDS 3
#define TP_SPAN_OTHER_WORDS 15
#define TP_SPAN_CHUNKS_MAX UINT16_MAX

// A span, or the head of a chunk.
union tp_span_word {
    uint64_t span;
    struct {
        uint16_t count;         // number of words in use after the head
        uint16_t number;        // position of the chunk in its log, from 1 on
        uint32_t before;        // previous chunk of the log; if this one is free: next free chunk
    } head;
};

// All logs of one owner, which frees `words.items` with tp_free.
struct tp_span_logs {
    TP_LIST(union tp_span_word) words; // items[0] is unused, so that index 0 is no chunk
    uint32_t free_first; // list of free chunks of the small size; 0: empty
    uint32_t free_other; // list of free chunks of the other size; 0: empty
};

// A duration as callers see it; a plain value. `measure` is numbered by the owner of the logs.
struct tp_logged_span {
    uint64_t ns;
    uint32_t measure;
    bool is_cut;
};

// The bits of a word, from the lowest: 1 for is_cut, TP_SPAN_MEASURE_BITS, and the rest for the
// nanoseconds.
#define TP_SPAN_MEASURE_BITS 15
#define TP_SPAN_NS_SHIFT (TP_SPAN_MEASURE_BITS + 1)
// Stands in place of the measure in the first word of a span that takes two words.
#define TP_SPAN_MEASURE_WIDE ((UINT32_C(1) << TP_SPAN_MEASURE_BITS) - 1)

// Whether the span fits into one word.
TP_INLINE bool tp_span_is_narrow(const struct tp_logged_span *span)
{
    return span->measure < TP_SPAN_MEASURE_WIDE && span->ns >> (64 - TP_SPAN_NS_SHIFT) == 0;
}

// Returns the word of a span, for which tp_span_is_narrow must hold.
TP_INLINE uint64_t tp_span_word(const struct tp_logged_span *span)
{
    return span->ns << TP_SPAN_NS_SHIFT | (uint64_t)span->measure << 1 | span->is_cut;
}

// Returns how many words fit after the head of a chunk that has this `number` in its log.
TP_INLINE unsigned tp_span_chunk_words(uint32_t number)
{
    return number == 1 ? TP_SPAN_FIRST_WORDS : TP_SPAN_OTHER_WORDS;
}

// Adds a span to the last chunk of a log. False: the log is empty, the chunk is full, or the span
// takes two words. Nothing has changed then; call tp_span_log_add instead.
TP_INLINE bool tp_span_log_add_here(struct tp_span_logs *l, uint32_t log,
                                    struct tp_logged_span span)
{
    if (tp_unlikely(log == 0))
        return false;
    union tp_span_word *chunk = &l->words.items[log];
    if (tp_unlikely(chunk->head.count == tp_span_chunk_words(chunk->head.number) ||
                    !tp_span_is_narrow(&span)))
        return false;
    chunk[++chunk->head.count].span = tp_span_word(&span);
    return true;
}
// Adds a span to the log *log, in a new chunk if needed, and sets *log to the last chunk. A log may
// have at most TP_SPAN_CHUNKS_MAX chunks; nothing checks this, so the owner must free the log
// before it gets more. False: out of memory, and nothing has changed.
bool tp_span_log_add(struct tp_span_logs *l, uint32_t *log,
                     struct tp_logged_span span) TP_MUST_USE;

// Walks all spans of a log, in no particular order. Initialize with {logs, log, 0}. The logs are
// borrowed and must not change during the walk.
struct tp_span_log_walk {
    const struct tp_span_logs *logs;
    uint32_t chunk; // current chunk; 0: the walk is over
    uint32_t next;  // words of the chunk that were read
};
// Sets *ret to the next span. False: there is no further span, and *ret is not set.
bool tp_span_log_next(struct tp_span_log_walk *walk, struct tp_logged_span *ret);

// Returns the number of chunks of a log; 0 if it is empty.
TP_INLINE uint32_t tp_span_log_chunk_count(const struct tp_span_logs *l, uint32_t log)
{
    return log != 0 ? l->words.items[log].head.number : 0;
}

// Frees the chunks of a log for other logs of the same owner, and sets *log to 0. Does not return
// the memory to the allocator.
void tp_span_log_free(struct tp_span_logs *l, uint32_t *log);

#endif
