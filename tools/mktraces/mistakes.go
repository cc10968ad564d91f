package main

import (
	"context"
	"runtime/trace"
)

func init() {
	loads["mistakes"] = load{doc: "regions and tasks that end out of turn, twice, elsewhere or never", run: runMistakes}
}

// Regions that end first in, first out.
func overlap(ctx context.Context) {
	first := trace.StartRegion(ctx, "first")
	second := trace.StartRegion(ctx, "second")
	first.End()
	second.End()
}

func twice(ctx context.Context) {
	r := trace.StartRegion(ctx, "twice")
	r.End()
	r.End()
}

func never(ctx context.Context) {
	trace.StartRegion(ctx, "never")
}

func elsewhere(ctx context.Context) {
	r := trace.StartRegion(ctx, "elsewhere")
	done := make(chan bool)
	go func() {
		r.End()
		close(done)
	}()
	<-done
}

func taskTwice(ctx context.Context) {
	_, task := trace.NewTask(ctx, "job")
	task.End()
	task.End()
}

func runMistakes() error {
	ctx, task := trace.NewTask(context.Background(), "request")
	defer task.End()
	for _, mistake := range []func(context.Context){overlap, twice, never, elsewhere, taskTwice} {
		mistake := mistake
		done := make(chan bool)
		go func() {
			mistake(ctx)
			close(done)
		}()
		<-done
	}
	return nil
}
