"""A duel of a game, its exact odds beside duels fought through the game's compiled rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.chains import DuelAgreement, DuelOdds, compare, solve
from analysis.report.model import Table
from analysis.wording import count, number
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.duels import Duel, DuelRequest, Duels, Fights, arrange

GAMES_MAX = 10_000_000
TURNS_SHOWN = 15  # lines of the table of turns; the rest are summed up
BAR = 24  # letters of the longest bar
EIGHTHS = " ▏▎▍▌▋▊▉█"

LEAST = 0.0005  # smaller chances are shown as nothing
_SHARES: dict[str, Any] = {"exact": "percent", "simulated": "percent"}

Line = tuple[float, float]  # exact chance, simulated share


def check_games(games: int) -> None:
    """Raise ValueError outside 1..GAMES_MAX."""
    if not 1 <= games <= GAMES_MAX:
        raise ValueError(f"games={games} must be 1..{GAMES_MAX}")


def duels_of(game: Game) -> Duels:
    """Return the duels of a game. Raises ValueError if it has none."""
    if game.duels is None:
        raise ValueError(f"game={game.name!r} has no duels whose odds are known")
    return game.duels


def request_of(fighter: str, opponents: str, gear: str | None, **plan: Any) -> DuelRequest:
    """Return the request that the options of the command make: lists of ids parted by commas, the plan as it is."""
    return DuelRequest(fighter, _listed(opponents), _listed(gear or ""), **plan)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


@dataclass(frozen=True)
class Fought:
    """A duel, its odds, and what came of it when it was fought."""

    duel: Duel
    plan: str  # of the fighter, in words; "" if it only fights
    odds: DuelOdds
    fights: Fights
    agreement: DuelAgreement
    left_word: str

    def endings(self) -> list[dict[str, Any]]:
        """Return one line per ending: exact chance, simulated share with its interval, z."""
        shares, z = self.agreement.shares, self.agreement.z
        return [
            {
                "ending": name,
                "exact": chance,
                "simulated": share.estimate,
                "low": share.low,
                "high": share.high,
                "z": z_,
            }
            for name, chance, share, z_ in zip(self.odds.endings, self.odds.chance.tolist(), shares, z, strict=True)
        ]

    def left(self) -> Iterator[tuple[str, int, Line]]:
        """Yield ending, amount left and its two chances (of both together), most left first; where something can be left."""
        for ending, name in enumerate(self.odds.endings):
            fought = self.fights.left[self.fights.ending == ending]
            amounts = {*self.odds.left[ending], *fought.tolist()}
            for amount in sorted(amounts, reverse=True) if amounts - {0} else ():
                exact = float(self.odds.chance[ending]) * self.odds.left[ending].get(amount, 0.0)
                yield name, amount, (exact, int((fought == amount).sum()) / self.agreement.n)

    def turns(self) -> list[Line]:
        """Return the two chances of each number of turns, from 1 on, to the last that was seen or is likely at all."""
        seen = np.bincount(self.fights.turns)[1:] / self.agreement.n
        size = max(len(seen), len(self.odds.turns))
        exact = np.pad(self.odds.turns, (0, size - len(self.odds.turns)))
        return list(zip(exact.tolist(), np.pad(seen, (0, size - len(seen))).tolist(), strict=True))

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        duel, fit = self.duel, self.agreement
        return {
            "title": duel.title,
            "fighter": duel.fighter,
            "opponents": duel.opponents,
            "gear": duel.gear,
            "health": duel.health,
            "health_max": duel.health_max,
            "plan": self.plan,
            "endings": self.endings(),
            "left": [
                {"ending": name, "left": left, "exact": exact, "simulated": share}
                for name, left, (exact, share) in self.left()
            ],
            "turns": [
                {"turns": turn, "exact": exact, "simulated": share}
                for turn, (exact, share) in enumerate(self.turns(), start=1)
            ],
            "longer": self.odds.rest,
            "mean_turns": {"exact": self.odds.mean_turns, "simulated": fit.mean_turns, "z": fit.z_turns},
            "games": fit.n,
            "stopped": fit.undecided,
            "z_max": fit.z_max,
            "p": fit.p_value,
        }

    def tables(self) -> list[Table]:
        """Return how it ends, what is left then, and how long it lasts; the last two with bars of the exact chances."""
        rows = tuple(tuple(line.values()) for line in self.endings())
        columns = ("ending", "exact", "simulated", "low", "high", "z")
        ends = Table("endings", columns, rows, self._told(), dict.fromkeys(columns[1:-1], "percent"))
        left = list(self.left())
        bars = _bars([exact for _, _, (exact, _) in left])
        lines = [(name, amount, *chances, bar) for (name, amount, chances), bar in zip(left, bars, strict=True)]
        headings = ("ending", f"{self.left_word} left", "exact", "simulated", "")
        over = Table("left", headings, tuple(lines), f"{self.left_word.capitalize()} left at the end", _SHARES)
        return [ends, *([over] if lines else []), self._lengths()]

    def _told(self) -> str:
        """The duel, how many were fought, and how well they fit."""
        duel, fit = self.duel, self.agreement
        told = f"{duel.title}: {duel.health} of {duel.health_max} {self.left_word}{self.plan and ', '}{self.plan}"
        told += f"; {count(fit.n)} duels"
        if fit.undecided:
            told += f", {count(fit.undecided)} of them stopped before their end"
        told += f"; largest |z| = {abs(fit.z_max):.2f}"
        return told + (f", chi-square p = {fit.p_value:.3f}" if fit.p_value == fit.p_value else "")

    def _lengths(self) -> Table:
        """The first turns line by line, all others in one."""
        turns = self.turns()
        shown = turns[:TURNS_SHOWN]
        lines = [(str(turn), *chances) for turn, chances in enumerate(shown, start=1)]
        if len(turns) > TURNS_SHOWN or self.odds.rest > 0:
            exact, share = (sum(line[at] for line in turns[TURNS_SHOWN:]) for at in (0, 1))
            lines.append(("later", exact + self.odds.rest, share))
        while len(lines) > 1 and max(lines[-1][1:]) < LEAST:
            lines.pop()
        bars = _bars([exact for _, exact, _ in lines])
        fit = self.agreement
        told = f"Turns: mean {number(self.odds.mean_turns)}, sd {number(self.odds.sd_turns)}; "
        told += f"simulated mean {number(fit.mean_turns)}, z = {number(fit.z_turns)}"
        rows = tuple((*line, bar) for line, bar in zip(lines, bars, strict=True))
        return Table("turns", ("ends in turn", "exact", "simulated", ""), rows, told, _SHARES)


def arranged(game: Game, cards: CardSet, request: DuelRequest) -> Duel:
    """Set a duel of a game up. Raises ValueError for what cannot be fought, or if the game has no duels."""
    return arrange(duels_of(game), cards, request)


def fought(game: Game, duel: Duel, plan: str, games: int, seed: int) -> Fought:
    """Work a duel of a game out and fight it. plan: in words."""
    odds = solve(duel.chain())
    fights = duel.sample(games, seed)
    return Fought(duel, plan, odds, fights, compare(odds, fights), duels_of(game).left_word)


def plan_words(request: DuelRequest) -> str:
    """Say what the fighter does besides fighting, e.g. "2 potions, drinks at 4 or less, flees at 2 or less"."""
    words = [f"{request.potions} potion{'s' if request.potions > 1 else ''}"] if request.potions else []
    words += [f"drinks at {request.drink_at} or less"] if request.drink_at is not None else []
    words += [f"flees at {request.flee_at} or less"] if request.flee_at is not None else []
    return ", ".join(words + ([] if request.exit else ["nowhere to flee to"]))


def _bars(chances: list[float]) -> list[str]:
    """Draw chances as bars of letters, the largest BAR long."""
    most = max(chances, default=0.0) or 1.0
    lengths = [round(8 * BAR * chance / most) for chance in chances]
    return [(EIGHTHS[8] * (length // 8) + EIGHTHS[length % 8]).rstrip() for length in lengths]
