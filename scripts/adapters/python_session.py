"""A small session on http.client with an API like URLSession's: one thread per task, results through callbacks.
It does not depend on Crosswind.

A callback receives the name of the event and its values by keyword; bytes are in `data`."""
import base64, errno, hashlib, http.client, json, os, socket, ssl, tempfile, threading
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import getproxies_environment, parse_http_list, parse_keqv_list, proxy_bypass_environment

PIECE = 64 * 1024
CANCELLED, BAD_URL, TIMED_OUT, UNSUPPORTED_URL, NO_HOST, NO_CONNECTION = -999, -1000, -1001, -1002, -1003, -1004
LOST, TOO_MANY_REDIRECTS, OFFLINE, BAD_RESPONSE, NO_FILE, TLS_FAILED, CANNOT_WRITE = -1005, -1007, -1009, -1017, -1100, -1200, -3003
# OpenSSL's reasons: not yet valid, expired, unknown root (twice); all others count as "untrusted".
CERTIFICATE_CODES, UNTRUSTED = {9: -1204, 10: -1201, 19: -1203, 20: -1203}, -1202


class Problem(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Finished(Exception):
    """Raised in the thread of a task that has completed meanwhile."""


def is_offline():
    """Returns true without any route; connecting a datagram socket sends no packet."""
    for family, address in ((socket.AF_INET, "198.18.0.1"), (socket.AF_INET6, "2001:db8:ffff::1")):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            if probe.connect_ex((address, 9)) == 0:
                return False
    return True


def code_of(error):
    """Returns the URL error code for an exception; the order matters, as many of these are OSErrors."""
    number = getattr(error, "errno", None)
    if isinstance(error, Problem): return error.code
    if isinstance(error, socket.gaierror): return OFFLINE if is_offline() else NO_HOST
    if isinstance(error, TimeoutError): return TIMED_OUT
    if isinstance(error, ssl.SSLCertVerificationError): return CERTIFICATE_CODES.get(error.verify_code, UNTRUSTED)
    if isinstance(error, (ConnectionResetError, BrokenPipeError, http.client.IncompleteRead, ssl.SSLEOFError)): return LOST
    if isinstance(error, ssl.SSLError): return TLS_FAILED
    if isinstance(error, http.client.InvalidURL): return BAD_URL
    if isinstance(error, http.client.HTTPException): return BAD_RESPONSE
    if number in (errno.ENOSPC, errno.EDQUOT): return CANNOT_WRITE
    if number in (errno.ENETUNREACH, errno.ENETDOWN): return OFFLINE
    if number in (errno.ECONNREFUSED, errno.EHOSTUNREACH): return NO_CONNECTION
    return -1


class Requester:
    """A server that requests credentials, the origin or a proxy, and the credential sent to it."""
    def __init__(self, status, question, answer):
        self.status, self.question, self.answer = status, question, answer
        self.credential, self.space, self.failures = None, {}, 0


class Session:
    def __init__(self, configuration, callback):
        self.configuration, self.callback, self.tasks = configuration, callback, []
        self.lock, self.is_invalid, self.is_over = threading.RLock(), False, False
        self.tls = ssl.create_default_context()  # trusts SSL_CERT_FILE, otherwise the system's authorities
        minimum, maximum = configuration.get("minimumTLSVersion"), configuration.get("maximumTLSVersion")
        if minimum: self.tls.minimum_version = self.version(minimum)
        if maximum: self.tls.maximum_version = self.version(maximum)
        if maximum in ("1.0", "1.1"): self.tls.set_ciphers("DEFAULT:@SECLEVEL=0")  # OpenSSL 3 requires this for them

    @staticmethod
    def version(text): return ssl.TLSVersion["TLSv1" if text == "1.0" else "TLSv" + text.replace(".", "_")]

    def proxy(self, scheme, host):
        """Returns the session's own proxy, otherwise the environment's: kind, host, port, user and password; or None."""
        own = self.configuration.get("proxy")
        if own: return own["kind"], own["host"], own["port"], own.get("user"), own.get("password")
        url = getproxies_environment().get(scheme)
        if not url or proxy_bypass_environment(host): return None
        parts = urlsplit(url)
        kind = "socks5" if parts.scheme.startswith("socks5") else parts.scheme
        return kind, parts.hostname, parts.port or (1080 if kind == "socks5" else 80), parts.username, parts.password

    def task(self, request, callback, resume_data):
        with self.lock:
            if self.is_invalid: raise RuntimeError("the session is invalidated")
            self.tasks.append(Task(self, request, callback, resume_data))
            return self.tasks[-1]

    def outstanding(self):
        """Returns the tasks that have not completed, with their numbers."""
        with self.lock: return [(number, task) for number, task in enumerate(self.tasks, 1) if task.state != "completed"]

    def invalidate(self, cancelling):
        self.is_invalid = True
        for task in list(self.tasks) if cancelling else []:
            task.cancel()
        self.settle()

    def settle(self):
        """Reports once that an invalidated session has ended, after its last task."""
        with self.lock:
            if not self.is_invalid or self.is_over or any(task.state != "completed" for task in self.tasks): return
            self.is_over = True
            self.callback("didBecomeInvalid")


class Task:
    def __init__(self, session, request, callback, resume_data):
        self.session, self.request, self.callback = session, request, callback
        self.earlier = resume_data and json.loads(resume_data)
        self.lock, self.state, self.timer, self.connection = threading.RLock(), "suspended", None, None
        self.is_download, self.has_handler = request["kind"] == "download", request["delivery"] == "completionHandler"
        self.patience = request.get("timeout", session.configuration.get("requestTimeout", 60))
        self.offset = self.received = self.sent = self.to_send = 0
        self.expected, self.response = -1, None
        self.origin, self.proxy = Requester(401, "WWW-Authenticate", "Authorization"), Requester(407, "Proxy-Authenticate", "Proxy-Authorization")
        self.content, self.etag, self.resume_data = None, None, None

    def report(self, event, **fields):
        """Calls the callback; never after the completion."""
        with self.lock:
            if self.state == "completed": raise Finished
            self.callback(event, **fields)

    def start(self):
        with self.lock:
            if self.state != "suspended": return
            self.state = "running"
        self.timer = self.after(self.session.configuration.get("resourceTimeout", 7 * 86400), "the resource timeout")
        threading.Thread(target=self.run, daemon=True).start()

    def after(self, seconds, text):
        timer = threading.Timer(seconds, self.finish, (TIMED_OUT, text))
        timer.daemon = True
        timer.start()
        return timer

    def cancel(self): self.finish(CANCELLED, "cancelled", resumable=False)

    def cancel_producing_resume_data(self):
        with self.lock:
            if self.state == "completed": return
            self.report("resumeDataProduced", length=len(self.resume_data) if self.keep_resume_data() else None)
            self.finish(CANCELLED, "cancelled")

    def counters(self):
        return dict(state=self.state, bytesReceived=self.received, bytesSent=self.sent, expectedToReceive=self.expected,
                    expectedToSend=self.to_send)

    def run(self):
        try:
            self.load()
            self.finish()
        except Finished: pass
        except Exception as error: self.finish(code_of(error), f"{type(error).__name__}: {error}")

    def finish(self, code=None, text="", resumable=True):
        """Completes the task once, from the first thread that calls this."""
        with self.lock:
            if self.state == "completed": return
            end = {}
            if code is None: self.hand_over()
            else: end["error"] = dict(domain="NSURLErrorDomain", code=code, text=text)
            if code is not None and resumable and self.keep_resume_data(): end["resumeDataLength"] = len(self.resume_data)
            if self.has_handler and code is None: end["response"] = self.response
            self.report("completionHandler" if self.has_handler else "didComplete", **end)
            self.state = "completed"
            if self.timer: self.timer.cancel()
            self.let_go()
        self.session.settle()

    def hand_over(self):
        """Reports data delivered as a whole at the end: a download's file, or the data for a completion handler."""
        if not self.content: return
        length = self.content.seek(0, os.SEEK_END)
        self.content.seek(0)
        for offset in range(0, length, PIECE):
            if self.is_download: self.report("fileContent", offset=offset, data=self.content.read(PIECE))
            else: self.report("didReceiveData", data=self.content.read(PIECE))
        if self.is_download and not self.has_handler: self.report("didFinishDownloading", length=length)

    def keep_resume_data(self):
        """Creates resume data, only for a GET with a strong validator: a weak one never matches in If-Range (RFC 9110 13.1.5)."""
        if self.content and self.is_download and self.etag and self.request.get("method", "GET") == "GET":
            self.content.seek(0)
            held = base64.b64encode(self.content.read()).decode()
            self.resume_data = json.dumps(dict(etag=self.etag, held=held))
        return self.resume_data

    def load(self):
        """Sends requests until a final response: redirects, challenges and unusable ranges lead to another request."""
        request, redirects = self.request, 0
        url, body = request["url"], request.get("body", b"")
        method = request.get("method", "POST" if request["kind"] == "upload" else "GET")
        own = {name.lower() for name, _ in request.get("headers", [])}
        headers = [pair for pair in self.session.configuration.get("headers", []) if pair[0].lower() not in own]
        headers += request.get("headers", [])
        while True:
            response = self.exchange(url, method, headers, body)
            status, location = response.status, response.headers.get("Location")
            if status in (301, 302, 303, 307, 308) and location:
                redirects += 1
                if redirects > 16: raise Problem(TOO_MANY_REDIRECTS, "more than 16 redirects")
                target, becomes_get = urljoin(url, location), status == 303 and method != "HEAD" or status < 303 and method == "POST"
                self.report("willPerformRedirect", status=status, url=target, method="GET" if becomes_get else method)
                if request.get("redirect") != "refuse":
                    if request.get("redirect") == "to": target = request["redirectURL"]
                    if becomes_get: method, body = "GET", b""
                    if urlsplit(target)[:2] != urlsplit(url)[:2]:  # credentials for one origin are not sent to another
                        headers, self.origin.credential = [pair for pair in headers if pair[0].lower() != "authorization"], None
                    url = target
                    continue
            host = urlsplit(url).hostname
            if status == 401 and self.answer_challenge(response.headers, self.origin, host): continue
            if status == 407 and self.answer_challenge(response.headers, self.proxy, host): continue
            if self.earlier and (status == 416 or status == 206 and not self.continues(response)):
                self.earlier = None  # unusable for the held part: restart from the beginning
                continue
            return self.receive(response, url)

    def exchange(self, url, method, headers, body):
        """Sends one request and returns the head of the response."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError as error: raise Problem(BAD_URL, str(error))
        if parts.scheme not in ("http", "https"): raise Problem(UNSUPPORTED_URL, f"the scheme of {url}")
        if not host: raise Problem(BAD_URL, f"no host in {url}")
        self.let_go()
        proxy = self.session.proxy(parts.scheme, host)
        connection = self.connect(parts.scheme, host, port, proxy)
        with self.lock:
            self.connection, self.sent, self.to_send = connection, 0, len(body)
            if self.state == "completed":
                self.let_go()
                raise Finished
        own, safe = {name.lower() for name, _ in headers}, "/?%:@!$&'()*+,;=~"
        target = quote(parts.path or "/", safe) + ("?" + quote(parts.query, safe) if parts.query else "")
        is_relayed = proxy and parts.scheme == "http" and proxy[0] != "socks5"
        if is_relayed: target = f"http://{parts.netloc.rpartition('@')[2]}{target}"  # RFC 9112 3.2.2
        connection.putrequest(method, target, skip_host="host" in own, skip_accept_encoding="accept-encoding" in own)
        for name, value in headers: connection.putheader(name, value.encode())
        if "content-length" not in own and (body or method in ("POST", "PUT", "PATCH")):
            connection.putheader("Content-Length", len(body))
        if self.earlier:
            connection.putheader("Range", f"bytes={len(self.held())}-")
            connection.putheader("If-Range", self.earlier["etag"])
        for requester in [self.origin] + [self.proxy] * bool(is_relayed):
            if requester.credential: connection.putheader(requester.answer, self.authorization(requester, method, target))
        connection.endheaders()
        while self.sent < len(body):
            count = connection.sock.send(body[self.sent:self.sent + PIECE])
            self.sent += count
            self.report("didSendBodyData", sent=count, totalSent=self.sent, expected=len(body))
        return connection.getresponse()

    def connect(self, scheme, host, port, proxy):
        """Returns a connection for this task; the limit covers the lookup and all addresses together."""
        # Without a port http.client takes the last group of an IPv6 address for one.
        port = port or (80 if scheme == "http" else 443)
        if scheme == "http": connection = http.client.HTTPConnection(host, port, timeout=self.patience)
        else: connection = http.client.HTTPSConnection(host, port, timeout=self.patience, context=self.session.tls)
        limit = self.after(self.patience, "no connection")
        try:
            if not proxy: connection.connect()
            else: connection.sock = self.proxied(scheme, host, port, proxy)
        finally: limit.cancel()
        return connection

    def proxied(self, scheme, host, port, proxy):
        """Returns a socket to the origin, or to a proxy that forwards requests."""
        kind, *place, user, password = proxy
        if kind not in ("http", "socks5"): raise Problem(UNSUPPORTED_URL, f"a proxy of the kind {kind}")
        while True:
            sock = socket.create_connection(tuple(place), self.patience)
            if kind == "socks5": self.ask_socks(sock, host, port, user, password)
            elif scheme == "https" and not self.ask_tunnel(sock, host, port):
                sock.close()
                continue
            return self.session.tls.wrap_socket(sock, server_hostname=host) if scheme == "https" else sock

    def ask_tunnel(self, sock, host, port):
        """Sends CONNECT (RFC 9110 9.3.6); returns False if it must be repeated with a credential."""
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if self.proxy.credential: lines.append(f"{self.proxy.answer}: {self.authorization(self.proxy, 'CONNECT', target)}")
        sock.sendall("\r\n".join(lines + ["", ""]).encode())
        response = http.client.HTTPResponse(sock, method="CONNECT")
        response.begin()
        if response.status // 100 == 2: return True
        if response.status == 407 and self.answer_challenge(response.headers, self.proxy, host): return False
        raise Problem(NO_CONNECTION, f"the proxy responded to CONNECT with {response.status}")

    def ask_socks(self, sock, host, port, user, password):
        """Connects through a SOCKS proxy (RFC 1928, RFC 1929), which resolves the name."""
        def read(count):
            data = b""
            while len(data) < count:
                piece = sock.recv(count - len(data))
                if not piece: raise Problem(LOST, "the SOCKS proxy closed the connection")
                data += piece
            return data
        sock.sendall(b"\5\2\0\2" if user else b"\5\1\0")
        method = read(2)[1]
        if method == 2 and user:
            pair = [text.encode() for text in (user, password)]
            sock.sendall(b"\1" + b"".join(bytes([len(part)]) + part for part in pair))
            if read(2)[1]: raise Problem(NO_CONNECTION, "the SOCKS proxy rejected user and password")
        elif method: raise Problem(NO_CONNECTION, f"the SOCKS proxy selected method {method}, which was not offered")
        name = host.encode("idna")
        sock.sendall(b"\5\1\0\3" + bytes([len(name)]) + name + port.to_bytes(2, "big"))
        _, reply, _, kind = read(4)
        read({1: 4, 4: 16}.get(kind) or read(1)[0])
        read(2)
        if reply: raise Problem(NO_CONNECTION, f"the SOCKS proxy replied with error {reply}")

    def let_go(self):
        """Closes the connection, which also wakes a thread that reads from it."""
        connection, self.connection = self.connection, None
        try:
            if connection and connection.sock: connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError: pass

    def answer_challenge(self, headers, requester, host):
        """Returns True if the request must be repeated with a credential."""
        schemes = {text.split(" ", 1)[0].lower(): text for text in headers.get_all(requester.question, [])}
        scheme, answers = "digest" if "digest" in schemes else "basic", self.request.get("challenges")
        if scheme not in schemes or not answers: return False
        requester.space = dict(parse_keqv_list(parse_http_list(schemes[scheme].split(" ", 1)[1])), scheme=scheme)
        if requester.credential and requester.space.get("stale", "").lower() == "true": return True  # the credential is correct, only the nonce expired
        self.report("didReceiveChallenge", level="task", method="http" + scheme.capitalize(), realm=requester.space.get("realm"),
                  host=host if requester is self.origin else self.session.proxy(urlsplit(self.request["url"]).scheme, host)[1],
                  isProxy=requester is self.proxy, previousFailureCount=requester.failures)
        answer, refused = answers[min(requester.failures, len(answers) - 1)], requester.credential
        requester.failures += 1
        if answer["decision"] == "cancel":
            self.cancel()
            raise Finished
        requester.credential = (answer["user"], answer["password"]) if answer["decision"] == "credential" else None
        return requester.credential not in (None, refused)  # repeating a rejected one would never end

    def authorization(self, requester, method, target):
        (user, password), space = requester.credential, requester.space
        if space["scheme"] == "basic": return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
        algorithm, nonce, own = space.get("algorithm", "MD5"), space["nonce"], os.urandom(8).hex()
        def digest(*parts): return hashlib.new(algorithm.replace("-", ""), ":".join(parts).encode()).hexdigest()
        middle = (nonce, "00000001", own, "auth") if "qop" in space else (nonce,)  # RFC 7616 3.4.1
        proof = digest(digest(user, space["realm"], password), *middle, digest(method, target))
        fields = dict(username=user, realm=space["realm"], nonce=nonce, uri=target, response=proof)
        if "opaque" in space: fields["opaque"] = space["opaque"]
        tail = f', qop=auth, nc=00000001, cnonce="{own}"' if "qop" in space else ""
        return "Digest " + ", ".join(f'{key}="{value}"' for key, value in fields.items()) + f", algorithm={algorithm}" + tail

    def held(self): return base64.b64decode(self.earlier["held"])

    def continues(self, response):
        """Returns True if a 206 continues the held bytes: it starts after them and has the same version."""
        starts = response.headers.get("Content-Range", "").startswith(f"bytes {len(self.held())}-")
        return starts and response.headers.get("ETag", self.earlier["etag"]) == self.earlier["etag"]

    def receive(self, response, url):
        heads, left = response.headers, response.length
        length = int(heads["Content-Length"]) if heads.get("Content-Length", "").isdigit() else -1
        self.expected, is_rest = length, bool(self.earlier) and response.status == 206
        self.response = dict(status=response.status, url=url, headers=[list(pair) for pair in heads.items()], expectedLength=length)
        if not (self.is_download or self.has_handler):
            self.report("didReceiveResponse", **self.response)
            if self.request.get("response") == "cancel":
                self.cancel()
                raise Finished
            if self.request.get("response") == "becomeDownload":
                self.report("didBecomeDownload")
                self.is_download = True
        if self.is_download or self.has_handler: self.content = tempfile.TemporaryFile(buffering=0)
        etag = heads.get("ETag", self.earlier["etag"] if is_rest else "")
        if response.status in (200, 206) and etag.startswith('"') and heads.get("Accept-Ranges") != "none": self.etag = etag
        if self.earlier:
            if is_rest:
                held = self.held()
                self.keep(held)
                self.offset = len(held)
            if length >= 0: self.expected = self.offset + length
            self.report("didResumeAtOffset", offset=self.offset, expected=self.expected)
        while left is None or left > 0:
            piece = response.read1(PIECE if left is None else min(PIECE, left))
            if not piece and left is None: return
            if not piece: raise Problem(LOST, f"the connection ended {left} bytes before the body did")
            if left is not None: left -= len(piece)
            self.take(piece)

    def keep(self, piece):
        """Writes all of it at once: a buffer would meet a full disk only when the file is read."""
        while piece: piece = piece[self.content.write(piece):]

    def take(self, piece):
        with self.lock:
            if self.state == "completed": raise Finished
            self.received += len(piece)
            if self.content: self.keep(piece)
            if self.has_handler: return
            if not self.is_download: return self.report("didReceiveData", data=piece)
            self.report("didWriteData", written=len(piece), totalWritten=self.offset + self.received, expected=self.expected)
