import Foundation
import FoundationNetworking
import HTTPFields

/// The length of a body, as far as it is known before the body is sent.
enum BodyLength {
    static func announced(of kind: TaskKind, _ request: URLRequest) -> Int64? {
        switch kind {
        case .upload(let source): length(of: source, request)
        case .data, .download: request.httpBodyStream == nil ? Int64(request.httpBody?.count ?? 0) : stated(request)
        case .resumedUpload(let data): UploadResume.record(data)?.length
        case .resumedDownload: 0
        }
    }

    static func length(of source: BodySource, _ request: URLRequest) -> Int64? {
        switch source {
        case .none: return 0
        case .memory(let data): return Int64(data.count)
        case .file(let url):
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            return (attributes?[.size] as? NSNumber)?.int64Value
        case .filePart(_, let range): return Int64(range.count)
        case .stream: return stated(request)
        }
    }

    /// Returns the length of a stream that the program stated in the request's Content-Length field.
    private static func stated(_ request: URLRequest) -> Int64? {
        // RFC 9110 §8.6: digits only.
        guard let text = request.value(forHTTPHeaderField: "Content-Length").map({ HTTPFieldSyntax.trimmed($0) }),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
