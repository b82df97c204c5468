import Foundation
import FoundationNetworking
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import AdaptableSession

/// Single transfers on a real event loop and a real disk, without a server: the tests check their files.
@Suite struct DownloadTransferTests {
    private static let page = URL(string: "http://a.test/big")
    private static let fields: HeaderFields = ["ETag": "\"v1\"", "Content-Length": "100"]

    /// Returns what remains after 10 of 100 bytes: the resume data, and true if the file still exists.
    private func left(by original: URLRequest, isFull: Bool = false) async throws -> (Data?, Bool) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.flatSubmit {
            let done = loop.makePromise(of: (Data?, Bool).self)
            do {
                let url = try #require(Self.page)
                let part = try PartialDownloadFile.fresh()
                let transfer = DownloadTransfer(in: part, policy: DownloadResumePolicy(), eventLoop: loop)
                try transfer.open(
                    DownloadTransfer.Response(status: 200, fields: Self.fields, url: url), keeping: 0,
                    at: { PartialDownloadFile.freshLocation() }, willWrite: nil,
                    whenWritten: { _ in },
                    whenFailed: { _ in })
                if isFull {
                    let full = try FileHandle(forUpdating: URL(fileURLWithPath: "/dev/full"))
                    dup2(full.fileDescriptor, part.handle.fileDescriptor)
                }
                transfer.file?.write(Data("0123456789".utf8))
                var request = original
                request.httpMethod = "GET"
                transfer.leave(request, original: original) { data in
                    done.succeed((data, part.isThere))
                }
            } catch {
                done.fail(error)
            }
            return done.futureResult
        }.get()
    }

    @Test(.timeLimit(.minutes(1))) func `received bytes are kept with their resume data`() async throws {
        let (data, isThere) = try await left(by: URLRequest(url: try #require(Self.page)))
        let record = try DownloadResumeData.read(Array(try #require(data)))
        #expect(record.received == 10)
        #expect(record.forbids == [])
        #expect(isThere)
        try FileManager.default.removeItem(atPath: record.file)
    }

    @Test(.timeLimit(.minutes(1))) func `the request's cellular restriction is part of the resume data`() async throws {
        var request = URLRequest(url: try #require(Self.page))
        request.allowsCellularAccess = false
        let record = try DownloadResumeData.read(Array(try #require(try await left(by: request).0)))
        #expect(record.forbids == [.cellular])
        try FileManager.default.removeItem(atPath: record.file)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [("POST", nil), ("GET", "body")] as [(String, String?)])
    func `a request with another method or a body leaves no resume data`(_ method: String, _ body: String?) async throws
    {
        var request = URLRequest(url: try #require(Self.page))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let (data, isThere) = try await left(by: request)
        #expect(data == nil)
        #expect(!isThere)
    }

    @Test(.timeLimit(.minutes(1))) func `after a disk full error the file is removed`() async throws {
        let (data, isThere) = try await left(by: URLRequest(url: try #require(Self.page)), isFull: true)
        #expect(data == nil)
        #expect(!isThere)
    }

    /// The second transfer is created while the first one uses the partial file.
    @Test(.timeLimit(.minutes(1)))
    func `the second of two downloads with one partial file requests the whole resource`() async throws {
        let place = PartialDownloadFile.freshLocation()
        try Data("0123456789".utf8).write(to: place)
        let record = DownloadResumeRecord(
            url: "http://a.test/big", respondedBy: "http://a.test/big", received: 10, total: 100,
            validator: .entityTag("\"v1\""),
            file: place.path, tail: PartialFileTail.identity(Array("0123456789".utf8)))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (isFirstRanged, isSecondRanged, given) = try await loop.flatSubmit {
            let done = loop.makePromise(of: (Bool, Bool, Data?).self)
            let data = Data("data".utf8)
            DownloadTransfer.make(record, from: data, policy: DownloadResumePolicy(), eventLoop: loop) { first in
                DownloadTransfer.make(record, from: data, policy: DownloadResumePolicy(), eventLoop: loop) { second in
                    let answers = (first.resumption?.isRanged ?? false, second.resumption?.isRanged ?? true)
                    // Nothing was written, so the original resume data is still valid.
                    first.leave(URLRequest(url: place), original: URLRequest(url: place)) {
                        done.succeed((answers.0, answers.1, $0))
                    }
                }
            }
            return done.futureResult
        }.get()
        #expect(isFirstRanged)
        #expect(!isSecondRanged)
        #expect(given == Data("data".utf8))
        let part = try #require(PartialDownloadFile.held(at: place))
        #expect(try part.length() == 10)
        part.remove()
    }
}
