// Parser-v1 reads variants of a trace of Go 1.5 to 1.21, all in one process, with the trace
// parser of an older Go release. ../variants-v1 builds it together with a copy of that release's
// internal/trace, whose random order of Ps it makes ascending.
//
//	parser-v1 cut|flip FILE FROM STEP COUNT DIR
//
// Variant i is the first FROM+i*STEP bytes of FILE, or FILE with a bit of that byte turned over.
// It is written to DIR as NUMBER.trace, and what the parser makes of it is a line:
//
//	NUMBER \t accepted|refused \t sha256 of the events \t error
//
// The events are hashed as tracepipe prints them with --sink events:model=v1.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parserv1/trace"
)

func main() {
	if len(os.Args) != 7 || (os.Args[1] != "cut" && os.Args[1] != "flip") {
		fmt.Fprintln(os.Stderr, "usage: parser-v1 cut|flip FILE FROM STEP COUNT DIR")
		os.Exit(2)
	}
	way, file, dir := os.Args[1], os.Args[2], os.Args[6]
	from, step, count := number(os.Args[3]), number(os.Args[4]), number(os.Args[5])
	data, err := os.ReadFile(file)
	check(err)
	out := bufio.NewWriter(os.Stdout)
	for i := 0; i < count; i++ {
		at := from + i*step
		variant, ok := vary(data, way, at)
		if !ok {
			break
		}
		name := fmt.Sprintf("%08d", at)
		check(os.WriteFile(filepath.Join(dir, name+".trace"), variant, 0o644))
		sum, err := read(variant)
		if err != nil {
			fmt.Fprintf(out, "%s\trefused\t%x\t%s\n", name, sum, oneLine(err))
		} else {
			fmt.Fprintf(out, "%s\taccepted\t%x\t\n", name, sum)
		}
	}
	check(out.Flush())
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	check(err)
	return n
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func oneLine(err error) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(err.Error())
}

func vary(data []byte, way string, at int) ([]byte, bool) {
	if way == "cut" {
		if at > len(data) {
			return nil, false
		}
		return data[:at], true
	}
	if at >= len(data) {
		return nil, false
	}
	other := bytes.Clone(data)
	other[at] ^= 1 << (at % 8)
	return other, true
}

// read hashes the events of a trace, none if the parser refuses it or panics.
func read(data []byte) (sum []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
			sum = sha256.New().Sum(nil)
		}
	}()
	h := sha256.New()
	res, err := trace.ParseAny(bufio.NewReader(bytes.NewReader(data)))
	if err == nil {
		w := bufio.NewWriter(h)
		for _, ev := range res.Events {
			printEvent(w, ev)
		}
		w.Flush()
	}
	return h.Sum(nil), err
}

func printEvent(w io.Writer, ev *trace.Event) {
	fmt.Fprintf(w, "%d\t%d\t%s\t%d\t%d\t%d\t%d,%d,%d\t", ev.Off, ev.Ts,
		trace.EventDescriptions[ev.Type].Name, ev.P, ev.G, ev.StkID, ev.Args[0], ev.Args[1], ev.Args[2])
	quoted := make([]string, len(ev.SArgs))
	for i, s := range ev.SArgs {
		quoted[i] = strconv.Quote(s)
	}
	if len(quoted) == 0 {
		quoted = []string{"-"}
	}
	fmt.Fprint(w, strings.Join(quoted, ","))
	if ev.Link == nil {
		fmt.Fprint(w, "\t-\t-\n")
	} else {
		fmt.Fprintf(w, "\t%d\t%d\n", ev.Link.Off, ev.Link.Ts)
	}
}
