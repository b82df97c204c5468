"""A small background client: a daemon, started on demand, loads downloads over http while the app is gone. Each of the
background_*.py files adds one fault; background_correct.py adds none."""
import base64, http.client, json, os, socket, subprocess, sys, threading, time
from urllib.parse import urlsplit
from miniature import CAPABILITIES, Miniature, Task

FOLDER = os.environ.get("XDG_RUNTIME_DIR", "/tmp")
SOCKET = FOLDER + "/daemon.socket"
CONTAINER = FOLDER + "/container"


def clock_scale():
    words = dict(word.split("=") for word in os.environ.get("ADAPTABLE_TRANSFER_CLOCK", "").split())
    return float(words.get("scale", 1))


def send(connection, message): connection.sendall((json.dumps(message) + "\n").encode())


class Session:
    def __init__(self, identifier):
        self.identifier, self.connection, self.is_later = identifier, None, False
        self.tasks, self.undone, self.events, self.count = {}, set(), [], 0


class Daemon:
    """Keeps the events of each session until the app has acknowledged them. Everything but loads happens under the lock."""

    def __init__(self): self.lock, self.sessions = threading.RLock(), {}

    def run(self):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(SOCKET)
        listener.listen()
        while True: threading.Thread(target=self.serve, args=[listener.accept()[0]], daemon=True).start()

    def serve(self, connection):
        session = None
        try:
            for line in connection.makefile():
                message = json.loads(line)
                with self.lock:
                    if "open" in message: session = self.open(message["open"], connection)
                    elif "create" in message: session.tasks[message["create"]["task"]] = message["create"]
                    elif "resume" in message: self.start(session, session.tasks[message["resume"]])
                    elif "ack" in message: session.events = [e for e in session.events if e["n"] > message["ack"]]
        except OSError: pass
        with self.lock:
            if session and session.connection is connection:
                session.connection = None
                # The app may have ended after the events were sent and before it acknowledged them.
                if not session.undone: self.all_done(session)

    def open(self, identifier, connection):
        is_later = identifier in self.sessions
        session = self.sessions.setdefault(identifier, Session(identifier))
        session.connection, session.is_later = connection, is_later
        for event in session.events: send(connection, event)
        if not session.undone: self.all_done(session)
        return session

    def start(self, session, task):
        session.undone.add(task["task"])
        threading.Thread(target=self.load, args=[session, task], daemon=True).start()

    def emit(self, session, event, task, **fields):
        with self.lock:
            session.count += 1
            message = dict(n=session.count, event=event, task=task["task"], **fields)
            session.events.append(message)
            self.deliver(session, message)

    def deliver(self, session, message):
        try:
            if session.connection: send(session.connection, message)
        except OSError: session.connection = None

    def all_done(self, session):
        """The app is launched when nothing is left to do, not for each task."""
        if session.connection:
            if session.is_later: self.deliver(session, dict(event="didFinishEvents"))
        elif session.events: self.launch(session)

    def launch(self, session): subprocess.Popen([os.environ["CROSSWIND_LAUNCH_COMMAND"], session.identifier])

    def may_run(self, task):
        if not task.get("discretionary"): return True
        with open("/sys/class/power_supply/AC/online") as file: return file.read().strip() == "1"

    def delay(self, task): return task.get("earliestBegin", 0) / clock_scale()

    def load(self, session, task):
        time.sleep(self.delay(task))
        held, etag = b"", None
        while True:
            while not self.may_run(task): time.sleep(0.02)
            try:
                held, etag = self.fetch(task, held, etag)
                break
            except (OSError, http.client.HTTPException) as error:
                if isinstance(error, http.client.IncompleteRead): held += error.partial
                time.sleep(0.05)
        self.finish(session, task, held)

    def fetch(self, task, held, etag):
        parts = urlsplit(task["url"])
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
        headers = {"Range": f"bytes={len(held)}-"} if held else {}
        connection.request("GET", parts.path or "/", headers=headers)
        response = connection.getresponse()
        etag = response.headers.get("ETag")
        body = response.read() if response.status == 206 else None
        return (held + body if body is not None else response.read()), etag

    def finish(self, session, task, body):
        os.makedirs(CONTAINER, exist_ok=True)
        path = f"{CONTAINER}/{task['task']}"
        with open(path, "wb") as file: file.write(body)
        with self.lock:
            self.emit(session, "didFinishDownloading", task, path=path)
            self.emit(session, "didComplete", task)
            session.undone.discard(task["task"])
            if not session.undone: self.all_done(session)


class Background(Miniature):
    daemon = Daemon

    def __init__(self):
        super().__init__()
        self.connections, self.options = {}, {}

    def offers(self, name): return name in CAPABILITIES | {"backgroundSession", "applicationState"}

    @classmethod
    def main(cls):
        if sys.argv[1:] == ["--daemon"]: cls.daemon().run()
        cls().run()

    def makeSession(self, c):
        configuration = c["configuration"]
        if configuration["kind"] != "background": return
        connection = self.connect()
        self.connections[c["session"]], self.options[c["session"]] = connection, configuration
        send(connection, dict(open=configuration.get("identifier", c["session"])))
        threading.Thread(target=self.receive, args=[c["session"], connection], daemon=True).start()

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        for attempt in range(200):
            try:
                connection.connect(SOCKET)
                return connection
            except OSError:
                if attempt == 0 and not os.path.exists(SOCKET): self.start_daemon()
                time.sleep(0.05)
        raise OSError("the daemon does not start")

    def start_daemon(self):
        nowhere = subprocess.DEVNULL
        subprocess.Popen([sys.executable, sys.argv[0], "--daemon"], start_new_session=True, stdin=nowhere, stdout=nowhere,
                         stderr=nowhere)

    def makeTask(self, c):
        super().makeTask(c)
        if c["session"] in self.connections:
            discretionary = self.options[c["session"]].get("isDiscretionary", False)
            send(self.connections[c["session"]], dict(create=dict(c, discretionary=discretionary)))

    def restoreTask(self, c): self.tasks[c["task"]] = Task(c)

    def setApplicationState(self, c): pass

    def resume(self, c):
        task = self.tasks[c["task"]]
        if task.session in self.connections: send(self.connections[task.session], dict(resume=task.name))
        else: super().resume(c)

    def receive(self, session, connection):
        for line in connection.makefile():
            message = json.loads(line)
            if message["event"] == "didFinishEvents": self.emit("didFinishEvents", session=session)
            else: self.hand_over(self.tasks[message["task"]], message)
            if "n" in message: send(connection, dict(ack=message["n"]))

    def hand_over(self, task, message):
        with self.lock:
            if message["event"] == "didFinishDownloading":
                with open(message["path"], "rb") as file: task.held = file.read()
                self.tell_file(task)
                self.remove(message["path"])
            else: self.complete(task)

    def remove(self, path): os.remove(path)
