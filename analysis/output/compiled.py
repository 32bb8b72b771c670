"""Compile a part of a game before it is played, with its progress."""

from __future__ import annotations

import warnings

from analysis.answer.model import Notice
from analysis.output.progress import bar
from sim.engine.codecache import cache_home, ignored_cache
from sim.engine.contract import Game
from sim.engine.jit import KEEPS_CODE, compiling
from sim.warmup import compile_part, is_compiled, kernels_of


def prepare(game: Game, part: str = "loop", progress: bool = True) -> None:
    """Compile a part of the game, see `sim.warmup`, unless cached. progress: show it, lest compiling look like slow play."""
    if where := ignored_cache():
        home = cache_home()
        instead = f"goes to {home}" if home else "is not kept"
        warnings.warn(f"FAIRFIGHT_CACHE={where} cannot be used; compiled code {instead}", Notice, stacklevel=2)
    if not is_compiled(game.name, part):
        once = ", once" if KEEPS_CODE else ""
        stage, needed = f"compiling {game.title} for this machine{once}", kernels_of(game)
        with bar(progress, "kernels") as watch, compiling(lambda done, _: watch(stage, min(done, needed), needed)):
            compile_part(game.name, part)
