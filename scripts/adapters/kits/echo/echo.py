"""An adapter whose client works without a network: it responds with the request's body. scripts/adapters/kits/check compares its lines."""
import json, os, sys, threading
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import crosswind_kit as kit


class Echo(kit.Client):
    name, version = "echo", "1"
    capabilities = "data upload download delegate completionHandler cancel responseDisposition"
    reports = "didReceiveResponse didReceiveData didComplete"
    stopped = threading.Event()

    def make_session(self, configuration):
        kit.emit("log", text=json.dumps(configuration))
        return configuration

    def load(self, session, task):
        kit.emit("log", text=json.dumps(task.description))
        path = task.url.split("echo.test")[-1]
        if path == "/wait":
            self.stopped.wait()
            raise kit.Failure("other", "stopped")
        if path.startswith("/fail/"): raise kit.Failure(path[6:], "as\nasked")
        if path == "/redirect": task.redirect(302, task.url, "GET")
        body = task.body or b""
        if task.response(200, task.url, task.headers, len(body)) and body: task.data(body)

    def cancel(self, task): self.stopped.set()


kit.run(Echo())
