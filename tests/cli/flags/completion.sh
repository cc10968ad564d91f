# Completions of bash: flags, sinks, their options and values, terms, files.
# Interactive shells do not end at a command that finds nothing.
set +e +o pipefail
source "$DATA/../../../src/cli/tracepipe.bash"
complete_line() { # LINE: what Tab offers at its end
    COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
    read -ra COMP_WORDS <<<"$1"
    [[ $1 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _tracepipe tracepipe
    echo "[$1] ${COMPREPLY[*]}"
}
touch a.trace b.trace
for line in 'tracepipe --he' 'tracepipe --no-p' 'tracepipe --color ' 'tracepipe --color=n' \
    'tracepipe --sink ' 'tracepipe --sink st' 'tracepipe --sink stats:f' \
    'tracepipe --sink stats:format=fl' 'tracepipe --sink stats:top=3,by=ta' \
    'tracepipe --explain st' 'tracepipe --explain th' 'tracepipe a' 'tracepipe --sink list b'; do
    complete_line "$line"
done
