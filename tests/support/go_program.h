// Makes the parts of a Go program that symbols/ reads, as Go's linker does: the runtime's table
// (section .gopclntab) in each of its forms, and an ELF file around it. Implements the forms
// independently of symbols/pclntab.h, so that tests can compare the two.
#ifndef TP_TESTS_GO_PROGRAM_H
#define TP_TESTS_GO_PROGRAM_H

#include "base/buf.h"

// Forms of the table, named after the first minor version of Go that wrote each.
enum go_table_form { GO_TABLE_2, GO_TABLE_16, GO_TABLE_18, GO_TABLE_20 };

// Consecutive code with one file and line: from the end of the previous piece, or the
// beginning of the function, to `end`.
struct go_stretch {
    uint64_t end;
    const char *file;        // NULL: the table names no file
    int32_t line;
};

#define GO_STRETCHES_MAX 4

struct go_function {
    const char *name;
    uint64_t begin;
    struct go_stretch stretches[GO_STRETCHES_MAX]; // an `end` of 0 marks an unused one
};

struct go_program {
    enum go_table_form form;
    bool is_big_endian;      // of the table only, not of the ELF file
    unsigned word_bytes;     // 4 or 8
    unsigned quantum;        // all PCs are multiples of it
    uint64_t text_begin;
    uint64_t text_end;
    const struct go_function *functions; // ascending by `begin`
    size_t function_count;
};

// Two functions. The first has code inlined from another file, and a gap follows its last line.
//   main.main    0x401000 to 0x401010: line 5 of main.go
//                0x401010 to 0x401018: line 30 of util.go
//                0x401018 to 0x401030: line 6 of main.go
//   main.worker  0x401040 to 0x401060: line 12 of work.go
// The text ends at 0x401080.
extern const struct go_program go_program_small;

// Appends the table. Ends the program if `b` is too small.
void go_program_put_table(struct tp_buf *b, const struct go_program *p);

struct go_elf {
    const char *table_name;  // of the section with the table; NULL: no such section
    uint64_t runtime_text;   // value of the symbol runtime.text; 0: no such symbol
    uint64_t text_section;   // address of .text; 0: that of the program's text
    bool has_no_code;        // no segment is executable
    uint16_t type;           // ELF type of the file; 0: an executable program
};

// Appends a 64-bit ELF file for this machine's architecture.
void go_program_put_elf(struct tp_buf *b, const struct go_program *p, const struct go_elf *elf);

#endif
