// A shop whose checkouts ask two other services, stock and payment. One payment in twelve takes 80 ms.
package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/trace"
	"sync/atomic"
	"time"
)

var stock, payment *httptest.Server

func get(ctx context.Context, url string) {
	r, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

func reserve(ctx context.Context) {
	defer trace.StartRegion(ctx, "reserve").End()
	get(ctx, stock.URL)
}

func charge(ctx context.Context) {
	defer trace.StartRegion(ctx, "charge").End()
	get(ctx, payment.URL)
}

func checkout(ctx context.Context) {
	ctx, task := trace.NewTask(ctx, "checkout")
	defer task.End()
	reserve(ctx)
	charge(ctx)
}

func main() {
	var asked atomic.Int64
	stock = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	payment = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%12 == 0 {
			time.Sleep(80 * time.Millisecond)
		}
	}))
	f, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := trace.Start(f); err != nil {
		log.Fatal(err)
	}
	for i := 0; i < 200; i++ {
		checkout(context.Background())
	}
	trace.Stop()
	f.Close()
}
