//go:build cgo

package main

// #cgo LDFLAGS: -lpthread
// void workload_threads(int threads, int calls);
// void workload_call(int calls);
import "C"

import (
	"context"
	"runtime"
	"runtime/trace"
	"time"
)

func init() {
	loads = append(loads, load{"foreign-threads", foreignThreads}, load{"foreign-calls", foreignCalls})
}

// Threads that C has started call Go, which gives them goroutines for as long as
// the call or the thread lasts.
func foreignThreads(w *worker) {
	C.workload_threads(C.int(1+w.n(4)), C.int(1+w.n(4)))
}

// Go calls C, which calls Go.
func foreignCalls(w *worker) {
	C.workload_call(C.int(w.n(6)))
}

//export workloadCallback
func workloadCallback(n C.int) {
	switch n % 6 {
	case 0:
		runtime.Gosched()
	case 1:
		time.Sleep(100 * time.Microsecond)
	case 2:
		done := make(chan struct{})
		go close(done)
		<-done
	case 3:
		sleepInKernel(200 * time.Microsecond)
	case 4:
		trace.Log(context.Background(), "callback", "from C")
	case 5:
		allocate(50, 100)
	}
}
