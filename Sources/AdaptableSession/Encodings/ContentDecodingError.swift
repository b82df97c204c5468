package import Foundation

/// Why a coded body cannot be given to the program.
package enum ContentDecodingError: Error, Hashable, Sendable {
    case corrupt(coding: ContentCoding, reason: String)
    /// The body ended before the coding did.
    case truncated(coding: ContentCoding)
    /// So little input stands for so much output that it is taken for an attack.
    case exceedsRatio(output: Int, input: Int)

    package var code: URLError.Code {
        switch self {
        case .corrupt, .truncated: .cannotDecodeContentData
        case .exceedsRatio: .dataLengthExceedsMaximum
        }
    }
}

extension ContentDecodingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .corrupt(let coding, let reason): "The body cannot be decoded as \(coding.rawValue): \(reason)."
        case .truncated(let coding): "The body ends in the middle of its \(coding.rawValue) coding."
        case .exceedsRatio(let output, let input):
            "\(input) bytes stand for more than \(output) bytes, which no honest body does."
        }
    }
}
