import Foundation
import FoundationNetworking
import HTTPFields
import Synchronization

/// Loads local `file:` URLs (PROT-08) in pieces, at the rate at which the task consumes them.
///
/// `@unchecked` is safe: the only state is protected by a lock.
final class FileProtocol: AdaptableURLProtocol, @unchecked Sendable {
    private static let piece = 64 * 1024

    private struct Reading: Sendable {
        var file: FileHandle
        var left: Int
    }

    private let reading = Mutex<Reading?>(nil)

    override class func canInit(with request: URLRequest) -> Bool { request.url?.isFileURL ?? false }

    override func startLoading() {
        guard let url = request.url else { return }
        do {
            let (file, length) = try Self.open(url)
            reading.withLock { $0 = Reading(file: file, left: length) }
            let response = URLResponse(
                url: url, mimeType: MIMEType.ofFile(named: url.lastPathComponent), expectedContentLength: length,
                textEncodingName: nil)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            readOn()
        } catch {
            client?.urlProtocol(self, didFailWithError: Self.error(error, url))
        }
    }

    override func stopLoading() {
        let ended = reading.withLock { reading in
            defer { reading = nil }
            return reading
        }
        try? ended?.file.close()
    }

    // MARK: Reading

    private func readOn() {
        guard let client = client as? ProtocolClient else { return }
        client.whenRoom { [self] in ProtocolRun.threads.addOperation { self.readPiece(client) } }
    }

    private func readPiece(_ client: ProtocolClient) {
        // Inside the lock, so that `stopLoading()` cannot close the file during the read.
        let result = reading.withLock { reading -> Result<Data, any Error>? in
            guard let current = reading else { return nil }
            return Result {
                let data = try current.file.read(upToCount: min(Self.piece, current.left)) ?? Data()
                reading?.left -= data.count
                return data
            }
        }
        guard let result else { return }
        switch result {
        case .success(let data):
            let left = reading.withLock { $0?.left } ?? 0
            if !data.isEmpty { client.urlProtocol(self, didLoad: data) }
            if left == 0 {
                client.urlProtocolDidFinishLoading(self)
            } else if data.isEmpty {
                client.urlProtocol(
                    self,
                    didFailWithError: URLError.made(
                        .cannotOpenFile, "The file became shorter while it was read.", request.url))
            } else {
                readOn()
            }
        case .failure(let error): client.urlProtocol(self, didFailWithError: Self.error(error, request.url))
        }
    }

    // MARK: Opening

    enum Obstacle: Error, Equatable {
        case elsewhere(String)
        case missing, directory, noPermission
        /// A device or a pipe does not have a length and may block its reader indefinitely.
        case noRegularFile
    }

    private static func open(_ url: URL) throws -> (FileHandle, Int) {
        let host = url.host(percentEncoded: false) ?? ""
        guard host.isEmpty || HTTPFieldSyntax.equal(host, "localhost") else { throw Obstacle.elsewhere(host) }
        let path = url.resolvingSymlinksInPath().path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular?: break
        case .typeDirectory?: throw Obstacle.directory
        default: throw Obstacle.noRegularFile
        }
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        do {
            // The length of the opened file; the path may refer to another file by now.
            let length = try file.seekToEnd()
            try file.seek(toOffset: 0)
            return (file, Int(length))
        } catch {
            try? file.close()
            throw error
        }
    }

    static func obstacle(_ error: any Error) -> Obstacle? {
        if let obstacle = error as? Obstacle { return obstacle }
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile?, .fileNoSuchFile?: return .missing
        case .fileReadNoPermission?: return .noPermission
        default: return nil
        }
    }

    private static func error(_ error: any Error, _ url: URL?) -> URLError {
        let path = url?.path ?? ""
        return switch obstacle(error) {
        case .elsewhere(let host):
            URLError.made(.unsupportedURL, "Files of another machine (\(host)) are not loaded.", url)
        case .missing: URLError.made(.fileDoesNotExist, "The file \(path) does not exist.", url)
        case .directory: URLError.made(.fileIsDirectory, "\(path) is a directory.", url)
        case .noPermission: URLError.made(.noPermissionsToReadFile, "No permission to read the file \(path).", url)
        case .noRegularFile: URLError.made(.cannotOpenFile, "\(path) is neither a file nor a directory.", url)
        case nil: URLError.made(.cannotOpenFile, "The file \(path) cannot be read", because: error, url)
        }
    }
}

/// The media type of a file, derived from its name extension: files carry no other type information.
enum MIMEType {
    private static let types = [
        "html": "text/html", "htm": "text/html", "txt": "text/plain", "css": "text/css", "csv": "text/csv",
        "js": "text/javascript",
        "json": "application/json", "xml": "application/xml", "pdf": "application/pdf", "zip": "application/zip",
        "gz": "application/gzip",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml",
        "webp": "image/webp",
        "mp3": "audio/mpeg", "wav": "audio/wav", "mp4": "video/mp4", "mov": "video/quicktime",
    ]

    static func ofFile(named name: String) -> String {
        types[HTTPFieldSyntax.lowercased((name as NSString).pathExtension)] ?? "application/octet-stream"
    }
}
