import InternetAddresses

/// The TCP connections that one interface has carried, numbered from 1 in the order of their SYNs.
///
/// Its memory is bounded. A full table removes the connection that ended longest ago; if none has ended, the oldest
/// open one; a cut connection only if there is nothing else, because removing it would let its packets pass again.
struct FlowTable {
    private struct List {
        var first: Int32 = -1
        var last: Int32 = -1
    }

    private let capacity: Int
    private var places: [FlowKey: Int32] = [:]
    private var flows: [Flow] = []
    private var open = List()
    private var closed = List()
    private var cut = List()
    /// The number of connections numbered so far.
    private(set) var count = 0

    init(capacity: Int = 65_536) { self.capacity = capacity }

    subscript(_ place: Int32) -> Flow { flows[Int(place)] }

    /// The number of connections in the table.
    var known: Int { places.count }

    /// Records a segment and returns the place of its connection; nil for a RST that belongs to none.
    mutating func note(_ segment: FlowPacket.Segment, _ direction: LinkDirectionName, bytes: Int) -> Int32? {
        if let place = places[segment.key] {
            if flows[Int(place)].isSuperseded(by: segment, direction) { begin(segment.key, at: place) }
            if flows[Int(place)].note(segment, direction, bytes: bytes) { move(place, to: .closed) }
            return place
        }
        if segment.flags.contains(.rst) { return nil }
        let place = makeRoom()
        places[segment.key] = place
        let isBeginning = segment.flags.contains(.syn) && !segment.flags.contains(.ack)
        flows[Int(place)] = Flow(key: segment.key, number: isBeginning ? nextNumber() : 0)
        append(place, to: \.open)
        _ = flows[Int(place)].note(segment, direction, bytes: bytes)
        return place
    }

    mutating func move(_ place: Int32, to state: Flow.State) {
        remove(place, from: FlowTable.list(of: flows[Int(place)].state))
        flows[Int(place)].state = state
        append(place, to: FlowTable.list(of: state))
    }

    /// Returns the places of the open connections, oldest first; with a number, only that connection's if it is open.
    func openPlaces(number: Int?) -> [Int32] {
        var found: [Int32] = []
        var place = open.first
        while place >= 0 {
            let flow = flows[Int(place)]
            if number == nil || flow.number == number { found.append(place) }
            place = flow.next
        }
        return found
    }

    // MARK: - Places

    private mutating func nextNumber() -> Int {
        count += 1
        return count
    }

    private mutating func begin(_ key: FlowKey, at place: Int32) {
        remove(place, from: FlowTable.list(of: flows[Int(place)].state))
        flows[Int(place)] = Flow(key: key, number: nextNumber())
        append(place, to: \.open)
    }

    private mutating func makeRoom() -> Int32 {
        if flows.count < capacity {
            flows.append(Flow(key: FlowTable.unusedKey, number: 0))
            return Int32(flows.count - 1)
        }
        let place = closed.first >= 0 ? closed.first : open.first >= 0 ? open.first : cut.first
        remove(place, from: FlowTable.list(of: flows[Int(place)].state))
        places[flows[Int(place)].key] = nil
        return place
    }

    private static let unusedKey: FlowKey = {
        let missingLocation = FlowEndpoint(address: FlowAddress(IPv4Address(0)), port: 0)
        return FlowKey(client: missingLocation, origin: missingLocation)
    }()

    private static func list(of state: Flow.State) -> WritableKeyPath<FlowTable, List> {
        switch state {
        case .open: \.open
        case .closed: \.closed
        case .killed: \.cut
        }
    }

    private mutating func append(_ place: Int32, to list: WritableKeyPath<FlowTable, List>) {
        let last = self[keyPath: list].last
        flows[Int(place)].previous = last
        flows[Int(place)].next = -1
        if last >= 0 { flows[Int(last)].next = place } else { self[keyPath: list].first = place }
        self[keyPath: list].last = place
    }

    private mutating func remove(_ place: Int32, from list: WritableKeyPath<FlowTable, List>) {
        let (previous, next) = (flows[Int(place)].previous, flows[Int(place)].next)
        if previous >= 0 { flows[Int(previous)].next = next } else { self[keyPath: list].first = next }
        if next >= 0 { flows[Int(next)].previous = previous } else { self[keyPath: list].last = previous }
    }
}
