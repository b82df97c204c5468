#!/usr/bin/env python3
"""requests takes a 102 or 103 response for the final one (Python's http.client skips only 100).

RFC 9110 §15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the client does not expect
one."

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

port, _ = serve(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
status = requests.get(f"http://127.0.0.1:{port}/").status_code
print(f"requests {requests.__version__}: status {status}")
sys.exit(1 if status != 200 else 0)
