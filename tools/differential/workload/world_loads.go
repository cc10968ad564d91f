package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"syscall"
)

func processors(w *worker) {
	for n := 1 + w.n(3); n > 0; n-- {
		runtime.GOMAXPROCS(1 + w.n(10))
		w.all(w.n(4), func(w *worker, i int) { spin(w.micros(200)) })
	}
}

// The ways to stop the world, besides collections and tracing.
func stops(w *worker) {
	switch w.n(7) {
	case 0:
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
	case 1:
		must(pprof.Lookup("goroutine").WriteTo(io.Discard, w.n(3)))
	case 2:
		runtime.Stack(make([]byte, 4096), true)
	case 3:
		var stats debug.GCStats
		debug.ReadGCStats(&stats)
	case 4:
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		must(err)
		debug.WriteHeapDump(null.Fd())
		must(null.Close())
	case 5:
		// Refused by programs with cgo, which is as good.
		_, _, _ = syscall.AllThreadsSyscall(syscall.SYS_GETPID, 0, 0, 0)
	case 6:
		samples := []metrics.Sample{{Name: "/sched/latencies:seconds"}, {Name: "/gc/cycles/total:gc-cycles"}}
		metrics.Read(samples)
	}
}

func labels(w *worker) {
	words := pprof.Labels("load", "labels", "number", fmt.Sprint(w.n(1000)))
	pprof.Do(context.Background(), words, func(context.Context) {
		w.all(1+w.n(3), func(w *worker, i int) { spin(w.micros(5000)) })
	})
}
