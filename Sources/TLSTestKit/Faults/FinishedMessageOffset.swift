/// The position in the output at which a server's handshake can be cut before its Finished.
///
/// OpenSSL reports each record header before the message in that record, so the last header seen belongs to the
/// message.
struct FinishedMessageOffset {
    private var nextRecord = 0
    private var lastRecord = (start: 0, type: UInt8(0))
    private var encryptedRecords = 0
    private var changeCipherSpec: Int?

    /// The position of the cut, as an offset in all ciphertext of the connection; nil until Finished was written.
    private(set) var cut: Int?
    /// The number of encrypted records before the cut, which is the sequence number of the record at the cut (RFC 8446
    /// §5.3).
    private(set) var sequenceNumber = 0

    static let headerKind: CInt = 256
    static let changeCipherSpecType: UInt8 = 20
    static let handshakeType: UInt8 = 22
    static let encryptedType: UInt8 = 23
    static let finishedMessage: UInt8 = 20

    /// Records a write. `prefix` contains its first bytes, `kind` its type (SSL_set_msg_callback(3)).
    mutating func wrote(kind: CInt, prefix: [UInt8], isTLS13: Bool) {
        guard cut == nil, let first = prefix.first else { return }
        if kind == Self.headerKind, prefix.count == 5 {
            lastRecord = (nextRecord, first)
            nextRecord += 5 + Int(prefix[3]) << 8 + Int(prefix[4])
            if first == Self.encryptedType { encryptedRecords += 1 }
        } else if kind == CInt(Self.changeCipherSpecType), !isTLS13 {
            // Up to TLS 1.2 everything before ChangeCipherSpec is plaintext, so that the peer can read an alert in its
            // place.
            changeCipherSpec = lastRecord.start
        } else if kind == CInt(Self.handshakeType), first == Self.finishedMessage {
            cut = changeCipherSpec ?? lastRecord.start
            sequenceNumber = max(0, encryptedRecords - 1)
        }
    }
}
