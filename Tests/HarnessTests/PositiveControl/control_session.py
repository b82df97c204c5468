"""A correct session where stock implementations lack features: it waits for connectivity, never uses forbidden cellular, and keeps
a pool of connections. It shows that the scenarios about these can be passed, and how each of its mutants fails.

It extends the session of the Python adapter and adds only what that one lacks."""
import fcntl, http.client, os, select, socket, struct, threading
import python_session as base

MUTANT = os.environ.get("CROSSWIND_CONTROL_MUTANT", "")


class Paths:
    """Finds the interfaces with a default route, and wakes waiting tasks when the kernel reports a change."""
    GROUPS = 1 | 0x10 | 0x40 | 0x100 | 0x400  # RTMGRP_LINK, IPV4_IFADDR, IPV4_ROUTE, IPV6_IFADDR, IPV6_ROUTE

    def __init__(self):
        self.changed, self.generation = threading.Condition(), 0
        self.events = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self.events.bind((0, self.GROUPS))
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try: self.events.recv(65536)
            except OSError: pass  # an overrun: something has changed
            self.wake()

    def wake(self):
        with self.changed:
            self.generation += 1
            self.changed.notify_all()

    @staticmethod
    def leads_out(name):
        """Returns True if the interface is administratively up, has a carrier, and a default route uses it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            request = struct.pack("16sh14x", name.encode(), 0)
            try: flags = struct.unpack("16sh14x", fcntl.ioctl(probe, 0x8913, request))[1]  # SIOCGIFFLAGS
            except OSError: return False
            if flags & 0x41 != 0x41: return False  # IFF_UP, IFF_RUNNING
        # Connecting a bound socket does not show this: without a route the kernel treats every IPv4 address as a neighbour.
        with open("/proc/self/net/route") as four, open("/proc/self/net/ipv6_route") as six:
            if any(row[0] == name and row[1] == row[7] == "00000000" for row in map(str.split, four)): return True
            return any(row[9] == name and row[0] == "0" * 32 and row[1] == "00" for row in map(str.split, six))

    def allowed(self, may_use_cellular):
        names = [name for _, name in socket.if_nameindex() if name != "lo"]
        return [name for name in names if (may_use_cellular or not name.startswith("wwan")) and self.leads_out(name)]


class Pool:
    """Idle connections by scheme, host and port, and the number of all connections for each."""
    def __init__(self, limit):
        self.limit, self.idle, self.count, self.changed = limit, {}, {}, threading.Condition()

    def take(self, key, is_over):
        """Returns an idle connection, or None when a new one may be made."""
        with self.changed:
            while not is_over():
                idle = self.idle.get(key, [])
                while idle:
                    connection = idle.pop()
                    readable, _, _ = select.select([connection.sock], [], [], 0)
                    if not readable: return connection
                    connection.close()  # the server has closed it, or speaks out of turn
                    self.count[key] -= 1
                if self.count.get(key, 0) < self.limit or MUTANT == "ignores-limit":
                    self.count[key] = self.count.get(key, 0) + 1
                    return None
                self.changed.wait()
        raise base.Finished

    def put(self, key, connection, is_reusable):
        with self.changed:
            if is_reusable: self.idle.setdefault(key, []).append(connection)
            else: self.count[key] -= 1
            self.changed.notify_all()

    def wake(self):
        with self.changed: self.changed.notify_all()


PATHS = Paths()
KEPT = []  # what a mutant never closes


class Session(base.Session):
    def __init__(self, configuration, callback):
        super().__init__(configuration, callback)
        self.waits = configuration.get("waitsForConnectivity", False)
        self.may_use_cellular = configuration.get("allowsCellularAccess", True) or MUTANT == "uses-cellular"
        self.pool = Pool(configuration.get("maximumConnectionsPerHost", 6))

    def task(self, request, callback, resume_data):
        with self.lock:
            if self.is_invalid: raise RuntimeError("the session is invalidated")
            self.tasks.append(Task(self, request, callback, resume_data))
            return self.tasks[-1]


class Task(base.Task):
    key = last = None
    has_reported = is_reused = has_repeated = has_response = False

    @property
    def may_use_cellular(self):
        return self.session.may_use_cellular and (self.request.get("allowsCellularAccess", True) or MUTANT == "uses-cellular")

    def is_over(self): return self.state == "completed"

    def finish(self, *arguments, **named):
        super().finish(*arguments, **named)
        PATHS.wake()
        self.session.pool.wake()

    def report(self, event, **values):
        # The connection is free before the harness can start the next task.
        if event in ("didComplete", "completionHandler") and "error" not in values: self.let_go()
        super().report(event, **values)

    def receive(self, response, url):
        try: return super().receive(response, url)
        except (base.Problem, OSError):
            if MUTANT != "waits-again": raise
            self.report("taskIsWaitingForConnectivity")
            raise

    def exchange(self, url, method, headers, body):
        try: answer = super().exchange(url, method, headers, body)
        except (ConnectionResetError, BrokenPipeError):
            # The server closed a kept-alive connection before any byte of the response: repeat once, and only repeatable methods.
            may_repeat = method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE")
            if not self.is_reused or self.has_repeated or not may_repeat: raise
            self.has_repeated = True
            answer = super().exchange(url, method, headers, body)
        self.last, self.has_response = answer, True
        return answer

    def connect(self, scheme, host, port, proxy):
        assert not proxy, "the control does not support proxies"
        key = (scheme, host, port)
        if MUTANT == "no-reuse": key += (id(self),)
        if MUTANT == "one-limit-for-all": key = "all"
        while True:
            generation = PATHS.generation
            names = PATHS.allowed(self.may_use_cellular)
            problem = base.Problem(base.OFFLINE, "no allowed interface leads out")
            if names:
                connection = self.session.pool.take(key, self.is_over)
                self.is_reused = connection is not None
                if connection: return self.hold(key, connection)
                try: return self.hold(key, self.dial(scheme, host, port, names[0] if not self.may_use_cellular else None))
                except base.Finished: raise
                except Exception as error:
                    self.session.pool.put(key, None, False)
                    problem = error
            # A task that had a response does not wait before its next request, such as that of a redirect.
            may_wait = self.session.waits and not self.has_response
            # Right after a change of the path a lookup can fail for now; that says nothing about the name.
            is_early_lookup = self.has_reported and getattr(problem, "errno", None) == socket.EAI_AGAIN
            if not may_wait or not (is_early_lookup or self.is_about_the_path(problem)): raise problem
            if MUTANT == "no-attempt" and names: raise problem
            self.wait(generation)

    def hold(self, key, connection):
        self.key, self.last = key, None
        connection.sock.settimeout(self.patience)
        return connection

    def dial(self, scheme, host, port, device):
        """Makes one attempt. While the session waits for connectivity the request timer is off, and an attempt may take as long."""
        if scheme == "http": connection = http.client.HTTPConnection(host, port, timeout=self.patience)
        else: connection = http.client.HTTPSConnection(host, port, timeout=self.patience, context=self.session.tls)
        connection._create_connection = lambda *given: self.bound(device, *given)
        limit = None if self.session.waits and MUTANT != "times-the-wait" else self.after(self.patience, "no connection")
        try: connection.connect()
        finally:
            if limit: limit.cancel()
        if self.is_over():
            connection.close()
            self.session.pool.put((scheme, host, port), None, False)
            raise base.Finished
        return connection

    @staticmethod
    def bound(device, address, timeout, source):
        """Tries one address after another, bound to the device if given. Unresponsive addresses leave time for the others."""
        problem, places = None, socket.getaddrinfo(*address, 0, socket.SOCK_STREAM)
        for number, (family, kind, protocol, _, place) in enumerate(places, 1):
            try:
                made = socket.socket(family, kind, protocol)
                if device: made.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
                made.settimeout(timeout if number == len(places) else min(timeout, 2))
                made.connect(place)
                return made
            except OSError as error: problem = error
        raise problem

    def is_about_the_path(self, problem):
        """Returns True for errors of the path, which lead to waiting; a wrong name, certificate or response does not."""
        return base.code_of(problem) in (base.OFFLINE, base.NO_CONNECTION, base.TIMED_OUT, base.LOST)

    def wait(self, generation):
        if not self.has_reported or MUTANT == "reports-twice": self.report("taskIsWaitingForConnectivity")
        self.has_reported = True
        timer = self.after(self.patience, "the request timer ran while waiting") if MUTANT == "times-the-wait" else None
        with PATHS.changed:
            # A path without changes may work later: the attempt is repeated after a pause.
            pause = 0.01 if MUTANT == "polls" else 1.0
            while PATHS.generation == generation and not self.is_over():
                if not PATHS.changed.wait(pause) and PATHS.allowed(self.may_use_cellular): break
        if timer: timer.cancel()
        if self.is_over(): raise base.Finished

    def let_go(self):
        """Returns the connection to the pool when the response was read to its end and the server keeps the connection open."""
        connection, self.connection = self.connection, None
        if not connection: return
        answer, key = self.last, self.key
        if answer and connection.sock and not answer.isclosed() and answer.length is not None and answer.length <= 65536 and not self.is_over():
            try: answer.read()
            except (OSError, http.client.HTTPException): pass
        if answer and answer.length == 0: answer.close()  # nothing is left; http.client does not notice
        is_reusable = bool(answer and connection.sock and answer.isclosed() and not answer.will_close)
        if MUTANT == "keeps-connection":
            KEPT.append(connection)
        elif not is_reusable:
            try:
                if connection.sock: connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError: pass
        self.session.pool.put(key, connection, is_reusable)
