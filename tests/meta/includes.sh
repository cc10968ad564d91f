#!/bin/bash
# Who may include whom: reads every #include below src/ and include/ and fails
# on an arrow that is not in the tables here. They are the rule; ARCHITECTURE.md
# explains it.
#
#   includes.sh SOURCE_ROOT
set -euo pipefail
cd "$1"

# Room, that is a folder below src/ with sources, then the rooms that its files may include
# besides their own; `base/` is base and every room below it, `public` is include/tracepipe.
declare -A arrows=(
    [base]='public'
    [base/spill]='base public'
    [base/sort]='base/spill base public'
    [base/text]='base public'
    [base/time]='base/text base public'
    [symbols]='base/ public'
    [io]='base/ public'
    [decode]='base/ public'
    [decode/text]='decode base/ public'
    [merge/tables]='decode base/ public'
    [merge/order]='merge/tables decode base/ public'
    [merge/track]='merge/tables decode base/ public'
    [merge/v1]='merge/order merge/tables symbols decode base/ public'
    [merge/upgrade]='merge/order merge/tables decode base/ public'
    [merge]='merge/ decode base/ public'
    [stats/gc]='merge/track base/ public'
    [stats/figures]='merge/track base/ public'
    [stats/names]='stats/figures base/ public'
    [stats/history]='stats/figures merge/track merge/tables decode base/ public'
    [stats]='stats/history stats/names stats/figures stats/gc merge/track base/ public'
    [stats/sums]='stats stats/names stats/figures merge/track merge/tables decode base/ public'
    [stats/input]='stats/sums stats stats/names stats/figures stats/gc merge/track merge/tables decode base/ public'
    [stats/findings]='stats stats/names stats/figures stats/gc base/ public'
    [stats/hosts]='stats stats/findings stats/names stats/figures base/ public'
    [stats/state]='stats stats/names stats/figures stats/gc decode base/ public'
    [stats/summary]='stats stats/names stats/figures merge/tables decode base/ public'
    [sink]='sink/print merge/ decode base/ public'
    [sink/print]='base/ public'
    [sink/text]='sink/print sink stats/names merge/ decode base/ public'
    [sink/inventory]='sink/print sink merge/ decode base/ public'
    [sink/list]='sink/inventory sink/print sink merge/ decode base/ public'
    [sink/proto]='decode base/ public'
    [sink/perfetto]='sink/proto sink merge/ decode base/ public'
    [sink/pprof]='sink/proto sink/stats sink/stats/report sink stats/ merge/ decode base/ public'
    [sink/report]='sink/proto sink/stats sink/stats/report sink/print sink stats/ merge/ decode base/ public'
    [sink/check]='sink/stats sink/stats/report sink/print sink stats/ base/ public'
    [sink/news]='sink/stats sink/stats/findings sink/stats/hosts sink/stats/report sink/print sink stats/ base/ public'
    [sink/stats/report]='sink/print sink stats/ merge/ decode base/ public'
    [sink/stats/findings]='sink/stats/report sink/print stats/ merge/ decode base/ public'
    [sink/stats/hosts]='sink/stats/findings sink/stats/report sink/print stats/ base/ public'
    [sink/counts]='sink/inventory sink/stats sink/print sink merge/ decode base/ public'
    [sink/stats]='sink/stats/report sink/stats/findings sink/stats/hosts sink/print sink stats/ merge/ decode base/ public'
    [pipeline/core]='sink merge/ decode io base/ public'
    [pipeline/order]='pipeline/core sink merge/ decode io base/ public'
    [pipeline/read]='pipeline/order pipeline/core sink merge/ decode/text decode io base/ public'
    [pipeline/record]='pipeline/core sink io base/ public'
    [pipeline/commit]='pipeline/record pipeline/core sink/print sink merge/ decode io base/ public'
    [pipeline/run]='pipeline/ sink/check sink/news sink/inventory sink/stats sink merge/ decode/text decode io base/ public'
    [cli]='base/text public'
    [public]=''
)

# Libraries of others: header, then the only files that may include it. None of
# them is a header, so that no dependency leaks into a layer.
declare -A owners=(
    [ck_]='src/base/ring.c src/base/evcount.c'
    [liburing]='src/io/source_uring.c'
    [zstd]='src/io/inflate.c src/sink/zstd.c src/pipeline/run/parts.c'
    [zlib]='src/io/inflate.c src/sink/proto/deflate.c src/pipeline/run/parts.c'
    [xxhash]='src/base/digest.c'
    [libdw]='src/symbols/symbols.c src/pipeline/run/parts.c'
    [gelf]='src/symbols/symbols.c'
    [seccomp]='src/cli/call_filter.c'
    [landlock]='src/cli/landlock.c src/cli/sandbox.c'
    [argp]='src/cli/flags.c src/cli/main.c'
)

bad=0
complain() {
    echo "$1"
    bad=1
}

# lines: FILE:LINE:"path" or FILE:LINE:<path> of every include.
lines=$(find src include -name '*.[ch]' -o -name '*.def' | sort |
    xargs grep -HnoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*(<[^>]+>|"[^"]+")' |
    sed -E 's/^([^:]+:[0-9]+):[^<"]*/\1:/')

count=0
while IFS=: read -r file line target; do
    count=$((count + 1))
    case $file in
    include/*) from=public ;;
    *) from=${file#src/} from=${from%/*} ;;
    esac
    name=${target:1:-1}
    if [[ $target == '<'* ]]; then
        base=${name##*/}
        for key in "${!owners[@]}"; do
            [[ $base == "$key"* ]] || continue
            [[ " ${owners[$key]} " == *" $file "* ]] ||
                complain "$file:$line: <$name> belongs to ${owners[$key]}"
        done
        [ ! -e "include/$name" ] || complain "$file:$line: \"$name\" is ours: quote it"
        continue
    fi
    case $name in
    tracepipe/*) to=public ;;
    */*) to=${name%/*} ;;
    *)
        complain "$file:$line: \"$name\" has no folder: write \"FOLDER/$name\""
        continue
        ;;
    esac
    if [ ! -e "src/$name" ] && [ ! -e "include/$name" ]; then
        complain "$file:$line: \"$name\" does not exist"
        continue
    fi
    [ "$to" = "$from" ] && continue
    if [ -z "${arrows[$from]+set}" ]; then
        complain "$file: $from is not in the table of rooms"
        continue
    fi
    allowed=${arrows[$from]}
    [[ " $allowed " == *" $to "* || " $allowed " == *" ${to%%/*}/ "* ]] || complain "$file:$line: $from may not include $to ($name)"
done <<<"$lines"

# A check that has read nothing proves nothing.
if [ $count -lt 50 ]; then
    complain "only $count include lines found"
fi
[ $bad = 0 ] && echo "$count include lines follow the rules"
exit $bad
