"""Renew slow.txt, the tests that `make quick` leaves out, from measured times.

python -m pytest --junitxml=times.xml    on an otherwise idle machine, with everything compiled
python -m tests.slow times.xml

A test is slow if all its cases together take more than SLOW_S seconds, or SLOW_RULES_S for tests of the engine and of the rules.
"""

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.conftest import SLOW

SLOW_S, SLOW_RULES_S = 0.25, 0.4
RULES = ("tests/engine/", "tests/every_game/", "tests/games/")


def seconds(report: Path) -> dict[str, float]:
    """The time of each test, all its cases together, from a JUnit report."""
    found: dict[str, float] = defaultdict(float)
    for case in ET.parse(report).iter("testcase"):
        file = Path(*case.attrib["classname"].split(".")).with_suffix(".py")
        found[f"{file.as_posix()}::{case.attrib['name'].partition('[')[0]}"] += float(case.attrib["time"])
    return found


def slow(taken: dict[str, float]) -> list[str]:
    """The names of the slow tests, sorted."""
    return sorted(test for test, time in taken.items() if time > (SLOW_RULES_S if test.startswith(RULES) else SLOW_S))


if __name__ == "__main__":
    SLOW.write_text("\n".join(slow(seconds(Path(sys.argv[1])))) + "\n", encoding="utf-8")
