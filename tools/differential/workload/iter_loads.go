//go:build go1.23

package main

import (
	"iter"
	"runtime"
	"time"
)

func init() {
	loads = append(loads, load{"coroutines", coroutines})
}

// Coroutines: switches between goroutines that pass the scheduler by. Some
// sequences end, some are stopped, some are forgotten; some are drawn from by
// several goroutines in turn.
func coroutines(w *worker) {
	for n := 1 + w.n(3); n > 0; n-- {
		most := w.n(30)
		next, stop := iter.Pull(w.child().sequence(most, w.n(3)))
		for i := w.n(most + 3); i > 0; i-- {
			if w.percent(5) {
				done := make(chan struct{})
				go func() {
					next()
					close(done)
				}()
				<-done
			} else {
				next()
			}
		}
		if w.percent(80) {
			stop()
		}
	}
	if w.percent(10) {
		c := w.child()
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			next, stop := iter.Pull(c.sequence(5, 0))
			next()
			next()
			stop()
		}()
		<-done
	}
}

func (w *worker) sequence(most, depth int) iter.Seq[int] {
	return func(yield func(int) bool) {
		next := func() (int, bool) { return 0, true }
		if depth > 0 {
			pulled, stop := iter.Pull(w.child().sequence(most, depth-1))
			defer stop()
			next = pulled
		}
		for i := 0; i < most; i++ {
			if w.percent(10) {
				time.Sleep(w.micros(100))
			}
			if _, ok := next(); !ok || !yield(i) {
				return
			}
		}
	}
}
