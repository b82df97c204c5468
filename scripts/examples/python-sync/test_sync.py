"""Tests of the sync client on bad networks. Run them with `crosswind exec -- pytest`."""

import hashlib

import pytest
from sync_client import SyncClient

SIZE = 1 << 20


@pytest.fixture
def whole(network):
    """The digest of the file, downloaded before the test changes anything."""
    digest = hashlib.sha256(SyncClient().download("/big")).hexdigest()
    network.begin()
    return digest


def check(content, whole):
    assert len(content) == SIZE
    assert hashlib.sha256(content).hexdigest() == whole


def test_an_upload_that_begins_offline_succeeds_when_the_network_returns(network):
    network.wifi.down()
    network.after({"wifi": "up"}, since_start="1s")
    assert SyncClient().upload("/echo", "written in the tunnel") == 200
    (request,) = network.requests()
    assert (request.method, request.body) == ("PUT", "written in the tunnel")
    assert [change.changes for change in network.changes()] == [["wifi down"], ["wifi up"]]


@pytest.mark.network("flaky-wifi")
def test_a_download_on_flaky_wifi_resumes_after_its_connection_is_lost(network):
    network.after({"connections": {"on": "wifi", "end": "reset-both"}}, packet=200)
    content = SyncClient().download("/big")
    assert len(content) == SIZE
    first, second = network.requests()[:2]
    assert first.header("Range") is None
    # It continues where it was, and does not begin again.
    begin = int(second.header("Range").removeprefix("bytes=").removesuffix("-"))
    assert 0 < begin < SIZE and second.status == 206


def test_a_download_behind_nat64_survives_a_reset(network, whole):
    network.nat64()
    network.faults([{"at": {"responseBody": 300000}, "do": "reset", "for": {"path": "/big", "first": 1}}])
    check(SyncClient().download("/big"), whole)
    assert any(query.type == "AAAA" for query in network.queries())
    assert [request.status for request in network.requests()][-1] == 206


def test_an_upload_is_repeated_with_the_same_key(network):
    network.faults([{"at": "responseHead", "do": "close", "for": {"path": "/echo", "first": 2}}])
    assert SyncClient().upload("/echo", "a note") == 200
    keys = [request.header("Idempotency-Key") for request in network.requests()]
    assert len(keys) == 3 and len(set(keys)) == 1


def test_without_faults_there_is_one_request(network, whole):
    check(SyncClient().download("/big"), whole)
    assert len(network.requests()) == 1
