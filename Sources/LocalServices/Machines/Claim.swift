package import DNSMessages
package import InternetAddresses

/// A name that this program wants to own on one link, with its records: the host's, or a service's.
package struct Claim: Sendable {
    package enum Subject: Sendable, Equatable {
        /// The host's first label and its addresses on the link.
        case host(String, [IPAddress])
        case service(ServiceInstance, port: UInt16, text: [UInt8])
    }

    /// The steps of RFC 6762 §8. The numbers count the messages that were sent.
    package enum Stage: Sendable, Equatable {
        case probing(Int)
        case announcing(Int)
        case held
    }

    /// Records that contain a host name live for 2 minutes, others for 75 (§10).
    static let shortLife: UInt32 = 120
    static let longLife: UInt32 = 4_500

    package let id: Int
    package var subject: Subject
    package var stage = Stage.probing(0)
    /// The time of the next step; nil when the name is held.
    package var due: Nanoseconds?
    /// True if a conflict gives the service another name, false if it ends the claim.
    package let mayRename: Bool
    var conflicts = 0

    package init(id: Int, _ subject: Subject, mayRename: Bool, due: Nanoseconds) {
        (self.id, self.subject, self.mayRename, self.due) = (id, subject, mayRename, due)
    }

    /// True after the first announcement: only then other hosts may rely on the name.
    var isAnnounced: Bool {
        switch stage {
        case .probing: false
        case .announcing(let sent): sent > 0
        case .held: true
        }
    }

    package static func hostName(_ label: String) -> DNSName {
        DNSName(labels: [Array(label.utf8), Array("local".utf8)])
    }

    /// The name that only this claim may use.
    package var name: DNSName {
        switch subject {
        case .host(let label, _): Self.hostName(label)
        case .service(let instance, _, _): instance.dnsName
        }
    }

    /// The records that only the owner of the name has.
    func uniqueRecords(host: DNSName) -> [DNSRecord] {
        switch subject {
        case .host(_, let addresses):
            addresses.map { address in
                let data: DNSRecord.Data =
                    switch address {
                    case .v4(let address): .a(address)
                    case .v6(let address): .aaaa(address)
                    }
                return DNSRecord(name: name, timeToLive: Self.shortLife, data: data).flushing(true)
            }
        case .service(_, let port, let text):
            [
                DNSRecord(
                    name: name, timeToLive: Self.shortLife,
                    data: .srv(.init(port: port, target: host))
                ).flushing(true),
                DNSRecord(name: name, timeToLive: Self.longLife, data: .other(.txt, text)).flushing(true),
            ]
        }
    }

    /// The records that other hosts have too: the service in the list of its type, and the type in the list of types.
    var sharedRecords: [DNSRecord] {
        guard case .service(let instance, _, _) = subject else { return [] }
        let type = instance.type.dnsName
        return [
            DNSRecord(name: type, timeToLive: Self.longLife, data: .ptr(name)),
            DNSRecord(name: ServiceType.listing, timeToLive: Self.longLife, data: .ptr(type)),
        ]
    }
}
