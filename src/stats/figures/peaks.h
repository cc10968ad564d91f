// Finds when most goroutines waited for a P at once, and of which start function they were.
//
// Waits of at least TP_PEAK_WAIT_NS are laid on buckets of time, by function, as steps (levels.h): a wait
// raises its level by 1 where it begins, and lowers it where it ends. A bucket in which nothing begins
// or ends has no step, so a burst takes as much memory wherever it lies in the trace. The height of a
// function, or of all, is the greatest mean over a bucket, of equal ones the first.
//
// Buckets are 2^shift ns wide and begin at multiples of their width. The width is the least one, from
// 2^TP_PEAK_SHIFT_MIN ns on, of which TP_PEAK_BUCKETS cover all waits, and with which all functions
// together have at most TP_PEAK_STEPS_MAX buckets with steps. Joining buckets is exact, and more waits never
// have fewer buckets, so the result depends on the waits alone, not on the order in which they come.
//
// Waits of a goroutine without a name have steps of their own, by the number of its life, until
// tp_peaks_name. They have the width that the time of all waits demands, which is never the wider one.
//
// One thread at a time uses an object; a zeroed one is empty. Functions that return bool return false
// only if memory is out; then only tp_peaks_fini may follow.
#ifndef TP_STATS_FIGURES_PEAKS_H
#define TP_STATS_FIGURES_PEAKS_H

#include "base/index.h"
#include "base/list.h"
#include "base/map.h"

// Shorter waits do not count: there are very many of them, and bursts make long ones.
#define TP_PEAK_WAIT_NS 100000
#define TP_PEAK_SHIFT_MIN 16
#define TP_PEAK_BUCKETS 4096
#define TP_PEAK_STEPS_MAX 16384

// A wait for a P. A plain value.
struct tp_peak_wait {
    int64_t begin_ns, end_ns; // on the clock of the trace
    uint32_t who;             // numbered by the owner: a function, or a life
    bool is_unnamed;          // it is a life
};

// Steps of one bucket: the sum of the steps, and their integral to the bucket's end. The sum is at most
// the number of goroutines that exist at once, each of which takes more memory than 32 bits can count.
struct tp_peak_step {
    __int128 part; // goroutines times ns
    int64_t bucket;
    int32_t by;
    uint32_t who;
};
_Static_assert(sizeof(struct tp_peak_step) == 32, "an input has up to TP_PEAK_STEPS_MAX");
struct tp_peak_steps {
    TP_LIST(struct tp_peak_step);
    struct tp_index index;    // by `who` and bucket
    unsigned shift;           // 0: none yet
};

struct tp_peaks {
    struct tp_peak_steps functions, lives;
    int64_t first_ns, last_ns; // of all waits, if there are any
    bool has_waits;
};

// The greatest mean over a bucket. A plain value.
struct tp_peak {
    uint64_t thousandths; // of goroutines; 0: there are no waits
    int64_t begin_ns;     // of the bucket, or of the first wait if that is later
    uint64_t width_ns;
    uint32_t who;
};

// Frees the memory; the object is then empty.
void tp_peaks_fini(struct tp_peaks *p);
// Returns the bytes of memory in use.
size_t tp_peaks_bytes(const struct tp_peaks *p);
// Adds a wait that does not end before it begins.
bool tp_peaks_add(struct tp_peaks *p, const struct tp_peak_wait *wait) TP_MUST_USE;
// Gives the waits of each life in `functions` to the function there, whose number is the value less 1.
bool tp_peaks_name(struct tp_peaks *p, const struct tp_map *functions) TP_MUST_USE;
// Gives the waits of all lives to one function.
bool tp_peaks_name_rest(struct tp_peaks *p, uint32_t function) TP_MUST_USE;

// Calls `found` for the peak of each function, in the order of their numbers. False: `found` returned
// false. The steps are sorted, so only tp_peaks_of_all and tp_peaks_fini may follow.
bool tp_peaks_by_function(struct tp_peaks *p, bool (*found)(void *ctx, const struct tp_peak *peak),
                          void *ctx) TP_MUST_USE;
// Returns the peak of all goroutines together; `who` is the function that has most of them in this
// bucket; among functions that have equally many, `is_before` chooses the first. Call it after
// tp_peaks_by_function.
struct tp_peak tp_peaks_of_all(struct tp_peaks *p,
                               bool (*is_before)(void *ctx, uint32_t a, uint32_t b), void *ctx);

#endif
