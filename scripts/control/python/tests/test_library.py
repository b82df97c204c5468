"""Sends every request of golden.txt through the library; scripts/control/test compares the lines."""

import pytest
from crosswind_control import LabError, Network, NotInLab, Refused


def test_requests_are_those_of_the_protocol():
    network = Network.current()
    assert network.describe()["engine"] == "emulator"
    assert network.wifi.down() == ["wifi down"]
    network.wifi.up()
    network.cellular.set("edge")
    network.wifi.set("lte", both={"loss": "2%"})
    network.wifi.flap(3, "1s", "2s")
    network.nat64()
    network.dns("api.test", "nxdomain")
    network.dns("api.test", "origin", delay="2s")
    assert network.after({"wifi": "down"}, packet=20, on="wifi", direction="uplink") == ["packet 31 downlink on wifi"]
    network.after({"wifi": "down"}, request=1, delay="100ms")
    network.after({"wifi": "up"}, since_start="2s")
    network.after({"wifi": "down"}, response_sent="1000B", request=2)
    network.wait(request=1)
    network.faults([{"at": {"responseBody": 1000}, "do": "reset", "for": {"path": "/big", "first": 1}}])
    network._start = 7
    (request,) = network.requests()
    network.reset()
    assert (request.number, request.method, request.target, request.status) == (8, "GET", "/big", 206)
    assert request.header("range") == "bytes=1000-" and request.header("cookie") is None
    assert request.complete and request.sent == 1000 and request.time == 1.5 and request.body is None


def test_failures_have_the_reason():
    network = Network.current()
    with pytest.raises(Refused, match="did you mean `down`"):
        network.wifi.set("dwon")
    with pytest.raises(LabError, match="version 1"):
        network.wifi.set("version")
    with pytest.raises(LabError, match="without a reply"):
        network.wifi.set("close")
    with pytest.raises(LabError, match="cannot reach the lab at /nowhere"):
        Network("/nowhere").reset()
    with pytest.raises(ValueError):
        network.wifi.set()


def test_history_begins_at_the_fixture():
    network = Network.current()
    assert [change.changes for change in network.changes()] == [["wifi down"]]
    assert [query.host for query in network.queries()] == ["api.test"]
    network.begin()
    assert network.changes() == [] and network.queries() == []


def test_outside_a_lab(monkeypatch):
    monkeypatch.delenv("CROSSWIND_CONTROL")
    with pytest.raises(NotInLab, match="crosswind exec"):
        Network.current()
