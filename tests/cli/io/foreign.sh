# A file that is no trace is said to be what it is; compressed, and on a pipe in small pieces, too.
printf '\n Could not enable tracing: tracing already enabled\nmore\n' >answer
printf '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>' >page.html
printf '\x7fELF\x02\x01\x01' >program
printf '\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x12' | gzip -n >cpu.pprof
printf '\x5a\x04\x08\x01\x10\x02\x60\x01\x0a\x04\x08\x01\x10\x02\x22\x10' >goroutine.pprof
mkdir folder
tar -cf - folder >tar
printf '\001\002\003' >unknown
tracepipe --sink text -o out answer page.html program cpu.pprof goroutine.pprof tar unknown || echo $?
{ cat answer | while IFS= read -r -n1 -d '' byte; do printf '%s' "$byte"; done; } |
    tracepipe --sink text - || echo $?
