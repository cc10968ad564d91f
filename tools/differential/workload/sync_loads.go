package main

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Goroutines that start goroutines, and end in more than one way.
func spawn(w *worker) {
	w.tree(1+w.n(3), w.percent(80))
}

func (w *worker) tree(depth int, wait bool) {
	var wg sync.WaitGroup
	for n := 1 + w.n(4); n > 0; n-- {
		c := w.child()
		wg.Add(1)
		go func() {
			defer wg.Done()
			if depth > 1 {
				c.tree(depth-1, wait)
			}
			if c.percent(10) {
				runtime.Goexit()
			}
			defer func() { _ = recover() }()
			if c.percent(5) {
				panic("expected")
			}
		}()
	}
	if wait {
		wg.Wait()
	}
}

// A pipeline of stages over channels with and without room.
func channels(w *worker) {
	first := make(chan int, w.n(3))
	last := first
	for n := 1 + w.n(4); n > 0; n-- {
		from, to := last, make(chan int, w.n(2)*w.n(8))
		go func() {
			defer close(to)
			for v := range from {
				to <- v + 1
			}
		}()
		last = to
	}
	n := 1 + w.n(60)
	go func() {
		for i := 0; i < n; i++ {
			first <- i
		}
		close(first)
	}()
	for range last {
	}
}

func selects(w *worker) {
	a, b, done := make(chan int), make(chan int, 1), make(chan struct{})
	var never chan int
	c := w.child()
	go func() {
		defer close(done)
		for n := 1 + c.n(20); n > 0; n-- {
			select {
			case a <- n:
			case b <- n:
			case <-never:
			}
			if c.percent(20) {
				time.Sleep(c.micros(200))
			}
		}
	}()
	for {
		var expired <-chan time.Time
		if w.percent(50) {
			expired = time.After(w.micros(300))
		}
		select {
		case <-a:
		case <-b:
		case <-expired:
		case <-done:
			return
		}
		select {
		case <-never:
		case <-b:
		default:
			runtime.Gosched()
		}
	}
}

func locks(w *worker) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var once sync.Once
	w.all(2+w.n(5), func(w *worker, i int) {
		for n := w.n(20); n > 0; n-- {
			switch w.n(4) {
			case 0:
				mu.Lock()
				spin(w.micros(60))
				mu.Unlock()
			case 1:
				rw.Lock()
				time.Sleep(w.micros(60))
				rw.Unlock()
			case 2:
				rw.RLock()
				runtime.Gosched()
				rw.RUnlock()
			case 3:
				once.Do(func() { time.Sleep(100 * time.Microsecond) })
			}
		}
	})
}

func conds(w *worker) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := 0
	turns := 1 + w.n(10)
	w.all(2+w.n(4), func(w *worker, i int) {
		for n := 0; n < turns; n++ {
			mu.Lock()
			if i == 0 {
				ready++
				if w.percent(50) {
					cond.Broadcast()
				} else {
					cond.Signal()
				}
			} else if ready <= n && ready < turns {
				cond.Wait()
			}
			mu.Unlock()
			runtime.Gosched()
		}
		if i == 0 {
			mu.Lock()
			ready = turns
			mu.Unlock()
			// Whoever was not signalled still waits.
			for k := 0; k < 3*turns; k++ {
				cond.Broadcast()
				time.Sleep(50 * time.Microsecond)
			}
		}
	})
}

func timers(w *worker) {
	var fired atomic.Int32
	for n := w.n(6); n > 0; n-- {
		t := time.AfterFunc(w.micros(2000), func() { fired.Add(1) })
		switch w.n(4) {
		case 0:
			t.Stop()
		case 1:
			t.Reset(w.micros(1000))
		}
	}
	ticker := time.NewTicker(100*time.Microsecond + w.micros(500))
	for n := w.n(4); n > 0; n-- {
		<-ticker.C
	}
	ticker.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), w.micros(1500))
	defer cancel()
	if w.percent(70) {
		<-ctx.Done()
	}
	time.Sleep(w.micros(2000))
}

func yields(w *worker) {
	w.all(1+w.n(4), func(w *worker, i int) {
		for n := w.n(50); n > 0; n-- {
			runtime.Gosched()
		}
	})
}

// Long enough to be preempted, at times.
func burns(w *worker) {
	w.all(1+w.n(3), func(w *worker, i int) {
		if w.percent(25) {
			spin(w.micros(30000))
		} else {
			spin(w.micros(3000))
		}
	})
}

var spun atomic.Uint64

func spin(d time.Duration) {
	x := uint64(1)
	for end := time.Now().Add(d); time.Now().Before(end); {
		for i := 0; i < 1000; i++ {
			x = x*6364136223846793005 + 1442695040888963407
		}
	}
	spun.Store(x)
}

// startWaiting leaves goroutines behind that have been waiting when a trace
// begins, in every way there is; some wake up in it.
func (r *run) startWaiting() {
	var mu sync.Mutex
	mu.Lock()
	var rw sync.RWMutex
	rw.Lock()
	var cond = sync.NewCond(&sync.Mutex{})
	silent := make(chan int)
	ways := []func(){
		func() { select {} },
		func() { <-silent },
		func() { silent <- 1 },
		func() { mu.Lock() },
		func() { rw.RLock() },
		func() { cond.L.Lock(); cond.Wait() },
		func() { time.Sleep(time.Hour) },
		func() { time.Sleep(r.limit / 2) },
		func() { sleepInKernel(time.Hour) },
		func() { sleepInKernel(r.limit / 2) },
		func() { runtime.LockOSThread(); <-silent },
		func() { acceptForever() },
		func() {
			for !r.over.Load() {
				time.Sleep(5 * time.Millisecond)
			}
		},
	}
	for i := 0; i < r.waiting; i++ {
		go ways[r.rng.IntN(len(ways))]()
	}
}
