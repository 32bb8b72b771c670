"""`fairfight warmup`: compile everything once."""

from __future__ import annotations

from analysis import interrupts
from analysis.cli.options import AsJson
from analysis.output import terminal
from analysis.output.terminal import Ticker
from sim.engine.jit import KEEPS_CODE
from sim.registry import GAMES
from sim.warmup import compile_all, compiled_parts


def warmup(as_json: AsJson = False) -> None:
    """Compile everything once, on all cores, so that no later command waits.

    Example: fairfight warmup
    """
    names = list(GAMES.usable(terminal.note)) if KEEPS_CODE else []
    interrupts.state.keep = lambda: f"{compiled_parts(names)} parts are compiled; `fairfight warmup` continues with the others"
    with Ticker("kernels") as ticker:
        compiled = compile_all(names, ticker) if names else 0
    if not KEEPS_CODE:
        terminal.note("compiled code is kept only with numba's private parts; each command compiles what it needs")
    if as_json:
        terminal.print_json({"parts": compiled})
    else:
        terminal.say(f"{compiled} compiled parts are in the cache")
