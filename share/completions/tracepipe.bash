# Completions of tracepipe for bash. The program that is called lists them, so they are those of its
# version; where it lists none, bash completes names of files.
_tracepipe() {
    local line=${COMP_LINE:0:COMP_POINT} candidate part=${COMP_WORDS[COMP_CWORD]} kept
    # bash breaks words at '=' and ':' and replaces only the last part.
    [[ $part != [=:] ]] || part=
    kept=${line##* } kept=${kept%"$part"}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        printf -v candidate %q "${candidate#"$kept"}"
        COMPREPLY+=("$candidate")
    done < <("$1" --complete "$line" 2>/dev/null)
    [[ ${COMPREPLY[*]-} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _tracepipe tracepipe
