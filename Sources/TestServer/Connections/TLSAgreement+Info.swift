import OpenSSLTLS
import Scenario

extension TLSAgreement {
    init(_ info: TLSInfo) {
        self.init(
            cipher: info.cipher, alpn: info.alpn, isResumed: info.isResumed, earlyData: info.earlyData.rawValue,
            certificate: info.ownSubject, clientCertificate: info.peerSubject)
    }
}
