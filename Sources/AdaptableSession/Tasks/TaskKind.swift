import Foundation

/// What a task was made to do.
enum TaskKind: Sendable {
    case data
    case upload(BodySource)
    case download
    /// Takes up an upload from the resume data of an earlier one.
    case resumedUpload(Data)
    /// Carries on from the resume data of an earlier download.
    case resumedDownload(Data)
}
