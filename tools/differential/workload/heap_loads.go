package main

import (
	"runtime"
	"runtime/debug"
	"time"
)

type node struct {
	next, other *node
	data        []byte
}

// Objects with pointers in them, which make every collection last a while.
func newBallast(n int) any {
	nodes := make([]*node, n)
	for i := range nodes {
		nodes[i] = &node{}
		nodes[i].next = nodes[i*7/11]
		nodes[i].other = nodes[i/2]
	}
	return nodes
}

func allocate(n, size int) *node {
	var head *node
	for i := 0; i < n; i++ {
		head = &node{next: head, data: make([]byte, size)}
		if i%64 == 63 {
			head = nil
		}
	}
	return head
}

func garbage(w *worker) {
	switch w.n(4) {
	case 0:
		allocate(w.n(2000), 16)
	case 1:
		allocate(w.n(200), 4000)
	case 2:
		allocate(w.n(8), 1<<20)
	case 3:
		// Room for the large ones is found by sweeping many small ones.
		allocate(20000, 200)
		allocate(4, 4<<20)
	}
}

// Several goroutines allocate faster than collections can follow.
func assists(w *worker) {
	w.all(2+w.n(4), func(w *worker, i int) {
		var kept []*node
		for n := 5 + w.n(20); n > 0 && !w.over.Load(); n-- {
			kept = append(kept, allocate(63, 2000))
		}
		runtime.KeepAlive(kept)
	})
}

func collections(w *worker) {
	switch w.n(10) {
	case 0:
		debug.SetGCPercent(10 + w.n(300))
	case 1:
		debug.SetGCPercent(-1)
		allocate(500, 1000)
		debug.SetGCPercent(100)
	case 2:
		debug.SetMemoryLimit(int64(24+w.n(200)) << 20)
	case 3:
		debug.FreeOSMemory()
	case 4:
		// Who asks for a collection yields until all is swept, which can be the
		// larger part of a trace.
		go allocate(w.n(2000), 500)
		runtime.GC()
	default:
		allocate(63, 100000)
	}
}

func finalizers(w *worker) {
	for n := w.n(20); n > 0; n-- {
		runtime.SetFinalizer(&node{data: make([]byte, w.n(1000))}, func(*node) {
			time.Sleep(20 * time.Microsecond)
		})
	}
	if w.percent(10) {
		runtime.GC()
	}
}

// Deeper than a trace tells, on stacks that grow and shrink.
func deepStacks(w *worker) {
	w.all(1+w.n(3), func(w *worker, i int) {
		descend(w, w.n(400))
	})
}

func descend(w *worker, depth int) byte {
	var room [200]byte
	if depth == 0 {
		time.Sleep(w.micros(300))
		runtime.Gosched()
		return room[0]
	}
	room[depth%200] = descend(w, depth-1)
	return room[depth%200]
}
