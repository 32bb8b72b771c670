"""Compile all kernels in advance, each game in a separate process, so that no later run waits for the compiler."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from joblib import delayed

from sim.apart import end_with_parent, run_apart, send
from sim.engine.codecache import prune
from sim.engine.contract import Game
from sim.engine.exact import DuelRequest, arrange
from sim.engine.inspection import evaluate_positions
from sim.engine.jit import compiling, is_warm, note_warm, together
from sim.engine.loop import advance, play_block
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import game_named
from sim.run import bench_for, cores, features_of, option_values, play_range, share_out
from sim.stopping import check, heeding

Watch = Callable[[str, int, int], None]


def compile_all(names: list[str], watch: Watch | None = None) -> int:
    """Compile every entry point of these games into the disk cache, games in parallel; returns the number of entry points.

    The entry points of a game share most of their kernels, so each game is compiled by one process, the largest game first.
    Compiled code that has not been used for a month is deleted.

    watch: called with ("compiling", kernels compiled, kernels of the games that have begun), from several threads.
    """
    prune()
    kernels = dict.fromkeys(names, (0, 0))

    def count(name: str, done: int, known: int) -> None:
        kernels[name] = done, known
        if watch:
            watch("compiling", *map(sum, zip(*kernels.values(), strict=True)))

    def tasks(stop: np.ndarray) -> Iterator[Any]:
        largest_first = sorted(names, key=lambda name: -kernels_of(game_named(name)))
        return (delayed(_compile_apart)(name, stop, count) for name in largest_first)

    return sum(share_out(tasks, min(cores(), len(names)), "generator_unordered"))


def kernels_of(game: Game) -> int:
    """Estimated number of kernels that a game needs: those that its verbs and the loop call, directly or indirectly."""
    return len(functions_below([*vars(game.verbs).values(), play_block, advance]))


def functions_below(kernels: Iterable[Any]) -> list[FunctionType]:
    """Return the Python functions of kernels and of all kernels that they call, directly or indirectly."""
    reached: dict[int, FunctionType] = {}
    waiting = [*kernels]
    while waiting:
        kernel = waiting.pop()
        function = getattr(kernel, "py_func", None) or getattr(kernel, "__wrapped__", None)  # the latter without the compiler
        if not isinstance(function, FunctionType) or id(kernel) in reached:
            continue
        reached[id(kernel)] = function
        names = {name for code in codes_of(function) for name in code.co_names}
        values = [function.__globals__.get(name) for name in names]
        modules = [value for value in values if isinstance(value, ModuleType)]
        waiting += [*values, *(getattr(module, name, None) for module in modules for name in names)]
    return [*reached.values()]


def codes_of(function: FunctionType) -> Iterator[CodeType]:
    """Yield the code of a function and of the functions in it."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        yield code
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _compile_apart(name: str, stop: np.ndarray, watch: Callable[[str, int, int], None]) -> int:
    """Compile a game in a child process that ends with this one; returns the number of entry points.

    watch: called with the game, and its kernels compiled so far and in all. Raises RuntimeError if the child fails, whose
    messages are on stderr.
    """
    code = f"from sim.warmup import compile_alone; compile_alone({name!r})"
    if failed := run_apart(code, (), stop, lambda counted: watch(name, *counted)):
        raise RuntimeError(f"{name}: could not be compiled (exit code {failed})")
    return len(PARTS)


def compile_alone(name: str) -> None:
    """Compile every entry point of a game, but exit as soon as the parent process ends.

    Sends two numbers for every kernel: the kernels compiled so far, and an estimate of their total.
    """
    end_with_parent(lambda: os._exit(1))
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    needed = kernels_of(game_named(name))
    with compiling(lambda done, _: send((min(done, needed), needed))):
        compile_game(name)


def compiled_parts(names: list[str]) -> int:
    """Number of entry points of these games in the cache."""
    return sum(is_compiled(name, part) for name in names for part in PARTS)


def compile_game(name: str) -> int:
    """Compile every entry point of a game; returns their number."""
    for part in ("loop", *APART):
        compile_part(name, part)
    return len(PARTS)


def is_compiled(name: str, part: str) -> bool:
    """Whether the cache has an entry point of a game, or the loop in place of its form for greedy players."""
    state = game_named(name).state
    return is_warm(state, part) or (part == "greedy" and is_warm(state, "loop"))


def compile_part(name: str, part: str) -> None:
    """Compile one entry point of a game in this process, unless the cache has it; with the loop, all but those in `APART`.

    The loop has most of the kernels that the others need: together with it they take a tenth of the time. A signal raises
    KeyboardInterrupt between two kernels: one that is raised in a function that the compiler calls is lost.
    """
    game = game_named(name)
    parts = [one for one in PARTS if one not in APART] if part == "loop" else [part]
    missing = [one for one in parts if not is_compiled(name, one)]
    module = nullcontext() if part in APART else together()
    with heeding(), compiling(lambda *_: check()), _no_garbage_collection(), module:
        for one in missing:
            (PARTS | SMALLER)[one](game)
    for one in missing:
        note_warm(game.state, one)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Context in which Python does not look for cycles: the compiler makes millions of objects that it keeps."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _one_game(game: Game, policy: str) -> Experiment:
    """One game of the reference cards with the smallest number of seats."""
    return Experiment(game.name, game.load(None), min(game.seats), (PolicySpec.parse(policy),), games_wanted=1)


def _compile_random(game: Game) -> None:
    """Compile the loop over blocks of games, for random players."""
    play_range(_one_game(game, "random"), 0, 1)


def _compile_greedy(game: Game) -> None:
    """Compile the loop for random and greedy players."""
    play_range(_one_game(game, "greedy:1"), 0, 1)


def _compile_loop(game: Game) -> None:
    """Compile the loop for all players."""
    play_range(_one_game(game, "search:1"), 0, 1, rerolls=1)


def _compile_step(game: Game) -> None:
    """Compile the step from one decision to the next, which training uses."""
    advance.prepare(bench_for(game), game.load(None).record, -1)


def _compile_evaluation(game: Game) -> None:
    """Compile the evaluation of many positions, and their features."""
    experiment = _one_game(game, "random")
    positions = np.zeros(0, game.state)
    evaluate_positions(positions, experiment.cards.record, experiment.seats, np.zeros((0, experiment.seats)))
    features_of(experiment, positions)


def _compile_analysis(game: Game) -> None:
    """Compile the evaluation of options, which replays show."""
    option_values(_one_game(game, "random"), np.zeros(0, game.state), PolicySpec.parse("greedy"))


def _compile_rolls(game: Game) -> None:
    """Compile the repeated roll behind `fairfight dice GAME`."""
    if game.rolls:
        game.rolls(game.load(None))[0].sample(1, 0)


def _compile_duels(game: Game) -> None:
    """Compile the repeated duel behind `fairfight duel GAME`, its exact odds, and the siege."""
    if game.duels:
        cards, duels = game.load(None), game.duels
        (fighter, _), *_ = duels.fighters(cards)
        (opponent, _), *_ = duels.opponents(cards)
        duel = arrange(duels, cards, DuelRequest(fighter, (opponent,)))
        duel.sample(1, 0)
        duel.chain()
        if duels.siege:
            duels.siege(cards)[0].sample(1, 0)


PARTS: dict[str, Callable[[Game], None]] = {
    "loop": _compile_loop,
    "step": _compile_step,
    "evaluation": _compile_evaluation,
    "analysis": _compile_analysis,
    "rolls": _compile_rolls,
    "duels": _compile_duels,
}
SMALLER: dict[str, Callable[[Game], None]] = {"random": _compile_random, "greedy": _compile_greedy}  # forms of the loop
# Not in one module with the others: random games are 15 % slower there, because LLVM inlines less of what is called from several
# places; the odds of duels are worked out from what their kernels return.
APART = ("random", "duels")
