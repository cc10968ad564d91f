// The symbols of a traced program: the function, file and line of a PC. For traces whose
// stacks hold PCs only.
//
// For a Go program the runtime's own table answers (pclntab.h), as for `go tool addr2line`;
// even a stripped program has it. For other programs libdw answers, from ELF symbols and the
// line tables of DWARF.
//
// Open the file once; then any thread may ask. The file is mapped, not copied, and must not
// change while it is open. libdw allocates memory of its own, for the line tables of units
// that were asked for.
#ifndef TP_SYMBOLS_SYMBOLS_H
#define TP_SYMBOLS_SYMBOLS_H

#include "base/err.h"
#include "symbols/pclntab.h"

struct tp_symbols;

// Fails with TP_E_USAGE and the reason if the file cannot be opened, is no ELF program or
// shared library, has no code, or has no functions or symbols; with TP_E_MEMORY. The error
// borrows `path`. The caller owns the object.
int tp_symbols_open(const char *path, struct tp_symbols **ret_symbols,
                    struct tp_error *err) TP_MUST_USE;
// Unmaps the file and ends the life of all texts. No thread may be asking. NULL is fine.
void tp_symbols_close(struct tp_symbols *s);

// Finds the symbol of `pc`, an address in the program's file. False: unknown. The texts live
// as long as `s`; an unknown function or file is empty. May wait for other threads that ask.
bool tp_symbols_find(struct tp_symbols *s, uint64_t pc, struct tp_symbol *ret_symbol);

#endif
