// Writes the small program of go_program.h to standard output.
//
//   go-program             with the table of the Go runtime
//   go-program --bare      without the table and without any other names of functions
#include <stdio.h>
#include <string.h>

#include "go_program.h"

int main(int argc, char **argv)
{
    bool is_bare = argc == 2 && strcmp(argv[1], "--bare") == 0;
    struct tp_buf b;
    if ((argc != 1 && !is_bare) || !tp_buf_init(&b, TP_KIB(64)))
        return 2;
    go_program_put_elf(&b, &go_program_small,
                       &(struct go_elf){.table_name = is_bare ? NULL : ".gopclntab"});
    bool is_written = fwrite(b.ptr, 1, b.len_bytes, stdout) == b.len_bytes && fflush(stdout) == 0;
    tp_buf_fini(&b);
    return is_written ? 0 : 1;
}
