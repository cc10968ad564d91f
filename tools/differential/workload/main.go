// Workload runs a random load under the execution tracer. What it does is decided
// by the seed, down to the variables of its environment: it works out a plan,
// starts itself again with the environment planned, and carries the plan out.
// When things happen is left to the machine, so the same seed gives traces of one
// kind, not of the same bytes.
//
//	workload -seed N -out DIR    writes DIR/1.trace, DIR/2.trace, ...
//	workload -seed N -plan       says what it would do
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Tells the second start from the first.
const planned = "WORKLOAD_PLANNED"

func main() {
	if err := command(); err != nil {
		fmt.Fprintln(os.Stderr, "workload:", err)
		os.Exit(1)
	}
}

func command() error {
	seed := flag.Uint64("seed", 1, "decides what is done")
	out := flag.String("out", "", "folder for the traces; must exist")
	show := flag.Bool("plan", false, "print the plan, do nothing")
	flag.Parse()
	if flag.NArg() > 0 || (*out == "") != *show {
		return fmt.Errorf("usage: workload -seed N -out DIR | -seed N -plan")
	}
	p := newPlan(*seed)
	if *show {
		fmt.Println(p)
		return nil
	}
	if os.Getenv(planned) == "" {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		env := append(os.Environ(), planned+"=1")
		return syscall.Exec(self, os.Args, append(env, p.env...))
	}
	traces, err := newRun(p).trace()
	if err != nil {
		return err
	}
	for i, bytes := range traces {
		name := filepath.Join(*out, fmt.Sprintf("%d.trace", i+1))
		if err := os.WriteFile(name, bytes, 0o644); err != nil {
			return err
		}
	}
	return nil
}
