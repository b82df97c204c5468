package import Record

/// The description of a lab: enough to choose among several.
package struct LabDescription: Hashable, Sendable {
    /// The id of the process that owns it.
    package var id: String
    /// The program that runs inside.
    package var program: String
    package var engine: String
    /// The interfaces and the requests of the lab; empty for a lab of an earlier version.
    package var interfaces: [InterfaceKind]
    package var requests: [String]
    package init(
        id: String, program: String, engine: String, interfaces: [InterfaceKind] = [], requests: [String] = []
    ) {
        self.id = id
        self.program = program
        self.engine = engine
        self.interfaces = interfaces
        self.requests = requests
    }
}

/// The traffic of a lab's links and connections in the last `window`.
package struct LabView: Hashable, Sendable {
    package struct Link: Hashable, Sendable {
        package var interface: InterfaceKind
        package var state: InterfaceState
        /// The profile's name, or `custom`.
        package var condition: String
        package var downlink: Direction
        package var uplink: Direction
    }

    /// One direction of a link. Figures that its engine cannot measure are nil.
    package struct Direction: Hashable, Sendable {
        /// The requested condition, in words.
        package var requested: String
        /// Layer 3 packets and bytes that the link has carried since the start.
        package var packets: UInt64
        package var bytes: UInt64
        /// The number of lost packets since the start.
        package var lost: UInt64?
        /// The rate in the last window.
        package var bitsPerSecond: UInt64
        package var lossShare: Double?
        /// The median delay of the packets that came out in the last window, in nanoseconds.
        package var delay: Int64?
        /// Packets that are waiting in the queue now.
        package var queuedPackets: Int?
        package var queuedBytes: Int?
    }

    /// A TCP connection of the program.
    package struct Connection: Hashable, Sendable {
        package var state: String
        package var local: String
        package var remote: String
        package var roundTrip: Int64?
        package var resent: Int
        /// The number of bytes that the other side acknowledged, and that were received from it.
        package var sent: UInt64
        package var received: UInt64
        /// The number of bytes passed to the kernel and not acknowledged.
        package var waiting: Int
    }

    /// A request that the lab's own origin received. Requests to forwarded names are not among them.
    package struct Request: Hashable, Sendable {
        package var number: Int
        /// The time of its head since the lab's start, in nanoseconds.
        package var age: Int64
        package var method: String
        /// The host and the path.
        package var target: String
        package var status: Int?
        /// The number of body bytes sent so far.
        package var bytes: Int64?
        package var isComplete = false
        /// The effect of the last fault.
        package var fault: String?
    }

    /// A query that the lab's DNS servers received.
    package struct Query: Hashable, Sendable {
        package var age: Int64
        package var host: String
        package var type: String
        package var reply: String
    }

    /// A change of the network, in words.
    package struct Change: Hashable, Sendable {
        package var age: Int64
        package var text: String
    }

    package var lab: LabDescription
    /// The time since the lab's start, in nanoseconds.
    package var age: Int64
    package var window: Int64
    package var links: [Link]
    package var connections: [Connection]
    /// The last requests, queries and changes, oldest first.
    package var requests: [Request] = []
    package var queries: [Query] = []
    package var changes: [Change] = []
    /// True behind NAT64; nil for a lab of an earlier version.
    package var nat64: Bool?

    /// The state of NAT64 in words; nil if it is unknown.
    var translation: String? { nat64.map { $0 ? "NAT64 on" : "NAT64 off" } }
}
