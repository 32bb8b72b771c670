"""Files that would fill the memory or keep a reader busy for hours are refused at once, in a process with little memory."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SECONDS = 4.0  # of processor time; most take hundredths, but a machine can be slow or busy


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not report memory in /proc")
def test_files_that_are_far_too_large_are_refused_at_once(python: Callable[..., str]):
    told = [json.loads(line) for line in python("-m", "tests.safety.heavy").splitlines()]
    names = [one["name"] for one in told]
    assert len(set(names)) == len(names) > 40
    formats = {name.partition(":")[0] for name in names}
    assert formats == {"cards", "decks", "scenario", "target", "dice", "report", "manifest", "rows", "summary"}
    slow = [(one["name"], one["seconds"]) for one in told if one["seconds"] > SECONDS]
    assert not slow
    for one in told:
        begins = {"report": "passed over", "dice": "dice expression, position "}.get(one["name"].partition(":")[0], one["where"])
        assert one["said"].startswith(begins), one
