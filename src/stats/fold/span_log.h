// Logs of the durations of goroutines whose names are not settled yet. Adding a duration to its
// goroutine's log touches one cache line; a histogram for each goroutine would be scattered over
// memory.
//
// Many logs share one list of words. A log is a number that its owner keeps, 0 while it is empty.
// One thread at a time uses them. A zeroed struct tp_span_logs has no logs.
#ifndef TP_STATS_FOLD_SPAN_LOG_H
#define TP_STATS_FOLD_SPAN_LOG_H

#include "base/list.h"

// A log is a chain of chunks; the first is small, because many logs have a span or two. A chunk is
// a head and words. A word is a span: nanoseconds, measure and whether it is cut. A span that does
// not fit takes two words: one with the measure and one with the nanoseconds.
#define TP_SPAN_FIRST_WORDS 3
#define TP_SPAN_OTHER_WORDS 15
#define TP_SPAN_CHUNKS_MAX UINT16_MAX

// A span, or the head of a chunk.
union tp_span_word {
    uint64_t span;
    struct {
        uint16_t count;         // of words
        uint16_t number;        // in its log, from 1 on
        uint32_t before;        // the previous chunk; of a free chunk, the next free one
    } head;
};

// All logs of one owner. Owns its memory.
struct tp_span_logs {
    TP_LIST(union tp_span_word) words; // from 1 on, so that 0 is no chunk
    uint32_t free_first; // free chunks, by size
    uint32_t free_other;
};

// A duration as callers see it.
struct tp_logged_span {
    uint64_t ns;
    uint32_t measure;
    bool is_cut;
};

#define TP_SPAN_MEASURE_BITS 15
#define TP_SPAN_NS_SHIFT (TP_SPAN_MEASURE_BITS + 1)
// In place of a measure: the span takes two words.
#define TP_SPAN_MEASURE_WIDE ((UINT32_C(1) << TP_SPAN_MEASURE_BITS) - 1)

// Whether the span fits into one word.
TP_INLINE bool tp_span_is_narrow(const struct tp_logged_span *span)
{
    return span->measure < TP_SPAN_MEASURE_WIDE && span->ns >> (64 - TP_SPAN_NS_SHIFT) == 0;
}

// The word of a span that fits into one.
TP_INLINE uint64_t tp_span_word(const struct tp_logged_span *span)
{
    return span->ns << TP_SPAN_NS_SHIFT | (uint64_t)span->measure << 1 | span->is_cut;
}

// Words of the chunk with this number in its log.
TP_INLINE unsigned tp_span_chunk_words(uint32_t number)
{
    return number == 1 ? TP_SPAN_FIRST_WORDS : TP_SPAN_OTHER_WORDS;
}

// Adds to the last chunk. False: there is none, it is full, or the span takes two words.
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
// Adds a span, in a new chunk if needed; a log has at most TP_SPAN_CHUNKS_MAX. False: out of
// memory, and nothing has changed.
bool tp_span_log_add(struct tp_span_logs *l, uint32_t *log,
                     struct tp_logged_span span) TP_MUST_USE;

// Walks all spans of a log, in no particular order; begin with {logs, log}.
struct tp_span_log_walk {
    const struct tp_span_logs *logs;
    uint32_t chunk;
    uint32_t next;
};
// False: there is no further span.
bool tp_span_log_next(struct tp_span_log_walk *walk, struct tp_logged_span *ret);

// Number of chunks of a log.
TP_INLINE uint32_t tp_span_log_chunk_count(const struct tp_span_logs *l, uint32_t log)
{
    return log != 0 ? l->words.items[log].head.number : 0;
}

// Frees the chunks of a log for other logs, and leaves the log empty.
void tp_span_log_free(struct tp_span_logs *l, uint32_t *log);
// Empties all logs and keeps the memory.
void tp_span_logs_clear(struct tp_span_logs *l);
// Frees the memory; there are then no logs.
void tp_span_logs_fini(struct tp_span_logs *l);

#endif
