// An adapter whose client works without a network: it responds with the request's body. scripts/adapters/kits/check compares its lines.
package main

import (
	"errors"
	"strings"
)

func main() {
	Run(&Client{
		Name: "echo", Version: "1",
		Capabilities: "data upload download delegate completionHandler cancel responseDisposition",
		Reports:      "didReceiveResponse didReceiveData didComplete",
		MakeSession: func(configuration Fields) (any, error) {
			Emit("log", Fields{"text": Format(configuration)}, nil)
			return configuration, nil
		},
		Load: func(session any, task *Task) error {
			Emit("log", Fields{"text": Format(task.Description)}, nil)
			_, path, _ := strings.Cut(task.URL, "echo.test")
			if path == "/wait" {
				<-task.Context.Done()
				return errors.New("stopped")
			}
			if strings.HasPrefix(path, "/fail/") {
				return Fail(path[6:], "as\nasked")
			}
			if path == "/redirect" {
				task.Redirect(302, task.URL, "GET")
			}
			body, err := task.Body()
			if err == nil && task.Response(200, task.URL, task.Headers, int64(len(body))) && len(body) > 0 {
				task.Receive(body)
			}
			return err
		},
		Classify: func(err error) *Failure { return Fail("other", err.Error()) },
	})
}
