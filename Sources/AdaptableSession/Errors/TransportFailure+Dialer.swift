import Glibc
import NIOCore

extension TransportFailure {
    init(_ failure: Dialer.Failure) {
        switch failure.reason {
        case .noSuchName: self = .hostNotFound("\(failure)")
        case .unanswered: self = .nameServerSilent("\(failure)")
        case .unreachable: self = .cannotConnect("\(failure)")
        case .refused:
            let codes = failure.errors.compactMap { ($0 as? IOError)?.errnoCode }
            if !codes.isEmpty, codes.allSatisfy({ $0 == ENETUNREACH || $0 == ENETDOWN }) {
                self = .noNetwork("\(failure)")
            } else if codes.contains(ETIMEDOUT) {
                self = .timedOut("\(failure)")
            } else {
                self = .cannotConnect("\(failure)")
            }
        }
    }
}
