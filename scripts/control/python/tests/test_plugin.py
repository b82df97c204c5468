"""The fixture and the mark of the plugin, in test runs of their own."""

import os
import subprocess
import sys

import pytest

SUITE = """
import pytest

@pytest.mark.network("edge")
def test_marked(): pass

def test_fixture(network): assert network.requests()[0].number == 8

def test_other(): pass
"""


def run(folder, **environment):
    (folder / "test_suite.py").write_text(SUITE)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "crosswind_control.pytest_plugin", "test_suite.py"],
        cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True,
    ).stdout


def test_a_lab_is_set_up_and_restored(tmp_path):
    log = os.environ["FAKE_LAB_LOG"]
    before = len(open(log).readlines())
    output = run(tmp_path)
    assert "3 passed" in output, output
    lines = [line for line in open(log).read().splitlines()[before:]]
    kinds = [line.split('"do":"')[1].split('"')[0] for line in lines]
    assert kinds == ["reset", "describe", "set", "seen", "reset"] + ["reset", "seen", "seen", "reset"]
    assert lines[2] == '{"change":{"wifi":"edge"},"do":"set","v":1}'


def test_outside_a_lab_tests_are_skipped(tmp_path):
    output = run(tmp_path, CROSSWIND_CONTROL="")
    assert "1 passed, 2 skipped" in output and "needs a lab" in output, output


def test_a_mark_without_a_profile_fails(tmp_path):
    (tmp_path / "test_wrong.py").write_text(
        "import pytest\n@pytest.mark.network\ndef test_it(network): pass\n")
    output = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "crosswind_control.pytest_plugin", "test_wrong.py"],
        cwd=tmp_path, capture_output=True, text=True).stdout
    assert "write a profile" in output
