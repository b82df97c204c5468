/// How a connection is ended from the middle.
package enum FlowCut: Hashable, Sendable {
    /// Nothing of it passes any more, and nobody is told (a NAT that forgot it).
    case silently
    /// As `silently`, and these ends are told by RST, now and whenever they send something again.
    case reset(client: Bool, origin: Bool)

    /// The end that packets of this direction come from is told.
    func resetsSender(of direction: FlowDirection) -> Bool {
        switch self {
        case .silently: false
        case .reset(let client, let origin):
            switch direction {
            case .up: client
            case .down: origin
            }
        }
    }
}
