import OpenSSLTLS
import Scenario

extension TLSFault {
    /// The part of these faults that TLS itself applies before its Finished; nil when the handshake continues.
    ///
    /// For faults that TLS cannot apply it stalls, and the connection applies them without TLS.
    init?(beforeFinished faults: [Fault]) {
        for fault in faults where fault.delay == nil {
            switch fault.effect {
            case .pause(let time): self = .pause(time)
            case .tlsAlert(let alert): self = .alert(alert)
            case .close, .closeWithoutNotify, .reset, .halfClose, .stopReading, .stall, .garbage, .noise, .tlsGarbage:
                self = .stall
            case .throttle, .dribble, .answer, .status, .stream: continue
            }
            return
        }
        return nil
    }
}
