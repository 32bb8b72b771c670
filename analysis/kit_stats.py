"""The answer to "which kit for which deck": every kit and every part left blank, as tables for the command and for reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.card_effects import deck_game
from analysis.compare import Play
from analysis.deck_choice import deck_facts, making_lines
from analysis.kits import KitEffects, KitSteps, kit_effects, kit_steps
from analysis.report.model import SECONDARY, Format, Table
from analysis.whatif import GamesOf
from analysis.wording import count, limit_words, percent
from sim.engine.contract import Game
from sim.experiment import Experiment

SHARES = ("win rate", "low", "high", "with", "without", "truncated", "truncated with", "truncated without")
GAPS = ("change", "change low", "change high", "worth", "worth low", "worth high")
FORMATS: dict[str, Format] = {
    **dict.fromkeys(SHARES, "percent"),
    **dict.fromkeys(GAPS, "points"),
    "p (Holm)": "p",
    "n": "count",
    "gain": "number",
}


@dataclass(frozen=True, eq=False)
class KitStats:
    """What kits do to decks, as tables and as plain values. whole: by name, the one that is read first at the head."""

    facts: dict[str, Any]
    whole: dict[str, Table]
    lines: tuple[str, ...]

    def main(self) -> Table:
        """Return the table of the CSV file: the one that is read first."""
        return next(iter(self.whole.values()))

    def tables(self) -> list[Table]:
        """Return all tables."""
        return list(self.whole.values())

    def as_json(self) -> dict[str, Any]:
        """Return everything under one roof."""
        return {"facts": self.facts} | self.whole


def kit_stats(experiment: Experiment, deck: int | None = None, play: Play | None = None) -> KitStats:
    """Play the games of every deck, or of one, with each of its kits. Raises ValueError where there is nothing to exchange.

    Of every deck those games of the experiment are played in which it sits.
    """
    game, cards = experiment.game, experiment.cards
    chosen = range(len(cards.ids)) if deck is None else [deck]
    check_kits(game)
    tried = [steps for steps in (kit_steps(game, cards, one) for one in chosen) if steps and steps.live]
    if not tried:
        raise ValueError(f"{game.name}: no {game.entrant_word} of {cards.title} has another kit to bring")
    played = [(steps, GamesOf.from_experiment(experiment, steps.entrant)) for steps in tried]
    effects = kit_effects(played, deck_game(game), play)
    whole = {}
    if len(effects.kits):
        whole["kits"] = kit_table(effects.kits, "kits", game.entrant_word)
    if len(effects.blanks):
        whole["parts"] = blank_table(effects.blanks, "parts", game.entrant_word)
    games = sum(base.games * (1 + len(steps.live)) for steps, base in played)
    facts = experiment.facts() | {"games": games, **deck_facts(game, cards)}
    facts |= {"deck": cards.ids[deck]} if deck is not None else {}
    return KitStats(facts, whole, _lines(experiment, tried, games, _truncated(effects)))


def check_kits(game: Game) -> None:
    """Raise ValueError for a game whose entrants bring nothing that could be exchanged."""
    if game.decks is None or game.decks.kits is None:
        raise ValueError(
            f"kits: {game.title} is not played with decks that bring something else; kits is for games in which they do"
        )


def slots_of(kits: pd.DataFrame) -> list[str]:
    """The slots of kits: the columns of `KitEffects.kits` between `own` and `estimate`."""
    columns = [str(column) for column in kits.columns]
    return columns[columns.index("own") + 1 : columns.index("estimate")]


def kit_table(kits: pd.DataFrame, id_: str, word: str) -> Table:
    """Every deck with every kit: `KitEffects.kits`. word: what a deck is called."""
    columns = {"name": word, **{slot: slot for slot in slots_of(kits)}, "mark": "own", "estimate": "win rate"}
    columns |= {"estimate_low": "low", "estimate_high": "high", "change": "change", "low": "change low"}
    columns |= {"high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain", "truncated": "truncated"}
    shown = kits.assign(mark=np.where(kits["own"], "own", ""))
    return _table(shown, id_, "Win rates by kit, and how far they are from that with its own", columns)


def blank_table(blanks: pd.DataFrame, id_: str, word: str) -> Table:
    """What each part is worth to each deck: `KitEffects.blanks`."""
    columns = {"slot": "part", "name": word, "choice": "its own", "before": "with", "after": "without"}
    columns |= {"change": "worth", "low": "worth low", "high": "worth high", "p_holm": "p (Holm)", "n": "n"}
    more = {"gain": "gain", "truncated_before": "truncated with", "truncated_after": "truncated without"}
    return _table(blanks, id_, "What a part of its own kit is worth: with it less without", {**columns, **more})


def _table(frame: pd.DataFrame, id_: str, caption: str, columns: Mapping[str, str]) -> Table:
    """A table of some columns of a frame: name in the frame -> heading."""
    rows = frame[list(columns)].astype(object).itertuples(index=False)
    cells = tuple(tuple(None if pd.isna(cell) or cell == "" else cell for cell in row) for row in rows)
    formats = {heading: form for heading, form in FORMATS.items() if heading in columns.values()}
    return Table(id_, tuple(columns.values()), cells, caption, formats, secondary=(*SECONDARY, "low"))


def _truncated(effects: KitEffects) -> tuple[float, float]:
    """Shares of the games that were stopped: of a deck with its own kit, and of any line, the largest of each."""
    kits, blanks = effects.kits, effects.blanks
    own = [
        *(kits.loc[kits["own"], "truncated"] if len(kits) else []),
        *(blanks["truncated_before"] if len(blanks) else []),
    ]
    other = [*(kits["truncated"] if len(kits) else []), *(blanks["truncated_after"] if len(blanks) else [])]
    return max(own, default=0.0), max(other, default=0.0)


def _lines(
    experiment: Experiment, tried: list[KitSteps], games: int, truncated: tuple[float, float]
) -> tuple[str, ...]:
    """How the tables came about, and what the card rules refuse."""
    cards = experiment.cards
    made = f"{cards.title} (digest {cards.digest}): {count(games)} games, seed {experiment.seed}, policy "
    made += f"{experiment.policy_words}."
    limit = limit_words(experiment.game.limits_itself)
    stopped = f"No game was stopped at {limit}."
    if any(truncated):
        stopped = (
            f"Truncated games, stopped at {limit}, are left out of win rates: at most {percent(truncated[0], 2)} of a "
        )
        stopped += f"{experiment.game.entrant_word}'s games with its own kit, {percent(truncated[1], 2)} with another."
    how = f"With every kit a {experiment.game.entrant_word} plays the same games with the same dice as with its own; changes are "
    how += "in points of the win rate, Tango's interval for pairs at 95 % (linearised where games are truncated), p adjusted "
    how += "(Holm) over all lines of a table. The others keep their own kits."
    refused = [f"The card rules refuse {steps.name}: {', '.join(steps.refused)}." for steps in tried if steps.refused]
    return (made, *making_lines(cards), stopped, how, *refused)


def pairs_of(experiment: Experiment, pairs: int) -> Experiment:
    """The experiment with so many games that every entrant sits in about so many of them."""
    return replace(experiment, games_wanted=-(-pairs * len(experiment.cards.ids) // experiment.seats))
