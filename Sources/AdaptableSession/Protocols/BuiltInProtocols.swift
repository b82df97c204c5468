import Foundation
import FoundationNetworking

/// The schemes besides http and https that a session loads by itself (PROT-08), through classes of its own.
enum BuiltInProtocols {
    /// nil for requests that send something: there is nobody to take it.
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
