// Finds the function, file and line of a PC in the program that was traced. Needed for traces whose
// stacks hold PCs only.
//
// For a Go program, symbols come from the runtime's own table (pclntab.h), which even a stripped
// program has and which `go tool addr2line` uses. For other programs, libdw finds them in the ELF
// symbols and the line tables of DWARF.
//
// After the file has been opened, any thread may look up symbols. The file is mapped, not copied,
// and must not change while it is open. libdw also allocates memory, for the line tables of the
// compilation units that were looked up; tp_symbols_close frees it.
#ifndef TP_SYMBOLS_SYMBOLS_H
#define TP_SYMBOLS_SYMBOLS_H

#include "base/err.h"
#include "symbols/pclntab.h"

struct tp_symbols;

// Opens the program at `path`. The caller owns the object and frees it with tp_symbols_close.
// Fails with TP_E_USAGE and the reason if the file cannot be opened, is no ELF program or shared
// library, has no code, or has no functions or symbols; or with TP_E_MEMORY. Then *ret_symbols is
// unchanged, and the error borrows `path`.
int tp_symbols_open(const char *path, struct tp_symbols **ret_symbols,
                    struct tp_error *err) TP_MUST_USE;
// Unmaps the file and frees the object; the texts of its symbols become invalid. No thread may be
// in tp_symbols_find. NULL is fine.
void tp_symbols_close(struct tp_symbols *s);

// Finds the symbol of `pc`, an address as in the program's file. False: the symbol is not known,
// and *ret_symbol is unchanged. The texts live as long as `s`; an unknown function or file is
// empty. May wait while another thread looks up a symbol.
bool tp_symbols_find(struct tp_symbols *s, uint64_t pc, struct tp_symbol *ret_symbol);

#endif
