package main

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"time"
)

// A load is one of the things that workers do, over and over. It ends by itself
// within milliseconds and leaves nothing that could block another load.
type load struct {
	name string
	run  func(w *worker)
}

// Files that need a later release or cgo add to these two when they are built.
var loads = []load{
	{"spawn", spawn}, {"channels", channels}, {"selects", selects}, {"locks", locks},
	{"conds", conds}, {"timers", timers}, {"yields", yields}, {"burns", burns},
	{"files", files}, {"pipes", pipes}, {"blocking-pipes", blockingPipes},
	{"sleeps-in-kernel", sleepsInKernel}, {"network", network}, {"threads", threads},
	{"signals", signals}, {"garbage", garbage}, {"assists", assists},
	{"collections", collections}, {"finalizers", finalizers}, {"deep-stacks", deepStacks},
	{"processors", processors}, {"stops", stops}, {"annotations", annotations},
	{"labels", labels},
}

var modes = []mode{
	{"whole", 5, traceWhole},
	{"late", 8, traceLate},
	{"restart", 4, traceRestart},
	{"cut", 1, traceCut},
}

// A mode is a way to begin and end traces around the loads.
type mode struct {
	name   string
	weight int
	run    func(r *run) error
}

type plan struct {
	seed     uint64
	env      []string
	mode     mode
	loads    []load // with repetitions: the more, the more often
	workers  int
	steps    int // of each worker; fewer when time or bytes run out
	waiting  int // goroutines that wait before anything is traced
	ballast  int // objects that live as long as the process
	profiled bool
	misuses  bool // ends regions in an order that Go's reader refuses
	limit    time.Duration
}

func newPlan(seed uint64) plan {
	rng := rand.New(rand.NewPCG(seed, 0))
	p := plan{seed: seed}
	percent := func(n int) bool { return rng.IntN(100) < n }
	oneOf := func(words ...string) string { return words[rng.IntN(len(words))] }

	p.mode = pickMode(rng)
	var debug []string
	p.env = append(p.env, "GOMAXPROCS="+oneOf("1", "2", "2", "3", "4", "4", "8", "16"))
	if percent(50) {
		p.env = append(p.env, "GOGC="+oneOf("10", "30", "100", "400", "off"))
	}
	if percent(15) {
		p.env = append(p.env, "GOMEMLIMIT="+oneOf("24MiB", "64MiB", "1GiB"))
	}
	if percent(60) {
		debug = append(debug, "traceadvanceperiod="+
			oneOf("500000", "2000000", "5000000", "20000000", "100000000"))
	}
	allocations := percent(12)
	if allocations {
		debug = append(debug, "traceallocfree=1")
	}
	for _, rare := range []string{"tracefpunwindoff=1", "asyncpreemptoff=1", "asynctimerchan=1",
		"gcstoptheworld=1", "gcshrinkstackoff=1", "tracecheckstackownership=1"} {
		if percent(8) {
			debug = append(debug, rare)
		}
	}
	p.env = append(p.env, "GODEBUG="+strings.Join(debug, ","))

	// A few loads make up most of the work, so that traces differ in kind.
	all := append([]load(nil), loads...)
	sort.Slice(all, func(i, k int) bool { return all[i].name < all[k].name })
	for _, l := range all {
		for n := max(0, rng.IntN(9)-4); n > 0; n-- {
			p.loads = append(p.loads, l)
		}
	}
	if len(p.loads) == 0 {
		p.loads = all
	}
	p.workers = 1 + rng.IntN(8)
	p.steps = 2 + rng.IntN(25)
	p.waiting = rng.IntN(12)
	if percent(40) && !allocations {
		p.ballast = 20000 + rng.IntN(200000)
	}
	p.profiled = percent(20)
	if p.misuses = percent(3); p.misuses {
		p.loads = append(p.loads, load{"annotations", annotations})
	}
	p.limit = time.Duration(80+rng.IntN(300)) * time.Millisecond
	return p
}

func pickMode(rng *rand.Rand) mode {
	all := append([]mode(nil), modes...)
	sort.Slice(all, func(i, k int) bool { return all[i].name < all[k].name })
	total := 0
	for _, m := range all {
		total += m.weight
	}
	at := rng.IntN(total)
	for _, m := range all {
		if at -= m.weight; at < 0 {
			return m
		}
	}
	panic("not reached")
}

func (p plan) String() string {
	counts := map[string]int{}
	for _, l := range p.loads {
		counts[l.name]++
	}
	var names []string
	for name, n := range counts {
		names = append(names, fmt.Sprintf("%s*%d", name, n))
	}
	sort.Strings(names)
	return fmt.Sprintf("seed %d mode %s env %s workers %d steps %d waiting %d ballast %d profiled %t "+
		"misuses %t limit %v loads %s", p.seed, p.mode.name, strings.Join(p.env, " "), p.workers,
		p.steps, p.waiting, p.ballast, p.profiled, p.misuses, p.limit, strings.Join(names, " "))
}
