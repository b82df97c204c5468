import Record
import Foundation
import Harness
import InternetAddresses
import LabKernel
import NIOCore
import NIOPosix
import NetworkMonitor
import ScenarioLanguage
import TestServer

/// The embedded origin on this machine's loopback interface, with its record written to a file as in a run.
final class ServedOrigin {
    let port: UInt16
    private let origin: Origin
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "crosswind-bench-\(UUID().uuidString)")

    init(_ bodies: [(path: String, body: Resource.Body)]) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let recorder = try Recorder.create(at: folder.path + "/record.jsonl")
        var plan = OriginPlan()
        plan.routes = bodies.map { Route(path: $0.path, content: .resource(Resource(body: $0.body))) }
        origin = Origin(
            plan: plan, seed: 1, limits: OriginLimits(requests: .max, connections: .max), group: group,
            clock: { MonotonicClock.now() }, record: { recorder.record(.server($0), at: MonotonicClock.now()) })
        let socket = try NetworkNamespace.current().listenTCP(
            on: SocketAddress(try IPAddress.required("127.0.0.1"), port: 0))
        port = try socket.localAddress().port
        try origin.start(plain: [socket.release()]).wait()
    }

    func stop() {
        try? origin.stop().wait()
        try? FileManager.default.removeItem(at: folder)
    }
}

extension ByteCount {
    struct Unreadable: Error { let bytes: Int64 }
    static func required(_ bytes: Int64) throws(Unreadable) -> ByteCount {
        guard let count = ByteCount(bytes) else { throw Unreadable(bytes: bytes) }
        return count
    }
}
