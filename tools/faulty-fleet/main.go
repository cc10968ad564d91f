// Faulty-fleet makes traces of Go programs with known faults, and of healthy
// ones, with a manifest of what was planted.
//
//	faulty-fleet [--seed N] [--count N] [--kinds LIST] [--go VERSIONS] [--seconds S] OUTDIR
//	faulty-fleet --hosts N [--seed N] [--sick K] [--nights N] [--fault KIND] OUTDIR
//	faulty-fleet --check OUTDIR
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

type settings struct {
	seed, first      int64
	count            int
	kinds, releases  string
	seconds          float64
	plan, keep, pack bool
	check            bool
	tries, nice      int

	hosts, sick, nights, traces int // of a fleet of one program
	fault                       string
	odd                         bool
	cores                       float64
}

func main() {
	var s settings
	flag.Int64Var(&s.seed, "seed", 1, "`N` from which all is drawn")
	flag.IntVar(&s.count, "count", len(kinds), "programs to draw")
	flag.Int64Var(&s.first, "first", 0, "number of the first program: programs do not depend on those before")
	flag.StringVar(&s.kinds, "kinds", "all", "`LIST` of kinds, kind/variant, faults, healthy or all")
	flag.StringVar(&s.releases, "go", "1.22,1.23,1.24,1.25,1.26,1.27", "`VERSIONS` of Go to draw from")
	flag.Float64Var(&s.seconds, "seconds", 0, "about how long to trace, 0.6 unless given, hosts 1; some faults need longer")
	flag.BoolVar(&s.plan, "plan", false, "print the manifest to standard output, run nothing")
	flag.BoolVar(&s.keep, "keep", false, "keep the sources in OUTDIR/src")
	flag.BoolVar(&s.pack, "zstd", false, "compress traces by zstd -19")
	flag.IntVar(&s.tries, "tries", 1, "run each program `N` times, keep the trace made when the machine was least busy")
	flag.IntVar(&s.nice, "nice", 0, "priority of the traced programs, as nice(1) has it")
	flag.BoolVar(&s.check, "check", false, "compare a fleet with what $TRACEPIPE (tracepipe) says of it")
	flag.IntVar(&s.hosts, "hosts", 0, "draw one program and `N` hosts that run it")
	flag.IntVar(&s.sick, "sick", 1, "sick hosts of each kind; in more than two nights: hosts with the fault")
	flag.IntVar(&s.nights, "nights", 1, "2: baseline and tonight, when all hosts have a fault; 8 and more: a fault appears, grows and goes")
	flag.StringVar(&s.fault, "fault", "", "`KIND` of the fault in some of the nights (drawn)")
	flag.BoolVar(&s.odd, "odd", true, "one host has an old build, one is twice as busy")
	flag.IntVar(&s.traces, "traces", 1, "traces of each host and night")
	flag.Float64Var(&s.cores, "cores", float64(runtime.NumCPU())/2, "of the machine that hosts recorded at once may need")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: faulty-fleet [OPTION...] OUTDIR")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 && !(s.plan && flag.NArg() == 0) {
		flag.Usage()
		os.Exit(2)
	}
	run := makeFleet
	if s.hosts > 0 {
		run = makeHosts
	}
	if s.seconds == 0 {
		s.seconds = 0.6
		if s.hosts > 0 {
			s.seconds = 1
		}
	}
	if s.check {
		run = checkFleet
	}
	if err := run(s, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "faulty-fleet:", err)
		os.Exit(1)
	}
}

func makeFleet(s settings, out string) error {
	chosen, err := choose(s.kinds)
	if err != nil {
		return err
	}
	minors := strings.Split(s.releases, ",")
	toolchains, err := findToolchains(minors)
	if err != nil {
		return err
	}
	manifest, err := openManifest(s, out)
	if err != nil {
		return err
	}
	defer manifest.Close()
	encoder := json.NewEncoder(manifest)
	encoder.SetEscapeHTML(false)
	for i := s.first; i < s.first+int64(s.count); i++ {
		p := drawProgram(s.seed, i, chosen, minors, s.seconds)
		p.Go = toolchains[p.minor]
		if err := p.write(); err != nil {
			return fmt.Errorf("program %d, %s/%s: %w", i, p.Kind, p.Variant, err)
		}
		if !s.plan {
			if err := p.record(out, s); err != nil {
				return fmt.Errorf("program %d, %s/%s: %w", i, p.Kind, p.Variant, err)
			}
			fmt.Printf("%s  %s/%s on %s, %s, %d Ps, strength %.3g %s: %d bytes, %.2f starved\n",
				p.File, p.Kind, p.Variant, p.Base, p.Go, p.Procs, p.Strength, p.Unit, p.Measured.Bytes, p.Measured.Starved)
		}
		if err := encoder.Encode(p); err != nil {
			return err
		}
	}
	return nil
}

func openManifest(s settings, out string) (*os.File, error) {
	if s.plan {
		return os.Stdout, nil
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	return os.Create(filepath.Join(out, "manifest.jsonl"))
}

// choose turns a list of kinds into rows of the table; a name with a variant leaves only that one.
func choose(list string) ([]kind, error) {
	var chosen []kind
	for _, name := range strings.Split(list, ",") {
		found := false
		word, variant, _ := strings.Cut(name, "/")
		for _, k := range kinds {
			healthy := strings.HasPrefix(k.name, "healthy:")
			if word != "all" && word != k.name && (word != "healthy" || !healthy) && (word != "faults" || healthy) {
				continue
			}
			if variant != "" {
				k.variants = only(k.variants, variant)
			}
			if len(k.variants) > 0 {
				found = true
				chosen = append(chosen, k)
			}
		}
		if !found {
			return nil, fmt.Errorf("no kind %q", name)
		}
	}
	return chosen, nil
}

func only(variants []variant, name string) []variant {
	for _, v := range variants {
		if v.name == name {
			return []variant{v}
		}
	}
	return nil
}
