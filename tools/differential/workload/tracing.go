package main

import (
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"time"
)

// A recording is a trace in the making. Writing it must not add events, so it
// stays in memory; only the tracer's own goroutine writes.
type recording struct {
	run   *run
	bytes bytes.Buffer
}

func (t *recording) Write(p []byte) (int, error) {
	if t.bytes.Len() > maxTraceBytes {
		t.run.over.Store(true)
	}
	return t.bytes.Write(p)
}

func (r *run) startTrace() (*recording, error) {
	t := &recording{run: r}
	return t, trace.Start(t)
}

func (t *recording) stop() {
	trace.Stop()
	t.run.traces = append(t.run.traces, t.bytes.Bytes())
}

// All work lies inside the trace.
func traceWhole(r *run) error {
	t, err := r.startTrace()
	if err != nil {
		return err
	}
	r.startWorkers(false)
	r.workers.Wait()
	t.stop()
	return nil
}

// The trace begins and ends in the middle of everything.
func traceLate(r *run) error {
	r.startWorkers(true)
	r.sleep(0, 10*time.Millisecond)
	t, err := r.startTrace()
	if err != nil {
		return err
	}
	for !r.over.Load() {
		r.sleep(0, 10*time.Millisecond)
	}
	t.stop()
	return nil
}

// Several traces of one process: generations, threads and goroutines have numbers
// that do not begin at 1.
func traceRestart(r *run) error {
	r.startWorkers(true)
	for n := 2 + r.rng.IntN(3); n > 0; n-- {
		t, err := r.startTrace()
		if err != nil {
			return err
		}
		r.sleep(0, r.limit/4)
		t.stop()
		if r.rng.IntN(2) == 0 {
			r.sleep(0, 5*time.Millisecond)
		}
	}
	return nil
}

// As a process leaves it that dies while it is traced.
func traceCut(r *run) error {
	if err := traceLate(r); err != nil {
		return err
	}
	whole := r.traces[0]
	r.traces[0] = whole[:r.rng.IntN(len(whole)+1)]
	return nil
}

// startProfile begins a CPU profile, at ten times the usual rate if `often`.
func startProfile(often bool) (stop func(), err error) {
	if often {
		// The profiler then complains that it cannot set a rate, and goes on.
		runtime.SetCPUProfileRate(1000)
	}
	return pprof.StopCPUProfile, pprof.StartCPUProfile(io.Discard)
}
