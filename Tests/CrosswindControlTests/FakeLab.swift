import AdapterProtocol
import Dispatch
import Foundation
import Glibc
import Synchronization

/// A lab without a network: a socket that records the requests and sends prepared replies.
final class FakeLab: Sendable {
    let path: String
    private let listener: CInt
    private let received = Mutex<[String]>([])

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/cw-fake-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let bound = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        DispatchQueue(label: "fake lab").async { [self] in serve() }
    }

    /// The lines of the requests so far.
    var lines: [String] { received.withLock { $0 } }

    /// Ends the thread, which a closed listener alone does not.
    func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
        _ = unsafe unlink(path)
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while unsafe read(connection, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
            received.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            if let reply = reply(to: line) {
                let bytes = Array((reply + "\n").utf8)
                _ = unsafe bytes.withUnsafeBytes { unsafe write(connection, $0.baseAddress, $0.count) }
            }
            close(connection)
        }
        close(listener)
    }

    /// nil: the connection is closed without a reply.
    private func reply(to line: [UInt8]) -> String? {
        let request = JSONValue.parse(line)?.object ?? [:]
        switch request["change"]?.object?["wifi"]?.text {
        case "close": return nil
        case "version": return #"{"v":2,"done":[]}"#
        case "text": return "hello"
        case "dwon": return #"{"v":1,"refused":"did you mean `down`?"}"#
        default: break
        }
        switch request["do"]?.text {
        case "describe":
            return
                #"{"v":1,"lab":{"id":"7","program":"t","engine":"emulator","interfaces":["wifi","later"],"requests":[]}}"#
        case "seen":
            return
                #"{"v":1,"seen":{"requestCount":8,"requests":[{"number":8,"connection":3,"time":1500000000,"method":"GET","target":"/big","sent":1000,"headers":[["Range","bytes=5-"]],"bodyBytes":0,"status":206,"complete":true,"later":1}],"queries":[{"time":5,"host":"api.test","type":"A","reply":"nxdomain"}],"changes":[{"time":6,"cause":"request 1","changes":["wifi down"]}]}}"#
        default: return #"{"v":1,"done":["wifi down"]}"#
        }
    }
}
