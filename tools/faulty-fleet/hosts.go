package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// makeHosts draws a fleet of hosts and records it.
func makeHosts(s settings, out string) error {
	f, err := drawFleet(s)
	if err != nil {
		return err
	}
	manifest, err := openManifest(s, out)
	if err != nil {
		return err
	}
	defer manifest.Close()
	if s.nice != 0 {
		prefer(s.nice)
	}
	if !s.plan {
		if err := f.recordAll(out, s); err != nil {
			return err
		}
	}
	encoder := json.NewEncoder(manifest)
	encoder.SetEscapeHTML(false)
	for _, h := range f.hosts {
		h.Go = f.Go
		if err := encoder.Encode(h); err != nil {
			return err
		}
	}
	return nil
}

// prefer gives this process and those it starts a priority over other sessions, for that of a
// process counts in its session only. Where it is not allowed to, it does without.
func prefer(nice int) {
	if _, err := syscall.Setsid(); err == nil {
		os.WriteFile("/proc/self/autogroup", []byte(strconv.Itoa(nice)), 0)
	}
	syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice)
}

// A recorder runs hosts side by side.
type recorder struct {
	*fleet
	out        string
	binaries   map[string]string // by what is odd
	dependency string
	perMicro   float64
	room       chan struct{} // hundredths of a core
	running    sync.WaitGroup
	mu         sync.Mutex
	err        error // the first one
}

func (f *fleet) recordAll(out string, s settings) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "faulty-fleet")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	c := &recorder{fleet: f, out: out, room: make(chan struct{}, int(100*s.cores)), binaries: map[string]string{}}
	if err := c.build(work, s); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	go answerAll(listener)
	c.dependency = listener.Addr().String()
	c.perMicro = calibrate()
	c.run(0)
	c.run(1)
	if c.err != nil || !s.pack {
		return c.err
	}
	return c.pack()
}

// build builds the program and, if a host has it, the old build.
func (c *recorder) build(work string, s settings) error {
	current := c.sources
	defer func() { c.sources = current }()
	for _, h := range c.hosts {
		if h.Odd == "busy" || c.binaries[h.Odd] != "" {
			continue
		}
		if c.sources = current; h.Odd == "old" {
			c.sources = c.old()
		}
		source := filepath.Join(work, "src"+h.Odd)
		if s.keep {
			source = filepath.Join(c.out, "src"+h.Odd)
		}
		if err := c.unpack(source); err != nil {
			return err
		}
		binary := filepath.Join(work, "program"+h.Odd)
		if _, err := c.command(9*time.Minute, source, "go", "build", "-trimpath", "-o", binary, "."); err != nil {
			return err
		}
		c.binaries[h.Odd] = binary
	}
	c.binaries["busy"] = c.binaries[""]
	return nil
}

// run records the hosts that have so many busy processes beside them.
func (c *recorder) run(beside int) {
	for i := 0; i < beside; i++ {
		other := exec.Command("sh", "-c", "while :; do :; done")
		if other.Start() == nil {
			defer other.Wait()
			defer other.Process.Kill()
		}
	}
	for _, h := range c.hosts {
		if h.Beside != beside {
			continue
		}
		room := min(cap(c.room), int(100*h.cores()*float64(1+beside)))
		for i := 0; i < room; i++ {
			c.room <- struct{}{}
		}
		c.running.Add(1)
		go func(h *host) {
			defer c.running.Done()
			err := c.recordHost(h)
			for i := 0; i < room; i++ {
				<-c.room
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if err != nil && c.err == nil {
				c.err = fmt.Errorf("%s: %w", h.Files[0], err)
			}
			fmt.Printf("%s  %s%s %.3g %s: %d bytes, %.2f starved, %.2f busy\n", h.Files[0], h.Sick, h.Odd,
				h.Strength, h.Unit, h.Measured.Bytes, h.Measured.Starved, h.Measured.Busy)
		}(h)
	}
	c.running.Wait()
}

// cores is about what a host needs of the machine.
func (h *host) cores() float64 {
	s := h.Setting
	legs := float64(s.Legs*s.Leg) / float64(s.ReportEvery+s.Legs*s.Leg/s.Procs)
	return 0.1 + (s.First+s.Second)*(200+float64(s.Render))*1e-6 + legs + 1.3*s.Collector*float64(s.Procs) + s.Lost*s.First*0.0002
}

func (c *recorder) recordHost(h *host) error {
	s := h.Setting
	s.Dependency = c.dependency
	s.PerMicro = c.perMicro / h.Speed
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	folder := filepath.Join(c.out, filepath.Dir(h.Files[0]))
	words := []string{c.binaries[h.Odd], string(text)}
	for _, file := range h.Files {
		words = append(words, filepath.Join(c.out, file))
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	said, err := c.command(time.Minute, folder, words...)
	if err != nil {
		return err
	}
	if _, err := fmt.Sscan(said, &h.Measured.Starved, &h.Measured.Busy); err != nil {
		return err
	}
	h.Measured.Starved, h.Measured.Busy = round(h.Measured.Starved), round(h.Measured.Busy)
	info, err := os.Stat(filepath.Join(c.out, h.Files[0]))
	if err == nil {
		h.Measured.Bytes = info.Size()
	}
	return err
}

// pack compresses all traces, now that no host runs.
func (c *recorder) pack() error {
	for _, h := range c.hosts {
		for i, file := range h.Files {
			if _, err := c.command(time.Minute, c.out, "zstd", "-19", "-q", "-f", "--rm", file); err != nil {
				return err
			}
			h.Files[i] += ".zst"
		}
	}
	return nil
}

// answerAll is what the hosts depend on: it answers each call after the microseconds that it says.
func answerAll(listener net.Listener) {
	for {
		link, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer link.Close()
			var message [4]byte
			for {
				if _, err := io.ReadFull(link, message[:]); err != nil {
					return
				}
				time.Sleep(time.Duration(binary.LittleEndian.Uint32(message[:])) * time.Microsecond)
				link.Write(message[:1])
			}
		}()
	}
}

// calibrate gives the rounds that the loop of the program's work does in a microsecond.
func calibrate() float64 {
	const rounds = 2_000_000
	best := math.Inf(1)
	for try := 0; try < 20; try++ {
		at, sum := time.Now(), uint64(try)
		for i := rounds; i > 0; i-- {
			sum = sum*6364136223846793005 + 1442695040888963407
		}
		if took := float64(time.Since(at).Nanoseconds()) / 1000; sum != 0 && took < best {
			best = took
		}
	}
	return rounds / best
}
