#!/usr/bin/env python3
"""httpx sends a cookie that was set without Domain to a subdomain of its host (Python's http.cookiejar).

RFC 6265 §5.4: "Either: The cookie's host-only-flag is true and the canonicalized request-host is identical to the cookie's domain. Or: ..."

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

resolve = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **options: resolve("127.0.0.1" if str(host).endswith(".test") else host, *rest, **options)

port, seen = serve(b"HTTP/1.1 200 OK\r\nSet-Cookie: s=1; Path=/\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
with httpx.Client(follow_redirects=True, trust_env=False) as session:
    session.get(f"http://api.test:{port}/", headers={"Connection": "close"})
    session.get(f"http://sub.api.test:{port}/")
sent = [line for line in seen[1].split("\r\n") if line.lower().startswith("cookie")]
print(f"httpx {httpx.__version__}: the request to sub.api.test has {sent or 'no cookie'}")
sys.exit(1 if sent else 0)
