package import LinkEmulator
package import Scenario

/// What one direction of one link has carried since it was made, as its engine knows it now.
package struct LinkTraffic: Sendable {
    package var interface: InterfaceKind
    package var direction: LinkDirectionName
    /// Packets and bytes of layer 3 that came out at the other end.
    package var packets: UInt64
    package var bytes: UInt64
    /// nil: this engine cannot say.
    package var lost: UInt64?
    /// From entering to leaving the link, since the present condition came into force; nil: this engine cannot say.
    package var delays: LogLinearHistogram?
    /// What waits for the line now.
    package var queuedPackets: Int?
    package var queuedBytes: Int?
}
