"""A correct session for a client that delays decisions, keeps deliveries, supplies streams, and continues uploads
(draft-ietf-httpbis-resumable-upload, interop version 8). Its mutants are each wrong in one decision."""
import http.client, json, os, select, tempfile, threading
from urllib.parse import urljoin, urlsplit
import control_session, python_session as base

MUTANT = control_session.MUTANT
ASKS = dict(didReceiveChallenge="challenge", willPerformRedirect="redirect", didReceiveResponse="response")
CAPABILITIES = "streamedUpload uploadResumeData heldDecisions readRetained informationalResponse"
COMMANDS = """
    release=lambda c: tasks[c["task"]].release(),
    readRetained=lambda c: tasks[c["task"]].read_retained(lambda event, **fields: emit(event, task=c["task"], **fields)),
"""
VERSION = ("Upload-Draft-Interop-Version", "8")


class Task(control_session.Task):
    upload = upload_length = kept = place = None
    streams = 0

    def __init__(self, session, request, callback, resume_data):
        self.holds, self.released, self.delivered = request.get("held", []), threading.Semaphore(0), []
        going_on = resume_data if request["kind"] == "upload" else None
        super().__init__(session, request, callback, None if going_on else resume_data)
        if going_on:
            self.upload, body = json.loads(going_on), bytes.fromhex(json.loads(going_on)["body"])
            request["body"] = body

    # Decisions that the client delays

    def report(self, event, **fields):
        super().report(event, **fields)
        if event == "didReceiveData" and self.request.get("retainsDelivered"): self.delivered.append(fields["data"])
        if ASKS.get(event) in self.holds and MUTANT != "does-not-wait":
            self.released.acquire()
            if self.is_over(): raise base.Finished

    def release(self): self.released.release()

    # Kept deliveries

    def hand_over(self):
        if not self.content or not self.is_download or self.has_handler: return super().hand_over()
        self.content.seek(0)
        descriptor, self.place = tempfile.mkstemp()
        with os.fdopen(descriptor, "wb") as file: file.write(self.content.read())
        if self.request.get("retainsDelivered"):
            self.kept = self.place + ".kept"
            os.rename(self.place, self.kept)
            self.report("didFinishDownloading", length=os.path.getsize(self.kept))
        else: super().hand_over()
        if os.path.exists(self.place) and MUTANT != "leaves-the-file": os.remove(self.place)
        if self.kept and MUTANT == "spoils-the-file": os.truncate(self.kept, 100)

    def read_retained(self, emit):
        kept = open(self.kept, "rb").read() if self.kept else b"".join(self.delivered)
        for offset in range(0, len(kept), base.PIECE): emit("retainedContent", offset=offset, data=kept[offset:offset + base.PIECE])
        emit("retained", length=len(kept) if self.kept or self.delivered else None,
             isInPlace=os.path.exists(self.place) if self.place else None)

    # Uploads

    def load(self):
        if self.upload: return self.go_on()
        return super().load()

    def exchange(self, url, method, headers, body):
        if "stream" in self.request:
            if self.streams == 0 or MUTANT != "asks-once": self.report("needNewBodyStream")
            supplies = self.request["stream"].get("supplies")
            if supplies is not None and self.streams >= supplies: raise base.Problem(-1021, "the delegate does not supply a stream")
            self.streams += 1
        if self.request["kind"] != "upload" or method not in ("POST", "PUT"): return super().exchange(url, method, headers, body)
        complete = [VERSION, ("Upload-Complete", "?1")]
        return self.send(url, method, headers + complete, body)

    def send(self, url, method, headers, body):
        """Sends one request on a connection of its own and reports the events before the final response."""
        parts = urlsplit(url)
        connection = self.connect(parts.scheme, parts.hostname, parts.port, None)
        with self.lock:
            self.connection, self.sent, self.to_send = connection, 0, len(body)
            if self.is_over(): raise base.Finished
        connection.putrequest(method, parts.path + ("?" + parts.query if parts.query else ""))
        for name, value in headers: connection.putheader(name, value)
        if body or method != "HEAD": connection.putheader("Content-Length", len(body))
        if self.origin.credential: connection.putheader("Authorization", self.authorization(self.origin, method, parts.path))
        connection.endheaders()
        reader = connection.sock.makefile("rb")
        while self.sent < len(body):
            readable, _, _ = select.select([connection.sock], [], [], 0.05 if self.sent == 0 else 0)
            if readable and not self.interim(reader, url): break
            count = connection.sock.send(body[self.sent:self.sent + base.PIECE])
            self.sent += count
            self.report("didSendBodyData", sent=count, totalSent=self.sent, expected=len(body))
        while reader.peek(12)[9:10] == b"1": self.interim(reader, url)
        answer = http.client.HTTPResponse(connection.sock, method=method)
        answer.fp = reader
        answer.begin()
        connection._HTTPConnection__state = "Idle"  # read past http.client, which still waits for the response and would not accept another request
        self.last = answer
        return answer

    def interim(self, reader, url):
        """Reads one 1xx response; returns False when the next one is the final response."""
        if reader.peek(12)[9:10] != b"1": return False
        status = int(reader.readline().split()[1])
        headers = http.client.parse_headers(reader)
        self.report("didReceiveInformationalResponse", status=status)
        if status == 104 and headers.get("Upload-Draft-Interop-Version") == "8" and headers.get("Location"):
            self.upload = dict(location=urljoin(url, headers["Location"]), body=self.request.get("body", b"").hex())
        return True

    def keep_resume_data(self):
        if self.request["kind"] != "upload": return super().keep_resume_data()
        self.resume_data = json.dumps(self.upload) if self.upload else None
        return self.resume_data

    def go_on(self):
        url, body = self.upload["location"], self.request["body"]
        state = self.send(url, "HEAD", [VERSION], b"")
        if state.status // 100 != 2: raise base.Problem(base.BAD_RESPONSE, f"the upload does not exist any more: {state.status}")
        self.let_go()
        offset = int(state.headers["Upload-Offset"])
        if MUTANT == "guesses-the-offset": offset = 0
        fields = [VERSION, ("Upload-Complete", "?1"), ("Upload-Offset", str(offset)), ("Content-Type", "application/partial-upload")]
        return self.receive(self.send(url, "PATCH", fields, body[offset:]), url)


control_session.Task = Task
