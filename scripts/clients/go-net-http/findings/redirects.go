// net/http repeats a PUT as GET after a 302, and keeps Content-Type and Content-Language when a 303 turns a POST into a GET.
//
// RFC 9110 §15.4.3: "For historical reasons, a user agent MAY change the request method from POST to GET for the subsequent request." It
// does not allow this for other methods. RFC 9110 §15.4, step 5: "If the request method has been changed to GET or HEAD, remove
// content-specific header fields, including (but not limited to) Content-Encoding, Content-Language, Content-Location, Content-Type,
// Content-Length, Digest, Last-Modified."
//
// Run: go run redirects.go. Exit status 1 while a defect is there. Needs only Go.
package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
)

// follow sends one request, responds to it with this status and a Location, and returns the second request.
func follow(method string, status int) *http.Request {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	second := make(chan *http.Request, 1)
	go func() {
		connection, _ := listener.Accept()
		reader := bufio.NewReader(connection)
		first, _ := http.ReadRequest(reader)
		first.Body.Read(make([]byte, 10))
		fmt.Fprintf(connection, "HTTP/1.1 %d Redirect\r\nLocation: /done\r\nContent-Length: 0\r\n\r\n", status)
		next, _ := http.ReadRequest(reader)
		second <- next
		fmt.Fprint(connection, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	}()
	request, _ := http.NewRequest(method, "http://"+listener.Addr().String()+"/", strings.NewReader("a=1"))
	request.Header.Set("Content-Type", "text/plain")
	request.Header.Set("Content-Language", "de")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	response.Body.Close()
	return <-second
}

func main() {
	put, post := follow("PUT", 302), follow("POST", 303)
	fmt.Printf("%s: the PUT becomes a %s; the GET after the POST has Content-Type %q, Content-Language %q\n",
		runtime.Version(), put.Method, post.Header.Get("Content-Type"), post.Header.Get("Content-Language"))
	if put.Method != "PUT" || post.Header.Get("Content-Type")+post.Header.Get("Content-Language") != "" {
		os.Exit(1)
	}
}
