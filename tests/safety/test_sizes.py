"""Files that would fill the memory or keep a reader busy for hours are refused at once, in a process with little memory."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import in_soak

pytestmark = pytest.mark.slow

SECONDS = 4.0  # of processor time; most take hundredths, but a machine can be slow or busy


FORMATS = {  # group of files -> their formats
    "longest": {"cards", "decks", "scenario", "target", "dice", "report"},
    "documents": {"cards", "decks", "scenario", "target"},
    "manifests": {"manifest"},
    "blocks": {"rows", "summary"},
}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not report memory in /proc")
@pytest.mark.parametrize("group", ["longest", *(in_soak(group) for group in FORMATS if group != "longest")])
def test_files_that_are_far_too_large_are_refused_at_once(python: Callable[..., str], group: str):
    told = [json.loads(line) for line in python("-m", "tests.safety.heavy", group).splitlines()]
    assert {one["name"].partition(":")[0] for one in told} == FORMATS[group]
    slow = [(one["name"], one["seconds"]) for one in told if one["seconds"] > SECONDS]
    assert not slow
    for one in told:
        begins = {"report": "passed over", "dice": "dice expression, position "}.get(one["name"].partition(":")[0], one["where"])
        assert one["said"].startswith(begins), one
