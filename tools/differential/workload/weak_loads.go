//go:build go1.24

package main

import (
	"runtime"
	"weak"
)

func init() {
	loads = append(loads, load{"weak-pointers", weakPointers})
}

// Making a strong pointer of a weak one waits where a collection is about to end.
func weakPointers(w *worker) {
	kept := &node{}
	pointer := weak.Make(kept)
	lost := weak.Make(&node{data: make([]byte, 100)})
	w.all(1+w.n(4), func(w *worker, i int) {
		for n := w.n(200); n > 0; n-- {
			pointer.Value()
			lost.Value()
		}
		if i == 0 && w.percent(10) {
			runtime.GC()
		}
	})
	runtime.AddCleanup(kept, func(int) {}, 1)
	runtime.KeepAlive(kept)
}
