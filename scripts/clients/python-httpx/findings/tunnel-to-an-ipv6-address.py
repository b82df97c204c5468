#!/usr/bin/env python3
"""httpx asks a proxy for a tunnel to an IPv6 address without the brackets around it.

RFC 9112 §3.2.3: "authority-form = uri-host ":" port", where uri-host is the host of RFC 3986 §3.2.2: "A host identified by an Internet Protocol
literal address, version 6 [RFC3513] or later, is distinguished by enclosing the IP literal within square brackets ("[" and "]")."

Exit status 1 while the defect is there. Needs only the client and a socket."""
import socket, sys, threading, time
import httpx

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

port, seen = serve(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
try:
    with httpx.Client(proxy=f"http://127.0.0.1:{port}", trust_env=False) as session: session.get("https://[2001:db8::10]/hello")
except httpx.HTTPError: pass
line = seen[0].split("\r\n")[0]
print(f"httpx {httpx.__version__}: {line}")
sys.exit(1 if line != "CONNECT [2001:db8::10]:443 HTTP/1.1" else 0)
