import Foundation
import FoundationNetworking
import TransferProtocol

/// The tasks that a background session accepts.
enum BackgroundRules {
    /// A task that the daemon can do.
    struct Accepted: Hashable {
        var kind: TransferTask.Kind
        var request: TransferRequest
        var resumeData: Data?
    }

    /// Returns the task for the daemon. Throws the error with which a task that is refused ends.
    static func accept(
        _ request: URLRequest, _ kind: TaskKind, hasHandler: Bool
    ) throws(URLError) -> Accepted {
        // BKGD-09
        guard let url = request.url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            var values = TransferRequest(request)
        else { throw .made(.unsupportedURL, "A background session loads HTTP and HTTPS only.", request.url) }
        func refused(_ text: String) -> URLError { .made(.resourceUnavailable, text, url) }
        // BKGD-08
        if hasHandler { throw refused("A background session does not take completion handlers; use a delegate.") }
        if request.httpBodyStream != nil { throw refused("A background session cannot send a stream.") }
        switch kind {
        case .data: return Accepted(kind: .data, request: values)
        case .download: return Accepted(kind: .download, request: values)
        case .resumedDownload(let data): return Accepted(kind: .download, request: values, resumeData: data)
        // BKGD-14
        case .upload(.file(let file)):
            guard file.isFileURL else { throw .made(.fileDoesNotExist, "The body is not a file.", file) }
            values.body = .file(path: file.path)
            return Accepted(kind: .upload, request: values)
        case .upload: throw refused("A background session uploads from files only.")
        case .resumedUpload: throw refused("A background session continues uploads by itself, not from resume data.")
        }
    }
}
