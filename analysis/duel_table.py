"""Every fighter of a game against every opponent, without gear and with each piece: exact odds and duels as fought."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from analysis.chains import compare, solve
from analysis.dueling import duels_of
from analysis.estimates import adjust
from analysis.frames import distinct
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.duels import Duel, DuelRequest, arrange

BARE = ""  # gear of those who wear none
KEYS = ["fighter", "opponent"]

Watch = Callable[[str, int, int], None]


def duel_table(
    game: Game, cards: CardSet, games: int, seed: int, watch: Watch | None = None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """One line per duel of one against one, at full health, fought to its end. Each has its own dice.

    Columns: fighter, opponent, gear (names, BARE first; pieces that a fighter cannot wear are left out), win (exact chance),
    simulated, low, high (share of `games` duels won), z, z_max (of all endings and the turns), p (chi-square, nan where there is
    but one ending), p_holm, turns and left (exact means; left given a win), stopped, n; chance_0, chance_1, ... (exact, by
    ending); bare (win without gear), change (win less bare). Also returns the names of the endings. Raises ValueError without
    duels.
    """
    duels = duels_of(game)
    fighters, opponents, gear = (_told_apart(hook(cards)) for hook in (duels.fighters, duels.opponents, duels.gear))
    wanted = [
        (piece, fighter, opponent)
        for piece in [("", BARE), *gear.items()]
        for fighter in fighters.items()
        for opponent in opponents.items()
    ]
    lines = []
    endings: tuple[str, ...] = ()
    for number, (piece, fighter, opponent) in enumerate(wanted):
        duel = _wearing(game, cards, DuelRequest(fighter[0], (opponent[0],), (piece[0],) if piece[0] else ()))
        if duel is not None:
            names = {"fighter": fighter[1], "opponent": opponent[1], "gear": piece[1]}
            line, endings = _line(duel, games, seed + 1 + number)
            lines.append(names | line)
        if watch:
            watch("duels", number + 1, len(wanted))
    frame = pd.DataFrame(lines)
    bare = frame.loc[frame["gear"] == BARE, [*KEYS, "win"]].rename(columns={"win": "bare"})
    frame = frame.merge(bare, on=KEYS, how="left", validate="many_to_one")
    return frame.assign(change=frame["win"] - frame["bare"], p_holm=adjust(frame["p"])), endings


def _told_apart(named: list[tuple[str, str]]) -> dict[str, str]:
    """Names by id, equal ones told apart."""
    return dict(zip([one for one, _ in named], distinct([name for _, name in named]), strict=True))


def _wearing(game: Game, cards: CardSet, request: DuelRequest) -> Duel | None:
    """Set a duel up; None where the fighter cannot wear what it should. Raises ValueError for a duel without gear."""
    try:
        return arrange(duels_of(game), cards, request)
    except ValueError:
        if not request.gear:
            raise
        return None


def _line(duel: Duel, games: int, seed: int) -> tuple[dict[str, float], tuple[str, ...]]:
    """Odds of one duel, and its endings."""
    odds = solve(duel.chain())
    fit = compare(odds, duel.sample(games, seed))
    won = fit.shares[0]
    line = {"win": odds.win, "simulated": won.estimate, "low": won.low, "high": won.high, "z": fit.z[0]}
    line |= {"z_max": fit.z_max, "p": fit.p_value, "turns": odds.mean_turns, "left": odds.mean_left()}
    line |= {f"chance_{ending}": float(chance) for ending, chance in enumerate(odds.chance)}
    return line | {"stopped": fit.undecided, "n": fit.n}, odds.endings
