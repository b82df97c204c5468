import Foundation
import FoundationNetworking

/// The protocol classes for the schemes besides http and https that a session supports itself (PROT-08): `file` and
/// `data`.
enum BuiltInProtocols {
    /// Returns the class for a request; nil for uploads, which these schemes cannot receive.
    static func type(for request: URLRequest, _ kind: TaskKind, _ policy: ProtocolPolicy) -> AdaptableURLProtocol.Type?
    {
        switch kind {
        case .data, .download: break
        case .upload, .resumedDownload, .resumedUpload: return nil
        }
        if policy.loadsFiles, FileProtocol.canInit(with: request) { return FileProtocol.self }
        if policy.loadsDataURLs, DataProtocol.canInit(with: request) { return DataProtocol.self }
        return nil
    }
}
