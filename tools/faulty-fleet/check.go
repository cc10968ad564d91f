package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
)

// What stats:level=full says of a trace, as far as faults show in it.
type report struct {
	Files []struct {
		Duration    float64 `json:"duration_ns"`
		Capacity    float64 `json:"gomaxprocs_ns"`
		Locked      float64 `json:"lock_wait_ns"`
		Collector   float64 `json:"gc_ns"`
		Syscall     float64 `json:"syscall_ns"`
		Scheduling  float64 `json:"runnable_ns"`
		Stopped     float64 `json:"stopped_ns"`
		Schedulings int     `json:"runnable_count"`
	} `json:"traces"`
	Pauses []struct {
		Max float64 `json:"max_ns"`
	} `json:"pauses"`
	Functions []struct {
		Function string `json:"function"`
		States   map[string]struct {
			Max float64 `json:"max_ns"`
			Cut int     `json:"cut_count"`
		} `json:"states"`
		Blocks []struct {
			Reason string  `json:"reason"`
			Total  float64 `json:"total_ns"`
			Cut    float64 `json:"cut_ns"`
		} `json:"blocks"`
	} `json:"functions"`
	Tasks []struct {
		Type string  `json:"type"`
		P50  float64 `json:"p50_ns"`
		Max  float64 `json:"max_ns"`
	} `json:"tasks"`
	frames map[string]bool // of the stacks of the trace: function, function:line
}

// checkFleet prints, for each trace of a fleet, what was planted and what tracepipe measures.
func checkFleet(s settings, folder string) error {
	manifest, err := os.Open(filepath.Join(folder, "manifest.jsonl"))
	if err != nil {
		return err
	}
	defer manifest.Close()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "file\tvariant\tPs\tplanted\tseen\tlocks\tgc\tsyscalls\trunnable\tstopped\tstop ms\tsched ms\tkB\texpected")
	defer table.Flush()
	lines := bufio.NewScanner(manifest)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p program
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return err
		}
		r, err := readReport(filepath.Join(folder, p.File))
		if err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
		r.row(table, &p)
	}
	return lines.Err()
}

func readReport(path string) (*report, error) {
	out, err := tracepipe("stats:level=full,format=json,top=0", path)
	if err != nil {
		return nil, err
	}
	r := &report{frames: map[string]bool{}}
	if err := json.Unmarshal(out, r); err != nil {
		return nil, err
	}
	if len(r.Files) != 1 {
		return nil, fmt.Errorf("%d files instead of one", len(r.Files))
	}
	wire, err := tracepipe("text", path)
	r.readFrames(string(wire))
	return r, err
}

var (
	batchLine  = regexp.MustCompile(`^EventBatch gen=(\d+)`)
	stringLine = regexp.MustCompile(`^String id=(\d+)`)
	dataLine   = regexp.MustCompile(`^\tdata="(.*)"`)
	frameLine  = regexp.MustCompile(`^\tpc=\d+ func=(\d+) file=\d+ line=(\d+)`)
)

// readFrames reads the wire form as text. Strings are numbered anew in each generation.
func (r *report) readFrames(wire string) {
	text := map[string]string{}
	var frames [][3]string
	gen, id := "", ""
	for _, line := range strings.Split(wire, "\n") {
		if m := batchLine.FindStringSubmatch(line); m != nil {
			gen = m[1] + " "
		} else if m := stringLine.FindStringSubmatch(line); m != nil {
			id = m[1]
		} else if m := dataLine.FindStringSubmatch(line); m != nil {
			text[gen+id] = m[1]
		} else if m := frameLine.FindStringSubmatch(line); m != nil {
			frames = append(frames, [3]string{gen, m[1], m[2]})
		}
	}
	for _, f := range frames {
		r.frames[text[f[0]+f[1]]] = true
		r.frames[text[f[0]+f[1]]+":"+f[2]] = true
	}
}

// found tells which expected places are in no stack of the trace.
func (r *report) found(expected map[string]place) string {
	missing := ""
	for _, mark := range []string{"culprit", "victim", "caller", "helper", "start", "creator", "blocker"} {
		at, ok := expected[mark]
		switch {
		case !ok:
		case !r.frames[at.Function]:
			missing += " no " + mark
		case !r.frames[fmt.Sprintf("%s:%d", at.Function, at.Line)]:
			missing += " not the line of " + mark
		}
	}
	if missing == "" {
		return "all in stacks"
	}
	return strings.TrimSpace(missing)
}

func tracepipe(sink, path string) ([]byte, error) {
	program := os.Getenv("TRACEPIPE")
	if program == "" {
		program = "tracepipe"
	}
	c := exec.Command(program, "-q", "--sink", sink, path)
	c.Stderr = os.Stderr
	return c.Output()
}

func (r *report) row(table *tabwriter.Writer, p *program) {
	f := r.Files[0]
	stop, latency := 0.0, 0.0
	for _, pause := range r.Pauses {
		stop = max(stop, pause.Max)
	}
	for _, g := range r.Functions {
		latency = max(latency, g.States["runnable"].Max)
	}
	culprit := "-"
	if function := p.Expected["culprit"].Function; function != "" {
		culprit = r.found(p.Expected)
	}
	fmt.Fprintf(table, "%s\t%s\t%d\t%.3g\t%s\t%.3f\t%.3f\t%.3f\t%.2f\t%.3f\t%.1f\t%.1f\t%.1f\t%s\n",
		strings.TrimSuffix(p.File, ".trace"), p.Variant, p.Procs, p.Strength, r.seen(p),
		f.Locked/f.Duration, f.Collector/f.Capacity, f.Syscall/f.Duration, f.Scheduling/f.Capacity,
		f.Stopped/f.Duration, stop/1e6, latency/1e6, float64(p.Measured.Bytes)/1000, culprit)
}

// seen is the figure that stands for the strength of a fault, where there is one.
func (r *report) seen(p *program) string {
	f := r.Files[0]
	switch p.Kind {
	case "lock":
		return fmt.Sprintf("%.3g", f.Locked/f.Duration)
	case "gc":
		return fmt.Sprintf("%.3g", f.Collector/f.Capacity)
	case "syscall":
		return fmt.Sprintf("%.3g", f.Syscall/f.Duration)
	case "few_ps":
		return fmt.Sprintf("%.3g", f.Scheduling/f.Capacity)
	case "leak":
		return r.started(p)
	case "p_hog":
		return r.longest("running", p)
	case "sched_latency":
		return r.longest("runnable", p)
	case "stop_the_world":
		return r.stops(p)
	case "channel":
		return r.blocked(p)
	case "slow_task":
		for _, t := range r.Tasks {
			return fmt.Sprintf("%.3g", t.Max/t.P50)
		}
	}
	return "-"
}

// started is the number of goroutines that have not ended, by time.
func (r *report) started(p *program) string {
	for _, g := range r.Functions {
		if g.Function == p.Expected["culprit"].Function {
			// Those of before are as many a second.
			before := 0.1 + p.Seconds
			return fmt.Sprintf("%.3g", float64(g.States["lifetime"].Cut)/(before*1.02))
		}
	}
	return "0"
}

func (r *report) longest(state string, p *program) string {
	most := 0.0
	for _, g := range r.Functions {
		most = max(most, g.States[state].Max)
	}
	return fmt.Sprintf("%.3g", most/1e6)
}

func (r *report) stops(p *program) string {
	if p.Variant == "memstats" {
		return fmt.Sprintf("%.3g", r.Files[0].Stopped/r.Files[0].Duration)
	}
	most := 0.0
	for _, pause := range r.Pauses {
		most = max(most, pause.Max)
	}
	return fmt.Sprintf("%.3g", most/1e6)
}

// blocked is the number of goroutines of the victim's that are blocked, on average.
func (r *report) blocked(p *program) string {
	total := 0.0
	for _, g := range r.Functions {
		if g.Function == p.Expected["victim"].Function {
			for _, b := range g.Blocks {
				total += b.Total + b.Cut
			}
		}
	}
	return fmt.Sprintf("%.3g", total/r.Files[0].Duration)
}
