import AdaptableSession
import Foundation
import FoundationNetworking
import ImageLoader
import Synchronization
import Testing

/// The responses come from a protocol class that each test releases by hand, so the order of responses, cancellations
/// and new loads does not depend on time.
@MainActor @Suite(.serialized, .timeLimit(.minutes(1))) struct ImageLoaderTests {
    private let loader = ImageLoader(session: session())

    @Test func `the placeholder is shown when a load starts and the image when it ends`() async {
        let view = View()
        loader.load(url("first"), into: view, placeholder: "placeholder")
        #expect(view.image == "placeholder")
        await HeldResponse.started("first").respond(200, "first")
        #expect(await view.shown("first"))
        #expect(view.history == ["placeholder", "first"])
        #expect(view.imageLoad == nil)
    }

    /// The second load starts while the first one waits for its response. The first is then answered as well, and the
    /// marker of a third target, whose load started last, shows that everything before it has been handed over.
    @Test func `a new load cancels the old one of the same target`() async {
        let view = View()
        loader.load(url("old"), into: view, placeholder: "placeholder")
        let old = await HeldResponse.started("old")
        loader.load(url("new"), into: view, placeholder: "placeholder")
        await old.stopped()
        old.respond(200, "old")
        await HeldResponse.started("new").respond(200, "new")
        #expect(await view.shown("new"))
        #expect(view.history == ["placeholder", "placeholder", "new"])
    }

    /// The result has left the session before the new load starts: the session's handler waits in `decodeImage` until
    /// the main queue has started the second load, so cancelling the first task cannot stop it.
    @Test func `a result that arrives after a new load started is not shown`() async {
        let view = View()
        View.decodingStops.withLock { $0 = DispatchSemaphore(value: 0) }
        defer { View.decodingStops.withLock { $0 = nil } }
        loader.load(url("late"), into: view)
        await HeldResponse.started("late").respond(200, "late")
        await View.decodingStarted()
        loader.load(url("current"), into: view)
        View.decodingStops.withLock { stop in
            _ = stop?.signal()
            stop = nil
        }
        await HeldResponse.started("current").respond(200, "current")
        #expect(await view.shown("current"))
        #expect(view.history == [nil, nil, "current"])
    }

    @Test(arguments: [201, 204, 206, 304, 404, 500])
    func `another status than 200 leaves the placeholder`(_ status: Int) async {
        let view = View()
        loader.load(url("status"), into: view, placeholder: "placeholder")
        await HeldResponse.started("status").respond(status, "body")
        #expect(await view.ended())
        #expect(view.history == ["placeholder"])
    }

    @Test func `an error after a response with status 200 leaves the placeholder`() async {
        let view = View()
        loader.load(url("broken"), into: view, placeholder: "placeholder")
        await HeldResponse.started("broken").respond(200, "half", URLError(.networkConnectionLost))
        #expect(await view.ended())
        #expect(view.history == ["placeholder"])
    }

    @Test func `a body that is not an image leaves the placeholder`() async {
        let view = View()
        loader.load(url("text"), into: view, placeholder: "placeholder")
        await HeldResponse.started("text").respond(200, "")
        #expect(await view.ended())
        #expect(view.history == ["placeholder"])
    }

    /// `View.image` checks the queue each time it is set; decoding is the work that must not be on it.
    @Test func `the image is decoded elsewhere and shown on the main queue`() async {
        let view = View()
        View.decodedOnMain.withLock { $0 = nil }
        loader.load(url("queue"), into: view)
        await HeldResponse.started("queue").respond(200, "queue")
        #expect(await view.shown("queue"))
        #expect(View.decodedOnMain.withLock { $0 } == false)
    }

    /// Both loads are running at the same time, so ending one does not end the other, and the protocol object's session
    /// is visible in the numbers of the tasks: one session counts 1 and 2, two sessions would both count 1.
    @Test func `targets share one session and each has its own task`() async {
        let (left, right) = (View(), View())
        AdaptableURLProtocol.registerClass(HeldResponse.self)
        defer { AdaptableURLProtocol.unregisterClass(HeldResponse.self) }
        ImageLoader.shared.load(url("left"), into: left)
        ImageLoader.shared.load(url("right"), into: right)
        let responses = await (HeldResponse.started("left"), HeldResponse.started("right"))
        #expect(ImageLoader.shared === ImageLoader.shared)
        #expect(responses.0.task?.taskIdentifier != responses.1.task?.taskIdentifier)
        ImageLoader.shared.cancel(left)
        await responses.0.stopped()
        responses.1.respond(200, "right")
        #expect(await right.shown("right"))
        #expect(left.history == [nil] && left.imageLoad == nil)
    }

    /// The load holds the target only weakly: a view that leaves the screen is not kept until its image has arrived.
    @Test func `a load does not retain its target`() async {
        var view: View? = View()
        weak let released = view
        if let view { loader.load(url("gone"), into: view) }
        let response = await HeldResponse.started("gone")
        view = nil
        #expect(released == nil)
        response.respond(200, "gone")
        await response.stopped()
    }
}

/// A session whose requests are all answered by `HeldResponse`.
private func session() -> AdaptableSession {
    let configuration = AdaptableSessionConfiguration.ephemeral
    configuration.protocolClasses = [HeldResponse.self]
    return AdaptableSession(configuration: configuration)
}

private func url(_ name: String) -> URL {
    guard let url = URL(string: "held://h.test/\(name)") else { fatalError("the parts make a URL") }
    return url
}

/// A stand-in for a view, whose images are texts.
@MainActor private final class View: ImageTarget {
    static nonisolated let decodingStops = Mutex<DispatchSemaphore?>(nil)
    static nonisolated let decodedOnMain = Mutex<Bool?>(nil)
    private static nonisolated let starts = AsyncStream.makeStream(of: Void.self)

    private(set) var history: [String?] = []
    private var observers: [() -> Void] = []
    var image: String? {
        didSet {
            dispatchPrecondition(condition: .onQueue(.main))
            history.append(image)
            change()
        }
    }
    var imageLoad: ImageLoad? { didSet { change() } }

    nonisolated static func decodeImage(_ data: Data) -> String? {
        decodedOnMain.withLock { $0 = Thread.isMainThread }
        if let stop = decodingStops.withLock({ $0 }) {
            starts.continuation.yield()
            stop.wait()
        }
        return data.isEmpty ? nil : String(decoding: data, as: UTF8.self)
    }

    static func decodingStarted() async { for await _ in starts.stream { return } }

    /// Returns true when the image is shown; the suite's time limit is the only end otherwise.
    func shown(_ image: String) async -> Bool {
        while self.image != image { await nextChange() }
        return true
    }

    /// Returns true when no load is running.
    func ended() async -> Bool {
        while imageLoad != nil { await nextChange() }
        return true
    }

    private func nextChange() async {
        await withCheckedContinuation { continuation in observers.append { continuation.resume() } }
    }

    private func change() {
        let waiting = observers
        observers = []
        for resume in waiting { resume() }
    }
}

/// A load that responds when the test asks for it.
private final class HeldResponse: AdaptableURLProtocol, @unchecked Sendable {
    private struct Register {
        var started: [String: HeldResponse] = [:]
        var waiters: [String: CheckedContinuation<HeldResponse, Never>] = [:]
    }

    private static let register = Mutex(Register())
    private let stops = AsyncStream.makeStream(of: Void.self)

    /// Returns the load of the URL with this path, once it has started.
    static func started(_ name: String) async -> HeldResponse {
        await withCheckedContinuation { continuation in
            let load = register.withLock { register in
                let load = register.started.removeValue(forKey: name)
                if load == nil { register.waiters[name] = continuation }
                return load
            }
            if let load { continuation.resume(returning: load) }
        }
    }

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "held" }

    override func startLoading() {
        let name = request.url?.lastPathComponent ?? ""
        let waiter = Self.register.withLock { register in
            let waiter = register.waiters.removeValue(forKey: name)
            if waiter == nil { register.started[name] = self }
            return waiter
        }
        waiter?.resume(returning: self)
    }

    override func stopLoading() { stops.continuation.finish() }

    /// Returns when the session has stopped the load.
    func stopped() async { for await _ in stops.stream {} }

    func respond(_ status: Int, _ body: String, _ error: URLError? = nil) {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(body.utf8))
        guard let error else {
            client?.urlProtocolDidFinishLoading(self)
            return
        }
        client?.urlProtocol(self, didFailWithError: error)
    }
}
