"""The formats of a run folder: manifests and block files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from analysis.data.player import Player
from analysis.winrates.play import Played, play
from analysis.winrates.rates import summarise
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.store import Run
from sim.store.manifest import NAME, Manifest
from sim.store.parts import DIGITS
from tests.safety.form import RANDOM, TINY, Format, written
from tests.safety.structures import JSON
from tests.safety.tables import BlockFiles

BLOCK_GAMES = 36  # whole rounds, also of pairs


def experiment(games: int = 2 * BLOCK_GAMES, **given: Any) -> Experiment:
    """An experiment of a tiny game."""
    return Experiment(TINY[0], GAMES[TINY[0]].load(None), 2, RANDOM, games, seed=7, **given)


def filled(folder: Path, keep: str = "rows") -> Run:
    """A run of a tiny game."""
    run = Run.begin(folder, experiment(), keep, BLOCK_GAMES)
    run.fill(jobs=1, summarise=None if run.has_rows else summarise)
    return run


def counted(folder: Path) -> Played:
    """Open a run folder and count its games, as `fairfight winrates` does; missing games are played."""
    run = Run.open(folder)
    return play(run.experiment, Player(1, source=run))


def manifests() -> Format:
    """Manifests of run folders, with the blocks of a run beside them."""
    written_manifests = [
        Manifest.of(experiment(**given), "rows", BLOCK_GAMES) for given in ({}, {"line_up": (0, 2)}, {"paired": True})
    ]

    def place(folder: Path, content: bytes) -> Path:
        return written(folder / "run", content, NAME).parent

    def use(run: Run) -> None:
        assert Manifest.parse(run.manifest.text) == run.manifest
        list(run.manifest.differences(written_manifests[0]))
        repr(run)

    def read(folder: Path) -> Run:
        run = Run.open(folder)
        assert min(run.held, run.stored) >= 0
        return run

    inputs = tuple(manifest.text.encode() for manifest in written_manifests)
    prepare = lambda folder: filled(folder / "run")  # noqa: E731
    return Format("manifest", inputs, read, use, JSON, place, prepare, lambda folder: (str(folder),))


def blocks(keep: str) -> Format:
    """Block files of a run, each named by its digest, so that the errors reach the Parquet reader."""
    with TemporaryDirectory() as folder:
        file = min((filled(Path(folder) / "run", keep).folder / "blocks").iterdir())
        range_, content = file.name.rpartition("-")[0], file.read_bytes()

    def place(folder: Path, content: bytes) -> Path:
        for old in (folder / "run" / "blocks").glob(f"{range_}-*"):
            old.unlink()
        name = f"{range_}-{hashlib.sha256(content).hexdigest()[:DIGITS]}.parquet"
        (folder / "run" / "blocks" / name).write_bytes(content)
        return folder / "run"

    prepare = lambda folder: filled(folder / "run", keep)  # noqa: E731
    return Format(f"blocks:{keep}", (content,), counted, repr, BlockFiles(), place, prepare, lambda folder: (str(folder),))
