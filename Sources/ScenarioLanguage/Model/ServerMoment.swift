import Record

/// An event of the origin as a moment: `{ server: responseEnded, request: 2 }`.
package struct ServerMoment: Hashable, Sendable {
    /// The events, by the names they have in the record's lines.
    package enum Event: String, CaseIterable, Hashable, Sendable {
        case tlsEstablished, tlsFailed, requestEnded, responseHead, responseEnded, interim, fault, closed, badRequest
        case surplus = "trailingBytes"

        /// True for events of a request; the others belong only to a connection.
        package var isOfRequest: Bool {
            switch self {
            case .requestEnded, .responseHead, .responseEnded, .interim, .surplus, .fault: true
            case .tlsEstablished, .tlsFailed, .closed, .badRequest: false
            }
        }
    }
    package var event: Event
    /// nil: any.
    package var request: Int?
    /// nil: any.
    package var connection: Int?
    package var count: Int
    package init(_ event: Event, request: Int? = nil, connection: Int? = nil, count: Int = 1) {
        self.event = event
        self.request = request
        self.connection = connection
        self.count = count
    }
}

extension ServerFact {
    /// The parts of the fact that a moment can name; nil for facts that have a separate trigger or none.
    package var moment: (event: ServerMoment.Event, request: Int?, connection: Int?)? {
        switch self {
        case .tlsEstablished(let connection, _, _): (.tlsEstablished, nil, connection)
        case .tlsFailed(let connection, _): (.tlsFailed, nil, connection)
        case .requestEnded(let request, _, _, _): (.requestEnded, request, nil)
        case .responseHead(let request, _, _): (.responseHead, request, nil)
        case .responseEnded(let request, _): (.responseEnded, request, nil)
        case .interim(let request, _, _): (.interim, request, nil)
        case .surplus(let request, _): (.surplus, request, nil)
        case .fault(let connection, let request, _, _): (.fault, request, connection)
        case .closed(let connection, _): (.closed, nil, connection)
        case .badRequest(let connection, _): (.badRequest, nil, connection)
        case .accepted, .tlsHello, .tlsAgreed, .requestHead, .responseBody, .acknowledged, .stream, .frame: nil
        }
    }
}
