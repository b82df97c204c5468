import AdapterProtocol
import Conformance
import LinkEmulator
package import Record
package import ScenarioLanguage

/// Finds the injection points of a scenario in the record of a run without faults.
package struct InjectionPoints {
    /// True for every byte of heads and bodies, in place of the boundaries.
    private let everyByte: Bool
    private let scenario: Scenario
    private var points: [InjectionPoint] = []
    private var seen: Set<InjectionPoint> = []
    private var queries: [String: Int] = [:]
    private var typedQueries: [String: Int] = [:]
    private var events: [String: Int] = [:]
    private var exchanges: [Int: Int] = [:]
    private var requestsOfProxies: [String: Int] = [:]

    /// The most bytes of one body that `everyByte` visits.
    private static let mostBytes: Int64 = 65_536
    /// The most packets of one direction.
    private static let mostPackets = 5_000
    /// The largest TLS record and the usual HTTP/2 DATA frame (RFC 8446 §5.1, RFC 9113 §4.2).
    private static let block: Int64 = 16_384

    /// Returns the points in the order in which the run reached them; packets, which the record counts only, come last.
    package static func find(in entries: [RecordEntry], of scenario: Scenario, everyByte: Bool = false)
        -> [InjectionPoint]
    {
        var finder = InjectionPoints(everyByte: everyByte, scenario: scenario)
        for entry in entries { finder.add(entry.fact) }
        return finder.points
    }

    private init(everyByte: Bool, scenario: Scenario) {
        self.everyByte = everyByte
        self.scenario = scenario
    }

    private mutating func add(_ phase: InjectionPoint.Phase, _ place: InjectionPoint.Place) {
        let point = InjectionPoint(phase, place)
        if seen.insert(point).inserted { points.append(point) }
    }

    private mutating func add(
        _ phase: InjectionPoint.Phase, _ point: Fault.Point, connection: Int? = nil, request: Int? = nil
    ) {
        add(phase, .origin(point, Fault.Scope(connection: connection, request: request)))
    }

    private mutating func add(_ fact: RecordEntry.Fact) {
        switch fact {
        case .name(let query): add(query)
        case .server(let fact): add(fact)
        case .proxy(let fact): add(fact)
        case .session(let event): if case .task(let task, let event) = event.kind { add(event.name, of: task) }
        case .network(.packetCounts(let kind, let direction, packets: let count, bytes: _)):
            let phase: InjectionPoint.Phase = direction == .downlink ? .downlink : .uplink
            for number in 0..<min(Int(clamping: count), Self.mostPackets) {
                add(phase, .moment(.packet(kind, direction, count: number + 1)))
            }
        case .runStarted, .network, .command, .adapter, .stepsBegan, .step, .note, .notJudged, .runEnded: break
        }
    }

    private mutating func add(_ query: DNSFact) {
        let host = query.host.lowercased()
        queries[host, default: 0] += 1
        typedQueries["\(host) \(query.type)", default: 0] += 1
        add(.dns, .lookup(host: host, number: typedQueries["\(host) \(query.type)"] ?? 1))
        add(.dns, .moment(.query(host: host, count: queries[host] ?? 1)))
    }

    private mutating func add(_ event: TaskEventName, of task: TaskName) {
        switch event {
        // Bytes and remarks that belong to another event, replies to commands, and the end of the task.
        case .fileContent, .callbackBegan, .callbackEnded, .retainedContent, .retained, .cacheInspected, .inspected,
            .progressRead, .propertyRead, .storeAccess, .didCreateTask, .didComplete, .completionHandler,
            .didBecomeStreams, .didFinishCollectingMetrics, .resumeDataProduced, .didFinishDownloading:
            break
        case .taskIsWaitingForConnectivity, .didReceiveChallenge, .needNewBodyStream, .didSendBodyData,
            .didReceiveInformationalResponse, .willPerformRedirect, .didReceiveResponse, .didReceiveData,
            .didBecomeDownload, .didResumeAtOffset, .didWriteData, .willCacheResponse, .streamRead, .streamWritten,
            .readClosed, .writeClosed, .protocolLoad, .willBeginDelayedRequest:
            let key = "\(task.text).\(event.rawValue)"
            events[key, default: 0] += 1
            add(.event, .moment(.event(task, event, count: events[key] ?? 1)))
        }
    }

    // MARK: - The origin

    private mutating func add(_ fact: ServerFact) {
        switch fact {
        case .accepted(let connection, client: _, port: _):
            add(.connect, .accept, connection: connection)
            add(.connect, .moment(.connection(connection)))
        case .tlsHello(let connection, serverName: _, alpn: _):
            for point in [Fault.Point.tlsStart, .tlsClientHello, .tlsFinished] {
                add(.tls, point, connection: connection)
            }
        case .tlsEstablished(let connection, version: _, serverName: _):
            add(.tls, .moment(.server(ServerMoment(.tlsEstablished, connection: connection))))
        case .requestHead(_, let exchange, let request, method: _, target: _, headers: _):
            add(.request, .requestHead, request: request)
            if exchange > 1 { add(.request, .reusedRequest, request: request) }
            exchanges[request] = exchange
            add(.request, .moment(.request(request)))
        case .requestEnded(let request, let bytes, differsAt: _, bodyText: _):
            for offset in offsets(bytes) where offset > 0 {
                add(.requestBody, .requestBody(offset), request: request)
            }
            add(.requestBody, .moment(.server(ServerMoment(.requestEnded, request: request))))
        case .responseHead(let request, let status, let headers): addHead(of: request, status, headers)
        case .responseEnded(let request, let bytes):
            for offset in offsets(bytes) {
                add(.responseBody, .responseBody(offset), request: request)
                add(.responseBody, .moment(.responseSent(bytes: offset, request: request)))
            }
            addChunks(of: request)
            add(.idle, .idle, request: request)
            add(.idle, .moment(.server(ServerMoment(.responseEnded, request: request))))
        case .tlsAgreed, .tlsFailed, .responseBody, .interim, .surplus, .acknowledged, .fault, .closed, .stream, .frame,
            .badRequest:
            break
        }
    }

    private mutating func addHead(of request: Int, _ status: Int, _ headers: [HeaderField]) {
        add(.responseHead, .responseHead(after: 0), request: request)
        // HTTP/2 sends a head as one block of frames.
        guard scenario.origin.protocols.first == .http1 else { return }
        add(.responseHead, .statusLine, request: request)
        for header in headers { add(.responseHead, .responseHeader(header.name), request: request) }
        // "HTTP/1.1 200 " and the line end at least; the length of the reason phrase is not recorded.
        let lines = headers.map { $0.name.utf8.count + $0.value.utf8.count + 4 }
        let length = 15 + lines.reduce(0, +) + 2
        if everyByte {
            for byte in 1..<max(2, length) { add(.responseHead, .responseHead(after: Int64(byte)), request: request) }
        } else {
            add(.responseHead, .responseHead(after: 1), request: request)
            // Inside the empty line that ends the head, or just before it.
            add(.responseHead, .responseHead(after: Int64(length - 1)), request: request)
        }
    }

    /// Adds the first chunks of a response that may be chunked; a point that does not exist is never reached.
    private mutating func addChunks(of request: Int) {
        let isChunked = scenario.origin.routes.contains { route in
            route.contents.contains {
                if case .resource(let resource) = $0 { resource.framing == .chunked } else { false }
            }
        }
        guard isChunked else { return }
        for chunk in 1...3 {
            add(.responseBody, .afterChunks(chunk), request: request)
            add(.responseBody, .insideChunk(chunk), request: request)
        }
        add(.responseBody, .trailers, request: request)
    }

    /// Returns the offsets of a body: its ends, its middle and the boundaries of records and frames, or every one.
    private func offsets(_ length: Int64) -> [Int64] {
        if everyByte { return Array(0...min(length, Self.mostBytes)) }
        var offsets: Set<Int64> = [0, 1, length / 2, length - 1, length]
        for number in 1...4 {
            let edge = Int64(number) * Self.block
            offsets.formUnion([edge - 1, edge, edge + 1])
        }
        return offsets.filter { (0...length).contains($0) }.sorted()
    }

    // MARK: - Proxies

    private mutating func add(_ fact: ProxyFact) {
        func scope(connection: Int? = nil, request: Int? = nil) -> ProxyFault.Scope {
            ProxyFault.Scope(connection: connection, request: request)
        }
        switch fact.event {
        case .accepted: add(.proxy, .proxy(fact.proxy, .accept, scope(connection: fact.connection)))
        case .request(let number, form: _, target: _, headers: _):
            add(.proxy, .proxy(fact.proxy, .request, scope(request: number)))
            add(.proxy, .moment(.proxy(ProxyMoment(proxy: fact.proxy, event: .request(number)))))
            requestsOfProxies["\(fact.proxy) \(fact.connection)"] = number
        case .closed(by: _, let up, let down):
            guard let request = requestsOfProxies["\(fact.proxy) \(fact.connection)"] else { return }
            for (direction, bytes) in [(ProxyFact.Direction.uplink, up), (.downlink, down)] {
                for offset in Set([1, bytes / 2, bytes]).sorted() where offset > 0 && offset <= bytes {
                    add(.proxy, .proxy(fact.proxy, .carried(direction, offset), scope(request: request)))
                }
            }
        case .tlsEstablished, .tlsFailed, .refused, .connected, .carried, .fault, .badRequest: break
        }
    }
}
