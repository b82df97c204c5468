package import LinkEmulator
package import Record

/// The totals of one direction of a link since it was created.
package struct LinkTraffic: Sendable {
    package var interface: InterfaceKind
    package var direction: LinkDirectionName
    /// Layer 3 packets and bytes that came out at the other end.
    package var packets: UInt64
    package var bytes: UInt64
    /// nil when the engine does not measure it.
    package var lost: UInt64?
    /// Delays from entering to leaving the link, since the present condition came into force; nil when the engine does
    /// not measure them.
    package var delays: LogLinearHistogram?
    /// Packets that are waiting in the queue now.
    package var queuedPackets: Int?
    package var queuedBytes: Int?
}
