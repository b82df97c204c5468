// net/http loses the fragment of a redirected URL.
//
// RFC 9110 §10.2.2: "If the Location value provided in a 3xx (Redirection) response does not have a fragment component, a user agent MUST process the
// redirection as if the value inherits the fragment component of the URI reference used to generate the target URI".
//
// Run: go run fragment.go. Exit status 1 while the defect is there. Needs only Go.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/old" {
			out.Header().Set("Location", "/new")
			out.WriteHeader(302)
		}
	}))
	response, err := http.Get(server.URL + "/old#part")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: the final URL is %s\n", runtime.Version(), response.Request.URL)
	if response.Request.URL.Fragment != "part" {
		os.Exit(1)
	}
}
