"""Building and installing distributions for tests: without a network, into a folder of their own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.house import tracked

ROOT = Path(__file__).resolve().parents[2]
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
OFFLINE = ("--no-deps", "--no-build-isolation", "--no-index")


def execute(*command: str | Path, cwd: Path, code: int = 0, **environment: str) -> str:
    """Run a program and return its output. code: its exit code."""
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=os.environ | environment, capture_output=True, text=True, timeout=1200, check=False
    )
    assert done.returncode == code, f"{done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout if code == 0 else done.stderr


def copied(source: Path, target: Path) -> Path:
    """Copy the files of this repository below a folder, because building writes beside the sources."""
    for file in tracked():
        if file.is_relative_to(source):
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
    return target


def source_distribution(project: Path, folder: Path) -> Path:
    """Build the source distribution of a project, which can be changed by it."""
    folder.mkdir(parents=True, exist_ok=True)
    build = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
    return folder / execute(sys.executable, "-c", build, folder, cwd=project).splitlines()[-1]


def wheel(source: Path, folder: Path) -> Path:
    """Build the wheel of a project or a source distribution."""
    execute(*PIP, "wheel", *OFFLINE, "--wheel-dir", folder, source, cwd=folder.parent)
    (built,) = folder.glob("*.whl")
    return built


class Site:
    """A folder with installed distributions; commands run with it instead of the sources, from an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.empty = folder, folder.with_name("empty")
        self.empty.mkdir(parents=True, exist_ok=True)
        self.environment = {"PYTHONPATH": str(folder)}

    def install(self, *sources: Path) -> None:
        """Install wheels or projects."""
        execute(*PIP, "install", *OFFLINE, "--no-warn-script-location", "--target", self.folder, *sources, cwd=self.empty)

    def python(self, *arguments: str | Path, **environment: str) -> str:
        """Run Python and return its output."""
        return execute(sys.executable, *arguments, cwd=self.empty, **self.environment | environment)

    def fairfight(self, *words: str | Path, code: int = 0, **environment: str) -> str:
        """Run the installed command; returns its output, or its messages if it must fail."""
        return execute(self.folder / "bin" / "fairfight", *words, cwd=self.empty, code=code, **self.environment | environment)

    def answer(self, *words: str) -> Any:
        """The JSON output of a command."""
        return json.loads(self.fairfight(*words, "--json"))
