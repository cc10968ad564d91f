package main

import (
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
)

// Programs with one fault each, which statistics should show at once.
func init() {
	loads["held-lock"] = load{doc: "fault: a mutex is held while its owner waits for something slow", run: runHeldLock}
	loads["gc-pressure"] = load{doc: "fault: the memory limit is just above what is alive", run: runGCPressure}
	loads["slow-syscalls"] = load{doc: "fault: goroutines stay in system calls", run: runSlowSyscalls}
	loads["few-ps"] = load{doc: "fault: many goroutines with work, few Ps", run: runFewPs}
}

type cache struct {
	mu      sync.Mutex
	entries map[int]int
}

//go:noinline
func (c *cache) refresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(40 * time.Millisecond)
	c.entries[len(c.entries)]++
}

//go:noinline
func (c *cache) get(i int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries[i]
}

func runHeldLock() error {
	c := &cache{entries: map[int]int{}}
	var done sync.WaitGroup
	each(1, &done, func() {
		for range 6 {
			c.refresh()
		}
	})
	each(12, &done, func() {
		for i := range 20 {
			c.get(i)
			time.Sleep(time.Millisecond)
		}
	})
	done.Wait()
	return nil
}

func each(count int, done *sync.WaitGroup, work func()) {
	for range count {
		done.Add(1)
		go func() {
			defer done.Done()
			work()
		}()
	}
}

type link struct{ next, other *link }

//go:noinline
func chain(length int) (head *link) {
	for range length {
		head = &link{next: head}
	}
	return head
}

func runGCPressure() error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(6 << 20))
	kept := chain(100_000)
	for range 12 {
		kept.other = chain(20_000)
	}
	runtime.KeepAlive(kept)
	return nil
}

//go:noinline
func appendToLog() {
	slow := syscall.NsecToTimespec(int64(15 * time.Millisecond))
	syscall.Nanosleep(&slow, nil)
}

func runSlowSyscalls() error {
	var done sync.WaitGroup
	each(6, &done, func() {
		for range 14 {
			appendToLog()
		}
	})
	done.Wait()
	return nil
}

//go:noinline
func crunch() {
	for end := time.Now().Add(10 * time.Millisecond); time.Now().Before(end); {
	}
}

func runFewPs() error {
	var done sync.WaitGroup
	each(12, &done, func() {
		crunch()
		crunch()
	})
	done.Wait()
	return nil
}
