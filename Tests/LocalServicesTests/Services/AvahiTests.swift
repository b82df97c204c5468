import Foundation
import LocalServices
import Synchronization
import Testing

/// Against avahi, another implementation, in the namespace that `scripts/under-avahi` makes. All waits are for events
/// of the two implementations; the time limit is the only clock.
@Suite(
    .serialized, .timeLimit(.minutes(1)),
    .enabled(if: ProcessInfo.processInfo.environment["CROSSWIND_AVAHI"] != nil, "run it with scripts/under-avahi"))
struct AvahiTests {
    @Test func `avahi finds and resolves a published service, and sees its end`() async throws {
        let service = AdaptableNetService(domain: "", type: "_cwpub._tcp", name: "Büro 1.2", port: 8_123)
        service.setTXTRecord(AdaptableNetService.data(fromTXTRecord: ["path": Data("/x".utf8)]))
        let log = Log()
        service.delegate = log
        service.publish()
        #expect(await log.next(2) == ["publish", "published Büro 1.2"])
        let browser = try Command("avahi-browse", "-rp", "_cwpub._tcp")
        var found: [String] = []
        while found.count < 2 {
            let line = try #require(await browser.line())
            if line.hasPrefix("="), line.contains(";cw-far;") || line.contains(";(null);") { found.append(line) }
        }
        for line in found {
            #expect(line.contains("B\\195\\188ro\\0321\\.2;"))
            #expect(line.contains(";8123;\"path=/x\""))
            #expect(line.contains(";10.77.0.1;") || line.contains(";fe80::"))
        }
        service.stop()
        #expect(await log.next() == "stop")
        while true {
            if try #require(await browser.line()).hasPrefix("-") { break }
        }
    }

    @Test func `a service of avahi is found, resolved, monitored and removed`() async throws {
        let browser = AdaptableNetServiceBrowser()
        let log = Log()
        browser.delegate = log
        browser.searchForServices(ofType: "_cwsrc._tcp.", inDomain: "local.")
        #expect(await log.next() == "search")
        let publisher = try Command("avahi-publish", "-s", "Peer Web", "_cwsrc._tcp", "8080", "a=1", "b=")
        #expect(await log.next() == "found Peer Web")
        let service = AdaptableNetService(domain: "local.", type: "_cwsrc._tcp.", name: "Peer Web")
        service.delegate = log
        service.resolve(withTimeout: 20)
        #expect(await log.next(2) == ["resolve", "resolved Peer Web"])
        #expect(service.hostName == "avahi-peer.local." && service.port == 8_080)
        #expect(service.addresses?.contains { $0.count == 16 && $0[4..<8].elementsEqual([10, 77, 0, 2]) } == true)
        service.startMonitoring()
        #expect(await log.next() == "text a=1 b=")
        publisher.end()
        #expect(await log.next() == "removed Peer Web")
        browser.stop()
        #expect(await log.next() == "searched")
    }

    @Test func `a name that avahi has is not used twice`() async throws {
        let publisher = try Command("avahi-publish", "-s", "Taken", "_cwcon._tcp", "8080")
        let browser = AdaptableNetServiceBrowser()
        let seen = Log()
        browser.delegate = seen
        browser.searchForServices(ofType: "_cwcon._tcp.", inDomain: "")
        #expect(await seen.next(2) == ["search", "found Taken"])
        let (first, second) = (
            AdaptableNetService(domain: "", type: "_cwcon._tcp", name: "Taken", port: 90),
            AdaptableNetService(domain: "", type: "_cwcon._tcp", name: "Taken", port: 91)
        )
        let (log, other) = (Log(), Log())
        first.delegate = log
        second.delegate = other
        first.publish()
        #expect(await log.next(2) == ["publish", "published Taken (2)"])
        second.publish(options: .noAutoRename)
        #expect(await other.next(2) == ["publish", "not published -72001"])
        first.stop()
        publisher.end()
    }

    /// A connection from avahi's namespace, by the address of each family, and one by the service's own streams.
    @Test func `a service that listens gives each connection to its delegate`() async throws {
        let service = AdaptableNetService(domain: "", type: "_cwecho._tcp", name: "Echo", port: 0)
        let log = Log()
        service.delegate = log
        service.publish(options: .listenForConnections)
        #expect(await log.next(2) == ["publish", "published Echo"])
        #expect(service.port > 0)
        let peer = try #require(ProcessInfo.processInfo.environment["CROSSWIND_AVAHI"])
        let script = "exec 3<>/dev/tcp/10.77.0.1/\(service.port); echo hello >&3; head -n 1 <&3"
        let caller = try Command("nsenter", "-t", peer, "-n", "bash", "-c", script)
        #expect(await caller.line() == "hello")
        let echoed = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var (input, output): (InputStream?, Foundation.OutputStream?)
                let found = AdaptableNetService(domain: "", type: "_cwecho._tcp", name: "Echo")
                guard found.getInputStream(&input, outputStream: &output), let input, let output else {
                    return continuation.resume(returning: [UInt8]())
                }
                input.open()
                output.open()
                _ = unsafe output.write([104, 105, 10], maxLength: 3)
                var bytes = [UInt8](repeating: 0, count: 3)
                var count = 0
                while count < 3 {
                    let read = unsafe bytes.withUnsafeMutableBufferPointer {
                        unsafe input.read($0.baseAddress! + count, maxLength: 3 - count)
                    }
                    if read <= 0 { break }
                    count += read
                }
                input.close()
                output.close()
                continuation.resume(returning: bytes)
            }
        }
        #expect(echoed == [104, 105, 10])
        service.stop()
    }
}

/// The events of services and browsers in the order of their calls; echoes what accepted connections send.
private final class Log: AdaptableNetServiceDelegate, AdaptableNetServiceBrowserDelegate {
    private let events = AsyncStream.makeStream(of: String.self)

    func next() async -> String? {
        for await event in events.stream { return event }
        return nil
    }

    func next(_ count: Int) async -> [String?] {
        var found: [String?] = []
        for _ in 0..<count { found.append(await next()) }
        return found
    }

    private func note(_ event: String) { events.continuation.yield(event) }

    func netServiceWillPublish(_ sender: AdaptableNetService) { note("publish") }
    func netServiceDidPublish(_ sender: AdaptableNetService) { note("published \(sender.name)") }
    func netService(_ sender: AdaptableNetService, didNotPublish errorDict: [String: NSNumber]) {
        note("not published \(errorDict[AdaptableNetService.errorCode] ?? 0)")
    }
    func netServiceWillResolve(_ sender: AdaptableNetService) { note("resolve") }
    func netServiceDidResolveAddress(_ sender: AdaptableNetService) { note("resolved \(sender.name)") }
    func netService(_ sender: AdaptableNetService, didNotResolve errorDict: [String: NSNumber]) {
        note("not resolved \(errorDict[AdaptableNetService.errorCode] ?? 0)")
    }
    func netServiceDidStop(_ sender: AdaptableNetService) { note("stop") }
    func netService(_ sender: AdaptableNetService, didUpdateTXTRecord data: Data) {
        let attributes = AdaptableNetService.dictionary(fromTXTRecord: data).sorted { $0.key < $1.key }
        let texts = attributes.map { "\($0.key)=\(String(decoding: $0.value, as: UTF8.self))" }
        note("text \(texts.joined(separator: " "))")
    }
    func netService(
        _ sender: AdaptableNetService, didAcceptConnectionWith inputStream: InputStream,
        outputStream: Foundation.OutputStream
    ) {
        inputStream.open()
        outputStream.open()
        var bytes = [UInt8](repeating: 0, count: 100)
        while case let count = unsafe inputStream.read(&bytes, maxLength: 100), count > 0 {
            _ = unsafe outputStream.write(bytes, maxLength: count)
        }
        inputStream.close()
        outputStream.close()
    }

    func netServiceBrowserWillSearch(_ browser: AdaptableNetServiceBrowser) { note("search") }
    func netServiceBrowserDidStopSearch(_ browser: AdaptableNetServiceBrowser) { note("searched") }
    func netServiceBrowser(
        _ browser: AdaptableNetServiceBrowser, didFind service: AdaptableNetService, moreComing: Bool
    ) { note("found \(service.name)") }
    func netServiceBrowser(
        _ browser: AdaptableNetServiceBrowser, didRemove service: AdaptableNetService, moreComing: Bool
    ) { note("removed \(service.name)") }
}

/// A command of avahi with its lines of output. Ends with the object.
private final class Command: Sendable {
    private let process: Mutex<Process>
    private let lines: AsyncStream<String>

    init(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        try process.run()
        self.process = Mutex(process)
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: 10) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            continuation.finish()
        }
    }

    deinit { end() }

    func line() async -> String? {
        for await line in lines { return line }
        return nil
    }

    /// Not with SIGTERM, which the command inherits as blocked from the threads of Dispatch. Avahi withdraws what a lost
    /// client has published.
    func end() { process.withLock { _ = kill($0.processIdentifier, SIGKILL) } }
}
