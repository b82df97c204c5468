import OpenSSLTLS

/// The mark of a partial file that its resume data holds.
package enum PartialFileTail {
    /// Which bytes of a part of `received` bytes the mark is over.
    package static func range(_ received: Int64) -> Range<Int64> {
        max(0, received - DownloadResumeRecord.tailLength)..<max(0, received)
    }

    /// Of the bytes of that range.
    package static func identity(_ bytes: [UInt8]) -> String { Digests.hexadecimal(Digests.sha256(bytes)) }
}
