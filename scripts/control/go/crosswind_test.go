package crosswind

import (
	"errors"
	"os"
	"testing"
)

// Sends every request of golden.txt through the library; scripts/control/test compares the lines.
func TestRequestsAreThoseOfTheProtocol(t *testing.T) {
	network, err := Current()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	lab, err := network.Describe()
	check(err)
	if lab.Engine != "emulator" {
		t.Fatal(lab)
	}
	for _, change := range []Set{
		{"wifi": "down"}, {"wifi": "up"}, {"cellular": "edge"}, {"wifi": Set{"profile": "lte", "both": Set{"loss": "2%"}}},
		{"wifi": Set{"flapping": Set{"times": 3, "downFor": "1s", "upFor": "2s"}}},
	} {
		done, err := network.Set(change)
		check(err)
		if len(done) != 1 || done[0] != "wifi down" {
			t.Fatal(done)
		}
	}
	check(network.NAT64(true))
	check(network.DNS("api.test", "nxdomain"))
	check(network.DNS("api.test", Set{"reply": "origin", "delay": "2s"}))
	check(network.After(Set{"wifi": "down"}, Set{"packet": 20, "on": "wifi", "direction": "uplink"}))
	check(network.After(Set{"wifi": "down"}, Set{"request": 1, "after": "100ms"}))
	check(network.After(Set{"wifi": "up"}, Set{"sinceStart": "2s"}))
	check(network.After(Set{"wifi": "down"}, Set{"responseSent": "1000B", "request": 2}))
	check(network.Wait(Set{"request": 1}))
	check(network.Faults(Set{"at": Set{"responseBody": 1000}, "do": "reset", "for": Set{"path": "/big", "first": 1}}))
	network.start = 7
	requests, err := network.Requests()
	check(err)
	check(network.Reset())
	request := requests[0]
	if request.Number != 8 || request.Status != 206 || !request.Complete || request.Headers[1] != [2]string{"Range", "bytes=1000-"} {
		t.Fatal(request)
	}
}

func TestFailuresHaveTheReason(t *testing.T) {
	network, _ := Current()
	var refused Refused
	if _, err := network.Set(Set{"wifi": "dwon"}); !errors.As(err, &refused) {
		t.Fatal(err)
	}
	for _, word := range []string{"version", "close"} {
		if _, err := network.Set(Set{"wifi": word}); err == nil || errors.As(err, &refused) {
			t.Fatal(word, err)
		}
	}
}

type skipped struct {
	T
	reason any
}

func (t *skipped) Skip(args ...any) {
	t.reason = args[0]
	panic("skipped")
}
func (t *skipped) Helper() {}

func TestOutsideALabTheTestIsSkipped(t *testing.T) {
	path := os.Getenv(variable)
	os.Unsetenv(variable)
	defer os.Setenv(variable, path)
	other := &skipped{}
	func() {
		defer func() { recover() }()
		OnNetwork(other, "edge")
		t.Fatal("it was not skipped")
	}()
	if err, isError := other.reason.(error); !isError || !errors.Is(err, ErrNotInLab) {
		t.Fatal(other.reason)
	}
}

func TestAProfileIsAppliedToOneTestAndRestored(t *testing.T) {
	t.Run("inner", func(t *testing.T) {
		network := OnNetwork(t, "edge")
		if network.start != 8 {
			t.Fatal(network.start)
		}
	})
}
