#!/usr/bin/env python3
"""aiohttp does not send cookies with longer paths first.

RFC 6265 §5.4: "The user agent SHOULD sort the cookie-list in the following order: Cookies with longer paths are listed before cookies with shorter
paths."

Exit status 1 while the defect is there. Needs only the client and a socket."""
import socket, sys, threading, time
import asyncio
import aiohttp

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

async def load(url):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        for path in ("/", "/x/y"):
            async with session.get(url + path) as response: await response.read()

port, seen = serve(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=short; Path=/\r\nSet-Cookie: b=long; Path=/x\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
asyncio.run(load(f"http://127.0.0.1:{port}"))
sent = [line for line in seen[1].split("\r\n") if line.startswith("Cookie")][0]
print(f"aiohttp {aiohttp.__version__}: {sent}")
sys.exit(1 if sent.find("b=long") > sent.find("a=short") else 0)
