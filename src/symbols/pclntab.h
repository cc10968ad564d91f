// Reads the table of functions and lines that a Go program contains (section .gopclntab), even
// without DWARF and symbols; `go tool addr2line` uses the same table. Reads the forms of Go 1.2,
// 1.16, 1.18 and 1.20, in either byte order, by the rules of Go's debug/gosym: the function is
// the one whose code holds the PC, even if that code was inlined there from another function;
// file and line are those of the inlined code.
//
//   head: offsets of parts │ names │ units' files │ files │ values by PC │ functions
//
// A table borrows its bytes, allocates nothing, and checks every offset that it reads; nothing has
// to be freed. It is constant after init, so any thread may look up symbols.
#ifndef TP_SYMBOLS_PCLNTAB_H
#define TP_SYMBOLS_PCLNTAB_H

#include "base/span.h"

// The symbol of a PC. The spans are valid as long as the bytes of the table, or the struct
// tp_symbols, in which the symbol was found.
struct tp_symbol {
    struct tp_span function;
    struct tp_span file;     // empty: not known
    uint64_t line;           // from 1 on; 0: not known
};

// The parts of a table, as spans of its bytes. Only pclntab.c reads the members.
struct tp_pclntab {
    bool is_big_endian;
    bool has_units;          // since Go 1.16: each compilation unit numbers its files
    bool has_offsets;        // since Go 1.18: PCs are offsets from text_start
    uint32_t quantum;        // unit of the PC distances in `values`: 1, 2 or 4 bytes
    unsigned word_bytes;     // size of a PC: 4 or 8
    unsigned field_bytes; // size of a PC, as an entry or function begins with one: 4 or word_bytes
    uint32_t function_count;
    uint64_t text_start;     // what PCs are offsets from; 0: they are addresses
    struct tp_span names;    // names of functions, each ends with NUL
    struct tp_span units;    // uint32_t offsets in `files`, in groups of one unit
    struct tp_span files;    // names of files, each ends with NUL
    struct tp_span file_offsets; // before Go 1.16: uint32_t offsets in `files`
    struct tp_span values;   // file numbers and lines by PC, as steps
    struct tp_span functions; // a record for each function
    struct tp_span entries;  // pairs of PC and offset in `functions`, by PC; then the end PC
};

// Prepares a table. Borrows `bytes` for the life of the table. `text_start` is the value of the
// symbol runtime.text, or the address of the section .text. False: `bytes` are no such table, and
// `t` must not be used.
bool tp_pclntab_init(struct tp_pclntab *t, struct tp_span bytes,
                     uint64_t text_start) TP_MUST_USE;

// Finds the symbol of a PC, an address as in the program's file. False: no function of the table
// holds the PC, and *ret_symbol is unchanged.
bool tp_pclntab_find(const struct tp_pclntab *t, uint64_t pc, struct tp_symbol *ret_symbol);

#endif
