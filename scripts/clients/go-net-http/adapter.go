// Crosswind adapter for Go's net/http: one http.Client with a transport and a cookie jar for each session.
package main

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

type taskKey struct{}

func main() {
	if len(os.Args) > 1 {
		os.Stdout.WriteString(runtime.Version() + "\n")
		return
	}
	Run(&Client{
		Name: "net/http", Version: runtime.Version(),
		Capabilities: `data upload download delegate completionHandler resourceTimeout maximumConnectionsPerHost tls tlsVersionLimits
			cancel http2 followRedirects redirectDecision responseDisposition downloadProgress cookies sessionProxy socksProxy secureProxy systemProxy
			contentDecoding connectionReuse idempotentRetry incrementalData`,
		Reports: `willPerformRedirect didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete
			completionHandler`,
		MakeSession: makeSession, MakeTask: makeTask, Load: load, Classify: classify,
	})
}

func makeSession(configuration Fields) (any, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone() // trusts SSL_CERT_FILE, otherwise the system's authorities
	versions := map[string]uint16{"1.0": tls.VersionTLS10, "1.1": tls.VersionTLS11, "1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}
	transport.TLSClientConfig = &tls.Config{MinVersion: versions[configuration.Text("minimumTLSVersion")], MaxVersion: versions[configuration.Text("maximumTLSVersion")]}
	if limit, ok := configuration.Number("maximumConnectionsPerHost"); ok {
		transport.MaxConnsPerHost = int(limit)
	}
	if proxy := configuration.Object("proxy"); proxy != nil {
		port, _ := proxy.Number("port")
		address := &url.URL{Scheme: proxy.Text("kind"), Host: net.JoinHostPort(proxy.Text("host"), Format(int(port)))}
		if proxy.Text("user") != "" {
			address.User = url.UserPassword(proxy.Text("user"), proxy.Text("password"))
		}
		transport.Proxy = http.ProxyURL(address)
	}
	jar, err := cookiejar.New(nil)
	client := &http.Client{Transport: transport, Jar: jar}
	if limit, ok := configuration.Number("resourceTimeout"); ok {
		client.Timeout = time.Duration(limit * float64(time.Second))
	}
	client.CheckRedirect = func(next *http.Request, before []*http.Request) error {
		task := next.Context().Value(taskKey{}).(*Task)
		task.Redirect(next.Response.StatusCode, next.URL.String(), next.Method)
		if task.Description.Text("redirect") == "refuse" {
			return http.ErrUseLastResponse
		}
		if len(before) >= 10 { // the limit of the default policy, which a function replaces
			return errors.New("stopped after 10 redirects")
		}
		return nil
	}
	return client, err
}

func makeTask(session any, task *Task) error {
	if task.Description.Text("redirect") == "to" {
		return Unsupported("another target for a redirect")
	}
	return nil
}

func load(session any, task *Task) error {
	body, err := task.Body()
	if err != nil {
		return err
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(context.WithValue(task.Context, taskKey{}, task), task.Method, task.URL, reader)
	if err != nil {
		return err
	}
	for _, pair := range task.Headers {
		request.Header.Add(pair[0], pair[1])
		if strings.EqualFold(pair[0], "Host") {
			request.Host = pair[1]
		}
	}
	response, err := session.(*http.Client).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var headers [][2]string
	for name, values := range response.Header {
		for _, value := range values {
			headers = append(headers, [2]string{name, value})
		}
	}
	if !task.Response(response.StatusCode, response.Request.URL.String(), headers, response.ContentLength) {
		return nil
	}
	for buffer := make([]byte, piece); ; {
		count, err := response.Body.Read(buffer)
		if count > 0 {
			task.Receive(buffer[:count])
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func classify(err error) *Failure {
	text := err.Error()
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
	var dns *net.DNSError
	var limit interface{ Timeout() bool }
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var certificate x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var damaged flate.CorruptInputError
	switch {
	case errors.As(err, &dns) && !dns.IsTimeout:
		return Fail("nameResolution", text)
	case errors.As(err, &limit) && limit.Timeout():
		return Fail("timedOut", text)
	case errors.As(err, &authority), errors.As(err, &name), errors.As(err, &certificate), errors.As(err, &record), has("tls:", "x509:"):
		return Fail("tlsRejected", text)
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.ENETDOWN):
		return Fail("offline", text)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EHOSTUNREACH), has("proxyconnect", "socks connect"):
		return Fail("refused", text)
	case has("stopped after 10 redirects"):
		return &Failure{"other", text, -1007}
	case has("unsupported protocol scheme"):
		return &Failure{"other", text, -1002}
	case has("missing' in request URL", "invalid URL", "no Host in request URL", "first path segment", "invalid port"):
		return &Failure{"other", text, -1000}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &damaged), has("malformed", "bad ", "invalid", "unsupported transfer encoding", "too long", "exceeded"):
		return Fail("malformedResponse", text)
	case has("transport connection broken: unexpected EOF"): // in the head
		return Fail("lost", text)
	case has("transport connection broken"):
		return Fail("malformedResponse", text)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Fail("truncated", text)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), has("closed", "server sent GOAWAY", "stream error", "connection lost"):
		return Fail("lost", text)
	}
	return Fail("other", text)
}
