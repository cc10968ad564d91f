# Numbers are those of the machine, and features those of the build.
tracepipe --version | sed -E 's/[0-9]+(\.[0-9]+)+/N/g; s/ \(compiled with N\)//; s/^[-+]/±/' | grep -v liburing
