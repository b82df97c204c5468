import Foundation

/// The resource that a partial response came from, in the precision that validators need: an entity tag identifies
/// versions of the same resource only (RFC 9110 §8.8.3).
///
/// The query is ignored: servers that redirect to a storage service sign each redirect in a new query for the same
/// file.
struct DownloadSource: Equatable {
    private let origin: WebOrigin?
    private let path: String
    /// The whole text of a URL without an origin, which equals only itself.
    private let text: String

    init(_ url: String) {
        let place = URL(string: url)
        origin = place.flatMap { WebOrigin($0) }
        path = place?.path(percentEncoded: true) ?? ""
        text = origin == nil ? url : ""
    }
}
