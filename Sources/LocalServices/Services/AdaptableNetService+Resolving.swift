public import Foundation
import NIOCore
import Synchronization

extension AdaptableNetService {
    /// Finds the service's host, port and addresses. The delegate is called when they are known, or when that failed:
    /// after `timeout` seconds (`timeoutError`; 0 or less waits without limit), for an invalid service
    /// (`badArgumentError`), and for one that is published or being resolved (`activityInProgress`). The addresses
    /// follow later changes until `stop()`.
    public func resolve(withTimeout timeout: TimeInterval) {
        call { $0.netServiceWillResolve($1) }
        guard let instance else { return didNotResolve(.badArgumentError) }
        let node = MulticastNode.shared
        let id = node.nextNumber()
        let isFree = state.withLock { state in
            guard state.activity == nil else { return false }
            (state.activity, state.isPublishing, state.hasResolved) = (id, false, false)
            return true
        }
        guard isFree else { return didNotResolve(.activityInProgress) }
        node.watch(id) { [weak self] views in
            let resolution = ServiceResolution(instance, views)
            self?.resolved(resolution, id)
            return resolution.questions(instance)
        }
        guard timeout > 0 else { return }
        let nanoseconds = Int64(min(timeout, 86_400) * 1e9)
        node.eventLoop.scheduleTask(in: .nanoseconds(nanoseconds)) { [weak self] in self?.timedOut(id) }
    }

    private func resolved(_ resolution: ServiceResolution, _ id: Int) {
        guard let place = resolution.places.first, let host = resolution.hostName else { return }
        let isFirst = state.withLock { state in
            guard state.activity == id else { return false }
            defer { state.hasResolved = true }
            (state.places, state.port, state.hostName) = (resolution.places, place.port, "\(host).")
            if let text = resolution.text { state.text = text }
            return !state.hasResolved
        }
        if isFirst { call { $0.netServiceDidResolveAddress($1) } }
    }

    private func timedOut(_ id: Int) {
        let isOver = state.withLock { state in
            guard state.activity == id, !state.hasResolved else { return false }
            state.activity = nil
            return true
        }
        guard isOver else { return }
        MulticastNode.shared.endWatch(id)
        didNotResolve(.timeoutError)
    }

    private func didNotResolve(_ code: ErrorCode) { call { $0.netService($1, didNotResolve: Self.failure(code)) } }

    /// Reports the service's attributes to the delegate, now and after each change, until `stopMonitoring()`.
    public func startMonitoring() {
        guard let instance else { return }
        let id = MulticastNode.shared.nextNumber()
        let isFree = state.withLock { state in
            guard state.monitor == nil else { return false }
            state.monitor = id
            return true
        }
        guard isFree else { return }
        MulticastNode.shared.watch(id) { [weak self] views in
            let resolution = ServiceResolution(instance, views)
            if let text = resolution.text { self?.monitored(text, id) }
            return resolution.questions(instance)
        }
    }

    private func monitored(_ text: [UInt8], _ id: Int) {
        let isNew = state.withLock { state in
            guard state.monitor == id, state.monitored != text else { return false }
            (state.monitored, state.text) = (text, text)
            return true
        }
        if isNew { call { $0.netService($1, didUpdateTXTRecord: Data(text)) } }
    }

    /// Ends the reports of `startMonitoring()`.
    public func stopMonitoring() {
        let id = state.withLock { state in
            defer { (state.monitor, state.monitored) = (nil, nil) }
            return state.monitor
        }
        if let id { MulticastNode.shared.endWatch(id) }
    }
}
