public import Foundation

/// The program of the migration page, for the tests.
public func downloadWithMigratedProgram(_ url: URL) async throws -> Data { try await Downloader().download(url) }
