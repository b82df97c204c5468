import AdaptableSession
public import Foundation
import NIOCore
import Synchronization

/// A service on the local link, as NetService has it: published for others to find (SRVC-01), or found by a browser and
/// to be resolved. Uses multicast DNS (RFC 6762) and DNS service discovery (RFC 6763) without a daemon; the domain is
/// always `local.`.
///
/// The delegate is called on `delegateQueue`, in order.
public final class AdaptableNetService: Sendable {
    /// The keys of the dictionaries with errors.
    public static let errorCode = "NSNetServicesErrorCode"
    /// The key for the domain of an error's code.
    public static let errorDomain = "NSNetServicesErrorDomain"

    /// The reasons why publishing, resolving or searching failed, with NetService's numbers.
    public enum ErrorCode: Int, Hashable, Sendable {
        case unknownError = -72_000
        case collisionError = -72_001
        case notFoundError = -72_002
        case activityInProgress = -72_003
        case badArgumentError = -72_004
        case cancelledError = -72_005
        case invalidError = -72_006
        case timeoutError = -72_007
    }

    /// The options of `publish(options:)`.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Fails when the name is in use, instead of choosing another one.
        public static let noAutoRename = Options(rawValue: 1 << 0)
        /// Listens on the service's port, or on a free one for port 0, with sockets for IPv4 and IPv6 (SRVC-04). The
        /// delegate receives each connection as a pair of streams.
        public static let listenForConnections = Options(rawValue: 1 << 1)
    }

    struct State: Sendable {
        weak var delegate: (any AdaptableNetServiceDelegate)?
        var name: String
        var port: Int
        var text: [UInt8]
        var hostName: String?
        var places: [ServicePlace] = []
        /// The number of the publication or of the resolution; nil when the service is idle.
        var activity: Int?
        var isPublishing = false
        var hasPublished = false
        var hasResolved = false
        var listener: ServiceListener?
        /// The watch of `startMonitoring()`, and the attributes that it reported last.
        var monitor: Int?
        var monitored: [UInt8]?
    }

    /// The domain, always `local.`.
    public let domain = "local."
    /// The type, such as `_http._tcp.`.
    public let type: String
    /// The queue on which the delegate is called.
    public let delegateQueue: OperationQueue
    let state: Mutex<State>

    /// Creates a service to resolve. `domain` is `local.` or empty; with another domain, an invalid type or an invalid
    /// name, resolving fails with `badArgumentError`.
    public convenience init(domain: String, type: String, name: String, delegateQueue: OperationQueue? = nil) {
        self.init(domain: domain, type: type, name: name, port: -1, delegateQueue: delegateQueue)
    }

    /// Creates a service to publish. An empty name stands for the name of this machine.
    public init(domain: String, type: String, name: String, port: Int, delegateQueue: OperationQueue? = nil) {
        self.type = type.hasSuffix(".") ? type : type + "."
        self.delegateQueue = delegateQueue ?? Self.serialQueue("AdaptableNetService")
        isLocal = ["", "local", "local."].contains(domain.lowercased())
        let name = name.isEmpty && port >= 0 ? ProcessInfo.processInfo.hostName : name
        state = Mutex(State(name: name, port: port, text: TXTRecord.empty))
    }

    private let isLocal: Bool

    deinit { stop(reports: false) }

    static func serialQueue(_ name: String) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = name
        return queue
    }

    /// The delegate, which is not retained.
    public var delegate: (any AdaptableNetServiceDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    /// The name. After publishing, the one that was not in use.
    public var name: String { state.withLock { $0.name } }
    /// The port; -1 until it is known.
    public var port: Int { state.withLock { $0.port } }
    /// The name of the host, such as `host.local.`; nil until the service is resolved.
    public var hostName: String? { state.withLock { $0.hostName } }
    /// The addresses as `struct sockaddr_in` and `sockaddr_in6`; nil until the service is resolved.
    public var addresses: [Data]? { state.withLock { $0.hasResolved ? $0.places.map(\.socketAddress) : nil } }

    var instance: ServiceInstance? {
        guard isLocal, let type = ServiceType(type) else { return nil }
        return ServiceInstance(name: name, type: type)
    }

    /// Calls the delegate in order.
    func call(_ act: @escaping @Sendable (any AdaptableNetServiceDelegate, AdaptableNetService) -> Void) {
        delegateQueue.addOperation { [self] in
            if let delegate { act(delegate, self) }
        }
    }

    static func failure(_ code: ErrorCode) -> [String: NSNumber] {
        [errorCode: NSNumber(value: code.rawValue), errorDomain: NSNumber(value: 10)]
    }

    // MARK: Attributes

    /// Sets the attributes, in the format of `data(fromTXTRecord:)`; nil removes them. Returns false if the data is
    /// longer than 8,900 bytes. A published service announces the change.
    @discardableResult
    public func setTXTRecord(_ recordData: Data?) -> Bool {
        let text = recordData.map { [UInt8]($0) } ?? TXTRecord.empty
        guard text.count <= 8_900 else { return false }
        let id = state.withLock { state in
            state.text = text.isEmpty ? TXTRecord.empty : text
            return state.isPublishing ? state.activity : nil
        }
        if let id { MulticastNode.shared.setText(text.isEmpty ? TXTRecord.empty : text, of: id) }
        return true
    }

    /// Returns the attributes that were set or resolved; nil if there are none.
    public func txtRecordData() -> Data? { state.withLock { $0.text == TXTRecord.empty ? nil : Data($0.text) } }

    /// Returns the data of attributes (RFC 6763 §6). Attributes that cannot be expressed give empty data.
    public static func data(fromTXTRecord txtDictionary: [String: Data]) -> Data {
        Data(TXTRecord.data(txtDictionary.mapValues { [UInt8]($0) }) ?? [])
    }

    /// Returns the attributes in the data of a TXT record.
    public static func dictionary(fromTXTRecord txtData: Data) -> [String: Data] {
        TXTRecord.attributes([UInt8](txtData)).mapValues { Data($0) }
    }

    // MARK: Streams

    /// Returns a pair of streams to the service (SRVC-02). The service is resolved and the connection opened when the
    /// first of them is opened; a failure is the streams' `streamError`. Returns false if the type is not `_tcp` or the
    /// service cannot exist.
    public func getInputStream(_ inputStream: inout InputStream?, outputStream: inout OutputStream?) -> Bool {
        guard let instance, instance.type.transport == "tcp" else { return false }
        let connection = StreamConnection { done in
            ServiceResolution.places(of: instance, within: 30) { places in
                if places.isEmpty {
                    done(.failure(URLError(.cannotFindHost)))
                } else {
                    done(.success(places.map { ($0.host, $0.port) }))
                }
            }
        }
        (inputStream, outputStream) = connection.makeStreams()
        return true
    }

    /// Ends publishing, resolving and monitoring, with `netServiceDidStop` if there was something to end.
    public func stop() { stop(reports: true) }

    private func stop(reports: Bool) {
        let (activity, isPublishing, listener, monitor) = state.withLock { state in
            defer { (state.activity, state.isPublishing, state.listener) = (nil, false, nil) }
            defer { (state.hasPublished, state.monitor) = (false, nil) }
            return (state.activity, state.isPublishing, state.listener, state.monitor)
        }
        listener?.close()
        if let monitor { MulticastNode.shared.endWatch(monitor) }
        guard let activity else { return }
        if isPublishing { MulticastNode.shared.withdraw(activity) } else { MulticastNode.shared.endWatch(activity) }
        if reports { call { $0.netServiceDidStop($1) } }
    }
}

extension AdaptableNetService: Hashable {
    /// Two services are equal if they have the same name, type and domain.
    public static func == (left: AdaptableNetService, right: AdaptableNetService) -> Bool {
        left === right || (left.name == right.name && left.type.lowercased() == right.type.lowercased())
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(type.lowercased()) }
}
