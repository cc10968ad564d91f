// Finds the place of a stack that a finding names: the innermost frame that is not of the standard
// library, nor a method that wraps a lock's (TP_FUNCTION_LOCKS), nor one of cgo (TP_FUNCTION_C).
// stats/names/stack_places.h skips fewer packages, and would name json.Marshal. Borrows the
// totals during a call, changes nothing, and cannot fail unless a function says so.
#ifndef TP_STATS_FINDINGS_PLACE_H
#define TP_STATS_FINDINGS_PLACE_H

#include "stats/totals.h"

// The functions below accept TP_INTERN_NONE in place of a stack: it has no frames.

// Whether the stack has a frame of the program. Goroutines of the runtime have none.
bool tp_stack_has_program(const struct tp_totals *s, uint32_t stack);
// Returns the place of a stack. If all its frames are of the standard library, the place is that of
// stack_places.h for this type (enum tp_stack_type). No frames: there is no place.
struct tp_source_place tp_source_place_of(const struct tp_totals *s, uint32_t stack, unsigned type);
// Returns the innermost frame of the program or, if there is none, of the library without the
// runtime and package sync. No place: all frames are of these.
struct tp_source_place tp_source_place_outside_runtime(const struct tp_totals *s, uint32_t stack);
// Does what tp_source_place_of does for a stack whose frames are given as numbers of s->frames,
// innermost first. Returns the index of the place's frame, 0 if there are no frames.
size_t tp_frames_place(const struct tp_totals *s, const uint32_t *frames, size_t count,
                       unsigned type);
// Whether the stack is in C code: its innermost function calls a C function.
bool tp_frames_are_in_c(const struct tp_totals *s, const uint32_t *frames, size_t count);
// Returns the index of the frame of the program that called the frame `place`, perhaps by way of the
// library; 0: there is none.
size_t tp_frames_caller(const struct tp_totals *s, const uint32_t *frames, size_t count, size_t place);
// Returns the innermost frame of the program whose function is not in the stack `other`; if there
// is none, the place of the stack. A function that both have is a helper that locks.
struct tp_source_place tp_source_place_beside(const struct tp_totals *s, uint32_t stack,
                                              uint32_t other, unsigned type);
// Returns the innermost frame of the program from the second frame on. No such frame: no place.
struct tp_source_place tp_source_place_of_caller(const struct tp_totals *s, uint32_t stack);
// Returns the innermost frame of the program in the stack, with the frame by which `longer` goes on
// from the stack as its innermost one. No place: `longer` does not have all frames of the stack as
// its outermost ones and more, or there is no frame of the program.
struct tp_source_place tp_source_place_of_callee(const struct tp_totals *s, uint32_t stack,
                                                 uint32_t longer);
// Returns the frame that the place of a stack called. No place: the place is the innermost frame.
struct tp_source_place tp_source_place_called(const struct tp_totals *s, uint32_t stack, unsigned type);
// Returns the innermost frame outside the packages runtime and sync: of a stack that waits, the function
// that waits; of one that ends a wait, the function that ends it. No place: there is no such frame.
struct tp_source_place tp_source_place_of_wait(const struct tp_totals *s, uint32_t stack);
// Returns the frame that called this one. No place: there is none.
struct tp_source_place tp_source_place_calling_wait(const struct tp_totals *s, uint32_t stack);
// Whether the stack has any frames; whether one of them is of this function, a number of s->names.
bool tp_stack_has_frames(const struct tp_totals *s, uint32_t stack);
bool tp_stack_has_function(const struct tp_totals *s, uint32_t stack, uint32_t function);
// Whether any function of the stack has no name: the names of a damaged input may be lost.
bool tp_stack_lacks_names(const struct tp_totals *s, uint32_t stack);
// Whether the name of any function of the stack begins with these bytes.
bool tp_stack_has_prefix(const struct tp_totals *s, uint32_t stack, const char *prefix);
// Whether one of the program's functions, except the outermost function of each stack, is in both.
bool tp_stacks_share_program(const struct tp_totals *s, uint32_t stack, uint32_t other);
// Whether the name of one of the three innermost functions begins with these bytes. These show what
// the stack is about, for example on which side of a channel a goroutine is.
bool tp_stack_is_inner(const struct tp_totals *s, uint32_t stack, const char *prefix);
// Whether the stack waits for another goroutine to finish the function of a sync.Once.
bool tp_stack_waits_for_once(const struct tp_totals *s, uint32_t stack);
// Returns the function of the outermost frame, a number of s->names; TP_INTERN_NONE: no frames.
uint32_t tp_stack_start_function(const struct tp_totals *s, uint32_t stack);

// Compares two places by their texts. Returns a value below 0, 0, or above 0. A missing text comes
// before all others.
int tp_source_place_compare(const struct tp_totals *s, const struct tp_source_place *a,
                            const struct tp_source_place *b);
// Does the same without the lines: places in one function are equal.
int tp_source_place_compare_functions(const struct tp_totals *s, const struct tp_source_place *a,
                                      const struct tp_source_place *b);

// SHARES

// Shares of a figure, by place. The owner frees `items` with tp_free; zeroed, it is empty.
struct tp_shares {
    TP_LIST(struct tp_share {
        struct tp_source_place place;
        tp_wide part;
    });
};
// Adds to the part of a place; ignores a missing place. False: out of memory.
bool tp_shares_add(struct tp_shares *shares, const struct tp_source_place *place,
                   tp_wide part) TP_MUST_USE;
// Sorts the shares by place.
void tp_shares_sort(struct tp_shares *shares, const struct tp_totals *s);
// Returns the sum of the parts of all places in the function of a place. Needs sorted shares.
tp_wide tp_shares_of(const struct tp_shares *shares, const struct tp_totals *s,
                     const struct tp_source_place *place);
// Returns the function with the greatest sum of parts, with the line that contributes most to it;
// of equal ones the first by name. No place if all parts are 0. Sorts the shares.
struct tp_source_place tp_shares_greatest(struct tp_shares *shares, const struct tp_totals *s);

#endif
