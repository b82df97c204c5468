import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// A protocol class of the script.
final class ScriptedProtocol<Slot: ProtocolSlot>: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        ProtocolClassRegistry.canHandle(request.url, Slot.self)
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() { start(Slot.self) }

    override func stopLoading() {}
}

extension ScriptedProtocol: ScriptedLoad {
    var taskName: TaskName? { task?.name }

    func forward(to target: URL) {
        let session = URLSession(configuration: .ephemeral, delegate: ForwardingDelegate(self), delegateQueue: nil)
        session.dataTask(with: target).resume()
        session.finishTasksAndInvalidate()
    }
}

extension URLProtocol {
    func receive(_ response: URLResponse) {
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func receive(_ data: Data) { client?.urlProtocol(self, didLoad: data) }

    func complete(_ error: (any Error)?) {
        if let error {
            client?.urlProtocol(self, didFailWithError: error)
        } else {
            client?.urlProtocolDidFinishLoading(self)
        }
    }
}

/// Passes the response loaded by a task of another session to the client of a protocol object.
///
/// A protocol object may call its client from any thread, and FoundationNetworking declares the class as not
/// `Sendable`: the members here are constants.
private final class ForwardingDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let object: URLProtocol

    init(_ object: URLProtocol) { self.object = object }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        object.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        object.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        object.complete(error)
    }
}
