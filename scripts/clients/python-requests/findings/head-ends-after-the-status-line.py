#!/usr/bin/env python3
"""requests takes a response whose head ends after the status line for a complete, empty one (Python's http.client).

RFC 9112 §8: "A client that receives an incomplete response message, which can occur when a connection is closed prematurely or when decoding a
supposedly chunked transfer coding fails, MUST record the message as incomplete."

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

port, _ = serve(b"HTTP/1.1 200 OK\r\n")
try: got = requests.get(f"http://127.0.0.1:{port}/").status_code
except requests.RequestException as error: got = error
print(f"requests {requests.__version__}: {got}")
sys.exit(0 if isinstance(got, Exception) else 1)
