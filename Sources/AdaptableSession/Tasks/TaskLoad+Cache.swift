import Foundation
import FoundationNetworking

/// The session's cache: queried before the network and updated with its responses. Data tasks only (CACH-12).
extension TaskLoad {
    private var cacheEvaluator: CacheEvaluator { CacheEvaluator(policy: policies.cache) }

    var cache: AdaptableURLCache? {
        guard case .data = kind, task is AdaptableSessionDataTask else { return nil }
        return core.settings.urlCache
    }

    // MARK: Before the network

    /// Continues with `goOn` unless a stored response is used.
    func lookUpCache(then goOn: @escaping @Sendable (TaskLoad) -> Void) {
        guard !caching.hasLooked else { return goOn(self) }
        caching = TaskCaching()
        caching.hasLooked = true
        guard cacheEvaluator.looksUp(request) else { return goOn(self) }
        guard let cache, let task = task as? AdaptableSessionDataTask else { return act(nil, goOn) }
        let request = request
        look({ decision in
            if policies.stores.passesTaskToStore {
                cache.getCachedResponse(for: task) { decision($0) }
            } else {
                decision(cache.cachedResponse(for: request))
            }
        }) { load, found in
            guard found?.exchange?.varyNames.contains("cookie") == true else { return load.act(found, goOn) }
            // The cookies decide whether the stored response matches this request.
            load.lookUpCookies { $0.act(found, goOn) }
        }
    }

    private func act(_ found: AdaptableCachedURLResponse?, _ goOn: @Sendable (TaskLoad) -> Void) {
        guard machine.isBetween, let url = request.url else { return }
        let cachePolicy = CacheEvaluator.effective(request, session: core.settings.requestCachePolicy)
        switch cacheEvaluator.plan(request, sent: outgoingFields(url), found: found, by: cachePolicy, now: Date()) {
        case .load(let fields):
            caching.conditions = fields
            goOn(self)
        case .validate(let fields, let entry):
            caching.conditions = fields
            caching.entry = entry
            goOn(self)
        // Background revalidation would need a task that the application did not create; the next load after the window
        // revalidates.
        case .serve(let entry, let response), .serveAndRevalidate(let entry, let response, _): serve(entry, response)
        case .fail(let code, let reason): finish(URLError.made(code, reason, url))
        }
    }

    func serve(_ entry: AdaptableCachedURLResponse, _ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return finish(.cannotParseResponse, "The cache gave something that is no answer of HTTP.")
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
        caching.sent = fields
        caching.requestTime = Date()
    }

    /// Handles a 304 for a stored response: delivers the stored response, or repeats the request if the 304 does not
    /// match it. Returns false for all other responses.
    func confirms(_ response: HTTPURLResponse) -> Bool {
        guard response.statusCode == 304, let entry = caching.entry else { return false }
        caching.entry = nil
        caching.conditions = HeaderFields()
        switch cacheEvaluator.validated(entry, by: fields, requestTime: caching.requestTime, responseTime: Date()) {
        case .serve(let renewed):
            if let cache { store(renewed, cache) }
            caching.entry = renewed
            discardBody(then: .serveStored)
        case .revalidate: discardBody(then: .attempt)
        }
        return true
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
        caching.entry = nil
        caching.discard()
        guard let url = response.url, let cache else { return }
        let exchange = StoredExchange(
            url: url, status: response.statusCode, fields: fields, requestTime: caching.requestTime,
            responseTime: Date())
        guard cacheEvaluator.storing(request, sent: caching.sent, exchange: exchange, data: Data()) != nil else {
            return
        }
        caching.exchange = exchange
        caching.limit = max(cache.memoryCapacity, cache.diskCapacity)
    }

    /// Stores the complete response if the delegate agrees, and ends the task.
    func storeAndFinish() {
        guard let cache, let exchange = caching.exchange,
            let judged = cacheEvaluator.storing(request, sent: caching.sent, exchange: exchange, data: caching.data)
        else { return finish(nil) }
        let proposed = caching.staysInMemory ? judged.inMemoryOnly : judged
        caching.discard()
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

    private func store(_ stored: AdaptableCachedURLResponse, _ cache: AdaptableURLCache) {
        guard let task = task as? AdaptableSessionDataTask else { return }
        if policies.stores.passesTaskToStore {
            cache.storeCachedResponse(stored, for: task)
        } else {
            cache.storeCachedResponse(stored, for: request)
        }
    }
}
