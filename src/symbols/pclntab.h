// Reads the table of functions and lines inside a Go program (section .gopclntab), from which
// `go tool addr2line` answers, too, with or without DWARF and symbols. Reads the forms of Go
// 1.2, 1.16, 1.18 and 1.20, in either byte order, by the rules of Go's debug/gosym: the
// function is the one whose code holds the PC; file and line are those of the code inlined
// there.
//
//   head: offsets of parts │ names │ units' files │ files │ values by PC │ functions
//
// Pure: borrows its bytes, allocates nothing, and checks every offset it reads. Constant after
// init; any thread may ask.
#ifndef TP_SYMBOLS_PCLNTAB_H
#define TP_SYMBOLS_PCLNTAB_H

#include "base/span.h"

// The symbol of a PC. The spans borrow from the table, or from the struct tp_symbols, that
// gave it.
struct tp_symbol {
    struct tp_span function;
    struct tp_span file;     // empty: not known
    uint64_t line;           // 0: not known
};

// The parts of a table, as spans of its bytes. Only pclntab.c reads the members.
struct tp_pclntab {
    bool is_big_endian;
    bool has_units;          // since Go 1.16: each unit numbers its files
    bool has_offsets;        // since Go 1.18: PCs are offsets from text_start
    uint32_t quantum;        // bytes of the shortest instruction
    unsigned word_bytes;     // of a PC
    unsigned field_bytes;    // of each of the two numbers of an entry
    uint32_t function_count;
    uint64_t text_start;
    struct tp_span names;
    struct tp_span units;    // uint32_t offsets in `files`
    struct tp_span files;
    struct tp_span file_offsets; // before Go 1.16: uint32_t offsets in `files`
    struct tp_span values;
    struct tp_span functions;
    struct tp_span entries;  // PC and offset in `functions`, by PC; the last PC is the end
};

// Borrows `bytes` for the life of the table. `text_start` is the value of the symbol
// runtime.text, or the address of the section .text. False: `bytes` are no such table.
bool tp_pclntab_init(struct tp_pclntab *t, struct tp_span bytes,
                     uint64_t text_start) TP_MUST_USE;

// Finds the symbol of a PC. False: no function of the table holds the PC.
bool tp_pclntab_find(const struct tp_pclntab *t, uint64_t pc, struct tp_symbol *ret_symbol);

#endif
