"""Renew slow.txt, the tests that `make quick` leaves out, from measured times.

python -m pytest --junitxml=times.xml    on an otherwise idle machine, with everything compiled
python -m tests.slow times.xml [quick.xml ...]

A test is slow if all its cases together take more than SLOW_S seconds, or SLOW_RULES_S for tests of the engine and of the rules.
Reports of `make quick` show the tests that set up what slower ones have set up before them in a whole run. Files whose tests all
need a report or a browser are marked slow themselves.
"""

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.conftest import SLOW

SLOW_S, SLOW_RULES_S = 0.25, 0.4
RULES = ("tests/engine/", "tests/every_game/", "tests/games/")


def seconds(reports: list[Path]) -> dict[str, float]:
    """The time of each test, all its cases together, from JUnit reports: the longest if it is in several."""
    longest: dict[str, float] = {}
    for report in reports:
        found: dict[str, float] = defaultdict(float)
        for case in ET.parse(report).iter("testcase"):
            file = Path(*case.attrib["classname"].split(".")).with_suffix(".py")
            found[f"{file.as_posix()}::{case.attrib['name'].partition('[')[0]}"] += float(case.attrib["time"])
        longest |= {test: max(time, longest.get(test, 0.0)) for test, time in found.items()}
    return longest


def slow(taken: dict[str, float]) -> list[str]:
    """The names of the slow tests, sorted."""
    return sorted(test for test, time in taken.items() if time > (SLOW_RULES_S if test.startswith(RULES) else SLOW_S))


if __name__ == "__main__":
    SLOW.write_text("\n".join(slow(seconds([Path(report) for report in sys.argv[1:]]))) + "\n", encoding="utf-8")
