cp "$DATA/go125-cpu.trace" a.trace
head -c 500 /dev/zero | tr '\0' '\377' >>a.trace
tracepipe --sink text a.trace >got || echo $?
tracepipe --sink text "$DATA/go125-cpu.trace" | cmp - got
