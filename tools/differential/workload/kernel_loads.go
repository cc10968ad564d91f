package main

import (
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// Files are polled by nobody: reads and writes are system calls.
func files(w *worker) {
	f, err := os.CreateTemp("", "workload")
	must(err)
	defer os.Remove(f.Name())
	defer f.Close()
	block := make([]byte, 1+w.n(20000))
	for n := w.n(15); n > 0; n-- {
		_, err = f.Write(block)
		must(err)
		_, err = f.ReadAt(block[:1+w.n(len(block))], 0)
		must(err)
		if w.percent(5) {
			must(f.Sync())
		}
		if w.percent(20) {
			_, err = os.ReadDir("/")
			must(err)
		}
	}
}

// Pipes that the poller watches: who waits is parked.
func pipes(w *worker) {
	r, wr, err := os.Pipe()
	must(err)
	go func() {
		_, err := io.Copy(io.Discard, r)
		must(err)
		r.Close()
	}()
	for n := w.n(20); n > 0; n-- {
		_, err = wr.Write(make([]byte, 1+w.n(3000)))
		must(err)
		if w.percent(30) {
			time.Sleep(w.micros(300))
		}
	}
	wr.Close()
}

// Pipes that block in the kernel: the processor is taken away from who waits.
func blockingPipes(w *worker) {
	var fd [2]int
	must(syscall.Pipe2(fd[:], syscall.O_CLOEXEC))
	c := w.child()
	go func() {
		for n := 1 + c.n(5); n > 0; n-- {
			time.Sleep(c.micros(1500))
			_, err := syscall.Write(fd[1], []byte("x"))
			must(err)
		}
		syscall.Close(fd[1])
	}()
	for {
		n, err := syscall.Read(fd[0], make([]byte, 1))
		if err == syscall.EINTR {
			continue
		}
		must(err)
		if n == 0 {
			break
		}
	}
	syscall.Close(fd[0])
}

func sleepInKernel(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // interrupted is long enough
}

// From shorter than the monitor of the runtime notices to much longer.
func sleepsInKernel(w *worker) {
	w.all(1+w.n(6), func(w *worker, i int) {
		for n := 1 + w.n(4); n > 0; n-- {
			sleepInKernel(w.micros([]int{20, 200, 5000}[w.n(3)]))
		}
	})
}

func acceptForever() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	_, err = l.Accept()
	must(err)
}

func network(w *worker) {
	if w.percent(30) {
		a, b := net.Pipe()
		go echo(b)
		talk(w, a)
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	defer l.Close()
	clients := 1 + w.n(3)
	go func() {
		for i := 0; i < clients; i++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go echo(conn)
		}
	}()
	w.all(clients, func(w *worker, i int) {
		conn, err := net.Dial("tcp", l.Addr().String())
		must(err)
		talk(w, conn)
	})
}

func echo(conn net.Conn) {
	_, _ = io.Copy(conn, conn)
	conn.Close()
}

func talk(w *worker, conn net.Conn) {
	defer conn.Close()
	for n := w.n(8); n > 0; n-- {
		word := make([]byte, 1+w.n(500))
		_, err := conn.Write(word)
		must(err)
		_, err = io.ReadFull(conn, word)
		must(err)
		if w.percent(20) {
			must(conn.SetReadDeadline(time.Now().Add(w.micros(500))))
			_, _ = conn.Read(word)
			must(conn.SetReadDeadline(time.Time{}))
		}
	}
}

// Goroutines tied to threads, and threads that end with them.
func threads(w *worker) {
	turn := make(chan int)
	c := w.child()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if c.percent(60) {
			defer runtime.UnlockOSThread() // else the thread ends
		}
		for range turn {
			if c.percent(30) {
				sleepInKernel(c.micros(300))
			}
			if c.percent(30) {
				runtime.Gosched()
			}
		}
	}()
	for n := w.n(20); n > 0; n-- {
		turn <- n
	}
	close(turn)
	<-done
	w.all(w.n(10), func(w *worker, i int) { sleepInKernel(w.micros(1000)) })
}

func signals(w *worker) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGUSR1)
	defer signal.Stop(caught)
	for n := w.n(4); n > 0; n-- {
		must(syscall.Kill(os.Getpid(), syscall.SIGUSR1))
		<-caught
	}
}
