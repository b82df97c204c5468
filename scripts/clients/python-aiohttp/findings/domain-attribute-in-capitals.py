#!/usr/bin/env python3
"""aiohttp refuses a cookie whose Domain attribute is in capitals.

RFC 6265 §5.2.3: "Convert the cookie-domain to lower case."

Exit status 1 while the defect is there. Needs only the client and a socket."""
import asyncio, socket, sys, threading, time
import aiohttp
from aiohttp.abc import AbstractResolver

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

class Resolver(AbstractResolver):
    """Every name is this machine."""
    async def resolve(self, host, port=0, family=socket.AF_INET):
        return [{"hostname": host, "host": "127.0.0.1", "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}]
    async def close(self): pass

async def load(port):
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(resolver=Resolver())) as session:
        for path in ("/login", "/home"):
            async with session.get(f"http://api.test:{port}{path}") as response: await response.read()

port, seen = serve(b"HTTP/1.1 200 OK\r\nSet-Cookie: s=1; Path=/; Domain=API.TEST\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
asyncio.run(load(port))
sent = next((line for line in seen[1].split("\r\n") if line.startswith("Cookie")), "no Cookie field")
print(f"aiohttp {aiohttp.__version__}: the second request has {sent}")
sys.exit(1 if "s=1" not in sent else 0)
