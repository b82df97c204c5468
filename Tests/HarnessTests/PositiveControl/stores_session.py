"""A session with a cache, cookies and credentials, which the Python adapter's lacks, and of which stock URLSession's cache stores nothing. It
shows that the scenarios about these stores can be passed, and how each of its mutants fails.

It implements only the parts of RFC 9111, RFC 6265bis and RFC 7617 that those scenarios test."""
import datetime, email.utils, hashlib, http.cookiejar, os, pickle, tempfile, time, urllib.request
from urllib.parse import urlsplit
import python_session as base

MUTANT = os.environ.get("CROSSWIND_CONTROL_MUTANT", "")
# Found at the start: on a full disk this module would choose another one.
FOLDER = tempfile.gettempdir()


class Entry:
    """A stored response, which can be read again as a response."""
    def __init__(self, status, headers, body, asked):
        self.status, self.headers, self.body, self.asked, self.since = status, headers, body, asked, time.monotonic()
        self.length, self.place = len(body), 0

    def again(self):
        return Entry(self.status, self.headers, self.body, self.asked)

    def read1(self, count):
        piece = self.body[self.place:self.place + count]
        self.place += len(piece)
        return piece

    def directives(self):
        parts = [part.strip().lower().partition("=") for part in ", ".join(self.headers.get_all("Cache-Control", [])).split(",")]
        return {name: value.strip('"') for name, _, value in parts}

    def is_fresh(self):
        said = self.directives()
        if "no-cache" in said: return False
        age = time.monotonic() - self.since
        if "max-age" in said: return age < int(said["max-age"]) or MUTANT == "stays-fresh"
        expires, date = (moment(self.headers[name]) if self.headers.get(name) else None for name in ("Expires", "Date"))
        return bool(expires and date) and age < (expires - date).total_seconds()

    def answers(self, headers):
        """RFC 9111 4.1."""
        names = [name.strip().lower() for name in ", ".join(self.headers.get_all("Vary", [])).split(",") if name.strip()]
        return "*" not in names and all(self.asked.get(name) == headers.get(name) for name in names)


def moment(text):
    """An invalid date is in the past (RFC 9111 5.3)."""
    try: return email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError): return datetime.datetime.fromtimestamp(0, datetime.timezone.utc)


class Cache:
    """`folder` holds what is stored on disk, also by an earlier process."""
    def __init__(self, memory, disk, folder=None):
        self.sizes, self.entries, self.folder = {"memory": memory, "disk": disk}, {}, folder
        if not folder: return
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file: url, entry = pickle.load(file)
            self.entries[url] = entry, "disk"

    def usage(self, place): return sum(len(entry.body) for entry, where in self.entries.values() if where == place)

    def file(self, url): return os.path.join(self.folder, hashlib.sha256(url.encode()).hexdigest())

    def drop(self, url):
        if self.entries.pop(url, (None, None))[1] == "disk" and self.folder: os.remove(self.file(url))

    def put(self, url, entry):
        self.drop(url)
        where = next((place for place, size in self.sizes.items() if len(entry.body) <= size and size), None)
        if MUTANT == "ignores-size": where = "memory"
        if not where: return
        while self.usage(where) + len(entry.body) > self.sizes[where] and MUTANT != "ignores-size":
            self.drop(next(url for url, (_, place) in self.entries.items() if place == where))
        if where == "disk" and self.folder:
            try:
                with open(self.file(url), "wb") as file: pickle.dump((url, entry), file)
            except OSError:
                return os.remove(self.file(url))
        self.entries[url] = (entry, where)

    def get(self, url, headers):
        entry = self.entries.get(url, (None,))[0]
        return entry if entry and entry.answers(headers) else None


class Policy(http.cookiejar.DefaultCookiePolicy):
    """The library's two-label suffixes replace the public suffix list; *.ck is one of its wildcards."""
    def set_ok_domain(self, cookie, request):
        labels = cookie.domain.lstrip(".").split(".")
        if cookie.domain_specified and MUTANT != "takes-any-domain" and (labels[-2:] == ["com", "au"] and len(labels) == 2 or labels[1:] == ["ck"]):
            return False
        host = http.cookiejar.request_host(request)
        if cookie.domain_specified and host[-1:].isdigit() and cookie.domain.lstrip(".") != host: return False
        return super().set_ok_domain(cookie, request)


SHARED = dict(cache=Cache(1 << 20, 1 << 24), cookies=http.cookiejar.CookieJar(Policy(strict_ns_domain=Policy.DomainStrictNonDomain)), credentials={})
NAMED = dict(cache={}, cookies={}, credentials={})


def store(kind, choice, is_ephemeral, make):
    """Returns the store that a configuration names; without a name the process's, or an ephemeral session's own."""
    if choice is None: return make() if is_ephemeral else SHARED[kind]
    if choice in ("none", "shared"): return SHARED[kind] if choice == "shared" else None
    if MUTANT == "one-store-for-all": choice = ""
    return NAMED[kind].setdefault(choice, make())


class Session(base.Session):
    def __init__(self, configuration, callback):
        super().__init__(configuration, callback)
        is_ephemeral, cache = configuration["kind"] == "ephemeral", configuration.get("cache", {})
        self.cache = store("cache", cache.get("storage"), is_ephemeral,
                           lambda: Cache(cache.get("memoryCapacity", 1 << 20), 0 if is_ephemeral and not cache else cache.get("diskCapacity", 1 << 24),
                                         os.path.join(FOLDER, cache["storage"]) if cache.get("diskCapacity") else None))
        self.cookies = configuration.get("cookies", {})
        self.jar = store("cookies", self.cookies.get("storage"), is_ephemeral, lambda: http.cookiejar.CookieJar(Policy(strict_ns_domain=Policy.DomainStrictNonDomain)))
        credentials = configuration.get("credentials", {})
        self.credentials = store("credentials", credentials.get("storage"), is_ephemeral, dict)
        for one in credentials.get("stored", []): self.credentials[one["host"], one.get("realm")] = one["user"], one["password"]

    def task(self, request, callback, resume_data):
        with self.lock:
            if self.is_invalid: raise RuntimeError("the session is invalidated")
            self.tasks.append(Task(self, request, callback, resume_data))
            return self.tasks[-1]


class Task(base.Task):
    stored = kept = asked = None

    # Cache

    def look_into_the_cache(self):
        cache = self.session.cache
        if not cache: return {}
        found, use = cache.get(self.request["url"], {}), {f"{place}Usage": cache.usage(place) for place in ("memory", "disk")}
        if not found: return use
        about = dict(status=found.status, url=self.request["url"], headers=[list(pair) for pair in found.headers.items()], expectedLength=len(found.body))
        return dict(use, response=about, data=found.body)

    def exchange(self, url, method, headers, body):
        cache, asked = self.session.cache, {name.lower(): value for name, value in headers}
        policy = self.request.get("cachePolicy") or self.session.configuration.get("cachePolicy", "useProtocolCachePolicy")
        if MUTANT == "ignores-policy": policy = "useProtocolCachePolicy"
        takes_part = cache and not self.is_download
        if policy.startswith("reloadIgnoring") or method != "GET": found = None
        else: found = cache.get(url, asked) if takes_part else None
        if policy == "returnCacheDataDontLoad" and not found: raise base.Problem(-1008, "nothing is stored")
        may_ask = policy in ("useProtocolCachePolicy", "reloadRevalidatingCacheData")
        if found and not (may_ask and (not found.is_fresh() or policy == "reloadRevalidatingCacheData")):
            self.let_go()
            self.stored = found.again()
            return self.stored
        conditions = []
        if found and found.headers.get("ETag"): conditions.append(["If-None-Match", found.headers["ETag"]])
        if found and found.headers.get("Last-Modified"): conditions.append(["If-Modified-Since", found.headers["Last-Modified"]])
        answer = self.send(url, method, headers + conditions, body)
        if conditions and answer.status == 304:
            for name in ("Cache-Control", "Expires", "Date", "ETag"):
                if answer.headers.get(name):
                    del found.headers[name]
                    found.headers[name] = answer.headers[name]
            found.since = time.monotonic()
            cache.put(url, found)
            self.stored = found.again()
            return self.stored
        if cache and method not in ("GET", "HEAD") and answer.status < 400: cache.drop(url)
        self.asked = asked if takes_part and method == "GET" else None
        return answer

    def receive(self, response, url):
        if self.asked is not None: self.kept = bytearray()
        super().receive(response, url)
        if self.kept is None: return
        entry = Entry(response.status, response.headers, bytes(self.kept), self.asked)
        said = entry.directives()
        can_be_used = "max-age" in said or any(response.headers.get(name) for name in ("Expires", "ETag", "Last-Modified"))
        if response.status != 200 or "no-store" in said or not can_be_used: return
        if not self.has_handler:
            self.report("willCacheResponse")
            if MUTANT == "asks-twice": self.report("willCacheResponse")
            answer = self.request.get("caching")
            if answer == "refuse" and MUTANT != "stores-the-refused": return
            if answer == "replaceBody" and MUTANT != "stores-its-own": entry = Entry(entry.status, entry.headers, self.request["cachedBody"].encode(), self.asked)
        self.session.cache.put(url, entry)

    def take(self, piece):
        super().take(piece)
        if self.kept is not None: self.kept += piece

    # Cookies

    def send(self, url, method, headers, body):
        jar, settings = self.session.jar, self.session.cookies
        if jar is None or not self.request.get("handlesCookies", True) and MUTANT != "ignores-the-request":
            return super().exchange(url, method, headers, body)
        document = urlsplit(self.request.get("mainDocument", url)).hostname
        about, site = urllib.request.Request(url), self.is_site(document, urlsplit(url).hostname)
        has_own = any(name.lower() == "cookie" for name, _ in headers)
        if settings.get("sends", True) and not has_own:
            # The library quotes nothing and orders by path length, as RFC 6265 5.4 requires.
            chosen = [one for one in jar._cookies_for_request(about) if site or one._rest.get("SameSite", "").lower() != "strict"]
            text = "; ".join(f"{one.name}={one.value}" for one in chosen)
            if text: headers = headers + [["Cookie", text]]
        answer = super().exchange(url, method, headers, body)
        answer.info = lambda: answer.headers
        accepts = settings.get("acceptance", "always")
        if accepts == "always" or accepts == "onlyFromMainDocumentDomain" and site or MUTANT == "accepts-all":
            for one in jar.make_cookies(answer, about):
                if len(one.name) + len(one.value or "") <= 4096 and jar._policy.set_ok(one, about): jar.set_cookie(one)
        return answer

    @staticmethod
    def is_site(document, host):
        """Uses two labels as the registrable domain, which is sufficient for these scenarios."""
        return document.split(".")[-2:] == host.split(".")[-2:]

    # Credentials

    def answer_challenge(self, headers, asker, host):
        store, texts = self.session.credentials, headers.get_all(asker.question, [])
        basic = next((text for text in texts if text.lower().startswith("basic ")), None)
        if store is None or not basic: return super().answer_challenge(headers, asker, host)
        space = base.parse_keqv_list(base.parse_http_list(basic.split(" ", 1)[1]))
        kept = store.get((host, space.get("realm")))
        if kept and not asker.credential:
            asker.space, asker.credential = dict(space, scheme="basic"), kept
            return True
        goes_on = super().answer_challenge(headers, asker, host)
        answers = self.request.get("challenges") or [{}]
        given = answers[min(max(asker.failures - 1, 0), len(answers) - 1)]
        keeps = given.get("persistence", "forSession") != "none" or MUTANT == "keeps-every-credential"
        if goes_on and asker.credential and keeps: store[host, space.get("realm")] = asker.credential
        return goes_on
