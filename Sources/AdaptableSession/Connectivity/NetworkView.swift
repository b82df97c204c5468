/// The current network as one session sees it.
final class NetworkView {
    /// nil if the network cannot be observed; it is then treated as open.
    private(set) var state: NetworkState?
    private let policy: PathPolicy
    private let look: (() -> NetworkState?)?
    private var glance: (state: NetworkState, at: Int64)?

    /// Creates the view of what a monitor observes.
    convenience init(_ monitor: PathMonitor?, policy: PathPolicy) {
        self.init(monitor?.current, policy: policy, look: monitor.map { monitor in { monitor.look() } })
    }

    /// `look` reads the current state from the kernel.
    init(_ state: NetworkState?, policy: PathPolicy, look: (() -> NetworkState?)? = nil) {
        self.state = state
        self.policy = policy
        self.look = look
    }

    /// Stores a state that the path monitor reported.
    func received(_ state: NetworkState) {
        self.state = state
        glance = nil
    }

    /// Returns the path to a host. `since` is the time at which the task began, in nanoseconds: before the path is
    /// reported as closed, the kernel is queried for a state after that time. A query takes some tenths of a
    /// millisecond and serves all tasks that began before it.
    func path(to host: String, forbidding traits: PathTraits, since: Int64) -> NetworkPath {
        guard let state else { return NetworkPath(interfaces: [], obstacle: nil, needsBinding: false) }
        let path = state.path(toHost: host, forbidding: traits, policy: policy)
        guard !path.isOpen else { return path }
        // A task may begin between a change and its notification; a final decision must not be based on the state
        // before the change.
        if glance.map({ $0.at < since }) ?? true {
            let now = MonotonicTime.now()
            glance = look?().map { ($0, now) }
        }
        return glance?.state.path(toHost: host, forbidding: traits, policy: policy) ?? path
    }

    /// Returns the path to a host after an attempt has failed. The kernel is queried although the last report was of an
    /// open path: the attempt may have failed because of a change whose notification has not been read yet.
    func pathAfterFailure(to host: String, forbidding traits: PathTraits) -> NetworkPath {
        guard let state else { return NetworkPath(interfaces: [], obstacle: nil, needsBinding: false) }
        let now = MonotonicTime.now()
        glance = look?().map { ($0, now) }
        return (glance?.state ?? state).path(toHost: host, forbidding: traits, policy: policy)
    }
}
