import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// A protocol class of the script.
final class ScriptedProtocol<Slot: ProtocolSlot>: AdaptableURLProtocol, @unchecked Sendable {
    // No state of its own.
    override class func canInit(with request: URLRequest) -> Bool {
        ProtocolClassRegistry.canHandle(request.url, Slot.self)
    }

    override func startLoading() { start(Slot.self) }
}

extension ScriptedProtocol: ScriptedLoad {
    var taskName: TaskName? { task?.name }

    func forward(to target: URL) {
        let session = AdaptableSession(
            configuration: .ephemeral, delegate: ForwardingDelegate(self), delegateQueue: nil)
        session.dataTask(with: target).resume()
        session.finishTasksAndInvalidate()
    }
}

extension AdaptableURLProtocol {
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
private final class ForwardingDelegate: AdaptableSessionDataDelegate {
    private let object: AdaptableURLProtocol

    init(_ object: AdaptableURLProtocol) { self.object = object }

    func urlSession(
        _ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (AdaptableSession.ResponseDisposition) -> Void
    ) {
        object.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        object.receive(data)
    }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        object.complete(error)
    }
}
