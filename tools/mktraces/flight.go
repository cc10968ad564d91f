//go:build go1.25

package main

import (
	"os"
	"runtime/trace"
	"time"
)

func init() {
	loads["flight"] = load{doc: "snapshot of the flight recorder: begins in the middle", traces: runFlight}
}

func runFlight(path string) (err error) {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 30 * time.Millisecond})
	if err := recorder.Start(); err != nil {
		return err
	}
	defer recorder.Stop()
	if err := runMixed(); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	_, err = recorder.WriteTo(f)
	return err
}
