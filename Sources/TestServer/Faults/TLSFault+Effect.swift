import OpenSSLTLS
import Scenario

extension TLSFault {
    /// What TLS itself does when these faults happen before its Finished; nil when the handshake goes on.
    ///
    /// Where TLS has nothing of its own to do it falls silent, and the connection does the rest beneath it.
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
