import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// The cache stores: entries are found again, capacities are respected, and the disk cache outlives its object.
struct AdaptableURLCacheTests {
    private func request(_ path: String, _ fields: [String: String] = [:]) -> URLRequest {
        var request = URLRequest(url: URL(string: "http://h.test\(path)")!)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func response(
        _ path: String, _ text: String, vary: HeaderFields = [:], size: Int = 0,
        userInfo: [String: any Sendable]? = nil,
        storage: URLCache.StoragePolicy = .allowed
    ) -> AdaptableCachedURLResponse {
        var fields: HeaderFields = ["ETag": "\"v1\"", "Cache-Control": "max-age=60"]
        if let name = vary.fields.first?.name { fields["Vary"] = name }
        var exchange = StoredExchange(
            url: URL(string: "http://h.test\(path)")!, status: 200, fields: fields, requestTime: Date(),
            responseTime: Date())
        exchange.recordVariance(sent: vary, own: vary)
        return AdaptableCachedURLResponse(
            exchange, data: Data(text.utf8) + Data(count: size), userInfo: userInfo, storagePolicy: storage)
    }

    private func text(_ response: AdaptableCachedURLResponse?) -> String? {
        response.map { String(decoding: $0.data, as: UTF8.self) }
    }

    private func withDirectory(_ act: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try act(directory)
    }

    @Test func `an equal request finds the entry regardless of the fragment, and another request does not`() {
        let cache = AdaptableURLCache(memoryCapacity: 1 << 20)
        cache.storeCachedResponse(response("/a", "one"), for: request("/a#x"))
        #expect(text(cache.cachedResponse(for: request("/a"))) == "one")
        #expect(text(cache.cachedResponse(for: request("/a#y"))) == "one")
        #expect(cache.cachedResponse(for: request("/a?q")) == nil)
        var post = request("/a")
        post.httpMethod = "POST"
        #expect(cache.cachedResponse(for: post) == nil)
        cache.storeCachedResponse(response("/a", "two"), for: request("/a"))
        #expect(text(cache.cachedResponse(for: request("/a"))) == "two")
        cache.removeCachedResponse(for: request("/a"))
        #expect(cache.cachedResponse(for: request("/a")) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func `variants of one URL are stored side by side, on disk as in memory`() throws {
        try withDirectory { directory in
            for cache in [
                AdaptableURLCache(memoryCapacity: 1 << 20),
                try AdaptableURLCache(memoryCapacity: 0, diskCapacity: 1 << 20, directory: directory),
            ] {
                cache.storeCachedResponse(
                    response("/a", "deutsch", vary: ["Accept-Language": "de"]), for: request("/a"))
                cache.storeCachedResponse(
                    response("/a", "english", vary: ["Accept-Language": "en"]), for: request("/a"))
                #expect(text(cache.cachedResponse(for: request("/a", ["Accept-Language": "de"]))) == "deutsch")
                #expect(text(cache.cachedResponse(for: request("/a", ["Accept-Language": "en"]))) == "english")
                #expect(cache.cachedResponse(for: request("/a", ["Accept-Language": "fr"])) == nil)
                #expect(cache.cachedResponse(for: request("/a")) == nil)
            }
        }
    }

    @Test func `the memory cache stays within its capacity and removes the least recently used entry first`() {
        let cache = AdaptableURLCache(memoryCapacity: 4_000)
        for name in ["/a", "/b", "/c"] {
            cache.storeCachedResponse(response(name, name, size: 1_000), for: request(name))
            _ = cache.cachedResponse(for: request("/a"))
            #expect(cache.currentMemoryUsage <= 4_000)
        }
        #expect(cache.cachedResponse(for: request("/a")) != nil)
        #expect(cache.cachedResponse(for: request("/b")) == nil)
        #expect(cache.cachedResponse(for: request("/c")) != nil)
        cache.storeCachedResponse(response("/d", "", size: 5_000), for: request("/d"))
        #expect(cache.cachedResponse(for: request("/d")) == nil)
        #expect(cache.cachedResponse(for: request("/c")) != nil)
        cache.memoryCapacity = 0
        #expect(cache.currentMemoryUsage == 0)
    }

    /// The program's request lacks the field, as each later one does; the session adds it to every request.
    @Test func `a reopened disk cache finds an entry that varies by a field of the session`() throws {
        try withDirectory { directory in
            func cache() throws -> AdaptableURLCache {
                try AdaptableURLCache(memoryCapacity: 1 << 20, diskCapacity: 10 << 20, directory: directory)
            }
            var exchange = StoredExchange(
                url: try #require(URL(string: "http://h.test/a")), status: 200,
                fields: ["Vary": "Accept-Encoding", "Cache-Control": "max-age=60"], requestTime: Date(),
                responseTime: Date())
            exchange.recordVariance(sent: ["Accept-Encoding": "gzip"], own: [:])
            try cache().storeCachedResponse(
                AdaptableCachedURLResponse(exchange, data: Data("one".utf8), userInfo: nil, storagePolicy: .allowed),
                for: request("/a"))
            #expect(text(try cache().cachedResponse(for: request("/a"))) == "one")
        }
    }

    @Test func `a disk cache survives its object with all properties of its entries`() throws {
        try withDirectory { directory in
            let information: [String: any Sendable] = [
                "text": "t", "number": 7, "flag": true, "list": ["a", 1.5] as [any Sendable],
            ]
            let first = try AdaptableURLCache(memoryCapacity: 1 << 20, diskCapacity: 10 << 20, directory: directory)
            let stored = response("/a", "one", vary: ["Accept": "x"], userInfo: information)
            first.storeCachedResponse(stored, for: request("/a"))
            #expect(first.currentDiskUsage > 0)
            let second = try AdaptableURLCache(memoryCapacity: 1 << 20, diskCapacity: 10 << 20, directory: directory)
            #expect(second.currentDiskUsage == first.currentDiskUsage)
            let found = try #require(second.cachedResponse(for: request("/a", ["Accept": "x"])))
            #expect(found.data == stored.data)
            #expect(found.exchange?.fields == stored.exchange?.fields && found.exchange?.varying == ["accept": "x"])
            let (kept, given) = (try #require(found.exchange), try #require(stored.exchange))
            #expect(abs(kept.responseTime.timeIntervalSince(given.responseTime)) < 0.001)
            #expect(
                found.userInfo?["text"] as? String == "t" && found.userInfo?["number"] as? Int == 7
                    && found.userInfo?["flag"] as? Bool == true)
            #expect((found.userInfo?["list"] as? [any Sendable])?.count == 2)
            second.removeAllCachedResponses()
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
            #expect(second.currentDiskUsage == 0)
        }
    }

    /// A sparse file may be as long as Int64.max, and the sum of two such files exceeds it.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/dev/shm"), "only a file system in memory holds such files"))
    func `files of any length are counted and those beyond the capacity are removed`() throws {
        let directory = URL(fileURLWithPath: "/dev/shm").appendingPathComponent("cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for name in ["a", "b", "c"] {
            let file = directory.appendingPathComponent("\(name).response")
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(Int64.max))
            try handle.close()
        }
        let cache = try AdaptableURLCache(memoryCapacity: 0, diskCapacity: 1000, directory: directory)
        #expect(cache.currentDiskUsage == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test func `the disk cache stays within its capacity and each entry within its share`() throws {
        try withDirectory { directory in
            let cache = try AdaptableURLCache(memoryCapacity: 0, diskCapacity: 100_000, directory: directory)
            for index in 0..<40 {
                cache.storeCachedResponse(response("/\(index)", "", size: 3_000), for: request("/\(index)"))
            }
            #expect(cache.currentDiskUsage <= 100_000 && cache.currentDiskUsage > 80_000)
            #expect(cache.cachedResponse(for: request("/0")) == nil)
            #expect(cache.cachedResponse(for: request("/39")) != nil)
            cache.storeCachedResponse(response("/big", "", size: 6_000), for: request("/big"))
            #expect(cache.cachedResponse(for: request("/big")) == nil)
            let sizes = try FileManager.default.contentsOfDirectory(atPath: directory.path).map {
                try FileManager.default.attributesOfItem(atPath: directory.appendingPathComponent($0).path)[.size]
                    as? Int ?? 0
            }
            #expect(sizes.reduce(0, +) == cache.currentDiskUsage)
        }
    }

    @Test func `a damaged file is ignored`() throws {
        try withDirectory { directory in
            let cache = try AdaptableURLCache(memoryCapacity: 0, diskCapacity: 1 << 20, directory: directory)
            cache.storeCachedResponse(response("/a", "one"), for: request("/a"))
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: directory.path).first)
            let file = directory.appendingPathComponent(name)
            let whole = try Data(contentsOf: file)
            for cut in [0, 1, whole.count / 2, whole.count - 1] {
                try whole.prefix(cut).write(to: file)
                let reopened = try AdaptableURLCache(memoryCapacity: 0, diskCapacity: 1 << 20, directory: directory)
                #expect(reopened.cachedResponse(for: request("/a")) == nil)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
        }
    }

    @Test func `a memory-only entry is not written to disk, and a notAllowed entry is not stored`() throws {
        try withDirectory { directory in
            let cache = try AdaptableURLCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, directory: directory)
            cache.storeCachedResponse(response("/a", "one", storage: .allowedInMemoryOnly), for: request("/a"))
            cache.storeCachedResponse(response("/b", "two", storage: .notAllowed), for: request("/b"))
            #expect(cache.currentDiskUsage == 0)
            #expect(cache.cachedResponse(for: request("/a")) != nil)
            #expect(cache.cachedResponse(for: request("/b")) == nil)
        }
    }

    @Test func `an application's own entry is found, and entries stored since a date can be removed`() throws {
        let cache = AdaptableURLCache(memoryCapacity: 1 << 20)
        let url = try #require(request("/a").url)
        let own = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=60"]))
        cache.storeCachedResponse(AdaptableCachedURLResponse(response: own, data: Data("own".utf8)), for: request("/a"))
        let found = cache.cachedResponse(for: request("/a"))
        #expect(text(found) == "own" && found?.exchange != nil)
        cache.removeCachedResponses(since: Date() + 60)
        #expect(cache.cachedResponse(for: request("/a")) != nil)
        cache.removeCachedResponses(since: Date() - 60)
        #expect(cache.cachedResponse(for: request("/a")) == nil)
    }

    @Test func `a directory that cannot be created is an error`() {
        #expect(throws: (any Error).self) {
            _ = try AdaptableURLCache(
                memoryCapacity: 0, diskCapacity: 1, directory: URL(fileURLWithPath: "/proc/nowhere"))
        }
    }

    @Test func `the number of variants per URL and the size of an entry are limited`() {
        let cache = AdaptableURLCache(memoryCapacity: 1 << 20)
        for language in ["de"] + (2...CachePolicy.mostVariants).map(String.init) + ["fr"] {
            cache.storeCachedResponse(response("/a", language, vary: ["Accept-Language": language]), for: request("/a"))
        }
        #expect(cache.cachedResponse(for: request("/a", ["Accept-Language": "de"])) == nil)
        #expect(text(cache.cachedResponse(for: request("/a", ["Accept-Language": "fr"]))) == "fr")
        cache.storeCachedResponse(response("/big", "", size: 1 << 20), for: request("/big"))
        #expect(cache.cachedResponse(for: request("/big")) == nil)
    }

    @Test func `a policy that ignores Vary ignores it in the store`() {
        let cache = AdaptableURLCache(memoryCapacity: 1 << 20)
        var policy = CachePolicy()
        policy.honoursVary = false
        cache.adopt(policy)
        cache.storeCachedResponse(response("/a", "deutsch", vary: ["Accept-Language": "de"]), for: request("/a"))
        #expect(text(cache.cachedResponse(for: request("/a", ["Accept-Language": "fr"]))) == "deutsch")
    }
}
