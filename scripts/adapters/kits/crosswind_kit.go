// The Crosswind adapter kit for Go: lines, numbers, clock, flush, and the order of a task's events.
//
// Fill in a Client and call Run. Load runs at `resume`, on a goroutine of its own: it calls the client under test and reports to the
// task what arrives. A nil error completes the task, any other completes it with what Classify returns. Task.Context is
// cancelled when the task is.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// A line of didReceiveData carries at most longest bytes.
const version, piece, longest = 2, 64 * 1024, 4 * 1024 * 1024

// Codes has the URL error code that stands for each class, for checks that compare codes.
var Codes = map[string]int{"offline": -1009, "nameResolution": -1003, "refused": -1004, "lost": -1005, "truncated": -1005,
	"timedOut": -1001, "tlsRejected": -1200, "malformedResponse": -1017, "cancelled": -999, "other": -1}

// Fields are the fields of a line.
type Fields map[string]any

// Unsupported is returned by MakeSession and MakeTask for what the client cannot be asked for.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

// Failure is an error with its class and, if it is more exact than the class, its URL error code.
type Failure struct {
	Kind, Text string
	Code       int
}

func (f *Failure) Error() string { return f.Text }

// Fail returns an error of a class, with the class's code.
func Fail(kind, text string) *Failure { return &Failure{kind, text, Codes[kind]} }

// Client is what an adapter fills in. Capabilities and Reports are names with spaces between.
type Client struct {
	Name, Version, Capabilities, Reports string
	MakeSession                          func(configuration Fields) (any, error)
	MakeTask                             func(session any, task *Task) error
	Load                                 func(session any, task *Task) error
	Classify                             func(error) *Failure
}

var writing sync.Mutex
var sequence int

// monotonic reads CLOCK_MONOTONIC; package time does not return it.
func monotonic() int64 {
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

// Format writes a value as JSON.
func Format(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Emit writes one event: numbered, timed, and flushed before this returns. Nil data means none.
func Emit(event string, fields Fields, data []byte) {
	writing.Lock()
	defer writing.Unlock()
	sequence++
	line := Fields{"v": version, "seq": sequence, "time": monotonic(), "event": event}
	for name, value := range fields {
		line[name] = value
	}
	if data != nil {
		line["length"], line["base64"] = len(data), base64.StdEncoding.EncodeToString(data)
	}
	os.Stdout.WriteString(Format(line) + "\n")
}

// Task is one task. Its description is the command that made it.
type Task struct {
	Name, URL, Method      string
	Headers                [][2]string
	Description            Fields
	Context                context.Context
	Session                any
	Data                   any // for the client
	isDownload, hasHandler bool
	lock                   sync.Mutex
	state                  string
	stop                   context.CancelFunc
	head                   Fields
	content                []byte
	received               int
}

func newTask(c Fields) *Task {
	t := &Task{Name: c.Text("task"), URL: c.Text("url"), Method: c.Text("method"), Description: c, state: "suspended",
		isDownload: c.Text("kind") == "download", hasHandler: c.Text("delivery") == "completionHandler"}
	if t.Method == "" {
		t.Method = map[bool]string{true: "POST", false: "GET"}[c.Text("kind") == "upload"]
	}
	for _, pair := range c.list("headers") {
		t.Headers = append(t.Headers, [2]string{pair.([]any)[0].(string), pair.([]any)[1].(string)})
	}
	t.Context, t.stop = context.WithCancel(context.Background())
	return t
}

// Text returns a text of a line, or "".
func (f Fields) Text(name string) string {
	text, _ := f[name].(string)
	return text
}

// Object returns an object of a line, or nil.
func (f Fields) Object(name string) Fields {
	object, _ := f[name].(map[string]any)
	return object
}

// Number returns a number of a line; false without one.
func (f Fields) Number(name string) (float64, bool) {
	number, ok := f[name].(json.Number)
	value, _ := number.Float64()
	return value, ok
}

func (f Fields) list(name string) []any {
	list, _ := f[name].([]any)
	return list
}

// Body returns the request's bytes; nil for a request without a body.
func (t *Task) Body() ([]byte, error) {
	body := t.Description.Object("body")
	if body == nil {
		return nil, nil
	}
	if path := body.Text("path"); path != "" {
		return os.ReadFile(path)
	}
	return base64.StdEncoding.DecodeString(body.Text("base64"))
}

// Report writes an event of the task; never after its completion.
func (t *Task) Report(event string, fields Fields, data []byte) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.report(event, fields, data)
}

func (t *Task) report(event string, fields Fields, data []byte) {
	if t.state == "completed" {
		return
	}
	all := Fields{"task": t.Name}
	for name, value := range fields {
		all[name] = value
	}
	Emit(event, all, data)
}

// Redirect reports the request that follows a redirect.
func (t *Task) Redirect(status int, url, method string) {
	t.Report("willPerformRedirect", Fields{"status": status, "url": url, "method": method}, nil)
}

// Response reports the head. The load must end if this returns false; the task is then cancelled.
func (t *Task) Response(status int, url string, headers [][2]string, expected int64) bool {
	if headers == nil {
		headers = [][2]string{}
	}
	t.head = Fields{"status": status, "url": url, "headers": headers, "expectedLength": expected}
	if t.isDownload || t.hasHandler {
		t.content = []byte{}
	} else {
		t.Report("didReceiveResponse", t.head, nil)
	}
	if !t.hasHandler && t.Description.Text("response") == "cancel" {
		t.stop()
	}
	return t.Context.Err() == nil
}

// Receive reports bytes of the body; for a download or a completion handler they are kept until the end.
func (t *Task) Receive(data []byte) {
	t.received += len(data)
	if t.content == nil {
		for ; len(data) > longest; data = data[longest:] {
			t.Report("didReceiveData", nil, data[:longest])
		}
		t.Report("didReceiveData", nil, data)
		return
	}
	t.content = append(t.content, data...)
	if t.isDownload && !t.hasHandler {
		t.Report("didWriteData", Fields{"written": len(data), "totalWritten": t.received, "expected": t.head["expectedLength"]}, nil)
	}
}

// complete ends the task once, for the first caller; nil means success.
func (t *Task) complete(failure *Failure) {
	t.lock.Lock()
	defer t.lock.Unlock()
	end, event := Fields{}, "didComplete"
	if failure != nil {
		end["error"] = Fields{"domain": "NSURLErrorDomain", "code": failure.Code, "class": failure.Kind, "text": failure.Text}
	} else {
		t.handOver()
	}
	if t.hasHandler {
		event = "completionHandler"
		if failure == nil {
			end["response"] = t.head
		}
	}
	t.report(event, end, nil)
	t.state = "completed"
}

func (t *Task) handOver() {
	for offset := 0; offset < len(t.content) && t.state != "completed"; offset += piece {
		end := offset + piece
		if end > len(t.content) {
			end = len(t.content)
		}
		if t.isDownload {
			t.report("fileContent", Fields{"offset": offset}, t.content[offset:end])
		} else {
			t.report("didReceiveData", nil, t.content[offset:end])
		}
	}
	if t.isDownload && !t.hasHandler {
		t.report("didFinishDownloading", Fields{"length": len(t.content)}, nil)
	}
}

func (t *Task) start(client *Client) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.state != "suspended" {
		return
	}
	t.state = "running"
	go func() {
		err := client.Load(t.Session, t)
		var failure *Failure
		if t.Context.Err() != nil {
			failure = Fail("cancelled", "cancelled")
		} else if err != nil && !errors.As(err, &failure) {
			failure = client.Classify(err)
		}
		t.complete(failure)
	}()
}

func (t *Task) cancel() {
	t.lock.Lock()
	state := t.state
	t.lock.Unlock()
	t.stop()
	if state == "suspended" {
		t.complete(Fail("cancelled", "cancelled"))
	}
}

func contains(names, name string) bool {
	for _, one := range strings.Fields(names) {
		if one == name {
			return true
		}
	}
	return false
}

// Run reads commands until `end` or the end of the input.
func Run(client *Client) {
	sessions, tasks := map[string]any{}, map[string]*Task{}
	input := bufio.NewReader(os.Stdin)
	isDeclined := false // `unsupported` ends the run; later commands would only fail
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			os.Exit(0) // tasks may still run
		}
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber() // numbers stay exact
		c := Fields{}
		if err := decoder.Decode(&c); err != nil {
			panic(err)
		}
		if v, _ := c.Number("v"); v != version {
			fmt.Fprintf(os.Stderr, "this adapter supports version %d of the protocol, not %v\n", version, c["v"])
			os.Exit(1)
		}
		if isDeclined && c.Text("command") != "end" {
			continue
		}
		err = func() (err error) {
			switch name := c.Text("command"); {
			case name == "hello":
				capabilities := Fields{}
				for _, name := range c.list("capabilities") {
					capabilities[name.(string)] = contains(client.Capabilities, name.(string))
				}
				reply := Fields{"implementation": Fields{"name": client.Name, "version": client.Version, "language": "Go"}, "capabilities": capabilities}
				if client.Reports != "" {
					reply["reports"] = strings.Fields(client.Reports)
				}
				Emit("hello", reply, nil)
			case name == "makeSession":
				sessions[c.Text("session")], err = client.MakeSession(c.Object("configuration"))
			case name == "makeTask":
				if kind := c.Text("kind"); !contains("data upload download", kind) {
					return Unsupported("tasks of the kind " + kind)
				}
				task := newTask(c)
				task.Session = sessions[c.Text("session")]
				if client.MakeTask != nil {
					err = client.MakeTask(task.Session, task)
				}
				tasks[task.Name] = task
			case name == "end":
				os.Exit(0)
			case name == "resume" || name == "cancel" && contains(client.Capabilities, "cancel"):
				task := tasks[c.Text("task")]
				if task == nil {
					return errors.New("no task " + c.Text("task"))
				}
				if name == "resume" {
					task.start(client)
				} else {
					task.cancel()
				}
			default:
				return Unsupported("the command " + name)
			}
			return err
		}()
		var unsupported Unsupported
		if errors.As(err, &unsupported) {
			isDeclined = true
			Emit("unsupported", Fields{"feature": string(unsupported)}, nil)
		} else if err != nil {
			Emit("adapterFailed", Fields{"message": c.Text("command") + ": " + err.Error()}, nil)
		}
	}
}
