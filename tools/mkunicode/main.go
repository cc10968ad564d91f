// Mkunicode writes src/base/text/unicode_print.inc: the runes that Go prints without
// escaping and those it takes for white space, as ranges. Run it with the Go
// release whose answers are wanted:
//
//	go run tools/mkunicode/main.go >src/base/text/unicode_print.inc
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode"
)

const columns = 100

// ranges returns the first and last rune of every run where is holds.
func ranges(is func(rune) bool) (list [][2]rune) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !is(r) {
			continue
		}
		if n := len(list); n > 0 && list[n-1][1] == r-1 {
			list[n-1][1] = r
		} else {
			list = append(list, [2]rune{r, r})
		}
	}
	return list
}

func table(w *bufio.Writer, name string, list [][2]rune) {
	fmt.Fprintf(w, "\nstatic const struct range %s[] = {\n", name)
	line := "   "
	for _, r := range list {
		item := fmt.Sprintf(" {0x%x, 0x%x},", r[0], r[1])
		if len(line)+len(item) > columns {
			fmt.Fprintln(w, line)
			line = "   "
		}
		line += item
	}
	fmt.Fprintf(w, "%s\n};\n", line)
}

func main() {
	w := bufio.NewWriter(os.Stdout)
	release := strings.Join(strings.SplitN(strings.TrimPrefix(runtime.Version(), "go"), ".", 3)[:2], ".")
	fmt.Fprintf(w, "// Made by tools/mkunicode from Go %s (Unicode %s); do not edit.\n", release, unicode.Version)
	table(w, "print_ranges", ranges(unicode.IsPrint))
	table(w, "space_ranges", ranges(unicode.IsSpace))
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "mkunicode:", err)
		os.Exit(1)
	}
}
