extension UInt64 {
    /// Creates the FNV-1a hash of a text, the same in every process and on every machine.
    ///
    /// - Parameter salt: Distinguishes hashes of the same text.
    package init(fnv1a text: String, salt: UInt64 = 0) {
        self = text.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ salt) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
