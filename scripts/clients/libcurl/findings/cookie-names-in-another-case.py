#!/usr/bin/env python3
"""libcurl replaces the cookie sid by the cookie SID, another cookie.

RFC 6265 §5.3, step 11: "If the cookie store contains a cookie with the same name, domain, and path as the newly created cookie", it is replaced.
The name sid is not the name SID.

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

def response(*cookies):
    return b"HTTP/1.1 200 OK\r\n" + b"".join(b"Set-Cookie: " + one + b"; Path=/\r\n" for one in cookies) + b"Content-Length: 2\r\n\r\nok"

port, seen = serve(response(b"sid=1"), response(b"SID=2"), response())
url = f"http://127.0.0.1:{port}"
done = subprocess.run(["curl", "-sS", "-b", "", "-o", "/dev/null", f"{url}/one", "-o", "/dev/null", f"{url}/two", "-o", "/dev/null", f"{url}/three"], capture_output=True, text=True)
version = subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout.split()[1]
sent = next((line for line in seen[-1].split("\r\n") if line.startswith("Cookie")), "no Cookie field")
print(f"curl {version}: exit status {done.returncode}, the third request has {sent} {done.stderr.strip()}")
sys.exit(1 if "sid=1" not in sent else 0)
