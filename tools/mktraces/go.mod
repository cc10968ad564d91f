module tracepipe/mktraces

go 1.22
