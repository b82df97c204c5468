#!/usr/bin/env python3
"""requests keeps the whitespace after a field value.

RFC 9112 §5.1: "The field line value does not include that leading or trailing whitespace: OWS occurring before the first non-whitespace octet of
the field line value, or after the last non-whitespace octet of the field line value, is excluded by parsers when extracting the field line value
from a field line."

Exit status 1 while the defect is there. Needs only the client and a socket."""
import socket, sys, threading, time
import requests

def serve(*responses, hold=False):
    """Serves one connection after the other; each request on any of them gets the next response. Returns the port and the requests."""
    listener, seen, left = socket.create_server(("127.0.0.1", 0)), [], list(responses)
    def run():
        while left:
            connection, _ = listener.accept()
            connection.settimeout(3)
            try:
                while left:
                    data = b""
                    while b"\r\n\r\n" not in data: data += connection.recv(65536) or (_ for _ in ()).throw(EOFError)
                    head, _, rest = data.partition(b"\r\n\r\n")
                    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
                    while len(rest) < length: rest += connection.recv(65536)
                    seen.append(data.decode("latin-1"))
                    connection.sendall(left.pop(0))
                if hold: time.sleep(10)
            except (EOFError, OSError): pass
            connection.close()
    threading.Thread(target=run, daemon=True).start()
    return listener.getsockname()[1], seen

port, _ = serve(b"HTTP/1.1 200 OK\r\nX-Wide: \t 2 \t\r\nContent-Length: 2\r\n\r\nok")
value = requests.get(f"http://127.0.0.1:{port}/").headers["X-Wide"]
print(f"requests {requests.__version__}: the value is {value!r}")
sys.exit(1 if value != "2" else 0)
