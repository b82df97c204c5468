import AdapterProtocol
import Foundation

@testable import Harness

/// An interactive lab of the built program, a server on the host, and a second terminal.
final class SessionRun {
    /// The first terminal.
    let program: BuiltProgram
    private let second: BuiltProgram
    private var processes: [Process] = []

    static let canRun: Bool = {
        let tools = ["python3", "curl", "sh"].allSatisfy { tool in
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
            }
        }
        return tools && Doctor.examine().canRun
    }()

    init() throws {
        program = try BuiltProgram()
        second = try BuiltProgram()
        try FileManager.default.createDirectory(atPath: program.folder + "/run", withIntermediateDirectories: true)
    }

    func end() {
        for process in processes where process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        program.remove()
        second.remove()
    }

    /// The sockets of these labs are kept apart from those of other labs.
    private var environment: [String: String] { ["XDG_RUNTIME_DIR": program.folder + "/run"] }
    var sockets: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: program.folder + "/run/crosswind")) ?? []).sorted()
    }

    /// The standard error of the first terminal so far.
    var errors: String { (try? program.text("errors")) ?? "" }

    func start(_ arguments: [String]) throws -> Process {
        let process = try program.start(arguments, environment: environment)
        processes.append(process)
        return process
    }

    /// Runs a command at the second terminal.
    func command(_ arguments: [String]) throws -> BuiltProgram.Ended {
        try second.run(arguments, environment: environment)
    }

    /// Starts a server on the host that responds `from the host` to every request; returns its port.
    func startHostServer() throws -> Int {
        let script = try program.write(
            "server.py",
            """
            import http.server, os
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                def do_GET(self):
                    body = b'x' * 2000000 if self.path == '/large' else b'from the host ' + self.path.encode()
                    self.send_response(200)
                    self.send_header('Content-Length', str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                def log_message(self, *arguments): pass
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            open('port.new', 'w').write(str(server.server_address[1]))
            os.rename('port.new', 'port')
            server.serve_forever()
            """)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script]
        process.currentDirectoryURL = URL(fileURLWithPath: program.folder)
        try process.run()
        processes.append(process)
        guard waitForFile("port"), let port = Int(try program.text("port")) else { throw SessionRunError.noServer }
        return port
    }

    /// Waits for a file with which the program inside signals its progress, up to a limit.
    func waitForFile(_ name: String) -> Bool {
        wait { FileManager.default.fileExists(atPath: "\(program.folder)/\(name)") }
    }

    func wait(_ condition: () -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 30)
        while Date() < end {
            if condition() { return true }
            RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
        }
        return condition()
    }

    enum SessionRunError: Error { case noServer }
}
