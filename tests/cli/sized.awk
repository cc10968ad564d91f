# Adds to each batch of a raw text (Go 1.22 and later) the size of its events in wire form.
function flush() { if (head != "") printf "%s size=%d\n%s", head, bytes, body
                   head = body = ""; bytes = 0 }
/^Trace/ { print; next }
/^EventBatch/ { flush(); head = $0; next }
{ body = body $0 "\n"; bytes++
  for (i = 2; i <= NF; i++) {
      split($i, pair, "=")
      for (v = pair[2]; v >= 128; v = int(v / 128)) bytes++
      bytes++
  } }
END { flush() }
