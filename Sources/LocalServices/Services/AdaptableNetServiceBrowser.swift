import DNSMessages
public import Foundation
import Synchronization

/// A search for services of one type on all links of this machine, as NetServiceBrowser has it (SRVC-01).
///
/// The delegate is called on `delegateQueue`, in order.
public final class AdaptableNetServiceBrowser: Sendable {
    private struct State: Sendable {
        weak var delegate: (any AdaptableNetServiceBrowserDelegate)?
        var search: Int?
        var found: [ServiceInstance: AdaptableNetService] = [:]
    }

    /// The queue on which the delegate is called.
    public let delegateQueue: OperationQueue
    private let state = Mutex(State())

    /// Creates a browser. If `delegateQueue` is nil, it creates a serial queue.
    public init(delegateQueue: OperationQueue? = nil) {
        self.delegateQueue = delegateQueue ?? AdaptableNetService.serialQueue("AdaptableNetServiceBrowser")
    }

    deinit { if let search = state.withLock({ $0.search }) { MulticastNode.shared.endWatch(search) } }

    /// The delegate, which is not retained.
    public var delegate: (any AdaptableNetServiceBrowserDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Starts to search for services such as `_http._tcp.`. `domainString` is `local.` or empty. The delegate is called
    /// for each service that appears or disappears, or when the search cannot start: for an invalid type or another
    /// domain (`badArgumentError`), and during another search (`activityInProgress`).
    public func searchForServices(ofType type: String, inDomain domainString: String) {
        call { $0.netServiceBrowserWillSearch($1) }
        guard let type = ServiceType(type), ["", "local", "local."].contains(domainString.lowercased()) else {
            return didNotSearch(.badArgumentError)
        }
        let id = MulticastNode.shared.nextNumber()
        let isFree = state.withLock { state in
            guard state.search == nil else { return false }
            state.search = id
            return true
        }
        guard isFree else { return didNotSearch(.activityInProgress) }
        MulticastNode.shared.watch(id) { [weak self] views in
            self?.found(Self.instances(of: type, views), id)
            return [DNSQuestion(name: type.dnsName, type: .ptr)]
        }
    }

    private static func instances(of type: ServiceType, _ views: [MulticastNode.View]) -> Set<ServiceInstance> {
        var instances: Set<ServiceInstance> = []
        for record in views.flatMap({ $0.cache.records(RecordKey(type.dnsName, .ptr)) }) {
            if case .ptr(let target) = record.data, let instance = ServiceInstance(target, of: type) {
                instances.insert(instance)
            }
        }
        return instances
    }

    private func found(_ instances: Set<ServiceInstance>, _ id: Int) {
        // The calls are queued inside the lock, so that they keep the order of the changes.
        state.withLock { state in
            guard state.search == id else { return }
            var calls: [@Sendable (any AdaptableNetServiceBrowserDelegate, AdaptableNetServiceBrowser, Bool) -> Void] =
                []
            for gone in state.found.keys.filter({ !instances.contains($0) }).sorted(by: { $0.name < $1.name }) {
                guard let service = state.found.removeValue(forKey: gone) else { continue }
                calls.append { $0.netServiceBrowser($1, didRemove: service, moreComing: $2) }
            }
            for instance in instances.sorted(by: { $0.name < $1.name }) where state.found[instance] == nil {
                let service = AdaptableNetService(domain: "local.", type: "\(instance.type).", name: instance.name)
                state.found[instance] = service
                calls.append { $0.netServiceBrowser($1, didFind: service, moreComing: $2) }
            }
            for (index, act) in calls.enumerated() {
                let hasMore = index + 1 < calls.count
                call { act($0, $1, hasMore) }
            }
        }
    }

    /// Ends the search.
    public func stop() {
        let search = state.withLock { state in
            defer { (state.search, state.found) = (nil, [:]) }
            return state.search
        }
        guard let search else { return }
        MulticastNode.shared.endWatch(search)
        call { $0.netServiceBrowserDidStopSearch($1) }
    }

    private func didNotSearch(_ code: AdaptableNetService.ErrorCode) {
        call { $0.netServiceBrowser($1, didNotSearch: AdaptableNetService.failure(code)) }
    }

    private func call(
        _ act: @escaping @Sendable (any AdaptableNetServiceBrowserDelegate, AdaptableNetServiceBrowser) -> Void
    ) {
        delegateQueue.addOperation { [self] in
            if let delegate { act(delegate, self) }
        }
    }
}

/// The receiver of a browser's events. All methods are optional.
public protocol AdaptableNetServiceBrowserDelegate: AnyObject, Sendable {
    /// Called before a search starts.
    func netServiceBrowserWillSearch(_ browser: AdaptableNetServiceBrowser)
    /// Called after `stop()`.
    func netServiceBrowserDidStopSearch(_ browser: AdaptableNetServiceBrowser)
    /// Called when a search could not start; the dictionary has the keys of `AdaptableNetService`.
    func netServiceBrowser(_ browser: AdaptableNetServiceBrowser, didNotSearch errorDict: [String: NSNumber])
    /// Called for each service that appears. `moreComing` is true if another call follows immediately.
    func netServiceBrowser(
        _ browser: AdaptableNetServiceBrowser, didFind service: AdaptableNetService, moreComing: Bool)
    /// Called for each service that disappears, by its goodbye or because its records expired.
    func netServiceBrowser(
        _ browser: AdaptableNetServiceBrowser, didRemove service: AdaptableNetService, moreComing: Bool)
}

extension AdaptableNetServiceBrowserDelegate {
    public func netServiceBrowserWillSearch(_ browser: AdaptableNetServiceBrowser) {}
    public func netServiceBrowserDidStopSearch(_ browser: AdaptableNetServiceBrowser) {}
    public func netServiceBrowser(_ browser: AdaptableNetServiceBrowser, didNotSearch errorDict: [String: NSNumber]) {}
    public func netServiceBrowser(
        _ browser: AdaptableNetServiceBrowser, didFind service: AdaptableNetService, moreComing: Bool
    ) {}
    public func netServiceBrowser(
        _ browser: AdaptableNetServiceBrowser, didRemove service: AdaptableNetService, moreComing: Bool
    ) {}
}
