import Foundation
import InternetAddresses
import LabKernel
import NetworkMonitor

/// nginx with one worker, no log, and files of zeros. It serves HTTP/1.1 on `port`, and HTTP/2 with TLS on the port of
/// `secure`. No response may be stored, so that a client with a cache sends every request. `/sink` reads a whole body
/// and responds as `/small` does.
final class ServedByNginx {
    let port: UInt16
    /// The port of HTTP/2 and the file of its certificate; nil without `openssl`, which makes the certificate.
    let secure: (port: UInt16, certificate: String)?
    private let process = Process()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "crosswind-bench-\(UUID().uuidString)")

    struct Failed: Error, CustomStringConvertible { let description: String }

    /// Starts nginx and returns when it accepts connections. `files` are their names and sizes in bytes.
    init(program: String, _ files: [String: Int64], isSecure: Bool = false) throws {
        // The ports were free a moment ago, and another program is unlikely to have taken them.
        port = try Self.freePort()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        secure = isSecure ? try Self.certificate(in: folder).map { (try Self.freePort(), $0) } : nil
        for (name, bytes) in files {
            let place = folder.appendingPathComponent(name)
            try Data().write(to: place)
            let file = try FileHandle(forWritingTo: place)
            try file.truncate(atOffset: UInt64(bytes))
            try file.close()
        }
        let listeners = """
            listen 127.0.0.1:\(port);
            \(secure.map { "listen 127.0.0.1:\($0.port) ssl http2; ssl_certificate \($0.certificate); ssl_certificate_key \(folder.path)/key;" } ?? "")
            """
        let configuration = """
            daemon off; master_process off; worker_processes 1; pid \(folder.path)/pid; error_log /dev/null;
            events { worker_connections 4096; }
            http {
              access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
              etag off; add_header Last-Modified ""; add_header Cache-Control no-store;
              client_body_temp_path \(folder.path)/a; proxy_temp_path \(folder.path)/b; fastcgi_temp_path \(folder.path)/c;
              uwsgi_temp_path \(folder.path)/d; scgi_temp_path \(folder.path)/e;
              server {
                \(listeners)
                root \(folder.path);
                location = /sink {
                  client_max_body_size 0; client_body_buffer_size 300m;
                  proxy_pass http://127.0.0.1:\(port)/small; proxy_method GET; proxy_pass_request_body off;
                  proxy_set_header Content-Length "";
                }
              }
            }
            """
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
        // Ends with this process, however that ends, and then removes the folder.
        let script = #""$1" -c "$2/nginx.conf" -p "$2" & trap "kill $!" TERM; wait; wait; rm -rf "$2""#
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig", "TERM", "/bin/sh", "-c", script, "sh", program, folder.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilItServes()
    }

    private static func freePort() throws -> UInt16 {
        let socket = try NetworkNamespace.current().listenTCP(
            on: SocketAddress(try IPAddress.required("127.0.0.1"), port: 0))
        return try socket.localAddress().port
    }

    /// Makes a key and a certificate for 127.0.0.1 that signs itself, and returns the file of the certificate.
    private static func certificate(in folder: URL) throws -> String? {
        guard let program = InstalledProgram.path("openssl") else { return nil }
        let path = folder.appendingPathComponent("certificate").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=crosswind-bench", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.path + "/key", "-out",
            path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(description: "openssl did not make a certificate") }
        return path
    }

    private func waitUntilItServes() throws {
        let end = MonotonicClock.deadline(after: 10_000_000_000)
        let target = SocketAddress(try IPAddress.required("127.0.0.1"), port: port)
        while MonotonicClock.now() < end, process.isRunning {
            let socket = try NetworkNamespace.current().connectTCP(to: target)
            let raw = socket.withRaw { $0 }
            _ = try Poller.wait(for: raw, .writable, until: end)
            if (try? socket.send([])) != nil, socket.pendingError() == nil { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw Failed(description: "nginx did not start serving")
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
