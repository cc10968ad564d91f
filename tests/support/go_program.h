// Programs as Go's linker makes them, as far as their symbols go: the table of the runtime
// (section .gopclntab) in each of its forms, and an ELF file around it. Knows the forms by
// itself and not from symbols/pclntab.h, so that the two can be held against each other.
#ifndef TP_TESTS_GO_PROGRAM_H
#define TP_TESTS_GO_PROGRAM_H

#include "base/buf.h"

// By the first version of Go.
enum go_table_form { GO_TABLE_2, GO_TABLE_16, GO_TABLE_18, GO_TABLE_20 };

// From the end of the stretch before it, or the begin of the function, to `end`.
struct go_stretch {
    uint64_t end;
    const char *file;        // NULL: none is told
    int32_t line;
};

#define GO_STRETCHES_MAX 4

struct go_function {
    const char *name;
    uint64_t begin;
    struct go_stretch stretches[GO_STRETCHES_MAX]; // those with an end of 0 are none
};

struct go_program {
    enum go_table_form form;
    bool is_big_endian;      // the table alone
    unsigned word_bytes;     // 4 or 8
    unsigned quantum;        // all PCs are multiples
    uint64_t text_begin;
    uint64_t text_end;
    const struct go_function *functions; // ascending
    size_t function_count;
};

// Two functions, with a file inlined into the first one, and a gap behind its last line.
//   0x401000 main.main    to 0x401010 line 5, to 0x401018 of util.go line 30, to 0x401030 line 6
//   0x401040 main.worker  to 0x401060 line 12 of work.go
// The text ends at 0x401080.
extern const struct go_program go_program_small;

void go_program_put_table(struct tp_buf *b, const struct go_program *p);

struct go_elf {
    const char *table_name;  // of the section; NULL: there is none
    uint64_t runtime_text;   // value of the symbol runtime.text; 0: there is none
    uint64_t text_section;   // where .text begins; 0: with the program's text
    bool has_no_code;        // no segment may be executed
    uint16_t type;           // of the file; 0: a program
};

// For this machine's kind, 64 bits.
void go_program_put_elf(struct tp_buf *b, const struct go_program *p, const struct go_elf *elf);

#endif
