package import AdaptableSession
package import Foundation
import FoundationNetworking

/// Loads images into targets: the image loader that most programs write on top of a session.
///
/// A target shows the placeholder as soon as a load starts, and the image when the load has succeeded (APPS-01). The
/// session works on threads of its own; everything that a target shows is set on the main queue (APPS-04).
@MainActor package final class ImageLoader {
    /// The loader that a program uses for all its targets, so that they share connections and the cache (APPS-05).
    package static let shared = ImageLoader(session: AdaptableSession(configuration: .default))

    private let session: AdaptableSession

    /// Creates a loader with a session of the caller, for example with other timeouts or in a test.
    package init(session: AdaptableSession) { self.session = session }

    /// Shows `placeholder` in `target`, loads `url`, and shows its image. A load that is already running for the target
    /// is cancelled, and its image is never shown (APPS-02). The placeholder stays if the load fails, if the status is
    /// not 200 (APPS-03), or if the target cannot decode the body.
    package func load<Target: ImageTarget>(_ url: URL, into target: Target, placeholder: Target.Image? = nil) {
        cancel(target)
        target.image = placeholder
        let load = ImageLoad()
        target.imageLoad = load
        let task = session.dataTask(with: url) { [weak target] data, response, error in
            let image = Self.content(data, response, error).flatMap(Target.decodeImage)
            DispatchQueue.main.async {
                // A result that was already on its way when the target started another load must not be shown: the
                // cancellation comes too late for it.
                guard let target, target.imageLoad === load else { return }
                target.imageLoad = nil
                if let image { target.image = image }
            }
        }
        load.task = task
        task.resume()
    }

    /// Ends the load of a target, which keeps what it shows. Without a load nothing happens.
    package func cancel(_ target: some ImageTarget) {
        target.imageLoad?.task?.cancel()
        target.imageLoad = nil
    }

    /// Returns the body of a successful response; nil for an error and for any status but 200.
    nonisolated private static func content(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> Data? {
        guard error == nil, (response as? HTTPURLResponse)?.statusCode == 200 else { return nil }
        return data
    }
}

/// A place that shows one image, for example a view. The loader does not retain it.
@MainActor package protocol ImageTarget: AnyObject, Sendable {
    associatedtype Image: Sendable

    /// The image that the target shows.
    var image: Image? { get set }
    /// The load that is running for this target; nil without one. Only the loader changes it.
    var imageLoad: ImageLoad? { get set }
    /// Decodes an image on one of the session's threads; nil if `data` is not an image.
    nonisolated static func decodeImage(_ data: Data) -> Image?
}

/// One load of one target. Its identity distinguishes it from earlier loads of the same target.
@MainActor package final class ImageLoad {
    fileprivate var task: AdaptableSessionDataTask?
}
