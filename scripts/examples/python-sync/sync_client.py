"""A small sync client: downloads a file, resuming where a broken connection left it, and uploads notes.

SYNC_RETRY=0 breaks it: the first failure is the last.
"""

import http.client
import os
import time
import uuid

RETRIES = 0 if os.environ.get("SYNC_RETRY") == "0" else 20
PAUSE = 0.25


class SyncError(Exception):
    """The sync failed, after all retries."""


class SyncClient:
    def __init__(self, host="notes.test"):
        self.host = host

    def download(self, path):
        """Returns the file's bytes."""
        state = {"bytes": b"", "tag": None}
        return self._retrying(lambda: self._continue(path, state))

    def upload(self, path, text):
        """Uploads a note. Every attempt has the same key, so that the server can recognise a repeated one."""
        key = str(uuid.uuid4())
        return self._retrying(lambda: self._put(path, text.encode(), key))

    def _retrying(self, attempt):
        for number in range(RETRIES + 1):
            try:
                return attempt()
            # OSError: no network, no address, a broken connection. HTTPException: a response that ends early.
            except (OSError, http.client.HTTPException) as error:
                if number == RETRIES:
                    raise SyncError(f"{type(error).__name__}: {error}") from error
                time.sleep(PAUSE)

    def _continue(self, path, state):
        headers = {}
        if state["bytes"]:
            headers = {"Range": f"bytes={len(state['bytes'])}-", "If-Range": state["tag"]}
        connection = http.client.HTTPConnection(self.host, timeout=5)
        try:
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            if response.status >= 500:
                raise http.client.HTTPException(f"status {response.status}")
            if response.status == 200:
                # Also when the file has changed: its beginning is not part of the new file.
                state["bytes"], state["tag"] = b"", response.getheader("ETag")
            missing = int(response.getheader("Content-Length"))
            while missing > 0:
                part = response.read1(min(missing, 1 << 16))
                if not part:
                    raise http.client.IncompleteRead(b"", missing)
                state["bytes"] += part
                missing -= len(part)
            return state["bytes"]
        finally:
            connection.close()

    def _put(self, path, body, key):
        connection = http.client.HTTPConnection(self.host, timeout=5)
        try:
            connection.request("PUT", path, body, {"Idempotency-Key": key})
            response = connection.getresponse()
            response.read()
            if response.status >= 500:
                raise http.client.HTTPException(f"status {response.status}")
            return response.status
        finally:
            connection.close()
