"""The Crosswind adapter kit for Python: lines, numbers, clock, flush, and the order of a task's events.

Derive from Client, set its attributes, and call run(Client()). `load` runs at `resume`, on a thread of its own, or on the
kit's event loop if it is a coroutine function. It calls the client under test and reports to the task what arrives; its
return completes the task, an exception completes it with the error that `classify` returns."""
import asyncio, base64, inspect, json, os, sys, tempfile, threading, time

VERSION, PIECE, LONGEST = 2, 64 * 1024, 4 * 1024 * 1024  # a line of didReceiveData carries at most LONGEST bytes
# The URL error code that stands for each class, for checks that compare codes.
CODES = dict(offline=-1009, nameResolution=-1003, refused=-1004, lost=-1005, truncated=-1005, timedOut=-1001,
             tlsRejected=-1200, malformedResponse=-1017, cancelled=-999, other=-1)
_writing, _sequence = threading.Lock(), 0


class Unsupported(Exception):
    """Raised by `make_session` and `make_task` for what the client cannot be asked for."""


class Failure(Exception):
    """An error with its class and, if it is more exact than the class, its URL error code."""
    def __init__(self, kind, text, code=None):
        super().__init__(text)
        self.kind, self.text, self.code = kind, text, CODES[kind] if code is None else code


class Client:
    name, version, language = "", "", "Python"
    capabilities = "data"  # names with spaces between
    reports = None         # names of events with spaces between, if this client cannot report every event

    def make_session(self, configuration): return configuration
    def make_task(self, session, task): pass
    def load(self, session, task): raise NotImplementedError
    def cancel(self, task): pass  # for clients without coroutines: makes `load` end
    def classify(self, error): return Failure("other", f"{type(error).__name__}: {error}")


def emit(event, data=None, **fields):
    """Writes one event: numbered, timed, and flushed before this returns."""
    global _sequence
    if data is not None: fields.update(length=len(data), base64=base64.b64encode(data).decode())
    with _writing:
        _sequence += 1
        sys.stdout.write(json.dumps(dict(v=VERSION, seq=_sequence, time=time.monotonic_ns(), event=event, **fields)) + "\n")
        sys.stdout.flush()


class Task:
    def __init__(self, description, session):
        self.name, self.description, self.session = description["task"], description, session
        self.url, self.is_download = description["url"], description["kind"] == "download"
        self.has_handler = description["delivery"] == "completionHandler"
        self.method = description.get("method", "POST" if description["kind"] == "upload" else "GET")
        self.headers = [tuple(pair) for pair in description.get("headers", [])]
        self.lock, self.state, self.is_cancelled, self.future = threading.RLock(), "suspended", False, None
        self.head, self.content, self.received = None, None, 0

    @property
    def body(self):
        """The request's bytes, or None for a request without a body."""
        body = self.description.get("body")
        if not body: return None
        return base64.b64decode(body["base64"]) if "base64" in body else open(body["path"], "rb").read()

    @property
    def credential(self):
        """User and password for a client that has one configured pair and no callback; None without."""
        decisions = self.description.get("challenges", [])
        if len(decisions) > 1: raise Unsupported("several decisions about challenges")
        if not decisions or decisions[0]["decision"] in ("performDefaultHandling", "rejectProtectionSpace"): return None
        if decisions[0]["decision"] != "credential": raise Unsupported(f"the decision {decisions[0]['decision']}")
        return decisions[0]["user"], decisions[0]["password"]

    def report(self, event, data=None, **fields):
        with self.lock:
            if self.state != "completed": emit(event, data, task=self.name, **fields)

    def redirect(self, status, url, method): self.report("willPerformRedirect", status=status, url=url, method=method)

    def response(self, status, url, headers, expected=-1):
        """Reports the head. The load must end if this returns False; the task is then cancelled."""
        self.head = dict(status=status, url=url, headers=[list(pair) for pair in headers], expectedLength=expected)
        if self.is_download or self.has_handler: self.content = tempfile.TemporaryFile()
        else: self.report("didReceiveResponse", **self.head)
        if not self.has_handler and self.description.get("response") == "cancel": self.is_cancelled = True
        return not self.is_cancelled

    def data(self, piece):
        """Reports bytes of the body; for a download or a completion handler they are kept until the end."""
        self.received += len(piece)
        if not self.content:
            for start in range(0, len(piece), LONGEST): self.report("didReceiveData", data=piece[start:start + LONGEST])
            return
        self.content.write(piece)
        if self.is_download and not self.has_handler:
            self.report("didWriteData", written=len(piece), totalWritten=self.received, expected=self.head["expectedLength"])

    def complete(self, failure=None):
        """Completes the task once, from the first thread that calls this."""
        with self.lock:
            if self.state == "completed": return
            end = {}
            if failure:
                end["error"] = {"domain": "NSURLErrorDomain", "code": failure.code, "class": failure.kind, "text": failure.text}
            else: self._hand_over()
            if self.has_handler and not failure: end["response"] = self.head
            self.report("completionHandler" if self.has_handler else "didComplete", **end)
            self.state = "completed"

    def _hand_over(self):
        if not self.content: return
        self.content.seek(0)
        offset = 0
        while piece := self.content.read(PIECE):
            if self.is_download: self.report("fileContent", offset=offset, data=piece)
            else: self.report("didReceiveData", data=piece)
            offset += len(piece)
        if self.is_download and not self.has_handler: self.report("didFinishDownloading", length=offset)


def run(client):
    sessions, tasks, loop = {}, {}, None
    is_async = inspect.iscoroutinefunction(client.load)
    if is_async:
        loop = asyncio.new_event_loop()
        threading.Thread(target=loop.run_forever, daemon=True).start()

    def call(function, *arguments):
        """Calls a function of the client, on the event loop if it is a coroutine function."""
        if not inspect.iscoroutinefunction(function): return function(*arguments)
        return asyncio.run_coroutine_threadsafe(function(*arguments), loop).result()

    def hello(c):
        offered = set(client.capabilities.split())
        reply = dict(implementation=dict(name=client.name, version=client.version, language=client.language),
                     capabilities={name: name in offered for name in c["capabilities"]})
        if client.reports is not None: reply["reports"] = client.reports.split()
        emit("hello", **reply)

    def make_task(c):
        if c["kind"] not in ("data", "upload", "download"): raise Unsupported(f"tasks of the kind {c['kind']}")
        task = Task(c, sessions[c["session"]])
        call(client.make_task, task.session, task)
        tasks[c["task"]] = task

    def end_of(task, error):
        if task.is_cancelled: return Failure("cancelled", "cancelled")
        return error if error is None or isinstance(error, Failure) else client.classify(error)

    def load(task):
        error = None
        try: client.load(task.session, task)
        except Exception as raised: error = raised
        task.complete(end_of(task, error))

    async def load_async(task):
        error = None
        try: await client.load(task.session, task)
        except (Exception, asyncio.CancelledError) as raised: error = raised
        task.complete(end_of(task, error))

    def resume(c):
        task = tasks[c["task"]]
        with task.lock:
            if task.state != "suspended": return
            task.state = "running"
        if is_async: task.future = asyncio.run_coroutine_threadsafe(load_async(task), loop)
        else: threading.Thread(target=load, args=(task,), daemon=True).start()

    def cancel(c):
        task = tasks[c["task"]]
        with task.lock:
            state, task.is_cancelled = task.state, True
            if state == "suspended": return task.complete(Failure("cancelled", "cancelled"))
        if is_async and task.future: task.future.cancel()
        elif state == "running": client.cancel(task)

    commands = dict(hello=hello, makeTask=make_task, resume=resume, end=lambda c: os._exit(0))
    commands["makeSession"] = lambda c: sessions.update({c["session"]: call(client.make_session, c["configuration"])})
    if "cancel" in client.capabilities.split(): commands["cancel"] = cancel
    is_declined = False  # `unsupported` ends the run; later commands would only fail
    for line in sys.stdin:
        command = json.loads(line)
        if command["v"] != VERSION: sys.exit(f"this adapter supports version {VERSION} of the protocol, not {command['v']}")
        name = command["command"]
        if is_declined and name != "end": continue
        try:
            if name not in commands: raise Unsupported(f"the command {name}")
            commands[name](command)
        except Unsupported as missing:
            emit("unsupported", feature=str(missing))
            is_declined = True
        except Exception as error: emit("adapterFailed", message=f"{name}: {type(error).__name__}: {error}")
    os._exit(0)  # end of input; tasks may still run
