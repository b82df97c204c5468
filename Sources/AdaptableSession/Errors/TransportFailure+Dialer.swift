import Glibc
import NIOCore

extension TransportFailure {
    init(_ failure: Dialer.Failure) {
        switch failure.reason {
        case .noSuchName: self = .hostNotFound("\(failure)")
        case .unanswered: self = .nameServerSilent("\(failure)")
        case .unreachable: self = .cannotConnect("\(failure)")
        case .refused:
            let reason = FailureReason("\(failure)", number: failure.errors.last.flatMap(ErrorDescription.number))
            let codes = failure.errors.compactMap { ($0 as? IOError)?.errnoCode }
            if !codes.isEmpty, codes.allSatisfy({ $0 == ENETUNREACH || $0 == ENETDOWN }) {
                self = .noNetwork(reason)
            } else if codes.contains(ETIMEDOUT) {
                self = .timedOut(reason)
            } else {
                self = .cannotConnect(reason)
            }
        }
    }
}
