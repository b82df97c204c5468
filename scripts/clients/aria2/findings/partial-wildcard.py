#!/usr/bin/env python3
"""aria2 accepts a certificate for s*.example.test as one for shop.example.test.

RFC 9525 §6.3: a presented identifier with a wildcard matches only if "The wildcard character appears only as the complete content of the left-most
label". "If the requirements are not met, the presented identifier is invalid and MUST be ignored."

Exit status 1 while the defect is there. Needs the commands aria2c and openssl."""
import socket, ssl, subprocess, sys, tempfile, threading

folder = tempfile.mkdtemp()
subprocess.run(f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {folder}/key -out {folder}/certificate -subj /CN=test "
               "-addext subjectAltName=DNS:s*.example.test".split(), check=True, capture_output=True)
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(f"{folder}/certificate", f"{folder}/key")
listener = socket.create_server(("127.0.0.1", 0))

def serve():
    """A proxy whose tunnels end at a server of its own, so that the name needs no look-up."""
    while True:
        connection, _ = listener.accept()
        try:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            with context.wrap_socket(connection, server_side=True) as secure:
                secure.recv(65536)
                secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        except OSError: connection.close()

threading.Thread(target=serve, daemon=True).start()
done = subprocess.run(["aria2c", "--no-conf", "--quiet", "--max-tries=1", f"--ca-certificate={folder}/certificate", f"--dir={folder}", "--out=file",
                       f"--https-proxy=http://127.0.0.1:{listener.getsockname()[1]}", "https://shop.example.test/"], capture_output=True, text=True)
version = subprocess.run(["aria2c", "--version"], capture_output=True, text=True).stdout.split()[2]
print(f"aria2 {version}: exit status {done.returncode} {done.stdout.strip()}")
sys.exit(1 if done.returncode == 0 else 0)
