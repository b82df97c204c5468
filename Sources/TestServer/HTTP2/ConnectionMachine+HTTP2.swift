import NIOCore
import ScenarioLanguage

/// Detects HTTP/2 on a connection and hands the connection over to its machine.
extension ConnectionMachine {
    /// Returns true if the bytes begin HTTP/2; nil when more must come first.
    func beginsHTTP2(_ bytes: ByteBuffer, _ protocols: [ApplicationProtocol]) -> Bool? {
        guard exchanges == 0, protocols.contains(.http2) else { return false }
        if agreedProtocol == ApplicationProtocol.http2.rawValue { return true }
        // An origin that supports only HTTP/2 accepts nothing else, and reports the error in HTTP/2 (RFC 9113 §3.4).
        guard protocols.contains(.http1) else { return true }
        // Prior knowledge; with TLS the handshake has decided.
        guard !isSecure else { return false }
        guard bytes.readableBytes > 0 else { return nil }
        do throws(HTTP2Violation) {
            return try FrameReader.verifyPreface(bytes) ? true : nil
        } catch {
            return false
        }
    }
}
