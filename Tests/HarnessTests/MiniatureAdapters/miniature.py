"""A small correct adapter for data and download tasks over http. Each of the other files adds one fault;
correct.py adds none and is the control."""
import base64, http.client, json, os, sys, threading, time
from urllib.parse import urlsplit

CAPABILITIES = set("""data download delegate resumeData cancel cancelProducingResumeData invalidate downloadProgress requestTimeout
    sessionHeaders""".split())
PIECE = 16 * 1024


class Task:
    def __init__(self, command):
        self.name, self.command, self.url = command["task"], command, command["url"]
        self.session, self.is_download = command["session"], command["kind"] == "download"
        self.held, self.etag, self.is_done = b"", None, False


class Miniature:
    version = 2

    def __init__(self):
        self.lock, self.sequence, self.tasks = threading.RLock(), 0, {}

    # Writing

    def line(self, event, data=None, **fields):
        self.sequence += 1
        if data is not None:
            fields.update(length=len(data), base64=base64.b64encode(data).decode())
        return json.dumps(dict(v=self.version, seq=self.sequence, time=time.monotonic_ns(), event=event, **fields)) + "\n"

    def write(self, text):
        sys.stdout.write(text)
        sys.stdout.flush()

    def emit(self, event, **fields):
        with self.lock:
            self.write(self.line(event, **fields))

    # Reading

    def run(self):
        for line in sys.stdin:
            command = json.loads(line)
            getattr(self, command["command"])(command)
        os._exit(0)

    def hello(self, c):
        self.emit("hello", implementation=dict(name="miniature", version="1", language="Python"),
                  capabilities={name: self.offers(name) for name in c["capabilities"]})

    def offers(self, name): return name in CAPABILITIES

    def makeSession(self, c): pass

    def makeTask(self, c): self.tasks[c["task"]] = Task(c)

    def resume(self, c): threading.Thread(target=self.load, args=[self.tasks[c["task"]]], daemon=True).start()

    def cancel(self, c): self.complete(self.tasks[c["task"]], -999)

    def cancelProducingResumeData(self, c):
        task = self.tasks[c["task"]]
        with self.lock:
            if not task.is_done:
                self.emit("resumeDataProduced", task=task.name, length=self.resume_data_length(task))
            self.complete(task, -999)

    def invalidate(self, c):
        for task in [task for task in self.tasks.values() if task.session == c["session"] and c["cancelling"]]:
            self.complete(task, -999)
        self.tell_invalid(c["session"])

    def end(self, c): os._exit(0)

    # The implementation, with methods that the other adapters override

    def load(self, task):
        try:
            response = self.request(task)
            if task.is_done: return  # cancelled meanwhile
            earlier = self.tasks.get(task.command.get("resumesFrom"))
            if response.status == 206: task.held = earlier.held
            task.etag = response.headers.get("ETag")
            left = expected = response.length
            if not task.is_download: self.tell_response(task, response, expected)
            elif earlier: self.tell_resumed(task, len(task.held), len(task.held) + (expected or 0))
            total = len(task.held) + (expected or 0)
            while left is None or left > 0:
                piece = response.read1(PIECE if left is None else min(PIECE, left))
                if not piece and left is None: break
                if not piece: raise http.client.IncompleteRead(b"", left)
                left = None if left is None else left - len(piece)
                self.take(task, piece, total)
            with self.lock:
                if task.is_done: return
                if task.is_download: self.tell_file(task)
                self.complete(task)
        except (ConnectionError, http.client.IncompleteRead): self.complete(task, -1005)
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            self.complete(task, -1)

    def request(self, task):
        parts, earlier = urlsplit(task.url), self.tasks.get(task.command.get("resumesFrom"))
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
        headers = dict(task.command.get("headers", []))
        if earlier and self.resume_data_length(earlier):
            headers.update({"Range": f"bytes={len(earlier.held)}-", "If-Range": earlier.etag})
        connection.request(task.command.get("method", "GET"), parts.path or "/", headers=headers)
        return connection.getresponse()

    def take(self, task, piece, expected):
        with self.lock:
            if task.is_done: return
            task.held += piece
            if task.is_download: self.tell_written(task, len(piece), len(task.held), expected)
            else: self.tell_data(task, piece)

    def resume_data_length(self, task):
        """Returns None without a strong validator or without bytes."""
        can = task.is_download and task.held and (task.etag or "").startswith('"')
        return len(task.held) if can else None

    def tell_response(self, task, response, expected):
        self.emit("didReceiveResponse", task=task.name, status=response.status, url=task.url,
                  headers=[list(pair) for pair in response.headers.items()], expectedLength=-1 if expected is None else expected)

    def tell_resumed(self, task, offset, expected): self.emit("didResumeAtOffset", task=task.name, offset=offset, expected=expected)

    def tell_data(self, task, piece): self.emit("didReceiveData", task=task.name, data=piece)

    def tell_written(self, task, written, total, expected):
        self.emit("didWriteData", task=task.name, written=written, totalWritten=total, expected=expected)

    def tell_file(self, task):
        for offset in range(0, len(task.held), PIECE):
            self.emit("fileContent", task=task.name, offset=offset, data=task.held[offset:offset + PIECE])
        self.emit("didFinishDownloading", task=task.name, length=len(task.held))

    def tell_complete(self, task, fields): self.emit("didComplete", task=task.name, **fields)

    def tell_invalid(self, session): self.emit("didBecomeInvalid", session=session)

    def complete(self, task, code=None):
        with self.lock:
            if task.is_done: return
            fields = {}
            if code is not None:
                fields["error"] = dict(domain="NSURLErrorDomain", code=code, text="miniature")
                fields["resumeDataLength"] = self.resume_data_length(task)
            self.tell_complete(task, fields)
            task.is_done = True
