import Foundation
import Testing

@testable import TransferProtocol

// The types are stored and sent as JSON. Each value below sets every optional field, so that a field lost on the way
// changes the value that comes back.

private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
    let bytes = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Value.self, from: bytes) == value)
}

private let url = URL(string: "https://example.com/a?b=c")!

private let request = TransferRequest(
    url: url, method: "POST", headerFields: [TransferHeaderField("A", "1"), TransferHeaderField("a", "2")],
    body: .file(path: "/f"), timeout: 3.5, allowsCellular: false, allowsExpensive: false, allowsConstrained: false)

@Test func `a task keeps every field through JSON`() throws {
    var task = TransferTask(
        session: "s", number: 7, kind: .upload, request: request, state: .running,
        counts: TransferCounts(
            sent: 1, expectedToSend: 2, received: 3, expectedToReceive: 4, clientExpectsToSend: 5,
            clientExpectsToReceive: 6),
        priority: 0.25, label: "l", earliestBeginDate: Date(timeIntervalSince1970: 1_700_000_000.125),
        isDiscretionary: true, wasCreatedInBackground: true, created: Date(timeIntervalSince1970: 1_700_000_001.7))
    task.request.body = .data(bytes: Data([0, 255]))
    try roundTrip(task)
}

@Test func `settings keep every field through JSON`() throws {
    try roundTrip(
        TransferSettings(
            identifier: "s", sendsLaunchEvents: false, isDiscretionary: true, sharedContainer: "/c",
            allowsCellular: false, allowsExpensive: false, allowsConstrained: false, requestTimeout: 1,
            resourceTimeout: 2, additionalHeaderFields: [TransferHeaderField("A", "1")], maximumConnectionsPerHost: 3,
            launch: TransferLaunch(command: ["/bin/app"], environment: ["A": "1"], workingFolder: "/")))
}

private let contents: [TransferEvent.Content] = {
    let response = TransferResponse(
        url: url, status: 401, version: "HTTP/1.1", headerFields: [TransferHeaderField("A", "1")])
    return [
        .progress(counts: TransferCounts(sent: 1)), .response(response: response), .data(bytes: Data([1])),
        .resumed(offset: 1, expectedTotal: 2), .finishedFile(path: "/f"),
        .completed(
            failure: TransferFailure(code: -1001, message: "m", url: url, resumeData: Data([1])),
            counts: TransferCounts()),
        .completed(failure: nil, counts: TransferCounts(received: 9)),
        .challenge(
            challenge: TransferChallenge(
                host: "h", port: 443, scheme: "https", isProxy: true, realm: "r", method: "m", previousFailures: 1,
                certificates: [Data([1])], isTrusted: true, problem: "p", response: response)),
        .delayedRequest(request: request), .allDelivered,
    ]
}()

@Test(arguments: contents) func `an event keeps every field through JSON`(_ content: TransferEvent.Content) throws {
    try roundTrip(TransferEvent(number: 5, task: 2, content))
}

@Test func `a case is written with the names of its fields`() throws {
    let line = try JSONEncoder().encode(TransferEvent(task: 2, .finishedFile(path: "f")).content)
    #expect(String(decoding: line, as: UTF8.self) == #"{"finishedFile":{"path":"f"}}"#)
}
