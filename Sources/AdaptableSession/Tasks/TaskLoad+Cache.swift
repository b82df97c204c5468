import Foundation
import FoundationNetworking

/// The session's cache: queried before the network and updated with its responses. Data tasks only (CACH-12).
extension TaskLoad {
    private var cacheEvaluator: CacheEvaluator { CacheEvaluator(policy: policies.cache) }

    var cache: AdaptableURLCache? {
        switch kind {
        case .data where task is AdaptableSessionDataTask: break
        case .download where !policies.cache.leavesOutDownloads: break
        case .data, .download, .upload, .resumedDownload, .resumedUpload: return nil
        }
        return core.settings.urlCache
    }

    // MARK: Before the network

    /// Continues with `continuation` unless a stored response is used.
    func lookUpCache(then continuation: @escaping @Sendable (TaskLoad) -> Void) {
        guard !current.caching.hasLooked else { return continuation(self) }
        current.caching = TaskCaching()
        current.caching.hasLooked = true
        guard cacheEvaluator.looksUp(request) else { return continuation(self) }
        guard let cache, let task = task as? AdaptableSessionDataTask else { return act(nil, continuation) }
        let request = request
        look({ decision in
            if policies.stores.passesTaskToStore {
                cache.getCachedResponse(for: task) { decision($0) }
            } else {
                decision(cache.cachedResponse(for: request))
            }
        }) { load, found in
            guard found?.exchange?.varyNames.contains("cookie") == true else { return load.act(found, continuation) }
            // The cookies decide whether the stored response matches this request.
            load.lookUpCookies { $0.act(found, continuation) }
        }
    }

    private func act(_ found: AdaptableCachedURLResponse?, _ continuation: @Sendable (TaskLoad) -> Void) {
        guard machine.isBetween, let url = request.url else { return }
        let cachePolicy = CacheEvaluator.effective(request, session: core.settings.requestCachePolicy)
        switch cacheEvaluator.plan(request, sent: outgoingFields(url), found: found, by: cachePolicy, now: Date()) {
        case .load(let fields):
            current.caching.conditions = fields
            continuation(self)
        case .validate(let fields, let entry):
            current.caching.conditions = fields
            current.caching.entry = entry
            continuation(self)
        case .serve(let entry, let response): serve(entry, response)
        case .fail(let code, let reason): finish(code, reason)
        }
    }

    func serve(_ entry: AdaptableCachedURLResponse, _ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return finish(.cannotParseResponse, "The cache returned something that is not an HTTP response.")
        }
        record.cached(response)
        deliver(response, stored: entry.data)
    }

    /// Delivers a complete body and ends the task.
    func deliver(_ stored: Data) {
        consume(stored)
        switch machine.destination {
        case .none, .delegate, .handler: finish(nil)
        case .file: downloadEnded()
        }
    }

    // MARK: After the network

    func recordSent(_ fields: HeaderFields) {
        current.caching.sent = fields
        current.caching.requestTime = Date()
    }

    /// Removes cached responses that this response invalidates; redirects invalidate them too (RFC 9111 §4.4).
    func removeOutdated(_ response: HTTPURLResponse) {
        guard let url = response.url else { return }
        for outdated in cacheEvaluator.invalidated(
            method: request.httpMethod ?? "GET", url: url, status: response.statusCode, fields: fields)
        {
            core.settings.urlCache?.removeCachedResponse(for: URLRequest(url: outdated))
        }
    }

    /// Prepares to store the final response.
    func prepareStoring(_ response: HTTPURLResponse) {
        current.caching.entry = nil
        current.caching.discard()
        guard let url = response.url, let cache else { return }
        let exchange = StoredExchange(
            url: url, status: response.statusCode, fields: fields, requestTime: current.caching.requestTime,
            responseTime: Date())
        guard cacheEvaluator.storing(request, sent: current.caching.sent, exchange: exchange, data: Data()) != nil
        else {
            return
        }
        current.caching.exchange = exchange
        current.caching.limit = max(cache.memoryCapacity, cache.diskCapacity)
    }

    /// The complete response, if it may be stored.
    private var storable: AdaptableCachedURLResponse? {
        current.caching.exchange.flatMap { exchange in
            cacheEvaluator.storing(
                request, sent: current.caching.sent, exchange: exchange, data: current.caching.data)
        }
    }

    /// Stores the response to a download, for a session that breaks CACH-12.
    func storeDownload() {
        guard !policies.cache.leavesOutDownloads, let cache, let storable else { return }
        cache.storeCachedResponse(storable, for: request)
    }

    /// Stores the complete response if the delegate agrees, and ends the task.
    func storeAndFinish() {
        guard let cache, let judged = storable else { return finish(nil) }
        let proposed = current.caching.staysInMemory ? judged.inMemoryOnly : judged
        current.caching.discard()
        guard ending.isDelegate else {
            keep(proposed, proposed, cache)
            return finish(nil)
        }
        callDelegate(
            proposed as AdaptableCachedURLResponse?,
            { caller, decision in
                caller.callDataDelegate { delegate, task in
                    delegate.urlSession(
                        caller.session, dataTask: task, willCacheResponse: proposed, completionHandler: { decision($0) }
                    )
                }
            }
        ) { load, given in
            if let given { load.keep(given, proposed, cache) }
            load.finish(nil)
        }
    }

    private func keep(
        _ given: AdaptableCachedURLResponse, _ proposed: AdaptableCachedURLResponse, _ cache: AdaptableURLCache
    ) {
        if let stored = cacheEvaluator.storing(given, inPlaceOf: proposed) { store(stored, cache) }
    }

    func store(_ stored: AdaptableCachedURLResponse, _ cache: AdaptableURLCache) {
        guard let task = task as? AdaptableSessionDataTask else { return }
        if policies.stores.passesTaskToStore {
            cache.storeCachedResponse(stored, for: task)
        } else {
            cache.storeCachedResponse(stored, for: request)
        }
    }
}
