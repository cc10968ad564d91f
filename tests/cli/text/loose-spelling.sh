# What a person may write: white space, comments, blank lines, any quoting.
cat >a.txt <<'TEXT'
# A comment before the first line,

  Trace   Go1.25   
EventBatch gen=1	m=18446744073709551615 time=7 size=23
Strings
  # and between the lines
String id=1
	data="a\tb\x00\u00e9"
String id=2
data = `raw \n`

  String   id=007
     data='x'
EventBatch gen=1 m=18446744073709551615 time=7 size=8
Stacks
Stack id=1 nframes=1
 pc=5 func=1 file=2 line=9
TEXT
tracepipe --sink text a.txt
