import Decompression

/// The decoder of one content coding of a body.
struct CodingStage {
    let coding: ContentCoding
    private var waiting: [UInt8] = []
    private var read = 0
    private var decompressor: (any Decompressor)?
    private var hadMember = false
    /// True if the coding has ended and other bytes follow: everything further is dropped.
    private(set) var isOver = false

    init(_ coding: ContentCoding) { self.coding = coding }

    mutating func append(_ bytes: [UInt8]) {
        if isOver { return }
        waiting.removeFirst(read)
        read = 0
        waiting += bytes
    }

    var held: Int { waiting.count - read }

    var isComplete: Bool { hadMember && decompressor == nil }

    /// Returns decoded bytes; nil if more input is needed or the coding has ended.
    mutating func next(_ limit: Int) throws(ContentDecodingError) -> [UInt8]? {
        while true {
            guard let current = try current() else { return nil }
            var output: [UInt8] = []
            let taken: Int
            do {
                taken = try current.advance(waiting.span.extracting(read...), into: &output, limit: limit)
            } catch {
                throw .corrupt(coding: coding, reason: "\(error)")
            }
            read += taken
            if current.isEnded {
                decompressor = nil
                hadMember = true
            } else if taken == 0, output.isEmpty {
                return nil
            }
            if !output.isEmpty { return output }
        }
    }

    private mutating func current() throws(ContentDecodingError) -> (any Decompressor)? {
        if let decompressor { return decompressor }
        guard let form = form() else { return nil }
        do {
            let new = try Decompressors.make(form)
            decompressor = new
            return new
        } catch {
            throw .corrupt(coding: coding, reason: "\(error)")
        }
    }

    /// Returns the format of the next member; nil if too few bytes have arrived, or if no further member follows.
    private mutating func form() -> CompressionForm? {
        let rest = waiting[read...]
        guard let first = rest.first else { return nil }
        switch coding {
        case .gzip:
            if !hadMember { return .gzip }
            // Another member may follow (RFC 1952 §2.2); other bytes after the last one are padding and not part of the body.
            guard first == 0x1F else { return ended() }
            guard let second = rest.dropFirst().first else { return nil }
            return second == 0x8B ? .gzip : ended()
        case .deflate:
            if hadMember { return ended() }
            guard let second = rest.dropFirst().first else { return nil }
            // RFC 1950 §2.2: method 8, a window of at most 32 KiB, and a check over both bytes.
            let isWrapped = first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
            return isWrapped ? .zlib : .rawDeflate
        case .brotli: return hadMember ? ended() : .brotli
        }
    }

    private mutating func ended() -> CompressionForm? {
        isOver = true
        waiting = []
        read = 0
        return nil
    }
}
