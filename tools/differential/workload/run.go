package main

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// More than this of one trace ends the run early.
const maxTraceBytes = 2 << 20

// A run is the plan at work. Workers look at `over` between two loads, and loads
// that take long look at it themselves.
type run struct {
	plan
	rng     *rand.Rand // of the goroutine that begins and ends traces
	over    atomic.Bool
	workers sync.WaitGroup
	traces  [][]byte
	kept    any // the ballast
}

func newRun(p plan) *run {
	return &run{plan: p, rng: rand.New(rand.NewPCG(p.seed, 1))}
}

// trace carries the plan out and returns the traces made.
func (r *run) trace() ([][]byte, error) {
	r.kept = newBallast(r.ballast)
	r.startWaiting()
	time.AfterFunc(r.limit, func() { r.over.Store(true) })
	if r.profiled {
		stop, err := startProfile(r.rng.IntN(2) == 0)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	err := r.mode.run(r)
	r.over.Store(true)
	return r.traces, err
}

// startWorkers begins the work; `endless` workers do steps until the run is over.
func (r *run) startWorkers(endless bool) {
	for i := 0; i < r.plan.workers; i++ {
		w := &worker{run: r, rng: rand.New(rand.NewPCG(r.seed, uint64(100+i)))}
		r.workers.Add(1)
		go func() {
			defer r.workers.Done()
			for step := 0; (endless || step < r.steps) && !r.over.Load(); step++ {
				r.loads[w.n(len(r.loads))].run(w)
			}
		}()
	}
}

func (r *run) sleep(from, to time.Duration) {
	time.Sleep(from + time.Duration(r.rng.Int64N(int64(to-from))))
}

// A worker is the state of one goroutine that does random things. Its numbers are
// its own: goroutines it starts get children.
type worker struct {
	*run
	rng *rand.Rand
}

func (w *worker) child() *worker {
	return &worker{run: w.run, rng: rand.New(rand.NewPCG(w.rng.Uint64(), 0))}
}

// n is a number from 0 to limit-1.
func (w *worker) n(limit int) int { return w.rng.IntN(limit) }

func (w *worker) percent(n int) bool { return w.rng.IntN(100) < n }

func (w *worker) micros(limit int) time.Duration {
	return time.Duration(w.rng.IntN(limit)) * time.Microsecond
}

// all runs n functions as goroutines and waits for them.
func (w *worker) all(n int, f func(w *worker, i int)) {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		c := w.child()
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(c, i)
		}()
	}
	wg.Wait()
}

// must is for what cannot fail on a machine that works.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
