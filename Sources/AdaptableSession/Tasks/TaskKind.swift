import Foundation

/// The kind of work of a task.
enum TaskKind: Sendable {
    case data
    case upload(BodySource)
    case download
    /// Resumes an earlier upload from its resume data.
    case resumedUpload(Data)
    /// Resumes an earlier download from its resume data.
    case resumedDownload(Data)
}
