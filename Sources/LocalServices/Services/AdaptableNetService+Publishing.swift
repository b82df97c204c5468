import AdaptableSession
import Foundation
import NIOCore
import Synchronization

extension AdaptableNetService {
    /// Publishes the service under its name, or under the next free one.
    public func publish() { publish(options: []) }

    /// Publishes the service. The delegate is called when it is announced, or when that failed: for an invalid service
    /// (`badArgumentError`), one that is published or being resolved (`activityInProgress`), a name in use with
    /// `noAutoRename` (`collisionError`), or a port that cannot be listened on (`unknownError`).
    public func publish(options: Options) {
        call { $0.netServiceWillPublish($1) }
        let listens = options.contains(.listenForConnections)
        guard let instance, let port = UInt16(exactly: port), port > 0 || listens,
            !listens || instance.type.transport == "tcp"
        else { return didNotPublish(.badArgumentError) }
        let id = MulticastNode.shared.nextNumber()
        let isFree = state.withLock { state in
            guard state.activity == nil else { return false }
            (state.activity, state.isPublishing) = (id, true)
            return true
        }
        guard isFree else { return didNotPublish(.activityInProgress) }
        guard listens else { return announce(id, instance, port, options) }
        ServiceListener.open(port) { [weak self] connection in
            self?.accepted(connection, id) ?? connection.close()
        } done: { [weak self] listener in
            guard let self else { return listener?.close() ?? () }
            guard let listener else { return failed(id, .unknownError) }
            let isCurrent = state.withLock { state in
                guard state.activity == id else { return false }
                (state.listener, state.port) = (listener, Int(listener.port))
                return true
            }
            if isCurrent { announce(id, instance, listener.port, options) } else { listener.close() }
        }
    }

    private func announce(_ id: Int, _ instance: ServiceInstance, _ port: UInt16, _ options: Options) {
        let text = state.withLock { $0.text }
        MulticastNode.shared.publish(
            id,
            MulticastNode.Publication(
                instance: instance, port: port, text: text, mayRename: !options.contains(.noAutoRename)
            ) { [weak self] event in self?.happened(event, id) })
    }

    private func happened(_ event: Responder.Event, _ id: Int) {
        switch event {
        case .published(_, let name):
            let isFirst = state.withLock { state in
                guard state.activity == id else { return false }
                defer { state.hasPublished = true }
                state.name = name
                return !state.hasPublished
            }
            if isFirst { call { $0.netServiceDidPublish($1) } }
        case .conflicted: failed(id, .collisionError)
        }
    }

    private func failed(_ id: Int, _ code: ErrorCode) {
        let (isCurrent, listener) = state.withLock { state in
            guard state.activity == id else { return (false, nil as ServiceListener?) }
            defer { (state.activity, state.isPublishing, state.listener) = (nil, false, nil) }
            return (true, state.listener)
        }
        listener?.close()
        MulticastNode.shared.withdraw(id)
        if isCurrent { didNotPublish(code) }
    }

    private func didNotPublish(_ code: ErrorCode) { call { $0.netService($1, didNotPublish: Self.failure(code)) } }

    private func accepted(_ connection: StreamConnection, _ id: Int) {
        guard state.withLock({ $0.activity == id && $0.delegate != nil }) else { return connection.close() }
        call { delegate, service in
            let (input, output) = connection.makeStreams()
            delegate.netService(service, didAcceptConnectionWith: input, outputStream: output)
        }
    }
}
