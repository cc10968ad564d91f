// The table by which Go programs know their own functions and lines (section
// .gopclntab): what `go tool addr2line` answers from, with DWARF and symbols or without.
// Forms of Go 1.2, 1.16, 1.18 and 1.20, of either byte order, read by the rules of Go's
// debug/gosym: the function is the one whose code holds the PC, file and line are those of
// what was inlined there.
//
//   head: where parts begin │ names │ units' files │ files │ values by PC │ functions
//
// Pure: borrows its bytes, allocates nothing, believes nothing. Constant after init; any
// thread may ask.
#ifndef TP_SYMBOLS_PCLNTAB_H
#define TP_SYMBOLS_PCLNTAB_H

#include "base/span.h"

// What a PC stands for. The spans borrow from whoever was asked.
struct tp_symbol {
    struct tp_span function;
    struct tp_span file;     // empty: not known
    uint64_t line;           // 0: not known
};

struct tp_pclntab {
    bool is_big_endian;
    bool has_units;          // since Go 1.16: files are counted from those of a unit
    bool has_offsets;        // since Go 1.18: PCs are counted from text_start
    uint32_t quantum;        // bytes of the shortest instruction
    unsigned word_bytes;     // of a PC
    unsigned field_bytes;    // of half an entry of `entries`
    uint32_t function_count;
    uint64_t text_start;
    struct tp_span names;
    struct tp_span units;    // of uint32_t: offsets in `files`
    struct tp_span files;
    struct tp_span file_offsets; // before Go 1.16: of uint32_t, offsets in `files`
    struct tp_span values;
    struct tp_span functions;
    struct tp_span entries;  // PC and offset in `functions`, by PC; the last PC is the end
};

// `text_start` is the value of the symbol runtime.text, or where the section .text begins.
// False: that is no such table.
bool tp_pclntab_init(struct tp_pclntab *t, struct tp_span bytes,
                     uint64_t text_start) TP_MUST_USE;

// False: no function of the table holds the PC.
bool tp_pclntab_find(const struct tp_pclntab *t, uint64_t pc, struct tp_symbol *ret_symbol);

#endif
