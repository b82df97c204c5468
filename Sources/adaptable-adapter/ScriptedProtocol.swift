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

    override func startLoading() {
        guard let script = ProtocolClassRegistry.script(of: Slot.self), let url = request.url else { return }
        script.reportLoad(of: url, for: task?.name)
        switch script.protocolClass.response {
        case .canned(let status, let headers, let body):
            let fields = Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
            guard
                let response = HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !body.isEmpty { client?.urlProtocol(self, didLoad: Data(body)) }
            client?.urlProtocolDidFinishLoading(self)
        case .forwarded(let target):
            guard let target = URL(string: target) else { return }
            let session = AdaptableSession(
                configuration: .ephemeral, delegate: ForwardingDelegate(self), delegateQueue: nil)
            session.dataTask(with: target).resume()
            session.finishTasksAndInvalidate()
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
        object.client?.urlProtocol(object, didReceive: response, cacheStoragePolicy: .notAllowed)
        completionHandler(.allow)
    }

    func urlSession(_ session: AdaptableSession, dataTask: AdaptableSessionDataTask, didReceive data: Data) {
        object.client?.urlProtocol(object, didLoad: data)
    }

    func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            object.client?.urlProtocol(object, didFailWithError: error)
        } else {
            object.client?.urlProtocolDidFinishLoading(object)
        }
    }
}

extension SessionConfiguration {
    /// Makes the classes of the script: registers those of the process and returns the session's.
    func installProtocolClasses(of session: SessionName, _ output: EventOutput) -> [AdaptableURLProtocol.Type]? {
        var own: [AdaptableURLProtocol.Type] = []
        for (index, asked) in protocolClasses.enumerated() {
            let made = Self.scripted(
                ProtocolClassRegistry.register(
                    ProtocolClassRegistry.Script(
                        number: index + 1, session: session, protocolClass: asked, output: output)))
            if asked.isRegistered { AdaptableURLProtocol.registerClass(made) } else { own.append(made) }
        }
        return own.isEmpty ? nil : own
    }

    private static func scripted(_ slot: any ProtocolSlot.Type) -> AdaptableURLProtocol.Type {
        func make<Slot: ProtocolSlot>(_ slot: Slot.Type) -> AdaptableURLProtocol.Type { ScriptedProtocol<Slot>.self }
        return make(slot)
    }
}
