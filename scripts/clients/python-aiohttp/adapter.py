"""Crosswind adapter for aiohttp's client, as its guide uses it: one ClientSession, iter_any() on the content."""
import asyncio, os, ssl, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../adapters/kits"))
import crosswind_kit as kit
import aiohttp


class AIOHTTP(kit.Client):
    name, version = "aiohttp", aiohttp.__version__
    capabilities = """data upload download delegate completionHandler requestTimeout resourceTimeout sessionHeaders tls cancel
        digestChallenge maximumConnectionsPerHost followRedirects redirectDecision responseDisposition downloadProgress cookies
        sessionProxy systemProxy contentDecoding connectionReuse idempotentRetry incrementalData"""
    reports = "didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler"

    async def make_session(self, configuration):
        limit, proxy = configuration.get("requestTimeout"), configuration.get("proxy")
        session = aiohttp.ClientSession(
            headers=configuration.get("headers", []), trust_env=not proxy,
            connector=aiohttp.TCPConnector(limit_per_host=configuration.get("maximumConnectionsPerHost", 0)),
            proxy=f"http://{proxy['host']}:{proxy['port']}" if proxy else None,
            proxy_auth=aiohttp.BasicAuth(proxy["user"], proxy["password"]) if proxy and "user" in proxy else None)
        return session, limit, configuration.get("resourceTimeout")

    def make_task(self, session, task):
        if task.description.get("redirect") == "to": raise kit.Unsupported("another target for a redirect")
        task.middlewares = (aiohttp.DigestAuthMiddleware(*task.credential),) if task.credential else ()

    async def load(self, session, task):
        session, limit, whole = session
        options, limit = {}, task.description.get("timeout", limit)
        if limit or whole: options["timeout"] = aiohttp.ClientTimeout(total=whole, sock_connect=limit, sock_read=limit)
        if task.middlewares: options["middlewares"] = task.middlewares
        async with session.request(task.method, task.url, headers=task.headers, data=task.body,
                                   allow_redirects=task.description.get("redirect") != "refuse", **options) as response:
            if not task.response(response.status, str(response.url), response.headers.items(),
                                 response.content_length if response.content_length is not None else -1): return
            async for piece in response.content.iter_any(): task.data(piece)

    def classify(self, error):
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, asyncio.TimeoutError): return kit.Failure("timedOut", text)
        if isinstance(error, aiohttp.TooManyRedirects): return kit.Failure("other", text, -1007)
        if isinstance(error, aiohttp.NonHttpUrlClientError): return kit.Failure("other", text, -1002)
        if isinstance(error, aiohttp.InvalidURL): return kit.Failure("other", text, -1000)
        if isinstance(error, aiohttp.ClientSSLError): return kit.Failure("tlsRejected", text)
        if isinstance(error, aiohttp.ClientConnectorDNSError): return kit.Failure("nameResolution", text)
        if isinstance(getattr(error, "os_error", None), ConnectionError) and not isinstance(error.os_error, ConnectionRefusedError):
            return kit.Failure("lost", text)  # a connection that ends in the TLS handshake
        if isinstance(error, (aiohttp.ClientConnectorError, aiohttp.ClientProxyConnectionError)): return kit.Failure("refused", text)
        if isinstance(error, aiohttp.ClientPayloadError):
            cut = "not completed" in text or isinstance(error.__cause__, ConnectionError) or "Not enough data" in text
            return kit.Failure("truncated" if cut else "malformedResponse", text)
        if isinstance(error, (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError, ConnectionError)): return kit.Failure("lost", text)
        if isinstance(error, (aiohttp.ClientResponseError, aiohttp.ClientError)): return kit.Failure("malformedResponse", text)
        return kit.Failure("other", text)


kit.run(AIOHTTP())
