# For scripts that compare mutator utilisation with Go: go_mmu_build FILE makes the program
# of main.go there, with functions added to Go's package internal/trace. Exits with 77
# unless there is Go 1.26.
#
# quantiles.go is added as it is. bylabel.go is Go's MutatorUtilizationV2 with the one rule
# that Go had until 1.21: a worker is one until it stops executing.

# mmu_files TRACE...: sets `files` to these, or without any to all of Go 1.22 and later in the
# corpus, and those bundled; and `work`. After lib.sh.

mmu_files() {
    local here
    if [ $# -gt 0 ]; then
        files=("$@")
        corpus_work
        return
    fi
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    corpus_find
    corpus_work
    mapfile -t files < <(find "$corpus/v2" "$here/../data/traces" -name "*.trace" -not -path "*/traces/v1/*" | sort |
        sample)
}

go_mmu_build() {
    local version root here
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    export GOFLAGS='' GOWORK=off GO111MODULE=on GOTOOLCHAIN=local
    unset GOROOT
    version=$(cd / && ${GO:-go} env GOVERSION 2>/dev/null) || version='no go command'
    case $version in
    go1.26*) ;;
    *)
        echo "Go 1.26 is needed to compare with, not: $version"
        exit 77
        ;;
    esac
    root=$(cd / && ${GO:-go} env GOROOT)
    awk 'BEGIN { print "package trace\n\nimport \"strings\"\n" }
        /^func MutatorUtilizationV2/ { sub("V2", "ByLabel"); is_in = 1 }
        is_in && /if !\(flags&UtilPerProc != 0 && l.Label ==/ {
            sub("if !", "if !bgMark[ev.Goroutine()] \\&\\& !"); changes++
        }
        is_in { print }
        is_in && /Stopped running while doing GC things/ { print "delete(bgMark, g)"; changes++ }
        is_in && /^}/ { exit }
        END { exit changes != 2 }' "$root/src/internal/trace/gc.go" >"$work/bylabel.go"
    cat >"$work/overlay.json" <<JSON
{"Replace": {
    "$root/src/cmd/tracepipe-mmu/main.go": "$here/main.go",
    "$root/src/internal/trace/quantiles.go": "$here/quantiles.go",
    "$root/src/internal/trace/bylabel.go": "$work/bylabel.go"
}}
JSON
    (cd "$work" && ${GO:-go} build -overlay overlay.json -o "$1" cmd/tracepipe-mmu)
}
