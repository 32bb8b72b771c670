"""The `fairfight` command, also as `python -m fairfight`.

Python takes a file `analysis.py` or `sim.py` of the user for a package of fairfight if it comes first on the path. This module
therefore lies outside of both packages, and names such a file.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("analysis", "sim")
USAGE_ERROR = 2  # exit code


def main() -> int | None:
    """Run the command; returns an exit code if its packages are not found."""
    try:
        check_packages()
    except ImportError as error:
        sys.stderr.write(f"error: {error}\n")
        return USAGE_ERROR
    from analysis.cli.start import main as start  # noqa: PLC0415 - checked just now

    start()
    return None


def check_packages() -> None:
    """Raise ImportError, with the name of the file, if Python would import something else in place of a package of fairfight."""
    for name in PACKAGES:
        found = find_spec(name)
        if found is None:
            raise ImportError(f"package `{name}` of fairfight is missing; install fairfight again")
        place = found.origin or next(iter(found.submodule_search_locations or ()), name)  # a folder without __init__.py
        own = Path(__file__).with_name(name) / "__init__.py"
        if Path(place).resolve() != own.resolve():
            raise ImportError(
                f"{place} hides fairfight's package `{name}`; rename it, or take its folder off Python's path (the folder of a "
                "script, with `python -m` the current folder, and those in PYTHONPATH)"
            )


if __name__ == "__main__":
    sys.exit(main())
