// Mmu prints figures of mutator utilization as the internal/trace package of the Go
// distribution that builds it computes them. tests/support/mmu_main.c prints the same.
//
//	mmu FILE...
//
// For each file a line "file NAME", then lines of flags, what, window and value; "panic"
// in place of the rest where Go gives up. It imports an internal package, to which
// quantiles.go and bylabel.go are added, so it is built as cmd/tracepipe-mmu through
// "go build -overlay".
package main

import (
	"bufio"
	"fmt"
	"internal/trace"
	"io"
	"math"
	"os"
	"time"
)

const (
	webUI   = trace.UtilSTW | trace.UtilBackground | trace.UtilAssist
	byLabel = trace.UtilFlags(32)
	fnvBase = 14695981039346656037
)

var (
	allFlags = []trace.UtilFlags{webUI | byLabel}
	shares   = []float64{0, 0.001, 0.01, 0.05}
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for _, file := range os.Args[1:] {
		fmt.Fprintf(w, "file %s\n", file)
		events := read(file)
		fmt.Fprintf(w, "events %d\n", len(events))
		for _, flags := range allFlags {
			compute(w, events, flags)
		}
	}
}

// read returns the events up to the end of the trace or to its first error.
func read(file string) (events []trace.Event) {
	f, err := os.Open(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	defer f.Close()
	// The reader itself may panic on what is damaged.
	defer func() { recover() }()
	r, err := trace.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil
	}
	for {
		ev, err := r.ReadEvent()
		if err != nil {
			if err != io.EOF {
				fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			}
			return events
		}
		events = append(events, ev)
	}
}

func compute(w io.Writer, events []trace.Event, flags trace.UtilFlags) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(w, "%d panic %v\n", flags, r)
		}
	}()
	utilization := trace.MutatorUtilizationV2
	if flags&byLabel != 0 {
		utilization = trace.MutatorUtilizationByLabel
	}
	utils := utilization(events, flags)
	points, sum := 0, uint64(fnvBase)
	for _, util := range utils {
		for _, u := range util {
			sum = (sum ^ uint64(u.Time)) * 1099511628211
			sum = (sum ^ math.Float64bits(u.Util)) * 1099511628211
		}
		points += len(util)
	}
	fmt.Fprintf(w, "%d curve %d %d %016x\n", flags, len(utils), points, sum)
	var length int64
	var integral float64
	for _, util := range utils {
		for i := 0; i+1 < len(util); i++ {
			length += util[i+1].Time - util[i].Time
			integral += util[i].Util * float64(util[i+1].Time-util[i].Time)
		}
	}
	fmt.Fprintf(w, "%d integral %d %.17g\n", flags, length, integral)
	curve := trace.NewMMUCurve(utils)
	for unit := time.Microsecond; unit <= time.Second; unit *= 10 {
		for _, step := range []time.Duration{1, 2, 5} {
			if window := step * unit; window <= time.Second {
				fmt.Fprintf(w, "%d mmu %d %.17g\n", flags, window, curve.MMU(window))
			}
		}
		for i, q := range curve.MUD(unit, shares) {
			fmt.Fprintf(w, "%d stock-mud %d/%g %.17g\n", flags, unit, shares[i], q)
		}
		for i, q := range curve.Quantiles(unit, shares) {
			fmt.Fprintf(w, "%d mud %d/%g %.17g\n", flags, unit, shares[i], q)
		}
	}
}
