// Package crosswind changes the simulated network of the Crosswind lab that this program runs in; see PROTOCOL.md of
// Crosswind. Copy this file into your module.
//
//	func TestSync(t *testing.T) {
//		network := crosswind.OnNetwork(t, "flaky-wifi")
//		network.After(crosswind.Set{"wifi": "down"}, crosswind.Set{"packet": 20})
//		...
//	}
//
// Run the tests with `crosswind exec -- go test -p 1 ./...`, and do not call t.Parallel: one lab has one network.
package crosswind

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"time"
)

const variable = "CROSSWIND_CONTROL"
const version = 1

// ErrNotInLab is returned outside a lab.
var ErrNotInLab = errors.New("needs a lab (" + variable + " is not set); run the tests under `crosswind exec -- ...`")

// Refused is the reason why the lab refused a request.
type Refused string

func (reason Refused) Error() string { return string(reason) }

// Set is a JSON object: changes in the words of `set:` in scenarios, or a moment in the words of `when:`.
type Set map[string]any

// Request is a request that the lab's origin received.
type Request struct {
	Number     int         `json:"number"`
	Connection int         `json:"connection"`
	Time       int64       `json:"time"` // nanoseconds since the start of the program
	Method     string      `json:"method"`
	Target     string      `json:"target"`
	Headers    [][2]string `json:"headers"`
	Body       string      `json:"body"`
	Status     int         `json:"status"` // 0 until the response begins
	Sent       int64       `json:"sent"`
	Complete   bool        `json:"complete"`
}

// Query is a DNS query that the lab's name servers received.
type Query struct {
	Time  int64  `json:"time"`
	Host  string `json:"host"`
	Type  string `json:"type"`
	Reply string `json:"reply"`
}

// Change is a change of the lab's network.
type Change struct {
	Time    int64    `json:"time"`
	Cause   string   `json:"cause"`
	Changes []string `json:"changes"`
}

// Lab is the description of a lab.
type Lab struct {
	ID         string   `json:"id"`
	Program    string   `json:"program"`
	Engine     string   `json:"engine"`
	Interfaces []string `json:"interfaces"`
	Requests   []string `json:"requests"`
}

type seen struct {
	Requests     []Request `json:"requests"`
	Queries      []Query   `json:"queries"`
	Changes      []Change  `json:"changes"`
	RequestCount int64     `json:"requestCount"`
}

type reply struct {
	V       int      `json:"v"`
	Refused *string  `json:"refused"`
	Done    []string `json:"done"`
	Lab     Lab      `json:"lab"`
	Seen    seen     `json:"seen"`
}

// Network is the network of one lab.
type Network struct {
	path  string
	start int64
	// Timeout limits each request.
	Timeout time.Duration
}

// Current returns the network of the lab around this program, or ErrNotInLab.
func Current() (*Network, error) {
	path := os.Getenv(variable)
	if path == "" {
		return nil, ErrNotInLab
	}
	return &Network{path: path, Timeout: time.Minute}, nil
}

func (network *Network) ask(request Set) (reply, error) {
	request["v"] = version
	line, err := json.Marshal(request)
	if err != nil {
		return reply{}, err
	}
	connection, err := net.Dial("unix", network.path)
	if err != nil {
		return reply{}, fmt.Errorf("cannot reach the lab: %w", err)
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(network.Timeout)); err != nil {
		return reply{}, err
	}
	if _, err := connection.Write(append(line, '\n')); err != nil {
		return reply{}, fmt.Errorf("cannot reach the lab: %w", err)
	}
	found, err := bufio.NewReader(connection).ReadBytes('\n')
	if err != nil {
		return reply{}, fmt.Errorf("the lab did not reply: %w", err)
	}
	var fields reply
	if err := json.Unmarshal(found, &fields); err != nil {
		return reply{}, fmt.Errorf("the reply of the lab is not understood: %w", err)
	}
	if fields.V != version {
		return reply{}, fmt.Errorf("the lab does not use version %d of the control protocol; use matching versions", version)
	}
	if fields.Refused != nil {
		return reply{}, Refused(*fields.Refused)
	}
	return fields, nil
}

// Describe returns the description of the lab.
func (network *Network) Describe() (Lab, error) {
	fields, err := network.ask(Set{"do": "describe"})
	return fields.Lab, err
}

// Set makes changes, in the words of `set:` in scenarios: Set{"wifi": "down"}. It returns when they are in force.
func (network *Network) Set(change Set) ([]string, error) {
	fields, err := network.ask(Set{"do": "set", "change": change})
	return fields.Done, err
}

// NAT64 makes the network IPv6 only, with NAT64 and DNS64, or ends that.
func (network *Network) NAT64(on bool) error {
	_, err := network.Set(Set{"nat64": on})
	return err
}

// DNS sets the reply to a name: "origin", "nxdomain", "servfail", "silent" or a list of addresses.
func (network *Network) DNS(host string, reply any) error {
	_, err := network.Set(Set{"dns": Set{host: reply}})
	return err
}

// Faults replaces the faults of the lab's origin; none removes them.
func (network *Network) Faults(faults ...Set) error {
	if faults == nil {
		faults = []Set{}
	}
	_, err := network.ask(Set{"do": "faults", "faults": faults})
	return err
}

// After makes a change at a moment, counted from now: After(Set{"wifi": "down"}, Set{"packet": 20}). It returns at once.
func (network *Network) After(change, when Set) error {
	_, err := network.ask(Set{"do": "after", "when": when, "change": change})
	return err
}

// Wait waits for a moment, counted from now.
func (network *Network) Wait(when Set) error {
	_, err := network.ask(Set{"do": "after", "when": when, "wait": true})
	return err
}

func (network *Network) firstInterface() (string, error) {
	lab, err := network.Describe()
	if err != nil {
		return "", err
	}
	if len(lab.Interfaces) == 0 {
		return "", errors.New("the lab does not name its interfaces; use a newer version of crosswind")
	}
	return lab.Interfaces[0], nil
}

// Begin makes Requests begin here.
func (network *Network) Begin() error {
	fields, err := network.ask(Set{"do": "seen", "after": math.MaxInt32})
	if err == nil {
		network.start = fields.Seen.RequestCount
	}
	return err
}

// Requests returns the requests that the lab's origin received since Begin, or since the start.
func (network *Network) Requests() ([]Request, error) {
	fields, err := network.ask(Set{"do": "seen", "after": network.start})
	return fields.Seen.Requests, err
}

// Queries returns the DNS queries since the start.
func (network *Network) Queries() ([]Query, error) {
	fields, err := network.ask(Set{"do": "seen"})
	return fields.Seen.Queries, err
}

// Changes returns the changes of the network since the start.
func (network *Network) Changes() ([]Change, error) {
	fields, err := network.ask(Set{"do": "seen"})
	return fields.Seen.Changes, err
}

// Reset restores the network, the names and the faults of the lab's start.
func (network *Network) Reset() error {
	_, err := network.ask(Set{"do": "reset"})
	return err
}

// T is the part of *testing.T that OnNetwork needs.
type T interface {
	Helper()
	Skip(args ...any)
	Fatal(args ...any)
	Cleanup(func())
}

// OnNetwork returns the network of the lab in its start state, with a profile on its first interface ("" for none), and
// restores it after the test. Outside a lab it skips the test with the reason.
func OnNetwork(t T, profile string) *Network {
	t.Helper()
	network, err := Current()
	if errors.Is(err, ErrNotInLab) {
		t.Skip(err)
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	check(network.Reset())
	t.Cleanup(func() { check(network.Reset()) })
	if profile != "" {
		kind, err := network.firstInterface()
		check(err)
		_, err = network.Set(Set{kind: profile})
		check(err)
	}
	check(network.Begin())
	return network
}
