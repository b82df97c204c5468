#!/usr/bin/env python3
"""aria2 accepts a response with two different Content-Length fields.

RFC 9112 §6.3: "If a message is received without Transfer-Encoding and with an invalid Content-Length header field, then the message framing is
invalid and the recipient MUST treat it as an unrecoverable error".

Exit status 1 while the defect is there. Needs the command aria2c."""
import socket, sys, threading, time
import subprocess, tempfile

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

port, seen = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhello")
done = subprocess.run(["aria2c", "--no-conf", "--quiet", "--max-tries=1", "--dir", tempfile.mkdtemp(), f"http://127.0.0.1:{port}/"])
version = subprocess.run(["aria2c", "--version"], capture_output=True, text=True).stdout.split()[2]
print(f"aria2 {version}: exit status {done.returncode}")
sys.exit(1 if done.returncode == 0 else 0)
