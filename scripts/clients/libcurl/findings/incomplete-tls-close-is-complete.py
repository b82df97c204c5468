#!/usr/bin/env python3
"""libcurl with OpenSSL takes a body that ends without close_notify for complete, although only the end of the connection delimits it.

RFC 9112 §8: "A response that has neither chunked transfer coding nor Content-Length is terminated by closure of the connection and, if the header
section was received intact, is considered complete unless an error was indicated by the underlying connection (e.g., an "incomplete close" in
TLS would leave the response incomplete, as described in Section 9.8)."

It uses the command curl, which is libcurl with the same version.

Exit status 1 while the defect is there. Needs the commands curl and openssl."""
import socket, ssl, subprocess, sys, tempfile, threading, time

def serve_tls(response):
    """Sends a response over TLS and ends the connection without close_notify. Returns the port and the certificate's file."""
    folder = tempfile.mkdtemp()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/key", "-out", f"{folder}/certificate",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/certificate", f"{folder}/key")
    listener = socket.create_server(("127.0.0.1", 0))
    def run():
        connection = context.wrap_socket(listener.accept()[0], server_side=True)
        connection.recv(65536)
        connection.sendall(response)
        connection.shutdown(socket.SHUT_WR)  # FIN, without the alert that unwrap() would send
        time.sleep(1)
    threading.Thread(target=run, daemon=True).start()
    return listener.getsockname()[1], f"{folder}/certificate"

port, certificate = serve_tls(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + bytes(1000))
done = subprocess.run(["curl", "-sS", "--cacert", certificate, "-o", "/dev/null", "-w", "%{size_download}", f"https://localhost:{port}/"], capture_output=True, text=True)
version = subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout.split()[1]
print(f"curl {version}: exit status {done.returncode}, {done.stdout} bytes {done.stderr.strip()}")
sys.exit(1 if done.returncode == 0 else 0)
