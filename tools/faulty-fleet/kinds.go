package main

import (
	"fmt"
	"math"
	"time"
)

// A kind of fault: its strength is drawn between least and most.
type kind struct {
	name, unit  string
	least, most float64
	bases       []string // healthy programs besides the server that may carry it
	variants    []variant
}

// A variant is made of parts; draw gives values to their parameters and may draw GOMAXPROCS again.
type variant struct {
	name  string
	parts []string
	draw  func(p *program)
}

var kinds = []kind{
	{"lock", "waiters on average", 0.06, 0.6, []string{"idle", "queue", "alloc", "shortio"}, []variant{
		{"mutex", []string{"lock-mutex"}, drawLock},
		{"defer", []string{"lock-defer"}, drawLock},
		{"rwmutex", []string{"lock-rwmutex"}, drawLock},
		{"reader", []string{"lock-reader"}, drawLock},
		{"helper", []string{"lock-helper"}, drawLock}}},
	{"gc", "share of capacity", 0.10, 0.6, []string{"idle", "queue"}, []variant{
		{"make", []string{"gc-make", "with-gc"}, drawGC},
		{"helper", []string{"gc-helper", "with-gc"}, drawGC},
		{"repeat", []string{"gc-repeat", "with-gc"}, drawGC},
		{"json", []string{"gc-json", "with-gc"}, drawGC}}},
	{"syscall", "goroutines in system calls on average", 0.25, 2.5, []string{"idle", "queue", "alloc"}, []variant{
		{"nanosleep", []string{"syscall-nanosleep"}, drawCalls},
		{"pipe", []string{"syscall-pipe"}, drawCalls},
		{"flock", []string{"syscall-flock"}, drawCalls},
		{"fsync", []string{"syscall-fsync"}, drawFsync}}},
	{"few_ps", "runnable goroutines for each P", 0.9, 9, []string{"idle", "queue", "shortio"}, []variant{
		{"crunch", []string{"few_ps-crunch"}, drawFewPs}}},
	{"leak", "goroutines a second", 20, 200, []string{"idle", "queue", "alloc", "shortio"}, []variant{
		{"receive", []string{"leak-receive"}, drawLeak},
		{"send", []string{"leak-send"}, drawLeak},
		{"select", []string{"leak-select"}, drawLeak},
		{"cond", []string{"leak-cond"}, drawLeak}}},
	{"p_hog", "ms without a place to preempt", 50, 500, []string{"idle", "queue"}, []variant{
		{"loop", []string{"p_hog-loop", "with-clock"}, drawHog}}},
	{"sched_latency", "ms, longest wait for a P", 20, 100, []string{"idle", "queue", "shortio"}, []variant{
		{"close", []string{"sched_latency-close"}, drawBurst},
		{"send", []string{"sched_latency-send"}, drawBurst},
		{"spawn", []string{"sched_latency-spawn"}, drawBurst}}},
	{"channel", "blocked senders on average", 2, 20, []string{"idle", "alloc", "shortio"}, []variant{
		{"consumer", []string{"channel-consumer"}, drawConsumer},
		{"select", []string{"channel-select"}, drawConsumer}}},
	{"channel", "starving receivers on average", 2, 20, []string{"idle", "shortio"}, []variant{
		{"producer", []string{"channel-producer"}, drawProducer}}},
	{"stop_the_world", "ms of one stop", 10, 100, []string{"idle", "queue", "shortio"}, []variant{
		{"stack", []string{"stop_the_world-stack"}, drawStop},
		{"profile", []string{"stop_the_world-profile"}, drawStop},
		{"memstats", []string{"stop_the_world-memstats"}, drawStops},
		{"unwilling", []string{"stop_the_world-unwilling", "with-clock"}, drawUnwilling}}},
	{"slow_task", "times the median", 5, 50, []string{"idle", "queue", "alloc", "shortio"}, []variant{
		{"sleep", []string{"slow_task-sleep"}, drawTasks},
		{"wait", []string{"slow_task-wait"}, drawTasks},
		{"loop", []string{"slow_task-loop"}, drawBusyTasks}}},
	healthy("server"), healthy("batch"), healthy("queue"), healthy("idle"), healthy("alloc"), healthy("shortio"),
	healthy("tasks"),
}

func healthy(base string) kind {
	return kind{name: "healthy:" + base, variants: []variant{{name: "-", draw: bases[base]}}}
}

// Healthy programs. CPU-bound work of all goroutines stays below one core or so, because Ps may be
// more than the cores of the machine.
var bases = map[string]func(p *program){
	"server": func(p *program) {
		clients := p.between(2, 4)
		if p.Kind == "few_ps" || p.Kind == "sched_latency" {
			clients = 1
		}
		p.part("base-server")
		p.set("clients", clients)
		p.set("base_every", ms(1000*float64(clients)/p.uniform(60, 200)))
	},
	"batch": func(p *program) {
		p.part("base-batch")
		p.set("base_workers", p.Procs)
		p.set("base_share", math.Min(0.97, 1.5/float64(p.Procs)))
	},
	"queue": func(p *program) {
		p.part("base-queue")
		p.set("base_workers", p.between(10, 60))
		p.set("base_every", ms(p.uniform(3, 12)))
	},
	"idle": func(p *program) {
		p.part("base-idle")
		p.set("tickers", p.between(3, 10))
		p.set("base_every", ms(p.uniform(10, 60)))
	},
	"alloc": func(p *program) {
		p.part("base-alloc")
		p.part("with-gc")
		p.set("base_share", p.spread(0.02, 0.05))
		p.set("base_objects", 1000*p.between(15, 40))
		p.set("base_gogc", 100)
	},
	"shortio": func(p *program) {
		p.part("base-shortio")
		files := p.between(1, 3)
		p.set("files", files)
		p.set("base_share", p.spread(0.01, 0.03)/float64(files))
	},
	// Some tasks take many times what most take, but no function has half of what they lose.
	"tasks": func(p *program) {
		p.part("base-tasks")
		p.set("base_type", p.names.noun()+"-"+p.names.noun())
		p.set("base_workers", p.between(4, 8))
		p.set("base_step", ms(p.uniform(3, 6)))
		p.set("base_spread", p.uniform(1.0, 1.4))
		p.set("base_every", ms(p.uniform(3, 6)))
		p.set("base_seed", p.between(1, 1_000_000))
	},
}

func (p *program) part(name string) { p.baseParts = append(p.baseParts, name) }

// work sets what a function does while others wait for it: it sleeps, or computes.
func (p *program) work(d time.Duration, mayCompute bool) {
	text := fmt.Sprintf("time.Sleep(%d*time.Microsecond)", d.Microseconds())
	if mayCompute && p.r.Intn(3) == 0 {
		text = fmt.Sprintf("for end := time.Now().Add(%d*time.Microsecond); time.Now().Before(end); {\n}",
			d.Microseconds())
	}
	p.set("work", text)
}

func drawLock(p *program) {
	held := p.uniform(5.2, 9)
	waiters := p.between(1, 3)
	for p.Strength > 0.5*float64(waiters) || waiters > 1 && p.Strength < 0.1*float64(waiters) {
		waiters = p.between(1, 3)
	}
	p.set("waiters", waiters)
	p.set("strength", p.Strength)
	p.work(ms(held), p.Procs > 1 && p.Strength < 0.3*float64(waiters))
}

// Much is alive and little is allocated between cycles, so that allocating does not take the time.
func drawGC(p *program) {
	p.procs(2, 8) // with one P all else waits for it, too
	p.set("share", p.Strength)
	p.set("chunk", 1024*p.between(64, 256))
	p.set("objects", 1000*int(80+150*p.Strength*float64(p.Procs)))
	p.set("gogc", p.pick("20", "30"))
}

func drawCalls(p *program) {
	callers := int(math.Ceil(p.Strength / 0.8))
	wait := p.uniform(4, 15)
	p.set("callers", callers)
	p.set("wait", ms(wait))
	p.set("share", p.Strength/float64(callers))
}

// A disk may be too fast for more.
func drawFsync(p *program) {
	p.Strength = math.Min(p.Strength, 0.25+p.Strength/8)
	p.set("callers", 2)
	p.set("page", 1024*p.between(64, 512))
	p.set("share", p.Strength/2)
}

func drawFewPs(p *program) {
	p.procs(1, 6)
	more := int(math.Ceil(p.Strength * float64(p.Procs)))
	p.Strength = float64(more) / float64(p.Procs)
	p.set("workers", p.Procs+more)
}

func drawLeak(p *program) {
	p.set("every", ms(1000/p.Strength))
	p.set("short", ms(p.uniform(0.2, 2)))
}

func drawHog(p *program) {
	p.Godebug = "asyncpreemptoff=1"
	p.set("hold", ms(p.Strength))
	p.set("pause", ms(p.Strength+40))
	p.Seconds = math.Max(p.Seconds, 2.2*p.Strength/1000+0.15)
}

// A burst of N goroutines that work for w each is over after N*w/P. The pause keeps runnable
// goroutines at 0.25 for each P on average, and the work below one core. Work of more than 10 ms
// would be preempted.
func drawBurst(p *program) {
	p.procs(1, 2)
	each := p.uniform(6, 8)
	workers := int(math.Round((p.Strength/each + 1) * float64(p.Procs)))
	period := math.Max(p.Strength*p.Strength/each/2/0.25, 1.2*p.Strength*float64(p.Procs))
	p.set("each", ms(each))
	p.set("workers", workers)
	p.set("pause", ms(math.Max(period, 3*p.Strength)-p.Strength))
	p.Seconds = math.Max(p.Seconds, 1.1*period/1000)
}

func drawConsumer(p *program) {
	producers := int(math.Round(p.Strength))
	slots := p.pick("0", "1", "4")
	p.Strength = float64(producers)
	p.set("slots", slots)
	p.set("producers", producers)
	p.work(ms(p.uniform(2, 8)), p.Procs > 1)
}

func drawProducer(p *program) {
	p.procs(2, 8)
	p.Strength = math.Round(p.Strength)
	p.set("consumers", int(p.Strength))
	p.set("each", ms(p.uniform(2, 8)))
}

func drawStop(p *program) {
	p.set("stop", ms(p.Strength))
	p.set("pause", ms(3*p.Strength+50))
}

func drawStops(p *program) {
	p.Unit = "share of time stopped"
	p.Strength = 0.002 * p.Strength
	p.set("share", p.Strength)
}

// Below what counts as a goroutine that holds a P.
func drawUnwilling(p *program) {
	p.procs(2, 8)
	p.Godebug = "asyncpreemptoff=1"
	p.Strength = math.Min(p.Strength, 10+p.Strength/3)
	p.set("stop", ms(p.Strength))
	p.set("pause", ms(2*p.Strength+50))
	p.set("trim", p.pick("runtime.ReadMemStats(&c.stats)", "c.page = make([]byte, 9<<20)"))
}

func drawTasks(p *program) {
	usual := p.uniform(1.2, 3)
	p.Task = p.names.noun() + "-" + p.names.noun()
	p.set("type", p.Task)
	p.set("usual", ms(usual))
	p.set("slow", ms(usual*p.Strength))
	p.set("among", p.between(20, 90))
	p.set("workers", 6)
}

// Of a busy loop only as much as one core can do.
func drawBusyTasks(p *program) {
	p.procs(2, 8)
	p.Strength = math.Min(p.Strength, 5+p.Strength/4)
	drawTasks(p)
	p.set("among", p.between(40, 90))
	p.set("workers", 3)
}
