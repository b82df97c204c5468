import Foundation

/// Where a part came from, to the extent that a validator of one place means something at the other.
struct ResumeOrigin: Equatable {
    private let origin: WebOrigin?
    /// Of a URL that has no origin, which is then equal to itself only.
    private let text: String

    init(_ url: String) {
        origin = URL(string: url).flatMap { WebOrigin($0) }
        text = origin == nil ? url : ""
    }
}
