#!/usr/bin/env python3
"""aiohttp delivers as if it were complete a gzip body that ends in the middle, although Content-Length is reached.

RFC 9112 §6.3: the length of the body is the value of Content-Length, so it is complete; RFC 9110 §8.4.1: the coding is that of RFC 1952, whose
trailer is missing. The caller must receive an error.

Exit status 1 while the defect is there. Needs only the client and a socket."""
import gzip, random, socket, sys, threading, time, zlib
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
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as response: return sum([len(piece) async for piece in response.content.iter_any()])

whole = random.Random(1).randbytes(100 * 1024)
part = gzip.compress(whole)[:100_000]
port, _ = serve(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n" + part, hold=True)
try: got = asyncio.run(asyncio.wait_for(load(f"http://127.0.0.1:{port}/"), 5))
except asyncio.TimeoutError: got = "no end after 5 s"
except aiohttp.ClientError as error: got = error
print(f"aiohttp {aiohttp.__version__}: {got}")
sys.exit(0 if isinstance(got, Exception) else 1)
