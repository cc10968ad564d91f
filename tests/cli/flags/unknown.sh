tracepipe --frobnicate || echo $?
tracepipe -Z || echo $?
tracepipe --sink || echo $?
tracepipe --sink no-such-sink a.trace || echo $?
tracepipe --quiet=yes a.trace || echo $?
