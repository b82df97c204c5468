"""A lab without a network, for the tests of the libraries: records the requests and sends prepared replies."""

import json
import socketserver
import sys

REPLIES = {
    "describe": {"lab": {"id": "7", "program": "test", "engine": "emulator", "interfaces": ["wifi"], "requests": []}},
    "set": {"done": ["wifi down"]},
    "after": {"done": ["packet 31 downlink on wifi"]},
    "faults": {"done": ["1 fault at the origin"]},
    "reset": {"done": ["wifi up"]},
    "seen": {
        "seen": {
            "requests": [
                {
                    "number": 8, "connection": 3, "time": 1500000000, "method": "GET", "target": "/big", "sent": 1000,
                    "headers": [["Host", "api.test"], ["Range", "bytes=1000-"]], "bodyBytes": 0, "status": 206,
                    "complete": True, "laterField": 1,
                }
            ],
            "queries": [{"time": 5, "host": "api.test", "type": "A", "reply": "192.0.2.1"}],
            "changes": [{"time": 6, "cause": "packet 31 downlink on wifi", "changes": ["wifi down"]}],
            "requestCount": 8,
        }
    },
}


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            request = json.loads(line)
            with open(self.server.log, "a") as log:
                log.write(json.dumps(request, sort_keys=True, separators=(",", ":")) + "\n")
            change = request.get("change") or {}
            if change.get("wifi") == "dwon":
                reply = {"refused": "`dwon` is not a state; did you mean `down`?"}
            elif change.get("wifi") == "close":
                return
            else:
                reply = REPLIES[request["do"]]
            version = 2 if change.get("wifi") == "version" else 1
            self.wfile.write(json.dumps({"v": version, **reply}).encode() + b"\n")


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


if __name__ == "__main__":
    path, log = sys.argv[1:]
    server = Server(path, Handler)
    server.log = log
    print("ready", flush=True)
    server.serve_forever()
