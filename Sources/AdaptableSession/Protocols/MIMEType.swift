import Foundation
import HTTPFields

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
