import ScenarioLanguage
import TLSTestKit

extension TLSFault {
    /// The part of these faults that TLS itself applies before its Finished; nil when the handshake continues.
    ///
    /// For faults that TLS cannot apply it stalls, and the connection applies them without TLS.
    init?(beforeFinished faults: [Fault]) {
        guard let effect = faults.first(where: { $0.delay == nil && $0.effect.pausesHandshake })?.effect else {
            return nil
        }
        if case .pause(let time) = effect {
            self = .pause(time)
        } else if case .tlsAlert(let alert) = effect {
            self = .alert(alert)
        } else {
            self = .stall
        }
    }
}
