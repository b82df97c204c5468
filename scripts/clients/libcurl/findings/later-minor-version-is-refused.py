#!/usr/bin/env python3
"""libcurl refuses a response of HTTP/1.2.

RFC 9110 §6.2: "A recipient that receives a message with a major version number that it implements and a minor version number higher than what it
implements SHOULD process the message as if it were in the highest minor version within that major version to which the recipient is conformant."

It uses the command curl, which is libcurl with the same version.

Exit status 1 while the defect is there. Needs the command curl."""
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

port, seen = serve(b"HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok")
done = subprocess.run(["curl", "-sS", "--compressed", "-L", "-o", "/dev/null", "-w", "%{http_code} %{size_download} %{http_version}", f"http://127.0.0.1:{port}/"], capture_output=True, text=True)
version = subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout.split()[1]
print(f"curl {version}: exit status {done.returncode}, status and size {done.stdout} {done.stderr.strip()}")
sys.exit(1 if done.returncode != 0 else 0)
