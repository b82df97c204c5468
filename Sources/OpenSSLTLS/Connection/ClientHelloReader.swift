internal import COpenSSL

/// Reads a ClientHello from an SSL object; OpenSSL allows it only inside the ClientHello callback.
enum ClientHelloReader {
    static func read(_ ssl: OpaquePointer) -> TLSClientHello {
        // server_name: list length, type 0, name length, name (RFC 6066 §3). ALPN: list length, list (RFC 7301 §3.1).
        let names = unsafe find(ssl, UInt32(TLSEXT_TYPE_server_name))
        let name = names.flatMap { $0.count > 5 && $0[2] == 0 ? String(decoding: $0[5...], as: UTF8.self) : nil }
        let protocols = unsafe find(ssl, UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation))
        return TLSClientHello(serverName: name, alpn: protocols.flatMap { ProtocolList.decode($0.dropFirst(2)) } ?? [])
    }

    private static func find(_ ssl: OpaquePointer, _ type: UInt32) -> [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe SSL_client_hello_get0_ext(ssl, type, &bytes, &count) == 1 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
