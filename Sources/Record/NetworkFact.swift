import AdapterProtocol
package import LinkEmulator

package enum NetworkFact: Hashable, Sendable {
    case interfaceState(InterfaceKind, InterfaceState)
    /// The requested condition of one direction of a link, as text.
    case conditionRequested(InterfaceKind, LinkDirectionName, Labelled<LinkName>)
    /// The measured condition; `text` compares requested with measured values.
    case conditionMeasured(InterfaceKind, LinkDirectionName, Measurement)
    /// A packet that did not pass unchanged, or the first of its direction; the index counts from 1.
    case packet(InterfaceKind, LinkDirectionName, index: UInt64, length: Int, fate: Fate, summary: String)
    /// A RST was lost on the link. TCP never repeats one (RFC 9293 §3.10.7), so its receiver may not learn of the end.
    case resetLost(InterfaceKind, LinkDirectionName)
    /// Packets and bytes that were handed to one interface since the start, recorded at the end of the run; the kernel
    /// engine omits the bytes that its queues dropped.
    case packetCounts(InterfaceKind, LinkDirectionName, packets: UInt64, bytes: UInt64)
    /// Any other change of an interface, as text: new addresses, cost flags, killed connections.
    case interfaceChanged(InterfaceKind, String)
    case dnsService(String)
    /// The power supply that the client sees from now on.
    case power(PowerState)

    /// The names of links that reports draw in a special way.
    package enum LinkName: String, CaseIterable, Hashable, Sendable {
        case perfect
        case blackHole = "black hole"
    }

    /// The fate of a packet, as far as reports distinguish it.
    package enum Fate: Hashable, Sendable {
        case passes
        /// The packet was dropped, for this reason.
        case dropped(String)
        /// The packet arrives changed, or a copy of it was dropped.
        case changed(String)

        package init(text: String) {
            let prefix = "dropped: "
            if text == Fate.passes.text {
                self = .passes
            } else if text.hasPrefix(prefix) {
                self = .dropped(String(text.dropFirst(prefix.count)))
            } else {
                self = .changed(text)
            }
        }

        package var text: String {
            switch self {
            case .passes: "passes"
            case .dropped(let reason): "dropped: \(reason)"
            case .changed(let text): text
            }
        }
    }

    /// Measurements of one direction of a link, from probes or traffic.
    package struct Measurement: Hashable, Sendable {
        package enum Means: String, CaseIterable, Hashable, Sendable {
            /// Probe packets sent by the lab immediately after the change.
            case probe
            /// The packets of the run, evaluated when the condition ended.
            case traffic
        }
        package var means: Means
        package var packets: Int
        package var lost: Int
        /// One-way delay in nanoseconds; nil if no packet arrived.
        package var delayMinimum: Int64?
        package var delayMedian: Int64?
        package var delayMaximum: Int64?
        package var bitsPerSecond: UInt64?
        /// The time by which packets left the emulator after their planned time: 99th percentile, nanoseconds.
        package var lateness: Int64?
        /// True for probes past packet filters, which apply only to the client's packets.
        package var isPastFilters: Bool
        /// Requested and measured values, as text.
        package var text: String
        package init(
            means: Means, packets: Int, lost: Int, delayMinimum: Int64? = nil, delayMedian: Int64? = nil,
            delayMaximum: Int64? = nil, bitsPerSecond: UInt64? = nil, lateness: Int64? = nil,
            isPastFilters: Bool = false,
            text: String
        ) {
            self.means = means
            self.packets = packets
            self.lost = lost
            self.delayMinimum = delayMinimum
            self.delayMedian = delayMedian
            self.delayMaximum = delayMaximum
            self.bitsPerSecond = bitsPerSecond
            self.lateness = lateness
            self.isPastFilters = isPastFilters
            self.text = text
        }
    }
}

/// The power supply of a client's machine.
package struct PowerState: Hashable, Sendable {
    /// External power is connected.
    package var isExternal: Bool
    /// The charge of the battery, percent.
    package var battery: Int
    package init(isExternal: Bool = true, battery: Int = 100) {
        self.isExternal = isExternal
        self.battery = battery
    }
    package var description: String { "\(isExternal ? "external" : "battery") power, battery \(battery)%" }
}

extension NetworkFact {
    var object: RecordObject {
        switch self {
        case .interfaceState(let kind, let state):
            RecordObject("interfaceState").with("interface", kind.rawValue).with("state", state.rawValue)
        case .conditionRequested(let kind, let direction, let requested):
            RecordObject("conditionAsked").with("interface", kind.rawValue).with("direction", direction.rawValue)
                .with("text", requested.text)
        case .conditionMeasured(let kind, let direction, let measured):
            RecordObject("conditionMeasured").with("interface", kind.rawValue).with("direction", direction.rawValue)
                .with("means", measured.means.rawValue).with("packets", measured.packets).with("lost", measured.lost)
                .with("delayMinimum", measured.delayMinimum).with("delayMedian", measured.delayMedian)
                .with("delayMaximum", measured.delayMaximum).with("bitsPerSecond", measured.bitsPerSecond)
                .with("lateness", measured.lateness).with("pastFilters", measured.isPastFilters ? true : nil)
                .with("text", measured.text)
        case .packet(let kind, let direction, let index, let length, let fate, let summary):
            RecordObject("packet").with("interface", kind.rawValue).with("direction", direction.rawValue).with(
                "number", index
            )
            .with("length", length).with("fate", fate.text).with("summary", summary)
        case .resetLost(let kind, let direction):
            RecordObject("resetLost").with("interface", kind.rawValue).with("direction", direction.rawValue)
        case .packetCounts(let kind, let direction, let packets, let bytes):
            RecordObject("packetCounts").with("interface", kind.rawValue).with("direction", direction.rawValue)
                .with("packets", packets).with("bytes", bytes)
        case .interfaceChanged(let kind, let text):
            RecordObject("interfaceChanged").with("interface", kind.rawValue).with("text", text)
        case .dnsService(let text): RecordObject("nameService").with("text", text)
        case .power(let state):
            RecordObject("power").with("external", state.isExternal).with("battery", state.battery)
        }
    }

    /// Returns nil if the kind is not a network fact.
    init?(_ fields: RecordFields) throws(RecordError) {
        func interface() throws(RecordError) -> InterfaceKind { try fields.word("interface", InterfaceKind.self) }
        func direction() throws(RecordError) -> LinkDirectionName {
            try fields.word("direction", LinkDirectionName.self)
        }
        switch fields.kind {
        case "interfaceState": self = .interfaceState(try interface(), try fields.word("state", InterfaceState.self))
        case "conditionAsked":
            self = .conditionRequested(try interface(), try direction(), Labelled(text: try fields.text("text")))
        case "conditionMeasured":
            self = .conditionMeasured(
                try interface(), try direction(),
                Measurement(
                    means: try fields.word("means", Measurement.Means.self), packets: try fields.whole("packets"),
                    lost: try fields.whole("lost"), delayMinimum: try fields.optional("delayMinimum", fields.integer),
                    delayMedian: try fields.optional("delayMedian", fields.integer),
                    delayMaximum: try fields.optional("delayMaximum", fields.integer),
                    bitsPerSecond: try fields.optional("bitsPerSecond", fields.whole),
                    lateness: try fields.optional("lateness", fields.integer), isPastFilters: fields.has("pastFilters"),
                    text: try fields.text("text")))
        case "packet":
            self = .packet(
                try interface(), try direction(), index: try fields.whole("number"),
                length: try fields.whole("length"),
                fate: Fate(text: try fields.text("fate")), summary: try fields.text("summary"))
        case "resetLost": self = .resetLost(try interface(), try direction())
        case "packetCounts":
            self = .packetCounts(
                try interface(), try direction(), packets: try fields.whole("packets"),
                bytes: try fields.whole("bytes"))
        case "interfaceChanged": self = .interfaceChanged(try interface(), try fields.text("text"))
        case "nameService": self = .dnsService(try fields.text("text"))
        case "power":
            self = .power(
                PowerState(isExternal: try fields.boolean("external"), battery: try fields.whole("battery")))
        default: return nil
        }
    }
}
