#!/bin/bash
# The completions of each shell that is installed have every flag of --help and none more, and complete
# a word that is typed.
#
#   completions.sh SOURCE_ROOT PROGRAM
set -euo pipefail
scripts=$1/share/completions on_terminal=$1/tests/cli/on-terminal.py
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$2" "$dir/tracepipe"
export PATH=$dir:$PATH HOME=$dir ZDOTDIR=$dir TERM=xterm
cd "$dir"

# The flags of --help, in both forms.
tracepipe --help >help
sed -n '/^Sinks/q; s/^ \{2,6\}\(-[a-zA-Z0-9-].*\)/\1/p' help |
    sed -E 's/ {2,}.*//; s/, /\n/g' | sed 's/=.*//' | sort >wanted
[ "$(wc -l <wanted)" -ge 40 ] || { echo 'too few flags in --help'; exit 1; }

# Each lists what Tab offers after "tracepipe -".
bash_flags() {
    bash -c "source '$scripts/tracepipe.bash'"'
        COMP_LINE="tracepipe -" COMP_POINT=11 COMP_WORDS=(tracepipe -) COMP_CWORD=1
        _tracepipe tracepipe
        printf "%s\n" "${COMPREPLY[@]}"'
}
zsh_flags() {
    zsh -f -c 'compadd() { print -l -- "${@[$@[(i)--]+1,-1]}" }
        words=(tracepipe -) CURRENT=2 PREFIX=-
        source '"'$scripts/_tracepipe'"
}
fish_flags() {
    fish --no-config -c "source '$scripts/tracepipe.fish'; complete -C 'tracepipe -'" | cut -f 1
}

# How each begins a session that completes; then a word is typed and completed, and the line run.
echo "PS1='ready> '; source '$scripts/tracepipe.bash'" >bash.rc
printf '%s\n' "PS1='ready> '; fpath=('$scripts' \$fpath)" 'autoload -Uz compinit; compinit -u -D' >.zshrc
bash_session=(bash --rcfile bash.rc -i)
zsh_session=(zsh -d -i)
fish_session=(fish --no-config -C "source '$scripts/tracepipe.fish'; function fish_prompt; echo 'ready> '; end" -i)

tried=0
for shell in bash zsh fish; do
    command -v $shell >/dev/null || continue
    "${shell}_flags" | sed 's/=$//' | sort >found
    diff -u wanted found || { echo "$shell: not the flags of --help"; exit 1; }
    declare -n session=${shell}_session
    timeout 60 python3 "$on_terminal" 100x30 --key $'ready> =tracepipe --versi\t' \
        --key '--version=^M' --key $'zlib=exit^M' "${session[@]}" >screen || true
    grep -q '^.*libzstd [0-9]' screen || { cat -v screen; echo "$shell: Tab does not complete"; exit 1; }
    tried=$((tried + 1))
    echo "$shell: $(wc -l <wanted) flags, Tab completes"
done
[ $tried -ge 1 ]
