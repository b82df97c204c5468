import DNSMessages
import Foundation
import InternetAddresses
import NIOCore
import NetworkMonitor
import Synchronization

/// An address of a service, with the link on which it was found.
struct ServicePlace: Hashable, Sendable {
    let address: IPAddress
    let interface: String
    let port: Int

    /// The text of the address, with the interface of a link-local one: `fe80::1%eth0`.
    var host: String { address.isV6 && address.isLinkLocal ? "\(address)%\(interface)" : "\(address)" }

    /// The address as `struct sockaddr_in` or `sockaddr_in6`.
    var socketAddress: Data {
        let port = UInt16(clamping: port)
        var bytes = InternetAddresses.SocketAddress(address, port: port).kernelBytes
        if address.isV6, address.isLinkLocal {
            let scope = unsafe UInt32(if_nametoindex(interface)).hostBytes
            bytes.replaceSubrange(24..<28, with: scope)
        }
        return Data(bytes)
    }

    /// The order in which connections are tried: addresses that need no interface first, IPv6 before IPv4.
    var rank: Int { address.isLinkLocal ? (address.isV6 ? 2 : 3) : (address.isV6 ? 0 : 1) }
}

/// The records of one service, as the caches of all links have them.
struct ServiceResolution: Sendable {
    var hostName: DNSName?
    var places: [ServicePlace] = []
    var text: [UInt8]?

    init(_ instance: ServiceInstance, _ views: [MulticastNode.View]) {
        for view in views {
            for record in view.cache.records(RecordKey(instance.dnsName, .txt)) {
                if case .other(_, let data) = record.data { text = data }
            }
            for record in view.cache.records(RecordKey(instance.dnsName, .srv)) {
                guard case .srv(let location) = record.data, location.port > 0 else { continue }
                hostName = hostName ?? location.target
                for type in [DNSRecordType.a, .aaaa] {
                    for address in view.cache.records(RecordKey(location.target, type)) {
                        switch address.data {
                        case .a(let address): add(.v4(address), view, location)
                        case .aaaa(let address): add(.v6(address), view, location)
                        default: continue
                        }
                    }
                }
            }
        }
        places = places.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element)
    }

    private mutating func add(
        _ address: IPAddress, _ view: MulticastNode.View, _ location: DNSRecord.ServiceLocation
    ) {
        let place = ServicePlace(address: address, interface: view.interface, port: Int(location.port))
        if !places.contains(place) { places.append(place) }
    }

    /// The questions that find these records.
    func questions(_ instance: ServiceInstance) -> Set<DNSQuestion> {
        var questions: Set = [
            DNSQuestion(name: instance.dnsName, type: .srv), DNSQuestion(name: instance.dnsName, type: .txt),
        ]
        if let hostName {
            questions.formUnion([DNSQuestion(name: hostName, type: .a), DNSQuestion(name: hostName, type: .aaaa)])
        }
        return questions
    }

    /// Calls `done` once with the addresses of a service, or with none after `seconds`.
    static func places(
        of instance: ServiceInstance, within seconds: Int64, _ done: @escaping @Sendable ([ServicePlace]) -> Void
    ) {
        let node = MulticastNode.shared
        let id = node.nextNumber()
        let finish = OneResult(done)
        node.watch(id) { views in
            let resolution = ServiceResolution(instance, views)
            if !resolution.places.isEmpty, finish(resolution.places) { node.endWatch(id) }
            return resolution.questions(instance)
        }
        node.eventLoop.scheduleTask(in: .seconds(seconds)) { if finish([]) { node.endWatch(id) } }
    }
}

/// A completion that is called once.
private final class OneResult: Sendable {
    private let done: Mutex<(@Sendable ([ServicePlace]) -> Void)?>

    init(_ done: @escaping @Sendable ([ServicePlace]) -> Void) { self.done = Mutex(done) }

    /// Returns true for the first call.
    func callAsFunction(_ places: [ServicePlace]) -> Bool {
        let done = done.withLock { done in
            defer { done = nil }
            return done
        }
        done?(places)
        return done != nil
    }
}
