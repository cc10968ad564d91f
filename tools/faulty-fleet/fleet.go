package main

import (
	"fmt"
	"math"
	"math/rand"
	"path"
	"regexp"
	"strings"
)

// A host of a fleet, as its line of the manifest says it. Hosts of one fleet run one program.
type host struct {
	Night    string           `json:"night,omitempty"`
	Host     string           `json:"host"`
	Files    []string         `json:"files"`
	Sick     string           `json:"sick,omitempty"` // kind of the fault
	Strength float64          `json:"strength,omitempty"`
	Unit     string           `json:"unit,omitempty"`
	Task     string           `json:"task,omitempty"`   // type of the tasks that suffer
	Region   string           `json:"region,omitempty"` // and where
	Expected map[string]place `json:"expected,omitempty"`
	Odd      string           `json:"odd,omitempty"`    // healthy, but unlike the others: old, busy
	Beside   int              `json:"beside,omitempty"` // busy processes on the machine, besides hosts
	Go       string           `json:"go"`
	Load     float64          `json:"load"`  // requests, as times those of the fleet
	Speed    float64          `json:"speed"` // of its processors, likewise
	Setting  setting          `json:"setting"`
	Measured measured         `json:"measured"` // of the first trace
}

// What the program is run with, as parts/fleet-main.go.in has it.
type setting struct {
	Seed                       int64
	Procs, Workers, Publishers int
	Pool                       bool
	Seconds                    float64
	Dependency                 string `json:",omitempty"`
	PerMicro                   float64
	First, Second              float64
	Charge, ChargeSpread       float64
	Held, HeldEvery, Disk      int
	Lost                       float64
	LostReceive                bool
	Drain, PublishEvery        int
	Legs, Leg, ReportEvery     int
	Render, Pages              int
	Collector                  float64
	Objects                    int
	GOGC                       int
}

// A kind of sick hosts: plant makes the fault as strong as wanted.
type sickness struct {
	name, unit   string
	least, most  float64
	task, region string
	plant        func(s *setting, strength float64)
}

var sicknesses = []sickness{
	{"lock", "waiters on average", 0.06, 0.6, "first", "load", plantLock},
	{"gc", "share of capacity", 0.1, 0.35, "first", "render", plantGC},
	{"syscall", "goroutines in system calls on average", 0.25, 2.5, "first", "write", plantDisk},
	{"few_ps", "runnable goroutines for each P", 1.3, 3, "second", "render", plantFewPs},
	{"dependency", "times the median of the fleet", 2, 10, "first", "charge", plantDependency},
	{"leak", "goroutines a second", 20, 200, "", "", plantLeak},
	{"channel", "blocked senders on average", 2, 16, "", "", plantConsumer},
}

func sicknessOf(name string) *sickness {
	for i := range sicknesses {
		if sicknesses[i].name == name {
			return &sicknesses[i]
		}
	}
	return nil
}

// Requests that come at random while the lock is held wait for half of that time on average. It is
// held for two fifths of all time.
func plantLock(s *setting, strength float64) {
	s.Held = int(1e6 * strength / (0.2 * (s.First + s.Second)))
	s.HeldEvery = s.Held * 3 / 2
}

func plantGC(s *setting, strength float64) {
	s.Collector = strength
	s.Objects = 1000 * int(80+150*strength*float64(s.Procs))
	s.GOGC = 25
}

func plantDisk(s *setting, strength float64) {
	s.Disk = int(1e6 * strength / s.First)
}

// The queue before one P that is busy for the share x of the time is 0.625 x x / (1 - x) long if work
// comes at random and its duration varies as that of answers does. Other work needs an eighth.
func plantFewPs(s *setting, strength float64) {
	s.Procs = 1
	if s.Render > 1000 {
		return // as in the other night
	}
	busy := (math.Sqrt(strength*strength+2.5*strength) - strength) / 1.25
	s.Render = int(1e6 * (busy - 0.125) / (s.First + s.Second))
}

func plantDependency(s *setting, strength float64) {
	s.Charge *= strength
}

func plantLeak(s *setting, strength float64) {
	s.Lost = strength / s.First
}

// Publishers that are not blocked sleep.
func plantConsumer(s *setting, strength float64) {
	s.Drain = int(float64(s.PublishEvery) / (float64(s.Publishers) - strength))
}

// A fleet: one program, its hosts in one night or more.
type fleet struct {
	*program
	hosts []*host
}

var fleetWords = strings.Fields(`task_first task_second task_report region_load region_charge
	region_write region_render region_sum`)

func drawFleet(s settings) (*fleet, error) {
	r := rand.New(rand.NewSource(s.seed*1_000_003 + 71))
	f := &fleet{program: &program{r: r, params: map[string]string{}, names: newNames(r),
		sources: map[string]string{}}}
	// The newest release that is here.
	minors := strings.Split(s.releases, ",")
	for i := len(minors) - 1; f.Go == ""; i-- {
		f.minor = minors[i]
		toolchains, err := findToolchains(minors[i : i+1])
		if err != nil && i == 0 {
			return nil, err
		}
		f.Go = toolchains[f.minor]
	}
	f.module, _ = f.names.packages()
	for _, word := range fleetWords {
		f.set(word, f.names.once(func() string { return f.names.word(verbs) + "-" + f.names.noun() }))
	}
	f.begin()
	f.set("seconds", "time.Duration("+f.names.of(fleetScope, "Z_v_setting")+".Seconds*1e9)")
	err := f.writeParts(fleetScope, "fleet-service", "fleet-jobs", "with-gc", "fleet-main", "record")
	if err != nil {
		return nil, err
	}
	return f, f.drawHosts(s)
}

// old gives the sources that the program had before some names were changed.
func (f *fleet) old() map[string]string {
	sources := map[string]string{}
	for file, text := range f.sources {
		for _, name := range []string{f.names.of(fleetScope, "Z_f_render"),
			f.names.of(fleetScope, "Z_f_sum"), f.params["task_second"], f.params["region_render"]} {
			text = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, name+"V1")
		}
		if strings.HasSuffix(file, ".go") {
			text = "// The old build.\n\n" + text
		}
		sources[file] = text
	}
	return sources
}

// drawUsual draws the hosts as they are when nothing is wrong.
func (f *fleet) drawUsual(s settings) []*host {
	base := setting{Procs: f.between(3, 4), Workers: f.between(16, 28), Publishers: f.between(18, 24),
		Pool: f.r.Intn(2) == 0, Seconds: s.seconds, First: f.uniform(45, 75), Second: f.uniform(60, 100),
		Charge: f.uniform(900, 4000), ChargeSpread: f.uniform(0.2, 0.5), HeldEvery: 25_000,
		LostReceive: f.r.Intn(2) == 0, PublishEvery: 60_000, Legs: f.between(4, 8), Leg: 1000,
		ReportEvery: 150_000, Render: f.between(150, 300), Pages: f.between(4, 12)}
	usual := make([]*host, s.hosts)
	for i := range usual {
		usual[i] = &host{Host: fmt.Sprintf("host-%02d", i+1), Load: f.around(0.2),
			Speed: f.around(0.08), Setting: base}
	}
	return usual
}

// around draws a factor near 1.
func (f *fleet) around(spread float64) float64 { return math.Exp(spread * f.r.NormFloat64()) }

// What is wrong in a night, if anything is.
type planted struct {
	*sickness
	strength float64
}

// drawNights draws the fault of each night: in the second of two, or it appears, grows and goes. A
// fleet of one night has sick hosts of all kinds instead.
func (f *fleet) drawNights(s settings) ([]planted, error) {
	nights := make([]planted, s.nights)
	if s.nights == 1 {
		return nights, nil
	}
	k := sicknessOf(s.fault)
	for s.fault == "" && (k == nil || s.nights > 2 && k.most < 4*k.least) {
		k = &sicknesses[f.r.Intn(len(sicknesses))]
	}
	switch {
	case k == nil:
		return nil, fmt.Errorf("no fault %q", s.fault)
	case s.nights == 2:
		nights[1] = planted{k, f.spread(k.least, k.most)}
		return nights, nil
	case s.nights < 8 || k.most < 4*k.least:
		return nil, fmt.Errorf("%s cannot appear, grow and go in %d nights", k.name, s.nights)
	}
	weak := f.spread(1.3*k.least, k.most/3)
	appears := s.nights/4 + f.between(0, 1)
	grows := appears + s.nights/5 + f.between(0, 1)
	goes := grows + s.nights/5 + f.between(0, 1)
	for i := appears; i < goes && i < s.nights; i++ {
		nights[i] = planted{k, weak}
		if i >= grows {
			nights[i].strength = 3 * weak
		}
	}
	return nights, nil
}

func (f *fleet) drawHosts(s settings) error {
	usual := f.drawUsual(s)
	order := f.r.Perm(s.hosts)
	nights, err := f.drawNights(s)
	if err != nil {
		return err
	}
	if s.nights == 2 && nights[1].name == "few_ps" {
		// The work of both nights.
		for _, u := range usual {
			h := *u
			h.busier(h.Load)
			nights[1].plant(&h.Setting, nights[1].strength)
			u.Setting.Render = h.Setting.Render
		}
	}
	for i, wrong := range nights {
		hosts := f.tonight(usual, s, i)
		ill := order
		if s.nights > 2 {
			ill = order[:min(s.sick, len(order))]
		}
		for _, n := range ill {
			if wrong.sickness != nil {
				f.plant(hosts[n], wrong)
			}
		}
		if s.nights == 1 {
			if err := f.drawSick(hosts, order, s); err != nil {
				return err
			}
		}
		f.hosts = append(f.hosts, hosts...)
	}
	return nil
}

// tonight gives the hosts of a night, with its load.
func (f *fleet) tonight(usual []*host, s settings, night int) []*host {
	folder := ""
	switch {
	case s.nights == 2:
		folder = []string{"baseline", "tonight"}[night]
	case s.nights > 2:
		folder = fmt.Sprintf("night-%02d", night+1)
	}
	hosts := make([]*host, len(usual))
	for i, u := range usual {
		h := *u
		h.Night = folder
		h.Load = round(h.Load * f.around(0.05))
		h.Speed = round(h.Speed)
		h.Setting.Seed = f.r.Int63n(1e9)
		h.busier(h.Load)
		if f.r.Intn(8) == 0 {
			h.Beside = 1
		}
		for n := 1; n <= s.traces; n++ {
			h.Files = append(h.Files, path.Join(folder, h.Host, fmt.Sprintf("%s-%d.trace", path.Base(f.module), n)))
		}
		hosts[i] = &h
	}
	return hosts
}

func (h *host) busier(times float64) {
	h.Setting.First = round(h.Setting.First * times)
	h.Setting.Second = round(h.Setting.Second * times)
	h.Setting.ReportEvery = int(float64(h.Setting.ReportEvery) / times)
}

// drawSick draws which hosts of a night are sick, and the odd ones.
func (f *fleet) drawSick(hosts []*host, order []int, s settings) error {
	if len(sicknesses)*s.sick+2 > len(hosts) {
		return fmt.Errorf("%d hosts are too few for %d sick ones of each kind", len(hosts), s.sick)
	}
	next := func() *host {
		h := hosts[order[0]]
		order = order[1:]
		return h
	}
	for i := range sicknesses {
		k := &sicknesses[i]
		for n := 0; n < s.sick; n++ {
			f.plant(next(), planted{k, f.spread(k.least, k.most)})
		}
	}
	if s.odd {
		next().Odd = "old"
		h := next()
		h.Odd = "busy"
		h.busier(2)
	}
	return nil
}

func (f *fleet) plant(h *host, wrong planted) {
	h.Sick, h.Unit = wrong.name, wrong.unit
	h.Strength = round(wrong.strength)
	wrong.plant(&h.Setting, wrong.strength)
	h.Task, h.Region = f.params["task_"+wrong.task], f.params["region_"+wrong.region]
	culprit := wrong.name
	if culprit == "leak" {
		culprit = "leak_send"
		if h.Setting.LostReceive {
			culprit = "leak_receive"
		}
	}
	h.Expected = map[string]place{"culprit": f.Expected[culprit]}
	if victim, ok := f.Expected[wrong.name+"_victim"]; ok {
		h.Expected["victim"] = victim
	}
}
