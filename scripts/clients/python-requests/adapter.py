"""Crosswind adapter for Python requests, as its guide uses it: one Session, stream=True, iter_content."""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../adapters/kits"))
import crosswind_kit as kit
import requests
from requests.auth import HTTPDigestAuth
from urllib3.exceptions import IncompleteRead, NameResolutionError, NewConnectionError


def causes(error):
    """Returns an exception with everything that it wraps; requests and urllib3 keep causes in attributes and arguments."""
    found, waiting = [], [error]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, BaseException) or one in found: continue
        found.append(one)
        waiting += [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]
    return found


class Requests(kit.Client):
    name, version = "requests", requests.__version__
    capabilities = """data upload download delegate completionHandler requestTimeout sessionHeaders tls digestChallenge
        followRedirects redirectDecision responseDisposition downloadProgress cookies sessionProxy systemProxy
        contentDecoding connectionReuse"""
    reports = "didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler"

    def make_session(self, configuration):
        session = requests.Session()  # trusts REQUESTS_CA_BUNDLE, otherwise its own list
        session.limit = configuration.get("requestTimeout")
        session.headers.update(configuration.get("headers", []))
        if proxy := configuration.get("proxy"):
            user = f"{proxy['user']}:{proxy['password']}@" if "user" in proxy else ""
            session.trust_env, session.verify = False, os.environ.get("REQUESTS_CA_BUNDLE", True)
            session.proxies = dict.fromkeys(("http", "https"), f"http://{user}{proxy['host']}:{proxy['port']}")
        return session

    def make_task(self, session, task):
        if task.description.get("redirect") == "to": raise kit.Unsupported("another target for a redirect")
        task.auth = HTTPDigestAuth(*task.credential) if task.credential else None

    def load(self, session, task):
        with session.request(task.method, task.url, headers=dict(task.headers), data=task.body, auth=task.auth, stream=True,
                             timeout=task.description.get("timeout", session.limit),
                             allow_redirects=task.description.get("redirect") != "refuse") as response:
            length = response.headers.get("Content-Length", "")
            if not task.response(response.status_code, response.url, response.raw.headers.items(),
                                 int(length) if length.isdigit() else -1): return
            for piece in response.iter_content(kit.PIECE): task.data(piece)

    def classify(self, error):
        text, found = f"{type(error).__name__}: {error}", causes(error)
        def has(*types): return any(isinstance(one, types) for one in found)
        if has(requests.Timeout): return kit.Failure("timedOut", text)
        if has(requests.exceptions.SSLError): return kit.Failure("tlsRejected", text)
        if has(requests.TooManyRedirects): return kit.Failure("other", text, -1007)
        if has(requests.exceptions.InvalidURL): return kit.Failure("other", text, -1000)
        if has(requests.exceptions.InvalidSchema): return kit.Failure("other", text, -1002)
        if has(NameResolutionError): return kit.Failure("nameResolution", text)
        if has(NewConnectionError): return kit.Failure("refused", text)
        if has(IncompleteRead): return kit.Failure("truncated", text)
        if has(ConnectionError, requests.exceptions.ChunkedEncodingError) or "Remote end closed" in text: return kit.Failure("lost", text)
        if has(requests.RequestException): return kit.Failure("malformedResponse", text)
        return kit.Failure("other", text)


kit.run(Requests())
