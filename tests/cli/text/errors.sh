# Where the text is wrong: line and column.
try() {
    printf "$1" >a.txt
    tracepipe --sink raw a.txt >/dev/null || echo $?
}
try 'Trace Go1.26\nProcStop dt=x\n'
try 'Trace Go1.26\nProcStop\n'
try 'Trace Go1.26\n\n# c\nNoSuch dt=1\n'
try 'Trace Go1.26\nProcStop dt=1 # c\n'
try 'Trace Go1.26\nString id=1\n\tdata="\\q"\n'
try 'Trace Go1.26\nString id=1\n'
try 'Trace Go1.24\nProcStop dt=1\n'
try 'Trace Go1.26 and more\n'
try 'Trace Gone\n'
