#!/bin/sh
# Makes the real traces in tests/data/traces and their MANIFEST.tsv again:
#
#   tools/mktraces/make.sh [NAME...]
#
# Without names, all of the list below. Every trace is made with the Go release
# named (the go command fetches it; "local" is the one on the path), under
# -trimpath, so that it holds no path of the machine. The result has the same
# content in kind, not in bytes: tests must not depend on more than the
# manifest says. The traces made by hand, hand.txt and hand.trace, are only
# described.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$here/../.." && pwd)/tests/data/traces
manifest=$data/MANIFEST.tsv
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
export GOWORK=off GOFLAGS= CGO_ENABLED=0

# name, release, load, environment
list() {
	cat <<-END
	go122-chan go1.22.12 chan GOMAXPROCS=2
	go122-gc go1.22.12 gc GOMAXPROCS=2
	go122-gens go1.22.12 mixed GOMAXPROCS=4 GODEBUG=traceadvanceperiod=10000000
	go123-files go1.23.12 files GOMAXPROCS=2
	go123-iter go1.23.12 iter GOMAXPROCS=1
	go123-alloc go1.23.12 alloc GOMAXPROCS=1 GODEBUG=traceallocfree=1
	go124-user go1.24.9 user GOMAXPROCS=4
	go125-cpu go1.25.3 cpu GOMAXPROCS=2
	go125-http go1.25.3 http GOMAXPROCS=2
	go125-flight go1.25.3 flight GOMAXPROCS=4
	go126-many local many GOMAXPROCS=8
	go126-gens local mixed GOMAXPROCS=4 GODEBUG=traceadvanceperiod=10000000
	go126-alloc-gens local mixed GOMAXPROCS=4 GODEBUG=traceallocfree=1,traceadvanceperiod=20000000
	go126-user local user GOMAXPROCS=1
	go126-iter local iter GOMAXPROCS=2
	go126-flight local flight GOMAXPROCS=4
	go126-held-lock local held-lock GOMAXPROCS=4
	go126-gc-pressure local gc-pressure GOMAXPROCS=4 GOGC=off
	go126-slow-syscalls local slow-syscalls GOMAXPROCS=4
	go126-few-ps local few-ps GOMAXPROCS=1
	go127-user go1.27.3 user GOMAXPROCS=2
	END
}

# build RELEASE: the program for that release, once.
build() {
	[ -x "$bin/$1" ] || (cd "$here" && GOTOOLCHAIN=$1 go build -trimpath -o "$bin/$1" .)
}

# record: one trace. Where all Ps are busy the background sweeper may yield
# thousands of times, so a trace that came out large gets another try.
max_bytes=40000
record() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		env $env "$bin/$release" "$load" "$data/$name.trace"
		[ "$(wc -c <"$data/$name.trace")" -gt $max_bytes ] || return 0
	done
	return 1
}

# describe FILE RELEASE FORMAT WHAT HOW: the file's line of the manifest.
describe() {
	f=$data/$1
	{
		awk -F'\t' -v f="$1" 'NR > 1 && $1 != f' "$manifest"
		printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(wc -c <"$f")" \
			"$(sha256sum "$f" | cut -d' ' -f1)" "$4" "$5"
	} | sort >"$bin/lines"
	{
		head -n 1 "$manifest"
		cat "$bin/lines"
	} >"$bin/manifest"
	cat "$bin/manifest" >"$manifest"
}

mkdir -p "$data"
[ -s "$manifest" ] ||
	printf 'file\tgo\tformat\tbytes\tsha256\twhat\thow\n' >"$manifest"
list >"$bin/list"
while read -r name release load env; do
	case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
	build "$release"
	record || {
		echo "make.sh: $name: never smaller than $max_bytes bytes" >&2
		exit 1
	}
	version=$(cd / && GOTOOLCHAIN=$release go env GOVERSION)
	what=$("$bin/$release" -list | awk -F'\t' -v l="$load" '$1 == l { print $2 }')
	format=v$(head -c 7 "$data/$name.trace" | sed -n 's/^go 1\.\([0-9]*\)$/\1/p')
	describe "$name.trace" "$version" "$format" "$what" "mktraces $load, $env"
	if strings "$data/$name.trace" | grep -F -e "$HOME/" -e "$here" -e /tmp/ >&2; then
		echo "make.sh: $name: holds a path of this machine" >&2
		exit 1
	fi
done <"$bin/list"

# Copies as tools for compression write them, and the traces made by hand.
packed=go126-gens.trace
gzip -9nc "$data/$packed" >"$data/$packed.gz"
zstd -19 -qf "$data/$packed" -o "$data/$packed.zst"
describe "$packed.gz" - gz "copy of $packed" "gzip -9n"
describe "$packed.zst" - zst "copy of $packed" "zstd -19"
describe hand.txt - text "most events, two generations, disagreeing clocks" "by hand, for Go 1.26"
describe hand.trace - v26 "hand.txt in wire form" "by hand.txt and the raw writer of Go 1.26"
