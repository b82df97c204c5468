#!/usr/bin/env python3
"""httpx (httpcore, h11) takes bytes after a complete response for the response to the next request.

RFC 9112 §6.3: "A client MUST NOT process, cache, or forward such extra data as a separate response, since such behavior would be vulnerable to cache
poisoning."

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

forged = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
port, _ = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none" + forged, b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo")
with httpx.Client(trust_env=False) as client:
    client.get(f"http://127.0.0.1:{port}/a")
    text = client.get(f"http://127.0.0.1:{port}/b").text
print(f"httpx {httpx.__version__}: the response to /b is {text!r}")
sys.exit(1 if text != "two" else 0)
