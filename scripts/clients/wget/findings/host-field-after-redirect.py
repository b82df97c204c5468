#!/usr/bin/env python3
"""wget repeats the Host field of --header at the target of a redirect, another host.

RFC 9110 §7.2: "A user agent MUST generate a Host header field in a request unless it sends that information as an ":authority" pseudo-header
field." RFC 9112 §3.2: "If the target URI includes an authority component, then a client MUST send a field value for Host that is identical to
that authority component".

Exit status 1 while the defect is there. Needs the command wget."""
import socket, sys, threading, time
import subprocess

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

to_port, seen = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
port, _ = serve(f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{to_port}/\r\nContent-Length: 0\r\n\r\n".encode())
subprocess.run(["wget", "-q", "--tries=1", "--header=Host: api.test", "-O", "/dev/null", f"http://127.0.0.1:{port}/"])
version = subprocess.run(["wget", "--version"], capture_output=True, text=True).stdout.split()[2]
host = next(line for line in seen[0].split("\r\n") if line.lower().startswith("host:"))
print(f"wget {version}: the request to 127.0.0.1:{to_port} has {host}")
sys.exit(0 if host == f"Host: 127.0.0.1:{to_port}" else 1)
