"""Crosswind adapter for httpx, as its guide uses it: one AsyncClient, stream() and aiter_bytes(); redirects on request."""
import os, ssl, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../adapters/kits"))
import crosswind_kit as kit
import httpx


class HTTPX(kit.Client):
    name, version = "httpx", httpx.__version__
    capabilities = """data upload download delegate completionHandler requestTimeout sessionHeaders tls digestChallenge cancel
        followRedirects redirectDecision responseDisposition downloadProgress cookies sessionProxy systemProxy
        contentDecoding connectionReuse incrementalData"""
    reports = "didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler"

    async def make_session(self, configuration):
        options = dict(headers=configuration.get("headers", []))
        if limit := configuration.get("requestTimeout"): options["timeout"] = limit
        if proxy := configuration.get("proxy"):
            auth = (proxy["user"], proxy["password"]) if "user" in proxy else None
            options["proxy"] = httpx.Proxy(f"http://{proxy['host']}:{proxy['port']}", auth=auth)
        # Without a context it trusts certifi's list and SSL_CERT_FILE only.
        return httpx.AsyncClient(verify=ssl.create_default_context(), **options)

    def make_task(self, session, task):
        if task.description.get("redirect") == "to": raise kit.Unsupported("another target for a redirect")
        task.auth = httpx.DigestAuth(*task.credential) if task.credential else None

    async def load(self, session, task):
        options = dict(headers=task.headers, content=task.body, follow_redirects=task.description.get("redirect") != "refuse")
        if task.auth: options["auth"] = task.auth
        if "timeout" in task.description: options["timeout"] = task.description["timeout"]
        async with session.stream(task.method, task.url, **options) as response:
            length = response.headers.get("Content-Length", "")
            if not task.response(response.status_code, str(response.url), response.headers.multi_items(),
                                 int(length) if length.isdigit() else -1): return
            async for piece in response.aiter_bytes(): task.data(piece)

    def classify(self, error):
        text = f"{type(error).__name__}: {error}"
        causes = []
        while error and error not in causes: causes, error = causes + [error], error.__cause__ or error.__context__
        def has(*types): return any(isinstance(one, types) for one in causes)
        if has(httpx.TimeoutException): return kit.Failure("timedOut", text)
        if has(httpx.TooManyRedirects): return kit.Failure("other", text, -1007)
        if has(httpx.UnsupportedProtocol): return kit.Failure("other", text, -1002)
        if has(httpx.InvalidURL): return kit.Failure("other", text, -1000)
        if has(httpx.DecodingError): return kit.Failure("malformedResponse", text)
        if has(ssl.SSLError): return kit.Failure("tlsRejected", text)
        if "Name or service not known" in text or "name resolution" in text or "No address associated" in text: return kit.Failure("nameResolution", text)
        if has(ConnectionResetError): return kit.Failure("lost", text)  # also in a TLS handshake
        if has(httpx.ConnectError): return kit.Failure("refused", text)
        if "without sending complete message body" in text or "incomplete chunked read" in text: return kit.Failure("truncated", text)
        if has(httpx.NetworkError) or "disconnected" in text: return kit.Failure("lost", text)
        if has(httpx.RemoteProtocolError): return kit.Failure("malformedResponse", text)
        return kit.Failure("other", text)


kit.run(HTTPX())
