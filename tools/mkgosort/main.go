// Mkgosort records what slices.SortFunc does, for the test of its port. Run it
// with the Go release whose order of equal records is wanted:
//
//	go run tools/mkgosort/main.go >tests/unit/gosort_golden.inc
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

type record struct{ key, id uint32 }

type input struct {
	count, distinct uint32
	shape           string
	lies            int // comparisons answered "less" whatever the keys are
}

// records makes the same input as the function of this name in the test.
func records(in input) []record {
	random := uint64(in.count)<<32 | uint64(in.distinct)
	all := make([]record, in.count)
	for i := range all {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		all[i].id = uint32(i)
		switch in.shape {
		case "RANDOM":
			all[i].key = uint32(random % uint64(in.distinct))
		case "RISING":
			all[i].key = uint32(i) / in.distinct
		case "FALLING":
			all[i].key = (in.count - uint32(i)) / in.distinct
		case "NEARLY":
			all[i].key = uint32(i) / in.distinct
			if random%32 == 0 {
				all[i].key = uint32(random>>32) % in.count
			}
		case "SAW":
			all[i].key = uint32(i) % in.distinct
		}
	}
	return all
}

// sort returns the number of comparisons and a digest of who was compared with
// whom in which order.
func sort(in input, all []record) (compared int, digest uint64) {
	digest = 14695981039346656037
	slices.SortFunc(all, func(a, b record) int {
		compared++
		digest = (digest ^ uint64(a.id)<<20 ^ uint64(b.id)) * 1099511628211
		switch {
		case compared <= in.lies || a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
	for _, r := range all {
		digest = (digest ^ uint64(r.id)) * 1099511628211
	}
	return compared, digest
}

func main() {
	w := bufio.NewWriter(os.Stdout)
	release := strings.Join(strings.SplitN(strings.TrimPrefix(runtime.Version(), "go"), ".", 3)[:2], ".")
	fmt.Fprintf(w, "// Made by tools/mkgosort from Go %s; do not edit.\n", release)

	fmt.Fprint(w, "\nstatic const struct golden goldens[] = {\n")
	for _, shape := range []string{"RANDOM", "RISING", "FALLING", "NEARLY", "SAW"} {
		for _, count := range []uint32{2, 11, 12, 13, 49, 50, 51, 100, 300, 5000} {
			for _, distinct := range []uint32{1, 3, 17, 1 << 20} {
				in := input{count: count, distinct: distinct, shape: shape}
				compared, digest := sort(in, records(in))
				fmt.Fprintf(w, "    {{%d, %d, %s, 0}, %d, %#x},\n", count, distinct, shape, compared, digest)
			}
		}
	}
	// Lies make every split as unbalanced as can be, until heapsort takes over.
	for _, lies := range []int{100, 1000, 3000, 4500, 6000} {
		in := input{300, 40, "RANDOM", lies}
		compared, digest := sort(in, records(in))
		fmt.Fprintf(w, "    {{%d, %d, %s, %d}, %d, %#x},\n", in.count, in.distinct, in.shape, lies, compared, digest)
	}
	fmt.Fprint(w, "};\n")

	for _, in := range []input{{13, 2, "RANDOM", 0}, {60, 5, "RANDOM", 0}, {300, 7, "RANDOM", 0}} {
		all := records(in)
		sort(in, all)
		fmt.Fprintf(w, "\nstatic const uint32_t order_%d[] = {", in.count)
		for i, r := range all {
			if i%20 == 0 {
				fmt.Fprint(w, "\n   ")
			}
			fmt.Fprintf(w, " %d,", r.id)
		}
		fmt.Fprint(w, "\n};\n")
	}
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "mkgosort:", err)
		os.Exit(1)
	}
}
