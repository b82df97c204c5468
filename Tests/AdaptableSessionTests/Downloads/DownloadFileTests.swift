import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import AdaptableSession

/// On a real event loop and a real disk; pieces of different sizes, so that a wrong order shows in the content.
@Suite struct DownloadFileTests {
    @Test func `pieces are written in order, and the file is complete when it has settled`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let place = PartialDownloadFile.freshLocation()
        let pieces = (0..<50).map { Data(repeating: UInt8($0), count: 1 + $0 * 97) }
        let steps = Mutex<[Int64]>([])
        let isWritten = try await loop.flatSubmit {
            let done = loop.makePromise(of: Bool.self)
            do {
                let file = try DownloadFile(
                    PartialDownloadFile.fresh(at: place), keeping: 0, eventLoop: loop,
                    whenWritten: { count in steps.withLock { $0.append(count) } },
                    whenFailed: { done.fail($0) })
                for piece in pieces { file.write(piece) }
                file.settle { done.succeed($0) }
            } catch {
                done.fail(error)
            }
            return done.futureResult
        }.get()
        #expect(isWritten)
        #expect(try Data(contentsOf: place) == pieces.reduce(Data(), +))
        #expect(steps.withLock { $0.reduce(0, +) } == Int64(pieces.map(\.count).reduce(0, +)))
        try FileManager.default.removeItem(at: place)
    }

    @Test func `kept bytes stay in the file and the bytes after them are removed`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let place = PartialDownloadFile.freshLocation()
        try Data("0123456789".utf8).write(to: place)
        let isWritten = try await loop.flatSubmit {
            let done = loop.makePromise(of: Bool.self)
            do {
                guard let part = PartialDownloadFile.held(at: place) else { throw CocoaError(.fileNoSuchFile) }
                let file = try DownloadFile(
                    part, keeping: 4, eventLoop: loop, whenWritten: { _ in }, whenFailed: { done.fail($0) })
                file.write(Data("ab".utf8))
                file.settle { done.succeed($0) }
            } catch {
                done.fail(error)
            }
            return done.futureResult
        }.get()
        #expect(isWritten)
        #expect(try String(contentsOf: place, encoding: .utf8) == "0123ab")
        try FileManager.default.removeItem(at: place)
    }
}
