package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"time"
)

// A pipeline over channels, workers behind a mutex, a select with timeouts.
func runChan() error {
	in, out := make(chan int), make(chan int, 4)
	var wg sync.WaitGroup
	var mu sync.Mutex
	sums := map[int]int{}
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range in {
				mu.Lock()
				sums[v%3] += v
				mu.Unlock()
				out <- v * v
			}
		}()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range out {
		}
	}()
	for i := 0; i < 200; i++ {
		select {
		case in <- i:
		case <-time.After(time.Second):
		}
		if i%50 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	close(in)
	wg.Wait()
	close(out)
	<-done
	return nil
}

// A tree of goroutines that wait for their children.
func runMany() error {
	var spawn func(depth int)
	spawn = func(depth int) {
		if depth == 0 {
			burn(100 * time.Microsecond)
			return
		}
		var wg sync.WaitGroup
		for i := 0; i < 4; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				spawn(depth - 1)
			}()
		}
		wg.Wait()
	}
	spawn(5)
	return nil
}

// Files are polled by nobody, so reads and writes are system calls; an idle
// pipe blocks one of them for longer than a P waits.
func runFiles() error {
	dir, err := os.MkdirTemp("", "mktraces")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var wg sync.WaitGroup
	errs := make(chan error, 4)
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func(name string) {
			defer wg.Done()
			for i := 0; i < 15; i++ {
				if err := os.WriteFile(name, bytes.Repeat([]byte{byte(i)}, 4096), 0o600); err != nil {
					errs <- err
					return
				}
				if _, err := os.ReadFile(name); err != nil {
					errs <- err
					return
				}
			}
		}(filepath.Join(dir, fmt.Sprint(w)))
	}
	if err := slowPipe(); err != nil {
		return err
	}
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

func slowPipe() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	r.Fd() // makes it blocking
	go func() {
		for i := 0; i < 5; i++ {
			time.Sleep(2 * time.Millisecond)
			w.Write([]byte("x"))
		}
		w.Close()
	}()
	_, err = io.Copy(io.Discard, r)
	return err
}

var kept [][]byte

// Collections come by themselves: while runtime.GC waits for the sweeper it may
// yield thousands of times, which would fill the trace.
func allocate(rounds int) {
	for i := 0; i < rounds; i++ {
		kept = append(kept, make([]byte, 16<<10))
		if len(kept) > 100 {
			kept = kept[50:]
		}
	}
}

func runGC() error {
	var wg sync.WaitGroup
	for w := 0; w < 2; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			trash := make([][]byte, 0, 64)
			for i := 0; i < 120; i++ {
				trash = append(trash, make([]byte, 8<<10))
				if len(trash) == cap(trash) {
					trash = trash[:0]
				}
			}
			runtime.KeepAlive(trash)
		}()
	}
	wg.Wait()
	allocate(400)
	return nil
}

func runUser() error {
	odd := []string{"", "nul\x00nul", "not utf-8 \xff\x80", "quote \" back \\ slash",
		"two\nlines\tand tab", "e\u0301 \U0001F439 \u2028", strings.Repeat("long ", 300)}
	ctx, outer := trace.NewTask(context.Background(), "request")
	var wg sync.WaitGroup
	for i, text := range odd {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ctx, task := trace.NewTask(ctx, fmt.Sprintf("part %d", i))
			defer task.End()
			for k := 0; k < 3; k++ {
				trace.WithRegion(ctx, "compute", func() {
					trace.Log(ctx, "text", text)
					defer trace.StartRegion(ctx, "inner "+text).End()
					trace.Logf(ctx, "count", "%d", k)
				})
			}
		}()
	}
	wg.Wait()
	outer.End()
	trace.Log(context.Background(), "background", "no task")
	return nil
}

func runCPU() error {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return pprofLoad(250 * time.Millisecond)
}

func pprofLoad(d time.Duration) error {
	var wg sync.WaitGroup
	for w := 0; w < 2; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			pprof.Do(context.Background(), pprof.Labels("worker", fmt.Sprint(w)), func(context.Context) {
				burn(d)
			})
		}()
	}
	wg.Wait()
	return nil
}

var sink uint64

func burn(d time.Duration) {
	x := uint64(1)
	for end := time.Now().Add(d); time.Now().Before(end); {
		for i := 0; i < 1000; i++ {
			x = x*6364136223846793005 + 1442695040888963407
		}
	}
	sink = x
}

func runHTTP() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "hello")
	})}
	go server.Serve(l)
	defer server.Close()
	for i := 0; i < 5; i++ {
		r, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			return err
		}
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return nil
}

// Long enough for several generations where the tracer is told to make them
// short.
func runMixed() error {
	for i := 0; i < 4; i++ {
		ctx, task := trace.NewTask(context.Background(), "round")
		region := trace.StartRegion(ctx, "mixed")
		done := make(chan struct{})
		go func() {
			burn(2 * time.Millisecond)
			close(done)
		}()
		time.Sleep(8 * time.Millisecond)
		allocate(80)
		<-done
		region.End()
		task.End()
	}
	return nil
}

type node struct {
	next *node
	data [24]byte
}

func runAlloc() error {
	var head *node
	for i := 0; i < 100; i++ {
		head = &node{next: head}
	}
	runtime.KeepAlive(head)
	head = nil
	runtime.GC()
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	return nil
}
