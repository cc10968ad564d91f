printf 'go 1.99 trace\0\0\0' >new.trace
tracepipe --sink text new.trace
