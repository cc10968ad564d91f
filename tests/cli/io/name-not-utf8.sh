# Names are bytes; messages show them in a form that cannot harm a terminal.
tracepipe --sink text $'odd\e[31m\xff.trace'
