#!/usr/bin/env python3
"""wget accepts a response with two different Content-Length fields.

RFC 9112 §6.3: "If a message is received without Transfer-Encoding and with an invalid Content-Length header field, then the message framing is
invalid and the recipient MUST treat it as an unrecoverable error".

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

port, seen = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhello", hold=False)
done = subprocess.run(["wget", "-nv", "--tries=1", "-O", "/dev/null", f"http://127.0.0.1:{port}/"], capture_output=True, text=True)
version = subprocess.run(["wget", "--version"], capture_output=True, text=True).stdout.split()[2]
print(f"wget {version}: exit status {done.returncode}, {done.stderr.strip()}")
sys.exit(1 if done.returncode == 0 else 0)
