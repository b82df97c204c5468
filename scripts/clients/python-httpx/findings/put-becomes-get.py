#!/usr/bin/env python3
"""httpx repeats a PUT as GET without its body when it is redirected with 302.

RFC 9110 §15.4.3: "For historical reasons, a user agent MAY change the request method from POST to GET for the subsequent request." It does
not allow this for other methods; the PUT is lost and reported as success.

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

port, seen = serve(b"HTTP/1.1 302 Found\r\nLocation: /done\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
with httpx.Client(follow_redirects=True, trust_env=False) as session: response = session.put(f"http://127.0.0.1:{port}/a", content=b"a=1")
method = seen[1].split()[0]
print(f"httpx {httpx.__version__}: status {response.status_code}, the second request is a {method}")
sys.exit(1 if method != "PUT" else 0)
