import Foundation

/// Where a part came from, to the extent that a validator of one place means something at the other: an entity tag is told from those
/// of the same resource only (RFC 9110 §8.8.3).
///
/// The query does not count: servers that redirect to a store sign each redirect anew in it, and mean the same file.
struct DownloadSource: Equatable {
    private let origin: WebOrigin?
    private let path: String
    /// Of a URL that has no origin, which is then equal to itself only.
    private let text: String

    init(_ url: String) {
        let place = URL(string: url)
        origin = place.flatMap { WebOrigin($0) }
        path = place?.path(percentEncoded: true) ?? ""
        text = origin == nil ? url : ""
    }
}
