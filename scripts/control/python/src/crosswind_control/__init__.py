"""Changes the simulated network of the Crosswind lab that this program runs in.

    network = Network.current()
    network.wifi.down()

The page PROTOCOL.md of Crosswind describes the requests.
"""

import json
import os
import socket

__all__ = ["Change", "Interface", "LabError", "Network", "NotInLab", "Query", "Refused", "Request"]

VARIABLE = "CROSSWIND_CONTROL"
VERSION = 1


class LabError(Exception):
    """A request to the lab failed."""


class NotInLab(LabError):
    """This program does not run in a lab that it can change."""

    def __init__(self):
        super().__init__(f"needs a lab ({VARIABLE} is not set); run the tests under `crosswind exec -- ...`")


class Refused(LabError):
    """The lab refused the request; the text has the reason."""


class _Record:
    """An entry of the lab's history. Unknown fields of later versions are kept in `fields`."""

    def __init__(self, fields):
        self.fields = fields

    def __repr__(self):
        return f"{type(self).__name__}({self.fields!r})"


class Request(_Record):
    """A request that the lab's origin received."""

    number = property(lambda self: self.fields["number"])
    connection = property(lambda self: self.fields["connection"])
    method = property(lambda self: self.fields["method"])
    target = property(lambda self: self.fields["target"])
    body = property(lambda self: self.fields.get("body"), doc="The body, if it is short text.")
    status = property(lambda self: self.fields.get("status"), doc="None until the response begins.")
    sent = property(lambda self: self.fields.get("sent", 0), doc="Bytes of the response body that were sent.")
    complete = property(lambda self: self.fields.get("complete", False))
    time = property(lambda self: self.fields["time"] / 1e9, doc="Seconds since the start of the program.")

    def header(self, name):
        """Returns the first header of this name, or None."""
        values = [value for key, value in self.fields.get("headers", []) if key.lower() == name.lower()]
        return values[0] if values else None


class Query(_Record):
    """A DNS query that the lab's name servers received."""

    host = property(lambda self: self.fields["host"])
    type = property(lambda self: self.fields["type"])
    reply = property(lambda self: self.fields["reply"])
    time = property(lambda self: self.fields["time"] / 1e9)


class Change(_Record):
    """A change of the lab's network."""

    cause = property(lambda self: self.fields["cause"])
    changes = property(lambda self: self.fields["changes"])
    time = property(lambda self: self.fields["time"] / 1e9)


class Interface:
    """One interface of the lab."""

    def __init__(self, network, kind):
        self._network = network
        self.kind = kind

    def down(self):
        return self.set("down")

    def up(self):
        return self.set("up")

    def set(self, word=None, **fields):
        """Sets a state or a profile (`"edge"`), or effects: `set(both={"loss": "2%"})`, `set("lte", uplink={...})`."""
        if word is not None and fields:
            fields = {"profile": word, **fields}
        if word is None and not fields:
            raise ValueError("name a state, a profile or effects")
        return self._network.set({self.kind: fields or word})

    def flap(self, times, down_for, up_for):
        """Takes the interface down and up repeatedly; returns at once."""
        return self.set(flapping={"times": times, "downFor": down_for, "upFor": up_for})

    def renumber(self):
        return self._network.set({"renumber": [self.kind]})

    def end_connections(self, end="drop"):
        return self._network.set({"connections": {"on": self.kind, "end": end}})


class Network:
    """The network of one lab."""

    def __init__(self, path, timeout=60.0):
        self._path = path
        self._timeout = timeout
        self._start = 0
        self._starts = (0, 0)
        for kind in ("wifi", "cellular", "wired", "vpn"):
            setattr(self, kind, Interface(self, kind))

    @classmethod
    def current(cls):
        """Returns the network of the lab around this program; raises NotInLab outside a lab."""
        path = os.environ.get(VARIABLE)
        if not path:
            raise NotInLab()
        return cls(path)

    def ask(self, request, timeout=None):
        """Sends one request of the protocol and returns the reply as a dictionary."""
        line = json.dumps({"v": VERSION, **request}).encode() + b"\n"
        reply = b""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(self._timeout if timeout is None else timeout)
                connection.connect(self._path)
                connection.sendall(line)
                while not reply.endswith(b"\n"):
                    part = connection.recv(1 << 16)
                    if not part:
                        raise LabError("the lab closed the connection without a reply; it may have ended")
                    reply += part
        except OSError as error:
            raise LabError(f"cannot reach the lab at {self._path}: {error}") from error
        try:
            fields = json.loads(reply)
        except ValueError as error:
            raise LabError(f"the reply of the lab is not JSON: {reply[:80]!r}") from error
        if not isinstance(fields, dict) or fields.get("v") != VERSION:
            raise LabError(f"the lab does not use version {VERSION} of the control protocol; use matching versions")
        if "refused" in fields:
            raise Refused(fields["refused"])
        return fields

    def describe(self):
        return self.ask({"do": "describe"})["lab"]

    @property
    def interfaces(self):
        return [getattr(self, kind) for kind in self.describe().get("interfaces", []) if hasattr(self, kind)]

    def set(self, change):
        """Makes changes, in the words of `set:` in scenarios. Returns when they are in force, with their texts."""
        return self.ask({"do": "set", "change": change})["done"]

    def nat64(self, on=True):
        """Makes the network IPv6 only, with NAT64 and DNS64, or ends that."""
        return self.set({"nat64": on})

    def dns(self, host, reply, delay=None):
        """Sets the reply to a name: "origin", "nxdomain", "servfail", "silent" or a list of addresses."""
        return self.set({"dns": {host: reply if delay is None else {"reply": reply, "delay": delay}}})

    def faults(self, faults):
        """Replaces the faults of the lab's origin; an empty list removes them."""
        return self.ask({"do": "faults", "faults": faults})["done"]

    def after(self, change, **when):
        """Makes a change at a moment, counted from now: `after({"wifi": "down"}, packet=20)`. Returns at once.

        Name the interface with `on="wifi"` if the lab has several; packets are those of the downlink unless
        `direction="uplink"` is given. The keywords `delay`, `since_start` and `response_sent` are `after`, `sinceStart`
        and `responseSent` in the protocol; the others are the same.
        """
        return self.ask({"do": "after", "when": self._moment(when), "change": change})["done"]

    def wait(self, timeout=None, **when):
        """Waits for a moment, counted from now."""
        self.ask({"do": "after", "when": self._moment(when), "wait": True}, timeout)

    @staticmethod
    def _moment(when):
        words = {"delay": "after", "since_start": "sinceStart", "response_sent": "responseSent"}
        return {words.get(key, key): value for key, value in when.items()}

    def _seen(self, after):
        return self.ask({"do": "seen", "after": after})["seen"]

    def begin(self):
        """Makes `requests`, `queries` and `changes` begin here."""
        seen = self._seen(1 << 53)
        self._start = seen["requestCount"]
        times = [[entry["time"] for entry in seen[name]] for name in ("queries", "changes")]
        self._starts = tuple(max(found, default=-1) + 1 for found in times)

    def requests(self):
        """Returns the requests that the lab's origin has received since `begin`, or since the start."""
        return [Request(fields) for fields in self._seen(self._start)["requests"]]

    def queries(self):
        return [Query(entry) for entry in self._seen(1 << 53)["queries"] if entry["time"] >= self._starts[0]]

    def changes(self):
        return [Change(entry) for entry in self._seen(1 << 53)["changes"] if entry["time"] >= self._starts[1]]

    def reset(self):
        """Restores the network, the names and the faults of the lab's start."""
        return self.ask({"do": "reset"})["done"]
