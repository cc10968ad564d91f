# What completes a word: flags, sinks, their options and values, terms; bash replaces the part that it takes
# for the word, and completes names of files itself.
# Interactive shells do not end at a command that finds nothing.
set +e +o pipefail
source "$DATA/../../../share/completions/tracepipe.bash"
complete_line() { # LINE: what Tab offers at its end
    COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${1##*[ =:]}") COMP_CWORD=0
    _tracepipe tracepipe
    echo "[$1] ${COMPREPLY[*]}"
}
for line in 'tracepipe --he' 'tracepipe --no-p' 'tracepipe --color ' 'tracepipe --color=n' \
    'tracepipe --sink ' 'tracepipe --sink st' 'tracepipe --sink=st' 'tracepipe --sink stats:f' \
    'tracepipe --sink stats:format=fl' 'tracepipe --sink stats:top=3,by=ta' \
    'tracepipe --explain st' 'tracepipe --explain th' 'tracepipe a' 'tracepipe -j ' \
    'tracepipe --sink nosuch:' 'tracepipe --sink stats:by=all,nosuch=' 'tracepipe --nosuch=' 'tracepipe'; do
    complete_line "$line"
done
tracepipe --complete 'tracepipe --color=a'
tracepipe --complete ''
