#!/usr/bin/env python3
"""libcurl fails on a gzip body of two members.

RFC 9110 §8.4.1.3: the "gzip" coding is the format of RFC 1952. RFC 1952 §2.2: "A gzip file consists of a series of "members" (compressed data
sets)." and "The members simply appear one after another in the file, with no additional information before, between, or after them."

It uses the command curl, which is libcurl with the same version.

Exit status 1 while the defect is there. Needs the command curl."""
import gzip, socket, sys, threading, time
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

body = gzip.compress(b"one, ") + gzip.compress(b"two")
port, _ = serve(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
done = subprocess.run(["curl", "-sS", "--compressed", f"http://127.0.0.1:{port}/"], capture_output=True, text=True)
version = subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout.split()[1]
print(f"curl {version}: exit status {done.returncode}, the body is {done.stdout!r} {done.stderr.strip()}")
sys.exit(1 if done.stdout != "one, two" or done.returncode != 0 else 0)
