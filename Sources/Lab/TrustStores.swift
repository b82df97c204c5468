import Foundation
import LabKernel

/// Returns the DER of the first certificate of a PEM text in base64.
private func base64(ofFirst certificatePEM: String) -> String {
    certificatePEM.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN") }.dropFirst()
        .prefix { !$0.hasPrefix("-----END") }.joined()
}

/// The policy by which Chromium and Chrome trust the lab's authority. They read neither the system's certificates nor
/// variables, but the managed policies below /etc; `CACertificates` adds roots (Chrome Enterprise policy list).
enum BrowserPolicy {
    /// The folders of Chromium and Chrome. A folder that this machine does not have is skipped; the machine's own
    /// policies in one are hidden in the lab, with the proxies that they may set.
    static let folders = ["/etc/chromium", "/etc/opt/chrome"]

    static func overlays(certificatePEM: String) -> [SpawnRequest.Overlay] {
        let policy = #"{"CACertificates": ["\#(base64(ofFirst: certificatePEM))"]}"#
        return folders.map {
            .directory(path: $0, files: ["policies/managed/crosswind.json": [UInt8]((policy + "\n").utf8)])
        }
    }
}

/// A trust store for Java, which reads neither PEM files nor the variables of OpenSSL.
///
/// The format is JKS, version 2: a list of entries and a digest over them. The digest is only verified with a password,
/// and a trust store is read without one.
enum JavaTrustStore {
    static let name = "crosswind.jks"
    /// Every Java virtual machine reads these from JAVA_TOOL_OPTIONS and notes it on standard error.
    static let options =
        "-Djavax.net.ssl.trustStore=/etc/ssl/certs/\(name) -Djavax.net.ssl.trustStoreType=JKS"

    static func contents(certificatePEM: String) -> [UInt8] {
        let certificate = Data(base64Encoded: base64(ofFirst: certificatePEM)) ?? Data()
        var store = bytes(0xFEED_FEED) + bytes(2) + bytes(1)
        let certificateEntry: UInt32 = 2
        store += bytes(certificateEntry) + text("crosswind")
        store += Array(repeating: 0, count: 8)  // The time of its creation.
        store += text("X.509") + bytes(UInt32(certificate.count)) + certificate
        return store + Array(repeating: 0, count: 20)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func text(_ text: String) -> [UInt8] {
        bytes(UInt32(text.utf8.count)).suffix(2) + Array(text.utf8)
    }
}
