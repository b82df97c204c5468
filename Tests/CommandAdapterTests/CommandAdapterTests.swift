import AdapterProtocol
import Foundation
import Synchronization
import Testing

@testable import CommandAdapter

/// The events of the adapter for small shell programs, which need no network: `$0` is the URL.
@Suite struct CommandAdapterTests {
    /// Commands of the harness, and the events that follow them.
    private final class Conversation: Sendable {
        private let lines = Mutex<[SessionEvent]>([])
        private let adapter: Mutex<CommandAdapter?>
        let folder: String

        init(_ template: String, classes: String? = nil, offers: String? = nil) throws {
            folder =
                FileManager.default.temporaryDirectory.appendingPathComponent("cw-command-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            adapter = Mutex(nil)
            let settings = try CommandSettings(template: template, classes: classes, offers: offers)
            let output = EventWriter { [weak self] data in
                let event = try SessionEvent.decode(line: Array(data.dropLast()))
                self?.lines.withLock { $0.append(event) }
            }
            let made = try CommandAdapter(settings, .examine(settings), output: output, folder: folder)
            adapter.withLock { $0 = made }
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func send(_ commands: AdapterCommand...) {
            let adapter = adapter.withLock { $0 }
            for command in commands { adapter?.handle(command) }
        }

        var events: [SessionEvent.Kind] { lines.withLock { $0.map(\.kind) } }

        /// The events of a task without the log.
        func events(of name: TaskName) -> [TaskEvent] {
            events.compactMap { if case .task(name, let event) = $0 { event } else { nil } }
        }

        /// Waits until this holds, for 10 seconds at most.
        func wait(_ holds: () -> Bool) -> Bool {
            let end = Date().addingTimeInterval(10)
            while !holds() {
                if Date() > end { return false }
                Thread.sleep(forTimeInterval: 0.005)
            }
            return true
        }

        /// Runs one task to its end and returns its events.
        func run(_ task: TaskDescription) -> [TaskEvent] {
            send(.makeSession(.main, SessionConfiguration()), .makeTask(task), .resume(task.task))
            _ = wait { events(of: task.task).contains { $0.name == .didComplete || $0.name == .completionHandler } }
            return events(of: task.task)
        }
    }

    private func task(
        _ kind: TaskDescription.Kind = .data, url: String = "http://api.test/", _ name: TaskName = "first"
    )
        -> TaskDescription
    {
        TaskDescription(task: name, kind: kind, url: url)
    }

    @Test func `hello lists the events and offers nothing that does not exist`() throws {
        let conversation = try Conversation("sh {url}")
        conversation.send(.hello(capabilities: ["data", "cookies", "teleportsPackets"]))
        #expect(
            conversation.events == [
                .hello(
                    SessionEvent.Implementation(name: "sh", version: "", language: "command"),
                    capabilities: ["data": true, "cookies": false, "teleportsPackets": false],
                    reports: CommandSettings.reports)
            ])
    }

    @Test func `the standard output is the body of a command without a file`() throws {
        let conversation = try Conversation("sh -c 'printf %s \"$0\"; echo note >&2' {url}")
        let events = conversation.run(task(url: "http://api.test/a b"))
        #expect(
            events == [.didReceiveData(Array("http://api.test/a b".utf8)), .didComplete(nil, resumeDataLength: nil)])
        #expect(conversation.events.contains(.log("first: note")))
        #expect(conversation.wait { (try? FileManager.default.contentsOfDirectory(atPath: conversation.folder)) == [] })
    }

    @Test func `the file is the body and the standard output goes to the log`() throws {
        let conversation = try Conversation("sh -c 'printf %s \"$0\" > {file}; printf meter' {url}")
        // The name without a folder is the same file, because the command runs there.
        #expect(conversation.run(task(url: "abc")).first == .didReceiveData(Array("abc".utf8)))
        #expect(conversation.events.contains(.log("first: meter")))
        let named = try Conversation("sh -c 'printf %s \"$0\" > {name}' {url}")
        #expect(named.run(task(url: "abc")).first == .didReceiveData(Array("abc".utf8)))
    }

    @Test func `a download delivers its file in pieces and a completion handler gets the same bytes`() throws {
        let size = Wire.filePiece + 3
        let conversation = try Conversation("sh -c 'head -c \(size) /dev/zero' {url}")
        let events = conversation.run(task(.download))
        #expect(
            events == [
                .fileContent(offset: 0, Array(repeating: 0, count: Wire.filePiece)),
                .fileContent(offset: Int64(Wire.filePiece), [0, 0, 0]), .didFinishDownloading(length: Int64(size)),
                .didComplete(nil, resumeDataLength: nil),
            ])
        var handled = task("second")
        handled.delivery = .completionHandler
        let ended = conversation.run(handled)
        #expect(ended.last == .completionHandler(nil, nil, resumeDataLength: nil))
        #expect(ended.filter { $0.name == .didReceiveData }.count == 2)
    }

    private func task(_ name: TaskName) -> TaskDescription { task(.data, name) }

    @Test func `the request is filled in and its body is a file`() throws {
        let conversation = try Conversation(
            "sh -c 'for word; do echo \"<$word>\"; done; cat {body}' x {headers:-H} {method:-X} {url}")
        var described = task()
        described.method = "PUT"
        described.headers = [HeaderField("X-One", "1 2")]
        described.body = .bytes(Array("body".utf8))
        var session = SessionConfiguration()
        session.headers = [HeaderField("x-one", "of the session"), HeaderField("X-Two", "2")]
        conversation.send(.makeSession(.main, session), .makeTask(described), .resume("first"))
        #expect(conversation.wait { conversation.events(of: "first").last?.name == .didComplete })
        let text = "<-H>\n<X-Two: 2>\n<-H>\n<X-One: 1 2>\n<-X>\n<PUT>\n<http://api.test/>\nbody"
        #expect(conversation.events(of: "first").first == .didReceiveData(Array(text.utf8)))
    }

    @Test func `a failure has the class of its exit status and its message`() throws {
        let conversation = try Conversation(
            "sh -c 'printf part; echo advice >&2; echo sh: lost it >&2; exit 7' {url}", classes: "7=truncated")
        let failure = Failure(domain: "sh", code: 7, text: "sh: lost it", class: .truncated)
        #expect(
            conversation.run(task())
                == [.didReceiveData(Array("part".utf8)), .didComplete(failure, resumeDataLength: nil)])
        // A download delivers a whole file or none.
        #expect(conversation.run(task(.download, "second")) == [.didComplete(failure, resumeDataLength: nil)])
    }

    @Test func `an error response without a body cannot be shown and one with a body is delivered`() throws {
        let empty = try Conversation("sh -c 'exit 22' {url}", classes: "22=errorResponse")
        empty.send(.makeSession(.main, SessionConfiguration()), .makeTask(task()), .resume("first"))
        let declined = SessionEvent.Kind.unsupported(
            feature: "the body of a response with an error status (exit status 22): ")
        #expect(empty.wait { empty.events.contains(declined) })
        #expect(empty.events(of: "first") == [])
        let page = try Conversation("sh -c 'printf page; exit 22' {url}", classes: "22=errorResponse")
        #expect(
            page.run(task()) == [.didReceiveData(Array("page".utf8)), .didComplete(nil, resumeDataLength: nil)])
    }

    @Test func `refused arguments are a fault of the command and not of the client`() throws {
        let conversation = try Conversation("sh -c 'echo bad option >&2; exit 2' {url}", classes: "2=usage")
        conversation.send(.makeSession(.main, SessionConfiguration()), .makeTask(task()), .resume("first"))
        let fault = SessionEvent.Kind.adapterFailed(message: "sh refused its arguments (status 2): bad option")
        #expect(conversation.wait { conversation.events.contains(fault) })
    }

    /// The shell starts a child that would outlive it: the test would wait for the 60 seconds of `sleep`.
    @Test func `cancelling kills the command and its children and completes once`() throws {
        let conversation = try Conversation("sh -c 'echo started >&2; sleep 60; true' {url}", offers: "cancel")
        conversation.send(.makeSession(.main, SessionConfiguration()), .makeTask(task()), .resume("first"))
        #expect(conversation.wait { conversation.events.contains(.log("first: started")) })
        conversation.send(.cancel("first"), .cancel("first"))
        #expect(conversation.wait { !conversation.events(of: "first").isEmpty })
        let ended = TaskEvent.didComplete(
            Failure(class: .cancelled, text: "the command was killed"), resumeDataLength: nil)
        #expect(conversation.events(of: "first") == [ended])
        conversation.send(.makeTask(task("second")), .cancel("second"), .resume("second"))
        #expect(conversation.events(of: "second").map(\.name) == [.didComplete])
    }

    /// Each waits for the other's file, so that both must run at the same time.
    @Test func `tasks run at the same time`() throws {
        let conversation = try Conversation(
            "sh -c 'touch \"../$0\"; until [ -e ../a ] && [ -e ../b ]; do sleep 0.01; done; printf both' {url}")
        conversation.send(
            .makeSession(.main, SessionConfiguration()), .makeTask(task(url: "a", "first")),
            .makeTask(task(url: "b", "second")), .resume("first"), .resume("second"))
        #expect(
            conversation.wait {
                ["first", "second"].allSatisfy { conversation.events(of: $0).last?.name == .didComplete }
            })
    }

    private func task(url: String, _ name: TaskName) -> TaskDescription { task(.data, url: url, name) }
    private func task(_ kind: TaskDescription.Kind, _ name: TaskName) -> TaskDescription {
        task(kind, url: "http://api.test/", name)
    }

    @Test func `what a command cannot do is declined`() throws {
        let conversation = try Conversation("sh -c true {url}")
        var described = task()
        described.method = "DELETE"
        conversation.send(
            .makeSession(.main, SessionConfiguration()), .makeTask(described), .suspend("first"),
            .invalidate(.main, cancelling: true))
        #expect(
            conversation.events == [
                .unsupported(feature: "the method DELETE: the command does not contain {method}"),
                .unsupported(feature: "suspend with a command"), .unsupported(feature: "invalidate with a command"),
            ])
    }

    @Test func `output is split into lines without the earlier states of a progress meter`() {
        var lines = OutputLines()
        #expect(lines.append(Data("one\ntw".utf8)) == ["one"])
        #expect(lines.append(Data("o\n\n10 %\r20 %\r\nrest".utf8)) == ["two", "20 %"])
        #expect(lines.rest == "rest")
    }
}
