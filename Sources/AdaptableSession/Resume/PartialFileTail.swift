import OpenSSLTLS

/// The checksum of a partial file's last bytes, stored in resume data.
package enum PartialFileTail {
    /// Returns the range of bytes that the checksum covers in a partial file of `received` bytes.
    package static func range(_ received: Int64) -> Range<Int64> {
        max(0, received - DownloadResumeRecord.tailLength)..<max(0, received)
    }

    /// Returns the checksum of the bytes of that range.
    package static func identity(_ bytes: [UInt8]) -> String { Digests.hexadecimal(Digests.sha256(bytes)) }
}
