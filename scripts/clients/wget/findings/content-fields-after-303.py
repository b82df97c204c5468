#!/usr/bin/env python3
"""wget keeps Content-Language, and a Content-Type of --header, when a redirect turns a POST into a GET.

RFC 9110 §15.4: the user agent SHOULD resend the original request with modifications, of which the fifth is: "If the request method has been changed
to GET or HEAD, remove content-specific header fields, including (but not limited to) Content-Encoding, Content-Language, Content-Location,
Content-Type, Content-Length, Digest, Last-Modified."

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

port, seen = serve(b"HTTP/1.1 303 See Other\r\nLocation: /done\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
subprocess.run(["wget", "-q", "--tries=1", "--post-data=a=1", "--header=Content-Language: de", "-O", "/dev/null", f"http://127.0.0.1:{port}/"])
version = subprocess.run(["wget", "--version"], capture_output=True, text=True).stdout.split()[2]
kept = [line for line in seen[1].split("\r\n") if line.lower().startswith(("content-type:", "content-language:"))]
print(f"wget {version}: the GET has {kept or 'no content fields'}")
sys.exit(1 if kept else 0)
