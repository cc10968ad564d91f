// The symbols of a program that was traced: what function, file and line a PC of its
// memory belongs to. For traces that tell PCs alone.
//
// Of Go programs the table of the runtime answers (pclntab.h), as it does for
// `go tool addr2line`; it is there however much the program was stripped. Of others
// the symbol that holds the PC, and the lines of DWARF, through libdw.
//
// Opened once, then any thread may ask. The file is mapped, not copied, and must stay as
// it is meanwhile. libdw allocates by itself, for lines of the units it was asked for.
#ifndef TP_SYMBOLS_SYMBOLS_H
#define TP_SYMBOLS_SYMBOLS_H

#include "base/err.h"
#include "symbols/pclntab.h"

struct tp_symbols;

// TP_E_USAGE and why: the file cannot be opened, is no ELF program or shared library, has
// no code, or nothing that tells functions. TP_E_MEMORY. The error borrows `path`.
int tp_symbols_open(const char *path, struct tp_symbols **ret_symbols,
                    struct tp_error *err) TP_MUST_USE;
void tp_symbols_close(struct tp_symbols *s); // NULL is fine

// What stands at an address as the program's file counts it; false: the file does not
// know. The texts live as long as `s`. Where the function or the file is not known it is
// empty. May wait for other threads that ask.
bool tp_symbols_find(struct tp_symbols *s, uint64_t pc, struct tp_symbol *ret_symbol);

#endif
