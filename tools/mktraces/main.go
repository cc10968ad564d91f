// Mktraces runs one small load under the execution tracer. Loads do a fixed
// amount of work, so that sizes depend little on the machine. make.sh calls it
// under several Go releases; see there for what is made of it.
//
//	mktraces LOAD FILE
//	mktraces -list
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"sort"
)

// A load runs traced, unless it says that it writes the trace itself.
type load struct {
	doc    string
	run    func() error
	traces func(path string) error
}

var loads = map[string]load{
	"chan":  {doc: "goroutines, channels, select, mutexes, timers", run: runChan},
	"files": {doc: "system calls: files, pipes, blocked reads", run: runFiles},
	"gc":    {doc: "garbage collection, sweeping, assists", run: runGC},
	"user":  {doc: "user tasks, regions and logs, with odd strings", run: runUser},
	"cpu":   {doc: "CPU profile samples", run: runCPU},
	"many":  {doc: "many goroutines on many threads", run: runMany},
	"http":  {doc: "HTTP on the loopback device: network poller", run: runHTTP},
	"mixed": {doc: "a little of all", run: runMixed},
	"alloc": {doc: "few allocations, for the experiment AllocFree", run: runAlloc},
}

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mktraces:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 1 && args[0] == "-list" {
		names := make([]string, 0, len(loads))
		for name := range loads {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			fmt.Printf("%s\t%s\n", name, loads[name].doc)
		}
		return nil
	}
	if len(args) != 2 {
		return fmt.Errorf("usage: mktraces LOAD FILE | -list")
	}
	l, ok := loads[args[0]]
	if !ok {
		return fmt.Errorf("%s has no load %q", runtime.Version(), args[0])
	}
	if l.traces != nil {
		return l.traces(args[1])
	}
	return traced(args[1], l.run)
}

func traced(path string, run func() error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20) // writing must not add events
	if err := trace.Start(w); err != nil {
		return err
	}
	err = run()
	trace.Stop()
	if err != nil {
		return err
	}
	return w.Flush()
}
