#!/usr/bin/env python3
"""aiohttp refuses a response of HTTP/1.2.

RFC 9110 §6.2: "A recipient that receives a message with a major version number that it implements and a minor version number higher than what it
implements SHOULD process the message as if it were in the highest minor version within that major version to which the recipient is conformant."

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
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as response: return await response.text()

port, _ = serve(b"HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok")
try: got = asyncio.run(load(f"http://127.0.0.1:{port}/"))
except aiohttp.ClientError as error: got = f"{type(error).__name__}"
print(f"aiohttp {aiohttp.__version__}: {got}")
sys.exit(1 if got != "ok" else 0)
