// net/http takes a body that ends without close_notify for complete, although only the end of the connection delimits it.
//
// RFC 9112 §8: "A response that has neither chunked transfer coding nor Content-Length is terminated by closure of the connection and, if the header
// section was received intact, is considered complete unless an error was indicated by the underlying connection (e.g., an "incomplete close" in
// TLS would leave the response incomplete, as described in Section 9.8)."
//
// Run: go run incomplete_tls_close.go. Exit status 1 while the defect is there. Needs only Go.
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
)

func main() {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection, _, _ := w.(http.Hijacker).Hijack()
		fmt.Fprintf(connection, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n%01000d", 0)
		connection.(*tls.Conn).NetConn().Close() // FIN, without the alert that tls.Conn.Close would send
	}))
	response, err := server.Client().Get(server.URL)
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	body, err := io.ReadAll(response.Body)
	fmt.Printf("%s: %d bytes, error %v\n", runtime.Version(), len(body), err)
	if err == nil {
		os.Exit(1)
	}
}
