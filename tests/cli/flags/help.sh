tracepipe --help
