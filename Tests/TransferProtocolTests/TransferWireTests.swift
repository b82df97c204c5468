import Foundation
import Testing

@testable import TransferProtocol

/// The lines are golden: a program and a daemon of different builds read them. A change of a line needs a new version.
@Suite struct TransferWireTests {
    @Test func `Commands have fixed lines`() throws {
        let lines: [(TransferCommand, String)] = [
            (.resume(task: 4), #"{"command":{"resume":{"task":4}},"number":7}"#),
            (.cancel(task: 4, keepsPart: true), #"{"command":{"cancel":{"keepsPart":true,"task":4}},"number":7}"#),
            (.acknowledge(event: 12), #"{"command":{"acknowledge":{"event":12}},"number":7}"#),
            (.clientState(state: .background), #"{"command":{"clientState":{"state":"background"}},"number":7}"#),
            (
                .decideResponse(task: 4, disposition: .becomeDownload(number: 5)),
                #"{"command":{"decideResponse":{"disposition":{"becomeDownload":{"number":5}},"task":4}},"number":7}"#
            ),
            (.list(version: 2), #"{"command":{"list":{"version":2}},"number":7}"#),
        ]
        for (command, line) in lines {
            let written = TransferWire.line(TransferCommandLine(number: 7, command: command))
            #expect(String(decoding: written, as: UTF8.self) == line + "\n")
            #expect(try TransferWire.command(Array(line.utf8)) == TransferCommandLine(number: 7, command: command))
        }
    }

    @Test func `Messages have fixed lines`() {
        let lines: [(TransferMessage, String)] = [
            (
                .event(event: TransferEvent(number: 3, task: 2, .finishedFile(path: "/f"))),
                #"{"event":{"event":{"content":{"finishedFile":{"path":"/f"}},"number":3,"task":2}}}"#
            ),
            (
                .refused(reason: .identifierInUse, message: "m"),
                #"{"refused":{"message":"m","reason":"identifierInUse"}}"#
            ),
            (.reply(command: 9, failure: nil, resumeData: nil), #"{"reply":{"command":9}}"#),
        ]
        for (message, line) in lines {
            #expect(String(decoding: TransferWire.line(message), as: UTF8.self) == line + "\n")
            #expect(TransferWire.message(Array(line.utf8)) == message)
        }
    }

    @Test func `An unknown command is refused under its number and an unknown message is skipped`() {
        let command = Array(#"{"number":8,"command":{"teleport":{"task":1}}}"#.utf8)
        #expect { try TransferWire.command(command) } throws: { ($0 as? TransferWireError)?.number == 8 }
        #expect { try TransferWire.command(Array("no JSON".utf8)) } throws: {
            ($0 as? TransferWireError)?.number == nil
        }
        #expect(TransferWire.message(Array(#"{"teleported":{}}"#.utf8)) == nil)
    }

    @Test func `Numbers that JSON does not have survive`() throws {
        let settings = TransferSettings(identifier: "a", requestTimeout: .infinity)
        let line = TransferWire.line(
            TransferCommandLine(number: 0, command: .hello(version: 2, settings: settings, state: .foreground)))
        #expect(
            try TransferWire.command(line.dropLast()).command
                == .hello(version: 2, settings: settings, state: .foreground))
    }
}

@Suite struct LineBufferTests {
    /// Every split of the same bytes gives the same lines.
    @Test func `Lines do not depend on how the bytes arrive`() {
        let bytes = Array("one\n\nthree\nrest".utf8)
        for cut in 0...bytes.count {
            var buffer = LineBuffer()
            let lines = (buffer.append(Array(bytes[..<cut])) ?? []) + (buffer.append(Array(bytes[cut...])) ?? [])
            #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["one", "", "three"])
        }
    }

    @Test func `A line without an end is refused when it is too long`() {
        var buffer = LineBuffer()
        let part = [UInt8](repeating: 0x61, count: LineBuffer.longestLine)
        #expect(buffer.append(part) == [])
        #expect(buffer.append([0x61]) == nil)
    }
}

@Suite struct CommandWindowTests {
    @Test func `Commands stay in order until their replies`() {
        var window = CommandWindow()
        let first = window.append(.resume(task: 1))
        let second = window.append(.suspend(task: 1))
        #expect(first.number < second.number)
        #expect(window.unanswered == [first, second])
        #expect(window.answered(first.number) == .resume(task: 1))
        #expect(window.answered(first.number) == nil)
        #expect(window.unanswered == [second])
    }

    /// After a reconnection the daemon sends the events again that were not acknowledged.
    @Test func `A durable event is taken once`() {
        var window = CommandWindow()
        #expect([1, 2, 1, 2, 3, 3].map { window.takes(event: $0) } == [true, true, false, false, true, false])
    }
}

@Suite struct TransferPlacesTests {
    @Test(arguments: [
        (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/adaptable-session/transferd.socket"),
        ([:], "/tmp/adaptable-session-7/transferd.socket"),
        // The XDG specification: a relative path must be ignored.
        (["XDG_RUNTIME_DIR": "run"], "/tmp/adaptable-session-7/transferd.socket"),
        (["XDG_RUNTIME_DIR": "/run/user/7", TransferPlaces.socketVariable: "/s"], "/s"),
    ])
    func `The socket follows the environment`(environment: [String: String], socket: String) {
        #expect(TransferPlaces(environment: environment, user: 7, home: "/h").socket == socket)
    }

    @Test(arguments: [
        ([:], "/h/.local/state/adaptable-session/transfers"),
        (["XDG_STATE_HOME": "/x"], "/x/adaptable-session/transfers"),
        (["XDG_STATE_HOME": "/x", TransferPlaces.stateVariable: "/y"], "/y"),
    ])
    func `The state follows the environment`(environment: [String: String], state: String) {
        #expect(TransferPlaces(environment: environment, user: 7, home: "/h").state == state)
    }
}

@Suite struct LocalSocketTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("t-\(UUID().uuidString.prefix(8))")

    @Test func `A socket carries bytes, shows its peer and notices its end`() throws {
        try TransferPlaces.makePrivateFolder(folder.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/s"
        #expect(throws: SocketError.self) { try LocalSocket.connect(to: path) }
        let listener = try LocalSocket.listen(at: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        var client: LocalSocket? = try LocalSocket.connect(to: path)
        let server = try #require(listener.accept())
        #expect(server.peer?.process == ProcessInfo.processInfo.processIdentifier)
        #expect(client?.send(Array("hello".utf8)) == true)
        #expect(server.receive() == Array("hello".utf8))
        #expect(!server.isClosedByPeer)
        client = nil
        #expect(server.isClosedByPeer)
        #expect(server.receive() == nil)
    }
}
