import Synchronization

/// The protocol classes that are registered for the whole process (PROT-06).
enum RegisteredProtocols {
    private static let classes = Mutex<[AdaptableURLProtocol.Type]>([])

    /// The classes in the order in which they are queried: the last registered first.
    static var all: [AdaptableURLProtocol.Type] { classes.withLock { $0.reversed() } }

    static func add(_ added: AdaptableURLProtocol.Type) {
        classes.withLock { classes in
            if !classes.contains(where: { $0 == added }) { classes.append(added) }
        }
    }

    static func remove(_ removed: AdaptableURLProtocol.Type) { classes.withLock { $0.removeAll { $0 == removed } } }
}
