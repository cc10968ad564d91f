package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/trace"
	"strings"
	"time"
)

var oddStrings = []string{
	"", " ", "plain", "quote \" and 'this'", "back\\slash", "two\nlines", "cr\rtab\tbell\a",
	"nul\x00nul", "not utf-8 \xff\x80\xc3", "cut rune \xe2\x82", "surrogate \xed\xa0\x80",
	"e\u0301 \U0001F439 \u2028 \ufeff \ufffd \u00a0", "\U0010ffff\U000e0001",
	strings.Repeat("long ", 300), strings.Repeat("é", 600), "x" + strings.Repeat("é", 600),
}

func (w *worker) word() string {
	if w.percent(20) {
		return fmt.Sprintf("word %d", w.n(1000000))
	}
	return oddStrings[w.n(len(oddStrings))]
}

func annotations(w *worker) {
	ctx := context.Background()
	for n := w.n(4); n > 0; n-- {
		var task *trace.Task
		ctx, task = trace.NewTask(ctx, w.word())
		if w.percent(80) {
			defer task.End()
		}
		if w.percent(5) {
			defer task.End() // twice is once too often
		}
	}
	w.all(1+w.n(3), func(w *worker, i int) { w.annotate(ctx, 1+w.n(4)) })
	if w.percent(10) {
		// Begun by one goroutine, ended by another; neither has other regions.
		begun := make(chan *trace.Region)
		go func() { begun <- trace.StartRegion(ctx, "wanders") }()
		region := <-begun
		done := make(chan struct{})
		go func() {
			region.End()
			close(done)
		}()
		<-done
	}
	if w.misuses && w.percent(50) {
		outer := trace.StartRegion(ctx, "outer")
		inner := trace.StartRegion(ctx, "inner")
		outer.End()
		inner.End()
	}
}

func (w *worker) annotate(ctx context.Context, depth int) {
	if w.percent(70) {
		trace.Log(ctx, w.word(), w.word())
	}
	if depth == 0 {
		return
	}
	switch w.n(4) {
	case 0:
		trace.WithRegion(ctx, w.word(), func() { w.annotate(ctx, depth-1) })
	case 1:
		defer trace.StartRegion(ctx, w.word()).End()
		time.Sleep(w.micros(300))
		w.annotate(ctx, depth-1)
	case 2:
		ctx, task := trace.NewTask(ctx, w.word())
		w.annotate(ctx, depth-1)
		go task.End()
	case 3:
		go trace.StartRegion(context.Background(), w.word()) // never ends
		runtime.Gosched()
		trace.Logf(ctx, "depth", "%d", depth)
	}
}
