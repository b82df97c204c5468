#!/usr/bin/env python3
"""libcurl repeats a POST that was received on a reused connection and lost without a response, and reports success.

RFC 9110 §9.2.2: "A client SHOULD NOT automatically retry a request with a non-idempotent method unless it has some means to know that the request
semantics are actually idempotent, regardless of the method, or some means to detect that the original request was never applied."

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
                    one = left.pop(0)
                    if one is None: break
                    connection.sendall(one)
                if hold: time.sleep(10)
            except (EOFError, OSError): pass
            connection.close()
    threading.Thread(target=run, daemon=True).start()
    return listener.getsockname()[1], seen

ok = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
port, seen = serve(ok, None, ok)  # None: the connection is closed after the request
url = f"http://127.0.0.1:{port}"
done = subprocess.run(["curl", "-sS", "-o", "/dev/null", f"{url}/a", "--next", "-sS", "-o", "/dev/null", "-d", "a=1", f"{url}/submit"], capture_output=True, text=True)
version = subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout.split()[1]
posts = sum(head.startswith("POST") for head in seen)
print(f"curl {version}: exit status {done.returncode}, the server received {posts} POST requests {done.stderr.strip()}")
sys.exit(1 if posts > 1 else 0)
