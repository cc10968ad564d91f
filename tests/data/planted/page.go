// A page that needs three answers, and asks for one after the other.
package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/trace"
	"time"
)

var backend *httptest.Server

func fetch(path string) {
	answer, err := http.Get(backend.URL + path)
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

func profile()         { fetch("/profile") }
func orders()          { fetch("/orders") }
func recommendations() { fetch("/recommendations") }

func page(w http.ResponseWriter, r *http.Request) {
	profile()
	orders()
	recommendations()
}

func main() {
	backend = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
	}))
	front := httptest.NewServer(http.HandlerFunc(page))
	f, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := trace.Start(f); err != nil {
		log.Fatal(err)
	}
	for i := 0; i < 30; i++ {
		answer, err := http.Get(front.URL)
		if err != nil {
			log.Fatal(err)
		}
		answer.Body.Close()
	}
	trace.Stop()
	f.Close()
}
