package import AdapterProtocol
package import LinkEmulator

/// One line of a record: a fact and its time on the run's monotonic clock.
package struct RecordEntry: Hashable, Sendable {
    /// Nanoseconds on CLOCK_MONOTONIC.
    package var time: Int64
    package var fact: Fact
    package init(time: Int64, fact: Fact) {
        self.time = time
        self.fact = fact
    }

    package enum Fact: Hashable, Sendable {
        case runStarted(RunHeader)
        case network(NetworkFact)
        case name(DNSFact)
        case server(ServerFact)
        case proxy(ProxyFact)
        case command(sequence: UInt64, text: String)
        case session(SessionEvent)
        case adapter(AdapterFact)
        /// A timeline entry or step was reached; the text is as in the file.
        case step(String)
        case note(String)
        /// The last line: without it the record is incomplete.
        case runEnded(Outcome)
    }
}

package struct RunHeader: Hashable, Sendable {
    package var scenario: String
    package var file: String
    package var title: String
    package var proves: [String]
    package var adapter: String
    package var engine: String
    package var seed: UInt64
    /// 1 for the first repetition.
    package var repetition: Int
    package init(
        scenario: String, file: String, title: String, proves: [String], adapter: String, engine: String, seed: UInt64,
        repetition: Int
    ) {
        self.scenario = scenario
        self.file = file
        self.title = title
        self.proves = proves
        self.adapter = adapter
        self.engine = engine
        self.seed = seed
        self.repetition = repetition
    }
}

package enum NetworkFact: Hashable, Sendable {
    case interfaceState(InterfaceKind, InterfaceState)
    /// The requested condition of one direction of a link, as text.
    case conditionRequested(InterfaceKind, LinkDirectionName, String)
    /// The measured condition; `text` compares requested with measured values.
    case conditionMeasured(InterfaceKind, LinkDirectionName, Measurement)
    /// A packet that did not pass unchanged, or the first of its direction; the index counts from 1.
    case packet(InterfaceKind, LinkDirectionName, index: UInt64, length: Int, fate: String, summary: String)
    /// Packets and bytes that were handed to one interface since the start, recorded at the end of the run; the kernel
    /// engine omits the bytes that its queues dropped.
    case packetCounts(InterfaceKind, LinkDirectionName, packets: UInt64, bytes: UInt64)
    /// Any other change of an interface, as text: new addresses, cost flags, killed connections.
    case interfaceChanged(InterfaceKind, String)
    case dnsService(String)

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
        /// Requested and measured values, as text.
        package var text: String
        package init(
            means: Means, packets: Int, lost: Int, delayMinimum: Int64? = nil, delayMedian: Int64? = nil,
            delayMaximum: Int64? = nil, bitsPerSecond: UInt64? = nil, lateness: Int64? = nil, text: String
        ) {
            self.means = means
            self.packets = packets
            self.lost = lost
            self.delayMinimum = delayMinimum
            self.delayMedian = delayMedian
            self.delayMaximum = delayMaximum
            self.bitsPerSecond = bitsPerSecond
            self.lateness = lateness
            self.text = text
        }
    }
}

package struct DNSFact: Hashable, Sendable {
    package enum Transport: String, CaseIterable, Hashable, Sendable { case udp, tcp }

    package var host: String
    /// A, AAAA, … or TYPEn.
    package var type: String
    /// The reply as text: addresses, nxdomain, silent…
    package var reply: String
    package var client: String
    /// nil in records older than this field, like the fields below.
    package var transport: Transport?
    /// The queried address.
    package var server: String?
    /// The TTL in seconds; nil if the reply contains no record with a TTL.
    package var timeToLive: UInt32?
    /// The delay of the reply in nanoseconds.
    package var delay: Int64?
    package init(
        host: String, type: String, reply: String, client: String, transport: Transport? = nil, server: String? = nil,
        timeToLive: UInt32? = nil, delay: Int64? = nil
    ) {
        self.host = host
        self.type = type
        self.reply = reply
        self.client = client
        self.transport = transport
        self.server = server
        self.timeToLive = timeToLive
        self.delay = delay
    }
}

/// An event at the origin. Connections and requests count from 1 over the whole run; an exchange counts from 1 on its
/// connection.
package enum ServerFact: Hashable, Sendable {
    case accepted(connection: Int, client: String, port: Int)
    case tlsEstablished(connection: Int, version: String, serverName: String?)
    /// The client's TLS request, before any reply to it; `alpn` is empty if it offered no protocol.
    case tlsHello(connection: Int, serverName: String?, alpn: [String])
    case tlsAgreed(connection: Int, TLSAgreement)
    case tlsFailed(connection: Int, reason: String)
    case requestHead(
        connection: Int, exchange: Int, request: Int, method: String, target: String, headers: [HeaderField])
    /// The request's body is complete (0 bytes if there is none). `differsAt` is the first byte that differs from the
    /// pattern of its path, nil if all are equal or the body is text.
    case requestEnded(request: Int, bodyBytes: Int64, differsAt: Int64?, bodyText: String?)
    case responseHead(request: Int, status: Int, headers: [HeaderField])
    /// The number of body bytes of this response handed to the kernel so far.
    case responseBody(request: Int, bytes: Int64)
    case responseEnded(request: Int, bytes: Int64)
    /// A 1xx response of this request, including 100 Continue, was handed to the kernel.
    case interim(request: Int, status: Int, headers: [HeaderField])
    /// Bytes after the complete response of this request were handed to the kernel.
    case surplus(request: Int, bytes: Int64)
    /// The client's kernel has acknowledged the connection up to this byte of the response's body (TCP_INFO). The
    /// origin polls it every few milliseconds: the time is that of the poll, and an acknowledgement just before a close
    /// may be missing.
    case acknowledged(connection: Int, request: Int, bytes: Int64)
    case fault(connection: Int, request: Int?, point: String, effect: String)
    /// `by`: client, server or reset.
    case closed(connection: Int, by: String)
    /// The request arrived on this HTTP/2 stream; `priority` is the priority in its HEADERS frame (RFC 7540 §5.3), nil
    /// if there is none.
    case stream(request: Int, stream: Int, priority: String?)
    /// An HTTP/2 frame of any type except heads, data and window updates. `by`: client or server.
    case frame(connection: Int, stream: Int, request: Int?, by: String, type: String, text: String)
    /// The origin could not understand what a client sent.
    case badRequest(connection: Int, reason: String)
}

package enum AdapterFact: Hashable, Sendable {
    case started(pid: Int32, command: String)
    case standardError(String)
    /// A line that violates the protocol, with a description of the error.
    case violation(String, line: String)
    /// The harness ended the adapter, with the reason.
    case killed(String)
    case exited(code: Int32)
    case signalled(Int32)
    /// The unfinished last line, if any.
    case truncatedOutput(String)
    /// The peak memory of the process so far, in bytes.
    case memory(peak: Int64)
    /// The files in the adapter's private folder at the end, except those created by the harness; paths within the
    /// folder, sorted.
    case leftFiles([String])
}
