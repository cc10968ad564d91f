//go:build go1.23

package main

import "iter"

func init() {
	loads["iter"] = load{doc: "coroutines of iter.Pull: switches between goroutines", run: runIter}
}

func runIter() error {
	for round := 0; round < 4; round++ {
		next, stop := iter.Pull(func(yield func(int) bool) {
			for i := 0; i < 20+round; i++ {
				if !yield(i) {
					return
				}
			}
		})
		for i := 0; i < 15+4*round; i++ {
			next()
		}
		stop() // some sequences have ended, some are cut short
	}
	return nil
}
