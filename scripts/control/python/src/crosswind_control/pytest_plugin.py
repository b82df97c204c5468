"""The fixture `network` and the mark `network(PROFILE, interface=...)` for pytest."""

import pytest

from . import LabError, Network, NotInLab


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "network(profile, interface=None): run the test with this profile of a Crosswind lab; skipped outside a lab.",
    )


def pytest_collection_modifyitems(items):
    # A test with the mark alone needs the fixture's set-up and reset as well.
    for item in items:
        if item.get_closest_marker("network") and "network" not in getattr(item, "fixturenames", ["network"]):
            item.fixturenames.append("network")


@pytest.fixture
def network(request):
    """The network of the lab, in its start state; restored after the test. Skips the test outside a lab."""
    try:
        lab = Network.current()
    except NotInLab as reason:
        pytest.skip(str(reason))
    lab.reset()
    try:
        for mark in reversed(list(request.node.iter_markers("network"))):
            if not mark.args:
                pytest.fail("write a profile: @pytest.mark.network('flaky-wifi')", pytrace=False)
            kind = mark.kwargs.get("interface") or lab.describe()["interfaces"][0]
            try:
                lab.set({kind: mark.args[0]})
            except LabError as error:
                pytest.fail(f"the mark network({mark.args[0]!r}): {error}", pytrace=False)
        lab.begin()
        yield lab
    finally:
        lab.reset()
