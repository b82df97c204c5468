package import Scenario

/// Which lab: enough to choose among several.
package struct LabDescription: Hashable, Sendable {
    /// The process id of the program that holds it.
    package var id: String
    /// What runs inside.
    package var program: String
    package var engine: String
    package init(id: String, program: String, engine: String) {
        self.id = id
        self.program = program
        self.engine = engine
    }
}

/// What a lab's links and connections did in the last `window`.
package struct LabView: Hashable, Sendable {
    package struct Link: Hashable, Sendable {
        package var interface: InterfaceKind
        package var state: InterfaceState
        /// The profile's name, or `custom`.
        package var condition: String
        package var down: Direction
        package var up: Direction
    }

    /// One direction of one link. Figures that its engine cannot give are nil.
    package struct Direction: Hashable, Sendable {
        /// The condition asked for, in words.
        package var asked: String
        /// Packets and bytes of layer 3 that the link has carried since the start.
        package var packets: UInt64
        package var bytes: UInt64
        /// Since the start.
        package var lost: UInt64?
        /// Of the last window.
        package var bitsPerSecond: UInt64
        package var lossShare: Double?
        /// The median of those that came out in the last window, in nanoseconds.
        package var delay: Int64?
        /// What waits for the line now.
        package var queuedPackets: Int?
        package var queuedBytes: Int?
    }

    /// A TCP connection of the program's.
    package struct Connection: Hashable, Sendable {
        package var state: String
        package var local: String
        package var remote: String
        package var roundTrip: Int64?
        package var resent: Int
        /// Bytes that the other side acknowledged, and that came from it.
        package var sent: UInt64
        package var received: UInt64
        /// Handed to the kernel and not acknowledged.
        package var waiting: Int
    }

    package var lab: LabDescription
    /// Since the lab's start, in nanoseconds.
    package var age: Int64
    package var window: Int64
    package var links: [Link]
    package var connections: [Connection]
}
