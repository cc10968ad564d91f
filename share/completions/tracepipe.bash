# Completions of tracepipe for bash. Flags, sinks and their options are taken from the help text
# of the program that is called, so they are those of its version.

# The long flags of PROGRAM, with what follows them: --NAME=WORD|WORD.
_tracepipe_flags() {
    "$1" --help-dev 2>/dev/null | grep -oE -- '--[a-z][a-z-]*(=[^ ]+)?'
    "$1" --help 2>/dev/null | grep -oE -- '^ +(-[a-zA-Z0-9], )?--[a-z][a-z-]*(=[^ ]+)?' |
        grep -oE -- '--.*'
}

# The names of the sinks of PROGRAM; with a SINK its options, as KEY=VALUE|VALUE.
_tracepipe_sinks() {
    "$1" --help 2>/dev/null | awk -v sink="$2" '
        /^Sinks and their options:/ { listed = 1; next }
        listed && /^ ? ?[^ ]/ && !/^  / { exit }
        listed && /^  [a-z]/ { name = $1; if (sink == "") print name; next }
        listed && name == sink { print $1 }'
}

# What may stand in place of the argument TEXT of --sink, whose last part is not complete.
_tracepipe_sink_words() {
    local sink=${2%%:*} done last
    if [[ $2 != *:* ]]; then
        _tracepipe_sinks "$1" ''
        return
    fi
    last=${2##*[:,]} done=${2%"${2##*[:,]}"}
    _tracepipe_sinks "$1" "$sink" | while IFS='=' read -r key values; do
        if [[ $last != *=* ]]; then
            echo "$done$key="
        elif [[ ${last%%=*} == "$key" && $values == *'|'* ]]; then
            echo "$done$key=${values//|/$'\n'"$done$key="}"
        fi
    done
}

_tracepipe() {
    local word=${COMP_WORDS[COMP_CWORD]} line words=
    # bash makes words of their own of '=' and ':'; what counts is the text since the last space.
    line=${COMP_LINE:0:COMP_POINT}
    local text=${line##* } rest=${line% *} flag value
    if [[ $text == --*=* ]]; then
        flag=${text%%=*} value=${text#*=}
    else
        flag=${rest##* } value=$text
    fi
    COMPREPLY=()
    case $flag in
    --sink) words=$(_tracepipe_sink_words "$1" "$value") ;;
    --explain) words=$("$1" --explain list 2>/dev/null |
        sed -n '/^  /{s/, */\n/g; s/^ *//; p}' | sed 's/^ *//; /^$/d; s/ /-/g') ;;
    --*)
        words=$(_tracepipe_flags "$1" | sed -n "s/^$flag=\([^ ]*|.*\)/\1/p" | tr '|' '\n') ;;
    esac
    if [[ -z $words && $text == -* && $text != *=* ]]; then
        words=$(_tracepipe_flags "$1" | sed 's/=.*/=/' | sort -u) value=$text
    fi
    if [[ -n $words ]]; then
        # Terms have apostrophes, which compgen -W would take for quotes.
        local offer
        mapfile -t COMPREPLY < <(while IFS= read -r offer; do
            [[ $offer != "$value"* ]] || echo "${offer//\'/\\\'}"
        done <<<"$words")
        # Only what stands behind the last '=' or ':' is replaced.
        local cut=${value%"${value##*[:=]}"}
        [[ $text == --*=* || $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"$cut"}")
        [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace 2>/dev/null
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
    fi
}
complete -o default -F _tracepipe tracepipe
