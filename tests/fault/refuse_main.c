// Executes a program for which the kernel refuses one system call.
//
//   refusing NUMBER ERRNO PROGRAM WORD...     exit 77: this kernel has no filters
#include <stdlib.h>
#include <unistd.h>

#include "refuse_call.h"

int main(int argc, char **argv)
{
    if (argc < 4 || !refuse_call(strtol(argv[1], NULL, 10), (int)strtol(argv[2], NULL, 10)))
        return 77;
    execv(argv[3], argv + 3);
    return 126;
}
