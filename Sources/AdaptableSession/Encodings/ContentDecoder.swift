import Decompression

/// Removes the content codings of one body as it arrives: call `append` with received bytes, then `next` until it
/// returns nil; at the end of the body call `finish`. It decodes one chunk per call, so a caller that pauses also
/// pauses the decoding.
package final class ContentDecoder {
    /// The largest ratio of output to input once the output exceeds `freeOutput`. A single deflate cannot
    /// exceed 1,032.
    private static let largestRatio = 1_100
    /// The number of bytes of output that are not compared with the input.
    static let freeOutput = 32 << 20
    /// The largest number of bytes that are returned at once.
    static let pieceSize = 64 << 10

    private let policy: EncodingPolicy
    private var stages: [CodingStage]
    private var input = 0
    private var output = 0
    /// True from `append` until `next` returns nil: the end of the body must not be handled before.
    private(set) var mayHoldOutput = false

    /// Creates a decoder; `codings` are in the order in which they are removed.
    package init(_ codings: [ContentCoding], policy: EncodingPolicy = EncodingPolicy()) {
        self.policy = policy
        stages = codings.map { CodingStage($0) }
    }

    package func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let last = stages.last, !last.isOver else { return }
        input += bytes.count
        mayHoldOutput = true
        stages[0].append(bytes)
    }

    /// The number of received bytes that are not decoded yet.
    var waiting: Int { stages.reduce(0) { $0 + $1.held } }

    /// Returns a chunk of the decoded body; nil if more input is needed.
    package func next() throws(ContentDecodingError) -> [UInt8]? {
        guard let piece = try pull(stages.count - 1) else {
            mayHoldOutput = false
            return nil
        }
        output += piece.count
        if output > ContentDecoder.freeOutput, output / ContentDecoder.largestRatio > input {
            throw .exceedsRatio(output: output, input: input)
        }
        return piece
    }

    /// Ends the body; call it after `next` returned nil. Throws if a coding is incomplete.
    package func finish() throws(ContentDecodingError) {
        guard policy.requiresEnd, !(input == 0 && policy.acceptsEmptyBody) else { return }
        // The stages before one that has ended hold nothing of the body.
        let first = stages.lastIndex { $0.isOver } ?? 0
        for stage in stages[first...] where !stage.isComplete { throw .truncated(coding: stage.coding) }
    }

    private func pull(_ index: Int) throws(ContentDecodingError) -> [UInt8]? {
        guard index >= 0 else { return nil }
        while true {
            if let piece = try stages[index].next(ContentDecoder.pieceSize) { return piece }
            guard index > 0, !stages[index].isOver, let more = try pull(index - 1) else { return nil }
            stages[index].append(more)
        }
    }
}
