#!/usr/bin/env python3
"""requests takes a body that ends without close_notify for complete, although only the end of the connection delimits it.

RFC 9112 §8: "A response that has neither chunked transfer coding nor Content-Length is terminated by closure of the connection and, if the header
section was received intact, is considered complete unless an error was indicated by the underlying connection (e.g., an "incomplete close" in
TLS would leave the response incomplete, as described in Section 9.8)."

Exit status 1 while the defect is there. Needs the client and the program openssl."""
import socket, ssl, subprocess, sys, tempfile, threading, time
import requests

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
try: got = str(len(requests.get(f"https://localhost:{port}/", verify=certificate).content)) + " bytes and no error"
except Exception as error: got = error
print(f"requests {requests.__version__}: {got}")
sys.exit(0 if isinstance(got, Exception) else 1)
