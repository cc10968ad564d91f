package main

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"time"
)

// A program, as its line of the manifest says it.
type program struct {
	File     string           `json:"file"`
	Kind     string           `json:"kind"`
	Variant  string           `json:"variant"`
	Base     string           `json:"base"`
	Seed     int64            `json:"seed"`
	Number   int64            `json:"number"`
	Go       string           `json:"go"`
	Procs    int              `json:"gomaxprocs"`
	Godebug  string           `json:"godebug,omitempty"`
	Seconds  float64          `json:"seconds"`
	Strength float64          `json:"strength"`
	Unit     string           `json:"unit,omitempty"`
	Task     string           `json:"task,omitempty"` // type of the tasks some of which are slow
	Expected map[string]place `json:"expected"`
	Measured measured         `json:"measured"`

	minor            string
	module           string
	pkg              string // folder of the fault's package below the module; "" is main
	parts, baseParts []string
	params           map[string]string
	names            *names
	sources          map[string]string // by path below the module
	r                *rand.Rand
}

// A place in the source of a program, named as in stacks.
type place struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	First    int    `json:"first_line"` // of the function
	Last     int    `json:"last_line"`
}

// What differs from run to run.
type measured struct {
	Bytes   int64   `json:"bytes"`
	Starved float64 `json:"starved"` // threads that waited for a core of the machine, on average
	Busy    float64 `json:"busy"`    // cores of the machine that worked, whoever for
}

// drawProgram draws program number i of a seed. In each round of as many programs as there are
// kinds (and releases), each kind (and release) comes once.
func drawProgram(seed, i int64, chosen []kind, minors []string, seconds float64) *program {
	k := chosen[inRound(seed, i, len(chosen), 1)]
	r := rand.New(rand.NewSource(seed*1_000_003 + i*7919 + 17))
	p := &program{Kind: k.name, Unit: k.unit, Seed: seed, Number: i, r: r, Seconds: seconds,
		minor:  minors[inRound(seed, i, len(minors), 2)],
		params: map[string]string{}, names: newNames(r), sources: map[string]string{}}
	p.File = fmt.Sprintf("%03d-%s.trace", i, strings.ReplaceAll(k.name, ":", "-"))
	p.module, p.pkg = p.names.packages()
	p.Procs = p.between(1, 8)
	v := k.variants[r.Intn(len(k.variants))]
	p.Variant = v.name
	p.parts = v.parts
	if k.most > 0 {
		p.Strength = p.spread(k.least, k.most)
	}
	v.draw(p)
	p.Base = strings.TrimPrefix(k.name, "healthy:")
	if p.Base == k.name {
		p.Base = p.pick(append([]string{"server", "server", "server", "server"}, k.bases...)...)
		bases[p.Base](p)
	}
	p.Strength = round(p.Strength)
	p.set("procs", p.Procs)
	p.set("seconds", int64(p.Seconds*1e9))
	p.set("warm", 100*time.Millisecond)
	return p
}

// inRound gives the place of number i in a shuffled round of n.
func inRound(seed, i int64, n int, salt int64) int {
	r := rand.New(rand.NewSource(seed*31 + i/int64(n)*104729 + salt))
	return r.Perm(n)[i%int64(n)]
}

func (p *program) between(least, most int) int { return least + p.r.Intn(most-least+1) }

// procs draws GOMAXPROCS again, for faults that do not work with all.
func (p *program) procs(least, most int) { p.Procs = p.between(least, most) }

func (p *program) uniform(least, most float64) float64 { return least + p.r.Float64()*(most-least) }

// spread draws evenly by the logarithm, so that weak faults are as frequent as strong ones.
func (p *program) spread(least, most float64) float64 {
	return least * math.Pow(most/least, p.r.Float64())
}

func (p *program) pick(of ...string) string { return of[p.r.Intn(len(of))] }

// set gives a value to P_NAME in the parts: a duration, number or text of Go.
func (p *program) set(name string, value any) {
	text := fmt.Sprint(value)
	switch v := value.(type) {
	case time.Duration:
		text = fmt.Sprintf("%d*time.Microsecond", v/time.Microsecond)
	case float64:
		text = fmt.Sprint(round(v))
	}
	p.params[name] = text
}

// round keeps four digits.
func round(x float64) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}

func ms(x float64) time.Duration { return time.Duration(x * 1e6) }
