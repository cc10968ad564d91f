# Completions of tracepipe for fish. The program lists them, so they are those of its version; where
# it lists none, fish completes names of files.
function __tracepipe_complete
    tracepipe --complete (commandline -cp | string collect) 2>/dev/null
end
complete -c tracepipe -n 'count (__tracepipe_complete) >/dev/null' -f -a '(__tracepipe_complete)'
