// A service with steady requests. Once, in the third second, a cache is refreshed: 300 goroutines compute
// at the same time.
package main

import (
	"context"
	"log"
	"os"
	"runtime/trace"
	"sync"
	"time"
)

var sink uint64

func spin(n int) {
	x := uint64(n)
	for i := 0; i < n; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink += x
}

func request(ctx context.Context) {
	ctx, task := trace.NewTask(ctx, "lookup")
	defer task.End()
	spin(20000)
}

func recompute(entry int) { spin(100000 + entry) }

func refreshCache() {
	var group sync.WaitGroup
	for i := range 300 {
		group.Add(1)
		go func() {
			defer group.Done()
			recompute(i)
		}()
	}
	group.Wait()
}

func serve(ctx context.Context) {
	for i := 0; i < 400; i++ {
		go request(ctx)
		time.Sleep(10 * time.Millisecond)
	}
}

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := trace.Start(f); err != nil {
		log.Fatal(err)
	}
	time.AfterFunc(2300*time.Millisecond, refreshCache)
	serve(context.Background())
	trace.Stop()
	f.Close()
}
