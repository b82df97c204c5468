#!/usr/bin/env python3
"""aria2 never connects to a host that has an IPv6 address and no IPv4 address, on a machine with both.

RFC 8305 §3: "If a positive AAAA response (a response with at least one valid AAAA record) is received first, the first IPv6 connection attempt
is immediately started."

It runs in a network namespace of its own, with a name server and an HTTP server, and ends aria2 after 15 seconds.

Exit status 1 while the defect is there. Needs Linux, and the commands aria2c, unshare and ip."""
import os, socket, subprocess, sys, tempfile, threading

if "ALONE" not in os.environ:
    os.execvpe("unshare", ["unshare", "--map-root-user", "--net", "--mount", sys.executable, os.path.abspath(__file__)], {**os.environ, "ALONE": "1"})

for line in ("link set lo up", "addr add 192.0.2.2/24 dev lo", "addr add 2001:db8::2/64 dev lo nodad"):
    subprocess.run(["ip", *line.split()], check=True)
folder = tempfile.mkdtemp()
asked = []

def serve_names(server):
    """Responds with 2001:db8::2 to AAAA, and without records to A."""
    while True:
        query, client = server.recvfrom(512)
        end = query.index(b"\0", 12) + 5
        is_aaaa = query[end - 4:end - 2] == b"\0\x1c"
        asked.append("AAAA" if is_aaaa else "A")
        record = b"\xc0\x0c\0\x1c\0\x01\0\0\0\x3c\0\x10" + socket.inet_pton(socket.AF_INET6, "2001:db8::2") if is_aaaa else b""
        server.sendto(query[:2] + b"\x85\x80\0\x01\0" + bytes([is_aaaa]) + b"\0\0\0\0" + query[12:end] + record, client)

def serve_files(listener):
    while True:
        connection, _ = listener.accept()
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        connection.close()

names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("127.0.0.1", 53))
threading.Thread(target=serve_names, args=(names,), daemon=True).start()
threading.Thread(target=serve_files, args=(socket.create_server(("::", 80), family=socket.AF_INET6),), daemon=True).start()

version = subprocess.run(["aria2c", "--version"], capture_output=True, text=True).stdout.split()[2]
command = ["aria2c", "--no-conf", "--quiet", "--max-tries=1", "--async-dns-server=127.0.0.1", f"--dir={folder}", "--out=file", "http://six.test/"]
try:
    result = f"exit status {subprocess.run(command, timeout=15).returncode}"
except subprocess.TimeoutExpired:
    result = "no end in 15 s"
print(f"aria2 {version}: {result}, after the queries {', '.join(asked)}")
sys.exit(0 if result == "exit status 0" else 1)
