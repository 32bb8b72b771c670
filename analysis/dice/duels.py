"""Duels of a game: their setup, and the exact odds of every fighter against every opponent beside simulated duels."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from analysis.answer.model import NoAnswerError
from analysis.data.rows import distinct
from analysis.stats.intervals import adjust
from analysis.stats.markov import compare, solve
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.exact import Duel, DuelRequest, Duels, arrange
from sim.registry import GAMES
from sim.seeds import derived_seed

GAMES_MAX = 10_000_000
BARE = ""  # gear of a fighter without any
KEYS = ["fighter", "opponent"]

Watch = Callable[[str, int, int], None]


def check_games(games: int) -> None:
    """Raise ValueError outside 1..GAMES_MAX."""
    if not 1 <= games <= GAMES_MAX:
        raise ValueError(f"duels={games} must be 1..{GAMES_MAX}")


def duels_of(game: Game) -> Duels:
    """Return the duels of a game. Raises NoAnswerError, which names the games that have duels, if it has none."""
    if game.duels is None:
        others = [name for name, other in GAMES.usable(lambda _: None).items() if other.duels is not None]
        raise NoAnswerError(f"game={game.name!r} has no duels with known odds; games with duels: {', '.join(others) or 'none'}")
    return game.duels


def arranged(game: Game, cards: CardSet, request: DuelRequest) -> Duel:
    """Set up a duel of a game. Raises ValueError for a duel that cannot be fought, or if the game has no duels."""
    return arrange(duels_of(game), cards, request)


def plan_words(request: DuelRequest) -> str:
    """Describe the fighter's plan, e.g. "2 potions, drinks at 4 or less, flees at 2 or less"; empty if it only fights."""
    words = [f"{request.potions} potion{'s' if request.potions > 1 else ''}"] if request.potions else []
    words += [f"drinks at {request.drink_at} or less"] if request.drink_at is not None else []
    words += [f"flees at {request.flee_at} or less"] if request.flee_at is not None else []
    return ", ".join(words + ([] if request.exit else ["nowhere to flee to"]))


def duel_table(
    game: Game, cards: CardSet, games: int, seed: int, watch: Watch | None = None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """One row per duel of one against one, at full health, fought to the end. Each duel has its own dice.

    Columns: fighter, opponent, gear (names, BARE first; without pieces that a fighter cannot wear), win (exact chance),
    simulated, low, high (share of `games` duels won), z, z_max (over all endings and the turns), p (chi-square, nan for a
    single ending), p_holm, turns and left (exact means; left given a win), stopped, n; chance_0, chance_1, ... (exact, by
    ending); bare (win without gear), change (win less bare). Also returns the names of the endings. Raises ValueError if the
    game has no duels.
    """
    duels = duels_of(game)
    named = [hook(cards) for hook in (duels.gear, duels.fighters, duels.opponents)]
    ids = [dict(zip([id_ for id_, _ in pairs], distinct([name for _, name in pairs]), strict=True)) for pairs in named]
    gear, fighters, opponents = ids
    wanted = [(piece, fighter, opponent) for piece in ("", *gear) for fighter in fighters for opponent in opponents]
    lines, endings = [], tuple[str, ...]()
    for index, (piece, fighter, opponent) in enumerate(wanted):
        try:
            duel = arranged(game, cards, DuelRequest(fighter, (opponent,), (piece,) if piece else ()))
        except ValueError:
            if not piece:
                raise
            duel = None  # the fighter cannot wear this piece
        if duel is not None:
            odds = solve(duel.chain())
            fit, endings = compare(odds, duel.sample(games, derived_seed(seed, f"duel {index}"))), odds.endings
            won, names = fit.shares[0], {"fighter": fighters[fighter], "opponent": opponents[opponent]}
            line = {**names, "gear": gear.get(piece, BARE), "win": odds.win, "simulated": won.estimate, "low": won.low}
            line |= {"high": won.high, "z": fit.z[0], "z_max": fit.z_max, "p": fit.p_value, "turns": odds.mean_turns}
            line |= {f"chance_{ending}": float(chance) for ending, chance in enumerate(odds.chance)}
            lines.append(line | {"left": odds.mean_left(), "stopped": fit.undecided, "n": fit.n})
        if watch:
            watch("duels", index + 1, len(wanted))
    frame = pd.DataFrame(lines)
    bare = frame.loc[frame["gear"] == BARE, [*KEYS, "win"]].rename(columns={"win": "bare"})
    frame = frame.merge(bare, on=KEYS, how="left", validate="many_to_one")
    return frame.assign(change=frame["win"] - frame["bare"], p_holm=adjust(frame["p"])), endings
