#!/usr/bin/env python3
"""httpx delivers a gzip body that ends in the middle as if it were complete.

RFC 9110 §8.4.1.3: the "gzip" coding is the format of RFC 1952, whose members end with CRC32 and ISIZE (RFC 1952 §2.3). Content without them is
damaged; the caller receives a part of the content and no error.

Exit status 1 while the defect is there. Needs only the client and a socket."""
import gzip, random, socket, sys, threading, time
import httpx

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

whole = bytes(random.Random(1).choices(b"abcdefgh", k=50_000))
half = gzip.compress(whole)[:5000]
port, _ = serve(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n" + half)
try:
    with httpx.Client(follow_redirects=True, trust_env=False) as session: got = len(session.get(f"http://127.0.0.1:{port}/").content)
except Exception as error: got = error
print(f"httpx {httpx.__version__}: {got} of {len(whole)} bytes{'' if isinstance(got, Exception) else ' and no error'}")
sys.exit(0 if isinstance(got, Exception) else 1)
