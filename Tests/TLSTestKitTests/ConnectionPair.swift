import OpenSSLTLS
import TLSTestKit

/// A connected server and client, with all events that each has reported.
final class ConnectionPair {
    static let authority = Result { () throws(TLSError) in try CertificateAuthority.make(commonName: "Test Authority") }
    static let name = "origin.test"

    let server: TLSConnection
    let breakpoints: HandshakeBreakpoints
    let client: TLSConnection
    private(set) var serverEvents: [TLSEvent] = []
    private(set) var clientEvents: [TLSEvent] = []

    init(server: TLSContext, client: TLSContext, serverName: String? = name, holds: Set<TLSBreakpoint> = [])
        throws(TLSError)
    {
        breakpoints = HandshakeBreakpoints(holds)
        self.server = try TLSConnection(server: server, gate: breakpoints)
        self.client = try TLSConnection(client: client, serverName: serverName)
    }

    /// Creates a server with a valid certificate for `name` and a client that trusts its authority.
    convenience init(
        versions: TLSVersionRange = TLSVersionRange(), holds: Set<TLSBreakpoint> = [], serverName: String? = name
    ) throws(TLSError) {
        try self.init(
            server: .server(ServerTLSOptions(identity: try Self.identity(), versions: versions)),
            client: .client(ClientTLSOptions(trust: try Self.trust(), versions: versions)), serverName: serverName,
            holds: holds)
    }

    static func identity(
        names: [String] = [name], addresses: [String] = [], validity: CertificateValidity = .current,
        signer: CertificateRequest.Signer = .authority, usage: CertificateRequest.Usage = .server
    ) throws(TLSError) -> ServerIdentity {
        try authority.get().issue(
            CertificateRequest(
                commonName: names.first ?? "someone", dnsNames: names, addresses: addresses, validity: validity,
                signer: signer,
                usage: usage))
    }

    static func trust() throws(TLSError) -> ServerTrust { .roots(try authority.get().certificatePEM) }

    func sendAlert(_ alert: UInt8) throws(TLSError) { try breakpoints.sendAlert(alert, over: server) }

    /// Carries ciphertext in both directions until neither side has any left.
    func pump() {
        note(client.start(), atServer: false)
        while true {
            let toServer = client.drainCiphertext()
            if !toServer.isEmpty { note(server.receive(toServer), atServer: true) }
            let toClient = server.drainCiphertext()
            if !toClient.isEmpty { note(client.receive(toClient), atServer: false) }
            if toServer.isEmpty, toClient.isEmpty { return }
        }
    }

    func note(_ events: [TLSEvent], atServer: Bool) {
        if atServer { serverEvents += events } else { clientEvents += events }
    }

    var serverInfo: TLSInfo? { Self.info(serverEvents) }
    var clientInfo: TLSInfo? { Self.info(clientEvents) }
    var serverError: TLSError? { Self.error(serverEvents) }
    var clientError: TLSError? { Self.error(clientEvents) }

    static func plaintext(_ events: [TLSEvent]) -> [UInt8] {
        events.flatMap { event -> [UInt8] in
            if case .plaintext(let bytes) = event { bytes } else { [] }
        }
    }

    private static func info(_ events: [TLSEvent]) -> TLSInfo? {
        for case .handshakeCompleted(let info) in events { return info }
        return nil
    }

    private static func error(_ events: [TLSEvent]) -> TLSError? {
        for case .failed(let error) in events { return error }
        return nil
    }
}
