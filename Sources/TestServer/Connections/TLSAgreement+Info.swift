import OpenSSLTLS
import Record

extension TLSAgreement {
    init(_ info: TLSInfo) {
        self.init(
            cipher: info.cipher, alpn: info.alpn, isResumed: info.isResumed, earlyData: EarlyData(info.earlyData),
            certificate: info.ownSubject, clientCertificate: info.peerSubject)
    }
}

extension TLSAgreement.EarlyData {
    fileprivate init(_ data: TLSEarlyData) {
        self =
            switch data {
            case .notSent: .notSent
            case .refused: .refused
            case .accepted: .accepted
            }
    }
}
