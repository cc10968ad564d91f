//go:build go1.25

package main

import (
	"runtime/trace"
	"time"
)

func init() {
	modes = append(modes, mode{"flight", 4, traceFlight}, mode{"flight-beside", 2, traceBeside})
}

// Snapshots of the flight recorder, which begin in the middle and hold the same
// generations again.
func traceFlight(r *run) error {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{
		MinAge:   time.Duration(1+r.rng.IntN(60)) * time.Millisecond,
		MaxBytes: uint64(1+r.rng.IntN(32)) << 16,
	})
	if err := recorder.Start(); err != nil {
		return err
	}
	defer recorder.Stop()
	r.startWorkers(true)
	return r.snapshots(recorder, 1+r.rng.IntN(3))
}

// A plain trace while the recorder runs.
func traceBeside(r *run) error {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{
		MinAge: time.Duration(1+r.rng.IntN(30)) * time.Millisecond,
	})
	if err := recorder.Start(); err != nil {
		return err
	}
	defer recorder.Stop()
	r.startWorkers(true)
	r.sleep(0, 5*time.Millisecond)
	t, err := r.startTrace()
	if err != nil {
		return err
	}
	err = r.snapshots(recorder, r.rng.IntN(3))
	t.stop()
	return err
}

func (r *run) snapshots(recorder *trace.FlightRecorder, n int) error {
	for ; n > 0; n-- {
		r.sleep(0, r.limit/3)
		t := &recording{run: r}
		if _, err := recorder.WriteTo(t); err != nil {
			return err
		}
		r.traces = append(r.traces, t.bytes.Bytes())
	}
	return nil
}
