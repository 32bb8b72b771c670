"""Compile a part of a game before a command plays it, with its progress."""

from __future__ import annotations

from analysis.output import terminal
from sim.engine.codecache import cache_home, ignored_cache
from sim.engine.contract import Game
from sim.engine.jit import compiling
from sim.warmup import compile_part, is_compiled, kernels_of

USED_BY = {  # parts of a game as a user knows them; each is compiled when it is first needed
    "random": "play with random players",
    "greedy": "play with greedy players",
    "loop": "play with all players",
    "step": "single decisions, for replays and scenarios",
    "evaluation": "evaluations of positions",
    "analysis": "evaluations of options",
    "rolls": "rolls of dice",
    "duels": "duels",
}


def prepare(game: Game, part: str = "loop") -> None:
    """Compile a part of the game, see `sim.warmup`, unless cached. Shows progress, lest compiling look like slow play."""
    if where := ignored_cache():
        home = cache_home()
        instead = f"goes to {home}" if home else "is not kept"
        terminal.note(f"FAIRFIGHT_CACHE={where} cannot be used; compiled code {instead}")
    if not is_compiled(game.name, part):
        terminal.note(f"compiling {game.title} for this machine ({USED_BY[part]}), once")
        stage, needed = f"compiling {game.title}", kernels_of(game)
        with terminal.Ticker("kernels") as ticker, compiling(lambda done, _: ticker(stage, min(done, needed), needed)):
            compile_part(game.name, part)
