tracepipe --help-dev
