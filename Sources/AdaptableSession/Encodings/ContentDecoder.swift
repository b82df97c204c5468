import Decompression

/// Takes the codings off one body as it comes: `take` what came, then `next` until it gives nil; at the end of the body `finish`. It
/// makes one piece at a time, so whoever stops asking stops the work.
package final class ContentDecoder {
    private let policy: EncodingPolicy
    private var stages: [CodingStage]
    private var input = 0
    private var output = 0
    /// True from `take` until `next` returns nil: the end of the body must not be handled before.
    private(set) var mayHoldOutput = false

    /// In the order in which the codings come off.
    package init(_ codings: [ContentCoding], policy: EncodingPolicy = EncodingPolicy()) {
        self.policy = policy
        stages = codings.map { CodingStage($0, acceptsSeveralMembers: policy.acceptsSeveralMembers) }
    }

    package func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let last = stages.last, !last.isOver else { return }
        input += bytes.count
        mayHoldOutput = true
        stages[0].append(bytes)
    }

    /// Bytes that are held for what has to come.
    var waiting: Int { stages.reduce(0) { $0 + $1.held } }

    /// A piece of the plain body; nil: more has to come.
    package func next() throws(ContentDecodingError) -> [UInt8]? {
        guard let piece = try pull(stages.count - 1) else {
            mayHoldOutput = false
            return nil
        }
        output += piece.count
        if output > policy.freeOutput, output / policy.largestRatio > input {
            throw .exceedsRatio(output: output, input: input)
        }
        return piece
    }

    /// Nothing more comes. To be called when `next` gave nil.
    package func finish() throws(ContentDecodingError) {
        guard policy.requiresEnd, !(input == 0 && policy.acceptsEmptyBody) else { return }
        // Before a stage that is over lies nothing of the body.
        let first = stages.lastIndex { $0.isOver } ?? 0
        for stage in stages[first...] where !stage.isComplete { throw .truncated(coding: stage.coding) }
    }

    private func pull(_ index: Int) throws(ContentDecodingError) -> [UInt8]? {
        guard index >= 0 else { return nil }
        while true {
            if let piece = try stages[index].next(policy.pieceSize) { return piece }
            guard index > 0, !stages[index].isOver, let more = try pull(index - 1) else { return nil }
            stages[index].append(more)
        }
    }
}
