// net/http opens several connections for four requests that start at once, although the server speaks HTTP/2.
//
// RFC 9113 §9.1: "Clients SHOULD NOT open more than one HTTP/2 connection to a given host and port pair, where the host is derived from a URI, a
// selected alternative service [ALT-SVC], or a configured proxy."
//
// Run: go run four_connections.go. Exit status 1 while the defect is there. Needs only Go.
package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		time.Sleep(500 * time.Millisecond)
		fmt.Fprint(writer, request.Proto)
	}))
	var connections int32
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			atomic.AddInt32(&connections, 1)
		}
	}
	server.EnableHTTP2 = true
	server.StartTLS()
	var protocols [4]string
	var all sync.WaitGroup
	for i := range protocols {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			response, err := server.Client().Get(server.URL)
			if err != nil {
				panic(err)
			}
			response.Body.Close()
			protocols[i] = response.Proto
		}(i)
	}
	all.Wait()
	count := atomic.LoadInt32(&connections)
	fmt.Printf("%s: %d connections for requests with %v\n", runtime.Version(), count, protocols)
	if count > 1 {
		os.Exit(1)
	}
}
