import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// The members with URLSession's names behave like the members that they stand for.
@Suite struct URLSessionNamesTests {
    private let url = URL(string: "http://h.test/")!

    @Test func `tasks are listed by kind and an upload is not a data task`() async {
        let session = AdaptableSession(configuration: .ephemeral)
        let (data, upload) = (session.dataTask(with: url), session.uploadTask(with: URLRequest(url: url), from: Data()))
        let download = session.downloadTask(with: url)
        let lists = await session.tasks
        #expect(lists.0 == [data] && lists.1 == [upload] && lists.2 == [download])
        let isEqual = await withCheckedContinuation { continuation in
            session.getTasksWithCompletionHandler {
                continuation.resume(returning: $0 == [data] && $1 == [upload] && $2 == [download])
            }
        }
        #expect(isEqual)
        session.invalidateAndCancel()
    }

    @Test func `the constants have URLSession's values`() {
        #expect(AdaptableSessionTask.defaultPriority == URLSessionTask.defaultPriority)
        #expect(AdaptableSessionTask.lowPriority == 0.25)
        #expect(AdaptableSessionTask.highPriority == 0.75)
        #expect(AdaptableSession.downloadTaskResumeData == URLSessionDownloadTaskResumeData)
        #expect(AdaptableSession.transferSizeUnknown == NSURLSessionTransferSizeUnknown)
    }

    @Test func `an error has the failing URL as URL and as text`() {
        let error = URLError.made(.timedOut, "late", url)
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == "http://h.test/")
        #expect(error.failingURL == url)
    }

    @Test func `cookies of HTTPCookie are stored and deleted`() throws {
        let storage = AdaptableCookieStorage()
        let cookie = try #require(HTTPCookie(properties: [.name: "a", .value: "1", .domain: "h.test", .path: "/"]))
        storage.setCookie(cookie)
        #expect(storage.cookies(for: url)?.map(\.name) == ["a"])
        storage.deleteCookie(cookie)
        storage.setCookies([cookie], for: nil, mainDocumentURL: nil)
        #expect(storage.cookies == [])
        storage.setCookies([cookie], for: url, mainDocumentURL: nil)
        #expect(storage.cookies == [AdaptableCookie(cookie)])
    }

    @Test func `a cookie is created from properties and written as a field`() throws {
        let cookie = try #require(
            AdaptableCookie(properties: [
                .name: "a", .value: "1", .domain: "h.test", .path: "/", HTTPCookiePropertyKey("SameSite"): "Lax",
            ]))
        #expect(cookie.sameSitePolicy == .lax)
        #expect(AdaptableCookie(properties: [.name: "a"]) == nil)
        #expect(AdaptableCookie.requestHeaderFields(with: [cookie]) == ["Cookie": "a=1"])
        #expect(AdaptableCookie.requestHeaderFields(with: []) == [:])
    }

    @Test func `a cache with a path is on disk, and in memory if the path cannot be a directory`() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(AdaptableURLCache(memoryCapacity: 1, diskCapacity: 2, diskPath: folder.path).diskCapacity == 2)
        #expect(FileManager.default.fileExists(atPath: folder.path))
        for path in [nil, "/proc/cache"] {
            let cache = AdaptableURLCache(memoryCapacity: 1, diskCapacity: 2, diskPath: path)
            #expect(cache.memoryCapacity == 1 && cache.diskCapacity == 0)
        }
    }

    @Test func `a challenge can be copied for another sender`() {
        final class Sender: AdaptableSessionAuthenticationChallengeSender {
            func use(_ credential: URLCredential, for challenge: AdaptableSessionAuthenticationChallenge) {}
            func continueWithoutCredential(for challenge: AdaptableSessionAuthenticationChallenge) {}
            func cancel(_ challenge: AdaptableSessionAuthenticationChallenge) {}
        }
        let space = URLProtectionSpace(
            host: "h.test", port: 80, protocol: "http", realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let first = AdaptableSessionAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 2, failureResponse: nil, error: nil)
        let sender = Sender()
        let copy = AdaptableSessionAuthenticationChallenge(authenticationChallenge: first, sender: sender)
        #expect(copy.sender === sender)
        #expect(copy.protectionSpace == space && copy.previousFailureCount == 2)
    }

    @Test func `a configuration can be changed by several threads`() {
        let configuration = AdaptableSessionConfiguration.ephemeral
        DispatchQueue.concurrentPerform(iterations: 2_000) { index in
            switch index % 2 {
            case 0: configuration.timeoutIntervalForRequest = TimeInterval(index)
            default: configuration.httpMaximumConnectionsPerHost = index
            }
        }
        #expect(Int(configuration.timeoutIntervalForRequest) % 2 == 0)
        #expect(configuration.httpMaximumConnectionsPerHost % 2 == 1)
    }
}
